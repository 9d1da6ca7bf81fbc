"""From bytes that may hold anything to JSON values that everybody after can decode, too."""

from __future__ import annotations

from typing import Any

import msgspec

#: endings of compressed files, which Spark opens, and nobody else here
COMPRESSED = (".gz", ".bz2", ".zst", ".lz4", ".snappy", ".deflate")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
#: brackets in a text from which on its depth is looked at, and what may not be reached
_SUSPICIOUS_BRACKETS = 300
_DEPTH_MARGIN = 600


def without_mark(text: bytes) -> bytes:
    """The text without the byte order mark that some editors put before it."""
    return text.removeprefix(_BYTE_ORDER_MARK)


def decode_json(text: bytes) -> tuple[Any, str | None]:
    """A JSON value, or the reason why it is none.

    What is decoded here can be decoded inside some more brackets as well: texts travel on in lists of them.

    >>> decode_json(b'{"x": [1]}')
    ({'x': [1]}, None)
    >>> decode_json(b"[" * 5000 + b"]" * 5000)
    (None, 'not valid JSON: nested too deeply')
    """
    try:
        value = msgspec.json.decode(text)
        if text.count(b"[") + text.count(b"{") > _SUSPICIOUS_BRACKETS:
            msgspec.json.decode(b"[" * _DEPTH_MARGIN + text + b"]" * _DEPTH_MARGIN)
    except msgspec.MsgspecError as error:
        return None, f"not valid JSON: {str(error).removeprefix('JSON is malformed: ')}"
    except UnicodeDecodeError as error:
        return None, f"not valid JSON: not UTF-8: {error.reason}"
    except RecursionError:
        return None, "not valid JSON: nested too deeply"
    return value, None
