"""Sets of cuts as decision diagrams, for lattices of far more cuts than can be enumerated.

A node of level k stands for a set of choices of positions (see `layout`) of the processes k, k+1, ..., n-1. It has
one edge for each position of process k, to the node of level k+1 with the choices that continue it:

    level 0        node of a set of cuts
                  /      |      \\          one edge for each position of process 0
    level 1     EMPTY  node     node
    ...
    level n             END                all positions are chosen

EMPTY stands for no choice at all, on every level. Equal sets of a level are one node, and every operation on two
nodes is done once, so the cost follows the number of nodes and not the number of cuts.

Nodes are numbers. A node's number is where it stands in `edges`: first its level, then its edges. Children are added
before their parents, so their numbers are smaller. Nothing is ever removed; whoever begins anew clears the tables.

What lacks room, or takes more steps than allowed, is NO_ROOM. A *step* is a new node, or an operation on two nodes
that was not done before.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from latwin.lattice.kernels.arrays import Int64s, settled

EMPTY, END = 0, 1  #: the nodes without edges
FIRST_NODE = 2  #: where the other nodes begin
NO_ROOM = -1
UNKNOWN = -2  #: an operation that was not done before

AND, OR, MINUS, REACH = 0, 1, 2, 3  #: operations
EDGES, STEPS, MOST_STEPS = 0, 1, 2  #: entries of `used`
DIM, FULL, FIRST = 0, 1, 2  #: columns of `levels`


class Tables(NamedTuple):
    """All nodes, and what is known about them."""

    #: int64[E]: the nodes
    edges: Int64s
    #: int64[U], U a power of two and at least E: the nodes by a hash of their content; 0 is free
    unique: Int64s
    #: int64[M, 2], M a power of two, at least twice the allowed steps: operations with their operands, and their
    #: results; 0 is free
    memo: Int64s
    #: int64[3]: how much of `edges` is taken, how many steps were taken, and how many may be
    used: Int64s
    #: int64[n, 2 + dmax], of a level: the number of positions; the node of all choices; room for a new node's edges
    levels: Int64s


@njit(cache=True)
def mix(mixed: int, value: int) -> int:
    """A hash of 32 bits out of one and another number; no product exceeds 63 bits."""
    mixed = ((mixed ^ value) * 0x61C88647) & 0xFFFFFFFF
    return mixed ^ (mixed >> 15)


@njit(cache=True)
def add_node(tables: Tables, level: int) -> int:
    """The node with the edges that stand in `levels[level]`, found or new."""
    edges, unique, used, row = tables.edges, tables.unique, tables.used, tables.levels[level]
    dim = row[DIM]
    mixed = level
    some = 0
    for p in range(dim):
        some |= row[FIRST + p]
        mixed = mix(mixed, row[FIRST + p])
    if some == EMPTY:
        return EMPTY
    mask = len(unique) - 1
    slot = mixed & mask
    while unique[slot]:  # half of the slots are free: a node takes two places of `edges` or more
        node = unique[slot]
        is_same = edges[node] == level
        for p in range(dim):
            if not is_same:
                break
            is_same = edges[node + 1 + p] == row[FIRST + p]
        if is_same:
            return node
        slot = (slot + 1) & mask
    node = used[EDGES]
    if node + 1 + dim > len(edges) or used[STEPS] >= used[MOST_STEPS]:
        return NO_ROOM
    used[STEPS] += 1
    edges[node] = level
    for p in range(dim):
        edges[node + 1 + p] = row[FIRST + p]
    used[EDGES] = node + 1 + dim
    unique[slot] = node
    return node


@njit(cache=True)
def find(memo: Int64s, operation: int, a: int, b: int) -> int:
    """The row of `memo` with an operation on two nodes, or the free one where it belongs."""
    key = (operation << 60) | (a << 30) | b
    mask = len(memo) - 1
    row = mix(mix(operation, a), b) & mask
    while memo[row, 0] and memo[row, 0] != key:  # half of the rows are free: there are two for each allowed step
        row = (row + 1) & mask
    return row


@njit(cache=True)
def remember(tables: Tables, operation: int, a: int, b: int, result: int) -> int:
    """Note the result of a step, and return it."""
    memo, used = tables.memo, tables.used
    if result == NO_ROOM or used[STEPS] >= used[MOST_STEPS]:
        return NO_ROOM
    used[STEPS] += 1
    row = find(memo, operation, a, b)
    memo[row, 0] = (operation << 60) | (a << 30) | b
    memo[row, 1] = result
    return result


@njit(cache=True, inline="always")
def settle(tables: Tables, operation: int, a: int, b: int) -> int:
    """AND, OR or MINUS of two nodes, where that can be told at once; else UNKNOWN."""
    if a == b:
        return EMPTY if operation == MINUS else a
    if a == EMPTY:
        return b if operation == OR else EMPTY
    if b == EMPTY:
        return EMPTY if operation == AND else a
    full = tables.levels[tables.edges[a], FULL]
    if operation == MINUS:
        return EMPTY if b == full else UNKNOWN
    if a == full or b == full:
        return full if operation == OR else a + b - full
    return UNKNOWN


@njit(cache=True)
def combine(tables: Tables, operation: int, a: int, b: int) -> int:
    """AND, OR or MINUS (all of `a` that is not in `b`) of two nodes of the same level."""
    result = settle(tables, operation, a, b)
    if result != UNKNOWN:
        return result
    if a > b and operation != MINUS:
        a, b = b, a
    memo, edges = tables.memo, tables.edges
    row = find(memo, operation, a, b)
    if memo[row, 0]:
        return memo[row, 1]
    level = edges[a]
    new = tables.levels[level]
    for p in range(new[DIM]):
        child = combine(tables, operation, edges[a + 1 + p], edges[b + 1 + p])
        if child == NO_ROOM:
            return NO_ROOM
        new[FIRST + p] = child  # only deeper levels were touched meanwhile
    return remember(tables, operation, a, b, add_node(tables, level))


@njit(cache=True)
def reach(tables: Tables, seeds: int, allowed: int) -> int:
    """The cuts of `allowed` to which single steps within it lead from `seeds`, a part of it.

    No fixed point is needed, because steps only go up. A reached cut with position p of this level's process is a
    seed, or is entered by a step of this process from a reached cut with position p-1, or by a step of a later
    process from a reached cut with position p. So, p by p, what the first two give are the seeds of the same question
    one level deeper.
    """
    if seeds == EMPTY or seeds == allowed:  # noqa: SIM109 - a tuple does not compile
        return seeds
    memo, edges = tables.memo, tables.edges
    row = find(memo, settled(REACH), seeds, allowed)
    if memo[row, 0]:
        return memo[row, 1]
    level = edges[seeds]
    new = tables.levels[level]
    before = EMPTY
    for p in range(new[DIM]):
        inside = edges[allowed + 1 + p]
        stepped = combine(tables, settled(AND), before, inside)
        if stepped == NO_ROOM:
            return NO_ROOM
        begun = combine(tables, settled(OR), edges[seeds + 1 + p], stepped)
        if begun == NO_ROOM:
            return NO_ROOM
        before = reach(tables, begun, inside)
        if before == NO_ROOM:
            return NO_ROOM
        new[FIRST + p] = before
    return remember(tables, settled(REACH), seeds, allowed, add_node(tables, level))
