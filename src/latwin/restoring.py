"""What a snapshot must say before a monitor goes on from it: what every monitor keeps true.

A checksum finds damage on the way. It does not find a wrong writer, and a wrong state can keep a monitor busy
forever, make it raise, or make it lie. So everything is examined before anything is taken over: here what the reorder
buffer, the counters and the kept states must satisfy, in `Window.load` what the clocks must. It costs a few
percent of the time of Spark's workers, which restore every group that a batch touches, and they do it too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import chain, pairwise
from typing import Any, NoReturn

import msgspec

from latwin.detect.seen import problem_of
from latwin.errors import InvalidEvent, SnapshotError
from latwin.events.clocks import LARGEST_ENTRY
from latwin.events.decoding import MAX_DEPTH
from latwin.events.times import read_time
from latwin.properties import Modal, Question
from latwin.snapshot import ProcessState, Snapshot
from latwin.spec import Spec

_NESTING = frozenset((dict, list))


def check_snapshot(snapshot: Snapshot, spec: Spec) -> None:
    """Raise SnapshotError unless a monitor of this spec can have written it; the clocks of the window aside."""
    if len(snapshot.processes) != len(spec.processes):
        _refuse(f"{len(spec.processes)} processes were expected; it has {len(snapshot.processes)}")
    nested: list[Any] = []
    for name, process in zip(spec.processes, snapshot.processes, strict=True):
        _check_states(name, process)
        _check_times(name, process, spec)
        _check_begins(name, process, spec)
        nested += process.states
    for arrival in snapshot.waiting:
        nested += (arrival.state, arrival.time)
    _check_depth(nested)
    _check_waiting(snapshot, spec)
    _check_counters(snapshot)
    _check_final(snapshot, spec)
    _check_group_time(snapshot, spec)
    problem = problem_of(snapshot.seen, spec.expectations)
    if problem is not None:
        _refuse(problem)


def _check_states(name: str, process: ProcessState) -> None:
    if len(process.states) != len(process.clocks):
        _refuse(f"process {name!r} has {len(process.clocks)} clocks, but {len(process.states)} states")
    for state in process.states:
        if type(state) is not dict and state is not None:
            _refuse(f"process {name!r}: a state must be a map; it is {type(state).__name__}")


def _check_times(name: str, process: ProcessState, spec: Spec) -> None:
    """With `synchrony` every state has its time; the initial state began before everything."""
    times = process.times
    if spec.synchrony_s is None:
        if times is not None:
            _refuse(f"process {name!r} has times, but the spec has no synchrony")
        return
    if times is None or len(times) != len(process.states):
        _refuse(f"process {name!r} does not have one time for each state")
    is_initial = process.newest + 1 == len(times)
    if not all(map(math.isfinite, times[is_initial:])) or (is_initial and times[0] != -math.inf):
        _refuse(f"process {name!r} has a time that is no time")


def _check_begins(name: str, process: ProcessState, spec: Spec) -> None:
    """With windows of time it is known when every state began, and that is in order."""
    begins = process.begins
    if not spec.has_time_windows:
        if begins is not None:
            _refuse(f"process {name!r} has begins of states, but the spec has no window of time")
        return
    if begins is None or len(begins) != len(process.states) or not begins:
        _refuse(f"process {name!r} does not have one begin for each state")
    is_initial = process.newest + 1 == len(begins)
    if not all(map(math.isfinite, begins[is_initial:])) or (is_initial and begins[0] != -math.inf):
        _refuse(f"process {name!r} has a state whose begin is no time")
    if any(after < before for before, after in pairwise(begins)):
        _refuse(f"process {name!r} has a state that began before the one before it")


def _check_group_time(snapshot: Snapshot, spec: Spec) -> None:
    """The group's time is no earlier than any state, and the windows of time hold what they must at that time."""
    time = snapshot.time
    if (time is not None) != spec.has_time_windows:
        _refuse("it has the group's time" if time is not None else "it lacks the group's time")
    if time is None:
        return
    if len(time.latest_s) != len(spec.processes) or not -math.inf <= time.now_s < math.inf:
        _refuse("the group's time is no time")
    sizes = zip(spec.window, spec.window_time_s, strict=True)
    for name, process, latest_s, (states, length_s) in zip(
        spec.processes, snapshot.processes, time.latest_s, sizes, strict=True
    ):
        begins = process.begins or [-math.inf]
        if latest_s != begins[-1] or latest_s > time.now_s:
            _refuse(f"the latest time of process {name!r} is none of its states'")
        if length_s is None:
            continue
        cutoff_s = time.now_s - spec.lateness_s - length_s
        if len(begins) > 1 and begins[1] <= cutoff_s:
            _refuse(f"process {name!r} has a state that is too old for its window")
        if begins[0] > cutoff_s and len(begins) != states:
            _refuse(f"process {name!r} lacks a state that is not too old for its window")


