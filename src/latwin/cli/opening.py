"""Opening a log: a file or standard input, compressed or not, its format told by its beginning."""

from __future__ import annotations

import os
import shlex
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Annotated

import typer

from latwin.cli.inputs import STDIN
from latwin.errors import InvalidInput
from latwin.formats.endings import AUTO, UNCLOCKED

if TYPE_CHECKING:
    from latwin.formats import Log, Options
    from latwin.formats.compression import PlainStream

ClocksOption = Annotated[
    bool, typer.Option("--clocks", help="Derive the clocks of steps and spans, as `latwin clocks` does.")
]
_NAMES = {"steps": "steps", "otlp": "OTLP spans", "jaeger": "Jaeger spans", "zipkin": "Zipkin spans"}


@dataclass(frozen=True)
class OpenedLog:
    """A log that is ready to be read once."""

    path: str
    #: one of the formats; never `auto`
    format: str
    stream: PlainStream
    #: in bytes; None if more may come slowly, 0 if that is not known
    size: int | None

    @property
    def needs_clocks(self) -> bool:
        """Whether it has steps or spans, which have no clocks."""
        return self.format in UNCLOCKED

    def read(self, options: Options) -> Log:
        """All that it holds, with derived clocks if these were asked for; messages name the log."""
        from latwin.formats.readers import read_stream

        with naming(self.path):
            if self.needs_clocks:
                from latwin.cli.derived import read_unclocked

                return read_unclocked(self.path, self.format, self.stream.read_whole(), options)
            return read_stream(self.stream, self.format, options)


@contextmanager
def open_log(path: str, file_format: str, options: Options, *, clocks: bool = False) -> Iterator[OpenedLog]:
    """A log, its format told by its beginning if it is `auto`.

    Raises InvalidInput if the format cannot be told, or if clocks are missing and are not to be derived.
    """
    from latwin.formats.compression import PlainStream

    with _open(path) as file:
        with naming(path):
            stream = PlainStream(file)
            kind = _told(stream, path, options) if file_format == AUTO else file_format
        if kind in UNCLOCKED and not clocks:
            command = (
                ""
                if path == STDIN
                else f"derive them first: latwin clocks {shlex.quote(path)} --out events.jsonl; or "
            )
            raise InvalidInput(f"{path}: it has {_NAMES[kind]}, which have no clocks; {command}add --clocks")
        yield OpenedLog(path, kind, stream, _size(path, file, stream))


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Errors name the log."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None


def _told(stream: PlainStream, path: str, options: Options) -> str:
    from latwin.formats import format_of
    from latwin.formats.recognise import BEGINNING, is_told

    beginning = stream.beginning(BEGINNING, lambda some: is_told(some, options.names))
    if not beginning.strip():
        return "jsonl"  # no events, which is a log, too
    return format_of(beginning, path, options)


@contextmanager
def _open(path: str) -> Iterator[IO[bytes]]:
    if path == STDIN:
        if sys.stdin.isatty():
            sys.stderr.write("reading events from the terminal, one JSON object a line; Ctrl-D ends\n")
        yield sys.stdin.buffer
        return
    with open(path, "rb") as file:
        yield file


def _size(path: str, file: IO[bytes], stream: PlainStream) -> int | None:
    if path == STDIN:
        return None
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_size if stream.compression is None else 0
