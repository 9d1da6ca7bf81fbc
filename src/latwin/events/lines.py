"""What a line is, everywhere: what stands between two line feeds.

Blanks around it mean nothing, and a carriage return is a blank. No other character ends a line: neither a carriage
return alone nor one of Unicode's separators. A line longer than an event may be is cut off while it is read, so that
reading takes bounded memory whatever a stream holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple, Protocol

from latwin.events.decoding import MAX_EVENT_BYTES, SHOWN_BYTES, trimmed


class Readable(Protocol):
    """What lines are read from: a file in binary mode, or something that behaves like one."""

    def readline(self, limit: int, /) -> bytes:
        """The rest of the line, but at most so many bytes; nothing at the end."""


class RawLine(NamedTuple):
    """A line that is not blank."""

    #: its number, from 1, blank lines counted
    number: int
    text: bytes
    #: its bytes, if it is too long and `text` is only its beginning
    size: int | None
    #: bytes of the stream up to its end
    position: int


def lines_of(stream: Readable, most: int = MAX_EVENT_BYTES) -> Iterator[RawLine]:
    """The lines of a stream that are not blank, in order; of a line with more than `most` bytes, its beginning.

    >>> from io import BytesIO
    >>> [line.text for line in lines_of(BytesIO(b"one\\r\\n\\ntwo"))]
    [b'one', b'two']
    """
    number = position = 0
    while piece := stream.readline(most + 1):  # room for the line feed
        number += 1
        position += len(piece)
        if piece.endswith(b"\n") or len(piece) <= most:
            text = trimmed(piece)
            if text:
                yield RawLine(number, text, None, position)
            continue
        size, rest = len(piece), piece
        while not rest.endswith(b"\n") and (rest := stream.readline(most)):
            position += len(rest)
            size += len(rest.removesuffix(b"\n"))
        yield RawLine(number, piece[:SHOWN_BYTES], size, position)


def lines_of_text(text: str) -> Iterator[RawLine]:
    """The same lines of a text that was decoded with `surrogateescape`, as the bytes that they were.

    >>> [line.text for line in lines_of_text("one\\u2028still one\\ntwo")]
    [b'one\\xe2\\x80\\xa8still one', b'two']
    """
    try:
        data = text.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # it was not: it has halves of surrogate pairs, which are no UTF-8
        data = text.encode(errors="surrogatepass")
    return lines_of(BytesIO(data))
