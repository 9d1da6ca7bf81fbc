"""`Monitor`: the paper's checker process. Events in, verdicts out; no I/O, no clock, no Spark.

    event -> read & validate -> reorder buffer -> slide the window -> detect -> verdicts
                    |                 |
                    +--- notices -----+      (rejected, duplicate, late, skipped: data, with reasons)

What comes out is a function of the spec and of the order of events alone. Whoever wants to look at each slide as
it happens gives the monitor a callback; see `latwin.slide`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from operator import le
from typing import Any

from latwin import notebook
from latwin.delivery import ReorderBuffer, notices
from latwin.delivery.group_time import NEVER
from latwin.delivery.membership import Life, Membership
from latwin.delivery.reorder import Gap
from latwin.detect.compiled_runs import FINISHED, TELL, Run, in_order
from latwin.detect.detector import Detector
from latwin.errors import InvalidClock, InvalidEvent, InvalidInput, SnapshotError, SpecError, TooManyWaiting
from latwin.events import Arrival, EventBatch, read_batch, read_event
from latwin.events.heartbeats import is_heartbeat
from latwin.events.merging import merged
from latwin.events.plain import carried, show
from latwin.events.sameness import is_same
from latwin.events.times import read_time
from latwin.events.variables import Variables
from latwin.judging import Judge
from latwin.lattice.kernels.window import LEAST, NEWEST
from latwin.lattice.synchrony import strengthen
from latwin.lattice.window import Window
from latwin.model import Counters, Notice, SlideKind, Verdict, Verdicts
from latwin.properties.tree import show_name
from latwin.restoring import check_members, check_snapshot, hand_over, held, reseated
from latwin.slide import Slide
from latwin.snapshot import Snapshot, decode, encode, forget_other_properties
from latwin.spec import FREE_FIELDS, Spec, differences_of

#: How many states are handed to the kernels at once.
_RUN = 1024
#: States of a process that a notebook shows, the newest ones.
_SHOWN_STATES = 8
#: Seats of a group that processes join and leave, at first; there are more when they are needed.
_FIRST_SEATS = 4
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

    `rules` is the version of the rules that verdicts carry until it changes.

    With `seats`, processes that leave an open group keep their place in cuts, and there are so many places from the
    beginning (or more, when more join). Verdicts are the same. Drawings need it: a process has one lane.

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
        rules: int = 1,
        seats: int | None = None,
    ) -> None:
        if not isinstance(spec, Spec):
            raise InvalidInput(f"spec must be a latwin.Spec; got {type(spec).__name__}")
        self.observations = observations
        self._on_slide = on_slide
        self._on_verdict = None if on_verdict is None else partial(_call_with, on_verdict, self)
        self.counters = Counters()
        self._members: Membership | None = None
        if spec.open is not None:
            self._members = Membership(seats or _FIRST_SEATS, spec.open.max, spec.open.names)
            self._members.keeps_seats = seats is not None
            spec = spec.seated(self._members.names())
        self._follow(spec)
        self._judge.rules = rules

    def _follow(self, spec: Spec) -> None:
        """Take a spec, with windows that hold the initial states only, and nothing that waits."""
        self.spec = spec
        self._buffer = ReorderBuffer(len(spec.processes), causal=spec.delivery == "causal")
        self._variables = None if spec.variables is None else Variables(spec.variables)
        self._positions = {name: k for k, name in enumerate(spec.processes)}
        self._judge = Judge(
            spec, observations=self.observations, on_slide=self._on_slide, on_verdict=self._on_verdict
        )
        self._window, self._kept, self._context = self._judge.window, self._judge.kept, self._judge.context
        self._name_seats()
        self._needs_times = spec.needs_times

    def observe(self, event: Mapping[str, Any], every: bool = False) -> Verdicts:
        """Take one event and return the verdicts of the slides it caused (none, one, or several).

        An event is `{"process": name, "clock": list or map, "state": map, optional "time": anything}`. A heartbeat,
        `{"time": ...}` alone, does what `advance` does if its time is not more than `max_jump` ahead. By
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
        self._advance(time, time_s, every, out)
        return out

    def change(self, spec: Spec, *, rules: int | None = None, every: bool = False) -> Verdicts:
        """Go on under other rules from here on, and return what they say of the states held now.

        Properties, states, roles, `never`, `max_cuts`, windows, `max_waiting` and `waiting_policy` may differ. A
        window shrinks at once, and grows as states come: until it is full, verdicts are marked `growing`. Properties
        that keep their meaning keep their value, and new ones begin false. Verdicts carry the version `rules`; unless
        it is given, it counts the changes, and what was asked first is version 1.

        Raises SpecError, with the monitor unchanged, if anything else differs.
        """
        if not isinstance(spec, Spec):
            raise InvalidInput(f"spec must be a latwin.Spec; got {type(spec).__name__}")
        fixed = differences_of(self.spec.system_fields, spec.system_fields)
        if fixed:
            raise SpecError(f"{'; '.join(fixed)}: only {', '.join(FREE_FIELDS)} may change while a monitor goes on")
        state, version = held(self._judge, self._buffer, self.counters), self._judge.rules
        forget_other_properties(state, spec)
        self._follow(spec if self._members is None else spec.seated(self._members.names()))
        hand_over(state, self._judge, self._buffer)
        return self.renew(version + 1 if rules is None else rules, every)

    def renew(self, rules: int, every: bool = False) -> Verdicts:
        """Evaluate every property on the states held now, under this version of the rules, as a slide of its own."""
        out = Verdicts()
        self._judge.rules = rules
        self.counters.ticks += 1
        self._evaluate("rules", None, every, out)
        return out

    @property
    def rules(self) -> int:
        """The version of the rules; the first is 1."""
        return self._judge.rules

    @property
    def slide(self) -> int:
        """The number of slides so far: delivered states, and ticks."""
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
        return self._judge.state_of(process, number)

    def detectors(self, name: str) -> tuple[Detector, ...]:
        """The detectors of a property's parts, which know about the present window; do not evaluate them."""
        return dict(self._judge.properties)[name].detectors

    def values(self) -> dict[str, bool | None]:
        """Every property's latest value."""
        return self._judge.named_values()

    def members(self) -> tuple[str, ...]:
        """The processes that are there, as cuts in verdicts have them; of a spec that lists them, all."""
        order = self._judge.order
        return self.spec.processes if order is None else tuple([self.spec.processes[seat] for seat in order])

    def unseen(self) -> dict[str, list[str]]:
        """What the properties expect and no state has shown so far, each with names or values that came instead.

        A process without any delivered state is among it, by its name. `latwin.detect.unseen` makes warnings of it.
        """
        newest = self._window.ends[NEWEST].tolist()
        processes = self.spec.listed or ()
        silent = [name for name, number in zip(processes, newest, strict=self.spec.open is None) if not number]
        return {**{show_name(name): [] for name in silent}, **self._judge.seen.missing()}

    def _repr_html_(self) -> str:
        """The properties' values and the states in the window, for notebooks."""
        window, spec = self._window, self.spec
        lanes = {}
        for k, name in enumerate(spec.processes):
            shown = zip(window.states_of(k)[-_SHOWN_STATES:], self.states(k)[-_SHOWN_STATES:], strict=True)
            lanes[name] = [(window.index_of(k, number), state) for number, state in shown]
        head = f"slide {self.slide:,}, {self.counters.waiting:,} waiting"
        return notebook.monitor(head, self.values(), spec.never, lanes)

    def snapshot(self) -> bytes:
        """Everything needed to go on later, as compact versioned bytes; see `restore`."""
        return encode(self._held())

    @classmethod
    def restore(
        cls,
        spec: Spec,
        data: bytes,
        *,
        observations: bool = False,
        on_slide: Callable[[Slide], object] | None = None,
        allow_other_rules: bool = False,
    ) -> Monitor:
        """A monitor that goes on exactly where the snapshot was taken.

        A snapshot that is damaged, or of another spec or version, raises SnapshotError. With
        `allow_other_rules` all that `change` may change may differ, in the same way; `renew` then evaluates at once.
        What was never seen is found out anew, from the states in the window on.
        """
        monitor = cls(spec, observations=observations, on_slide=on_slide)
        monitor.resume(data, allow_other_rules=allow_other_rules)
        return monitor

    def resume(self, data: bytes, *, allow_other_rules: bool = False) -> None:
        """Forget everything and go on from a snapshot; for many groups this is cheaper than a monitor for each.

        Raises SnapshotError, and changes nothing, for whatever no monitor of this spec can have written.
        """
        snapshot = decode(data, self.spec, allow_other_rules=allow_other_rules)
        before = vars(self).copy()
        try:
            self._sit(snapshot)
            check_snapshot(snapshot, self.spec)
            hand_over(snapshot, self._judge, self._buffer)
        except SnapshotError:
            vars(self).update(before)
            self._name_seats()
            raise
        self.counters = snapshot.counters

    # -- processes that join and leave -----------------------------------------------------------

    def _held(self) -> Snapshot:
        state = held(self._judge, self._buffer, self.counters)
        state.members = None if self._members is None else self._members.state()
        return state

    def _sit(self, snapshot: Snapshot) -> None:
        """Have the seats of a snapshot, with the same processes on them; raises SnapshotError if they cannot be."""
        if self._members is None or self.spec.open is None:
            return
        state = check_members(snapshot, self.spec.open.max)
        self._members = Membership(state.seats, self.spec.open.max, self.spec.open.names)
        self._members.load(state)
        if state.seats != len(self.spec.processes):
            self._follow(self.spec.seated(self._members.names()))
        else:
            self._name_seats()

    def _seat(self, members: Membership, event: Any) -> Arrival:
        """An event as it arrives at its seat; whoever joins with it has one then. Raises InvalidEvent."""
        time_s = self._time_of(event)
        seating = members.read(
            event,
            self._variables,
            time_s=time_s,
            knows=lambda seat, other: self._window.clock_of(seat, self._window.newest(seat))[other],
            through=self._buffer.through.__getitem__,
        )
        if seating.newcomers:
            missing = len(seating.newcomers) - len(members.vacant())
            seats = members.seats
            while missing > 0:
                missing, seats = missing - seats, seats * 2
            joined = members.join(seating, seats, now_s=time_s)
            self._reseat([*range(len(self._buffer.through)), *[None] * seats][:seats], joined)
        return members.arrival(seating)

    def _time_of(self, event: Any) -> float | None:
        """An event's time, if events need one; InvalidEvent if it has none."""
        if not self._needs_times:
            return None
        return read_time(event.get("time") if isinstance(event, Mapping) else None)

    def _let_go(self, members: Membership, every: bool, out: Verdicts) -> None:
        """Declare that silent processes left, and give up the seats that nobody needs any more."""
        limits, group = self.spec.open, self._judge.time
        if limits is not None and limits.leave_after_s is not None and group is not None:
            for life in members.taken():
                since_s = group.latest.item(life.seat) if group.latest[life.seat] != NEVER else life.joined_s
                if life.last is None and since_s is not None and group.now_s - since_s > limits.leave_after_s:
                    self._declare_left(life, group.now_s, every, out)
        self._clear_seats(members)

    def _declare_left(self, life: Life, now_s: float, every: bool, out: Verdicts) -> None:
        """Deliver a last state for a process that is silent; what is missing before it is lost.

        When it left nobody knows. Its last state begins now, so that it may have been there until now.
        """
        seat, window, buffer = life.seat, self._window, self._buffer
        while buffer.waits(seat):
            first, waiting = buffer.through[seat] + 1, buffer.first_waiting(seat)
            if first == waiting:  # it waits for others
                return
            self._skip(Gap(seat, first, waiting - 1), every, out)
        known = max(int(window.clocks[:, :, seat].max()), buffer.through[seat])
        if known > buffer.through[seat]:
            self._skip(Gap(seat, buffer.through[seat] + 1, known), every, out)
        clock = list(window.clock_of(seat, window.newest(seat)))
        clock[seat] = index = buffer.through[seat] + 1
        if self._deliver(Arrival(seat, index, clock, None, now_s), every, out):
            life.is_declared = True
            assert self.spec.open is not None
            out.note(notices.left(life.name, index, self.spec.open.leave_after or ""))

    def _clear_seats(self, members: Membership) -> None:
        """Give up the seats of processes that every cut has passed, and of those that never came."""
        if members.keeps_seats:
            return
        window, free = self._window, []
        for life in members.doubtful():
            seat = life.seat
            newest, is_gone = window.newest(seat), life.last is not None
            if self._buffer.waits(seat):
                continue
            has_passed = is_gone and not window.is_empty and int(window.ends[LEAST, seat]) == newest
            if has_passed or (not newest and not self._buffer.knows(seat) and not window.clocks[:, :, seat].any()):
                members.leave(seat, keeps=is_gone)
                free.append(seat)
        if free:
            self._reseat([None if seat in free else seat for seat in range(members.seats)], [])

    def _reseat(self, sources: list[int | None], joined: list[Life]) -> None:
        """Go on with other seats, or with others on them."""
        assert self._members is not None
        state = held(self._judge, self._buffer, self.counters)
        fresh = {life.seat: life.after for life in joined}
        reseated(state, [None if seat in fresh else source for seat, source in enumerate(sources)], fresh)
        if len(sources) != len(self._buffer.through):
            self._follow(self.spec.seated(self._members.names()))
        else:
            self._name_seats()
        hand_over(state, self._judge, self._buffer)

    def _name_seats(self) -> None:
        """Call the seats by who sits there."""
        members = self._members
        if members is None or self.spec.open is None:
            return
        names = members.names()
        self.spec = self._judge.spec = self.spec.seated(names)
        self._window.names = self.spec.processes
        self._kept.roles = list(map(self.spec.roles_of, names))
        self._judge.order = [life.seat for life in members.taken()]

    # -- the way of an event ---------------------------------------------------------------------

    def _observe(self, event: Mapping[str, Any], every: bool, out: Verdicts) -> None:
        try:
            if self._members is not None:
                arrival = self._seat(self._members, event)
            else:
                arrival = read_event(event, self._positions, self._variables)
            if self._needs_times:
                read_time(arrival.time)
        except InvalidEvent as error:
            if is_heartbeat(event):
                self._beat(event, every, out)
            else:
                self._reject(out, Notice(kind="rejected", reason=str(error), event=carried(event)))
            return
        self._take(arrival, every, out)
        if self._members is not None:
            self._let_go(self._members, every, out)

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
        clock, bound_s, group = arrival.clock, self.spec.synchrony_s, self._judge.time
        state = arrival.state
        try:
            time_s = self._began(arrival)
            if self._variables is not None:  # the event tells what changed; all else keeps its value
                state = merged(self._kept.latest(process), state)
            if bound_s is not None:
                clock = strengthen(window, self._kept.times, bound_s, process, clock, time_s)
            number = window.push(process, clock, time_s if group is None else group.begin_of(process, time_s))
        except (InvalidClock, InvalidEvent) as error:
            self._reject(out, notices.rejected(arrival, self.spec.processes, str(error)))
            return False
        if group is not None:
            group.see(process, time_s)
            window.forget_before(group.tau)
        self._buffer.through[process] = arrival.index
        self._kept.add(process, number, state, time_s)
        if self._members is not None:
            self._members.delivered(arrival, time_s)
        if self._judge.seen.open:
            self._judge.seen.look(process, state)
        self.counters.delivered += 1
        self._evaluate("state", arrival, every, out, arrival.time)
        return True

    def _began(self, arrival: Arrival) -> float:
        """When a state that is to be delivered began; raises InvalidEvent if its time is none, or not believed."""
        if not self._needs_times:
            return 0.0
        time_s, group = read_time(arrival.time), self._judge.time  # a state may wait from before times were needed
        if group is not None and group.is_too_far(time_s):
            raise InvalidEvent(notices.too_far(arrival, self.spec.processes, group.why_too_far(time_s)))
        return time_s

    def _beat(self, event: Mapping[str, Any], every: bool, out: Verdicts) -> None:
        """Let time go on as far as a heartbeat says, unless that is no time, or too far ahead to be believed."""
        group, reason = self._judge.time, None
        try:
            time_s = read_time(event["time"])
        except InvalidEvent as error:
            reason = str(error)
        else:
            if group is None or not group.is_too_far(time_s):
                self._advance(event["time"], time_s, every, out)
                return
            reason = group.why_too_far(time_s)
        self._reject(out, Notice(kind="rejected", reason=f"heartbeat: {reason}", event=carried(event)))

    def _advance(self, time: Any, time_s: float, every: bool, out: Verdicts) -> None:
        """Let states leave that are too old by then, which is a slide if there are any, and silent processes."""
        group = self._judge.time
        if group is not None and group.advance(time_s) and self._window.forget_before(group.tau):
            self.counters.ticks += 1
            self._evaluate("tick", None, every, out, time)
        if self._members is not None:
            self._let_go(self._members, every, out)

    def _evaluate(
        self, kind: SlideKind, arrival: Arrival | None, every: bool, out: Verdicts, time: Any = None
    ) -> None:
        """Judge a slide that was just made, and show it."""
        self._judge.judge(kind, arrival, time, self.counters, every, out)
        if self._on_slide is not None:
            self.counters.waiting = len(self._buffer.waiting)  # the states still to be released wait at this moment
            self._judge.show(kind, arrival, time, self.counters)

    def _observe_chunk(self, events: list[Mapping[str, Any]], first: int, every: bool, out: Verdicts) -> None:
        """Observe some events, those in order mostly in compiled code; `first` is the position of the first event."""
        in_runs = self._judge.in_kernels is not None and not every and not self._judge.is_growing()
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

        `first` is the position of the batch's first event. The kernels go on until they cannot tell of a property
        that changes or becomes final, or a state is refused; what then happens is decided here, as for one state.
        """
        judge = self._judge
        assert judge.in_kernels is not None
        end = in_order(batch, begin, self._buffer.through, self._buffer.causal)
        if end == begin:
            return begin
        processes, states = batch.processes[begin:end], batch.states[begin:end]
        clocks, times_s = batch.clocks[begin:end], batch.times_s[begin:end]
        run = Run(self._context, judge.in_kernels, processes, clocks, states, times_s, judge.time)
        if not run.is_exact:
            for row in range(begin, end):
                out.position = first + row
                self._take(batch.arrival(row), False, out)
            return end
        at = 0
        while at < end - begin:
            before = at
            at, why, empty = run.advance(at, judge.values, judge.told_final)
            for telling in run.tellings():
                row = begin + telling.row
                out.position = first + row
                judge.tell(telling, batch, row, self.counters.slides + telling.row - before + 1, out)
            told = at + (why == TELL)
            self._kept.add_run(processes[before:told], states[before:told])
            if judge.seen.open:
                judge.seen.look_at_run(processes[before:told], states[before:told])
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
        self._buffer.through[:] = self._window.through()
        return begin + at

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
        self._skip(gap, every, out)

    def _skip(self, gap: Gap, every: bool, out: Verdicts) -> None:
        """Declare states lost, and deliver those that waited for them."""
        self._buffer.through[gap.process] = gap.last
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
        state = self._judge.state_of(process, number)
        if self._variables is not None and self._kept.follows(process, number, arrival.state):
            state = arrival.state  # the event did not have what was kept of the states before
        return clock, state

    def _reject(self, out: Verdicts, notice: Notice) -> None:
        self.counters.rejected += 1
        out.note(notice)


def _call_with(on_verdict: Callable[[Verdict, Monitor], object], monitor: Monitor, verdict: Verdict) -> None:
    on_verdict(verdict, monitor)
