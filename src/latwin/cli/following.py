"""Events as they come: a folder that gets files, a file that grows, a pipe; each until nothing comes any more."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from latwin.cli.inputs import EventSource, Line
from latwin.errors import InvalidInput
from latwin.formats.endings import LINES, PACKED, is_hidden

if TYPE_CHECKING:
    from latwin.events import Envelope

_POLL_S = 0.3
#: bytes of lines, after decompression, that are looked at together
_BATCH_BYTES = 32 << 20
#: what a line costs beside its bytes, roughly
_ENVELOPE_BYTES = 1000
_PIPE_BYTES = 1 << 16
_ENDINGS = tuple(ending + packed for packed in ("", *PACKED) for ending in LINES)


class Waiting:
    """How long to wait for more: `idle_s` seconds without anything new, 0 not at all, None without end.

    Only waiting counts, not the time that is spent on what came.
    """

    def __init__(self, idle_s: float | None = None) -> None:
        self._idle_s = idle_s
        self._waited_s = 0.0

    def begin(self) -> None:
        """Count anew: something came."""
        self._waited_s = 0.0

    @property
    def rest_s(self) -> float | None:
        """The seconds that are left; None if there is no end."""
        return None if self._idle_s is None else max(0.0, self._idle_s - self._waited_s)

    def pause(self) -> bool:
        """Wait a moment before the next look; False if it was long enough."""
        rest_s = self.rest_s
        if rest_s == 0.0:
            return False
        pause_s = _POLL_S if rest_s is None else min(_POLL_S, rest_s)
        time.sleep(pause_s)
        self._waited_s += pause_s
        return True


def require_lines(folder: Path) -> None:
    """An input folder may be empty yet; if it has files, some must be JSON lines."""
    names = sorted(path.name for path in folder.iterdir() if not is_hidden(path.name))
    if names and not any(name.endswith(_ENDINGS) for name in names):
        raise InvalidInput(
            f"{folder} is no output of latwin, and has no JSON lines ({', '.join(LINES)}, also with .gz or .zst) to "
            f"be an input; it has {', '.join(names[:3])}"
        )


class NewFiles:
    """The files of JSON lines in a folder, each once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: set[str] = set()

    def new(self) -> list[Path]:
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
                except OSError:  # whoever opens it will say why it cannot be read
                    new.append((0, path.name, path))
        self._known.update(name for _, name, _ in new)
        return [path for _, _, path in sorted(new)]


class FollowingFolder:
    """The events of all files of JSON lines in a folder, waiting for more files.

    What is new at one look at the folder is taken as one batch: in the order in which `latwin run` would take it. As
    for `latwin run`, files must appear whole. After `_BATCH_BYTES` a batch ends, as `latwin run` ends it after
    `--max-files`: so much is in memory at once, however well the files are compressed.
    """

    def __init__(self, folder: Path, processes: Sequence[str], waiting: Waiting | None = None) -> None:
        self._files = NewFiles(folder)
        self._waiting = waiting or Waiting()
        self._positions = {name: k for k, name in enumerate(processes)}

    def __iter__(self) -> Iterator[Envelope]:
        """The events, until nothing comes any more."""
        from latwin.events import by_group, in_order

        while True:
            for found in self._batches():
                if found:
                    self._waiting.begin()
                yield from (envelope for envelope in found if envelope.problem is not None)
                events = by_group(envelope for envelope in found if envelope.problem is None)
                for some in events.values():
                    yield from in_order(some, self._positions)
            if not self._waiting.pause():
                return

    def _batches(self) -> Iterator[list[Envelope]]:
        """What the new files hold, in batches of bounded size."""
        batch: list[Envelope] = []
        size = 0
        for path in self._files.new():
            before = 0
            for line in _lines(path):
                batch.append(line.envelope)
                size += line.position - before + _ENVELOPE_BYTES
                before = line.position
                if size >= _BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
        yield batch


def _lines(path: Path) -> Iterator[Line]:
    """The events of one file, read as a stream; nothing if it went away."""
    from latwin.events import EventReader
    from latwin.events.reading import not_an_event
    from latwin.formats.compression import PlainStream

    position = 0
    try:
        with path.open("rb") as file:
            for line in EventSource(path.name, None, PlainStream(file).open(), EventReader()).lines():
                if line.envelope.problem is not None:
                    line.envelope.problem = f"{path.name}:{line.envelope.line}: {line.envelope.problem}"
                line.envelope.line = None  # of one file among others, it would mislead
                position = line.position
                yield line
    except FileNotFoundError:
        return
    except (OSError, InvalidInput) as error:
        yield Line(not_an_event(b"", f"{path.name} cannot be read: {error}"), position)


def followed(source: EventSource, waiting: Waiting | None = None) -> EventSource:
    """A file's events as the file grows, or a pipe's until it is closed; or until nothing comes any more."""
    stream = cast(BinaryIO, source.stream)
    if not source.is_live:
        return source._replace(stream=Following(stream, path=source.name, waiting=waiting))
    if waiting is not None and waiting.rest_s:  # only then it matters how long a pipe is silent
        return source._replace(stream=Pipe(stream.fileno(), waiting))
    return source


class Following:
    """The lines of a file, waiting for more where it ends; a line is given once it is whole.

    If `path` names the file, another file under that name is read when the first one ends, as `tail -F` does: logs
    are rotated. A file that became shorter is read from its beginning.
    """

    def __init__(self, stream: BinaryIO, *, path: str | None = None, waiting: Waiting | None = None) -> None:
        self._stream = stream
        self._path = path
        self._waiting = waiting or Waiting()

    def readline(self, limit: int, /) -> bytes:
        """The next line, or so many bytes of it; nothing once nothing comes any more."""
        begun = b""
        while True:
            piece = self._stream.readline(limit - len(begun))
            begun += piece
            if piece:
                self._waiting.begin()
            if begun.endswith(b"\n") or len(begun) >= limit:
                return begun
            if self._reopen():
                if begun:  # the rest of the line will not come
                    return begun
            elif not self._waiting.pause():
                return begun

    def _reopen(self) -> bool:
        """Go on with the file that has the name now, if it is another one."""
        if self._path is None:
            return False
        try:
            named, own = os.stat(self._path), os.fstat(self._stream.fileno())
            if os.path.samestat(named, own) and named.st_size >= self._stream.tell():
                return False
            another = open(self._path, "rb")  # noqa: SIM115 - it is read as long as this lives
        except FileNotFoundError:  # another one may come
            return False
        self._stream.close()
        self._stream = another
        return True


class Pipe:
    """The lines of a pipe, until it is closed or nothing comes any more."""

    def __init__(self, descriptor: int, waiting: Waiting) -> None:
        self._descriptor = descriptor
        self._waiting = waiting
        self._read = b""
        self._is_over = False

    def readline(self, limit: int, /) -> bytes:
        """The next line, or so many bytes of it; nothing at the end."""
        while b"\n" not in self._read and len(self._read) < limit and not self._is_over:
            ready, _, _ = select.select([self._descriptor], [], [], self._waiting.rest_s)
            piece = os.read(self._descriptor, _PIPE_BYTES) if ready else b""
            self._read += piece
            self._is_over = not piece
        end = self._read.find(b"\n") + 1 or len(self._read)
        line, self._read = self._read[: min(end, limit)], self._read[min(end, limit) :]
        return line
