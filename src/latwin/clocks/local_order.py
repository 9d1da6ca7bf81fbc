"""The steps of each process in its own order; two steps at one place are a mistake that is told."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, pairwise
from operator import attrgetter, eq
from typing import Any

from latwin.clocks.step import Step, StepProblem


def order_locally(steps: Iterable[Step]) -> tuple[dict[str, list[Step]], list[StepProblem]]:
    """Each process's steps in order, whatever order they are given in; and those that cannot have a place.

    Of steps at the same place one is kept: it cannot be known which came first. The same step given again is a
    duplicate, another one a tie.
    """
    by_process: dict[str, list[Step]] = {}
    for step in steps:
        by_process.setdefault(step.process, []).append(step)
    problems: list[StepProblem] = []
    for process, given in by_process.items():
        is_plain = {type(step.order) for step in given} <= {int, float}
        given.sort(key=attrgetter("order") if is_plain else _rank)
        orders = [step.order for step in given]
        if any(map(eq, orders, orders[1:])):
            by_process[process] = _without_ties(given, problems)
    problems.sort(key=lambda problem: (problem.process, str(problem.order)))
    return by_process, problems


def _rank(step: Step) -> tuple[int, Any]:
    return (1, step.order) if isinstance(step.order, str) else (0, step.order)


def _without_ties(steps: list[Step], problems: list[StepProblem]) -> list[Step]:
    """The first by content at each place, so that the choice does not depend on the order of the input."""
    kept: list[Step] = []
    for _, at_place in groupby(steps, key=_rank):
        same = sorted(((step.content(), step) for step in at_place), key=lambda each: each[0])
        kept.append(same[0][1])
        for (before, _), (content, step) in pairwise(same):
            if content == before:
                reason = "it came before, with the same content"
                problems.append(StepProblem("duplicate", reason, step, is_rejected=True))
            else:
                reason = f"another step of {step.process!r} has the order {step.order!r}, too; one of them was kept"
                problems.append(StepProblem("tie", reason, step, is_rejected=True))
    return kept
