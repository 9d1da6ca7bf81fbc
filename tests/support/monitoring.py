"""Shared by the monitor's tests: computations as events, and the verdicts that brute force expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import naive_eval
from computations import Computation, State
from latwin import Spec, Verdict
from latwin.properties import Modal, Property, PropertyAnd, PropertyNot, Question, show
from observing import answer
from oracle import BruteForce


def names(processes: int) -> list[str]:
    return [f"p{k}" for k in range(processes)]


def event(state: State) -> dict[str, Any]:
    return {"process": f"p{state.process}", "clock": list(state.clock), "state": state.value}


def events(states: Sequence[State]) -> list[dict[str, Any]]:
    return [event(state) for state in states]


def make_spec(computation: Computation, window: Any, trees: dict[str, Property], **fields: Any) -> Spec:
    processes = names(computation.processes)
    sizes = window if window is None or isinstance(window, int) else dict(zip(processes, window, strict=True))
    texts = {name: show(tree, processes) for name, tree in trees.items()}
    return Spec.from_dict({"processes": processes, "window": sizes, "properties": texts, **fields})


def expected_value(tree: Property, lattice: BruteForce) -> bool:
    """A property's value by brute force; every property of an empty lattice is false."""
    return len(lattice) > 0 and _value(tree, lattice)


def _value(tree: Property, lattice: BruteForce) -> bool:
    if isinstance(tree, Modal):

        def predicate(states: Sequence[Any]) -> bool:
            return naive_eval.truth(naive_eval.value_of(tree.predicate, states))

        return lattice.possibly(predicate) if tree.kind == "possibly" else lattice.definitely(predicate)
    if isinstance(tree, Question):
        return answer(tree, lattice)
    if isinstance(tree, PropertyNot):
        return not _value(tree.operand, lattice)
    values = [_value(operand, lattice) for operand in tree.operands]
    return all(values) if isinstance(tree, PropertyAnd) else any(values)


def deliver_fifo(states: Sequence[State], processes: int, *, causal: bool = False) -> list[State]:
    """The order of delivery by definition: after every arrival, deliver what can be, until nothing can."""
    through = [0] * processes
    waiting: list[State] = []
    delivered: list[State] = []
    seen: set[tuple[int, int]] = set()

    def can_go(state: State) -> bool:
        if state.index != through[state.process] + 1:
            return False
        others = (j for j in range(processes) if j != state.process)
        return not causal or all(state.clock[j] <= through[j] for j in others)

    for arrived in states:
        if (arrived.process, arrived.index) in seen:
            continue
        seen.add((arrived.process, arrived.index))
        waiting.append(arrived)
        # The arrived process goes first, then all in order, each as far as it can go; round and round.
        has_moved = True
        while has_moved:
            has_moved = False
            for k in [arrived.process, *range(processes)]:
                while ready := [state for state in waiting if state.process == k and can_go(state)]:
                    has_moved = True
                    waiting.remove(ready[0])
                    through[k] = ready[0].index
                    delivered.append(ready[0])
    return delivered


def told_of(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """What a monitor tells of all verdicts: changes, and once in each stretch that a true value is final."""
    told = []
    said: dict[str, bool] = {}
    for verdict in verdicts:
        is_final = verdict.value is True and verdict.final is True
        if verdict.changed or (is_final and not said.get(verdict.property, False)):
            told.append(verdict)
            said[verdict.property] = is_final
    return told
