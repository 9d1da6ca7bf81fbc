"""What commands read: the spec, and events as JSON lines from a file or standard input."""

from __future__ import annotations

import os
import stat
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from latwin.errors import InvalidInput, PropertyError

if TYPE_CHECKING:
    from latwin.events import Envelope, EventReader
    from latwin.events.lines import Readable
    from latwin.order_choice import Order
    from latwin.spec import Spec

STDIN = "-"
SpecArgument = Annotated[Path, typer.Argument(metavar="SPEC", help="The specification, a TOML file.")]


class Line(NamedTuple):
    """One line that is not blank: its event, or what is wrong with it."""

    envelope: Envelope
    #: bytes of input up to its end
    position: int


class EventSource(NamedTuple):
    """Where events come from."""

    name: str
    #: in bytes; None if that is not known before the end
    size: int | None
    stream: Readable
    reader: EventReader
    #: the order of its events, where one was chosen
    order: Order | None = None

    @property
    def is_live(self) -> bool:
        """Whether lines may come slowly, so that answers must not wait for more of them."""
        return self.size is None

    def lines(self) -> Iterator[Line]:
        """The lines in order; a line that is no event comes with its problem.

        Raises InvalidInput if a compressed file is damaged.
        """
        from latwin.events.lines import lines_of

        try:
            for raw in lines_of(self.stream, self.reader.max_bytes):
                envelope = (
                    self.reader.line(raw.text) if raw.size is None else self.reader.too_long(raw.text, raw.size)
                )
                if envelope is not None:
                    envelope.line = raw.number
                    yield Line(envelope, raw.position)
        except InvalidInput as error:
            raise InvalidInput(f"{self.name}: {error}") from None


def load_spec(path: Path) -> Spec:
    """The spec of a file; a mistake in a property names the file, too."""
    from latwin.spec import Spec

    try:
        return Spec.load(path)
    except PropertyError as error:
        raise PropertyError(f"{path}: {error}", line=error.line, column=error.column) from None


def complete_property(context: typer.Context, incomplete: str) -> list[str]:
    """For a shell: the properties of the spec, the first argument, as far as it can be read."""
    path = context.params.get("spec_path") or next(iter(context.args), None)
    try:
        properties = tomllib.loads(Path(path or "").read_text(encoding="utf-8"))["properties"]
    except (OSError, KeyError, ValueError):
        return []
    return [name for name in properties if name.startswith(incomplete)]


@contextmanager
def open_events(path: str, reader: EventReader | None = None) -> Iterator[EventSource]:
    """The events of a file, or of standard input if `path` is `-`."""
    from latwin.events import EventReader

    reader = reader or EventReader()
    if path == STDIN:
        if sys.stdin.isatty():
            sys.stderr.write("reading events from the terminal, one JSON object a line; Ctrl-D ends\n")
        yield EventSource("stdin", None, sys.stdin.buffer, reader)
        return
    with open(path, "rb") as stream:
        status = os.fstat(stream.fileno())
        yield EventSource(path, status.st_size if stat.S_ISREG(status.st_mode) else None, stream, reader)
