"""`latwin serve`: the explorer's page, live over events as they come or over a pipeline's output."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Annotated, Any, cast

import typer

from latwin.cli.inputs import STDIN, EventSource, load_spec, open_events
from latwin.cli.terminal import print_labelled
from latwin.errors import InvalidInput, TooManyWaiting

if TYPE_CHECKING:
    from latwin.explorer.feed import Feed
    from latwin.spec import Spec

_POLL_S = 0.3
_ENDINGS = (".jsonl", ".ndjson", ".json")


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

    Over a pipeline's input folder (JSON lines) it shows everything, from local monitors that say what the pipeline
    says; over its output folder verdicts and counters, for that is what the folder holds.
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
    if source != STDIN and Path(source).is_dir() and not _is_output(Path(source)):
        from latwin.explorer.feed import EventFeed

        yield EventFeed(
            spec, _Reader(EventSource(source, None, cast(IO[bytes], FollowingFolder(Path(source))))), only=group
        )
        return
    if source != STDIN and Path(source).is_dir():
        if find_spec("pyarrow") is None:
            raise InvalidInput("to read a pipeline's output, pyarrow is needed: pip install 'latwin[spark]'")
        from latwin.explorer.outputs import OutputFeed

        yield OutputFeed(spec, Path(source))
        return
    with open_events(source) as opened:
        from latwin.explorer.feed import EventFeed

        reader = _Reader(opened)
        try:
            yield EventFeed(spec, reader, only=group)
        except TooManyWaiting as error:
            raise TooManyWaiting(f"{opened.name}:{reader.line}: {error}") from None


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
                print_labelled(
                    "note: ", "bold yellow", f"{self._source.name}:{line.number}: {line.unreadable.reason}"
                )
            yield line.event


def _is_output(folder: Path) -> bool:
    """Whether a folder is a pipeline's output; one without any files may become either, and is taken for one."""
    if (folder / "verdicts").is_dir():
        return True
    return not any(path.suffix in _ENDINGS for path in folder.iterdir())


class FollowingFolder:
    """The lines of all files of JSON lines in a folder, older files first, waiting for more of them.

    As for `latwin run`, files must appear whole.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: set[str] = set()

    def __iter__(self) -> Iterator[bytes]:
        """The lines, never ending."""
        from time import sleep

        while True:
            for path in self._new_files():
                for line in path.read_bytes().splitlines():
                    yield line + b"\n"
            sleep(_POLL_S)

    def _new_files(self) -> list[Path]:
        new = [
            path
            for path in self._folder.iterdir()
            if path.suffix in _ENDINGS and not path.name.startswith((".", "_")) and path.name not in self._known
        ]
        self._known.update(path.name for path in new)
        return sorted(new, key=lambda path: (path.stat().st_mtime_ns, path.name))


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
