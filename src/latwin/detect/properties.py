"""Whole properties: modalities, each with the detector its shape calls for, joined by and / or / not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from latwin.detect.choices import DefinitelyState, PossiblyAny, PossiblyPair, PossiblyState, either_of
from latwin.detect.conjunctive import DefinitelyConjunction, PossiblyDisjunction
from latwin.detect.ctl import TemporalDetector
from latwin.detect.detector import Context, Details, Detector
from latwin.detect.diagrams import DefinitelyBeyond, PossiblyBeyond
from latwin.detect.on_lattice import DefinitelyOnLattice, PossiblyOnLattice, make_labels
from latwin.detect.probability import LikelyDetector
from latwin.detect.sequences import LinearDetector, MatchingDetector
from latwin.detect.sums import DefinitelySum, PossiblySum
from latwin.properties import Modal, Property, PropertyAnd, PropertyNot, Question
from latwin.properties.ctl import Temporal
from latwin.properties.linear import Linear
from latwin.properties.plan import Plan, parts_of, plan_modal
from latwin.properties.probability import Likely
from latwin.properties.sequences import Matching
from latwin.properties.shape import Conjunction, PairAtom
from latwin.properties.tree import FALSE

#: the detector of every kind of question; a new kind is registered here
_DETECTORS: dict[type[Question], Callable[[Any, Context], Detector]] = {
    Temporal: TemporalDetector,
    Matching: MatchingDetector,
    Linear: LinearDetector,
    Likely: LikelyDetector,
}


def make_question(question: Question, context: Context) -> Detector:
    """The detector for a question."""
    return _DETECTORS[type(question)](question, context)


def make_detector(plan: Plan, context: Context) -> Detector:
    """The detector that a plan asks for."""
    is_possibly = plan.modal.kind == "possibly"
    if plan.engine == "conjunctive":
        if len(plan.disjuncts) > 1 and all(len(conjunction) == 1 for conjunction in plan.disjuncts):
            either = either_of(part for conjunction in plan.disjuncts for part in conjunction.values())
            return PossiblyState(context, either) if is_possibly else DefinitelyState(context, either)
        if is_possibly:
            return PossiblyDisjunction(context, plan.disjuncts)
        never: Conjunction = {0: FALSE}
        return DefinitelyConjunction(context, plan.disjuncts[0] if plan.disjuncts else never)
    if plan.engine == "sums":
        return PossiblySum(context, plan) if is_possibly else DefinitelySum(context, plan)
    if plan.choices and (context.keeps_pairs or all(len(part.processes) != 2 for part in plan.choices)):
        return _make_choices(plan, context)
    labels = make_labels(context, plan)
    if labels.rows() is None:
        kind = PossiblyOnLattice if is_possibly else DefinitelyOnLattice
    else:
        kind = PossiblyBeyond if is_possibly else DefinitelyBeyond
    return kind(context, labels, plan.predicate)


def _make_choices(plan: Plan, context: Context) -> Detector:
    """The detector of an `or`, part by part."""
    states = either_of(part for part in plan.choices if len(part.processes) == 1)
    pairs = [
        PairAtom(min(part.processes), max(part.processes), part) for part in plan.choices if len(part.processes) == 2
    ]
    detectors = [make_detector(part, context) for part in plan.parts]
    if pairs:
        detectors.insert(0, PossiblyPair(context, pairs))
    if states:
        detectors.insert(0, PossiblyState(context, states))
    return detectors[0] if len(detectors) == 1 else PossiblyAny(detectors)


#: how a property combines its parts: the number of one, or "not", "and", "or" of combinations
Combination: TypeAlias = "int | tuple[Literal['not', 'and', 'or'], tuple[Combination, ...]]"


class PropertyDetector:
    """One property on one window.

    Without any cut every property is false, negated ones too. "Too large" is a third value, None:
    `false and None` is still false, `true or None` still true.
    """

    def __init__(self, tree: Property, context: Context) -> None:
        self.tree = tree
        self._window = context.window
        #: the detector of each part
        self.parts: dict[Modal | Question, Detector] = {
            part: make_detector(plan_modal(part), context)
            if isinstance(part, Modal)
            else make_question(part, context)
            for part in parts_of(tree)
        }
        self.detectors = tuple(self.parts.values())
        # By numbers, as it takes long to look a whole tree up.
        self._combination = _combination(tree, {part: number for number, part in enumerate(self.parts)})
        self._is_single = isinstance(self._combination, int)
        #: what the parts of a combined property were worth at the last evaluation
        self._values: list[bool | None] = []

    def evaluate(self) -> bool | None:
        """The property's value on the window as it is now."""
        if self._is_single:
            return self.detectors[0].evaluate()
        # Without any cut too: what the parts have to say in `details` must be about this window.
        self._values = [detector.evaluate() for detector in self.detectors]
        return False if self._window.is_empty else _combine(self._combination, self._values)

    def is_final(self) -> bool | None:
        """Whether no state to come can overturn the value of the last evaluation; see `Detector.is_final`."""
        if self._is_single:
            return self.detectors[0].is_final()
        if self._window.is_empty:
            return False
        finals = [detector.is_final() for detector in self.detectors]
        value = _combine(self._combination, self._values)
        return None if value is None else _stays(self._combination, value, self._values, finals)

    def details(self, *, observations: bool) -> Details:
        """Cuts and witness of a property that is a single modality; the cuts alone of a combined one."""
        if self._is_single:
            return self.detectors[0].details(observations=observations)
        parts = (detector.details(observations=False) for detector in self.detectors)
        return Details(cuts=next((part.cuts for part in parts if part.cuts is not None), None))


def _combination(node: Property, numbers: dict[Modal | Question, int]) -> Combination:
    """How a property combines its parts, which have numbers."""
    if isinstance(node, (Modal, Question)):
        return numbers[node]
    if isinstance(node, PropertyNot):
        return "not", (_combination(node.operand, numbers),)
    operands = tuple(_combination(operand, numbers) for operand in node.operands)
    return ("and" if isinstance(node, PropertyAnd) else "or"), operands


def _combine(node: Combination, values: Sequence[bool | None]) -> bool | None:
    if isinstance(node, int):
        return values[node]
    kind, parts = node
    operands = [_combine(part, values) for part in parts]
    if kind == "not":
        return None if operands[0] is None else not operands[0]
    deciding = kind == "or"
    if deciding in operands:
        return deciding
    return None if None in operands else not deciding


def _stays(
    node: Combination, value: bool, values: Sequence[bool | None], finals: Sequence[bool | None]
) -> bool | None:
    """Whether a node that combines parts has `value` for good; False if it may not, None if that cannot be told.

    >>> both = "and", (0, ("not", (1,)))
    >>> _stays(both, True, [True, False], [True, False])
    False
    >>> _stays(("not", (both,)), True, [True, True], [True, True])
    True
    """
    if isinstance(node, int):
        now = values[node]
        return None if now is None else now is value and finals[node]
    kind, parts = node
    if kind == "not":
        return _stays(parts[0], not value, values, finals)
    # An `and` is false for good with one operand, true for good only with all; an `or` the other way round.
    one_suffices = value is (kind == "or")
    operands = [_stays(part, value, values, finals) for part in parts]
    if one_suffices in operands:
        return one_suffices
    return None if None in operands else not one_suffices
