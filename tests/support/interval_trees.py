"""Interval tree clocks as processes keep them: fork, event, join (Almeida et al. 2008), without its normal forms.

An event raises the function somewhere in the part of the interval that its id owns; where, does not matter for the
order.
"""

from __future__ import annotations

from typing import Any

Tree = Any


def fork(ident: Tree) -> tuple[Tree, Tree]:
    """Two ids that share what one owned."""
    if ident == 1:
        return [1, 0], [0, 1]
    left, right = ident
    if left == 0:
        one, other = fork(right)
        return [0, one], [0, other]
    if right == 0:
        one, other = fork(left)
        return [one, 0], [other, 0]
    return [left, 0], [0, right]


def ids(count: int) -> list[Tree]:
    """So many ids that own all of the interval."""
    found: list[Tree] = [1]
    while len(found) < count:
        found[:1] = fork(found[0])
    return found


def event(ident: Tree, tree: Tree) -> Tree:
    """The function, higher where the id owns the interval."""
    if ident == 1:
        return tree + 1 if isinstance(tree, int) else [tree[0] + 1, *tree[1:]]
    base, left, right = (tree, 0, 0) if isinstance(tree, int) else tree
    if ident[0] != 0:
        return [base, event(ident[0], left), right]
    return [base, left, event(ident[1], right)]


def join(one: Tree, other: Tree) -> Tree:
    """The higher of two functions, everywhere."""
    if isinstance(one, int) and isinstance(other, int):
        return max(one, other)
    a, b = ([each, 0, 0] if isinstance(each, int) else each for each in (one, other))
    return [0, join(lift(a[1], a[0]), lift(b[1], b[0])), join(lift(a[2], a[0]), lift(b[2], b[0]))]


def lift(tree: Tree, by: int) -> Tree:
    return tree + by if isinstance(tree, int) else [tree[0] + by, *tree[1:]]
