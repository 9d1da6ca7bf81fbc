"""From arrival to delivery: the reorder buffer, and what is said of states that are not delivered."""

from latwin.delivery.reorder import Gap, ReorderBuffer

__all__ = ["Gap", "ReorderBuffer"]
