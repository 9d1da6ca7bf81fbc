"""OTLP over HTTP, as exporters of OpenTelemetry speak it: requests read, answers in the protocol's own messages.

    200   taken; `partial_success` says how many spans or records were refused, and why
    400   not a request of OTLP: sending it again would not help
    413, 415   too large, or of another content type or encoding
    503   not now; the exporter sends it again

An answer has the encoding of its request. Errors are a google.rpc.Status: a code and a message.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from latwin.errors import InvalidInput
from latwin.events.otlp import Signal, decode_request, is_json_request, take_request
from latwin.events.otlp_protobuf import NoProtobuf
from latwin.process.publisher import Refused

__all__ = ["JSON", "PATHS", "PROTOBUF", "Answer", "answer", "content_type", "failure", "is_json_request"]

#: where exporters post what
PATHS: Mapping[str, Signal] = {"/v1/traces": "traces", "/v1/logs": "logs"}
PROTOBUF, JSON = "application/x-protobuf", "application/json"
_REJECTED = {"traces": "rejectedSpans", "logs": "rejectedLogRecords"}
_THINGS = {"traces": "span", "logs": "log record"}
_SHOWN_REASONS = 3
_INVALID_ARGUMENT, _UNAVAILABLE = 3, 14  # of google.rpc.Code
_GZIP = 31  # for zlib: with gzip's header
_GZIP_BEGINNING = b"\x1f\x8b"
_PIECE = 1 << 20


class Answer(NamedTuple):
    """What an exporter is told."""

    status: int
    content_type: str
    body: bytes
    taken: int = 0
    refused: int = 0


def answer(
    signal: Signal,
    headers: Mapping[str, str],
    body: bytes,
    publish: Callable[[Sequence[bytes]], None],
    max_bytes: int,
) -> Answer:
    """Have what a request holds published, and what to answer; `publish` raises Refused if it cannot be done now.

    `max_bytes` bounds the request as it is after decompression.
    """
    kind = content_type(headers)
    if kind is None:
        given = headers.get("Content-Type")
        return failure(415, JSON, f"the content type must be {PROTOBUF} or {JSON}; got {given!r}")
    encoding = headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip"):
        return failure(415, kind, f"the content encoding must be gzip, or none; got {encoding!r}")
    try:
        plain = _decompressed(body, max_bytes) if encoding == "gzip" else body
        if plain is None:
            return failure(413, kind, f"a request may have {max_bytes:,} bytes after decompression; this has more")
        document = decode_request(plain, signal, is_protobuf=kind == PROTOBUF)
        lines, refused = take_request(document, signal)
        if lines:
            publish(lines)
    except NoProtobuf as error:
        return failure(415, kind, str(error))
    except InvalidInput as error:
        return failure(400, kind, f"{error}{_hint(kind, body, encoding)}")
    except Refused as error:
        return failure(503, kind, f"{error}; send it again later")
    return Answer(200, kind, _success(signal, kind, refused), len(lines), len(refused))


def _hint(kind: str, body: bytes, encoding: str) -> str:
    """What may be wrong, if the request is in another form than its headers say."""
    if encoding != "gzip" and body[:2] == _GZIP_BEGINNING:
        return "; it begins as gzip does: then it needs the header Content-Encoding: gzip"
    if kind == PROTOBUF and is_json_request(body):
        return f"; it begins as JSON does: then its content type must be {JSON}"
    if kind == JSON and body[:1] == b"\n" and not body.isascii():
        return f"; it begins as protobuf does: then its content type must be {PROTOBUF}"
    return ""


def content_type(headers: Mapping[str, str]) -> str | None:
    """Protobuf or JSON; None if it is neither."""
    given = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return given if given in (PROTOBUF, JSON) else None


def failure(status: int, kind: str | None, message: str) -> Answer:
    """An error in the protocol's own form."""
    code = _UNAVAILABLE if status == 503 else _INVALID_ARGUMENT
    if kind == PROTOBUF:
        return Answer(status, PROTOBUF, b"\x08" + _varint(code) + _text(2, message))
    return Answer(status, JSON, msgspec.json.encode({"code": code, "message": message}))


def _success(signal: Signal, kind: str, refused: Sequence[str]) -> bytes:
    """An Export...ServiceResponse; empty if everything was taken."""
    if not refused:
        return b"" if kind == PROTOBUF else b"{}"
    reasons = list(dict.fromkeys(refused))
    more = f"; and {len(reasons) - _SHOWN_REASONS} more reasons" if len(reasons) > _SHOWN_REASONS else ""
    things = _THINGS[signal] + "s" * (len(refused) > 1)
    message = f"{len(refused)} {things} refused: {'; '.join(reasons[:_SHOWN_REASONS])}{more}"
    if kind == JSON:
        # 64-bit numbers are texts in protobuf's JSON.
        partial = {_REJECTED[signal]: str(len(refused)), "errorMessage": message}
        return msgspec.json.encode({"partialSuccess": partial})
    inner = b"\x08" + _varint(len(refused)) + _text(2, message)
    return b"\x0a" + _varint(len(inner)) + inner


def _decompressed(body: bytes, most: int) -> bytes | None:
    """What gzip packed, member by member; None if it is more than may be, which is told before it is there."""
    found = bytearray()
    rest = body
    try:
        while rest:
            member = zlib.decompressobj(_GZIP)
            pieces = rest
            while pieces and not member.eof:
                found += member.decompress(pieces, min(_PIECE, most + 1 - len(found)))
                if len(found) > most:
                    return None
                pieces = member.unconsumed_tail
            if not member.eof:
                raise InvalidInput("the request is not gzip: it ends too early")
            rest = member.unused_data
    except zlib.error as error:
        raise InvalidInput(f"the request is not gzip: {str(error).rpartition(': ')[2]}") from None
    return bytes(found)


def _text(field: int, text: str) -> bytes:
    """A field of protobuf that holds a text."""
    content = text.encode(errors="replace")
    return bytes([field << 3 | 2]) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])
