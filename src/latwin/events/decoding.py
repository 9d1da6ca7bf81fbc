"""From bytes that may hold anything to JSON values, within bounds that everything after can rely on."""

from __future__ import annotations

from typing import Any

import msgspec

from latwin.errors import InvalidEvent

#: An event with more bytes is rejected without being decoded.
MAX_EVENT_BYTES = 262_144
#: An event that nests maps and lists deeper is rejected: far from where reading or writing it would fail.
MAX_DEPTH = 100
#: How much is shown of something that is no event.
SHOWN_BYTES = 1000
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TYPES = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def trimmed(text: bytes) -> bytes:
    r"""The text without blanks around it, and without the byte order mark that some editors put before it.

    Blanks are those of ASCII. Applied to its own outcome, it changes nothing.

    >>> trimmed(b" \xef\xbb\xbf{}\r")
    b'{}'
    """
    text = text.strip()
    while text.startswith(_BYTE_ORDER_MARK):
        text = text[len(_BYTE_ORDER_MARK) :].strip()
    return text


def decode_json(text: bytes | str) -> Any:
    """The JSON value in a text; InvalidEvent, with the reason, if there is none or it is nested too deeply.

    >>> decode_json(b'{"x": [1]}')
    {'x': [1]}
    """
    try:
        value = msgspec.json.decode(text)
    except msgspec.MsgspecError as error:
        raise InvalidEvent(f"not valid JSON: {str(error).removeprefix('JSON is malformed: ')}") from None
    except UnicodeDecodeError as error:
        raise InvalidEvent(f"not valid JSON: not UTF-8: {error.reason}") from None
    except UnicodeEncodeError:
        raise InvalidEvent("not valid JSON: it has half of a surrogate pair") from None
    except RecursionError:
        raise _too_deep() from None
    if len(text) > 2 * MAX_DEPTH and _opens(text) > MAX_DEPTH and is_deeper(value, MAX_DEPTH):
        raise _too_deep()
    return value


def is_json(text: bytes | str) -> bool:
    """Whether there is a JSON value in a text."""
    try:
        decode_json(text)
    except InvalidEvent:
        return False
    return True


def decode_object(text: bytes | str) -> dict[str, Any]:
    """The JSON object in a text; InvalidEvent, with the reason, if there is none."""
    value = decode_json(text)
    if type(value) is not dict:
        raise InvalidEvent(f"expected a JSON object; it is {type_name(value)}")
    return value


def type_name(value: Any) -> str:
    """What JSON calls such a value.

    >>> type_name(None), type_name([])
    ('null', 'an array')
    """
    return _TYPES.get(type(value), type(value).__name__)


def shown(text: bytes) -> str:
    """The beginning of a text that is no event, for people."""
    return text[:SHOWN_BYTES].decode(errors="replace") + "..." * (len(text) > SHOWN_BYTES)


def is_deeper(value: Any, levels: int) -> bool:
    """Whether a value nests maps and lists in more than this many levels."""
    layer = [value] if isinstance(value, (dict, list)) else []
    for _ in range(levels):
        if not layer:
            return False
        inside = [inner for outer in layer for inner in (outer.values() if isinstance(outer, dict) else outer)]
        layer = [inner for inner in inside if isinstance(inner, (dict, list))]
    return bool(layer)


def _opens(text: bytes | str) -> int:
    """How many brackets a text opens: at least as many as it has levels."""
    return text.count("[") + text.count("{") if isinstance(text, str) else text.count(b"[") + text.count(b"{")


def _too_deep() -> InvalidEvent:
    return InvalidEvent(f"nested too deeply: at most {MAX_DEPTH} levels are read")
