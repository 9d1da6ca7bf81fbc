"""What clocks are derived from, and what can be wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Step(NamedTuple):
    """Something a process did: it entered a state, and perhaps sent and received messages."""

    process: str
    #: where it stands among the steps of its process: numbers come before texts, texts go by their characters
    order: int | float | str
    #: ids of the messages sent in this step; an id means the same message everywhere in the group
    sent: tuple[str, ...] = ()
    received: tuple[str, ...] = ()
    state: Mapping[str, Any] = _NOTHING
    #: passed on; also sorts the order of arrival if all steps of the group have one
    time: Any = None
    group: str = ""

    @property
    def where(self) -> str:
        """Process and order, for messages."""
        return f"{self.process!r} at {self.order!r}"

    def as_dict(self) -> dict[str, Any]:
        """The step as JSON lines have it."""
        return {**self._asdict(), "state": dict(self.state)}

    def content(self) -> bytes:
        """The same bytes for the same content."""
        return msgspec.json.encode(self.as_dict(), order="deterministic", enc_hook=str)


#: - unreadable: not a step at all, rejected
#: - duplicate: a step that came before, with the same content, dropped
#: - tie: another step of the process has the same order, rejected
#: - sent_twice: a message id that stands for two sendings
#: - missing_send: a message that was received, but not sent
#: - cycle: steps that would have happened before themselves, rejected
#: - behind: comes after a step that was rejected for its messages, so it is rejected too
#: - span: a span with something wrong about it, kept
#: - late: came when later ones had been delivered, rejected; only in a stream
#: - gap: earlier steps that did not come in time, declared lost; only in a stream
ProblemKind = Literal[
    "unreadable", "duplicate", "tie", "sent_twice", "missing_send", "cycle", "behind", "span", "late", "gap"
]


class StepProblem:
    """Something that is wrong with a step, or with what should have been one."""

    __slots__ = ("group", "is_rejected", "kind", "message", "order", "process", "reason", "row")

    def __init__(
        self,
        kind: ProblemKind,
        reason: str,
        step: Step | None = None,
        *,
        message: str | None = None,
        is_rejected: bool = False,
        group: str | None = None,
        row: Any = None,
    ) -> None:
        """Of a step, or, where there is none, of a `row`, which is what came."""
        self.kind = kind
        self.reason = reason
        self.group = step.group if step is not None else group
        self.process = step.process if step is not None else None
        self.order = step.order if step is not None else None
        self.message = message
        #: whether it is not among the events
        self.is_rejected = is_rejected
        self.row = step.as_dict() if step is not None else row

    def as_dict(self) -> dict[str, Any]:
        """The fields, for JSON."""
        return {
            "group": self.group,
            "kind": self.kind,
            "reason": self.reason,
            "process": self.process,
            "order": self.order,
            "message": self.message,
            "rejected": self.is_rejected,
            "row": self.row,
        }

    def __repr__(self) -> str:
        """The fields."""
        return f"StepProblem({self.as_dict()})"
