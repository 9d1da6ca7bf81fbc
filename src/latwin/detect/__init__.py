"""Detecting properties on a window: one detector per modality, chosen by the predicate's shape."""

from latwin.detect.base import Details, Detector, SharedLattice
from latwin.detect.properties import PropertyDetector

__all__ = ["Details", "Detector", "PropertyDetector", "SharedLattice"]
