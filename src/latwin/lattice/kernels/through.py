"""The questions of a run that the windows alone cannot answer, each asked through the address of its kind's function.

This, too, is called through an address, so that whoever asks about conjunctions alone does not wait for the lattice
to be compiled.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from latwin.lattice.kernels.answers import CANNOT, LEAVES_TO_OTHER, NEEDS_LATTICE
from latwin.lattice.kernels.arrays import Flags, Int64s
from latwin.lattice.kernels.calling import call
from latwin.lattice.kernels.labels import Atoms
from latwin.lattice.kernels.layout import CUTS, Lattice
from latwin.lattice.kernels.part_lattice import lay_out
from latwin.lattice.kernels.sums import SumQuestions

THROUGH_ADDRESS = 3  #: kinds below are answered by the windows alone

# Columns of a question: its kind, the part that it reads, where its own numbers begin and end in `data`, the function
# that answers it, and the one that does if that leaves it to another; where the processes of its part are in `data`.
KIND, PART, BEGIN, END, ADDRESS, OTHER_ADDRESS, FIRST_MEMBER, END_MEMBER = 0, 1, 2, 3, 4, 5, 6, 7


@njit(cache=True, inline="always")
def no_lattice(members: Int64s) -> Lattice:
    """A lattice without cuts, for questions that have not asked for one; a plain tuple."""
    numbers = np.zeros(4, np.int64)
    nothing = numbers[:0]  # one array to allocate, as this is made at every slide
    table, nodes, words = nothing.reshape(0, 1), nothing.view(np.int32).reshape(0, 1), nothing.view(np.uint64)
    return table, numbers, numbers, words.reshape(0, 1), nodes, nodes, numbers, words, nodes, members


@njit(cache=True)
def ask_others(
    clocks: Int64s,
    ends: Int64s,
    atoms: Atoms,
    questions: Int64s,
    data: Int64s,
    sums: SumQuestions,
    max_cuts: int,
    wanted: Flags,
    answers: Int64s,
) -> int:
    """Set the answers of these questions; CANNOT where there is none. Those of the same part share its lattice.

    Questions and the rest are as in `slides.Asked`; the result means nothing.
    """
    none = no_lattice(data)
    lattice, built, is_usable = none, -1, False
    for m in range(len(answers)):
        question, wants_final = questions[m], np.int64(wanted[m])
        if question[KIND] < THROUGH_ADDRESS:
            continue
        members = data[question[FIRST_MEMBER] : question[END_MEMBER]]
        own = data[question[BEGIN] : question[END]]
        given = lattice if is_usable and built == question[PART] else none
        address = question[ADDRESS]
        answer = call(address, (clocks, ends, atoms, sums, given, members, own, wants_final))
        if answer == LEAVES_TO_OTHER:
            address = question[OTHER_ADDRESS]
            answer = call(address, (clocks, ends, atoms, sums, given, members, own, wants_final))
        if answer == NEEDS_LATTICE:
            if built != question[PART]:
                lattice, built = lay_out(clocks, ends, members), question[PART]
                is_usable = 0 < lattice[1][CUTS] <= max_cuts
            answer = CANNOT
            if is_usable:
                answer = call(address, (clocks, ends, atoms, sums, lattice, members, own, wants_final))
        answers[m] = answer
    return 0
