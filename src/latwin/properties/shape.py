"""What a predicate looks like to an engine: conjunctions of local conditions, or a program of atoms.

A predicate is first brought to a normal form (negations pushed inwards, conditions on the same process
gathered, constants folded). Its shape then decides which engine can answer:

- `disjuncts_of`: an `or` of conjunctions of local conditions, for the engines that need no lattice.
- `program_of`: a boolean combination of atoms that each speak of one process, of two, or of a sum over
  processes; the bit lattice evaluates those 64 cuts at a time.
- anything else is evaluated cut by cut.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from latwin.properties.evaluate import compile_condition
from latwin.properties.extremes import conditions_of_members
from latwin.properties.sums import SumAtom, sum_of
from latwin.properties.tree import (
    FALSE,
    TRUE,
    And,
    Compare,
    Each,
    Exists,
    Expr,
    Member,
    Not,
    Or,
)

#: A conjunction of local conditions: at most one per process, in the order of processes.
Conjunction: TypeAlias = dict[int, Expr]

#: how many disjuncts an `and` of several `or`s may be multiplied out to
MAX_DISJUNCTS = 16
#: how many disjuncts an `or` may have
MAX_ALTERNATIVES = 1_000


@dataclass(frozen=True)
class LocalAtom:
    """A condition on the state of one process."""

    process: int
    condition: Expr


@dataclass(frozen=True)
class PairAtom:
    """A condition on the states of two processes, the first the lower."""

    first: int
    second: int
    condition: Expr


Atom: TypeAlias = LocalAtom | PairAtom | SumAtom
#: A step of a program in postfix order: an atom, or "not", "and", "or", "true".
Step: TypeAlias = Atom | str


def normal_form(expr: Expr) -> Expr:
    """An equivalent predicate with negations inwards, same-process conditions gathered, constants folded."""
    return _normal(expr, negated=False)


def _normal(expr: Expr, *, negated: bool) -> Expr:
    if isinstance(expr, Not):
        return _normal(expr.operand, negated=not negated)
    if not expr.processes:
        return TRUE if compile_condition(expr)(()) != negated else FALSE
    if len(expr.processes) > 1 and (joined := _operands(expr)) is not None:
        kind, operands = joined
        dual: type[And] | type[Or] = kind if not negated else Or if kind is And else And
        return _join(dual, [_normal(operand, negated=negated) for operand in operands])
    if isinstance(expr, Compare) and len(expr.processes) > 1:
        by_members = conditions_of_members(expr)
        if by_members is not None:
            return _normal(by_members, negated=negated)
    if isinstance(expr, Member) and not expr.negated and len(expr.processes) > 1:
        options = [Compare("==", expr.operand, option) for option in expr.options]
        either = options[0] if len(options) == 1 else Or(tuple(options))
        return _normal(either, negated=negated)
    return Not(expr) if negated else expr


def _operands(expr: Expr) -> tuple[type[And] | type[Or], tuple[Expr, ...]] | None:
    """What an `and` or `or` joins, also one over the members of a role; None for everything else."""
    match expr:
        case And(operands) | Each("all", _, operands) | Exists("forall", _, _, operands):
            return And, operands
        case Or(operands) | Each("any", _, operands) | Exists(_, _, _, operands):
            return Or, operands
    return None


def _join(kind: type[And] | type[Or], operands: Iterable[Expr]) -> Expr:
    """And / Or of normal forms: flattened, constants folded, conditions on the same process gathered."""
    neutral, absorbing = (TRUE, FALSE) if kind is And else (FALSE, TRUE)
    locals_of: dict[int, list[Expr]] = {}
    rest: list[Expr] = []
    pending = list(operands)
    while pending:
        operand = pending.pop(0)
        if isinstance(operand, kind):
            pending[:0] = operand.operands
        elif operand == absorbing:
            return absorbing
        elif operand == neutral:
            continue
        elif len(operand.processes) == 1:
            locals_of.setdefault(next(iter(operand.processes)), []).append(operand)
        else:
            rest.append(operand)
    gathered = [
        conditions[0] if len(conditions) == 1 else kind(tuple(conditions))
        for _, conditions in sorted(locals_of.items())
    ]
    parts = gathered + rest
    if not parts:
        return neutral
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def disjuncts_of(expr: Expr) -> list[Conjunction] | None:
    """A normal form as an `or` of conjunctions of local conditions; None if it is not, or has too many.

    An empty list is a predicate that is never true, an empty conjunction one that always is.
    """
    if len(expr.processes) == 1:
        return [{next(iter(expr.processes)): expr}]
    if not expr.processes:
        return [{}] if expr == TRUE else []
    if isinstance(expr, Or):
        either: list[Conjunction] = []
        for operand in expr.operands:
            part = disjuncts_of(operand)
            if part is None or len(either) + len(part) > MAX_ALTERNATIVES:
                return None
            either += part
        return either
    if isinstance(expr, And):
        product: list[Conjunction] = [{}]
        for operand in expr.operands:
            part = disjuncts_of(operand)
            if part is None or (min(len(product), len(part)) > 1 and len(product) * len(part) > MAX_DISJUNCTS):
                return None
            product = [_both(left, right) for left in product for right in part]
        return product
    return None


def alternatives_of(expr: Expr) -> list[Expr]:
    """A normal form as an `or` of one or more parts; an `and` in which there is one `or` is multiplied out."""
    if isinstance(expr, Or):
        return list(expr.operands)
    if isinstance(expr, And):
        either = [operand for operand in expr.operands if isinstance(operand, Or)]
        if len(either) == 1:
            others = [operand for operand in expr.operands if operand is not either[0]]
            return [_join(And, [*others, option]) for option in either[0].operands]
    return [expr]


def _both(left: Conjunction, right: Conjunction) -> Conjunction:
    joined = dict(left)
    for process, condition in right.items():
        joined[process] = And((joined[process], condition)) if process in joined else condition
    return dict(sorted(joined.items()))


def program_of(expr: Expr) -> list[Step] | None:
    """A normal form as a program of atoms in postfix order, or None if some part fits no atom."""
    if expr == TRUE:
        return ["true"]
    if expr == FALSE:
        return ["true", "not"]
    if len(expr.processes) == 1:
        return [LocalAtom(next(iter(expr.processes)), expr)]
    if isinstance(expr, Not):
        inner = program_of(expr.operand)
        return None if inner is None else [*inner, "not"]
    if isinstance(expr, (And, Or)):
        word = "and" if isinstance(expr, And) else "or"
        steps: list[Step] = []
        for position, operand in enumerate(expr.operands):
            part = program_of(operand)
            if part is None:
                return None
            steps += part
            if position:
                steps.append(word)
        return steps
    if isinstance(expr, Compare) and (atom := sum_of(expr)) is not None and atom.is_exact:
        return [atom]
    if len(expr.processes) == 2:
        first, second = sorted(expr.processes)
        return [PairAtom(first, second, expr)]
    return None


def opaque_part(expr: Expr) -> Expr | None:
    """The part of a normal form that keeps it from being a program, for explanations."""
    if program_of(expr) is not None:
        return None
    if isinstance(expr, Not):
        return opaque_part(expr.operand)
    if isinstance(expr, (And, Or)):
        for operand in expr.operands:
            part = opaque_part(operand)
            if part is not None:
                return part
    return expr
