"""What a moment of a chain is as a state: what can be asked of a process, and when it was."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

from latwin.clocks.chains import Moment


def state_of(moment: Moment) -> dict[str, Any]:
    """What can be asked of the process from here on: its innermost open span, and what just ended or was logged."""
    span = moment.span
    event = "log" if span.is_log else "end" if moment.is_end else "start"
    state: dict[str, Any] = {"event": event, "open": len(moment.open)}
    if span.is_log:
        state |= {"log": span.name, "severity": span.status, "log_attributes": _nested(span.attributes)}
    if moment.is_end:
        state |= {"ended": span.name, "status": span.status}
    if moment.open:
        inner = moment.open[-1]
        state |= {"span": inner.name, "kind": inner.kind, "attributes": _nested(inner.attributes)}
    else:
        state["span"] = None
    return state | {"span_id": span.parent if span.is_log else span.id, "trace_id": span.trace}


def _nested(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """`http.request.method` as maps in maps, as properties reach into them; as it is, if a part is no map."""
    nested: dict[str, Any] = {}
    for name in sorted(attributes):
        *path, last = name.split(".")
        inner: Any = nested
        for part in path:
            inner = inner.setdefault(part, {}) if isinstance(inner, dict) else None
        if isinstance(inner, dict) and last not in inner:
            inner[last] = deepcopy(attributes[name])  # a later name may lead into it
        else:
            nested[name] = attributes[name]
    return nested


def iso(nanoseconds: int) -> str:
    """ISO 8601 in UTC to the nanosecond; as texts they sort as the times do."""
    seconds, rest = divmod(nanoseconds, 10**9)
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return f"{seconds}.{rest:09}"
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{rest:09}Z"
