"""`Monitor`: the paper's checker process. Events in, verdicts out; no I/O, no clock, no Spark.

    event -> read & validate -> reorder buffer -> slide the window -> detect -> verdicts
                    |                 |
                    +--- notices -----+      (rejected, duplicate, late, skipped: data, with reasons)

What comes out is a function of the spec and of the order of events alone. Whoever wants to look at each slide as
it happens gives the monitor a callback; see `latwin.slide`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from operator import le
from typing import Any

from latwin import notebook
from latwin.delivery import GroupTime, ReorderBuffer, notices
from latwin.detect import Context, KeptStates, PropertyDetector
from latwin.detect.compiled_runs import FINISHED, TELL, Run, Telling, compile_questions, in_order
from latwin.detect.detector import Detector
from latwin.detect.seen import Seen
from latwin.errors import InvalidClock, InvalidEvent, InvalidInput, SnapshotError, TooManyWaiting
from latwin.events import Arrival, EventBatch, Tick, read_batch, read_event
from latwin.events.merging import merged
from latwin.events.plain import carried, show
from latwin.events.sameness import has_same, is_same
from latwin.events.times import read_time
from latwin.events.variables import Variables
from latwin.lattice.kernels.window import NEWEST
from latwin.lattice.synchrony import strengthen
from latwin.lattice.window import Window
from latwin.model import Counters, Notice, Verdict, Verdicts
from latwin.properties.tree import show_name
from latwin.restoring import check_snapshot
from latwin.slide import Slide, Watch
from latwin.snapshot import ProcessState, Snapshot, decode, encode
from latwin.spec import Spec

#: How many states are handed to the kernels at once.
_RUN = 1024
#: States of a process that a notebook shows, the newest ones.
_SHOWN_STATES = 8
#: Fewer events than this are not worth being read together.
_FEW = 16


class Monitor:
    """Watches one group: delivers its states in order, slides the window, and says what changed.

    With `observations=True` a verdict "definitely: false" carries an observation that avoids the
    predicate; finding it costs a little more.

    `on_slide` is called with a `Slide` after each slide, when every property has been evaluated; one event can
    cause several slides. The callback must not give events to the monitor. What it raises passes through
    `observe`, and the monitor then stands right after that slide: to be looked at, not to be continued. While
    somebody watches, `observe_many` visits every slide one at a time instead of taking runs in compiled code.

    `on_verdict` is called with each verdict and the monitor when the verdict is made, in the order of the outcome,
    while `window` and `states` still hold the states that it speaks of. Runs stay in compiled code between verdicts.

    >>> from latwin import Monitor, Spec
    >>> monitor = Monitor(Spec.from_dict({
    ...     "processes": ["phone", "projector"],
    ...     "window": 4,
    ...     "properties": {"silent": "definitely(phone.here and projector.on)"},
    ... }))
    >>> monitor.observe({"process": "phone", "clock": {"phone": 1}, "state": {"here": True}})
    []
    >>> for verdict in monitor.observe({"process": "projector", "clock": [1, 1], "state": {"on": True}}):
    ...     print(verdict.property, verdict.value, verdict.least, verdict.greatest)
    silent True (0, 0) (1, 1)
    """

    def __init__(
        self,
        spec: Spec,
        *,
        observations: bool = False,
        on_slide: Callable[[Slide], object] | None = None,
        on_verdict: Callable[[Verdict, Monitor], object] | None = None,
    ) -> None:
        if not isinstance(spec, Spec):
            raise InvalidInput(f"spec must be a latwin.Spec; got {type(spec).__name__}")
        self.spec = spec
        self.observations = observations
        self._on_verdict = on_verdict
        self.counters = Counters()
        self._variables = None if spec.variables is None else Variables(spec.variables)
        self._positions = {name: k for k, name in enumerate(spec.processes)}
        self._window = Window(len(spec.processes), spec.window, spec.processes, spec.window_time_s)
        #: the group's time; None if no window needs it
        self._time = (
            GroupTime(len(spec.processes), lateness_s=spec.lateness_s, max_jump_s=spec.max_jump_s)
            if spec.has_time_windows
            else None
        )
        self._buffer = ReorderBuffer(len(spec.processes), causal=spec.delivery == "causal")
        self._kept = KeptStates(self._window)
        self._context = Context(self._window, self._kept.atoms, spec.max_cuts)
        self._properties = [(name, PropertyDetector(tree, self._context)) for name, tree in spec.trees.items()]
        self._kept.atoms.compile()
        self._values: list[bool | None] = [False] * len(self._properties)
        #: whether the value is true, and a verdict said that it is final
        self._told_final = [False] * len(self._properties)
        self._needs_times = spec.needs_times
        is_plain = spec.synchrony_s is None and self._variables is None and on_slide is None
        #: what the kernels need to answer runs of states; None if some property is beyond them, or somebody watches
        self._in_kernels = (
            compile_questions(
                [each for _, each in self._properties],
                self._window,
                stops_to_tell=observations or on_verdict is not None,
            )
            if is_plain
            else None
        )
        self._seen = Seen(spec.expectations)
        for process, initial in enumerate(spec.initial):
            self._kept.add(process, 0, initial)
            self._seen.look(process, initial)
        self._watch = None
        if on_slide is not None:
            self._watch = Watch(on_slide, spec, self._context, self._kept, dict(self._properties))

    def observe(self, event: Mapping[str, Any], every: bool = False) -> Verdicts:
        """Take one event and return the verdicts of the slides it caused (none, one, or several).

        An event is `{"process": name, "clock": list or map, "state": map, optional "time": anything}`. By
        default a verdict is returned when the value changed, and once more when a true value becomes final later;
        `every=True` returns each property at each slide. A
        bad event raises nothing, whatever value it is: it comes back in `.notices`, and the monitor goes on.
        States and times must be plain data, as JSON has it; see `latwin.events.plain`.

        Raises TooManyWaiting, with the monitor unchanged, if the event would have to wait, `max_waiting`
        states wait already, and the spec's policy is "fail".
        """
        out = Verdicts()
        self._observe(event, every, out)
        return out

    def observe_many(self, events: Iterable[Mapping[str, Any]], every: bool = False) -> Verdicts:
        """Take many events in order of arrival; the outcome equals that of observing them one by one.

        `.positions` and `.notice_positions` of the outcome tell which event caused each verdict and each notice.
        If TooManyWaiting is raised, its `verdicts` holds the outcome of the events before the one at `position`.
        """
        out = Verdicts()
        done, remaining = 0, iter(events)
        while chunk := list(islice(remaining, _RUN)):
            self._observe_chunk(chunk, done, every, out)
            done += len(chunk)
        return out

    def give_up(self) -> Verdicts:
        """At the end of a log: declare lost whatever states still wait for, deliver them, and return the outcome."""
        out = Verdicts()
        while self._buffer.waiting:  # as in `_wait`, this ends
            self._give_up(False, out)
        self.counters.waiting = 0
        return out

    def advance(self, time: Any, every: bool = False) -> Verdicts:
        """Let time go on without an event, to `time`, given as events give theirs; return the verdicts of the slide.

        States that got too old for windows of time leave them. That is a slide of its own kind, a tick, whose
        verdicts have no process and no index. If no state got too old, there is no slide and no verdict. Time never
        goes back: an earlier time than the group's changes nothing. Raises InvalidInput for what is no time.
        """
        try:
            time_s = read_time(time)
        except InvalidEvent:
            raise InvalidInput(f"time must be in seconds, or a date and time of ISO 8601; got {show(time)}") from None
        out = Verdicts()
        if self._time is not None and self._time.advance(time_s) and self._window.forget_before(self._time.tau):
            self._judge(Tick(time), every, out)
        return out

    @property
    def slide(self) -> int:
        """The number of slides so far: delivered states and ticks."""
        return self.counters.slides

    @property
    def window(self) -> Window:
        """The sliding window: look at it, but push nothing to it."""
        return self._window

    def states(self, process: int) -> list[Any]:
        """The variables of the states in the window of a process, oldest first."""
        return self._kept.of(process)

    def state(self, process: int, number: int) -> Any:
        """The variables of the state in the window of a process that has this number."""
        return self._kept.rings[process][self._window.place(number)]

    def detectors(self, name: str) -> tuple[Detector, ...]:
        """The detectors of a property's parts, which know about the present window; do not evaluate them."""
        return dict(self._properties)[name].detectors

    def values(self) -> dict[str, bool | None]:
        """Every property's latest value."""
        return {name: value for (name, _), value in zip(self._properties, self._values, strict=True)}

    def unseen(self) -> dict[str, list[str]]:
        """What the properties expect and no state has shown so far, each with names or values that came instead.

        A process without any delivered state is among it, by its name. `latwin.detect.unseen` makes warnings of it.
        """
        newest = self._window.ends[NEWEST].tolist()
        silent = [name for name, number in zip(self.spec.processes, newest, strict=True) if not number]
        return {**{show_name(name): [] for name in silent}, **self._seen.missing()}

    def _repr_html_(self) -> str:
        """The properties' values and the states in the window, for notebooks."""
        spec, told = self.spec, {True: "true", False: "false", None: "too large to tell"}
        values = [
            [name, notebook.alarmed("violated") if value and name in spec.never else told[value]]
            for name, value in self.values().items()
        ]
        lanes = []
        for k, name in enumerate(spec.processes):
            states = list(zip(self._window.states_of(k), self.states(k), strict=True))[-_SHOWN_STATES:]
            shown = [f"#{self._window.index_of(k, at)} {notebook.short_value(state)}" for at, state in states]
            lanes.append([name, *shown])
        head = f"slide {self.slide:,}, {self.counters.waiting:,} waiting"
        tables = [notebook.table(["property", "value"], values), notebook.table(["process", "in the window"], lanes)]
        return notebook.paragraph(head) + "".join(tables)

    def snapshot(self) -> bytes:
        """Everything needed to go on later, as compact versioned bytes; see `restore`."""
        window = self._window
        processes = []
        for k in range(window.processes):
            numbers = window.states_of(k)
            clocks = [list(window.clock_of(k, number)) for number in numbers]
            times = None if self.spec.synchrony_s is None else self._kept.times_of(k)
            begins = window.begins_of(k) if window.is_timed else None
            through = self._buffer.through[k]
            processes.append(ProcessState(numbers[-1], through, clocks, self.states(k), times, begins))
        return encode(
            Snapshot(
                system_fingerprint=self.spec.system_fingerprint,
                properties=self.spec.meanings,
                processes=processes,
                waiting=list(self._buffer.waiting.values()),
                values=self.values(),
                counters=self.counters,
                final=[name for (name, _), told in zip(self._properties, self._told_final, strict=True) if told],
                seen=self._seen.state(),
                time=None if self._time is None else self._time.state(),
            )
        )

    @classmethod
    def restore(
        cls,
        spec: Spec,
        data: bytes,
        *,
        observations: bool = False,
        on_slide: Callable[[Slide], object] | None = None,
        allow_other_properties: bool = False,
    ) -> Monitor:
        """A monitor that goes on exactly where the snapshot was taken.

        A snapshot that is damaged, or of another spec or version, raises SnapshotError. With
        `allow_other_properties` the spec's properties may differ: known ones keep their value, new ones begin false,
        and what was never seen is found out anew, from the states in the window on.
        """
        monitor = cls(spec, observations=observations, on_slide=on_slide)
        monitor.resume(data, allow_other_properties=allow_other_properties)
        return monitor

    def resume(self, data: bytes, *, allow_other_properties: bool = False) -> None:
        """Forget everything and go on from a snapshot; for many groups this is cheaper than a monitor for each.

        Raises SnapshotError, and changes nothing, for whatever no monitor of this spec can have written.
        """
        snapshot = decode(data, self.spec, allow_other_properties=allow_other_properties)
        check_snapshot(snapshot, self.spec)
        window, processes = self._window, snapshot.processes
        try:
            saved = [(process.newest, process.through, process.clocks) for process in processes]
            begins = [process.begins or [] for process in processes]
            window.load(saved, begins=begins, causal=self._buffer.causal)
        except InvalidInput as error:
            raise SnapshotError(f"the snapshot is damaged: {error}") from None
        if self._time is not None and snapshot.time is not None:
            self._time.load(snapshot.time)
        self._context.slide()
        self._kept.atoms.forget()
        is_known = self._seen.restore(snapshot.seen)
        if not is_known:
            self._seen.forget()
        for k, process in enumerate(processes):
            self._buffer.through[k] = process.through
            times = [-math.inf] * len(process.states) if process.times is None else process.times
            for number, state, time_s in zip(window.states_of(k), process.states, times, strict=True):
                self._kept.add(k, number, state, time_s)
                if not is_known:
                    self._seen.look(k, state)
        self._buffer.clear()
        for arrival in snapshot.waiting:
            self._buffer.add(arrival)
        self._values = [snapshot.values.get(name, False) for name, _ in self._properties]
        self._told_final = [name in snapshot.final for name, _ in self._properties]
        self.counters = snapshot.counters

    # -- the way of an event ---------------------------------------------------------------------

    def _observe(self, event: Mapping[str, Any], every: bool, out: Verdicts) -> None:
        try:
            arrival = read_event(event, self._positions, self._variables)
            if self._needs_times:
                read_time(arrival.time)
        except InvalidEvent as error:
            self._reject(out, Notice(kind="rejected", reason=str(error), event=carried(event)))
            return
        self._take(arrival, every, out)

    def _take(self, arrival: Arrival, every: bool, out: Verdicts) -> None:
        """Deliver a state, keep it waiting, or drop it as a repeated one."""
        process, index, clock = arrival.process, arrival.index, arrival.clock
        buffer = self._buffer
        if index <= buffer.through[process] or (process, index) in buffer.waiting:
            self._repeated(out, arrival)
        elif buffer.is_next(process, index, clock):
            if self._deliver(arrival, every, out) and buffer.waiting:
                self._release(process, every, out)
        else:
            self._wait(arrival, every, out)

    def _deliver(self, arrival: Arrival, every: bool, out: Verdicts) -> bool:
        """Slide the window onto a state and evaluate every property; False if its clock or state is impossible."""
        window, process = self._window, arrival.process
        clock, bound_s, time = arrival.clock, self.spec.synchrony_s, self._time
        time_s = read_time(arrival.time) if self._needs_times else 0.0
        if time is not None and time.is_too_far(time_s):
            self._reject(out, notices.too_far(arrival, self.spec.processes, time.why_too_far(time_s)))
            return False
        state = arrival.state
        try:
            if self._variables is not None:  # the event tells what changed; all else keeps its value
                state = merged(self._kept.latest(process), state)
            if bound_s is not None:
                clock = strengthen(window, self._kept.times, bound_s, process, clock, time_s)
            number = window.push(process, clock, time_s if time is None else time.begin_of(process, time_s))
        except (InvalidClock, InvalidEvent) as error:
            self._reject(out, notices.rejected(arrival, self.spec.processes, str(error)))
            return False
        if time is not None:
            time.see(process, time_s)
            window.forget_before(time.tau)
        self._buffer.through[process] = arrival.index
        self._kept.add(process, number, state, time_s)
        if self._seen.open:
            self._seen.look(process, state)
        self._judge(arrival, every, out)
        return True

    def _judge(self, arrival: Arrival | Tick, every: bool, out: Verdicts) -> None:
        """Evaluate every property after a slide, and tell."""
        if isinstance(arrival, Tick):
            self.counters.ticks += 1
        else:
            self.counters.delivered += 1
        self.counters.empty += self._window.is_empty
        self._context.slide()
        window, values, told_final = self._window, self._values, self._told_final
        for k, (name, detector) in enumerate(self._properties):
            value = detector.evaluate()
            changed = value is not values[k]
            if value is None:
                self._note_too_large(out, name, arrival)
            final = detector.is_final() if changed or every or (value and not told_final[k]) else None
            # Once for each stretch of slides at which it is true, whatever `every` is.
            becomes_final = value is True and final is True and (changed or not told_final[k])
            if changed or becomes_final:
                values[k], told_final[k] = value, becomes_final
            if changed or becomes_final or every:
                details = detector.details(observations=self.observations)
                out.tell(
                    Verdict(
                        property=name,
                        value=value,
                        changed=changed,
                        slide=self.counters.slides,
                        process=self._name(arrival),
                        index=arrival.index,
                        least=window.least,
                        greatest=window.greatest,
                        cuts=details.cuts,
                        witness=details.witness,
                        stretch=details.stretch,
                        final=final,
                        because=details.because,
                        time=arrival.time,
                    )
                )
                if self._on_verdict is not None:
                    self._on_verdict(out[-1], self)
        if self._watch is not None:
            self.counters.waiting = len(self._buffer.waiting)  # the states still to be released wait at this moment
            self._watch.show(arrival, self.values(), self.counters)

    def _observe_chunk(self, events: list[Mapping[str, Any]], first: int, every: bool, out: Verdicts) -> None:
        """Observe some events, those in order mostly in compiled code; `first` is the position of the first event."""
        in_runs = self._in_kernels is not None and not every
        batch = read_batch(events, self._positions, needs_times=self._needs_times) if in_runs else None
        if in_runs and batch is None and len(events) > _FEW:
            half = len(events) // 2  # a bad event shall slow down its neighbours only
            self._observe_chunk(events[:half], first, every, out)
            self._observe_chunk(events[half:], first + half, every, out)
            return
        at = 0
        while at < len(events):
            if batch is not None and not self._buffer.waiting and self._kept.atoms.takes_columns:
                at = self._deliver_run(batch, at, first, out)
                if at == len(events):
                    break
            out.position = first + at
            arrival = None if batch is None else batch.arrival(at)
            try:
                if arrival is not None and arrival.index:  # it was read already
                    self._take(arrival, every, out)
                else:
                    self._observe(events[at], every, out)
            except TooManyWaiting as error:
                error.verdicts, error.position = out, out.position
                raise
            at += 1

    def _deliver_run(self, batch: EventBatch, begin: int, first: int, out: Verdicts) -> int:
        """Deliver states that come in order, the same as one by one; return the row of the first that was not.

        `first` is the position of the batch's first event. The kernels go on until a property changes or becomes
        final, or a state is refused; what then happens is decided here, as for a single state.
        """
        assert self._in_kernels is not None
        end = in_order(batch, begin, self._buffer.through, self._buffer.causal)
        if end == begin:
            return begin
        processes, states = batch.processes[begin:end], batch.states[begin:end]
        clocks, times_s = batch.clocks[begin:end], batch.times_s[begin:end]
        run = Run(self._context, self._in_kernels, processes, clocks, states, times_s, self._time)
        if not run.is_exact:
            for row in range(begin, end):
                out.position = first + row
                self._take(batch.arrival(row), False, out)
            return end
        at = 0
        while at < end - begin:
            before = at
            at, why, empty = run.advance(at, self._values, self._told_final)
            for telling in run.tellings():
                row = begin + telling.row
                out.position = first + row
                self._tell(telling, batch, row, self.counters.slides + telling.row - before + 1, out)
            told = at + (why == TELL)
            self._kept.add_run(processes[before:told], states[before:told])
            if self._seen.open:
                self._seen.look_at_run(processes[before:told], states[before:told])
            self.counters.delivered += at - before
            self.counters.empty += empty
            if why == FINISHED:
                break
            arrival = batch.arrival(begin + at)
            out.position = first + begin + at
            at += 1
            if why == TELL:
                self._judge(arrival, False, out)
            elif not self._deliver(arrival, False, out):
                break
        self._buffer.through[:] = self._window.through()
        return begin + at

    def _tell(self, telling: Telling, batch: EventBatch, row: int, slide: int, out: Verdicts) -> None:
        """Tell what the kernels found after a row of a batch."""
        number, process = telling.property, batch.processes[row]
        self._values[number] = telling.value
        self._told_final[number] = telling.value and telling.final
        out.tell(
            Verdict(
                property=self._properties[number][0],
                value=telling.value,
                changed=telling.changed,
                slide=slide,
                process=self.spec.processes[process],
                index=batch.clocks.item(row, process),
                least=telling.least,
                greatest=telling.greatest,
                witness=telling.witness,
                final=telling.final,
                because=telling.because,
                time=batch.times[row],
            )
        )

    def _release(self, process: int, every: bool, out: Verdicts) -> None:
        """Deliver the waiting states that can go now."""
        for arrival in self._buffer.release(process):
            self._deliver(arrival, every, out)
        self.counters.waiting = len(self._buffer.waiting)

    def _wait(self, arrival: Arrival, every: bool, out: Verdicts) -> None:
        """Keep an early state; if too many wait, follow the spec's policy."""
        buffer, spec = self._buffer, self.spec
        if len(buffer.waiting) >= spec.max_waiting and spec.waiting_policy == "fail":
            buffer.add(arrival)
            gap = buffer.next_gap()
            buffer.remove(arrival)
            raise notices.too_many_waiting(arrival, spec.processes, spec.max_waiting, gap)
        buffer.add(arrival)
        # Each turn takes a waiting state out, or brings `through` to what a waiting state needs, which is finite.
        while len(buffer.waiting) > spec.max_waiting:
            self._give_up(every, out)
        self.counters.waiting = len(buffer.waiting)

    def _give_up(self, every: bool, out: Verdicts) -> None:
        """Declare the gap before the longest waiting state lost, and deliver on."""
        buffer = self._buffer
        gap = buffer.next_gap()
        if gap is None:
            self._reject(out, notices.circular(buffer.drop_oldest(), self.spec.processes))
            return
        buffer.through[gap.process] = gap.last
        self._window.skip(gap.process, gap.last)
        self._context.slide()
        self.counters.skipped += gap.last - gap.first + 1
        out.note(notices.skipped(gap, self.spec.processes, self.spec.max_waiting))
        self._release(gap.process, every, out)

    def _repeated(self, out: Verdicts, arrival: Arrival) -> None:
        """Drop a state that came before, or reject it if it differs; drop it as late if it was given up."""
        processes, content = self.spec.processes, (arrival.clock, arrival.state)
        known = self._known(arrival)
        if known is None and self._window.was_lost(arrival.process, arrival.index):
            self.counters.late += 1
            out.note(notices.late(arrival, processes))
        elif known is not None and not is_same(known, content):
            self._reject(out, notices.contradicting(arrival, processes, known))
        else:
            self.counters.duplicates += 1
            out.note(notices.duplicate(arrival, processes))

    def _known(self, arrival: Arrival) -> tuple[list[int], Any] | None:
        """Clock and variables of the state with this process and index, if it waits or is in the window."""
        process, index, window = arrival.process, arrival.index, self._window
        waiting = self._buffer.waiting.get((process, index))
        if waiting is not None:
            return waiting.clock, waiting.state
        number = window.find(process, index)
        if number is None:
            return None
        clock = list(window.clock_of(process, number))
        if self.spec.synchrony_s is not None and all(map(le, arrival.clock, clock)):
            clock = arrival.clock  # the event did not have what the times added
        state = self._kept.rings[process][window.place(number)]
        if self._variables is not None and self._would_be(arrival, number, state):
            state = arrival.state  # the event did not have what was kept of the states before
        return clock, state

    def _would_be(self, arrival: Arrival, number: int, state: Any) -> bool:
        """Whether an event's variables, added to those kept before it, make this state of the window."""
        window, process, told = self._window, arrival.process, arrival.state or {}
        if number == window.states_of(process)[0]:  # what it followed is forgotten
            return has_same(state or {}, told)
        before = self._kept.rings[process][window.place(number - 1)]
        return is_same({**(before or {}), **told}, state or {})

    def _reject(self, out: Verdicts, notice: Notice) -> None:
        self.counters.rejected += 1
        out.note(notice)

    def _name(self, arrival: Arrival | Tick) -> str | None:
        return None if arrival.process is None else self.spec.processes[arrival.process]

    def _note_too_large(self, out: Verdicts, name: str, arrival: Arrival | Tick) -> None:
        self.counters.too_large += 1
        reason = (
            f"property {name!r} needs more than max_cuts={self.spec.max_cuts:,} cuts "
            f"(window product {self._window.product:,}); use smaller windows or raise max_cuts"
        )
        out.note(
            Notice(
                kind="too_large",
                reason=reason,
                process=self._name(arrival),
                index=arrival.index,
                property=name,
            )
        )
