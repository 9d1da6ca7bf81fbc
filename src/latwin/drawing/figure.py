"""Where things stand in drawings for papers and notebooks: cuts of a lattice, states of a space-time diagram.

Pure functions of cuts, steps and clocks, in units of one cut or one state; `svg` and `latwin.plot` draw them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from latwin.drawing.text import Edge, levels
from latwin.model import Cut

_SWEEPS = 3


@dataclass(frozen=True, slots=True)
class LaneState:
    """A state in the window of a process."""

    index: int
    clock: Sequence[int]
    value: Any = None


#: per process the states in its window, oldest first
Lanes = Sequence[Sequence[LaneState]]


class Message(NamedTuple):
    """From a state's beginning to another's, each as process and position in its lane."""

    source: tuple[int, int]
    target: tuple[int, int]


def place_cuts(cuts: Sequence[Cut], edges: Collection[Edge]) -> dict[Cut, tuple[float, int]]:
    """A place for each cut: across, with 0 in the middle, and down, its level.

    Two processes span a plane: to the left the first moves, to the right the second.

    >>> place_cuts([(0, 0), (0, 1), (1, 0)], [((0, 0), (0, 1)), ((0, 0), (1, 0))])
    {(0, 0): (0.0, 0), (0, 1): (0.5, 1), (1, 0): (-0.5, 1)}
    """
    if not cuts:
        return {}
    rows = levels(cuts, edges)
    if len(cuts[0]) == 2:
        return _plane(cuts, edges, rows)
    return {cut: (x, level) for level, row in enumerate(_untangle(rows, edges)) for cut, x in _spread(row)}


def place_states(lanes: Lanes) -> list[list[int]]:
    """A column for each state: after its process's one before, and after all that it depends on."""
    columns: list[list[int]] = [[-1] * len(lane) for lane in lanes]
    everyone = [(sum(state.clock), k, at) for k, lane in enumerate(lanes) for at, state in enumerate(lane)]
    for _, k, at in sorted(everyone):  # what a state depends on has the smaller sum
        before = [columns[k][at - 1]] if at > 0 else []
        for j, index in enumerate(lanes[k][at].clock):
            if j != k:
                before += [columns[j][other] for other, state in enumerate(lanes[j]) if 0 < state.index <= index][-1:]
        columns[k][at] = max(before, default=-1) + 1
    return columns


def messages(lanes: Lanes) -> list[Message]:
    """The messages that the clocks tell of: what a process learned with a state, and not by another such message."""
    found = []
    for k, lane in enumerate(lanes):
        for at, state in enumerate(lane[1:], start=1):
            news = [j for j in range(len(lanes)) if j != k and state.clock[j] > lane[at - 1].clock[j]]
            known = {j: _standing(lanes[j], state.clock[j]) for j in news}
            for j, source in known.items():
                others = (lanes[i][other].clock[j] for i, other in known.items() if i != j and other is not None)
                if source is not None and lanes[j][source].index > 0 and max(others, default=-1) < state.clock[j]:
                    found.append(Message((j, source), (k, at)))
    return found


def crossings(columns: Sequence[Sequence[int]], cut: Sequence[int], end: int) -> list[float]:
    """Where a cut, given by positions in the lanes, crosses each lane: as straight as its states allow."""
    spans = [(lane[at], lane[at + 1] if at + 1 < len(lane) else end) for lane, at in zip(columns, cut, strict=True)]
    aim = max(begin for begin, _ in spans) + 0.75  # beside the numbers, which stand in the middle
    return [min(max(aim, begin + 0.25), stop - 0.25) for begin, stop in spans]


def _standing(lane: Sequence[LaneState], index: int) -> int | None:
    """The position of the state that has an index or stands for it, unless it is not in the window."""
    before = [at for at, state in enumerate(lane) if state.index <= index]
    if not before or (before[-1] == len(lane) - 1 and lane[-1].index != index):
        return None
    return before[-1]


def _plane(
    cuts: Sequence[Cut], edges: Collection[Edge], rows: Sequence[Sequence[Cut]]
) -> dict[Cut, tuple[float, int]]:
    level = {cut: number for number, row in enumerate(rows) for cut in row}
    across: dict[Cut, float] = dict.fromkeys(cuts, 0.0)
    for before, after in sorted(edges):
        across[after] = across[before] + (-0.5 if before[0] != after[0] else 0.5)
    return {cut: (across[cut], level[cut]) for cut in cuts}


def _untangle(rows: list[list[Cut]], edges: Collection[Edge]) -> list[list[Cut]]:
    """Sort each level by where its neighbours are, downwards and upwards in turn, so that few steps cross."""
    above: dict[Cut, list[Cut]] = {cut: [] for row in rows for cut in row}
    below: dict[Cut, list[Cut]] = {cut: [] for row in rows for cut in row}
    for before, after in sorted(edges):
        above[after].append(before)
        below[before].append(after)
    rows = [list(reversed(row)) for row in rows]
    place = dict(pair for row in rows for pair in _spread(row))
    for neighbours, order in [(above, 1), (below, -1)] * _SWEEPS:
        for row in rows[::order]:
            aim = {cut: _mean((place[other] for other in neighbours[cut]), place[cut]) for cut in row}
            row.sort(key=lambda cut: (aim[cut], place[cut]))
            place.update(_spread(row))
    return rows


def _spread(row: Sequence[Cut]) -> list[tuple[Cut, float]]:
    return [(cut, at - (len(row) - 1) / 2) for at, cut in enumerate(row)]


def _mean(values: Iterable[float], otherwise: float) -> float:
    found = list(values)
    return sum(found) / len(found) if found else otherwise
