"""The paper's own algorithms, to read and to check against: slow, literal, trustworthy.

`PaperLatWin` maintains the lattice with Algorithms 1 to 3 of "Design of a Sliding Window over
Asynchronous Event Streams" and answers as `latwin.LatWin` does. Use it to understand what Lat-Win is, or
to convince yourself that a faster engine is right; use `latwin.LatWin` for work.

>>> from latwin.reference import PaperLatWin
>>> lattice = PaperLatWin(2, window=2, initial=[False, False])
>>> lattice.push(0, (1, 0), True)
>>> lattice.push(1, (0, 1), True)
>>> list(lattice)
[(0, 0), (0, 1), (1, 0), (1, 1)]
>>> lattice.possibly(lambda values: values[0] and not values[1])
True
>>> lattice.definitely(lambda values: values[0] and not values[1])
False
>>> lattice.definitely(lambda values: values[0] != values[1])
True
"""

from latwin.reference.paper import PaperLatWin

__all__ = ["PaperLatWin"]
