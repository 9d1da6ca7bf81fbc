"""What commands read: the spec, and events as JSON lines from a file or standard input."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from latwin.errors import PropertyError
from latwin.model import Notice

if TYPE_CHECKING:
    from latwin.spec import Spec

STDIN = "-"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SHOWN_CHARACTERS = 200


class Line(NamedTuple):
    """One line that is not blank: its event, or a notice if it is no JSON."""

    number: int
    event: Any
    unreadable: Notice | None
    #: bytes of input up to its end
    position: int


class EventSource(NamedTuple):
    """Where events come from."""

    name: str
    #: in bytes; None if that is not known before the end
    size: int | None
    stream: IO[bytes]
    #: what the lines call fields, and what these are called here, where they differ
    names: Mapping[str, str] = MappingProxyType({})

    @property
    def is_live(self) -> bool:
        """Whether lines may come slowly, so that answers must not wait for more of them."""
        return self.size is None

    def lines(self) -> Iterator[Line]:
        """The lines in order; a line that is no JSON comes with a notice instead of an event."""
        import msgspec

        decode = msgspec.json.Decoder().decode
        position = 0
        for number, content in enumerate(self.stream, start=1):
            position += len(content)
            text = content.removeprefix(_BYTE_ORDER_MARK) if number == 1 else content
            if not text.strip():
                continue
            try:
                event = decode(text)
                if self.names and isinstance(event, dict):
                    event = {self.names.get(name, name): value for name, value in event.items()}
                line = Line(number, event, None, position)
            except msgspec.MsgspecError as error:
                line = Line(number, None, _unreadable(text, _reason(error)), position)
            except UnicodeDecodeError as error:
                line = Line(number, None, _unreadable(text, f"not UTF-8: {error.reason}"), position)
            except RecursionError:
                line = Line(number, None, _unreadable(text, "nested too deeply"), position)
            yield line


def group_of(event: Any) -> str:
    """An event's group; those without one are together."""
    group = event.get("group") if isinstance(event, dict) else None
    return "" if group is None else str(group)


def load_spec(path: Path) -> Spec:
    """The spec of a file; a mistake in a property names the file, too."""
    from latwin.spec import Spec

    try:
        return Spec.load(path)
    except PropertyError as error:
        raise PropertyError(f"{path}: {error}", line=error.line, column=error.column) from None


@contextmanager
def open_events(path: str) -> Iterator[EventSource]:
    """The events of a file, or of standard input if `path` is `-`."""
    if path == STDIN:
        if sys.stdin.isatty():
            sys.stderr.write("reading events from the terminal, one JSON object a line; Ctrl-D ends\n")
        yield EventSource("stdin", None, sys.stdin.buffer)
        return
    with open(path, "rb") as stream:
        status = os.fstat(stream.fileno())
        yield EventSource(path, status.st_size if stat.S_ISREG(status.st_mode) else None, stream)


def _reason(error: Exception) -> str:
    return str(error).removeprefix("JSON is malformed: ")


def _unreadable(content: bytes, reason: str) -> Notice:
    text = content.decode(errors="replace").strip()
    if len(text) > _SHOWN_CHARACTERS:
        text = text[:_SHOWN_CHARACTERS] + "..."
    return Notice(kind="rejected", reason=f"not valid JSON: {reason}", event=text)
