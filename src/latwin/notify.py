"""Telling an application what changed, or what became final: verdicts as messages, to a URL or a Python function."""

from __future__ import annotations

import hashlib
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

from latwin.errors import InvalidInput, LatwinError

Message = dict[str, Any]
_TRY_AGAIN = (408, 425, 429)


class NotifyFailed(LatwinError):
    """The application could not be told. In a pipeline the batch fails, and is replayed at the next start."""


class _Refused(Exception):
    """The application's answer says that trying again is no use."""


class Messenger:
    """Hands messages over to an application.

    `target` is a URL, to which a message is POSTed as JSON, or a function that takes it as a dictionary. A message
    is a verdict's fields and an `id`, which is the same whenever the same verdict is told again (see `message_of`).

    A message that cannot be handed over is tried `tries` times, after `backoff_s` seconds, then twice as long, and so
    on. Whoever acts on a message remembers its `id` and ignores it the second time.
    """

    def __init__(
        self,
        target: str | Callable[[Message], object],
        *,
        final: bool = False,
        timeout_s: float = 10.0,
        tries: int = 5,
        backoff_s: float = 0.5,
        max_backoff_s: float = 30.0,
        headers: dict[str, str] | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        if isinstance(target, str):
            parts = urlsplit(target)
            if parts.scheme not in ("http", "https") or not parts.netloc:
                raise InvalidInput(
                    f"notify: the URL must begin with http:// or https:// and name a host; got {target!r}"
                )
        elif not callable(target):
            raise InvalidInput(f"notify: the target must be a URL or a function; got {type(target).__name__}")
        if tries < 1:
            raise InvalidInput(f"notify: tries must be at least 1; got {tries}")
        self._target = target
        #: which verdicts are told: this field of theirs is true
        self.column = "final" if final else "changed"
        self._timeout_s = timeout_s
        self._tries = tries
        self._backoff_s = backoff_s
        self._max_backoff_s = max_backoff_s
        self._headers = dict(headers or {})
        self._sleep = sleep

    def tell(self, message: Message) -> None:
        """Hand over one message, with as many tries as are allowed."""
        pause_s = self._backoff_s
        for attempt in range(1, self._tries + 1):
            try:
                self._hand_over(message)
            except Exception as error:  # whatever a function or a network raises
                if attempt == self._tries or isinstance(error, _Refused):
                    times = f"{attempt} time{'s' * (attempt > 1)}"
                    raise NotifyFailed(f"{self._name}: tried {times}, then gave up: {error}") from error
                self._sleep(min(pause_s, self._max_backoff_s))
                pause_s *= 2
            else:
                return

    @property
    def _name(self) -> str:
        return self._target if isinstance(self._target, str) else getattr(self._target, "__name__", "notify")

    def _hand_over(self, message: Message) -> None:
        if not isinstance(self._target, str):
            self._target(dict(message))
            return
        headers = {"Content-Type": "application/json", "Idempotency-Key": message["id"], **self._headers}
        request = urllib.request.Request(
            self._target, data=msgspec.json.encode(message), headers=headers, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=self._timeout_s) as answer:
                answer.read()
        except urllib.error.HTTPError as error:
            if 400 <= error.code < 500 and error.code not in _TRY_AGAIN:
                raise _Refused(f"the answer was {error.code} {error.reason}") from None
            raise


def message_of(verdict: Message) -> Message:
    """The message for a verdict: its fields, and an `id` that follows from group, property and slide."""
    named = msgspec.json.encode([verdict["group"], verdict["property"], verdict["slide"]])
    return {"id": hashlib.sha256(named).hexdigest()[:32], **verdict}
