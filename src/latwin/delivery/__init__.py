"""From arrival to delivery: events and clocks as they come, the reorder buffer, and what is said of the rest."""

from latwin.delivery.batch import EventBatch, read_batch
from latwin.delivery.clocks import read_clock
from latwin.delivery.events import read_event
from latwin.delivery.reorder import Arrival, ReorderBuffer

__all__ = ["Arrival", "EventBatch", "ReorderBuffer", "read_batch", "read_clock", "read_event"]
