"""A recorder for each group of a stream, up to a bound, and notes about the rest."""

from __future__ import annotations

from latwin.events import Envelope
from latwin.explorer.columns import chunk_of
from latwin.explorer.doubts import doubts_of
from latwin.explorer.format import Chunk
from latwin.explorer.recording import MOST_LANES, MOST_SLIDES, Recorder
from latwin.model import Verdicts
from latwin.spec import Spec

#: groups that are recorded if none is chosen: the first ones to appear
MOST_GROUPS = 100
#: slides of all groups together; beyond it, the largest group loses its oldest one
MOST_TOTAL = 100_000
#: names of groups that are not recorded, to tell how many there are
MOST_LEFT_OUT = 10_000
_SHOWN = 5


class Groups:
    """Recorders by group.

    `only` names the one group to record; the others are counted. `first` and `last` limit the slides of each
    group; without them the last ones are kept, `MOST_SLIDES` of a group. All groups together
    have `MOST_TOTAL` at most.
    """

    def __init__(self, spec: Spec, *, only: str | None = None, first: int = 1, last: int | None = None) -> None:
        self._spec = spec
        self._only = only
        self._first, self._last = first, last
        self._most = MOST_SLIDES if last is None else last - first + 1
        self.recorders: dict[str, Recorder] = {}
        self._slides = 0
        #: in order of appearance; at most MOST_LEFT_OUT of them
        self._left_out: dict[str, None] = {}
        self._has_more = False
        self._unreadable = 0

    def observe(self, envelope: Envelope) -> Verdicts | None:
        """Give an event to its group's recorder; what came of it, or None if the group is not recorded."""
        name = envelope.group
        assert name is not None
        recorder = self.recorders.get(name)
        if recorder is None:
            if not self._is_wanted(name):
                self._leave_out(name)
                return None
            recorder = Recorder(self._spec, first=self._first, last=self._last, most=self._most)
            self.recorders[name] = recorder
        before = len(recorder.slides)
        try:
            return recorder.observe(envelope.event)
        finally:
            self._slides += len(recorder.slides) - before
            self._bound()

    def count_refused(self, envelope: Envelope) -> None:
        """Note that an event's monitor raised TooManyWaiting: as in a pipeline, it counts as rejected."""
        assert envelope.group is not None
        self.recorders[envelope.group].monitor.counters.rejected += 1

    def count_unreadable(self) -> None:
        """Note that a line was no event."""
        self._unreadable += 1

    @property
    def names(self) -> list[str]:
        """The recorded groups, in order of appearance."""
        return list(self.recorders)

    @property
    def slides(self) -> int:
        """How many slides are noted in all."""
        return self._slides

    @property
    def most_slides(self) -> int:
        """How many slides the longest group made."""
        return max((recorder.monitor.slide for recorder in self.recorders.values()), default=0)

    def chunks(self) -> list[Chunk | None]:
        """All notes, one chunk a group; None for a group without slides."""
        return [chunk_of(recorder) for recorder in self.recorders.values()]

    def show_others(self) -> str:
        """Some names of groups that are not recorded."""
        names = [repr(name) for name in list(self._left_out)[:_SHOWN]]
        return ", ".join([*names, "..."] if len(self._left_out) > _SHOWN else names) or "none"

    def left_out(self) -> list[str]:
        """Notes on groups that are not recorded, and on lanes that were given up, if there are any."""
        notes = []
        if self._left_out and self._only is None:
            known = f"{'more than ' if self._has_more else ''}{len(self.recorders) + len(self._left_out):,}"
            notes.append(f"{len(self.recorders):,} of {known} groups are shown; --group NAME shows another.")
        given_up = sum(recorder.lanes_given_up for recorder in self.recorders.values())
        if given_up:
            notes.append(
                f"{given_up:,} processes that left have no lane any more, as a group has room for {MOST_LANES:,}; "
                "the slides in which they were there are gone, too."
            )
        return notes

    def notes(self) -> list[str]:
        """What the reader should know: what was left out or could not be read, and how to see it."""
        notes = self.left_out()
        cut = [name for name, recorder in self.recorders.items() if recorder.monitor.slide > len(recorder.slides)]
        if cut:
            longest = self.recorders[max(cut, key=lambda name: self.recorders[name].monitor.slide)]
            begin = longest.last_noted - len(longest.slides) + 1
            notes.append(
                f"Slides {begin:,} to {longest.last_noted:,} of {longest.monitor.slide:,} are shown"
                f"{' (of the longest group)' if len(self.recorders) > 1 else ''}; --slides FIRST..LAST shows others."
            )
        rejected = self._unreadable + sum(recorder.monitor.counters.rejected for recorder in self.recorders.values())
        if rejected:
            notes.append(f"{rejected:,} of the events rejected; `latwin check` says which and why.")
        return [*notes, *self.doubts()]

    def doubts(self) -> list[str]:
        """What may mislead about the answers."""
        return doubts_of(self._spec, [recorder.monitor for recorder in self.recorders.values()])

    def _is_wanted(self, name: str) -> bool:
        if self._only is not None:
            return name == self._only
        return len(self.recorders) < MOST_GROUPS

    def _leave_out(self, name: str) -> None:
        if len(self._left_out) < MOST_LEFT_OUT:
            self._left_out[name] = None
        elif name not in self._left_out:
            self._has_more = True

    def _bound(self) -> None:
        """Drop the oldest slides of whichever group has most, until there are few enough."""
        while self._slides > MOST_TOTAL:
            max(self.recorders.values(), key=lambda recorder: len(recorder.slides)).drop_oldest()
            self._slides -= 1
