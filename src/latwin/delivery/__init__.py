"""From arrival to delivery: reorder buffer, the group's time, and what is said of states that are not delivered."""

from latwin.delivery.group_time import GroupTime
from latwin.delivery.reorder import Gap, ReorderBuffer

__all__ = ["Gap", "GroupTime", "ReorderBuffer"]
