"""From arrival to delivery: clocks as they come, and the reorder buffer."""

from latwin.delivery.clocks import read_clock
from latwin.delivery.reorder import Arrival, ReorderBuffer

__all__ = ["Arrival", "ReorderBuffer", "read_clock"]
