"""`latwin serve`: the explorer's page, live over events as they come or over a pipeline's output."""

from __future__ import annotations

import gzip
import webbrowser
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Annotated, Any, cast

import typer

from latwin.cli.inputs import STDIN, EventSource, load_spec, open_events
from latwin.cli.terminal import print_labelled
from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from latwin.explorer.feed import Feed
    from latwin.spec import Spec

_POLL_S = 0.3
_GZIP = ".gz"
_LINES = (".jsonl", ".ndjson", ".json")
_ENDINGS = (*_LINES, *(ending + _GZIP for ending in _LINES))


def serve(
    spec: Annotated[Path, typer.Argument(metavar="SPEC", help="The specification, a TOML file.")],
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="JSON lines, followed as they grow; - is standard input; or a pipeline's input or output folder.",
        ),
    ] = STDIN,
    group: Annotated[
        str | None, typer.Option("--group", metavar="NAME", help="Of events, only this group; else the first 100.")
    ] = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Who may look: this machine only, if not given.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65_535, metavar="N", help="0 takes a free one.")] = 8765,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Serve the explorer's page, live; Ctrl-C ends.

    Over a pipeline's input folder (JSON lines, also gzipped) it shows everything, from local monitors that say what
    the pipeline says of the order of arrival that the folder tells. Of events without `arrival` that may be another
    order where the pipeline cut its batches differently. Over its output folder it shows verdicts and counters.
    """
    loaded = load_spec(spec)
    with _open_feed(loaded, source, group) as feed:
        from latwin.explorer.page import header_of
        from latwin.explorer.server import ExplorerServer

        header = header_of(loaded, source=Path(source).name if source != STDIN else "stdin", live=True)
        try:
            server = ExplorerServer(feed, header, host=host, port=port)
        except OSError as error:
            reason = error.strerror or str(error)
            raise InvalidInput(f"cannot serve on {host}, port {port}: {reason}; --port 0 takes a free one") from None
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        typer.echo(f"{server.url} shows {source}; Ctrl-C ends")
        if show:
            webbrowser.open(server.url)
        try:
            feed.run()
            Event().wait()  # the input ended; what came can still be looked at
        except KeyboardInterrupt:
            pass
        finally:
            server.shutdown()
            server.server_close()


@contextmanager
def _open_feed(spec: Spec, source: str, group: str | None) -> Iterator[Feed]:
    from latwin.explorer.feed import EventFeed
    from latwin.explorer.outputs import OutputFeed, is_output

    if source == STDIN or not Path(source).is_dir():
        with open_events(source) as opened:
            reader = _Reader(opened)
            yield EventFeed(spec, reader, only=group, tell=lambda why: _note(f"{opened.name}:{reader.line}", why))
    elif is_output(Path(source)):
        if find_spec("pyarrow") is None:
            raise InvalidInput("to read a pipeline's output, pyarrow is needed: pip install 'latwin[spark]'")
        yield OutputFeed(spec, Path(source))
    else:
        _require_lines(Path(source))
        folder = FollowingFolder(Path(source), spec.processes)
        yield EventFeed(spec, folder, only=group, tell=lambda why: _note(source, why))


def _note(place: str, text: str) -> None:
    print_labelled("note: ", "bold yellow", f"{place}: {text}")


def _require_lines(folder: Path) -> None:
    """An input folder may be empty yet; if it has files, some must be JSON lines."""
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith((".", "_")))
    if names and not any(name.endswith(_ENDINGS) for name in names):
        raise InvalidInput(
            f"{folder} is no output of latwin, and has no JSON lines ({', '.join(_LINES)}, also with .gz) to "
            f"be an input; it has {', '.join(names[:3])}"
        )


class _Reader:
    """The events of a source, None for a line that is none; knows where it is. A file is followed as it grows."""

    def __init__(self, source: EventSource) -> None:
        is_file = not source.is_live
        self._source = source._replace(stream=cast(IO[bytes], Following(source.stream))) if is_file else source
        self.line = 0

    def __iter__(self) -> Iterator[Any | None]:
        for line in self._source.lines():
            self.line = line.number
            if line.unreadable is not None:
                _note(f"{self._source.name}:{line.number}", line.unreadable.reason)
            yield line.event


class FollowingFolder:
    """The events of all files of JSON lines in a folder, waiting for more of them; None for a line that is no event.

    What is new at one look at the folder is taken as one batch: in the order in which `latwin run` would take it. As
    for `latwin run`, files must appear whole.
    """

    def __init__(self, folder: Path, processes: Sequence[str]) -> None:
        self._folder = folder
        self._positions = {name: k for k, name in enumerate(processes)}
        self._known: set[str] = set()

    def __iter__(self) -> Iterator[Any | None]:
        """The events, never ending."""
        from time import sleep

        from latwin.explorer.arrivals import in_order

        while True:
            found = [event for path in self._new_files() for event in self._events(path)]
            yield from (None for event in found if event is None)
            yield from in_order([event for event in found if event is not None], self._positions)
            sleep(_POLL_S)

    def _events(self, path: Path) -> Iterator[dict[str, Any] | None]:
        from latwin.explorer.arrivals import group_of

        try:
            content = path.read_bytes()
            if path.suffix == _GZIP:
                content = gzip.decompress(content)
        except FileNotFoundError:  # deleted since the look
            return
        except (OSError, EOFError, zlib.error) as error:
            _note(str(path), f"cannot be read: {error}")
            return
        for line in EventSource(str(path), None, cast(IO[bytes], content.splitlines())).lines():
            reason = None
            if line.unreadable is not None:
                reason = line.unreadable.reason
            elif not isinstance(line.event, dict):
                reason = "the line must be a JSON object"
            elif group_of(line.event) is None:
                reason = "the group must be a string or an integer"
            if reason is not None:
                _note(f"{path}:{line.number}", reason)
            yield line.event if reason is None else None

    def _new_files(self) -> list[Path]:
        """Files that were not there before, the older ones first."""
        new: list[tuple[int, str, Path]] = []
        try:
            there = list(self._folder.iterdir())
        except FileNotFoundError:  # it may come back
            return []
        for path in there:
            if path.name.endswith(_ENDINGS) and not path.name.startswith((".", "_")) and path.name not in self._known:
                try:
                    new.append((path.stat().st_mtime_ns, path.name, path))
                except FileNotFoundError:  # deleted since
                    continue
        self._known.update(name for _, name, _ in new)
        return [path for _, _, path in sorted(new)]


class Following:
    """The whole lines of a file, waiting for more where it ends."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        """The lines, never ending."""
        from time import sleep

        begun = b""
        while True:
            begun += self._stream.readline()
            if begun.endswith(b"\n"):
                yield begun
                begun = b""
            else:
                sleep(_POLL_S)
