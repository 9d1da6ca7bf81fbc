"""An observation that avoids a conjunction of local predicates, found on the windows alone (no lattice).

The way is that of `conjunctive.definitely_all`, which drops true runs that end too early: process j's run, which ends
with a state e, because process i's run does not begin in the past of e. So e and its past can come first while i is
still false: walk there. If an earlier walk went into i's run already, then to the end of a dropped run that came
after i's begin; the process of that run is false until its next run begins, and this begin is not in the past of e
either, or else i's would be. (If it lies on an earlier walk, too, go on to the run which that one led to; clocks have
no circles.) Hence on every walk some process stays false. A process without a run left stays false to the end.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int64s, copy_into
from latwin.lattice.kernels.conjunctive import begin_of_run, end_of_run
from latwin.lattice.kernels.window import GREATEST, LEAST, covers


@njit(cache=True)
def walk(clocks: Int64s, ends: Int64s, goal: Int64s, path: Int64s, count: int) -> int:
    """Append single steps from the last of `count` cuts of `path` to the later cut `goal`; the new count."""
    processes = ends.shape[1]
    mask = clocks.shape[1] - 1
    covered = np.empty(processes, np.int64)
    for k in range(processes):
        covered[k] = covers(clocks, ends, k, path[count - 1, k])
    moved = True
    while moved:  # every round but the last takes a step, and there are as many as lie between the cuts
        moved = False
        for k in range(processes):
            while path[count - 1, k] < goal[k]:
                clock = clocks[k, (path[count - 1, k] + 1) & mask]
                is_next = True
                for j in range(processes):
                    if j != k and clock[j] > covered[j]:
                        is_next = False
                        break
                if not is_next:
                    break
                copy_into(path[count], path[count - 1])
                path[count, k] += 1
                covered[k] = covers(clocks, ends, k, path[count, k])
                count += 1
                moved = True
    return count


@njit(cache=True)
def raise_to(clocks: Int64s, ends: Int64s, process: int, state: int, goal: Int64s) -> None:
    """Raise the cut `goal` to one that includes a state and its past."""
    clock = clocks[process, state & (clocks.shape[1] - 1)]
    goal[process] = max(goal[process], state)
    for j in range(ends.shape[1]):
        while covers(clocks, ends, j, goal[j]) < clock[j]:  # ends at the greatest cut, which includes the state
            goal[j] += 1


@njit(cache=True)
def avoid_all(clocks: Int64s, ends: Int64s, holds: Flags, path: Int64s) -> int:
    """Fill `path` with an observation that meets no cut with every flag set; the number of its cuts, 0 if none does.

    `path` is int64[T, n] with room for one cut more than there are steps from the least to the greatest cut; cuts
    are given by state numbers. The arguments are those of `conjunctive.definitely_all`, of which this is the
    negation. O(n^2) a step.
    """
    processes = ends.shape[1]
    mask = clocks.shape[1] - 1
    last = np.empty(processes, np.int64)
    begins = np.empty(processes, np.int64)  # index of the state that begins the run; 0: at the least cut
    copy_into(path[0], ends[LEAST])
    count = 1
    for k in range(processes):
        first = begin_of_run(ends, holds, k, ends[LEAST, k], mask)
        if first > ends[GREATEST, k]:
            return walk(clocks, ends, ends[GREATEST], path, count)
        last[k] = end_of_run(ends, holds, k, first, mask)
        begins[k] = 0 if first == ends[LEAST, k] else clocks[k, first & mask, k]
    goal = ends[LEAST].copy()
    again = True
    while again:  # every round but the last drops a run
        again = False
        for j in range(processes):
            if last[j] == ends[GREATEST, j]:
                continue
            ending = clocks[j, (last[j] + 1) & mask]
            too_early = False
            for i in range(processes):
                if ending[i] < begins[i]:
                    too_early = True
                    break
            if not too_early:
                continue
            raise_to(clocks, ends, j, last[j] + 1, goal)
            count = walk(clocks, ends, goal, path, count)
            first = begin_of_run(ends, holds, j, last[j] + 2, mask)
            if first > ends[GREATEST, j]:
                return walk(clocks, ends, ends[GREATEST], path, count)
            last[j] = end_of_run(ends, holds, j, first, mask)
            begins[j] = clocks[j, first & mask, j]
            again = True
    return 0
