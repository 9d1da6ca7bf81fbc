"""From arrival to delivery: clocks as they come, and the reorder buffer."""

from latwin.delivery.batch import EventBatch, read_batch
from latwin.delivery.clocks import read_clock
from latwin.delivery.reorder import Arrival, ReorderBuffer

__all__ = ["Arrival", "EventBatch", "ReorderBuffer", "read_batch", "read_clock"]
