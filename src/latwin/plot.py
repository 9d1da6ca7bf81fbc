"""The explorer's two drawings for papers and notebooks, with matplotlib (`pip install 'latwin[plot]'`).

import latwin.plot

latwin.plot.lattice(lattice, where=lambda values: values == ("on", "on"))
latwin.plot.space_time(monitor, where=lambda state: state["on"])
"""

from latwin.drawing.plots import lattice, space_time

__all__ = ["lattice", "space_time"]
