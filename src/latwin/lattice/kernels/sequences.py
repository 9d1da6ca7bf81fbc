"""Observations through a finite automaton: in which states can it be at each cut?

`delta` int64[S, 2^A]
    The automaton's next state, by state and letter. A cut's letter is the set of atoms that hold there: bit a of
    the letter for atom a.
`atoms` uint64[A, leaves]
    The cuts where each atom holds.
`post` uint64[S, leaves + 1]
    The result: the cuts after which the automaton can be in a state, one bitmap for each. Row `leaves` stays zero,
    for links that lead nowhere.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.arrays import Int64s, Words
from latwin.lattice.kernels.layout import AXES, CHUNKED, HIGH, LOW, Lattice
from latwin.lattice.kernels.steps import count_leaves, steps_inside
from latwin.lattice.kernels.words import ONE, WORD, ZERO


@njit(cache=True)
def run_automaton(lattice: Lattice, atoms: Words, delta: Int64s, start: int, post: Words) -> None:
    """Fill `post` in one pass forward; the automaton reads the least cut first."""
    lattice = Lattice(*lattice)
    shape, span, levels, leaves, links = lattice.shape, lattice.span, lattice.levels, lattice.leaves, lattice.links
    states, letters = delta.shape
    last_axis = shape[AXES] - 1
    shifts, entered = steps_inside(lattice)
    carry = np.uint64(WORD - 1) if shape[CHUNKED] else ZERO
    moves = np.empty((states, states), np.uint64)
    incoming = np.empty(states, np.uint64)
    before = np.empty(states, np.uint64)
    after = np.empty(states, np.uint64)
    along = np.empty(states, np.uint64)
    post[:, count_leaves(lattice)] = ZERO
    leaf = 0
    for node in range(levels[last_axis], levels[last_axis + 1]):
        along[:] = ZERO
        for _ in range(span[node, HIGH] - span[node, LOW] + 1):
            moves[:] = ZERO
            for letter in range(letters):
                word = leaves[leaf]
                for a in range(len(atoms)):
                    word &= atoms[a, leaf] if (letter >> a) & 1 else ~atoms[a, leaf]
                if word:
                    for s in range(states):
                        moves[s, delta[s, letter]] |= word
            for s in range(states):
                word = along[s]
                for axis in range(last_axis):
                    word |= post[s, links[leaf, axis]]
                incoming[s] = word
                before[s] = word
            if leaf == 0:
                incoming[start] |= ONE
                before[start] |= ONE
            while True:  # `after` grows with `before`, so every round but the last adds a bit to one of the states
                for t in range(states):
                    word = ZERO
                    for s in range(states):
                        word |= before[s] & moves[s, t]
                    after[t] = word
                changed = False
                for t in range(states):
                    word = incoming[t]
                    for k in range(len(shifts)):
                        word |= (after[t] << shifts[k]) & entered[k]
                    if word != before[t]:
                        before[t] = word
                        changed = True
                if not changed:
                    break
            for t in range(states):
                post[t, leaf] = after[t]
                along[t] = after[t] >> carry
            leaf += 1
