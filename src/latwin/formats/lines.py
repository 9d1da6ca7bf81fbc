"""Logs with one event a line: JSON with configurable names, DistributedClocks tracing, TLA+ traces, posets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from latwin.errors import InvalidInput
from latwin.events.clocks import read_named_clock
from latwin.events.decoding import MAX_EVENT_BYTES, decode_object
from latwin.events.groups import group_of
from latwin.events.lines import RawLine, lines_of_text
from latwin.events.plain import show
from latwin.events.reading import too_long
from latwin.formats.log import Log, LogEvent, Options, Problem

#: What a record says, by our names.
FIELDS = ("process", "clock", "event", "group", "state", "time")

_POSET = re.compile(r"\s*(?P<process>[^\s:]+)\s*:\s*\(\s*(?P<clock>\d+(?:\s*,\s*\d+)*)\s*\)\s*(?P<event>.*)")
Row = Mapping[str, Any]


def read_json(text: str, options: Options) -> Log:
    """Objects with process, clock and, if there are any, event, group, state and time, under names of one's own."""
    return _each(lines_of_text(text), lambda content, line: read_row(decode_object(content), line, options))


def read_tracing(text: str, options: Options) -> Log:
    """The JSON traces of DistributedClocks/tracing: TracerIdentity, VectorClock, Tag, Body.

    A clock is the tracer's, over all its traces; so all are one group, unless the group is asked for by its name,
    `TraceID`, which is a variable. What a tracer did before its first record, its start above all, is not recorded:
    its events are counted from that record on.
    """
    names = {"process": "TracerIdentity", "clock": "VectorClock", "event": "Tag", **options.names}

    def read(content: bytes, line: int) -> LogEvent:
        row = decode_object(content)
        body = row.get("Body")
        event = read_row({**row, "Body": None}, line, Options(names=names))
        fields = {"TraceID": row["TraceID"]} if "TraceID" in row else {}
        return event._replace(fields={**fields, **(body if isinstance(body, Mapping) else {})})

    return _count_from_first(_each(lines_of_text(text), read))


def _count_from_first(log: Log) -> Log:
    """Every process's first event becomes its event 1, in all clocks."""
    unrecorded: dict[str, int] = {}
    for event in log.events:
        own = event.clock.get(event.process, 1) - 1
        unrecorded[event.process] = min(own, unrecorded.get(event.process, own))
    log.events = [
        event._replace(
            clock={
                name: entry - unrecorded.get(name, 0)
                for name, entry in event.clock.items()
                if entry > unrecorded.get(name, 0)
            }
        )
        for event in log.events
    ]
    return log


def read_tla(text: str, options: Options) -> Log:
    """NDJSON as trace validation with TLA+ uses it: `node`, and the clock in `pkt.vc`; constants may come first."""
    names = Options(names={"process": "node", "clock": "vc", **options.names})

    def read(content: bytes, line: int) -> LogEvent:
        row = dict(decode_object(content))
        packet = row.pop("pkt", None)
        others = packet if isinstance(packet, Mapping) else {}
        sent = {name: value for name, value in others.items() if name != "vc"}
        return read_row({**row, "vc": others.get("vc"), **({"pkt": sent} if sent else {})}, line, names)

    rows = list(lines_of_text(text))
    constants = 0
    while constants < len(rows) and _is_constants(rows[constants].text):
        constants += 1
    log = _each(rows[constants:], read)
    for row in rows[:constants]:
        log.count_unmatched(row.number, row.text.decode(errors="replace"))
    return log


def _is_constants(content: bytes) -> bool:
    """Whether an object tells of no event, but of the run: such as the number of processes."""
    try:
        row = decode_object(content)
    except InvalidInput:
        return False
    return "node" not in row and "pkt" not in row


def read_poset(text: str, options: Options) -> Log:
    """`pid:(v0,v1,...)`, entries in the order of the processes, which are numbered from 0 unless they are given."""

    def read(content: bytes, line: int) -> LogEvent:
        text = content.decode(errors="replace")
        found = _POSET.fullmatch(text)
        if found is None:
            raise InvalidInput(f"expected pid:(v0,v1,...); got {show(text)}")
        try:
            entries = [int(entry) for entry in found["clock"].split(",")]
        except ValueError:  # it has thousands of digits
            raise InvalidInput(f"clock entries must be below 2**62; got {show(found['clock'])}") from None
        names = options.processes or [str(k) for k in range(len(entries))]
        return LogEvent(found["process"], _by_name(entries, names), found["event"].strip(), {}, line)

    return _each((raw for raw in lines_of_text(text) if not raw.text.startswith(b"#")), read)


def is_poset(text: str) -> bool:
    """Whether the first line that is no comment is an event of a poset."""
    first = next((line.text for line in lines_of_text(text) if not line.text.startswith(b"#")), b"")
    return _POSET.fullmatch(first.decode(errors="replace")) is not None


def read_row(row: Row, line: int, options: Options) -> LogEvent:
    """An event from a record's fields, whatever it was stored as."""
    names = {field: options.names.get(field, field) for field in FIELDS}
    process, clock, state = row.get(names["process"]), row.get(names["clock"]), row.get(names["state"])
    if isinstance(process, bool) or not isinstance(process, (str, int)):
        raise InvalidInput(f"`{names['process']}` must name the process; got {show(process)}")
    if isinstance(clock, list) and options.processes:
        entries = _by_name(clock, options.processes)
    else:
        entries = read_named_clock(clock)
    known = set(names.values())
    rest = {name: value for name, value in row.items() if name not in known}
    if isinstance(state, str):  # as tables hold it
        state = decode_object(state)
    return LogEvent(
        process=str(process),
        clock=entries,
        text=str(row.get(names["event"]) or ""),
        fields=rest,
        line=line,
        group=group_of(row, names["group"]),
        time=row.get(names["time"]),
        state=state if isinstance(state, Mapping) else None,
    )


def _each(lines: Iterable[RawLine], read: Callable[[bytes, int], LogEvent]) -> Log:
    """Read every line; one that is no event, or is longer than an event may be, becomes a problem."""
    log = Log([], [])
    for line in lines:
        if line.size is not None:
            log.problems.append(Problem(line.number, "", 0, too_long(f"{line.size:,}", MAX_EVENT_BYTES)))
            continue
        try:
            log.events.append(read(line.text, line.number))
        except InvalidInput as error:
            log.problems.append(Problem(line.number, "", 0, str(error)))
    return log


def _by_name(entries: list[Any], names: Iterable[str]) -> dict[str, int]:
    names = list(names)
    if len(entries) != len(names):
        raise InvalidInput(f"the clock has {len(entries)} entries for {len(names)} processes")
    return read_named_clock(dict(zip(names, entries, strict=True)))
