"""Monitors that answer by decision diagrams, however small their lattices are."""

from __future__ import annotations

from typing import Any

from latwin import Monitor, Spec
from latwin.detect.detector import Part
from latwin.detect.diagrams import DefinitelyBeyond, PossiblyBeyond


class _TooLarge:
    """Labels of a program on a lattice that is always too large, and that has no certificates."""

    def __init__(self, labels: Any) -> None:
        self.rows = labels.rows

    def possibly(self, part: Part) -> None:
        del part

    def definitely(self, part: Part) -> None:
        del part


def monitor_beyond(spec: Spec, **options: Any) -> Monitor:
    """A monitor that asks neither lattices nor certificates, if a property can be answered by diagrams."""
    monitor = Monitor(spec, **options)
    for name in spec.properties:
        for detector in monitor.detectors(name):
            if isinstance(detector, PossiblyBeyond | DefinitelyBeyond):
                labels: Any = _TooLarge(detector._labels)
                detector._labels = labels
    return monitor
