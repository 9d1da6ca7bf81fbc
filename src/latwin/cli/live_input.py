"""The source of commands that answer live: JSON lines as they come, or a log of any format, which is read once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from latwin.cli.clock_options import ClockOptions
from latwin.cli.following import FollowingFolder, Waiting, followed, require_lines
from latwin.cli.inputs import STDIN, Line, open_events
from latwin.cli.logs import EventInput, LogFormatOption, LogOptions
from latwin.cli.opening import ClocksOption, open_log
from latwin.cli.option_groups import OptionGroup
from latwin.formats.endings import AUTO, UNCLOCKED

if TYPE_CHECKING:
    from latwin.clocks import StepSource
    from latwin.events import Envelope
    from latwin.formats import Options
    from latwin.order_choice import Order
    from latwin.spec import Spec

_NONE = LogOptions()
_DEFAULT_CLOCKS = ClockOptions()


class LiveEvents(NamedTuple):
    """The events of a source."""

    name: str
    lines: Iterator[Line]
    order: Order
    #: whether more may come; a log is read once, and the order of its events is chosen
    grows: bool = True


@dataclass(frozen=True)
class LiveInput(OptionGroup):
    """What the source is, if it is a log."""

    file_format: LogFormatOption = AUTO
    clocks: ClocksOption = False
    log: LogOptions = _NONE
    stream: ClockOptions = _DEFAULT_CLOCKS

    @contextmanager
    def open(
        self, source: str, spec: Spec, waiting: Waiting | None = None, *, as_json: bool = False
    ) -> Iterator[LiveEvents]:
        """The events of a file, a folder of JSON lines or standard input.

        With `clocks`, a folder has steps or spans, and their clocks are derived as they come. Plain JSON lines are
        followed as they grow. Anything else is complete: a log of another format, a table, a compressed file. It is
        read as `latwin check` reads it.
        """
        from latwin.events import EventReader
        from latwin.order_choice import LIVE

        path, options = Path(source), self.log.options(spec)
        if source != STDIN and path.is_dir() and self.clocks:
            clocked = self._clocked(path, spec, options, waiting)
            yield LiveEvents(source, (Line(envelope, 0) for envelope in clocked), LIVE)
        elif source != STDIN and path.is_dir():
            require_lines(path)
            folder = FollowingFolder(path, spec.listed or (), waiting)
            yield LiveEvents(source, (Line(envelope, 0) for envelope in folder), LIVE)
        elif self._grows(source):
            with open_events(source, EventReader(options.names)) as opened:
                yield LiveEvents(opened.name, followed(opened, waiting).lines(), LIVE)
        else:
            given = EventInput(path, source, self.file_format, self.clocks, self.log)
            with given.open(spec, as_json=as_json) as whole:
                yield LiveEvents(whole.name, whole.lines(), whole.order or LIVE, grows=False)

    def _clocked(self, folder: Path, spec: Spec, options: Options, waiting: Waiting | None) -> Iterable[Envelope]:
        """The events of a folder that fills with steps or spans."""
        from latwin.cli.clocked_folder import ClockedFolder
        from latwin.formats.recognise import step_format

        require_lines(folder)

        def source(beginning: bytes) -> StepSource:
            kind = self.file_format if self.file_format in UNCLOCKED else step_format(beginning)
            return self.stream.source(kind, options.names)

        return ClockedFolder(folder, spec, source, self.stream.waits(), waiting)

    def _grows(self, source: str) -> bool:
        """Whether it has plain JSON lines, to which more may be added; a pipe has, unless something else is said."""
        if self.file_format not in (AUTO, "jsonl"):
            return False
        if source == STDIN or not Path(source).is_file():
            return True
        with open_log(source, self.file_format, self.log.options(), clocks=self.clocks) as log:
            return log.format == "jsonl" and log.stream.compression is None
