"""Plain bytes of a file, also of one that gzip or zstd compressed; which it is, its first bytes tell.

A stream is decompressed piece by piece. Who needs the whole of it calls `read_whole`, which gives up in time: a small
file may expand to more than any memory holds.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from typing import IO, Literal

from latwin.errors import InvalidInput
from latwin.formats.arrow import zstd_reader

Compression = Literal["gzip", "zstd"]
#: what a compressed file may expand to where it is read whole
MAX_WHOLE_BYTES = 1 << 30
_MAGIC: dict[bytes, Compression] = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_PIECE = 1 << 16


def compression_of(beginning: bytes) -> Compression | None:
    """How a file that begins so is compressed; None if it is not.

    >>> compression_of(gzip.compress(b"hello")), compression_of(b"hello")
    ('gzip', None)
    """
    return next((name for magic, name in _MAGIC.items() if beginning.startswith(magic)), None)


class PlainStream:
    """The plain bytes of a file or pipe; its beginning can be looked at, and stays there.

    Reading raises InvalidInput if the compressed data are damaged, or cut off.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._bytes = _Peekable(_piecewise(file))
        #: how it is compressed
        self.compression = compression_of(self._bytes.peek(max(map(len, _MAGIC))))
        if self.compression is not None:
            packed = io.BufferedReader(_Pieces(self._bytes.take), _PIECE)
            self._bytes = _Peekable(_decompressor(self.compression, packed))

    def beginning(self, most: int, is_enough: Callable[[bytes], bool] = lambda _: False) -> bytes:
        """The first bytes, at most so many, without taking them; fewer if these are enough, or there are no more.

        It waits for a pipe's bytes only as long as what came is not enough.
        """
        found = self._bytes.peek(1)
        while len(found) < most and not is_enough(found):
            more = self._bytes.peek(len(found) + 1)
            if len(more) == len(found):
                break
            found = more
        return found[:most]

    def open(self) -> io.BufferedReader:
        """The stream from its beginning, to be taken once."""
        return io.BufferedReader(_Pieces(self._bytes.take), _PIECE)

    def read_whole(self) -> bytes:
        """All of it; InvalidInput if it expands to more than `MAX_WHOLE_BYTES`."""
        pieces, size = [], 0
        while piece := self._bytes.take(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if self.compression is not None and size > MAX_WHOLE_BYTES:
                raise InvalidInput(
                    f"its {self.compression} data expand to more than {MAX_WHOLE_BYTES:,} bytes; decompress it first"
                )
        return b"".join(pieces)


class _Peekable:
    """A function that gives the next bytes, and those that were looked at before."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._seen = b""

    def peek(self, least: int) -> bytes:
        """At least so many of the next bytes, unless there are fewer."""
        while len(self._seen) < least and (piece := self._read(_PIECE)):
            self._seen += piece
        return self._seen

    def take(self, most: int) -> bytes:
        """The next bytes, at most so many; nothing at the end."""
        if not self._seen:
            return self._read(most)
        piece, self._seen = self._seen[:most], self._seen[most:]
        return piece


class _Pieces(io.RawIOBase):
    """A function that gives the next bytes, as a file."""

    def __init__(self, take: Callable[[int], bytes]) -> None:
        self._take = take

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        piece = self._take(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)


def _piecewise(file: IO[bytes]) -> Callable[[int], bytes]:
    """What is there, at most so many bytes; of a pipe, as soon as something came."""
    read: Callable[[int], bytes] = getattr(file, "read1", file.read)
    return read


def _decompressor(compression: Compression, file: IO[bytes]) -> Callable[[int], bytes]:
    unpack = gzip.GzipFile(fileobj=file).read1 if compression == "gzip" else _zstd(file)

    def read(most: int) -> bytes:
        try:
            return unpack(most)
        except (OSError, EOFError, zlib.error) as error:
            raise InvalidInput(f"its {compression} data are damaged or cut off: {error}") from None

    return read


def _zstd(file: IO[bytes]) -> Callable[[int], bytes]:
    """By Python itself from 3.14 on, else by pyarrow."""
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        unpack = zstd_reader(file)
        if unpack is None:
            raise InvalidInput(
                "zstd needs Python 3.14, or pyarrow (pip install 'latwin[spark]'); or decompress it first"
            ) from None
        return unpack
    opened = zstd.ZstdFile(file)

    def read(most: int) -> bytes:
        try:
            piece: bytes = opened.read1(most)
        except zstd.ZstdError as error:
            raise OSError(str(error)) from None
        return piece

    return read
