"""Canonical vector clocks from message ids: who did what in which local order, who sent and received which message.

    process a   1 --sends m--> 2          step 1 of b happened after step 1 of a, because it received m;
                  \\                       so its clock is {a: 1, b: 1}
    process b      `-> 1 ------> 2

Happened-before is the least order that holds a process's own order and "a message is sent before it is received"
(Lamport 1978). Entry j of a step's clock is the number of j's steps that happened before the step or are it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from latwin.clocks.cycles import Hindrance, explain_rejects
from latwin.clocks.local_order import order_locally
from latwin.clocks.pausing import collector_paused
from latwin.clocks.step import Step, StepProblem
from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.times import read_time

#: What becomes of a step that received a message nobody sent: it is kept as if it had not received it and reported
#: (`report`) or only counted (`ignore`), or it is rejected with all that comes after it (`reject`).
Missing = Literal["report", "reject", "ignore"]

_Numbers = npt.NDArray[Any]
_Place = tuple[int, int]  # a process, and the position of a step in its order, from 0


class ClockedStep(NamedTuple):
    """A step with its clock."""

    step: Step
    clock: dict[str, int]
    #: its place, from 1, in an order of the group in which every step comes after all that happened before it
    arrival: int


class Derivation(NamedTuple):
    """What comes of the steps of one group."""

    #: in order of arrival
    events: list[ClockedStep]
    problems: list[StepProblem]
    #: messages that were received, each receipt counted
    messages: int
    #: receipts of messages that nobody sent
    missing: int


def derive(steps: Iterable[Step], *, missing: Missing = "report") -> Derivation:
    """The clocks of the steps of one group, whatever order they are given in.

    Every step is a state; the first of a process has index 1. Nothing is lost: a step is among the events, or is
    named by a problem that says it was rejected. What comes out has right clocks: of a cycle, all steps on it and
    behind it are rejected. Costs O(steps * processes).

    The order of arrival follows the steps' times if all have one (a step is never before what it knows, however
    wrong the times are), else the sum of the clock; then process and index.

    >>> sent, received = Step("a", 1, sent=("m",)), Step("b", 7, received=("m",))
    >>> for event in derive([received, sent]).events:
    ...     print(event.step.process, event.clock, event.arrival)
    a {'a': 1} 1
    b {'a': 1, 'b': 1} 2
    """
    if missing not in get_args(Missing):
        raise InvalidInput(f"missing must be one of {', '.join(get_args(Missing))}; got {missing!r}")
    with collector_paused():
        return _derived(steps, missing)


def _derived(steps: Iterable[Step], missing: Missing) -> Derivation:
    chains, problems = order_locally(steps)
    names = sorted(chains)
    orders = [chains[name] for name in names]
    senders, found = _senders(orders)
    problems += found
    sources, lost, messages = _sources(orders, senders)
    if missing != "ignore":
        problems += [_missing_send(orders[k][i], message, missing == "reject") for (k, i), message in lost]
    stops = {place for place, _ in lost} if missing == "reject" else set()
    clocks, hindrances = _run(orders, sources, stops)
    problems += explain_rejects(orders, [len(known) for known in clocks], hindrances)
    return Derivation(_arrange(names, orders, clocks), problems, messages, len(lost))


def _senders(orders: Sequence[Sequence[Step]]) -> tuple[dict[str, _Place], list[StepProblem]]:
    """Where each message was sent, if that is clear."""
    senders: dict[str, _Place] = {}
    unclear: set[str] = set()
    problems = []
    for k, steps in enumerate(orders):
        for i, step in enumerate(steps):
            for message in step.sent:
                first = senders.setdefault(message, (k, i))
                if first == (k, i):
                    continue
                before = orders[first[0]][first[1]]
                if first[0] == k:  # whoever received it knows at least the first
                    counts = "the first sending counts"
                else:
                    counts = "who received it cannot be said to know of either"
                    unclear.add(message)
                reason = f"it sent the message {message!r}, as {before.where} did; {counts}"
                problems.append(StepProblem("sent_twice", reason, step, message=message))
    for message in unclear:
        del senders[message]
    return senders, problems


def _sources(
    orders: Sequence[Sequence[Step]], senders: Mapping[str, _Place]
) -> tuple[list[list[tuple[_Place, ...]]], list[tuple[_Place, str]], int]:
    """For each step the places whose messages it received; messages that have none; how many have one."""
    sources: list[list[tuple[_Place, ...]]] = []
    lost: list[tuple[_Place, str]] = []
    messages = 0
    for k, steps in enumerate(orders):
        of_process: list[tuple[_Place, ...]] = []
        for i, step in enumerate(steps):
            if not step.received:
                of_process.append(())
                continue
            received = step.received if len(step.received) == 1 else tuple(dict.fromkeys(step.received))
            found = tuple([senders[message] for message in received if message in senders])
            if len(found) < len(received):
                lost += [((k, i), message) for message in received if message not in senders]
            messages += len(found)
            of_process.append(found)
        sources.append(of_process)
    return sources, lost, messages


def _missing_send(step: Step, message: str, is_rejected: bool) -> StepProblem:
    reason = f"nobody sent the message {message!r}, which it received"
    if not is_rejected:
        reason += "; taken as if it had not"
    return StepProblem("missing_send", reason, step, message=message, is_rejected=is_rejected)


def _run(
    orders: Sequence[Sequence[Step]], sources: Sequence[Sequence[tuple[_Place, ...]]], stops: set[_Place]
) -> tuple[list[list[list[int]]], dict[int, Hindrance]]:
    """The clocks of each process's steps, up to the first that has none, and what hindered that one.

    A process goes on until it needs the clock of a step that has none yet; that step then wakes it.
    """
    clocks: list[list[list[int]]] = [[] for _ in orders]
    waiting: list[dict[int, list[int]]] = [{} for _ in orders]
    hindrances: dict[int, Hindrance] = {}
    ready = list(range(len(orders)))
    while ready:
        k = ready.pop()
        known = clocks[k]
        clock = known[-1] if known else [0] * len(orders)
        hindrances.pop(k, None)
        for i in range(len(known), len(orders[k])):
            hindrance = Hindrance(None) if stops and (k, i) in stops else None
            for q, position in sources[k][i]:
                if position >= len(clocks[q]):
                    waiting[q].setdefault(position, []).append(k)
                    hindrance = hindrance or Hindrance((q, position))
                    break
                if q != k:
                    clock = _join(clock, clocks[q][position])
            if hindrance is not None:
                hindrances[k] = hindrance
                break
            clock = clock.copy()  # every step keeps its own
            clock[k] = i + 1
            known.append(clock)
            if waiting[k]:
                ready += waiting[k].pop(i, ())
    return clocks, hindrances


def _join(mine: list[int], theirs: list[int]) -> list[int]:
    return [a if a > b else b for a, b in zip(mine, theirs, strict=True)]


def _arrange(
    names: Sequence[str], orders: Sequence[Sequence[Step]], clocks: Sequence[Sequence[Sequence[int]]]
) -> list[ClockedStep]:
    """The steps that have clocks, in order of arrival."""
    places = [(k, i) for k, known in enumerate(clocks) for i in range(len(known))]
    if not places:
        return []
    processes, positions = np.array(places, np.int64).T
    matrix = np.array([clock for known in clocks for clock in known], np.int64)
    keys: list[_Numbers] = [positions, processes, matrix.sum(axis=1)]
    times = _latest_times(orders, matrix)
    if times is not None:
        keys.append(times)
    events = []
    for arrival, row in enumerate(np.lexsort(keys).tolist(), start=1):
        k, i = places[row]
        entries = clocks[k][i]
        clock = dict(zip(names, entries, strict=True))
        if 0 in entries:
            clock = {name: entry for name, entry in clock.items() if entry}
        events.append(ClockedStep(orders[k][i], clock, arrival))
    return events


def _latest_times(orders: Sequence[Sequence[Step]], clocks: _Numbers) -> _Numbers | None:
    """For each row of clocks the latest time of all the steps it knows; None if a step has no time.

    So it never falls along happened-before, and it is the step's own time where the processes' clocks are in order.
    """
    latest = np.full(len(clocks), -np.inf)
    try:
        for j, steps in enumerate(orders):
            times = np.array([-np.inf, *(read_time(step.time) for step in steps)])
            np.maximum(latest, np.maximum.accumulate(times)[clocks[:, j]], out=latest)
    except InvalidEvent:
        return None
    return latest
