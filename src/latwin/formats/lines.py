"""Logs with one event a line: JSON with configurable names, DistributedClocks tracing, TLA+ traces, posets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from latwin.errors import InvalidInput
from latwin.formats.log import LogEvent, Options, check_clock

_POSET = re.compile(r"\s*(?P<process>[^\s:]+)\s*:\s*\(\s*(?P<clock>\d+(?:\s*,\s*\d+)*)\s*\)\s*(?P<event>.*)")


def read_json(text: str, options: Options) -> Iterator[LogEvent]:
    """Objects with process, clock (a map) and, if there are any, event and group, under names that may be given."""
    names = {field: options.names.get(field, field) for field in ("process", "clock", "event", "group")}
    for line, row in _objects(text):
        rest = {name: value for name, value in row.items() if name not in names.values()}
        yield _event(row, line, names["process"], names["clock"], names["event"], rest, row.get(names["group"], ""))


def read_tracing(text: str, options: Options) -> Iterator[LogEvent]:
    """The JSON traces of DistributedClocks/tracing: TracerIdentity, VectorClock, Tag, Body."""
    del options
    for line, row in _objects(text):
        body = row.get("Body")
        rest = dict(body) if isinstance(body, Mapping) else {}
        yield _event(row, line, "TracerIdentity", "VectorClock", "Tag", rest, row.get("TraceID", ""))


def read_tla(text: str, options: Options) -> Iterator[LogEvent]:
    """NDJSON as trace validation with TLA+ uses it: `node`, and the clock in `pkt.vc`."""
    del options
    for line, row in _objects(text):
        packet = row.get("pkt")
        clock = packet.get("vc") if isinstance(packet, Mapping) else None
        rest = {name: value for name, value in row.items() if name not in ("node", "event", "pkt")}
        yield _event({**row, "vc": clock}, line, "node", "vc", "event", rest, "")


def read_poset(text: str, options: Options) -> Iterator[LogEvent]:
    """`pid:(v0,v1,...)`, entries in the order of the processes, which are numbered from 0."""
    del options
    for line, content in enumerate(text.splitlines(), start=1):
        if not content.strip() or content.lstrip().startswith("#"):
            continue
        found = _POSET.fullmatch(content)
        if found is None:
            raise InvalidInput(f"line {line}: expected pid:(v0,v1,...); got {content!r}")
        clock = {str(k): int(entry) for k, entry in enumerate(found["clock"].split(","))}
        yield LogEvent(found["process"], check_clock(clock, line), found["event"].strip(), {}, line)


def _objects(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, content in enumerate(text.splitlines(), start=1):
        if not content.strip():
            continue
        try:
            yield line, msgspec.json.decode(content.encode(), type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            raise InvalidInput(f"line {line}: not a JSON object: {error}") from None


def _event(
    row: Mapping[str, Any], line: int, process: str, clock: str, event: str, rest: Mapping[str, Any], group: Any
) -> LogEvent:
    if not isinstance(row.get(process), (str, int)):
        raise InvalidInput(f"line {line}: `{process}` must name the process; got {row.get(process)!r}")
    if not isinstance(row.get(clock), Mapping):
        raise InvalidInput(f"line {line}: the clock must be a map from process names; got {row.get(clock)!r}")
    entries = check_clock(row[clock], line)
    return LogEvent(str(row[process]), entries, str(row.get(event, "")), rest, line, str(group))
