r"""What physically happened, and what an observer with perfect clocks would say of a window.

states of a process     |   1: false  |  2: true  |  3: true   |  4: false ...
real intervals                        [-----------)[-----------)
by begins, window 1-4                 [------------------------]    to the begin of state 4, closed
by begins, window 1-3                 [-----------]                 to the begin of state 3: no more is known
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from latwin.errors import InvalidInput


class Interval(NamedTuple):
    """When a process was in one local state, by physical time: from `start_s` up to but without `end_s`."""

    state_index: int
    start_s: float
    end_s: float
    on: bool


Truth = Sequence[Sequence[Interval]]  # for each process its states from index 0 on, one after the other


def overlap_in_window(truth: Truth, low: Sequence[int], high: Sequence[int]) -> bool:
    """Whether all processes were physically true at one moment, each in a state of its window.

    The window of process k holds the states `low[k]` to `high[k]`, both included. This is what an observer
    with perfect clocks would say who also knows when the windowed states end. Intervals are half-open: one that
    ends the moment another begins does not overlap it.

    Costs a binary search for each process and one walk over the states within the span all windows share.

    >>> phone = [Interval(0, 0.0, 4.0, False), Interval(1, 4.0, 9.0, True)]
    >>> rfid = [Interval(0, 0.0, 5.0, False), Interval(1, 5.0, 6.0, True), Interval(2, 6.0, 9.0, False)]
    >>> overlap_in_window([phone, rfid], low=[0, 0], high=[1, 2])
    True
    >>> overlap_in_window([phone, rfid], low=[0, 2], high=[1, 2])
    False
    """
    _check_window(truth, low, high)
    # No earlier moment is in all windows. From there, raise the moment to where the next true interval of
    # each process begins, until a full round leaves it in place: then it lies in one true interval of each.
    moment_s = max(states[first].start_s for states, first in zip(truth, low, strict=True))
    position = [
        bisect_right(states, moment_s, first, last + 1, key=_end_s)
        for states, first, last in zip(truth, low, high, strict=True)
    ]
    settled = False
    while not settled:
        settled = True
        for process, states in enumerate(truth):
            at, last = position[process], high[process]
            while at <= last and not (states[at].on and states[at].end_s > moment_s):
                at += 1
            if at > last:
                return False
            position[process] = at
            if states[at].start_s > moment_s:
                moment_s = states[at].start_s
                settled = False
    return True


def overlap_by_begins(truth: Truth, low: Sequence[int], high: Sequence[int]) -> bool:
    """Whether true runs of all windows overlap, as far as the begins of the windowed states tell.

    This is how the paper's authors count N_physical (section 6.2). A window knows when its states began and
    not when they end, so a true run lasts from the begin of its first state to the begin of the false state
    that follows it or, if none follows in the window, to the begin of its own last state. Both ends belong
    to the run. The arguments are those of `overlap_in_window`.

    Costs one walk over the windowed states.

    >>> phone = [Interval(0, 0.0, 4.0, False), Interval(1, 4.0, 9.0, True)]
    >>> rfid = [Interval(0, 0.0, 5.0, False), Interval(1, 5.0, 9.0, True)]
    >>> overlap_in_window([phone, rfid], low=[0, 0], high=[1, 1])
    True
    >>> overlap_by_begins([phone, rfid], low=[0, 0], high=[1, 1])  # the phone is known to be true at 4.0 only
    False
    """
    _check_window(truth, low, high)
    runs = [_true_runs(states[first : last + 1]) for states, first, last in zip(truth, low, high, strict=True)]
    # A run that ended before another's first run began meets none of that process: drop it and look again.
    while all(runs):
        begin_s = max(own[0][0] for own in runs)
        early = [own for own in runs if own[0][1] < begin_s]
        if not early:
            return True
        for own in early:
            own.pop(0)
    return False


def _true_runs(states: Sequence[Interval]) -> list[tuple[float, float]]:
    """Begin and known end of each run of true states."""
    runs: list[tuple[float, float]] = []
    was_on = False
    for state in states:
        if was_on:
            runs[-1] = (runs[-1][0], state.start_s)
        elif state.on:
            runs.append((state.start_s, state.start_s))
        was_on = state.on
    return runs


def _check_window(truth: Truth, low: Sequence[int], high: Sequence[int]) -> None:
    if not 1 <= len(truth) == len(low) == len(high):
        raise InvalidInput(
            "truth, low and high must have one entry for each process (at least one); "
            f"got {len(truth)}, {len(low)} and {len(high)} entries"
        )
    for process, states in enumerate(truth):
        if not 0 <= low[process] <= high[process] < len(states):
            raise InvalidInput(
                f"the window of process {process} must lie within its states 0 to {len(states) - 1}; "
                f"got low={low[process]}, high={high[process]}"
            )


def _end_s(interval: Interval) -> float:
    return interval.end_s
