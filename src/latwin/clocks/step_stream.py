"""Clocks of one group's steps while they come: late, out of order, and never all there.

    push(step, arrived)   a step has come, at a time that is not before any earlier one's
    advance(now)          the steps whose causes are known by now, each with its clock, causes first

A step is delivered after all earlier steps of its process and after everybody whose message it received. Two things
can be missing, and both are waited for until `max_wait_s` after the step came:

- an earlier step of its process. Nobody knows whether there is one, unless the orders are whole numbers without gaps:
  then the next number needs no waiting.
- the step that sent its message. If that one has come and waits itself, it is waited for without a limit: it is
  bounded by its own causes.

What was waited for in vain is declared lost, which is a problem that the stream tells. If nothing is, the clocks are
those that `latwin.clocks.derive` gives for the same steps, whatever order and batches they came in.

The order of what is delivered follows from the order and times in which steps came, and from nothing else. So
everything happens when its cause does: a step goes on as soon as it can, what is overdue is declared lost at its own
time, and a cycle is broken when it closes, not when somebody looks.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Literal

from latwin.clocks.derive import ClockedStep
from latwin.clocks.step import Step, StepProblem
from latwin.clocks.step_state import Order, ProcessState, SentMessage, StepState, WaitingStep, rank_of
from latwin.clocks.waits import Waits

#: who sends a message that is announced, but whose step has not been pushed
_SOMEBODY = -1


class StepStream:
    """The steps of one group; no clock of its own, no I/O.

    `ignores_own` says that a message which a process would receive from a later step of its own means nothing. It
    is a cycle otherwise. Messages in `expected` are waited for without a limit, as after `expect`. A step costs
    O(processes), however many wait.
    """

    def __init__(
        self,
        waits: Waits,
        state: StepState | None = None,
        *,
        ignores_own: bool = False,
        expected: Iterable[str] = (),
    ) -> None:
        self._waits = waits
        self._ignores_own = ignores_own
        self._state = state or StepState()
        self._messages = self._state.messages
        self._names = [process.name for process in self._state.processes]
        self._positions = {name: k for k, name in enumerate(self._names)}
        #: who will send each message that was announced
        self._announced = dict.fromkeys(expected, _SOMEBODY)
        self._memory = deque((message.at, name) for name, message in self._messages.items())
        #: processes whose first step waits for a message, or did
        self._listeners: dict[str, set[int]] = {}
        #: processes whose first step waits for a message that was announced, and for which
        self._blocked: dict[int, str] = {}
        #: when the first steps of processes are overdue; also of some that do not wait for that any more
        self._dues: list[tuple[float, int]] = []
        #: processes that may have a reason to go on
        self._ready: list[int] = []
        self._events: list[ClockedStep] = []
        self._problems: list[StepProblem] = []
        self._go_on(-math.inf)
        for k, process in enumerate(self._state.processes):
            for waiting in process.waiting:
                self._announce(waiting.step, k)
            if process.waiting:
                heappush(self._ready, k)
        self._run()

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
        dues = self._dues
        while dues and not self._is_due(*dues[0]):
            heappop(dues)
        return dues[0][0] if dues else math.inf

    def expect(self, message: str) -> None:
        """Wait without a limit for whoever sends this message."""
        if message not in self._announced:
            self._announced[message] = _SOMEBODY
            self._wake(message)

    def push(self, step: Step, arrived: float) -> None:
        """Take a step that came at this time; it goes on at once if it can."""
        if arrived > self._state.now:
            self._go_on(arrived)
        k = self._positions.get(step.process)
        if k is None:
            k = self._add(step.process)
        process = self._state.processes[k]
        if len(step.received) > 1:
            step = step._replace(received=tuple(dict.fromkeys(step.received)))
        if not process.waiting and self._is_next(process, step.order):  # mostly
            if not self._deliver(k, process, step, arrived):
                process.waiting.append(WaitingStep(arrived, step))
                self._announce(step, k)
                self._break_cycle(k)
        elif not self._insert(k, process, WaitingStep(arrived, step)):
            return
        if self._ready:
            self._run()

    def advance(self, now: float) -> tuple[list[ClockedStep], list[StepProblem]]:
        """The steps that were delivered by this time, and what was wrong; the time never goes back."""
        while (due := self.deadline) <= now and due < math.inf:
            self._go_on(due)
            while self._dues and self._dues[0][0] <= due:
                heappush(self._ready, heappop(self._dues)[1])
            self._run()
        if now < math.inf:  # at the end all that waited was delivered with what was known
            self._go_on(now)
            self._forget()
        events, self._events = self._events, []
        problems, self._problems = self._problems, []
        return events, problems

    # -- steps that come -------------------------------------------------------------------------------

    def _go_on(self, now: float) -> None:
        """Let it be this time, or later."""
        self._state.now = max(self._state.now, now)
        self._oldest = self._state.now - self._waits.keep_s

    def _add(self, name: str) -> int:
        k = self._positions[name] = len(self._state.processes)
        self._state.processes.append(ProcessState(name))
        self._names.append(name)
        return k

    def _insert(self, k: int, process: ProcessState, entry: WaitingStep) -> bool:
        """Let a step wait at its place; False if it comes too late."""
        waiting, last, rank = process.waiting, process.last, entry.rank
        if last is not None and rank <= rank_of(last):
            reason = f"a step of {process.name!r} at {last!r} was delivered before it came"
            self._problems.append(StepProblem("late", reason, entry.step, is_rejected=True))
            return False
        place = bisect_left(waiting, rank, key=_rank) if waiting and waiting[-1].rank >= rank else len(waiting)
        if place < len(waiting) and waiting[place].rank == rank:
            entry = waiting[place] = self._kept(process.name, waiting[place], entry)
        else:
            waiting.insert(place, entry)
        self._announce(entry.step, k)
        if place == 0:  # else those before it are looked at first, for reasons of their own
            heappush(self._ready, k)
        return True

    def _kept(self, process: str, one: WaitingStep, other: WaitingStep) -> WaitingStep:
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
            self._wake(message)
        rejected = (others[0] if others else other).step
        self._problems.append(StepProblem(kind, reason, rejected, is_rejected=True))
        return first

    def _announce(self, step: Step, k: int) -> None:
        for message in step.sent:
            if self._found(message) is None:
                self._announced[message] = k
                self._wake(message)

    def _wake(self, message: str) -> None:
        """Look again at those who wait for a message."""
        for k in self._listeners.pop(message, ()):
            heappush(self._ready, k)

    # -- delivering ------------------------------------------------------------------------------------

    def _run(self) -> None:
        """Let every process go on that may have a reason to."""
        while self._ready:
            k = heappop(self._ready)
            process = self._state.processes[k]
            self._blocked.pop(k, None)
            taken, before = 0, process.last
            for entry in process.waiting:
                is_next = self._is_next(process, entry.step.order)
                if not is_next and not self._is_overdue(entry.arrived):
                    heappush(self._dues, (entry.arrived + self._waits.max_wait_s, k))
                    break  # an earlier one may still come
                if not self._deliver(k, process, entry.step, entry.arrived):
                    break
                if not is_next and self._waits.first_order is not None:
                    self._tell_gap(process, entry.step, before)
                before = entry.step.order
                taken += 1
            del process.waiting[:taken]
            self._break_cycle(k)

    def _is_next(self, process: ProcessState, order: Order) -> bool:
        """Whether there is no earlier step that has not come, for sure."""
        last = process.last
        if type(order) is not int:
            return False
        return order == last + 1 if type(last) is int else last is None and order == self._waits.first_order

    def _is_overdue(self, arrived: float) -> bool:
        return arrived + self._waits.max_wait_s <= self._state.now

    def _is_due(self, at: float, k: int) -> bool:
        """Whether the first step of a process is overdue at this time, and waits for nobody who will come."""
        waiting = self._state.processes[k].waiting
        return bool(waiting) and waiting[0].arrived + self._waits.max_wait_s == at and k not in self._blocked

    def _deliver(self, k: int, process: ProcessState, step: Step, arrived: float) -> bool:
        """Give a step its clock, if all its causes are known or lost; whether it has one."""
        clock = process.clock.copy()
        lost: list[str] = []
        for message in step.received:
            found = self._found(message)
            if found is not None:
                if found.process != k:
                    _join(clock, found.clock)
                continue
            sender = self._announced.get(message)
            if sender != k and (sender is not None or not self._is_overdue(arrived)):
                self._wait(k, message, arrived)
                return False
            if sender != k or not self._ignores_own:  # what it sends itself, later, cannot come in time
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
        state = self._state
        state.delivered += 1
        if 0 in clock:
            named = {name: count for name, count in zip(self._names, clock, strict=False) if count}
        else:
            named = dict(zip(self._names, clock, strict=False))
        self._events.append(ClockedStep(step, named, state.delivered))
        return True

    def _wait(self, k: int, message: str, arrived: float) -> None:
        """Let a process wait for a message, in time or, if that was announced, without a limit."""
        self._listeners.setdefault(message, set()).add(k)
        if message in self._announced:
            self._blocked[k] = message
        else:
            heappush(self._dues, (arrived + self._waits.max_wait_s, k))

    def _found(self, message: str) -> SentMessage | None:
        """What a message told, if it is not so old that it is forgotten."""
        found = self._messages.get(message)
        return found if found is not None and found.at >= self._oldest else None

    def _send(self, message: str, k: int, clock: list[int], step: Step) -> None:
        before = self._messages.pop(message, None)
        if before is not None and before.at >= self._oldest:
            self._messages[message] = before
            name = self._names[before.process]
            reason = f"it sent the message {message!r}, as {name!r} did before; the first sending counts"
            self._problems.append(StepProblem("sent_twice", reason, step, message=message))
            return
        now = self._state.now
        self._messages[message] = SentMessage(k, clock, now)
        self._memory.append((now, message))
        self._announced.pop(message, None)
        if message in self._listeners:
            self._wake(message)

    def _tell_gap(self, process: ProcessState, step: Step, before: Order | None) -> None:
        after = "its beginning" if before is None else repr(before)
        reason = (
            f"steps of {process.name!r} between {after} and {step.order!r} did not come within "
            f"{self._waits.max_wait_s:g} s; declared lost"
        )
        self._problems.append(StepProblem("gap", reason, step))

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
        while self._memory and self._memory[0][0] < self._oldest:
            _, name = self._memory.popleft()
            if self._found(name) is None:
                self._messages.pop(name, None)

    # -- cycles ----------------------------------------------------------------------------------------

    def _break_cycle(self, k: int) -> None:
        """If the first step of a process waits, in the end, for itself, let the first by name on the cycle go on.

        It goes on without the message that it waits for. Every cycle closes when a process begins to wait.
        """
        cycle: list[int] = []
        at = k
        while at in self._blocked:
            cycle.append(at)
            at = self._announced.get(self._blocked[at], _SOMEBODY)
            if at == k:
                break
        else:
            return
        first = min(cycle, key=self._names.__getitem__)
        message = self._blocked.pop(first)
        entry = self._state.processes[first].waiting[0]
        sender = self._names[self._announced[message]]
        reason = (
            f"on a cycle: it received {message!r} of {sender!r}, which waits for it in turn; taken as if it had not"
        )
        self._problems.append(StepProblem("cycle", reason, entry.step, message=message))
        entry.step = entry.step._replace(received=tuple(each for each in entry.step.received if each != message))
        heappush(self._ready, first)


def _rank(entry: WaitingStep) -> tuple[int, object]:
    return entry.rank


def _join(clock: list[int], other: list[int]) -> None:
    """Raise the entries of a clock to those of another."""
    if len(clock) < len(other):
        clock += [0] * (len(other) - len(clock))
    for j, count in enumerate(other):
        if count > clock[j]:
            clock[j] = count
