"""Observations through a finite automaton: in which states can it be at each cut?

The automaton comes as a `Machine`: its states in groups, its moves as edges. States of different groups lead to each
other in one direction only, so one group after the other is settled for a whole word of cuts; the steps within a word
are shifts. Most groups are a single state that stays, or moves on, and settle like `reachability.spread`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Flags, Int64s, Words
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, Lattice
from latwin.lattice.kernels.reachability import spread
from latwin.lattice.kernels.steps import count_leaves, greatest_bit, steps_inside
from latwin.lattice.kernels.words import ONE, WORD, ZERO

TO, CARE, VALUE = 0, 1, 2  #: columns of `edges`
DECIDES = 3  #: where `decides` stands in a machine


class Machine(NamedTuple):
    """An automaton of S states (at most 64) that reads A atoms: a cut's letter says which of them hold there."""

    #: int64[E, 3]: the state that an edge leads to; the atoms that it looks at, and of these those that must hold
    #: (bit a for atom a). The edges of a state exclude each other. A letter without an edge ends the observation
    #: there: nobody asks how it goes on.
    edges: Int64s
    #: int64[S + 1]: the first edge of each state
    begins: Int64s
    #: int64[G + 1]: the first state of each group; edges lead to the same group or to a later one
    groups: Int64s
    #: uint8[S]: whether the question is answered as soon as the automaton can be in a state
    decides: Flags
    #: int64[1]: the state before the least cut is read
    start: Int64s


@njit(cache=True, inline="always")
def step_on(word: np.uint64, shifts: Words, entered: Words) -> np.uint64:
    """The bits to which one step within the word leads from `word`."""
    after = ZERO
    for k in range(len(shifts)):
        after |= (word << shifts[k]) & entered[k]
    return after


@njit(cache=True)
def run_automaton(lattice: Lattice, atoms: Words, machine: Machine, post: Words) -> np.uint64:
    """The states in which the automaton can be at the greatest cut, as bits; found in one pass forward.

    `atoms` uint64[A, leaves] are the cuts where each atom holds. `post` uint64[leaves + 1, S] is filled with the
    cuts after which the automaton can be in each state; the last row stays zero, for links that lead nowhere. If a
    state that decides is met, its bit alone is returned, and the rest of `post` means nothing.
    """
    lattice, machine = Lattice(*lattice), Machine(*machine)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    edges, begins, groups, decides = machine.edges, machine.begins, machine.groups, machine.decides
    states = len(decides)
    last_axis = shape[AXES] - 1
    shifts, entered = steps_inside(lattice)
    carry = np.uint64(WORD - 1) if shape[CHUNKED] else ZERO
    words = np.empty(len(edges), np.uint64)
    incoming = np.empty(states, np.uint64)
    count = count_leaves(lattice)
    post[count] = ZERO
    leaf = 0
    for node in range(levels[last_axis], levels[last_axis + 1]):
        for position in range(span[node, HIGH] - span[node, LOW] + 1):
            for s in range(states):
                incoming[s] = post[leaf - 1, s] >> carry if position else ZERO
            for axis in range(last_axis):
                before = links[leaf, axis]
                for s in range(states):
                    incoming[s] |= post[before, s]
            if leaf == 0:
                incoming[machine.start[0]] |= ONE
            after = post[leaf]
            after[:] = ZERO
            for group in range(len(groups) - 1):
                first, end = groups[group], groups[group + 1]
                is_met = ZERO
                for s in range(first, end):
                    is_met |= incoming[s] | after[s]
                if not is_met:
                    continue
                for edge in range(begins[first], begins[end]):
                    word = leaves[leaf]
                    care, value = edges[edge, CARE], edges[edge, VALUE]
                    atom = 0
                    while care:
                        if care & 1:
                            word &= atoms[atom, leaf] if value & 1 else ~atoms[atom, leaf]
                        care >>= 1
                        value >>= 1
                        atom += 1
                    words[edge] = word
                if end - first == 1:
                    stay = ZERO
                    for edge in range(begins[first], begins[end]):
                        if edges[edge, TO] == first:
                            stay |= words[edge]
                    seeds = after[first] | (incoming[first] & stay)
                    after[first] = spread(seeds, stay, shifts, entered) if seeds else ZERO
                else:
                    changed = True
                    while changed:  # every round but the last adds a bit to one of the states
                        changed = False
                        for s in range(first, end):
                            before_it = incoming[s] | step_on(after[s], shifts, entered)
                            for edge in range(begins[s], begins[s + 1]):
                                to = edges[edge, TO]
                                if to < end:
                                    more = after[to] | (before_it & words[edge])
                                    changed |= more != after[to]
                                    after[to] = more
                for s in range(first, end):
                    before_it = incoming[s] | step_on(after[s], shifts, entered)
                    for edge in range(begins[s], begins[s + 1]):
                        to = edges[edge, TO]
                        if to >= end:
                            reached = before_it & words[edge]
                            if reached and decides[to]:
                                return ONE << np.uint64(to)
                            after[to] |= reached
            leaf += 1
    greatest = np.uint64(greatest_bit(lattice.ends, shape, lattice.stride))
    found = ZERO
    for s in range(states):
        found |= ((post[leaf - 1, s] >> greatest) & ONE) << np.uint64(s)
    return found
