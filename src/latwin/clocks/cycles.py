"""Why steps have no clocks: the cycles they are on or behind, told by the steps and messages of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from latwin.clocks.step import Step, StepProblem

_SHOWN_LINKS = 6


class Hindrance(NamedTuple):
    """Why a process's next step has no clock: the step whose message it needs, as (process, position)."""

    #: None: the step itself was rejected
    needs: tuple[int, int] | None


class _Cycle(NamedTuple):
    """Processes, each of which needs a message of the next."""

    processes: list[int]
    text: str


def explain_rejects(
    orders: Sequence[Sequence[Step]], done: Sequence[int], hindrances: Mapping[int, Hindrance]
) -> Iterator[StepProblem]:
    """A problem for each step that has no clock; `done` counts each process's steps that have one.

    Each hindered process needs a message of another hindered one. Following that leads into a cycle, or to a step
    that was rejected before. Of every cycle that is met so, the steps are named; all others are behind one.
    """
    causes = _causes(orders, done, hindrances)
    for k in sorted(hindrances):
        cause = causes[k]
        on_cycle = isinstance(cause, _Cycle) and k in cause.processes
        last = _sends_at(cause, k, hindrances) if isinstance(cause, _Cycle) and on_cycle else -1
        for i in range(done[k], len(orders[k])):
            step = orders[k][i]
            if isinstance(cause, _Cycle):
                if i <= last:
                    yield StepProblem("cycle", f"on a cycle: {cause.text}", step, is_rejected=True)
                else:
                    yield StepProblem("behind", f"it comes after a cycle: {cause.text}", step, is_rejected=True)
            elif (k, i) != cause:  # that one has been told
                rejected = orders[cause[0]][cause[1]]
                yield StepProblem(
                    "behind", f"it comes after {rejected.where}, which was rejected", step, is_rejected=True
                )


def _causes(
    orders: Sequence[Sequence[Step]], done: Sequence[int], hindrances: Mapping[int, Hindrance]
) -> dict[int, _Cycle | tuple[int, int]]:
    """What hinders each process in the end: a cycle, or a step that was rejected."""
    causes: dict[int, _Cycle | tuple[int, int]] = {}
    for start in sorted(hindrances):
        path: list[int] = []
        k = start
        while k not in causes and k not in path:
            path.append(k)
            needs = hindrances[k].needs
            if needs is None:
                causes[k] = (k, done[k])
            else:
                k = needs[0]
        if k not in causes:
            around = path[path.index(k) :]
            causes[k] = _Cycle(around, _describe(orders, done, around, hindrances))
        for process in path:
            causes.setdefault(process, causes[k])
    return causes


def _sends_at(cycle: _Cycle, process: int, hindrances: Mapping[int, Hindrance]) -> int:
    """The position of the process's last step on the cycle: where it sends what the one before it needs."""
    before = cycle.processes[cycle.processes.index(process) - 1]
    needs = hindrances[before].needs
    assert needs is not None
    return needs[1]


def _describe(
    orders: Sequence[Sequence[Step]], done: Sequence[int], around: Sequence[int], hindrances: Mapping[int, Hindrance]
) -> str:
    links = []
    for k in around:
        needs = hindrances[k].needs
        assert needs is not None
        step, sender = orders[k][done[k]], orders[needs[0]][needs[1]]
        message = next(message for message in step.received if message in sender.sent)
        links.append(f"{step.where} received {message!r} of {sender.where}")
    if len(links) > _SHOWN_LINKS:
        links = [*links[: _SHOWN_LINKS - 1], f"{len(links) - _SHOWN_LINKS} more", links[-1]]
    return ", ".join(links)
