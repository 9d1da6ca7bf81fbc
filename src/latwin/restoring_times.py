"""The part of a snapshot that windows of time need: what it must say, and what other windows make of it."""

from __future__ import annotations

import math
from itertools import accumulate, pairwise
from typing import NoReturn

from latwin.delivery.group_time import TimeState
from latwin.errors import SnapshotError
from latwin.snapshot import ProcessState, Snapshot
from latwin.spec import Spec


def check_times_of_windows(snapshot: Snapshot, spec: Spec) -> None:
    """Raise SnapshotError unless begins and the group's time are those of a monitor with the snapshot's windows."""
    time, lengths_s = snapshot.time, snapshot.lengths_s
    if len(lengths_s) != len(snapshot.processes):
        _refuse(f"{len(snapshot.processes)} lengths of windows were expected; it has {len(lengths_s)}")
    if not all(length is None or 0 < length < math.inf for length in lengths_s):
        _refuse("a window has a length that is none")
    is_timed = any(length is not None for length in lengths_s)
    tells_silence = spec.open is not None and spec.open.leave_after_s is not None
    if (time is not None) != (is_timed or tells_silence):
        _refuse("it has the group's time, and needs none" if time is not None else "it lacks the group's time")
    if not is_timed and any(process.begins is not None for process in snapshot.processes):
        _refuse("it says when states began, and has no window of time")
    if time is None:
        return
    if not -math.inf <= time.now_s < math.inf or not 0 <= time.lateness_s < math.inf:
        _refuse("the group's time is no time")
    is_doubted = time.doubted_s != -math.inf
    if is_doubted != (time.doubted_of is not None) or (is_doubted and not time.now_s < time.doubted_s < math.inf):
        _refuse("the time that it doubts is no time")
    if len(time.latest_s) != len(snapshot.processes):
        _refuse("it does not have one latest time for each process")
    told = zip(spec.processes, snapshot.processes, time.latest_s, lengths_s, strict=True)
    for name, process, latest_s, length_s in told:
        if not is_timed:
            if not -math.inf <= latest_s <= time.now_s or (latest_s == -math.inf) != (process.newest == 0):
                _refuse(f"the latest time of process {name!r} cannot be")
            continue
        begins = _check_begins(name, process)
        if latest_s != begins[-1] or latest_s > time.now_s:
            _refuse(f"the latest time of process {name!r} is not that of its newest state")
        if length_s is not None and len(begins) > 1 and begins[1] <= time.now_s - time.lateness_s - length_s:
            _refuse(f"process {name!r} has a state that is too old for its window")


def is_full(snapshot: Snapshot, number: int) -> bool:
    """Whether the oldest state of a process is as old as its window of time is long, so that none is missing."""
    time, length_s, begins = snapshot.time, snapshot.lengths_s[number], snapshot.processes[number].begins
    if time is None or length_s is None or not begins:
        return False
    return begins[0] <= time.now_s - time.lateness_s - length_s


def has_same_windows(snapshot: Snapshot, spec: Spec) -> bool:
    """Whether a spec has the snapshot's windows, none of them of time: then all of its states have their places."""
    return not spec.keeps_time and snapshot.window == [*spec.window] and snapshot.lengths_s == [*spec.window_time_s]


def grows(snapshot: Snapshot, spec: Spec, number: int) -> bool:
    """Whether a spec's window of a process has room for states that are not in the snapshot, or cannot be used."""
    states, length_s, time = snapshot.window[number], snapshot.lengths_s[number], snapshot.time
    most, longest_s = spec.window[number], spec.window_time_s[number]
    has_more = states is not None and (most is None or most > states)
    is_longer = length_s is not None and (longest_s is None or longest_s > length_s)
    is_later = time is not None and longest_s is not None and spec.lateness_s > time.lateness_s
    process = snapshot.processes[number]
    begins_anew = process.begins is None and longest_s is not None and process.times is None
    return has_more or is_longer or is_later or begins_anew


def fit(snapshot: Snapshot, spec: Spec) -> None:
    """Let the states leave that have no place in the windows of a spec, which may be other ones than the snapshot's.

    Without windows of time before, nobody noted when the states began. If `synchrony` kept their times, these tell
    it; else a window of time begins anew, with the newest state of its process.
    """
    sizes = zip(spec.window, spec.window_time_s, strict=True)
    if spec.has_time_windows:
        _find_begins(snapshot, spec)
    if not spec.keeps_time:
        snapshot.time = None
    elif snapshot.time is None:
        latest_s = [process.begins[-1] for process in snapshot.processes if process.begins]
        snapshot.time = TimeState(max(latest_s), spec.lateness_s, latest_s)
    tau = -math.inf if snapshot.time is None else snapshot.time.now_s - spec.lateness_s
    for process, (states, length_s) in zip(snapshot.processes, sizes, strict=True):
        _keep(process, states)
        if not spec.has_time_windows:
            process.begins = None
        elif length_s is not None:
            begins = process.begins or []
            _keep(process, len(begins) - sum(begin <= tau - length_s for begin in begins[1:]))


def _find_begins(snapshot: Snapshot, spec: Spec) -> None:
    """Say when states began that were kept without windows of time."""
    for k, (process, length_s) in enumerate(zip(snapshot.processes, spec.window_time_s, strict=True)):
        if process.begins is not None:
            continue
        if length_s is not None and process.times is None:
            _keep(process, 1)
        process.begins = list(accumulate(process.times or [-math.inf] * len(process.states), max))
        if snapshot.time is not None:  # the newest one's is known
            process.begins[-1] = snapshot.time.latest_s[k]


def _keep(process: ProcessState, states: int | None) -> None:
    """Keep so many of the newest states; None keeps all."""
    if states is None or states >= len(process.clocks):
        return
    process.clocks, process.states = process.clocks[-states:], process.states[-states:]
    process.times = None if process.times is None else process.times[-states:]
    process.begins = None if process.begins is None else process.begins[-states:]


def _check_begins(name: str, process: ProcessState) -> list[float]:
    begins = process.begins
    if not begins or len(begins) != len(process.states):
        _refuse(f"process {name!r} does not have one begin for each state")
    # States of which nobody noted when they began count as begun before everything, as initial states do.
    if any(begin != begin or begin == math.inf for begin in begins) or (
        process.newest + 1 == len(begins) and begins[0] != -math.inf
    ):
        _refuse(f"process {name!r} has a state whose begin is no time")
    if any(after < before for before, after in pairwise(begins)):
        _refuse(f"process {name!r} has a state that began before the one before it")
    return begins


def _refuse(difference: str) -> NoReturn:
    raise SnapshotError(f"the snapshot is damaged: {difference}")
