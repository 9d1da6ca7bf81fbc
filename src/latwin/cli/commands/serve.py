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
from typing import TYPE_CHECKING, Annotated

import typer

from latwin.cli.inputs import STDIN, EventSource, Line, SpecArgument, load_spec, open_events
from latwin.cli.terminal import print_labelled
from latwin.errors import InvalidInput
from latwin.events.escaping import one_line, plain
from latwin.formats.endings import GZIP, LINES, is_hidden

if TYPE_CHECKING:
    from latwin.events import Envelope
    from latwin.events.lines import Readable
    from latwin.explorer.feed import Feed
    from latwin.spec import Spec

_POLL_S = 0.3
#: bytes of lines, after decompression, that are looked at together
_BATCH_BYTES = 32 << 20
#: what a line costs beside its bytes, roughly
_ENVELOPE_BYTES = 1000
_ENDINGS = (*LINES, *(ending + GZIP for ending in LINES))


def serve(
    spec: SpecArgument,
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
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; only this machine reaches the default.")
    ] = ("127.0.0.1"),
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

        header = header_of(loaded, source=plain(Path(source).name) if source != STDIN else "stdin", live=True)
        try:
            server = ExplorerServer(feed, header, host=host, port=port)
        except OSError as error:
            reason = error.strerror or str(error)
            raise InvalidInput(f"cannot serve on {host}, port {port}: {reason}; --port 0 takes a free one") from None
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        typer.echo(f"{server.url} shows {one_line(source)}; Ctrl-C ends")
        if show:
            webbrowser.open(server.url)
        is_told = False
        try:
            feed.run()
            is_told = _tell_doubts(feed)
            Event().wait()  # the input ended; what came can still be looked at
        except KeyboardInterrupt:
            pass
        finally:
            server.shutdown()
            server.server_close()
            if not is_told:
                _tell_doubts(feed)


def _tell_doubts(feed: Feed) -> bool:
    """What may mislead about the answers; True."""
    for doubt in feed.doubts():
        print_labelled("note: ", "bold yellow", doubt)
    return True


@contextmanager
def _open_feed(spec: Spec, source: str, group: str | None) -> Iterator[Feed]:
    from latwin.explorer.feed import EventFeed
    from latwin.explorer.outputs import OutputFeed, is_output

    if source == STDIN or not Path(source).is_dir():
        with open_events(source) as opened:
            stream = opened.stream if opened.is_live else Following(opened.stream)
            envelopes = (line.envelope for line in opened._replace(stream=stream).lines())
            yield EventFeed(spec, envelopes, only=group, tell=lambda envelope, why: _note(opened.name, envelope, why))
    elif is_output(Path(source)):
        if find_spec("pyarrow") is None:
            raise InvalidInput("to read a pipeline's output, pyarrow is needed: pip install 'latwin[spark]'")
        yield OutputFeed(spec, Path(source))
    else:
        _require_lines(Path(source))
        folder = FollowingFolder(Path(source), spec.processes)
        yield EventFeed(spec, folder, only=group, tell=lambda envelope, why: _note(source, envelope, why))


def _note(place: str, envelope: Envelope, text: str) -> None:
    line = "" if envelope.line is None else f":{envelope.line}"
    print_labelled("note: ", "bold yellow", f"{place}{line}: {text}")


def _require_lines(folder: Path) -> None:
    """An input folder may be empty yet; if it has files, some must be JSON lines."""
    names = sorted(path.name for path in folder.iterdir() if not is_hidden(path.name))
    if names and not any(name.endswith(_ENDINGS) for name in names):
        raise InvalidInput(
            f"{folder} is no output of latwin, and has no JSON lines ({', '.join(LINES)}, also with .gz) to "
            f"be an input; it has {', '.join(names[:3])}"
        )


class FollowingFolder:
    """The events of all files of JSON lines in a folder, waiting for more files.

    What is new at one look at the folder is taken as one batch: in the order in which `latwin run` would take it. As
    for `latwin run`, files must appear whole. After `_BATCH_BYTES` a batch ends, as `latwin run` ends it after
    `--max-files`: so much is in memory at once, however well the files are compressed.
    """

    def __init__(self, folder: Path, processes: Sequence[str]) -> None:
        self._folder = folder
        self._positions = {name: k for k, name in enumerate(processes)}
        self._known: set[str] = set()

    def __iter__(self) -> Iterator[Envelope]:
        """The events, never ending."""
        from time import sleep

        from latwin.events import by_group, in_order

        while True:
            for found in self._batches():
                yield from (envelope for envelope in found if envelope.problem is not None)
                events = by_group(envelope for envelope in found if envelope.problem is None)
                for some in events.values():
                    yield from in_order(some, self._positions)
            sleep(_POLL_S)

    def _batches(self) -> Iterator[list[Envelope]]:
        """What the new files hold, in batches of bounded size."""
        batch: list[Envelope] = []
        size = 0
        for path in self._new_files():
            before = 0
            for line in _lines(path):
                batch.append(line.envelope)
                size += line.position - before + _ENVELOPE_BYTES
                before = line.position
                if size >= _BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
        yield batch

    def _new_files(self) -> list[Path]:
        """Files that were not there before, the older ones first."""
        new: list[tuple[int, str, Path]] = []
        try:
            there = list(self._folder.iterdir())
        except FileNotFoundError:  # it may come back
            return []
        for path in there:
            if path.name.endswith(_ENDINGS) and not is_hidden(path.name) and path.name not in self._known:
                try:
                    new.append((path.stat().st_mtime_ns, path.name, path))
                except FileNotFoundError:  # deleted since
                    continue
        self._known.update(name for _, name, _ in new)
        return [path for _, _, path in sorted(new)]


def _lines(path: Path) -> Iterator[Line]:
    """The events of one file, read as a stream; nothing if it went away."""
    from latwin.events import EventReader
    from latwin.events.reading import not_an_event

    position = 0
    try:
        with gzip.open(path) if path.suffix == GZIP else path.open("rb") as stream:
            for line in EventSource(path.name, None, stream, EventReader()).lines():
                if line.envelope.problem is not None:
                    line.envelope.problem = f"{path.name}:{line.envelope.line}: {line.envelope.problem}"
                line.envelope.line = None  # of one file among others, it would mislead
                position = line.position
                yield line
    except FileNotFoundError:
        return
    except (OSError, EOFError, zlib.error) as error:
        yield Line(not_an_event(b"", f"{path.name} cannot be read: {error}"), position)


class Following:
    """The lines of a file, waiting for more where it ends; a line is given once it is whole."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream

    def readline(self, limit: int, /) -> bytes:
        """The next line, or so many bytes of it; it never ends."""
        from time import sleep

        begun = b""
        while True:
            begun += self._stream.readline(limit - len(begun))
            if begun.endswith(b"\n") or len(begun) >= limit:
                return begun
            sleep(_POLL_S)
