"""Whole properties: modalities, each with the detector its shape calls for, joined by and / or / not."""

from __future__ import annotations

from typing import Any

from latwin.detect.base import Details, Detector, SharedLattice
from latwin.detect.conjunctive import DefinitelyConjunction, PossiblyDisjunction
from latwin.detect.general import CutByCutLabels, DefinitelyOnLattice, PossiblyOnLattice, ProgramLabels
from latwin.lattice.window import Window
from latwin.properties import Modal, Property, PropertyAnd, PropertyNot
from latwin.properties.plan import Plan, modals_of, plan_modal


def make_detector(plan: Plan, window: Window, shared: SharedLattice) -> Detector:
    """The detector that a plan asks for. New kinds of properties are added here."""
    is_possibly = plan.modal.kind == "possibly"
    if plan.engine == "conjunctive":
        if is_possibly or not plan.disjuncts:
            return PossiblyDisjunction(window, plan.disjuncts)
        return DefinitelyConjunction(window, plan.disjuncts[0])
    labels = (
        ProgramLabels(window, plan) if plan.engine == "bit lattice" else CutByCutLabels(window, plan)
    )
    on_lattice = PossiblyOnLattice if is_possibly else DefinitelyOnLattice
    return on_lattice(labels, window, shared)


class PropertyDetector:
    """One property on one window.

    Without any cut every property is false, negated ones too. "Too large" is a third value, None:
    `false and None` is still false, `true or None` still true.
    """

    def __init__(self, tree: Property, window: Window, shared: SharedLattice) -> None:
        self._tree = tree
        self._window = window
        self._detectors = {
            modal: make_detector(plan_modal(modal), window, shared) for modal in modals_of(tree)
        }
        #: the detectors, for whoever tells them of states
        self.detectors = tuple(self._detectors.values())
        only = self.detectors[0] if isinstance(tree, Modal) else None
        #: the property's value on the window as it is now
        self.evaluate = only.evaluate if only else self._evaluate_tree

    def details(self, *, observations: bool) -> Details:
        """Cuts and witness of a property that is a single modality; the cuts alone of a combined one."""
        parts = [detector.details(observations=observations) for detector in self.detectors]
        if isinstance(self._tree, Modal):
            return parts[0]
        return Details(cuts=next((part.cuts for part in parts if part.cuts is not None), None))

    def _evaluate_tree(self) -> bool | None:
        if self._window.is_empty:
            return False
        values = {modal: detector.evaluate() for modal, detector in self._detectors.items()}
        return _combine(self._tree, values)


def _combine(node: Property, values: dict[Any, bool | None]) -> bool | None:
    if isinstance(node, Modal):
        return values[node]
    if isinstance(node, PropertyNot):
        value = _combine(node.operand, values)
        return None if value is None else not value
    deciding = not isinstance(node, PropertyAnd)
    operands = [_combine(operand, values) for operand in node.operands]
    if deciding in operands:
        return deciding
    return None if None in operands else not deciding
