"""Random conditions, properties and states, for tests that need many of them.

Names, strings and numbers come from small pools, so that random conditions meet random states often
enough: variables exist, types match, comparisons hold about as often as they fail.
"""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from latwin.properties import (
    And,
    Arithmetic,
    Compare,
    Expr,
    Literal,
    Member,
    Modal,
    Negate,
    Not,
    Or,
    Property,
    PropertyAnd,
    PropertyNot,
    PropertyOr,
    Variable,
)

NAMES = ("x", "y", "on", "ap", "map")
STRINGS = ("", "on", "room", "ROOM")
NUMBERS = (0, 1, 2, 3, -1, 0.0, 0.1, 0.2, 0.3, -0.7, 0.5, 1.0, 2.5, -1.5, 1e308, -1e308, 10**30, 2**53, 2**53 + 1)
# What a state can hold but a literal cannot write: not finite, or too long.
ODD_NUMBERS = (math.nan, math.inf, -math.inf, 10**400, -(10**400))

names = st.sampled_from(NAMES)
scalars: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.sampled_from(NUMBERS) | st.sampled_from(STRINGS) | st.integers(-5, 5)
)


def sum_comparisons(n_processes: int, literals: st.SearchStrategy[Any] = scalars) -> st.SearchStrategy[Compare]:
    """Comparisons of which a side adds or subtracts across processes, which engines evaluate in their own way.

    Few names, and the other side often a variable alone, so that all kinds of values meet in them.
    """
    variables = st.builds(Variable, st.integers(0, n_processes - 1), st.sampled_from([("x",), ("y",)]))
    parts: st.SearchStrategy[Expr] = variables | st.builds(Negate, variables) | st.builds(Literal, literals)
    signs = st.sampled_from(("+", "-"))
    sums = st.recursive(parts, lambda part: st.builds(Arithmetic, signs, part, part), max_leaves=5)
    operators = st.sampled_from(("==", "!=", "<", "<=", ">", ">="))
    return st.builds(Compare, operators, sums, variables) | st.builds(Compare, operators, sums | variables, sums)


def expressions(
    n_processes: int,
    *,
    names: st.SearchStrategy[str] = names,
    literals: st.SearchStrategy[Any] = scalars,
    max_leaves: int = 12,
) -> st.SearchStrategy[Expr]:
    """Random conditions over the processes 0 to n_processes - 1; none of them if that is 0."""
    leaves: st.SearchStrategy[Expr] = st.builds(Literal, literals)
    if n_processes:
        paths = st.lists(names, min_size=1, max_size=3).map(tuple)
        leaves = st.builds(Variable, st.integers(0, n_processes - 1), paths) | leaves

    def larger(part: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        several = st.lists(part, min_size=2, max_size=4).map(tuple)
        return st.one_of(
            st.builds(Compare, st.sampled_from(("==", "!=", "<", "<=", ">", ">=")), part, part),
            st.builds(Arithmetic, st.sampled_from(("+", "-", "*", "/", "%")), part, part),
            st.builds(Member, part, st.lists(part, min_size=1, max_size=3).map(tuple), st.booleans()),
            st.builds(And, several),
            st.builds(Or, several),
            st.builds(Not, part),
            st.builds(Negate, part),
            *([sum_comparisons(n_processes, literals)] if n_processes else []),
        )

    return st.recursive(leaves, larger, max_leaves=max_leaves)


def properties(n_processes: int, **options: Any) -> st.SearchStrategy[Property]:
    """Random properties; the options are those of `expressions`."""
    modals: st.SearchStrategy[Property] = st.builds(
        Modal, st.sampled_from(("possibly", "definitely")), expressions(n_processes, **options)
    )

    def larger(part: st.SearchStrategy[Property]) -> st.SearchStrategy[Property]:
        several = st.lists(part, min_size=2, max_size=3).map(tuple)
        return st.builds(PropertyAnd, several) | st.builds(PropertyOr, several) | st.builds(PropertyNot, part)

    return st.recursive(modals, larger, max_leaves=4)


def states() -> st.SearchStrategy[dict[str, Any]]:
    """Random states: any of the names missing or not, any kind of value, maps within maps."""
    plain = scalars | st.sampled_from(ODD_NUMBERS)
    values = st.recursive(
        plain,
        lambda part: st.lists(part, max_size=2) | st.dictionaries(names, part, max_size=3),
        max_leaves=6,
    )
    return st.dictionaries(names, values, max_size=len(NAMES))
