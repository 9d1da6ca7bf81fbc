"""The outbox: begun states that are not reported yet, bounded; and the thread that reports them.

update, receive --append--> outbox (memory, and the journal if there is one) --take--> shipper --send--> reporter
                               ^                                                           |
                               +----------------------- acknowledge ----------------------+
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Thread
from time import monotonic

from latwin.errors import InvalidInput, JournalError, UnsentStates
from latwin.process.journal import Journal
from latwin.process.reporter import Reporter
from latwin.process.settings import Settings

_log = logging.getLogger("latwin.process")


class Outbox:
    """States in their order, from `append` until `acknowledge`; thread-safe.

    `name` is that of the process, for messages. `trouble` is what the reporter said last, None when it took the last
    batch.
    """

    def __init__(self, name: str, settings: Settings, journal: Journal | None) -> None:
        self.name = name
        self.settings = settings
        self.journal = journal
        self.trouble: str | None = None
        self._changed = Condition()
        self._unsent: deque[tuple[int, bytes]] = deque(journal.unsent if journal is not None else ())
        self._hurried = 0  # callers that wait for all to be sent, so that nothing is gathered meanwhile
        self._nudged = False
        self._closing = False
        self._abandoned = False

    def __len__(self) -> int:
        """How many states are not acknowledged."""
        return len(self._unsent)

    # -- the process's side ---------------------------------------------------------------------

    @contextmanager
    def room(self, deadline: float | None) -> Iterator[None]:
        """Hold the outbox with room for one more state; UnsentStates if there is none by the deadline."""
        limit = self.settings.max_unsent
        with self._changed:
            self._changed.wait_for(lambda: self._closing or len(self) < limit, _until(deadline))
            if self._closing:
                raise InvalidInput(f"process {self.name!r} is closed; nothing can begin in it any more")
            if len(self) >= limit:
                raise UnsentStates(
                    f"process {self.name!r}: max_unsent={limit} states are not acknowledged, and none was within "
                    f"timeout_s={self.settings.timeout_s}{self._told()}; mend the reporter, or raise max_unsent",
                    unsent=len(self),
                )
            yield

    def append(self, index: int, event: bytes) -> None:
        """Keep a state, first on disk; the caller holds the outbox by `room`."""
        if self.journal is not None:
            self.journal.append(index, event)
        self._unsent.append((index, event))
        self._changed.notify_all()

    def wait_until_sent(self, deadline: float | None) -> None:
        """Return when all that is there now is acknowledged; UnsentStates if it is not by the deadline."""
        with self._changed:
            if not self._unsent:
                return
            last = self._unsent[-1][0]

            def sent() -> bool:
                return not self._unsent or self._unsent[0][0] > last

            self._hurry()
            try:
                self._changed.wait_for(lambda: sent() or self._abandoned, _until(deadline))
            finally:
                self._hurried -= 1
            if not sent():
                raise self._not_sent()

    def close(self) -> None:
        """Take no more states; the shipper ends when all is sent."""
        with self._changed:
            self._closing = True
            self._hurry()

    def abandon(self) -> UnsentStates | None:
        """Let the shipper end whatever is left, and close the journal; what is left is the answer."""
        with self._changed:
            self._abandoned = self._closing = True
            self._changed.notify_all()
            if self.journal is not None:
                self.journal.close()
            return self._not_sent() if self._unsent else None

    def _hurry(self) -> None:
        self._hurried += 1
        self._nudged = True
        self._changed.notify_all()

    def _not_sent(self) -> UnsentStates:
        fate = (
            "they are lost when the program ends, because there is no journal"
            if self.journal is None
            else f"they are kept in {self.journal.path}, and sent after the next start"
        )
        return UnsentStates(
            f"process {self.name!r}: {len(self):,} states are not acknowledged{self._told()}; {fate}",
            unsent=len(self),
        )

    def _told(self) -> str:
        return f" (the reporter: {self.trouble})" if self.trouble is not None else ""

    # -- the shipper's side ---------------------------------------------------------------------

    def take(self) -> list[tuple[int, bytes]]:
        """The oldest states, as many as a batch holds; they stay until acknowledged. Empty: it is over."""
        settings = self.settings
        with self._changed:
            self._changed.wait_for(lambda: self._unsent or self._closing)
            if not self._hurried and not self._closing:
                self._changed.wait_for(
                    lambda: self._hurried or self._closing or len(self) >= settings.max_batch, settings.gather_s
                )
            if self._abandoned:
                return []
            batch: list[tuple[int, bytes]] = []
            size = 0
            for index, event in self._unsent:
                size += len(event)
                if batch and (len(batch) == settings.max_batch or size > settings.max_batch_bytes):
                    break
                batch.append((index, event))
            return batch

    def acknowledge(self, through: int) -> None:
        """The reporter has the states up to this one."""
        with self._changed:
            self.trouble = None
            while self._unsent and self._unsent[0][0] <= through:
                self._unsent.popleft()
            self._changed.notify_all()
            if self.journal is None or self._abandoned:
                return  # a state that is sent again at the next start does no harm
            try:
                self.journal.acknowledge(through)
            except JournalError as error:
                _log.warning("%s; what was reported will be reported once more after a restart", error)

    def pause(self, trouble: str, seconds: float) -> None:
        """Remember what the reporter said, and wait; cut short once by whoever waits for all to be sent."""
        with self._changed:
            self.trouble = trouble
            self._changed.wait_for(lambda: self._nudged or self._abandoned, seconds)
            self._nudged = False


class Shipper:
    """The thread that reports what is in an outbox, in order, and again until it is taken."""

    def __init__(self, outbox: Outbox, reporter: Reporter) -> None:
        self._outbox = outbox
        self._reporter = reporter
        # A daemon, so that a program that forgets to close it can end; Process closes at exit.
        self._thread = Thread(target=self._run, name=f"latwin-{outbox.name}", daemon=True)
        self._thread.start()

    def join(self, deadline: float | None) -> None:
        """Wait for the thread's end."""
        self._thread.join(_until(deadline))

    def _run(self) -> None:
        first, longest = self._outbox.settings.retry_s
        wait = first
        while batch := self._outbox.take():
            try:
                self._reporter.send([event for _, event in batch])
            except Exception as error:  # noqa: BLE001 (whatever a reporter raises means: not acknowledged)
                trouble = f"{type(error).__name__}: {error}"
                if wait == first:
                    _log.warning("process %r cannot report, and goes on trying: %s", self._outbox.name, trouble)
                self._outbox.pause(trouble, wait)
                wait = min(2 * wait, longest)
            else:
                if wait != first:
                    _log.info("process %r reports again", self._outbox.name)
                wait = first
                self._outbox.acknowledge(batch[-1][0])
        try:
            self._reporter.close()
        except Exception as error:  # noqa: BLE001 (all is acknowledged, or told by `close`)
            _log.warning("process %r: closing the reporter: %s: %s", self._outbox.name, type(error).__name__, error)


def _until(deadline: float | None) -> float | None:
    """Seconds that are left."""
    return None if deadline is None else max(0.0, deadline - monotonic())
