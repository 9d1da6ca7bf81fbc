"""`Checker`: the way of an event through a group, from the entrance to the verdicts.

    event -> read & validate -> reorder buffer -> slide the window -> detect -> verdicts
                    |                 |
                    +--- notices -----+      (rejected, duplicate, late, skipped: data, with reasons)

`Monitor` is what others see of it. A group that processes join and leave has a checker of its own kind; see
`latwin.open_checker`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import le
from typing import Any

from latwin.delivery import ReorderBuffer, notices
from latwin.delivery.reorder import Gap
from latwin.delivery.silence import Past
from latwin.detect.compiled_runs import FINISHED, TELL, Run, in_order
from latwin.errors import InvalidClock, InvalidEvent, TooManyWaiting
from latwin.events import Arrival, EventBatch, read_batch, read_event
from latwin.events.heartbeats import is_heartbeat
from latwin.events.merging import merged
from latwin.events.plain import carried
from latwin.events.sameness import is_same
from latwin.events.table import EventColumns
from latwin.events.times import read_time
from latwin.events.variables import Variables
from latwin.judging import Judge
from latwin.lattice.synchrony import strengthen
from latwin.model import Counters, Notice, SlideKind, Verdict, Verdicts
from latwin.restoring import check_snapshot, hand_over, held
from latwin.slide import Slide
from latwin.snapshot import Snapshot, forget_other_properties
from latwin.spec import Spec

#: Fewer events than this are not worth being read together.
_FEW = 16
#: Who tells the time of heartbeats; no process can have this name.
_HEARTBEAT = ""


class Checker:
    """Delivers the states of one group in order, slides the windows, and lets the judge tell.

    What comes out goes into the `out` of each call.
    """

    def __init__(
        self,
        spec: Spec,
        *,
        observations: bool,
        on_slide: Callable[[Slide], object] | None,
        on_verdict: Callable[[Verdict], object] | None,
        rules: int,
    ) -> None:
        self._observations = observations
        self._on_slide = on_slide
        self._on_verdict = on_verdict
        self.counters = Counters()
        self.follow(spec)
        self.judge.rules = rules

    @classmethod
    def blank(cls, spec: Spec, rules: int) -> Checker:
        """The checker of a new group, which nobody watches."""
        return cls(spec, observations=False, on_slide=None, on_verdict=None, rules=rules)

    def follow(self, spec: Spec) -> None:
        """Take a spec, with windows that hold the initial states only, and nothing that waits."""
        self.spec = spec
        self.buffer = ReorderBuffer(len(spec.processes), causal=spec.delivery == "causal")
        self.variables = None if spec.variables is None else Variables(spec.variables)
        self._positions = {name: k for k, name in enumerate(spec.processes)}
        self.judge = Judge(
            spec, observations=self._observations, on_slide=self._on_slide, on_verdict=self._on_verdict
        )
        self.window, self.kept, self.context = self.judge.window, self.judge.kept, self.judge.context
        self.needs_times = spec.needs_times

    def held(self) -> Snapshot:
        """Everything that is needed to go on later."""
        return held(self.judge, self.buffer, self.counters)

    def change(self, spec: Spec) -> None:
        """Go on under other rules with the states held now."""
        state, rules = self.held(), self.judge.rules
        forget_other_properties(state, spec)
        self.follow(spec)
        hand_over(state, self.judge, self.buffer)
        self.judge.rules = rules

    def past(self, last_s: float) -> Past:
        """What is kept of the group when it ends."""
        return Past(last_s, list(self.buffer.through))

    def goes_on(self, event: Any, past: Past) -> bool | None:
        """Whether an event's clock goes on with what a past group told; None if the event cannot be used."""
        try:
            arrival = self.read(event)
        except InvalidEvent:
            return None
        return arrival.index > past.through[arrival.process]

    def go_on_after(self, past: Past) -> None:
        """Before the first event: the states up to these are not waited for; the initial ones stand for them."""
        for process, last in enumerate(past.through):
            if last:
                self.buffer.through[process] = last
                self.window.skip(process, last)
        self.context.slide()

    def resume(self, snapshot: Snapshot) -> None:
        """Forget everything and go on from a snapshot; SnapshotError, with nothing changed, if it cannot be one."""
        check_snapshot(snapshot, self.spec)
        hand_over(snapshot, self.judge, self.buffer)
        self.counters = snapshot.counters

    # -- what other kinds of groups do in another way ----------------------------------------------

    def read(self, event: Any) -> Arrival:
        """An event, checked; raises InvalidEvent."""
        return read_event(event, self._positions, self.variables)

    def delivered(self, arrival: Arrival, time_s: float) -> None:
        """A state came into its window."""

    def let_go(self, every: bool, out: Verdicts) -> None:
        """After an event, or after time went on: nobody leaves who is listed."""

    # -- the way of an event ---------------------------------------------------------------------

    def observe(self, event: Mapping[str, Any], every: bool, out: Verdicts) -> None:
        """Take an event: deliver its state, keep it waiting, or say why not."""
        try:
            arrival = self.read(event)
            if self.needs_times:
                read_time(arrival.time)
        except InvalidEvent as error:
            if is_heartbeat(event):
                self._beat(event, every, out)
            else:
                self._reject(out, Notice(kind="rejected", reason=str(error), event=carried(event)))
            return
        self._take(arrival, every, out)
        self.let_go(every, out)

    def _take(self, arrival: Arrival, every: bool, out: Verdicts) -> None:
        """Deliver a state, keep it waiting, or drop it as a repeated one."""
        process, index, clock = arrival.process, arrival.index, arrival.clock
        buffer = self.buffer
        if index <= buffer.through[process] or (process, index) in buffer.waiting:
            self._repeated(out, arrival)
        elif buffer.is_next(process, index, clock):
            if self._deliver(arrival, every, out) and buffer.waiting:
                self._release(process, every, out)
        else:
            self._wait(arrival, every, out)

    def _deliver(self, arrival: Arrival, every: bool, out: Verdicts) -> bool:
        """Slide the window onto a state and evaluate every property.

        False if its clock or state is impossible: a right one may come. If its time is doubted it is rejected, and
        lost: its clock may be right, so later states of the process are right, too, and shall not wait.
        """
        window, process = self.window, arrival.process
        clock, bound_s, group = arrival.clock, self.spec.synchrony_s, self.judge.time
        state = arrival.state
        try:
            # A state may wait from before times were needed.
            time_s = read_time(arrival.time) if self.needs_times else 0.0
            if group is not None and not group.believes(self.spec.processes[process], time_s, process):
                why = notices.doubted(arrival, self.spec.processes, group.why_doubted(time_s))
                self._reject(out, notices.rejected(arrival, self.spec.processes, why))
                self._lose(process, arrival.index)
                return True
            # The event tells what changed; all else keeps its value, unless the process left.
            if self.variables is not None and (state is not None or self.spec.open is None):
                state = merged(self.kept.latest(process), state)
            if bound_s is not None:
                clock = strengthen(window, self.kept.times, bound_s, process, clock, time_s)
            number = window.push(process, clock, time_s if group is None else group.begin_of(process, time_s))
        except (InvalidClock, InvalidEvent) as error:
            self._reject(out, notices.rejected(arrival, self.spec.processes, str(error)))
            return False
        if group is not None:
            group.see(process, time_s)
            window.forget_before(group.tau)
        self.buffer.through[process] = arrival.index
        self.kept.add(process, number, state, time_s)
        self.delivered(arrival, time_s)
        if self.judge.seen.open:
            self.judge.seen.look(process, state)
        self.counters.delivered += 1
        self.evaluate("state", arrival, every, out, arrival.time)
        return True

    def _beat(self, event: Mapping[str, Any], every: bool, out: Verdicts) -> None:
        """Let time go on as far as a heartbeat says, unless that is no time, or too far ahead to be believed."""
        group, reason = self.judge.time, None
        try:
            time_s = read_time(event["time"])
        except InvalidEvent as error:
            reason = str(error)
        else:
            if group is None or group.believes(_HEARTBEAT, time_s):
                self.advance(event["time"], time_s, every, out)
                return
            reason = group.why_doubted(time_s)
        self._reject(out, Notice(kind="rejected", reason=f"heartbeat: {reason}", event=carried(event)))

    def advance(self, time: Any, time_s: float, every: bool, out: Verdicts) -> None:
        """Let states leave that are too old by then, which is a slide if there are any, and silent processes."""
        group = self.judge.time
        if group is not None and group.advance(time_s) and self.window.forget_before(group.tau):
            self.counters.ticks += 1
            self.evaluate("tick", None, every, out, time)
        self.let_go(every, out)

    def evaluate(
        self, kind: SlideKind, arrival: Arrival | None, every: bool, out: Verdicts, time: Any = None
    ) -> None:
        """Judge a slide that was just made, and show it."""
        self.judge.judge(kind, arrival, time, self.counters, every, out)
        if self._on_slide is not None:
            self.counters.waiting = len(self.buffer.waiting)  # the states still to be released wait at this moment
            self.judge.show(kind, arrival, time, self.counters)

    def observe_chunk(self, events: Sequence[Mapping[str, Any]], first: int, every: bool, out: Verdicts) -> None:
        """Observe some events, those in order mostly in compiled code; `first` is the position of the first event."""
        in_runs = self.judge.in_kernels is not None and not every and not self.judge.is_growing()
        batch = self._read_batch(events) if in_runs else None
        if in_runs and batch is None and len(events) > _FEW:
            half = len(events) // 2  # a bad event shall slow down its neighbours only
            self.observe_chunk(events[:half], first, every, out)
            self.observe_chunk(events[half:], first + half, every, out)
            return
        at = 0
        while at < len(events):
            if batch is not None and not self.buffer.waiting and self.kept.atoms.takes_columns:
                at = self._deliver_run(batch, at, first, out)
                if at == len(events):
                    break
            out.position = first + at
            arrival = None if batch is None else batch.arrival(at)
            try:
                if arrival is not None and arrival.index:  # it was read already
                    self._take(arrival, every, out)
                else:
                    self.observe(events[at], every, out)
            except TooManyWaiting as error:
                error.verdicts, error.position = out, out.position
                raise
            at += 1

    def _read_batch(self, events: Sequence[Mapping[str, Any]]) -> EventBatch | None:
        """The events as columns, or None if one of them must be looked at by itself."""
        if isinstance(events, EventColumns):
            return events.read(self._positions, needs_times=self.needs_times)
        return read_batch(events, self._positions, needs_times=self.needs_times)

    def _deliver_run(self, batch: EventBatch, begin: int, first: int, out: Verdicts) -> int:
        """Deliver states that come in order, the same as one by one; return the row of the first that was not.

        `first` is the position of the batch's first event. The kernels go on until they cannot tell of a property
        that changes or becomes final, or a state is refused; what then happens is decided here, as for one state.
        """
        judge = self.judge
        assert judge.in_kernels is not None
        end = in_order(batch, begin, self.buffer.through, self.buffer.causal)
        if end == begin:
            return begin
        processes, states = batch.processes[begin:end], batch.states[begin:end]
        clocks, times_s = batch.clocks[begin:end], batch.times_s[begin:end]
        codes = None if batch.codes is None else batch.codes[begin:end]
        columns = self.kept.atoms.columns(processes, states, batch.shared, codes)
        if columns is None:  # a number among them cannot be added exactly
            for row in range(begin, end):
                out.position = first + row
                self._take(batch.arrival(row), False, out)
            return end
        run = Run(self.context, judge.in_kernels, processes, clocks, columns, times_s, judge.time)
        at = 0
        while at < end - begin:
            before = at
            at, why, empty = run.advance(at, judge.values, judge.told_final)
            tellings = run.tellings()
            if tellings.rows:
                judge.take_over(tellings)
                slides = [self.counters.slides + row - before + 1 for row in tellings.rows]
                told = judge.verdicts(tellings, batch, begin, slides).verdicts()
                out.tell_run(told, [first + begin + row for row in tellings.rows])
            held = at + (why == TELL)
            self.kept.add_run(processes[before:held], states[before:held])
            if judge.seen.open:
                judge.seen.look_at_run(processes[before:held], states[before:held])
            self.counters.delivered += at - before
            self.counters.empty += empty
            if why == FINISHED:
                break
            arrival = batch.arrival(begin + at)
            out.position = first + begin + at
            at += 1
            if why == TELL:
                self.counters.delivered += 1
                judge.judge("state", arrival, arrival.time, self.counters, False, out, run.needed())
            elif not self._deliver(arrival, False, out):
                break
        self.buffer.through[:] = self.window.through()
        return begin + at

    def _release(self, process: int, every: bool, out: Verdicts) -> None:
        """Deliver the waiting states that can go now."""
        for arrival in self.buffer.release(process):
            self._deliver(arrival, every, out)
        self.counters.waiting = len(self.buffer.waiting)

    def _wait(self, arrival: Arrival, every: bool, out: Verdicts) -> None:
        """Keep an early state; if too many wait, follow the spec's policy."""
        buffer, spec = self.buffer, self.spec
        if len(buffer.waiting) >= spec.max_waiting and spec.waiting_policy == "fail":
            buffer.add(arrival)
            gap = buffer.next_gap()
            buffer.remove(arrival)
            raise notices.too_many_waiting(arrival, spec.processes, spec.max_waiting, gap)
        buffer.add(arrival)
        # Each turn takes a waiting state out, or brings `through` to what a waiting state needs, which is finite.
        while len(buffer.waiting) > spec.max_waiting:
            self.give_up(every, out)
        self.counters.waiting = len(buffer.waiting)

    def give_up(self, every: bool, out: Verdicts) -> None:
        """Declare the gap before the longest waiting state lost, and deliver on."""
        buffer = self.buffer
        gap = buffer.next_gap()
        if gap is None:
            self._reject(out, notices.circular(buffer.drop_oldest(), self.spec.processes))
            return
        self._skip(gap, every, out)

    def _skip(self, gap: Gap, every: bool, out: Verdicts) -> None:
        """Declare states lost, and deliver those that waited for them."""
        self._lose(gap.process, gap.last)
        self.counters.skipped += gap.last - gap.first + 1
        out.note(notices.skipped(gap, self.spec.processes, self.spec.max_waiting))
        self._release(gap.process, every, out)

    def _lose(self, process: int, through: int) -> None:
        """Wait no more for states of a process up to this one; the state before stands for them."""
        self.buffer.through[process] = through
        self.window.skip(process, through)
        self.context.slide()

    def _repeated(self, out: Verdicts, arrival: Arrival) -> None:
        """Drop a state that came before, or reject it if it differs; drop it as late if it was given up."""
        processes, content = self.spec.processes, (arrival.clock, arrival.state)
        known = self._known(arrival)
        if known is None and self.window.was_lost(arrival.process, arrival.index):
            self.counters.late += 1
            out.note(notices.late(arrival, processes))
        elif known is not None and not is_same(known, content):
            self._reject(out, notices.contradicting(arrival, processes, known))
        else:
            self.counters.duplicates += 1
            out.note(notices.duplicate(arrival, processes))

    def _known(self, arrival: Arrival) -> tuple[list[int], Any] | None:
        """Clock and variables of the state with this process and index, if it waits or is in the window."""
        process, index, window = arrival.process, arrival.index, self.window
        waiting = self.buffer.waiting.get((process, index))
        if waiting is not None:
            return waiting.clock, waiting.state
        number = window.find(process, index)
        if number is None:
            return None
        clock = list(window.clock_of(process, number))
        if self.spec.synchrony_s is not None and all(map(le, arrival.clock, clock)):
            clock = arrival.clock  # the event did not have what the times added
        state = self.judge.state_of(process, number)
        if self.variables is not None and self.kept.follows(process, number, arrival.state):
            state = arrival.state  # the event did not have what was kept of the states before
        return clock, state

    def _reject(self, out: Verdicts, notice: Notice) -> None:
        self.counters.rejected += 1
        out.note(notice)
