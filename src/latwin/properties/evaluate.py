"""What a condition means, as Python closures.

**The law.** A state maps names to JSON's values: null, booleans, numbers, strings, lists and maps (Python's
None, bool, int, float, str, list, dict). Every expression has a value in every state; evaluating never fails.

- *Null.* A variable that is absent, or null, or whose path leads through something that is not a map, is
  null; so is every variable of a process whose state is None. NaN counts as null.
- *Conditions.* As a condition, null is false, a boolean is itself, a number is true unless it is 0, a
  string, list or map is true unless it is empty. `and`, `or`, `not` and comparisons give booleans.
- *Negation is two-valued.* `not` of a false condition is true, whatever made it false.
- *Comparisons with null are false*, all of them: `==`, `!=`, the orderings, `in` and `not in` of a null
  operand. A null option of `in` equals nothing. To ask whether x is missing, write
  `not (x == 0 or x != 0)`.
- *Kinds.* Booleans count as the numbers 0 and 1. Between different kinds (number, string, list, map) `==`
  is false, `!=` is true and orderings are false. Numbers compare exactly, strings by code point; lists and
  maps know only `==` and `!=`, which compare the contents as Python does.
- *Membership.* `x in (a, b)` is `x == a or x == b`; `x not in (a, b)` is `x != a and x != b` over the
  options that are not null, and false if x is null.
- *Sums over processes.* A comparison of which a side adds or subtracts across processes is evaluated as sums.py
  says, also where `in` implies it. If a side is a mere variable whose value is of another kind than a number, or
  infinite, the comparison is evaluated as it is written.
- *Roles.* `count(e)` is how many members satisfy e, and never null: a null e does not count. `sum(e)` adds the
  members' values in the order of processes, and is null if one of them is no number or the sum is not finite.
  `min(e)` and `max(e)` are null unless all values are numbers, or all are strings. `all`, `any`, `forall` and
  `exists` join the members' conditions by `and` and `or`.
- *Arithmetic.* On anything but numbers (and booleans) the result is null, and so is a result that is not
  a finite number: division or modulo by zero, overflow, NaN, infinity. Integers are exact; `/` is true
  division; `%` takes the sign of its right operand, as in Python.

**The closures.** A *global* closure takes the sequence of all processes' states, a *local* one the state
of its process alone; each state is a mapping or None. They are pure: no order of evaluation shows.
An expression is cut into its largest parts that read a single process; each part becomes a local closure,
with short ways for the shapes that run at every event (`x.on`, `x.ap == 'room'`, `x.n < 3`, and
conjunctions of such), and whatever reads no process is computed at once. The pieces are in closures.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from latwin.errors import InvalidInput
from latwin.properties.closures import (
    Column,
    Condition,
    Value,
    added,
    all_of,
    always,
    any_of,
    arithmetic,
    bare_variable,
    bare_variable_column,
    column_of,
    compare,
    compare_sum,
    compare_variable,
    counted,
    extreme,
    guarded,
    member,
    not_,
    of_process,
    truth,
    truth_of,
    variable,
)
from latwin.properties.constants import fold
from latwin.properties.sums import SumAtom, sum_of
from latwin.properties.tree import (
    MIRRORED,
    And,
    Arithmetic,
    Bound,
    Compare,
    ComparisonOp,
    Each,
    Exists,
    Expr,
    Guarded,
    Literal,
    Member,
    Negate,
    Not,
    Or,
    SameMember,
    Variable,
)


def compile_expr(expr: Expr) -> Callable[[Sequence[Any]], Any]:
    """The value of an expression, as a function of the sequence of all processes' states."""
    return _value(expr, local=False)


def compile_condition(expr: Expr) -> Callable[[Sequence[Any]], bool]:
    """The truth of an expression, as a function of the sequence of all processes' states."""
    return _condition(expr, local=False)


def compile_local(expr: Expr, process: int) -> Callable[[Any], Any]:
    """The value of an expression that reads at most one process, as a function of its state."""
    _require_local(expr, process)
    return _value(expr, local=True)


def compile_local_condition(expr: Expr, process: int) -> Callable[[Any], bool]:
    """The truth of an expression that reads at most one process, as a function of its state.

    >>> on = compile_local_condition(Variable(2, ("on",)), 2)
    >>> on({"on": True}), on({}), on(None)
    (True, False, False)
    """
    _require_local(expr, process)
    return _condition(expr, local=True)


def compile_local_column(expr: Expr, process: int) -> Column:
    """The same for many states at once.

    >>> compile_local_column(Variable(2, ("on",)), 2)([{"on": True}, {}, None])
    [True, False, False]
    """
    if isinstance(expr, Variable) and len(expr.path) == 1:
        _require_local(expr, process)
        return bare_variable_column(expr.path[0])
    return column_of(compile_local_condition(expr, process))


