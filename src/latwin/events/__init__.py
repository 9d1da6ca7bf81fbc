"""An event's one road in: from bytes to a typed, checked record."""

from latwin.events.arrival import Arrival
from latwin.events.clocks import read_clock
from latwin.events.columns import EventBatch, read_batch
from latwin.events.event import read_event

__all__ = ["Arrival", "EventBatch", "read_batch", "read_clock", "read_event"]
