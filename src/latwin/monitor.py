"""`Monitor`: the paper's checker process. Events in, verdicts out; no I/O, no clock, no Spark.

    event -> read & validate -> reorder buffer -> slide the window -> detect -> verdicts
                    |                 |
                    +--- notices -----+      (rejected, duplicate, late, skipped: data, with reasons)

What comes out is a function of the spec and of the order of events alone. Whoever wants to look at each slide as
it happens gives the monitor a callback; see `latwin.slide`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from latwin import notebook
from latwin.checker import Checker
from latwin.delivery.silence import Past
from latwin.detect.detector import Detector
from latwin.errors import InvalidEvent, InvalidInput, SpecError
from latwin.events.plain import show
from latwin.events.table import EventColumns
from latwin.events.times import read_time
from latwin.lattice.kernels.window import NEWEST
from latwin.lattice.window import Window
from latwin.life import Life
from latwin.model import Counters, Verdict, Verdicts
from latwin.open_checker import OpenChecker
from latwin.properties.tree import show_name
from latwin.slide import Slide
from latwin.snapshot import decode, encode
from latwin.spec import FREE_FIELDS, Spec, differences_of

#: How many states are handed to the kernels at once.
_RUN = 1024
#: States of a process that a notebook shows, the newest ones.
_SHOWN_STATES = 8


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
        told = None if on_verdict is None else partial(_call_with, on_verdict, self)
        make: Callable[..., Checker] = Checker if spec.open is None else partial(OpenChecker, seats=seats)
        self._checker = make(spec, observations=observations, on_slide=on_slide, on_verdict=told, rules=rules)
        self._life = Life(spec, rules, self._checker)

    @property
    def spec(self) -> Spec:
        """The specification; of an open group with the names of those who are there."""
        return self._checker.spec

    @property
    def counters(self) -> Counters:
        """What became of the events so far."""
        return self._checker.counters

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
        if self._life.forget_after_s is not None:
            self._life.hear(event, out)
        self._checker.observe(event, every, out)
        return out

    def observe_many(self, events: Iterable[Mapping[str, Any]], every: bool = False) -> Verdicts:
        """Take many events in order of arrival; the outcome equals that of observing them one by one.

        `.positions` and `.notice_positions` of the outcome tell which event caused each verdict and each notice.
        If TooManyWaiting is raised, its `verdicts` holds the outcome of the events before the one at `position`.
        """
        out = Verdicts()
        done = 0
        for chunk in _chunks(events):
            begin = 0
            for place in self._life.ends_before(chunk):  # none, unless groups may end
                if place > begin:
                    self._checker.observe_chunk(chunk[begin:place], done + begin, every, out)
                out.position, begin = done + place, place
                self._life.hear(chunk[place], out)
            self._checker.observe_chunk(chunk[begin:] if begin else chunk, done + begin, every, out)
            done += len(chunk)
        return out

    def give_up(self) -> Verdicts:
        """At the end of a log: declare lost whatever states still wait for, deliver them, and return the outcome."""
        out = Verdicts()
        checker = self._checker
        while checker.buffer.waiting:  # as in `Checker._wait`, this ends
            checker.give_up(False, out)
        checker.counters.waiting = 0
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
        if self._life.is_over(time_s):
            self._life.end(out)
        else:
            self._checker.advance(time, time_s, every, out)
        return out

    def end(self, why: str | None = None) -> Verdicts:
        """Forget the group, as after a silence of `forget_after`: a notice `ended`, and everything begins anew.

        `why` is the reason that the notice gives, unless it is the silence.
        """
        out = Verdicts()
        self._life.end(out, why)
        return out

    @property
    def last_s(self) -> float | None:
        """The latest time of an event, in seconds; None if none has told it, or if groups never end."""
        return self._life.last_s

    @property
    def past(self) -> Past | None:
        """What is kept of the group if it has ended, and no event has come since."""
        return self._life.past

    def follow(self, past: Past) -> None:
        """Before the first event: a group that ended comes back, and this was kept of it."""
        self._life.past = past

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
        self._checker.change(spec)
        self._life.follow(spec)
        return self.renew(self.rules + 1 if rules is None else rules, every)

    def renew(self, rules: int, every: bool = False) -> Verdicts:
        """Evaluate every property on the states held now, under this version of the rules, as a slide of its own."""
        out = Verdicts()
        self._checker.judge.rules = rules
        self.counters.ticks += 1
        self._checker.evaluate("rules", None, every, out)
        return out

    @property
    def rules(self) -> int:
        """The version of the rules; the first is 1."""
        return self._checker.judge.rules

    @property
    def slide(self) -> int:
        """The number of slides so far: delivered states, and ticks."""
        return self.counters.slides

    @property
    def window(self) -> Window:
        """The sliding window: look at it, but push nothing to it."""
        return self._checker.window

    def states(self, process: int) -> list[Any]:
        """The variables of the states in the window of a process, oldest first."""
        return self._checker.kept.of(process)

    def state(self, process: int, number: int) -> Any:
        """The variables of the state in the window of a process that has this number."""
        return self._checker.judge.state_of(process, number)

    def detectors(self, name: str) -> tuple[Detector, ...]:
        """The detectors of a property's parts, which know about the present window; do not evaluate them."""
        return dict(self._checker.judge.properties)[name].detectors

    def values(self) -> dict[str, bool | None]:
        """Every property's latest value."""
        return self._checker.judge.named_values()

    def members(self) -> tuple[str, ...]:
        """The processes that are there, as cuts in verdicts have them; of a spec that lists them, all."""
        order = self._checker.judge.order
        return self.spec.processes if order is None else tuple([self.spec.processes[seat] for seat in order])

    def passed(self) -> list[int]:
        """With `seats`: the places of processes that left, and that every cut has passed, in the order of joining."""
        return self._checker.passed() if isinstance(self._checker, OpenChecker) else []

    def clear(self, places: Collection[int]) -> None:
        """Give up places of `passed`; those behind them move up. Not for a callback."""
        if places and isinstance(self._checker, OpenChecker):
            self._checker.clear_seats(places)

    def unseen(self) -> dict[str, list[str]]:
        """What the properties expect and no state has shown so far, each with names or values that came instead.

        A process without any delivered state is among it, by its name. `latwin.detect.unseen` makes warnings of it.
        """
        newest = self.window.ends[NEWEST].tolist()
        processes = self.spec.listed or ()
        silent = [name for name, number in zip(processes, newest, strict=self.spec.open is None) if not number]
        return {**{show_name(name): [] for name in silent}, **self._checker.judge.seen.missing()}

    def _repr_html_(self) -> str:
        """The properties' values and the states in the window, for notebooks."""
        window, spec = self.window, self.spec
        lanes = {}
        for k, name in enumerate(spec.processes):
            shown = zip(window.states_of(k)[-_SHOWN_STATES:], self.states(k)[-_SHOWN_STATES:], strict=True)
            lanes[name] = [(window.index_of(k, number), state) for number, state in shown]
        head = f"slide {self.slide:,}, {self.counters.waiting:,} waiting"
        return notebook.monitor(head, self.values(), spec.never, lanes)

    def snapshot(self) -> bytes:
        """Everything needed to go on later, as compact versioned bytes; see `restore`."""
        held = self._checker.held()
        held.last_s, held.past = self._life.last_s, self._life.past
        return encode(held)

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
        self._checker.resume(snapshot)
        self._life.resume(snapshot)


def _chunks(events: Iterable[Mapping[str, Any]]) -> Iterator[Sequence[Mapping[str, Any]]]:
    """The events in order, some at a time; those that are columns stay so."""
    if isinstance(events, EventColumns):
        yield from (events[begin : begin + _RUN] for begin in range(0, len(events), _RUN))
        return
    remaining = iter(events)
    while chunk := list(islice(remaining, _RUN)):
        yield chunk


def _call_with(on_verdict: Callable[[Verdict, Monitor], object], monitor: Monitor, verdict: Verdict) -> None:
    on_verdict(verdict, monitor)
