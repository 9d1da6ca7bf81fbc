"""How the cuts between least and greatest are packed into words, and the prefix tree above the words.

A *position* counts a process's states from the least cut's: 0 .. dims[k]-1. The last processes whose
dims multiply to at most 64 are *packed*: one bit of a 64-bit word per combination of their
positions, in lexicographic order. The others are *axes*; a path through the prefix tree fixes a
position on each, and a *leaf* is the word of the consistent cuts that continue it:

    axes      p0 p1 p2 p3 p4 p5 | p6 p7 p8   packed        (n = 9, w = 4: 4*4*4 = 64 bits a word)
               2  0  1  1  3  2 | 0110_0111_...            one leaf

Because clocks are monotone, the positions on axis k compatible with a path are an interval, so a
node needs only two numbers per axis still to come. And because clocks are closed under causality, every
path inside the box from least to greatest extends to a cut: the tree has no dead ends, and no
more nodes on a level than there are cuts.

Leaves and bits are in lexicographic order of cuts, which is a topological order of the lattice.

If the last process alone has more than 64 positions it is *chunked*: the last axis then counts its
chunks of 64, and a word holds one chunk. If everything fits one word, a single axis of one
position remains, so that there always is a leaf axis.

The arrays are in two groups: `Lattice`, which all passes read, and `Scaffold`, which only the building needs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int32s, Int64s, Words, settled
from latwin.lattice.kernels.window import GREATEST, LEAST, covers
from latwin.lattice.kernels.words import FULL, WORD, count_bits, first_bits, repeat

PARENT, POSITION = 0, 1  #: columns of `origin`
OFFSET, LOW, HIGH = 0, 1, 2  #: columns of `span`
AXES, PACKED, CHUNKED, CUTS = 0, 1, 2, 3  #: entries of `shape`


class Lattice(NamedTuple):
    """A packed lattice, as all passes over it read it. n processes, N nodes, L leaves.

    The tree's nodes stand level by level, each level in lexicographic order. Leaves are not nodes.
    """

    #: int64[6, n], the window's own (see `window`), or its columns `members`: least and greatest cut are in it
    ends: Int64s
    #: int64[4]: number of axes, number of packed processes, chunked (0 or 1), number of cuts
    shape: Int64s
    #: int64[n], of packed process k: the distance in bits of neighbouring positions
    stride: Int64s
    #: uint64[n, 65], of packed process k: the bits with position >= p
    at_least: Words
    #: int32[N, 2], of a node: its parent, and the position that led here
    origin: Int32s
    #: int32[N, 3], of a node: its children; the one at position p is OFFSET + p for LOW <= p <= HIGH
    span: Int32s
    #: int64[axes + 1]: where each level begins; level d has fixed axes 0 .. d-1
    levels: Int64s
    #: uint64[L]: the words of cuts
    leaves: Words
    #: int32[L, n], per axis but the last: the leaf one step earlier on it, or L for none (see `links`). On the
    #: last axis that is the leaf before, under the same node.
    links: Int32s
    #: int64[n]: the numbers that the processes have in the window; others than 0 .. n-1 if this is a part of it
    members: Int64s


class Scaffold(NamedTuple):
    """What only the building of a lattice needs."""

    #: int32[n, dmax, n]: the state at position p of process j is compatible with positions
    #: low[j, p, k] .. high[j, p, k] of k
    low: Int32s
    high: Int32s
    #: uint64[n, dmax], of axis j: the bits compatible with position p
    block: Words
    #: uint64[N], of a node: the bits compatible with the path so far
    words: Words
    #: int32[N, 2, n], of a node: the compatible interval on every axis still to come
    bounds: Int32s


@njit(cache=True)
def find_compatible(clocks: Int64s, ends: Int64s, low: Int32s, high: Int32s) -> None:
    """Fill `low` and `high` from the clocks. O(n^2 w), as both only rise with the position."""
    processes = ends.shape[1]
    mask = clocks.shape[1] - 1
    for j in range(processes):
        for k in range(processes):
            dim_k = ends[GREATEST, k] - ends[LEAST, k] + 1
            lowest = 0
            highest = -1
            covered_low = covers(clocks, ends, k, ends[LEAST, k])
            for p in range(ends[GREATEST, j] - ends[LEAST, j] + 1):
                state = ends[LEAST, j] + p
                if j == k:
                    low[j, p, k] = high[j, p, k] = p
                    continue
                known = clocks[j, state & mask, k]
                while covered_low < known:  # ends at GREATEST, a cut, at the latest
                    lowest += 1
                    covered_low = covers(clocks, ends, k, ends[LEAST, k] + lowest)
                covered = covers(clocks, ends, j, state)
                while highest + 1 < dim_k and clocks[k, (ends[LEAST, k] + highest + 1) & mask, j] <= covered:
                    highest += 1
                low[j, p, k] = lowest
                high[j, p, k] = highest


@njit(cache=True)
def choose_packing(ends: Int64s, shape: Int64s, stride: Int64s) -> None:
    """Decide which processes are packed, and set `shape` and `stride`."""
    processes = ends.shape[1]
    product = 1
    packed = 0
    for k in range(processes - 1, -1, -1):
        dim = ends[GREATEST, k] - ends[LEAST, k] + 1
        if product * dim > WORD:
            break
        stride[k] = product
        product *= dim
        packed += 1
    chunked = 1 if packed == 0 else 0
    if chunked:
        stride[processes - 1] = 1
    shape[PACKED] = packed
    shape[CHUNKED] = chunked
    shape[AXES] = max(1, processes - packed)


@njit(cache=True, inline="always")
def fill_blocks(lattice: Lattice, scaffold: Scaffold) -> np.uint64:
    """Set `at_least` and `block`; return the word of combinations consistent among the packed processes."""
    ends, shape, stride, at_least = lattice.ends, lattice.shape, lattice.stride, lattice.at_least
    low, high, block = scaffold.low, scaffold.high, scaffold.block
    processes = ends.shape[1]
    split = processes - shape[PACKED]
    base = FULL
    if split < processes:
        base = first_bits(stride[split] * (ends[GREATEST, split] - ends[LEAST, split] + 1))
    for k in range(split, processes):
        dim = ends[GREATEST, k] - ends[LEAST, k] + 1
        for p in range(dim + 1):
            at_least[k, p] = repeat(first_bits(dim * stride[k]) & ~first_bits(p * stride[k]), dim * stride[k])
    for j in range(processes):
        inside = FULL
        for p in range(ends[GREATEST, j] - ends[LEAST, j] + 1):
            fits = FULL
            for k in range(split, processes):
                if k != j:
                    fits &= at_least[k, low[j, p, k]] & ~at_least[k, high[j, p, k] + 1]
            if j < split:
                block[j, p] = fits
            else:
                inside &= fits | ~(at_least[j, p] & ~at_least[j, p + 1])
        base &= inside
    if split == 0:
        block[0, 0] = FULL
    return base


@njit(cache=True)
def chunk_word(first: int, last: int, chunk: int) -> np.uint64:
    """The bits of `chunk` whose positions lie in first .. last."""
    word = FULL
    if first > chunk * WORD:
        word &= ~first_bits(first - chunk * WORD)
    if last < chunk * WORD + WORD - 1:
        word &= first_bits(last - chunk * WORD + 1)
    return word


@njit(cache=True)
def set_span(span: Int32s, bounds: Int32s, node: int, axis: int, shape: Int64s) -> None:
    """Set the positions of the node's children on `axis`; on a chunked last axis they are chunks."""
    span[node, LOW] = bounds[node, 0, axis]
    span[node, HIGH] = bounds[node, 1, axis]
    if shape[CHUNKED] and axis == shape[AXES] - 1:
        span[node, LOW] //= WORD
        span[node, HIGH] //= WORD


