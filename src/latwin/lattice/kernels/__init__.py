"""Compiled functions on integer arrays: the only part of latwin that is written for the machine.

They import numpy and numba and nothing else, take arrays and scalars, allocate predictably, never
print and never raise for a user's mistake; their callers validate and translate. Every array's
meaning and shape stands in the module that owns it.

What everything is made of:

- `arrays`: the types of arrays, and how groups of them cross into compiled code
- `words`: counting, finding and repeating the bits of a word

The windows:

- `window`: the sliding windows, their least and greatest cut
- `conjunctive`: possibly / definitely of a conjunction of local predicates, without a lattice
- `sums`, `sum_witness`: the same of a sum over processes; `weights`: the sum as integers, `closure`: how high it can
  be, `low_paths`: whether an observation keeps it low

The lattice:

- `layout`: how the cuts are packed into 64-bit words, and the prefix tree above them
- `links`: the neighbours of every word, and the whole build
- `counting`: the number of cuts, without building anything
- `cuts`: from bits to cuts, and from flags of cuts to bits

Questions, each a pass over the words:

- `steps`: single steps within a word, which all passes need
- `labels`: which cuts satisfy a predicate
- `reachability`: whether an observation avoids the labelled cuts (definitely)
- `final`: whether states to come can overturn a true definitely
- `sets`: sets of cuts, operation by operation, and which cuts states to come can change
- `ctl`, `sequences`, `probability`: the kinds of questions with the same names in `properties` and `detect`

Answers on the processes that a condition reads:

- `part`: these processes, and the atoms of the condition, by position; and the way back to all processes
- `certificates`: single cuts, bounds and short walks that make a pass unnecessary
- `outlook`: what two cuts and bounds say of formulas and automata
- `sweep`: a pass that stores neither tree nor labels; `box`: how it packs the cuts, `box_labels`: which satisfy the
  condition
- `asking`: these in order, for one condition

Many slides in one call:

- `slides`: push, ask, combine, and go on
- `through`: asks what the windows alone cannot answer; `answers`: the kinds of such questions, `calling`: how they
  are called, `part_lattice`: the lattice they need
- `told`: what is to be told of the slides
- `groups`: the same for some states of each of many groups; `saved`: whether what was stored can be a window

Beyond what can be enumerated:

- `diagrams`: sets of cuts as decision diagrams, and operations on them
- `diagram_sets`: the sets that questions begin with, and what is read off a result

Beside them, `caching` finds a place for compiled code where numba finds none.
"""

from latwin.lattice.kernels import caching

# Before the first kernel is imported, which numba would refuse.
caching.register()
