"""Where a served page's slides come from: groups by name, chunks as they come.

A feed is read by the threads of a server while one other thread runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import islice
from threading import Condition
from typing import NamedTuple, Protocol

from latwin.errors import TooManyWaiting
from latwin.events import Envelope
from latwin.explorer.columns import chunk_of
from latwin.explorer.format import Chunk, SystemView
from latwin.explorer.groups import Groups
from latwin.spec import Spec

#: notices that a pipeline counts among its rejects
REJECTS = ("rejected", "late", "skipped")
#: names given for a search
MOST_NAMES = 50


class News(NamedTuple):
    """What a reader of a group has not seen yet."""

    #: the slides after those it has; None if there are none
    chunk: Chunk | None
    #: whether it must forget what it has, because slides in between are gone
    restart: bool = False
    #: how often something came up to now; for `wait`
    changes: int = 0


class Feed(Protocol):
    """Slides of many groups, while they come in."""

    def names(self, search: str) -> list[str]:
        """Some groups whose name contains a text, in any case; one with that very name comes first."""

    def notes(self) -> list[str]:
        """What a reader should know of what is not shown."""

    def doubts(self) -> list[str]:
        """What may mislead about the answers so far."""

    def read(self, group: str, after: int | None) -> News:
        """A group's slides after one; all that are kept if it is None."""

    def system(self, search: str) -> SystemView | None:
        """All groups, those first that are worst and whose name contains a text; None if the feed cannot tell."""

    def metrics(self) -> str | None:
        """The counters of all groups together, in Prometheus' text format; None if the feed cannot tell."""

    def wait(self, changes: int, timeout_s: float) -> bool:
        """Return True once something came after so many changes, False if nothing did for a while."""

    def run(self) -> None:
        """Take what comes until it ends."""


def find(names: Collection[str], search: str) -> list[str]:
    """The first names that contain a text, in any case; before them the one that is the text.

    >>> find(["office 1", "Office 2", "lab"], "OFF")
    ['office 1', 'Office 2']
    >>> find(["office 10", "office 1"], "office 1")
    ['office 1', 'office 10']
    """
    wanted = search.casefold()
    exact = [search] if search and search in names else []
    others = (name for name in names if wanted in name.casefold() and name not in exact)
    return [*exact, *islice(others, MOST_NAMES - len(exact))]


class EventFeed:
    """A local recorder for each group, given envelopes one by one.

    `only` names the one group to record; without it, the first ones to appear are. `tell` is given the reason for
    every reject. Where a spec's policy is to fail if too many states wait, the event that would have to is rejected,
    as in a pipeline.
    """

    def __init__(
        self,
        spec: Spec,
        envelopes: Iterable[Envelope],
        *,
        only: str | None = None,
        tell: Callable[[Envelope, str], object] = lambda _, __: None,
    ) -> None:
        self._groups = Groups(spec, only=only)
        self._envelopes = envelopes
        self._tell = tell
        self._changed = Condition()
        self._changes = 0

    def names(self, search: str) -> list[str]:
        """Some groups whose name contains a text."""
        with self._changed:
            return find(self._groups.names, search)

    def read(self, group: str, after: int | None) -> News:
        """A group's slides after one; all that are kept if it is None."""
        with self._changed:
            recorder = self._groups.recorders.get(group)
            if recorder is None or (after is not None and recorder.last_noted <= after):
                return News(None, changes=self._changes)
            chunk = chunk_of(recorder, after=after)
            if chunk is not None:
                return News(chunk, changes=self._changes)
            return News(chunk_of(recorder), restart=True, changes=self._changes)

    def notes(self) -> list[str]:
        """Whether groups are left out."""
        with self._changed:
            return self._groups.left_out()

    def doubts(self) -> list[str]:
        """What may mislead about the answers so far."""
        with self._changed:
            return self._groups.doubts()

    def system(self, search: str) -> None:
        """Nothing: recorders show some groups only."""

    def metrics(self) -> None:
        """Nothing, for the same reason."""

    def wait(self, changes: int, timeout_s: float) -> bool:
        """Return True once an event came after so many, False if none did for a while."""
        with self._changed:
            return self._changed.wait_for(lambda: self._changes > changes, timeout_s)

    def run(self) -> None:
        """Observe every event until they end."""
        for envelope in self._envelopes:
            with self._changed:
                self._take(envelope)
                self._changes += 1
                self._changed.notify_all()

    def _take(self, envelope: Envelope) -> None:
        if envelope.problem is not None:
            self._groups.count_unreadable()
            self._tell(envelope, envelope.problem)
            return
        try:
            found = self._groups.observe(envelope)
        except TooManyWaiting as error:
            self._groups.count_refused(envelope)
            self._tell(envelope, str(error))
            return
        for notice in found.notices if found is not None else ():
            if notice.kind in REJECTS:
                self._tell(envelope, notice.reason)
