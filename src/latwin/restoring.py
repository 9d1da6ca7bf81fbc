"""From a monitor's state to a snapshot and back, and what a snapshot must say: what every monitor keeps true.

A checksum finds damage on the way. It does not find a wrong writer, and a wrong state can keep a monitor busy
forever, make it raise, or make it lie. So everything is examined before anything is taken over: here what the reorder
buffer, the counters and the kept states must satisfy, in `Window.load` what the clocks must. It costs a few
percent of the time of Spark's workers, which restore every group that a batch touches, and they do it too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain
from types import NoneType
from typing import Any, NoReturn

import msgspec
from msgspec import structs

from latwin.delivery import ReorderBuffer
from latwin.delivery.membership import MembersState
from latwin.detect.seen import problem_of
from latwin.errors import InvalidEvent, InvalidInput, SnapshotError
from latwin.events.clocks import LARGEST_ENTRY
from latwin.events.decoding import MAX_DEPTH
from latwin.events.times import read_time
from latwin.judging import Judge
from latwin.lattice.bounds import MAX_WINDOW
from latwin.model import Counters
from latwin.properties import Modal
from latwin.properties.probability import Likely
from latwin.restoring_times import check_times_of_windows, fit, grows, has_same_windows, is_full
from latwin.snapshot import ProcessState, Snapshot
from latwin.spec import Spec

_NESTING = frozenset((dict, list))
_STATES = frozenset((dict, NoneType))


def held(judge: Judge, buffer: ReorderBuffer, counters: Counters) -> Snapshot:
    """Everything that a monitor needs to go on later."""
    spec, window, kept = judge.spec, judge.window, judge.kept
    processes = []
    for k, (numbers, clocks) in enumerate(window.held()):
        times = None if spec.synchrony_s is None else kept.times_of(k)
        begins = window.begins_of(k) if window.is_timed else None
        processes.append(ProcessState(numbers[-1], buffer.through[k], clocks, kept.states(k, numbers), times, begins))
    judge.is_growing()  # forgets what has grown
    return Snapshot(
        system_fingerprint=spec.system_fingerprint,
        properties=spec.meanings,
        processes=processes,
        waiting=list(buffer.waiting.values()),
        values=judge.named_values(),
        counters=counters,
        final=judge.final_names(),
        seen=judge.seen.state(),
        window=list(spec.window),
        rules=judge.rules,
        growing=judge.growing,
        lengths_s=list(spec.window_time_s),
        time=None if judge.time is None else judge.time.state(),
    )


def reseated(snapshot: Snapshot, sources: Sequence[int | None]) -> None:
    """Give a snapshot other seats: each takes what one of the old seats had, or is blank.

    What others know of a process that has no seat any more is forgotten: every cut has passed it.
    """

    def moved(clock: list[int]) -> list[int]:
        return [0 if source is None else clock[source] for source in sources]

    processes = snapshot.processes
    places = {source: seat for seat, source in enumerate(sources) if source is not None}
    for process in processes:
        process.clocks = [moved(clock) for clock in process.clocks]
    snapshot.waiting = [
        structs.replace(arrival, process=places[arrival.process], clock=moved(arrival.clock))
        for arrival in snapshot.waiting
    ]
    times, begins = [None if part is None else [-math.inf] for part in (processes[0].times, processes[0].begins)]
    blank = [0] * len(sources)
    snapshot.processes = [
        ProcessState(0, 0, [blank], [None], times, begins) if source is None else processes[source]
        for source in sources
    ]
    snapshot.window = snapshot.window[:1] * len(sources)
    snapshot.lengths_s = snapshot.lengths_s[:1] * len(sources)
    if snapshot.time is not None:
        latest_s = snapshot.time.latest_s
        snapshot.time.latest_s = [-math.inf if source is None else latest_s[source] for source in sources]
    snapshot.growing = {places[source]: oldest for source, oldest in snapshot.growing.items() if source in places}


def hand_over(snapshot: Snapshot, judge: Judge, buffer: ReorderBuffer) -> None:
    """Forget everything and take over what a snapshot holds, as far as the windows reach.

    Raises SnapshotError, and changes nothing, if the clocks cannot be a monitor's.
    """
    window, processes = judge.window, snapshot.processes
    growing = dict(snapshot.growing)
    if not has_same_windows(snapshot, judge.spec):
        larger = [k for k in range(len(processes)) if grows(snapshot, judge.spec, k)]
        fit(snapshot, judge.spec)
        for k in larger:
            oldest = processes[k].newest - len(processes[k].clocks) + 1
            if oldest:
                growing.setdefault(k, oldest)
    try:
        saved = [(process.newest, process.through, process.clocks) for process in processes]
        begins = [process.begins or [] for process in processes]
        window.load(saved, begins=begins, causal=buffer.causal)
    except InvalidInput as error:
        raise SnapshotError(f"the snapshot is damaged: {error}") from None
    if judge.time is not None:
        judge.time.load(snapshot.time)
    judge.context.slide()
    judge.kept.atoms.forget()
    is_known = judge.seen.restore(snapshot.seen)
    if not is_known:
        judge.seen.forget()
    for k, process in enumerate(processes):
        buffer.through[k] = process.through
        judge.kept.load(k, process.states, process.times)
        if not is_known:
            for state in process.states:
                judge.seen.look(k, state)
    buffer.clear()
    for arrival in snapshot.waiting:
        buffer.add(arrival)
    judge.values = [snapshot.values.get(name, False) for name, _ in judge.properties]
    judge.told_final = [name in snapshot.final for name, _ in judge.properties]
    judge.rules, judge.growing = snapshot.rules, growing


def check_snapshot(snapshot: Snapshot, spec: Spec) -> None:
    """Raise SnapshotError unless a monitor of this spec can have written it; the clocks of the window aside."""
    if len(snapshot.processes) != len(spec.processes):
        _refuse(f"{len(spec.processes)} processes were expected; it has {len(snapshot.processes)}")
    nested: list[Any] = []
    for name, process in zip(spec.processes, snapshot.processes, strict=True):
        _check_states(name, process)
        _check_times(name, process, spec)
        nested += process.states
    for arrival in snapshot.waiting:
        nested += (arrival.state, arrival.time)
    _check_depth(nested)
    _check_waiting(snapshot, spec)
    _check_counters(snapshot)
    check_times_of_windows(snapshot, spec)
    _check_windows(snapshot, spec)
    _check_final(snapshot, spec)
    _check_silence(snapshot, spec)
    problem = problem_of(snapshot.seen, spec.expectations)
    if problem is not None:
        _refuse(problem)


def is_usual(snapshot: Snapshot, spec: Spec, rules: int) -> bool:
    """Whether this is a snapshot of a group under these rules in which nothing waits, grows or keeps time.

    Of such a snapshot it also says what `check_snapshot` says, the numbers and contents of the states in the windows
    aside (`are_states`). Anything that may be wrong makes it unusual.
    """
    usual = (
        snapshot.system_fingerprint == spec.system_fingerprint
        and snapshot.properties == spec.meanings
        and snapshot.values.keys() == spec.meanings.keys()
        and snapshot.rules == rules
        and snapshot.window == [*spec.window]
        and snapshot.lengths_s == [*spec.window_time_s]
        and len(snapshot.processes) == len(spec.processes)
        and not (snapshot.waiting or snapshot.growing or snapshot.members or snapshot.time or snapshot.past)
        and all(_is_plain(part) for part in snapshot.processes)
        and snapshot.seen.digest == spec.expectations.digest
        and len(set(snapshot.final)) == len(snapshot.final)
        and spec.meanings.keys() >= set(snapshot.final)
    )
    if not usual:
        return False
    try:
        _check_counters(snapshot)
        _check_final(snapshot, spec)
        _check_silence(snapshot, spec)
    except SnapshotError:
        return False
    return problem_of(snapshot.seen, spec.expectations) is None


def _is_plain(part: ProcessState) -> bool:
    return part.times is part.begins is None and len(part.states) == len(part.clocks)


def are_states(values: Sequence[Any]) -> bool:
    """Whether all of these can be states that a snapshot holds."""
    try:
        _check_depth(values)
    except SnapshotError:
        return False
    return _STATES.issuperset(map(type, values))


def check_members(snapshot: Snapshot, most: int) -> MembersState:
    """Who is there, of an open group; SnapshotError unless everyone has a seat, and empty seats are blank."""
    members = snapshot.members
    if members is None or not 1 <= members.seats == len(snapshot.processes):
        _refuse("it does not say who is there")
    lives = members.lives
    taken = {life.seat for life in lives}
    if len(taken) != len(lives) or len(lives) > most or not taken <= set(range(members.seats)):
        _refuse("who is there does not have a seat each")
    if len({life.number for life in lives}) != len(lives) or any(life.number >= members.joined for life in lives):
        _refuse("the numbers in which processes joined cannot be")
    for life in lives:
        process = snapshot.processes[life.seat]
        if not life.name or "\0" in life.name or not 0 <= life.after <= process.through:
            _refuse(f"process {life.name!r} cannot be there")
        if life.last is not None and not life.after < life.last <= process.through:
            _refuse(f"process {life.name!r} cannot have left with state {life.last}")
    for seat, process in enumerate(snapshot.processes):
        if seat not in taken and (process.newest or process.through):
            _refuse("an empty seat has states")
    if any(not 0 <= last < LARGEST_ENTRY for last in members.departed.values()):
        _refuse("a process that left cannot have had such a state")
    return members


def _check_silence(snapshot: Snapshot, spec: Spec) -> None:
    """When the group was last heard of, and what it was before it ended, can be."""
    past, count = snapshot.past, 0 if spec.open is not None else len(spec.processes)
    times = [time for time in (snapshot.last_s, None if past is None else past.last_s) if time is not None]
    if not all(map(math.isfinite, times)):
        _refuse("the group cannot have been heard of at such a time")
    if past is None:
        return
    told = [*past.through, *past.departed.values()]
    if len(past.through) != count or not all(0 <= index < LARGEST_ENTRY for index in told):
        _refuse("the group cannot have had such a past")
    if snapshot.counters != Counters():
        _refuse("a group that ended has counters")


def _check_windows(snapshot: Snapshot, spec: Spec) -> None:
    """A window is full, or holds all states so far, or grew since."""
    if len(snapshot.window) != len(spec.processes):
        _refuse(f"{len(spec.processes)} sizes of windows were expected; it has {len(snapshot.window)}")
    if not 1 <= snapshot.rules < LARGEST_ENTRY:
        _refuse(f"the rules cannot have the version {snapshot.rules}")
    known = {}
    lives = () if snapshot.members is None else snapshot.members.lives
    declared = {life.seat for life in lives if life.is_declared}  # only its last state stays of who is silent
    for k, (name, process, size) in enumerate(zip(spec.processes, snapshot.processes, snapshot.window, strict=True)):
        if size is not None and not 1 <= size <= MAX_WINDOW:
            _refuse(f"process {name!r} cannot have a window of {size} states")
        held = len(process.clocks)
        full = min(process.newest + 1, size or process.newest + 1)
        oldest = process.newest - held + 1
        if k in snapshot.growing and held < full and snapshot.growing[k] == oldest > 0:
            known[k] = oldest
        elif held != full and not (held < full and (is_full(snapshot, k) or (held == 1 and k in declared))):
            _refuse(f"process {name!r}: {full} states were expected; got {held}")
    if known != snapshot.growing:
        _refuse("windows that grew hold too many states, or are none of its windows")


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
        if spec.synchrony_s is not None:
            try:
                read_time(arrival.time)
            except InvalidEvent as error:
                _refuse(str(error))


def _check_counters(snapshot: Snapshot) -> None:
    counters = snapshot.counters
    counts = msgspec.structs.astuple(counters)
    if min(counts) < 0 or max(counts) >= LARGEST_ENTRY:
        _refuse(f"a counter is out of range: {counters}")
    in_windows = sum(process.newest for process in snapshot.processes)
    # Processes that left took their states with them.
    if counters.delivered < in_windows or (counters.delivered != in_windows and snapshot.members is None):
        _refuse("the counter of delivered states is not their number")
    if counters.empty > counters.slides:
        _refuse("the counter of slides without a cut is above that of slides")
    if counters.waiting != len(snapshot.waiting):
        _refuse("the counter of waiting states is not their number")


def _check_final(snapshot: Snapshot, spec: Spec) -> None:
    """Only true values are told to be final, that of a probability never, and that of a `possibly` always."""
    final = set(snapshot.final)
    for name, value in snapshot.values.items():
        tree = spec.trees[name]
        if name in final and (not value or isinstance(tree, Likely)):
            _refuse(f"property {name!r} cannot be final with the value {value}")
        if name not in final and value and isinstance(tree, Modal) and tree.kind == "possibly":
            _refuse(f"property {name!r} is true, so it must be final")


def _refuse(difference: str) -> NoReturn:
    raise SnapshotError(f"the snapshot is damaged: {difference}")
