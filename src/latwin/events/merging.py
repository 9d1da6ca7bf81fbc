"""A state from what an event changes and what the process had before, within bounds.

With `[variables]`, and in logs, variables keep their values from event to event. New names in event after event would
make the state grow as long as the stream runs, so the state that is kept is bounded, too, and not the event alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from latwin.errors import InvalidEvent
from latwin.events.decoding import MAX_EVENT_BYTES

#: A process keeps at most so many variables.
MAX_NAMES = 1_000
#: A kept state, as JSON, has at most as many bytes as an event.
MAX_STATE_BYTES = MAX_EVENT_BYTES
_encode = msgspec.json.Encoder().encode


def merged(before: Mapping[str, Any] | None, changes: Mapping[str, Any] | None) -> dict[str, Any]:
    """The variables after an event: those it changes, and all others as they were before.

    Raises InvalidEvent if these are more than a process may keep. Costs one encoding of the state.

    >>> merged({"x": 1, "y": 2}, {"x": 3})
    {'x': 3, 'y': 2}
    """
    state = {**(before or {}), **(changes or {})}
    if len(state) > MAX_NAMES:
        raise InvalidEvent(
            f"the process would keep {len(state):,} variables after this event, and at most {MAX_NAMES:,} are kept"
        )
    size = _size_of(state)
    if size > MAX_STATE_BYTES:
        raise InvalidEvent(
            f"the process's variables would have {size:,} bytes as JSON after this event, and at most "
            f"{MAX_STATE_BYTES:,} are kept"
        )
    return state


def _size_of(state: dict[str, Any]) -> int:
    try:
        return len(_encode(state))
    except (OverflowError, ValueError):  # an integer beyond 64 bits
        return len(json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass"))
