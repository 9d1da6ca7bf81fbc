"""Clocks of one group's steps while they come: late, out of order, and never all there.

    push(step, arrived)   a step has come
    advance(now)          the steps whose causes are known by now, each with its clock, causes first

A step is delivered after all earlier steps of its process and after everybody whose message it received. Two things
can be missing, and both are waited for until `max_wait_s` after the step came:

- an earlier step of its process. Nobody knows whether there is one, unless the orders are whole numbers without gaps:
  then the next number needs no waiting.
- the step that sent its message. If that one has come and waits itself, it is waited for without a limit: it is
  bounded by its own causes.

What was waited for in vain is declared lost, which is a problem that the stream tells. If nothing is, the clocks are
those that `latwin.clocks.derive` gives for the same steps, whatever order and batches they came in.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from typing import Any, Literal

import msgspec

from latwin.clocks.derive import ClockedStep
from latwin.clocks.step import Step, StepProblem
from latwin.clocks.waits import Waits

_Order = int | float | str
#: who sends a message that is announced, but whose step has not been pushed
_SOMEBODY = -1


class _Waiting(msgspec.Struct, array_like=True, gc=False):
    """A step that has come, and waits."""

    arrived: float
    step: Step

    @property
    def rank(self) -> tuple[int, Any]:
        """Numbers before texts."""
        return _rank(self.step.order)


class _Process(msgspec.Struct, array_like=True):
    """One process: how far it has come, and its steps that wait, by their order."""

    name: str
    count: int = 0
    #: after its last step, by the positions of processes; those that came later are absent
    clock: list[int] = []
    last: _Order | None = None
    waiting: list[_Waiting] = []


class _Message(msgspec.Struct, array_like=True, gc=False):
    """What a message tells whoever receives it."""

    process: int
    clock: list[int]
    at: float


class StepState(msgspec.Struct, array_like=True):
    """All that a stream must remember; plain, to be stored."""

    processes: list[_Process] = []
    messages: dict[str, _Message] = {}
    delivered: int = 0


class StepStream:
    """The steps of one group; no clock of its own, no I/O.

    `ignores_own` says that a message which a process would receive from a later step of its own means nothing. It
    is a cycle otherwise.
    """

    def __init__(self, waits: Waits, state: StepState | None = None, *, ignores_own: bool = False) -> None:
        self._waits = waits
        self._ignores_own = ignores_own
        self._state = state or StepState()
        self._names = [process.name for process in self._state.processes]
        self._positions = {name: k for k, name in enumerate(self._names)}
        #: who will send each message that was announced
        self._announced: dict[str, int] = {}
        for k, process in enumerate(self._state.processes):
            for waiting in process.waiting:
                self._announce(waiting, k)
        self._memory = deque((message.at, name) for name, message in self._state.messages.items())
        self._listeners: dict[str, list[int]] = {}
        #: processes whose first step waits for a message that was announced, and for which
        self._blocked: dict[int, str] = {}
        self._ready = [k for k, process in enumerate(self._state.processes) if process.waiting]
        self._now = -math.inf
        self._events: list[ClockedStep] = []
        self._problems: list[StepProblem] = []

    @property
    def state(self) -> StepState:
        """What the next stream must be given to go on; after `advance` only."""
        return self._state

    @property
    def waiting(self) -> int:
        """How many steps wait."""
        return sum(len(process.waiting) for process in self._state.processes)

    @property
    def deadline(self) -> float:
        """When the next thing may be declared lost; infinite if nothing is waited for."""
        dues = (
            process.waiting[0].arrived
            for k, process in enumerate(self._state.processes)
            if process.waiting and k not in self._blocked
        )
        return min(dues, default=math.inf) + self._waits.max_wait_s

    def expect(self, message: str) -> None:
        """Wait without a limit for whoever sends this message."""
        self._announced.setdefault(message, _SOMEBODY)

    def push(self, step: Step, arrived: float) -> None:
        """Take a step that came at this time."""
        k = self._position(step.process)
        process = self._state.processes[k]
        order, waiting, last = step.order, process.waiting, process.last
        tail = waiting[-1].step.order if waiting else last
        if type(order) is int and type(tail) is int and order > tail:  # mostly
            self._append(k, process, step, arrived)
            return
        if last is not None and _rank(order) <= _rank(last):
            reason = f"a step of {step.process!r} at {last!r} was delivered before it came"
            self._problems.append(StepProblem("late", reason, step, is_rejected=True))
            return
        if not waiting or waiting[-1].rank < _rank(order):
            self._append(k, process, step, arrived)
            return
        entry = _entry(step, arrived)
        place = bisect_left(waiting, entry.rank, key=_rank_of)
        if waiting[place].rank == entry.rank:
            entry = waiting[place] = self._kept(process.name, waiting[place], entry)
        else:
            waiting.insert(place, entry)
        self._announce(entry, k)
        self._ready.append(k)

    def _append(self, k: int, process: _Process, step: Step, arrived: float) -> None:
        """Let a step wait behind all that wait."""
        entry = _entry(step, arrived)
        process.waiting.append(entry)
        self._announce(entry, k)
        if len(process.waiting) == 1:  # else those before it are looked at first, for reasons of their own
            self._ready.append(k)

    def advance(self, now: float) -> tuple[list[ClockedStep], list[StepProblem]]:
        """The steps that can be delivered at this time, and what was wrong; the time never goes back."""
        self._now = max(self._now, now)
        if self._now < math.inf:  # at the end all that waits is delivered with what was known
            self._forget()
        overdue = self._now - self._waits.max_wait_s
        self._ready += [
            k
            for k, process in enumerate(self._state.processes)
            if process.waiting and process.waiting[0].arrived <= overdue
        ]
        self._run()
        while (stuck := self._find_cycle()) is not None:
            self._break(stuck)
            self._run()
        events, self._events = self._events, []
        problems, self._problems = self._problems, []
        return events, problems

    def _position(self, name: str) -> int:
        k = self._positions.get(name)
        if k is None:
            k = self._positions[name] = len(self._state.processes)
            self._state.processes.append(_Process(name))
            self._names.append(name)
        return k

    def _announce(self, entry: _Waiting, k: int) -> None:
        for message in entry.step.sent:
            if message not in self._state.messages:
                self._announced[message] = k

    def _kept(self, process: str, one: _Waiting, other: _Waiting) -> _Waiting:
        """One of two steps at the same place, the same whichever came first; the other is told."""
        kind: Literal["duplicate", "tie"]
        steps = {each.step.content(): each for each in (other, one)}
        if len(steps) == 1:
            kind, reason = "duplicate", "it came before, with the same content"
        else:
            kind, reason = "tie", f"another step of {process!r} has the order {one.step.order!r}, too; one was kept"
        first, *others = [steps[content] for content in sorted(steps)]
        for message in one.step.sent:
            self._announced.pop(message, None)
        rejected = (others[0] if others else other).step
        self._problems.append(StepProblem(kind, reason, rejected, is_rejected=True))
        return first

    # -- delivering ------------------------------------------------------------------------------------

    def _run(self) -> None:
        """Let every process go on that may have a reason to."""
        while self._ready:
            k = self._ready.pop()
            process = self._state.processes[k]
            self._blocked.pop(k, None)
            taken, before = 0, process.last
            for entry in process.waiting:
                is_next = self._is_next(process, entry)
                if not is_next and entry.arrived + self._waits.max_wait_s > self._now:
                    break  # an earlier one may still come
                if not self._deliver(k, process, entry):
                    break
                if not is_next and self._waits.first_order is not None:
                    self._tell_gap(process, entry, before)
                before = entry.step.order
                taken += 1
            del process.waiting[:taken]

    def _is_next(self, process: _Process, entry: _Waiting) -> bool:
        """Whether there is no earlier step that has not come, for sure."""
        order, last = entry.step.order, process.last
        if type(order) is not int:
            return False
        return order == self._waits.first_order if last is None else type(last) is int and order == last + 1

    def _tell_gap(self, process: _Process, entry: _Waiting, before: _Order | None) -> None:
        after = "its beginning" if before is None else repr(before)
        reason = (
            f"steps of {process.name!r} between {after} and {entry.step.order!r} did not come within "
            f"{self._waits.max_wait_s:g} s; declared lost"
        )
        self._problems.append(StepProblem("gap", reason, entry.step))

    def _deliver(self, k: int, process: _Process, entry: _Waiting) -> bool:
        """Give a step its clock, if all its causes are known or lost; whether it has one."""
        clock = process.clock.copy()
        lost: list[str] = []
        step, state = entry.step, self._state
        for message in step.received:
            found = state.messages.get(message)
            if found is not None:
                if found.process != k:
                    _join(clock, found.clock)
            elif not self._is_lost(message, k, entry):
                self._listeners.setdefault(message, []).append(k)
                if message in self._announced:
                    self._blocked[k] = message
                return False
            elif self._announced.get(message) != k or not self._ignores_own:
                lost.append(message)
        if len(clock) <= k:
            clock += [0] * (k + 1 - len(clock))
        process.count += 1
        clock[k] = process.count
        process.clock, process.last = clock, step.order
        for message in lost:
            self._problems.append(self._lost(step, message, is_own=self._announced.get(message) == k))
        for message in step.sent:
            self._send(message, k, clock, step)
        state.delivered += 1
        if 0 in clock:
            named = {name: count for name, count in zip(self._names, clock, strict=False) if count}
        else:
            named = dict(zip(self._names, clock, strict=False))
        self._events.append(ClockedStep(step, named, state.delivered))
        return True

    def _is_lost(self, message: str, k: int, entry: _Waiting) -> bool:
        """Whether a message that is not there will not come in time; one of the process itself cannot."""
        sender = self._announced.get(message)
        if sender is None:
            return entry.arrived + self._waits.max_wait_s <= self._now
        return sender == k

    def _send(self, message: str, k: int, clock: list[int], step: Step) -> None:
        before = self._state.messages.get(message)
        if before is not None:
            name = self._state.processes[before.process].name
            reason = f"it sent the message {message!r}, as {name!r} did before; the first sending counts"
            self._problems.append(StepProblem("sent_twice", reason, step, message=message))
            return
        self._state.messages[message] = _Message(k, clock, self._now)
        self._memory.append((self._now, message))
        self._announced.pop(message, None)
        self._ready += self._listeners.pop(message, ())

    def _lost(self, step: Step, message: str, *, is_own: bool) -> StepProblem:
        if is_own:
            reason = f"on a cycle: it received {message!r}, which its own process sends later; taken as if it had not"
            return StepProblem("cycle", reason, step, message=message)
        reason = (
            f"nobody sent the message {message!r}, which it received, within {self._waits.max_wait_s:g} s; taken as "
            "if it had not"
        )
        return StepProblem("missing_send", reason, step, message=message)

    def _forget(self) -> None:
        """Drop what old messages told."""
        before = self._now - self._waits.keep_s
        while self._memory and self._memory[0][0] < before:
            self._state.messages.pop(self._memory.popleft()[1], None)

    # -- cycles ----------------------------------------------------------------------------------------

    def _find_cycle(self) -> int | None:
        """A process whose first step waits, in the end, for itself: of those on one cycle, the first by name."""
        settled: set[int] = set()
        for start in self._blocked:
            path: list[int] = []
            k = start
            while k in self._blocked and k not in settled and k not in path:
                path.append(k)
                k = self._announced.get(self._blocked[k], _SOMEBODY)
            if k in path:
                return min(path[path.index(k) :], key=lambda on: self._state.processes[on].name)
            settled.update(path)
        return None

    def _break(self, k: int) -> None:
        """Let the process's first step go on without the message that it waits for."""
        process, message = self._state.processes[k], self._blocked[k]
        entry = process.waiting[0]
        sender = self._state.processes[self._announced[message]].name
        reason = (
            f"on a cycle: it received {message!r} of {sender!r}, which waits for it in turn; taken as if it had not"
        )
        self._problems.append(StepProblem("cycle", reason, entry.step, message=message))
        entry.step = entry.step._replace(received=tuple(each for each in entry.step.received if each != message))
        self._ready.append(k)


def _entry(step: Step, arrived: float) -> _Waiting:
    if len(step.received) > 1:
        step = step._replace(received=tuple(dict.fromkeys(step.received)))
    return _Waiting(arrived, step)


def _rank(order: _Order) -> tuple[int, Any]:
    return (1, order) if isinstance(order, str) else (0, order)


def _rank_of(entry: _Waiting) -> tuple[int, Any]:
    return _rank(entry.step.order)


def _join(clock: list[int], other: list[int]) -> None:
    """Raise the entries of a clock to those of another."""
    if len(clock) < len(other):
        clock += [0] * (len(other) - len(clock))
    for j, count in enumerate(other):
        if count > clock[j]:
            clock[j] = count
