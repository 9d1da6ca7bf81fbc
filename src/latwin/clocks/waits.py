"""How long clocks that are made in a stream wait for what has not come, and how long they remember what has."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from latwin.errors import InvalidInput
from latwin.events.times import read_duration

#: so many spans of one trace are kept until it is finished
MAX_SPANS = 100_000


@dataclass(frozen=True)
class Waits:
    """How long, in seconds.

    A span is sent when it has ended, so `max_wait_s` must be longer than the longest span takes, with its export.
    """

    #: after so long, a cause that has not come is declared lost
    max_wait_s: float = 30.0
    #: after so long, finished traces, and what messages told, are forgotten
    keep_s: float = 600.0
    #: the order of every process's first step, if steps are counted without gaps: then no step waits for an earlier
    #: one that there is not
    first_order: int | None = None

    def __post_init__(self) -> None:
        """Check the times."""
        for name in ("max_wait_s", "keep_s"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value < math.inf:
                raise InvalidInput(f"{name} must be a number of seconds from 0 up; got {value!r}")
        if self.keep_s < self.max_wait_s:
            raise InvalidInput(
                f"keep_s must not be less than max_wait_s={self.max_wait_s:g}: what is waited for must be "
                f"remembered; got {self.keep_s:g}"
            )
        if self.first_order is not None and type(self.first_order) is not int:
            raise InvalidInput(f"first_order must be an integer; got {self.first_order!r}")

    @classmethod
    def of_texts(cls, max_wait: str, keep: str, first_order: int | None = None) -> Waits:
        """From durations with units.

        >>> Waits.of_texts("500ms", "2min")
        Waits(max_wait_s=0.5, keep_s=120.0, first_order=None)
        """
        return cls(_seconds("max_wait", max_wait), _seconds("keep", keep), first_order)


def _seconds(name: str, text: Any) -> float:
    seconds = read_duration(text)
    if seconds is None:
        raise InvalidInput(f"{name} must be a duration with its unit (us, ms, s, min, h, d); got {text!r}")
    return seconds