def _check_depth(values: Iterable[Any]) -> None:
    """Events are not nested deeper; more could be read, but not everywhere shown or compared."""
    for _ in range(MAX_DEPTH + 1):
        layer = [value.values() if type(value) is dict else value for value in values if type(value) in _NESTING]
        if not layer:
            return
        values = chain.from_iterable(layer)
    _refuse(f"a state is nested in more than {MAX_DEPTH} levels")


def _check_waiting(snapshot: Snapshot, spec: Spec) -> None:
    """A state waits once, after what was delivered, and only while it cannot be delivered."""
    waiting, processes = snapshot.waiting, snapshot.processes
    if not waiting:
        return
    if len(waiting) > spec.max_waiting:
        _refuse(f"{len(waiting)} states wait, and max_waiting is {spec.max_waiting}")
    if len({(arrival.process, arrival.index) for arrival in waiting}) != len(waiting):
        _refuse("a state waits twice")
    for arrival in waiting:
        k, clock = arrival.process, arrival.clock
        if not 0 <= k < len(processes) or len(clock) != len(processes) or clock[k] != arrival.index:
            _refuse("the clock of a waiting state is none of its process's")
        if any(not 0 <= entry < LARGEST_ENTRY for entry in clock):
            _refuse("the clock of a waiting state has an entry out of range")
        if type(arrival.state) is not dict and arrival.state is not None:
            _refuse(f"the state of a waiting state must be a map; it is {type(arrival.state).__name__}")
        through = processes[k].through
        known = all(
            j == k or entry <= process.through
            for j, (entry, process) in enumerate(zip(clock, processes, strict=True))
        )
        if arrival.index <= through:
            _refuse("a state waits that was delivered or declared lost")
        if arrival.index == through + 1 and (known or spec.delivery == "fifo"):
            _refuse("a state waits that can be delivered")
        if spec.needs_times:
            try:
                read_time(arrival.time)
            except InvalidEvent as error:
                _refuse(str(error))


def _check_counters(snapshot: Snapshot) -> None:
    counters = snapshot.counters
    counts = msgspec.structs.astuple(counters)
    if min(counts) < 0 or max(counts) >= LARGEST_ENTRY:
        _refuse(f"a counter is out of range: {counters}")
    if counters.delivered != sum(process.newest for process in snapshot.processes):
        _refuse("the counter of delivered states is not their number")
    if counters.empty > counters.slides:
        _refuse("the counter of slides without a cut is above that of slides")
    if counters.waiting != len(snapshot.waiting):
        _refuse("the counter of waiting states is not their number")


def _check_final(snapshot: Snapshot, spec: Spec) -> None:
    """Only true values are told to be final, those of other questions never, and that of a `possibly` always."""
    final = set(snapshot.final)
    for name, value in snapshot.values.items():
        tree = spec.trees[name]
        if name in final and (not value or isinstance(tree, Question)):
            _refuse(f"property {name!r} cannot be final with the value {value}")
        if name not in final and value and isinstance(tree, Modal) and tree.kind == "possibly":
            _refuse(f"property {name!r} is true, so it must be final")


def _refuse(difference: str) -> NoReturn:
    raise SnapshotError(f"the snapshot is damaged: {difference}")