@njit(cache=True, inline="always")
def grow_tree(lattice: Lattice, scaffold: Scaffold) -> int:
    """Build all levels above the leaves from the root word; the number of leaves, or -1 for lack of room."""
    ends, shape, origin, span, levels = lattice.ends, lattice.shape, lattice.origin, lattice.span, lattice.levels
    low, high, block = scaffold.low, scaffold.high, scaffold.block
    words, bounds = scaffold.words, scaffold.bounds
    axes = shape[AXES]
    for axis in range(axes):
        bounds[0, 0, axis] = 0
        bounds[0, 1, axis] = ends[GREATEST, axis] - ends[LEAST, axis]
    if shape[PACKED] == ends.shape[1]:
        bounds[0, 1, 0] = 0  # the lone axis is no process
    set_span(span, bounds, settled(0), settled(0), shape)
    levels[0] = 0
    end = 1
    for axis in range(axes - 1):
        levels[axis + 1] = end
        for node in range(levels[axis], levels[axis + 1]):
            first, last = span[node, LOW], span[node, HIGH]
            offset = end - first
            span[node, OFFSET] = offset
            end += last - first + 1
            if end > words.shape[0]:
                return -1
            for position in range(first, last + 1):
                child = offset + position
                origin[child, PARENT] = node
                origin[child, POSITION] = position
                words[child] = words[node] & block[axis, position]
                for later in range(axis + 1, axes):
                    bounds[child, 0, later] = max(bounds[node, 0, later], low[axis, position, later])
                    bounds[child, 1, later] = min(bounds[node, 1, later], high[axis, position, later])
                set_span(span, bounds, child, axis + 1, shape)
    levels[axes] = end
    leaves = 0
    for node in range(levels[axes - 1], end):
        span[node, OFFSET] = leaves - span[node, LOW]
        leaves += span[node, HIGH] - span[node, LOW] + 1
    return leaves


@njit(cache=True, inline="always")
def fill_leaves(lattice: Lattice, scaffold: Scaffold) -> None:
    """Set the words of all leaves, and the number of cuts.

    (When everything is packed, `block` of the lone axis is all ones.)
    """
    shape, span, levels, leaves = lattice.shape, lattice.span, lattice.levels, lattice.leaves
    block, words, bounds = scaffold.block, scaffold.words, scaffold.bounds
    axis = shape[AXES] - 1
    cuts = 0
    for node in range(levels[axis], levels[axis + 1]):
        offset = span[node, OFFSET]
        for position in range(span[node, LOW], span[node, HIGH] + 1):
            if shape[CHUNKED]:
                word = chunk_word(bounds[node, 0, axis], bounds[node, 1, axis], position)
            else:
                word = words[node] & block[axis, position]
            leaves[offset + position] = word
            cuts += count_bits(word)
    shape[CUTS] = cuts


@njit(cache=True, inline="always")
def prepare(clocks: Int64s, lattice: Lattice, scaffold: Scaffold) -> np.uint64:
    """Lay the lattice out: everything but the tree. Returns the word that the tree begins with."""
    choose_packing(lattice.ends, lattice.shape, lattice.stride)
    find_compatible(clocks, lattice.ends, scaffold.low, scaffold.high)
    return fill_blocks(lattice, scaffold)
