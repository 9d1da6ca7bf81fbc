"""An event's one road in: from bytes to a typed, checked record. Pure; nothing here knows files or Spark.

Whatever brings an event (a line, a row, a log, a record of Kafka, a post) enters here, and goes on the same way:

    bytes ── decoding ──► value ── reading ──► Envelope ── order ──► event ── event, columns ──► Arrival
                                    group, place in the order of arrival,      process, clock, state,
                                    or the problem and what came               time: typed and checked

    decoding.py     bytes to JSON values; how long and how deep an event may be
    lines.py        what a line is: the lines of a stream, in bounded memory
    groups.py       the group rule
    envelope.py     an event with its group and its place, or what is wrong with it
    reading.py      lines, rows and records of Kafka to envelopes
    order.py        the order rule: envelopes of one batch in their order of arrival
    variables.py    `[variables]`: how the events of a log become states
    clocks.py, times.py    clocks and times as events carry them
    plain.py        plain data: what an event may hold
    escaping.py     texts of events where they are shown
    event.py        one event to its typed record
    columns.py      many events at once, as columns
    table.py        events that come as columns
    heartbeats.py   events that tell the time, and nothing else
    arrival.py      the typed record
    sameness.py     when two states have the same content
"""

from latwin.events.arrival import Arrival
from latwin.events.clocks import read_clock
from latwin.events.columns import EventBatch, read_batch
from latwin.events.envelope import Envelope, Origin, Place
from latwin.events.event import read_event
from latwin.events.order import by_group, in_order
from latwin.events.reading import EventReader

__all__ = [
    "Arrival",
    "Envelope",
    "EventBatch",
    "EventReader",
    "Origin",
    "Place",
    "by_group",
    "in_order",
    "read_batch",
    "read_clock",
    "read_event",
]
