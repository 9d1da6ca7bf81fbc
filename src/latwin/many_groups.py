"""`ManyGroups`: some events for each of very many groups, delivered in one call of compiled code.

A monitor serves one group at a time: it takes the group's snapshot over, observes, and writes a new snapshot. For a
few events of a group nearly all of that time goes to Python around the kernels. Here the snapshots of many groups
become arrays together, the kernels go through all groups, and the arrays become snapshots again.

    snapshots, a batch of events  ->  ManyGroups.observe  ->  new snapshots, counters, verdicts

Only what is usual is done here: events that all leave the reorder buffer, and verdicts that kernels can tell. Every
other group is left to `Monitor`, which does the same from the same snapshot; so this decides nothing, and the outcome
is the monitor's in either case.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from latwin.delivery.silence import is_over, time_of
from latwin.detect.atoms import Columns
from latwin.detect.compiled_runs import InKernels, Tellings, joined, tellings_of
from latwin.detect.remembered import RememberedValues
from latwin.detect.seen import Seen
from latwin.errors import SnapshotError
from latwin.events import EventBatch
from latwin.judging import Judge
from latwin.lattice.kernels import groups as kernel
from latwin.lattice.kernels import slides
from latwin.lattice.kernels.arrays import plain
from latwin.lattice.kernels.time_windows import untimed
from latwin.lattice.kernels.window import NEWEST, OLDEST, ROWS, SIZE, THROUGH
from latwin.model import Counters, VerdictColumns
from latwin.properties.tree import show_name
from latwin.restoring import are_states, is_usual
from latwin.snapshot import ProcessState, Snapshot, encode, examine
from latwin.spec import Spec

#: entries of clocks that are in windows at the same time
_MOST_ENTRIES = 1 << 18
#: room for what is told of many groups, in entries of cuts
_MOST_INDICES = 1 << 16
#: the values of a property as the kernels have them
_VALUES: dict[bool | None, int] = {False: 0, True: 1, None: slides.UNANSWERED}
_UNTIMED = plain(untimed())
_MEANINGS = {number: value for value, number in _VALUES.items()}


class Observed(NamedTuple):
    """What became of a group that observed its events."""

    snapshot: bytes
    before: Counters
    counters: Counters
    #: see `Monitor`
    last_s: float | None
    unseen: dict[str, list[str]]


class Together(NamedTuple):
    """What became of groups that observed their events together."""

    #: in their order; None for one that must be looked at alone
    groups: list[Observed | None]
    #: group after group, and those of each in order
    verdicts: VerdictColumns
    #: of each verdict the number of the group, and the position, among the group's events, of the one that led to it
    owners: list[int]
    positions: list[int]


class _Opened(NamedTuple):
    """A group whose snapshot was read."""

    number: int
    snapshot: Snapshot
    begin: int
    end: int


class ManyGroups:
    """Observes events of many groups of a spec, under one version of its rules; see `of`."""

    def __init__(self, judge: Judge, asked: InKernels) -> None:
        spec = judge.spec
        self._judge = judge
        self._spec = spec
        self._names = [name for name, _ in judge.properties]
        self._seen = Seen(spec.expectations)
        self._remembered = RememberedValues(judge.kept.atoms)
        count, window = len(spec.processes), judge.window
        self._told = asked.room(max(_MOST_INDICES // count, asked.properties))
        self._most_groups = _MOST_ENTRIES // window.clocks.size
        needed, sums = np.zeros(asked.properties, np.uint8), judge.kept.atoms.plain_questions
        # The kernels put each group's own values and finals in the places of the first two.
        self._asked = plain(slides.Asked(*asked.arrays, needed, needed, needed, sums, spec.max_cuts, asked.others))

    @classmethod
    def of(cls, spec: Spec, rules: int) -> ManyGroups | None:
        """Whoever observes for groups of a spec, or None if they need a monitor each."""
        if spec.open is not None or spec.variables is not None or spec.needs_times or None in spec.window:
            return None
        judge = Judge(spec, observations=False, on_slide=None, on_verdict=None)
        judge.rules = rules
        asked = judge.in_kernels
        if asked is None or asked.needs_python or judge.kept.atoms.has_pairs:
            return None
        return cls(judge, asked) if judge.window.clocks.size <= _MOST_ENTRIES else None

    def observe(self, snapshots: Sequence[bytes], batch: EventBatch, parts: Sequence[tuple[int, int]]) -> Together:
        """What became of the groups, as far as nothing unusual is about them.

        `snapshots` are what monitors of the spec wrote, or anything else. `parts` are the rows of each group's events
        in the batch: the first, and the one after the last. Later groups have later rows.
        """
        found = Together([None] * len(parts), VerdictColumns.none(), [], [])
        columns = self._judge.kept.atoms.columns(batch.processes, batch.states, batch.shared, batch.codes)
        if columns is None:
            return found
        opened: list[_Opened] = []
        for number, (data, part) in enumerate(zip(snapshots, parts, strict=True)):
            try:
                snapshot = examine(data)
            except SnapshotError:
                continue
            if is_usual(snapshot, self._spec, self._judge.rules) and self._hear(snapshot, batch, *part):
                opened.append(_Opened(number, snapshot, *part))
            if len(opened) == self._most_groups:
                self._deliver(opened, batch, columns, found)
                opened = []
        if opened:
            self._deliver(opened, batch, columns, found)
        return found

    def _deliver(self, opened: Sequence[_Opened], batch: EventBatch, columns: Columns, found: Together) -> None:
        """Find out what became of some groups, as far as nothing unusual is about them."""
        states = [state for each in opened for part in each.snapshot.processes for state in part.states]
        stored = self._stored(opened, states) if are_states(states) else None
        if stored is None:
            return
        held, atoms = self._held(len(opened)), self._judge.kept.atoms.arrays
        parts = np.array([(each.begin, each.end) for each in opened], np.int64)
        order, causes = self._release(stored, batch, parts)
        if order is not None:
            batch, columns = batch.ordered(order), columns.ordered(order)
        incoming = plain(slides.Incoming(batch.processes, batch.clocks, *columns, _UNTIMED))
        given = plain(stored), plain(held), atoms, self._asked, incoming, plain(self._told), parts
        causal, first = self._spec.delivery == "causal", 0
        parts_told: list[Tellings] = []
        while first < len(opened):
            self._told.count[0] = 0
            first = int(kernel.advance_groups(*given, causal, first))
            parts_told.append(tellings_of(self._asked, self._told))
        self._tell(opened, joined(parts_told), batch, causes, found)
        windows = zip(*(part.tolist() for part in held), strict=True)
        for each, (clocks, ends, sources, values, told_final, empty, is_done) in zip(opened, windows, strict=True):
            if is_done:
                snapshot, before = each.snapshot, msgspec.structs.replace(each.snapshot.counters)
                snapshot.processes = self._processes(clocks, ends, sources, states, batch.states)
                snapshot.values = dict(zip(self._names, map(_MEANINGS.__getitem__, values), strict=True))
                snapshot.final = [name for name, is_told in zip(snapshot.values, told_final, strict=True) if is_told]
                snapshot.counters.delivered += each.end - each.begin
                snapshot.counters.empty += empty
                unseen = self._look(snapshot, batch, each)
                found.groups[each.number] = Observed(
                    encode(snapshot), before, snapshot.counters, snapshot.last_s, unseen
                )

    def _tell(
        self,
        opened: Sequence[_Opened],
        tellings: Tellings,
        batch: EventBatch,
        causes: Sequence[int] | None,
        found: Together,
    ) -> None:
        """Add what is told of groups. `causes` are the rows that let each row go, unless all went as they came."""
        end, slides = 0, list[int]()
        for each in opened:
            begin, end = end, bisect_left(tellings.rows, each.end, end)
            rows, before = tellings.rows[begin:end], each.snapshot.counters.slides + 1 - each.begin
            slides += [before + row for row in rows]
            found.owners.extend([each.number] * len(rows))
            found.positions.extend([(row if causes is None else causes[row]) - each.begin for row in rows])
        found.verdicts.extend(self._judge.verdicts(tellings, batch, 0, slides))

    def _release(
        self, stored: kernel.Stored, batch: EventBatch, parts: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64] | None, list[int] | None]:
        """The rows of a batch in their order of delivery, and which ones caused it; None if they come in order.

        Groups with states that do not leave keep the order in which they came.
        """
        if self._spec.delivery == "causal":
            return None, None
        order, causes = np.arange(len(batch.processes)), np.arange(len(batch.processes))
        given = plain(stored), batch.processes, batch.clocks, parts, self._spec.max_waiting
        return (order, causes.tolist()) if kernel.release_groups(*given, order, causes) else (None, None)

    def _stored(self, opened: Sequence[_Opened], states: list[Any]) -> kernel.Stored | None:
        """The windows of groups as the kernels take them over; None if they cannot be arrays."""
        parts = [part for each in opened for part in each.snapshot.processes]
        sizes = [len(part.clocks) for part in parts]
        count, names = len(self._spec.processes), self._names
        try:
            ends = np.array([(part.newest, size, part.through) for part, size in zip(parts, sizes, strict=True)])
            clocks = np.array([clock for part in parts for clock in part.clocks], np.int64)
        except (ValueError, OverflowError):
            return None
        if clocks.ndim != 2 or clocks.shape[1] != count or ends.dtype != np.int64:
            return None
        processes = [number % count for number, size in enumerate(sizes) for _ in range(size)]
        values = self._remembered.values(processes, states)
        if values is None:
            return None
        begins = np.array([*accumulate(sizes, initial=0)][::count])
        asked = [[_VALUES[each.snapshot.values[name]] for name in names] for each in opened]
        final = [[name in each.snapshot.final for name in names] for each in opened]
        flags = np.array(asked, np.uint8), np.array(final, np.uint8)
        return kernel.Stored(ends.reshape(-1, count, 3), begins, clocks, *values, *flags)

    def _held(self, count: int) -> kernel.Held:
        """Room for the windows of so many groups."""
        window, names = self._judge.window, self._names
        ends = np.zeros((count, ROWS, window.processes), np.int64)
        ends[:, SIZE] = window.ends[SIZE]
        rings = count, window.processes, window.capacity
        values, told_final = np.zeros((count, len(names)), np.uint8), np.zeros((count, len(names)), np.uint8)
        clocks, sources = np.zeros((*rings, window.processes), np.int64), np.zeros(rings, np.int64)
        return kernel.Held(
            clocks, ends, sources, values, told_final, np.zeros(count, np.int64), np.zeros(count, np.uint8)
        )

    def _processes(
        self, clocks: Any, ends: Any, sources: Any, stored: Sequence[Any], came: Sequence[Any]
    ) -> list[ProcessState]:
        """The windows of a group as a snapshot has them, with states that were stored and states that came."""
        mask, made, first = self._judge.window.capacity - 1, [], len(stored)
        for k, (newest, oldest, through) in enumerate(zip(ends[NEWEST], ends[OLDEST], ends[THROUGH], strict=True)):
            places = [number & mask for number in range(oldest, newest + 1)]
            ring, rows = clocks[k], sources[k]
            own = [stored[row] if (row := rows[place]) < first else came[row - first] for place in places]
            made.append(ProcessState(newest, through, [ring[place] for place in places], own))
        return made

    def _hear(self, snapshot: Snapshot, batch: EventBatch, begin: int, end: int) -> bool:
        """Take the times of a group's events; False if it was silent for so long between them that it ended."""
        limit = self._spec.forget_after_s
        if limit is None:
            return True
        for time in batch.times[begin:end]:
            time_s = time_of({"time": time})
            if time_s is None:
                continue
            if snapshot.last_s is not None and is_over(snapshot.last_s, time_s, limit):
                return False
            snapshot.last_s = time_s if snapshot.last_s is None else max(snapshot.last_s, time_s)
        return True

    def _look(self, snapshot: Snapshot, batch: EventBatch, each: _Opened) -> dict[str, list[str]]:
        """Look at a group's states for what is expected of them; what was never seen, as `Monitor.unseen` has it."""
        parts = zip(self._spec.processes, snapshot.processes, strict=True)
        unseen: dict[str, list[str]] = {show_name(name): [] for name, part in parts if not part.newest}
        if not snapshot.seen.missing:
            return unseen
        self._seen.restore(snapshot.seen)
        self._seen.look_at_run(batch.processes[each.begin : each.end], batch.states[each.begin : each.end])
        snapshot.seen = self._seen.state()
        return {**unseen, **self._seen.missing()}
