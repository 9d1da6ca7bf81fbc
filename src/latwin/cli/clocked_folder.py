"""Events of a folder of steps or spans as it fills, with the clocks that are derived of them on the way."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from latwin.cli.following import NewFiles, Waiting
from latwin.cli.terminal import print_labelled
from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from latwin.clocks import GroupClocks, StepSource
    from latwin.clocks.live import Arrival
    from latwin.clocks.waits import Waits
    from latwin.events import Envelope
    from latwin.spec import Spec

#: a line may be a whole request with thousands of spans
_LINE_BYTES = 64 << 20
_MOST_NOTES = 20


class ClockedFolder:
    """The events of all steps or spans in a folder, waiting for more files.

    `source` tells by the beginning of the first file what reads the lines. The time is that of arrival, which the
    collector writes on every line; while nothing comes, it goes on with the clock on the wall.
    """

    def __init__(
        self,
        folder: Path,
        spec: Spec,
        source: Callable[[bytes], StepSource],
        waits: Waits,
        waiting: Waiting | None = None,
    ) -> None:
        self._files = NewFiles(folder)
        self._spec = spec
        self._source_of = source
        self._waits = waits
        self._waiting = waiting or Waiting()
        self._listed = None if spec.listed is None else frozenset(spec.listed)
        self._left_out: Counter[str] = Counter()
        self._notes = 0
        self._now = 0.0

    def __iter__(self) -> Iterator[Envelope]:
        """The events, causes first, until nothing comes any more; then those that still waited."""
        from latwin.clocks.live import LiveClocks

        live: LiveClocks | None = None
        source: StepSource | None = None
        seen = time.monotonic()
        while True:
            for path in self._files.new():
                source = source or self._told(path)
                live = live or LiveClocks(source, self._waits)
                arrivals = list(self._arrivals(path, source))
                if arrivals:
                    self._now = max(self._now, *(arrival.at for arrival in arrivals))
                    self._waiting.begin()
                    seen = time.monotonic()
                yield from self._envelopes(live.take(arrivals, self._now))
            if live is not None:
                idle_s = time.monotonic() - seen
                yield from self._envelopes(live.advance(self._now + idle_s))
            if not self._waiting.pause():
                break
        if live is not None:
            yield from self._envelopes(live.finish())
        self._tell_left_out()

    def _told(self, path: Path) -> StepSource:
        from latwin.formats.compression import PlainStream
        from latwin.formats.recognise import BEGINNING

        with path.open("rb") as file:
            return self._source_of(PlainStream(file).beginning(BEGINNING))

    def _arrivals(self, path: Path, source: StepSource) -> Iterator[Arrival]:
        """The records of one file; nothing if it went away."""
        from latwin.clocks.live import Arrival, arrival_of, storable
        from latwin.clocks.records import unreadable
        from latwin.events.lines import lines_of
        from latwin.formats.compression import PlainStream

        now = time.time()
        try:
            with path.open("rb") as file:
                for line in lines_of(PlainStream(file).open(), _LINE_BYTES):
                    at = arrival_of(line.text) or now
                    if line.size is not None:
                        yield Arrival(unreadable(f"the line has {line.size:,} bytes", line.text), at)
                        continue
                    for record in source.records(line.text):
                        yield Arrival(storable(record), at)
        except FileNotFoundError:
            return
        except (OSError, InvalidInput) as error:
            yield Arrival(unreadable(f"{path.name} cannot be read: {error}", b""), now)

    def _envelopes(self, found: Iterable[GroupClocks]) -> Iterator[Envelope]:
        from latwin.clocks.listed import listed
        from latwin.events import Envelope

        for group, steps, problems in found:
            for problem in problems:
                if problem.is_rejected:
                    yield Envelope(group=group, event=problem.row, problem=problem.reason)
                else:
                    self._note(f"group {group!r}: " if group else "", problem.reason)
            events, left_out = listed(steps, self._listed)
            self._left_out += left_out
            for event in events:
                yield Envelope(group=group, event=event if not group else {"group": group, **event})

    def _note(self, where: str, text: str) -> None:
        self._notes += 1
        if self._notes <= _MOST_NOTES:
            print_labelled(f"note: {where}", "bold yellow", text)
        if self._notes == _MOST_NOTES:
            print_labelled("", "", "... more such notes are left out; `latwin clocks` lists all")

    def _tell_left_out(self) -> None:
        from latwin.clocks.listed import left_out_reason

        for process, number in sorted(self._left_out.items()):
            print_labelled("note: ", "bold yellow", left_out_reason(process, number))
