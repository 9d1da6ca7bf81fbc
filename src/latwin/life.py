"""The life of a group: when it was last heard of, its end after a silence, and its return.

Used by `Monitor` before the checker gets an event; the rules are in `latwin.delivery.silence`. What comes out is a
function of the group's events alone, as everything in a monitor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from latwin.checker import Checker
from latwin.delivery import silence
from latwin.delivery.silence import Past, time_of
from latwin.events.heartbeats import is_heartbeat
from latwin.model import Verdicts
from latwin.snapshot import Snapshot, decode, encode
from latwin.spec import Spec


class Life:
    """Ends the group of a checker when it was silent for too long, and lets it come back."""

    def __init__(self, spec: Spec, rules: int, checker: Checker) -> None:
        """The checker is a new one."""
        self._checker = checker
        self.last_s: float | None = None
        self.past: Past | None = None
        self.follow(spec)
        #: the state of a new group under some version of the rules
        self._blank: tuple[int, bytes] | None = None
        if self.forget_after_s is not None:
            self._blank = rules, encode(checker.held())

    def follow(self, spec: Spec) -> None:
        """Take other rules."""
        self._spec = spec
        self.forget_after_s = spec.forget_after_s
        self._blank = None

    def resume(self, snapshot: Snapshot) -> None:
        """Go on from a snapshot."""
        self.last_s, self.past = snapshot.last_s, snapshot.past

    def is_over(self, now_s: float) -> bool:
        """Whether the group is there, and has ended by now."""
        limit = self.forget_after_s
        if limit is None or self.last_s is None or self.past is not None:
            return False
        return silence.is_over(self.last_s, now_s, limit)

    def ends_before(self, events: Sequence[Mapping[str, Any]]) -> Iterator[int]:
        """The places of the events before which something is to be done with `hear`; takes note of all others."""
        if self.forget_after_s is None:
            return
        for place, event in enumerate(events):
            time_s = time_of(event)
            if self.past is not None or (time_s is not None and self.is_over(time_s)):
                yield place
            elif time_s is not None and not is_heartbeat(event):
                self.last_s = time_s if self.last_s is None else max(self.last_s, time_s)

    def hear(self, event: Mapping[str, Any], out: Verdicts) -> None:
        """Before an event is observed: end the group if it was silent until then, and let it come back with it.

        An event that cannot be used is not heard. A heartbeat tells the time, but does not bring a group back.
        """
        time_s = time_of(event)
        if is_heartbeat(event):
            if time_s is not None and self.is_over(time_s):
                self.end(out)
            return
        is_over = time_s is not None and self.is_over(time_s)
        if is_over or self.past is not None:
            past = self.past or self._checker.past(self.last_s or 0.0)
            goes_on = self._checker.goes_on(event, past)
            if goes_on is None:
                return
            if is_over:
                self.end(out)
            self._return(past, goes_on, time_s, out)
        if time_s is not None:
            self.last_s = time_s if self.last_s is None else max(self.last_s, time_s)

    def end(self, out: Verdicts, why: str | None = None) -> None:
        """Forget everything but the past, and say so; `why`, unless it is because of a silence."""
        checker, limit = self._checker, self.forget_after_s
        checker.counters.waiting = len(checker.buffer.waiting)
        why = why or silence.why_over(limit)
        out.note(silence.ended(checker.judge.named_values(), checker.counters, self.last_s, why))
        past = checker.past(self.last_s or 0.0)
        checker.resume(decode(self._blank_state(), checker.spec, allow_other_rules=True))
        self.last_s, self.past = None, None if limit is None else past

    def _return(self, past: Past, goes_on: bool, time_s: float | None, out: Verdicts) -> None:
        limit, self.past = self.forget_after_s, None
        since_s = None if time_s is None or past.is_by_wall else time_s - past.last_s
        if since_s is not None and limit is not None and not silence.is_remembered(0.0, since_s, limit):
            return  # as any new group
        out.note(silence.returned(since_s, past, goes_on=goes_on))
        if goes_on:
            self._checker.go_on_after(past)

    def _blank_state(self) -> bytes:
        """The state of a new group under the rules of now."""
        rules = self._checker.judge.rules
        if self._blank is None or self._blank[0] != rules:
            made = type(self._checker).blank(self._spec, rules)
            self._blank = rules, encode(made.held())
        return self._blank[1]
