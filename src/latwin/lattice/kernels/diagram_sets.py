"""The sets of cuts that questions begin with, as decision diagrams (see `diagrams`), and what is read off a result.

Sets of positions that need not be consistent are made of few nodes: a condition on one process has one node on each
level. The consistent cuts are built from the last process up: the cuts of the processes from k on are, for each
position of k, those of the later processes within the intervals that this position is compatible with.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Floats, Int32s, Int64s, copy_into, settled
from latwin.lattice.kernels.diagrams import (
    AND,
    DIM,
    EDGES,
    EMPTY,
    END,
    FIRST,
    FIRST_NODE,
    FULL,
    NO_ROOM,
    STEPS,
    Tables,
    add_node,
    combine,
)
from latwin.lattice.kernels.labels import compare
from latwin.lattice.kernels.window import GREATEST, LEAST

MOST_COUNTED = np.int64(2**63 - 1)  #: counting stops here


@njit(cache=True)
def begin(tables: Tables, ends: Int64s) -> int:
    """Clear the tables for the present window, and add the nodes of all choices; NO_ROOM, or the one of level 0."""
    tables.unique[:] = 0
    tables.memo[:] = 0
    tables.used[EDGES] = FIRST_NODE
    tables.used[STEPS] = 0
    full = END
    for level in range(ends.shape[1] - 1, -1, -1):
        row = tables.levels[level]
        row[DIM] = ends[GREATEST, level] - ends[LEAST, level] + 1
        row[FIRST : FIRST + row[DIM]] = full
        full = add_node(tables, level)
        if full == NO_ROOM:
            return NO_ROOM
        row[FULL] = full
    return full


@njit(cache=True)
def consistent_cuts(tables: Tables, low: Int32s, high: Int32s) -> int:
    """All cuts, from the compatible positions that `layout.find_compatible` found."""
    levels = tables.levels
    processes = len(levels)
    later = END
    for k in range(processes - 1, -1, -1):
        for p in range(levels[k, DIM]):
            compatible = END
            for j in range(processes - 1, k, -1):
                for q in range(levels[j, DIM]):
                    levels[j, FIRST + q] = compatible if low[k, p, j] <= q <= high[k, p, j] else EMPTY
                compatible = add_node(tables, j)
                if compatible == NO_ROOM:
                    return NO_ROOM
            fitting = combine(tables, settled(AND), settled(later), settled(compatible))
            if fitting == NO_ROOM:
                return NO_ROOM
            levels[k, FIRST + p] = fitting
        later = add_node(tables, k)
        if later == NO_ROOM:
            return NO_ROOM
    return later


@njit(cache=True)
def least_cut(tables: Tables) -> int:
    """The set of the least cut alone."""
    node = END
    for k in range(len(tables.levels) - 1, -1, -1):
        row = tables.levels[k]
        row[FIRST : FIRST + row[DIM]] = EMPTY
        row[FIRST] = node
        node = add_node(tables, k)
        if node == NO_ROOM:
            return NO_ROOM
    return node


@njit(cache=True)
def lift(tables: Tables, node: int, level: int, to: int) -> int:
    """The choices from level `to` on that continue with `node`, of a later level, whatever is chosen before it."""
    for k in range(level - 1, to - 1, -1):
        row = tables.levels[k]
        row[FIRST : FIRST + row[DIM]] = node
        node = add_node(tables, k)
        if node == NO_ROOM:
            return NO_ROOM
    return node


@njit(cache=True)
def flagged(tables: Tables, ends: Int64s, process: int, flags: Flags, to: int) -> int:
    """The choices from level `to` on whose state of `process` is flagged; `flags` uint8[capacity] is a ring."""
    levels = tables.levels
    full = levels[process + 1, FULL] if process + 1 < len(levels) else END
    for p in range(levels[process, DIM]):
        is_flagged = flags[(ends[LEAST, process] + p) & (len(flags) - 1)]
        levels[process, FIRST + p] = full if is_flagged else EMPTY
    return lift(tables, add_node(tables, process), process, to)


@njit(cache=True)
def flagged_pairs(tables: Tables, ends: Int64s, first: int, second: int, flags: Flags) -> int:
    """The choices whose states of two processes, the first the lower, are flagged together."""
    levels = tables.levels
    for p in range(levels[first, DIM]):
        place = (ends[LEAST, first] + p) & (len(flags) - 1)
        node = flagged(tables, ends, second, flags[place], first + 1)
        if node == NO_ROOM:
            return NO_ROOM
        levels[first, FIRST + p] = node
    return lift(tables, add_node(tables, first), first, settled(0))


@njit(cache=True)
def add_sums(tables: Tables, level: int, sums: Floats, terms: Floats, later: Floats, nodes: Int64s) -> Int64s:
    """The nodes of a level by the sum of what was chosen before, each of `sums`; `terms` are this level's numbers.

    `nodes` are those of the next level by `later`, sums in ascending order. A sum that is no finite number leads
    nowhere.
    """
    row = tables.levels[level]
    found = np.empty(len(sums), np.int64)
    for s in range(len(sums)):
        for p in range(row[DIM]):
            total = sums[s] + terms[p]
            row[FIRST + p] = nodes[np.searchsorted(later, total)] if np.isfinite(total) else EMPTY
        found[s] = add_node(tables, level)
        if found[s] == NO_ROOM:
            return found[:0]
    return found


@njit(cache=True)
def ends_of_sums(sums: Floats, operation: int, bound: float) -> Int64s:
    """Below the last level: END for each sum that compares true."""
    nodes = np.empty(len(sums), np.int64)
    for s in range(len(sums)):
        nodes[s] = END if compare(sums[s], operation, bound) else EMPTY
    return nodes


@njit(cache=True)
def find_first(tables: Tables, node: int, cut: Int64s) -> None:
    """Set `cut` to the positions of the lexicographically least cut of a set, which must not be empty."""
    for level in range(len(cut)):
        p = 0
        while tables.edges[node + 1 + p] == EMPTY:
            p += 1
        cut[level] = p
        node = tables.edges[node + 1 + p]


@njit(cache=True)
def contains(tables: Tables, node: int, cut: Int64s) -> bool:
    """Whether a cut, given by positions, is in a set."""
    for level in range(len(cut)):
        if node == EMPTY or cut[level] < 0:
            return False
        node = np.int64(tables.edges[node + 1 + cut[level]])
    return node == END


@njit(cache=True)
def trace_back(tables: Tables, node: int, path: Int64s) -> bool:
    """The same as `tracing.trace_back`, through a set of cuts; `path` int64[T, n] holds positions."""
    for at in range(len(path) - 2, -1, -1):
        copy_into(path[at], path[at + 1])
        found = False
        for process in range(path.shape[1]):
            path[at, process] -= 1
            if contains(tables, node, path[at]):
                found = True
                break
            path[at, process] += 1
        if not found:
            return False
    return True


@njit(cache=True)
def count(tables: Tables, root: int) -> int:
    """The number of cuts in a set; MOST_COUNTED if there are as many or more."""
    edges = tables.edges
    counts = np.zeros(max(root, END) + 1, np.int64)
    counts[END] = 1
    node = FIRST_NODE
    while node <= root:
        dim = tables.levels[edges[node], DIM]
        for p in range(dim):
            child = counts[edges[node + 1 + p]]
            counts[node] = MOST_COUNTED if child > MOST_COUNTED - counts[node] else counts[node] + child
        node += 1 + dim
    return counts[root]


@njit(cache=True)
def has_open_end(tables: Tables, root: int, is_open_at: Flags) -> bool:
    """Whether some cut of a set has a process that is flagged in `is_open_at` at its greatest position."""
    edges = tables.edges
    ended = np.zeros(max(root, END) + 1, np.uint8)
    node = FIRST_NODE
    while node <= root:
        level = edges[node]
        dim = tables.levels[level, DIM]
        ended[node] = is_open_at[level] and edges[node + dim] != EMPTY
        for p in range(dim):
            ended[node] |= ended[edges[node + 1 + p]]
        node += 1 + dim
    return ended[root] != 0
