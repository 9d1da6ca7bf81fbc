"""Detecting properties on a window: one detector for each `possibly`, `definitely` or other question.

The plan of a `possibly` or `definitely` (`latwin.properties.plan`) picks its detector, in `conjunctive` or
`on_lattice`. The other kinds of questions have a file each, with the same name as in `latwin.properties`.
"""

from latwin.detect.atoms import AtomTable, Columns
from latwin.detect.detector import Context, Details, Detector
from latwin.detect.properties import PropertyDetector
from latwin.detect.states import KeptStates

__all__ = ["AtomTable", "Columns", "Context", "Details", "Detector", "KeptStates", "PropertyDetector"]
