"""The way back through cuts that a pass over the lattice marked."""

from __future__ import annotations

from numba import njit

from latwin.lattice.kernels.arrays import Int64s, copy_into


@njit(cache=True)
def contains(cuts: Int64s, cut: Int64s) -> bool:
    """Whether `cut` is among `cuts` int64[N, n], which stand in lexicographic order."""
    low, high = 0, cuts.shape[0]
    while low < high:  # what is before `low` is less, what is from `high` on is greater
        middle = (low + high) // 2
        order = 0
        for k in range(cut.shape[0]):
            if cuts[middle, k] != cut[k]:
                order = -1 if cuts[middle, k] < cut[k] else 1
                break
        if order == 0:
            return True
        if order < 0:
            low = middle + 1
        else:
            high = middle
    return False


@njit(cache=True)
def trace_back(cuts: Int64s, path: Int64s) -> bool:
    """Fill `path` int64[T, n] from its last row, which is given, back to its first, by single steps through `cuts`.

    Each step back is one of the first process that can take it. False if there is a cut without.
    """
    processes = path.shape[1]
    for at in range(path.shape[0] - 2, -1, -1):
        copy_into(path[at], path[at + 1])
        found = False
        for process in range(processes):
            path[at, process] -= 1
            if contains(cuts, path[at]):
                found = True
                break
            path[at, process] += 1
        if not found:
            return False
    return True
