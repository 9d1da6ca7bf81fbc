"""The body of a request over HTTP, whole, by its length or in chunks, and no larger than it may be.

Exporters of OpenTelemetry that compress on the way, as those for Java and JavaScript do, send chunks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BufferedIOBase

_LONGEST_LINE = 1024
_MOST_TRAILERS = 100
_SIZE = re.compile(rb"[0-9A-Fa-f]{1,15}")
#: so much more than may be taken is read and thrown away: a sender listens to the answer only when it has sent all
_THROWN_AWAY = 4
_PIECE = 1 << 20


class BodyRefused(Exception):
    """A body that is not taken: the status of HTTP, and why."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def read_body(file: BufferedIOBase, headers: Mapping[str, str], most: int) -> bytes | None:
    """The body; None if the sender went away before its end; BodyRefused if it has no length, or too much of it.

    After a refusal the connection cannot be used again.
    """
    coding = headers.get("Transfer-Encoding")
    length = headers.get("Content-Length")
    if coding is not None:
        if coding.strip().lower() != "chunked" or length is not None:
            raise BodyRefused(400, f"the body must have a Content-Length, or come in chunks; got {coding!r}")
        return _read_chunks(file, most)
    if length is None or not (length.isascii() and length.isdigit()):
        raise BodyRefused(411, "the request needs its Content-Length, or must come in chunks")
    size = int(length)
    if size > most:
        _throw_away(file, min(size, _THROWN_AWAY * most))
        raise BodyRefused(413, f"a post may have {most:,} bytes; this one has {size:,}")
    body = file.read(size)
    return body if len(body) == size else None


def _read_chunks(file: BufferedIOBase, most: int) -> bytes | None:
    """A body in chunks, each after a line with its size; an empty one is the last, and fields may follow."""
    body = bytearray()
    is_large = False
    read = 0
    while True:
        line = file.readline(_LONGEST_LINE)
        if not line:
            return None
        found = _SIZE.fullmatch(line.partition(b";")[0].strip())
        if found is None or not line.endswith(b"\n"):
            raise BodyRefused(400, "a chunk of the body must begin with its size")
        size = int(found[0], 16)
        if not size:
            break
        read += size
        is_large = is_large or read > most
        if is_large and read > _THROWN_AWAY * most:
            raise _too_large(most)
        if is_large:
            body.clear()
            _throw_away(file, size)
        else:
            body += file.read(size)
        end = file.readline(2)
        if not end:
            return None
        if end not in (b"\r\n", b"\n"):
            raise BodyRefused(400, "a chunk of the body must end with a line's end")
    for _ in range(_MOST_TRAILERS):
        if file.readline(_LONGEST_LINE) in (b"\r\n", b"\n", b""):
            break
    if is_large:
        raise _too_large(most)
    return bytes(body)


def _too_large(most: int) -> BodyRefused:
    return BodyRefused(413, f"a post may have {most:,} bytes; this one has more")


def _throw_away(file: BufferedIOBase, size: int) -> None:
    while size > 0:
        piece = file.read(min(size, _PIECE))
        if not piece:
            return
        size -= len(piece)
