"""Compiled functions on integer arrays: the only part of latwin that is written for the machine.

They import numpy and numba and nothing else, take arrays and scalars, allocate predictably, never
print and never raise for a user's mistake; their callers validate and translate. Every array's
meaning and shape stands in the docstring of the module that owns it:

- `window`: the sliding windows, their least and greatest cut
- `conjunctive`: possibly / definitely of a conjunction of local predicates, without a lattice
- `layout`: how a lattice is packed into 64-bit words, and its prefix tree
- `links`: the neighbours of every word, and the whole build
- `passes`: what is computed over the words: counting, listing, reachability
- `labels`: which cuts of the words satisfy a predicate
"""
