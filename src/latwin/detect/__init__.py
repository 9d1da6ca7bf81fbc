"""Detecting properties on a window: one detector per modality, chosen by the predicate's shape."""

from latwin.detect.atoms import AtomTable, Columns
from latwin.detect.base import Context, Details, Detector
from latwin.detect.properties import PropertyDetector
from latwin.detect.states import KeptStates

__all__ = ["AtomTable", "Columns", "Context", "Details", "Detector", "KeptStates", "PropertyDetector"]
