"""Where a served page's slides come from: groups by name, chunks as they come.

A feed is read by the threads of a server while one other thread runs it.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Condition
from typing import Any, NamedTuple, Protocol

from latwin.explorer.columns import Chunk, chunk_of
from latwin.explorer.groups import Groups
from latwin.spec import Spec

#: names given for a search
MOST_NAMES = 50


class News(NamedTuple):
    """What a reader of a group has not seen yet."""

    #: the slides after those it has; None if there are none
    chunk: Chunk | None
    #: whether it must forget what it has, because slides in between are gone
    restart: bool = False


class Feed(Protocol):
    """Slides of many groups, while they come in."""

    def names(self, search: str) -> list[str]:
        """Some groups whose name contains a text, in any case."""

    def read(self, group: str, after: int | None) -> News:
        """A group's slides after one; all that are kept if it is None."""

    def wait(self, timeout_s: float) -> None:
        """Return when something came, or after a while."""

    def run(self) -> None:
        """Take what comes until it ends."""


def find(names: Iterable[str], search: str) -> list[str]:
    """The first names that contain a text, in any case.

    >>> find(["office 1", "Office 2", "lab"], "OFF")
    ['office 1', 'Office 2']
    """
    wanted = search.casefold()
    found = []
    for name in names:
        if wanted in name.casefold():
            found.append(name)
            if len(found) == MOST_NAMES:
                break
    return found


class EventFeed:
    """A local recorder for each group, given events one by one; None stands for a line that is no event.

    `only` names the one group to record; without it, the first ones to appear are.
    """

    def __init__(self, spec: Spec, events: Iterable[Any | None], *, only: str | None = None) -> None:
        self._groups = Groups(spec, only=only)
        self._events = events
        self._changed = Condition()

    def names(self, search: str) -> list[str]:
        """Some groups whose name contains a text."""
        with self._changed:
            return find(self._groups.names, search)

    def read(self, group: str, after: int | None) -> News:
        """A group's slides after one; all that are kept if it is None."""
        with self._changed:
            recorder = self._groups.recorders.get(group)
            if recorder is None or (after is not None and recorder.last_noted <= after):
                return News(None)
            chunk = chunk_of(recorder, after=after)
            return News(chunk) if chunk is not None else News(chunk_of(recorder), restart=True)

    def wait(self, timeout_s: float) -> None:
        """Return when an event came, or after a while."""
        with self._changed:
            self._changed.wait(timeout_s)

    def run(self) -> None:
        """Observe every event until they end; raises what a monitor raises of one."""
        for event in self._events:
            with self._changed:
                if event is None:
                    self._groups.count_unreadable()
                else:
                    self._groups.observe(event)
                self._changed.notify_all()