def _require_local(expr: Expr, process: int) -> None:
    if not expr.processes <= {process}:
        raise InvalidInput(
            f"a local expression must read process {process} alone; "
            f"got one that reads processes {sorted(expr.processes)}"
        )


def _value(expr: Expr, *, local: bool) -> Value:
    if isinstance(expr, Literal):
        return always(expr.value)
    if not expr.processes:
        return always(fold(expr))
    if not local and len(expr.processes) == 1:
        return of_process(expr.processes, _value(expr, local=True))
    match expr:
        case Variable(_, path):
            return variable(path)
        case Negate(operand):
            # -x is 0 - x, but for the sign of a zero, which nothing in the language can see.
            return arithmetic("-", always(0), _value(operand, local=local))
        case Arithmetic(op, left, right):
            return arithmetic(op, _value(left, local=local), _value(right, local=local))
        case Guarded(there, value):
            return guarded(_condition(there, local=local), _value(value, local=local))
        case Each("count", _, operands):
            return counted([_condition(operand, local=local) for operand in operands])
        case Each("sum", _, operands):
            return added([_value(operand, local=local) for operand in operands])
        case Each("min" | "max" as kind, _, operands):
            guards = [operand.there for operand in operands if isinstance(operand, Guarded)]
            values = [operand.value if isinstance(operand, Guarded) else operand for operand in operands]
            return extreme(
                [_value(each, local=local) for each in values],
                largest=kind == "max",
                there=[_condition(guard, local=local) for guard in guards] if guards else None,
            )
        case _:
            return _condition(expr, local=local)


def _condition(expr: Expr, *, local: bool) -> Condition:
    if not expr.processes:
        return always(truth(fold(expr)))
    if not local and len(expr.processes) == 1:
        return of_process(expr.processes, _condition(expr, local=True))
    match expr:
        case And(operands) | Each("all", _, operands) | Exists("forall", _, _, operands):
            return all_of([_condition(operand, local=local) for operand in operands])
        case Or(operands) | Each("any", _, operands) | Exists(_, _, _, operands):
            return any_of([_condition(operand, local=local) for operand in operands])
        case Not(operand):
            return not_(_condition(operand, local=local))
        case Compare() if not local and (atom := sum_of(expr)) is not None:
            return _compare_sum(expr, atom)
        case Compare(op, left, right) if not right.processes:
            return _compare_constant(op, left, fold(right), local=local)
        case Compare(op, left, right) if not left.processes:
            return _compare_constant(MIRRORED[op], right, fold(left), local=local)
        case Compare(op, left, right):
            return compare(op, _value(left, local=local), _value(right, local=local))
        case Member():
            return _member(expr, local=local)
        case Variable(_, (name,)):
            return bare_variable(name)
        case Variable() | Negate() | Arithmetic() | Literal() | Each() | Guarded():
            return truth_of(_value(expr, local=local))
        case Bound() | SameMember():
            raise AssertionError("the body of a form over roles is evaluated by its operands")
        case _:
            assert_never(expr)


def _compare_sum(expr: Compare, atom: SumAtom) -> Condition:
    return compare_sum(
        atom.op,
        [_value(term, local=False) for _, term in atom.terms],
        atom.bound,
        None if atom.alone is None else _value(atom.alone, local=False),
        compare(expr.op, _value(expr.left, local=False), _value(expr.right, local=False)),
    )


def _compare_constant(op: ComparisonOp, operand: Expr, constant: Any, *, local: bool) -> Condition:
    """`operand op constant`. A constant is a number or a string: lists and maps have no literals."""
    if constant is None:
        return always(False)
    if isinstance(operand, Variable) and len(operand.path) == 1:
        return compare_variable(op, operand.path[0], constant)
    value_of = _value(operand, local=local)
    if op == "==":
        return lambda given: bool(value_of(given) == constant)
    return compare(op, value_of, always(constant))


def _member(expr: Member, *, local: bool) -> Condition:
    options = [Compare("==", expr.operand, option) for option in expr.options]
    value_of = _value(expr.operand, local=local)
    if not local and any(sum_of(option) is not None for option in options):
        found = any_of([_condition(option, local=False) for option in options])
        return (lambda given: value_of(given) is not None and not found(given)) if expr.negated else found
    constants = frozenset(fold(option) for option in expr.options if not option.processes) - {None}
    others = [_value(option, local=local) for option in expr.options if option.processes]
    return member(value_of, constants, others, negated=expr.negated)
