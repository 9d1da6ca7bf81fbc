"""Logs with one event a line: JSON with configurable names, DistributedClocks tracing, TLA+ traces, posets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from latwin.errors import InvalidInput
from latwin.events.clocks import read_named_clock
from latwin.events.decoding import decode_object
from latwin.events.groups import group_of
from latwin.events.plain import show
from latwin.formats.log import Log, LogEvent, Options, Problem

#: What a record says, by our names.
FIELDS = ("process", "clock", "event", "group", "state", "time")

_POSET = re.compile(r"\s*(?P<process>[^\s:]+)\s*:\s*\(\s*(?P<clock>\d+(?:\s*,\s*\d+)*)\s*\)\s*(?P<event>.*)")
Row = Mapping[str, Any]


def read_json(text: str, options: Options) -> Log:
    """Objects with process, clock and, if there are any, event, group, state and time, under names of one's own."""
    return _each(_lines(text), lambda content, line: read_row(decode_object(content), line, options))


def read_tracing(text: str, options: Options) -> Log:
    """The JSON traces of DistributedClocks/tracing: TracerIdentity, VectorClock, Tag, Body.

    A clock is the tracer's, over all its traces; so all are one group, unless the group is asked for by its name,
    `TraceID`, which is a variable. What a tracer did before its first record, its start above all, is not recorded:
    its events are counted from that record on.
    """
    names = {"process": "TracerIdentity", "clock": "VectorClock", "event": "Tag", **options.names}

    def read(content: str, line: int) -> LogEvent:
        row = decode_object(content)
        body = row.get("Body")
        event = read_row({**row, "Body": None}, line, Options(names=names))
        fields = {"TraceID": row["TraceID"]} if "TraceID" in row else {}
        return event._replace(fields={**fields, **(body if isinstance(body, Mapping) else {})})

    return _count_from_first(_each(_lines(text), read))


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

    def read(content: str, line: int) -> LogEvent:
        row = dict(decode_object(content))
        packet = row.pop("pkt", None)
        others = packet if isinstance(packet, Mapping) else {}
        sent = {name: value for name, value in others.items() if name != "vc"}
        return read_row({**row, "vc": others.get("vc"), **({"pkt": sent} if sent else {})}, line, names)

    rows = list(_lines(text))
    constants = 0
    while constants < len(rows) and _is_constants(rows[constants][1]):
        constants += 1
    log = _each(rows[constants:], read)
    for line, content in rows[:constants]:
        log.count_unmatched(line, content)
    return log


def _is_constants(content: str) -> bool:
    """Whether an object tells of no event, but of the run: such as the number of processes."""
    try:
        row = decode_object(content)
    except InvalidInput:
        return False
    return "node" not in row and "pkt" not in row


def read_poset(text: str, options: Options) -> Log:
    """`pid:(v0,v1,...)`, entries in the order of the processes, which are numbered from 0 unless they are given."""

    def read(content: str, line: int) -> LogEvent:
        found = _POSET.fullmatch(content)
        if found is None:
            raise InvalidInput(f"expected pid:(v0,v1,...); got {show(content)}")
        try:
            entries = [int(entry) for entry in found["clock"].split(",")]
        except ValueError:  # it has thousands of digits
            raise InvalidInput(f"clock entries must be below 2**62; got {show(found['clock'])}") from None
        names = options.processes or [str(k) for k in range(len(entries))]
        return LogEvent(found["process"], _by_name(entries, names), found["event"].strip(), {}, line)

    rows = ((line, content) for line, content in _lines(text) if not content.lstrip().startswith("#"))
    return _each(rows, read)


def is_poset(text: str) -> bool:
    """Whether the first line that is no comment is an event of a poset."""
    lines = (content for _, content in _lines(text) if not content.lstrip().startswith("#"))
    first = next(iter(lines), "")
    return _POSET.fullmatch(first) is not None


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


def _each(rows: Iterable[tuple[int, str]], read: Callable[[str, int], LogEvent]) -> Log:
    """Read every line; one that is no event becomes a problem."""
    log = Log([], [])
    for line, content in rows:
        try:
            log.events.append(read(content, line))
        except InvalidInput as error:
            log.problems.append(Problem(line, "", 0, str(error)))
    return log


def _lines(text: str) -> Iterable[tuple[int, str]]:
    return ((line, content) for line, content in enumerate(text.split("\n"), start=1) if content.strip())


def _by_name(entries: list[Any], names: Iterable[str]) -> dict[str, int]:
    names = list(names)
    if len(entries) != len(names):
        raise InvalidInput(f"the clock has {len(entries)} entries for {len(names)} processes")
    return read_named_clock(dict(zip(names, entries, strict=True)))
