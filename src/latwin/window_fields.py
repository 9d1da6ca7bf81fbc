"""The fields of a spec that say what windows hold, checked: sizes by number and by time, and durations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from latwin.document import SpecSource, shorten
from latwin.events.times import read_duration
from latwin.fields import UNLIMITED, TimeWindow, misplaced, show_value, unknown_name
from latwin.lattice.bounds import FIRST_ROOM, MAX_ENTRIES, entries_of
from latwin.model import Seats

#: Wrong times are mostly years ahead (milliseconds taken for seconds, a clock that was never set), and systems that
#: rest over a weekend or a holiday are to go on without a word.
DEFAULT_MAX_JUMP = "7d"
_LONGEST_DURATION = 50
_TIME, _STATES = "time", "states"


class WindowOf(NamedTuple):
    """The window of one process."""

    #: how many states it holds at most; None: no such bound
    states: int | None
    #: how many seconds it is long; None: it is no window of time
    time_s: float | None
    #: the same as plain data of a spec
    given: Any

    def __str__(self) -> str:
        """In a few words."""
        if isinstance(self.given, dict):
            return f"{self.given[_TIME]}, at most {self.states} states"
        return UNLIMITED if self.given is None else str(self.given)


def check_window(
    window: int | str | Mapping[str, Any] | None, processes: tuple[str, ...], source: SpecSource
) -> tuple[WindowOf, ...]:
    """The window of each process."""
    if isinstance(window, Mapping) and not _is_one_size(window, processes):
        check_known("window", window, processes, source)
        missing = [name for name in processes if name not in window]
        if missing:
            raise source.error(f"`window` lacks a size for process {missing[0]!r}", ("window",))
        found = tuple(_size(window[name], ("window", name), source) for name in processes)
    else:
        found = (_size(window, ("window",), source),) * len(processes)
    # Every process keeps as many clocks as the largest window holds, each with an entry per process.
    states = [size.states for size in found]
    count, largest = len(processes), max(size or FIRST_ROOM for size in states)
    if entries_of(states) > MAX_ENTRIES:
        raise source.error(
            f"{count:,} processes with windows of up to {largest:,} states need {count:,} * {count:,} * {largest:,} "
            f"clock entries; there must be at most {MAX_ENTRIES:,}",
            ("window",),
        )
    return found


def check_duration(field: str, text: str | None, source: SpecSource, also: str = "") -> float | None:
    """The seconds of a field that is a duration, if it is given; `also` is what else it may be."""
    if text is None:
        return None
    seconds = read_duration(text) if len(text) <= _LONGEST_DURATION else None
    if seconds is None:
        raise source.error(
            f"`{field}` must be a duration with its unit (us, ms, s, m or min, h, d), such as '500ms', or '0'{also}; "
            f"got {shorten(text)}",
            (field,),
        )
    return seconds


def check_max_jump(text: str | None, source: SpecSource) -> float | None:
    """How far ahead an event's time may be, in seconds; None: as far as it likes."""
    if text == UNLIMITED:
        return None
    return check_duration("max_jump", DEFAULT_MAX_JUMP if text is None else text, source, f", or '{UNLIMITED}'")


def check_forget_after(text: str | None, source: SpecSource) -> float | None:
    """After how much silence a group has ended, in seconds; None: it never has."""
    seconds = check_duration("forget_after", text, source)
    if seconds == 0:
        raise source.error("`forget_after` must be longer than 0: every group would end at once", ("forget_after",))
    return seconds


def check_known(field: str, table: Mapping[str, Any], processes: tuple[str, ...], source: SpecSource) -> None:
    """Raise SpecError if a table by process names one that there is not."""
    for name in table:
        if name not in processes and isinstance(processes, Seats):
            raise source.error(f"`{field}` cannot name processes: they join and leave", (field, name))
        if name not in processes:
            path = (field, name)
            hint = misplaced(path) or unknown_name(name, processes, "processes")
            raise source.error(f"`{field}` names the unknown process {name!r}{hint}", path)


def _is_one_size(window: Mapping[str, Any], processes: tuple[str, ...]) -> bool:
    """Whether a table is one size for all processes, and no table by process."""
    names = {_TIME, _STATES}
    return bool(window) and window.keys() <= names and names.isdisjoint(processes)


def _size(given: Any, path: tuple[str, ...], source: SpecSource) -> WindowOf:
    if isinstance(given, TimeWindow):
        given = {_TIME: given.time, _STATES: given.states}
    if isinstance(given, Mapping):
        if _TIME not in given:
            missing = '`window.time` is missing; give a duration such as "5m"'
            raise source.error(missing, ("window", _STATES))
        return _timed(given[_TIME], given.get(_STATES), path, source)
    if isinstance(given, str) and given != UNLIMITED:
        return WindowOf(None, _length(given, path, source), given)
    return WindowOf(given, None, given) if isinstance(given, int) else WindowOf(None, None, None)


def _timed(time: Any, states: Any, path: tuple[str, ...], source: SpecSource) -> WindowOf:
    """A window of time that may have a bound on its states."""
    if not isinstance(states, int | None):
        wrong = (*path, _STATES)
        raise source.error(f"`{'.'.join(wrong)}` must be a whole number; got {show_value(states)}", wrong)
    time_s = _length(time, (*path, _TIME), source)
    return WindowOf(states, time_s, time if states is None else {_TIME: time, _STATES: states})


def _length(text: Any, path: tuple[str, ...], source: SpecSource) -> float:
    seconds = read_duration(text) if isinstance(text, str) and len(text) <= _LONGEST_DURATION else None
    if not seconds:
        must = 'a duration longer than 0, such as "5m"'
        raise source.error(f"`{'.'.join(path)}` must be {must}; got {show_value(text)}", path)
    return seconds
