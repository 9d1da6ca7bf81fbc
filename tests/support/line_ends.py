"""Bytes full of what some program somewhere takes for the end of a line, and how many events each reader finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from io import BytesIO
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from latwin.cli.following import Following, _lines
from latwin.cli.inputs import EventSource, open_events
from latwin.clocks import JsonSteps
from latwin.events import Envelope, EventReader
from latwin.formats import Log, Options, parse_bytes
from latwin.process.collector import read_lines

EVENT = '{"process":"a","clock":{"a":1},"state":{"x":"%s"},"order":1}'
#: next line, line separator, paragraph separator, and what else Python's `str.splitlines` splits at
SEPARATORS = ["\x85", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"]
#: the two halves of an event come together where only blanks of JSON are between them
PIECES = [
    EVENT.encode() % b"on",
    EVENT.encode() % "".join(SEPARATORS[:3]).encode(),
    *(EVENT.encode() % separator.encode() for separator in SEPARATORS[3:]),
    b'{"process":"a","clock":{"a":1},',
    b'"state":{},"order":1}',
    *(separator.encode() for separator in SEPARATORS),
    *(b"\n", b"\n", b"\n", b"\r\n", b"\r\n", b"\r", b"\r", b" ", b"\t", b"\0", b"\xff", b"\xc2", b"\xef\xbb\xbf"),
    b"no event",
]


class Found(NamedTuple):
    """What a reader finds."""

    events: int
    #: lines that are not blank, and no events
    others: int


class _NoMore(Exception):
    """Nobody waits for more lines in a test."""


def by_check(data: bytes, folder: Path) -> Found:
    path = folder / "events.jsonl"
    path.write_bytes(data)
    with open_events(str(path)) as source:
        return _count(line.envelope for line in source.lines())


def by_serve(data: bytes, folder: Path) -> Found:
    """A file that is followed; its last line is whole only with its end."""
    del folder
    source = EventSource("live", None, Following(BytesIO(data + b"\n")), EventReader())
    found: list[Envelope] = []
    with patch("time.sleep", side_effect=_NoMore), suppress(_NoMore):
        for line in source.lines():
            found.append(line.envelope)  # noqa: PERF401 - those before the end are wanted
    return _count(found)


def by_serve_of_a_folder(data: bytes, folder: Path) -> Found:
    path = folder / "events.jsonl"
    path.write_bytes(data)
    return _count(line.envelope for line in _lines(path))


def by_inspect(data: bytes, folder: Path) -> Found:
    del folder
    return _of_log(parse_bytes(data, "jsonl"))


def as_tla(data: bytes) -> bytes:
    """The same objects, of the same lengths, with the names of another format."""
    names = {b'"process"': b'"node"', b'"clock":{"a":1}': b'"pkt":{"vc":{"a":1}}', b'"order"': b'"ord"'}
    for ours, theirs in names.items():
        data = data.replace(ours, theirs)
    return data


def by_tla(data: bytes, folder: Path) -> Found:
    del folder
    return _of_log(parse_bytes(as_tla(data), "tla"))


def by_tracing(data: bytes, folder: Path) -> Found:
    del folder
    return _of_log(parse_bytes(data, "tracing", Options(names={"process": "process", "clock": "clock"})))


def by_poset(data: bytes, folder: Path) -> Found:
    """Its lines are no JSON: those that are count as such, so that it can be compared."""
    del folder
    lines = parse_bytes(data, "poset").problems
    whole = parse_bytes(data, "jsonl")
    events = {event.line for event in whole.events}
    return Found(
        sum(problem.line in events for problem in lines), sum(problem.line not in events for problem in lines)
    )


def by_collect(data: bytes, folder: Path) -> Found:
    del folder
    lines, bad = read_lines(data)
    return Found(len(lines), len(bad))


def by_clocks(data: bytes, folder: Path) -> Found:
    del folder
    records = [record for line in data.split(b"\n") for record in JsonSteps().records(line)]
    return Found(sum(record.group is not None for record in records), sum(record.group is None for record in records))


READERS: list[Callable[[bytes, Path], Found]] = [
    *(by_check, by_serve, by_serve_of_a_folder, by_inspect, by_tla, by_tracing, by_poset, by_collect, by_clocks)
]


def by_definition(data: bytes) -> Found:
    """Slowly: between line feeds, without blanks and marks around it, a whole event or not."""
    found = [0, 0]
    for line in data.split(b"\n"):
        text = line.strip()
        while text.startswith(b"\xef\xbb\xbf"):
            text = text.removeprefix(b"\xef\xbb\xbf").strip()
        if text:
            found[not _is_event(text)] += 1
    return Found(*found)


def _is_event(text: bytes) -> bool:
    """One of the whole pieces as it is, or two halves with blanks of JSON between them."""
    head, tail = b'{"process":"a","clock":{"a":1},', b'"state":{},"order":1}'
    if text.startswith(head) and text.endswith(tail) and len(text) >= len(head) + len(tail):
        return not text[len(head) : -len(tail)].strip(b" \t\r")
    return text in list(takewhile(lambda piece: piece != head, PIECES)) and not any(0 < byte < 0x20 for byte in text)


def _count(envelopes: Iterable[Envelope]) -> Found:
    problems = [envelope.problem is not None for envelope in envelopes]
    return Found(problems.count(False), problems.count(True))


def _of_log(log: Log) -> Found:
    return Found(len(log.events), len(log.problems) + log.unmatched)
