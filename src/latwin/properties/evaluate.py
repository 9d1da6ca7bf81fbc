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
- *Arithmetic.* On anything but numbers (and booleans) the result is null, and so is a result that is not
  a finite number: division or modulo by zero, overflow, NaN, infinity. Integers are exact; `/` is true
  division; `%` takes the sign of its right operand, as in Python.

**The closures.** A *global* closure takes the sequence of all processes' states, a *local* one the state
of its process alone; each state is a mapping or None. They are pure: no order of evaluation shows.
An expression is cut into its largest parts that read a single process; each part becomes a local closure,
with short ways for the shapes that run at every event (`x.on`, `x.ap == 'room'`, `x.n < 3`, and
conjunctions of such), and whatever reads no process is computed at once.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, assert_never

from latwin.errors import InvalidInput
from latwin.properties.tree import (
    MIRRORED,
    And,
    Arithmetic,
    ArithmeticOp,
    Compare,
    ComparisonOp,
    Expr,
    Literal,
    Member,
    Negate,
    Not,
    Or,
    Variable,
)

# A closure's argument is one state (local) or the sequence of states (global); most of this module
# combines closures and need not know which.
Value: TypeAlias = Callable[[Any], Any]
Condition: TypeAlias = Callable[[Any], bool]

_NUMBER = (int, float)

_ORDERINGS: dict[ComparisonOp, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC: dict[ArithmeticOp, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}


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


def _require_local(expr: Expr, process: int) -> None:
    if not expr.processes <= {process}:
        raise InvalidInput(
            f"a local expression must read process {process} alone; "
            f"got one that reads processes {sorted(expr.processes)}"
        )


def _value(expr: Expr, *, local: bool) -> Value:
    if isinstance(expr, Literal):
        return _constant(expr.value)
    if not expr.processes:
        return _constant(_fold(expr))
    if not local and len(expr.processes) == 1:
        return _of_process(expr.processes, _value(expr, local=True))
    match expr:
        case Variable(_, path):
            return _variable(path)
        case Negate(operand):
            # -x is 0 - x, but for the sign of a zero, which nothing in the language can see.
            return _arithmetic("-", _constant(0), _value(operand, local=local))
        case Arithmetic(op, left, right):
            return _arithmetic(op, _value(left, local=local), _value(right, local=local))
        case _:
            return _condition(expr, local=local)


def _condition(expr: Expr, *, local: bool) -> Condition:
    if not expr.processes:
        return _constant(_truth(_fold(expr)))
    if not local and len(expr.processes) == 1:
        return _of_process(expr.processes, _condition(expr, local=True))
    match expr:
        case And(operands):
            return _all([_condition(operand, local=local) for operand in operands])
        case Or(operands):
            return _any([_condition(operand, local=local) for operand in operands])
        case Not(operand):
            return _not(_condition(operand, local=local))
        case Compare(op, left, right) if not right.processes:
            return _compare_constant(op, left, _fold(right), local=local)
        case Compare(op, left, right) if not left.processes:
            return _compare_constant(MIRRORED[op], right, _fold(left), local=local)
        case Compare(op, left, right):
            return _compare(op, _value(left, local=local), _value(right, local=local))
        case Member():
            return _member(expr, local=local)
        case Variable(_, (name,)):
            return _bare_variable(name)
        case Variable() | Negate() | Arithmetic() | Literal():
            return _truth_of(_value(expr, local=local))
        case _:
            assert_never(expr)


def _fold(expr: Expr) -> Any:
    """The value of an expression that reads no process."""
    match expr:
        case Literal(value):
            return value
        case Negate(operand):
            return _calculate(operator.sub, 0, _fold(operand))
        case Arithmetic(op, left, right):
            return _calculate(_ARITHMETIC[op], _fold(left), _fold(right))
        case Compare(op, left, right):
            return _compare(op, _constant(_fold(left)), _constant(_fold(right)))(None)
        case Member(operand, options, negated):
            value = _fold(operand)
            return value is not None and any(_equal(value, _fold(option)) for option in options) != negated
        case Not(operand):
            return not _truth(_fold(operand))
        case And(operands):
            return all(_truth(_fold(operand)) for operand in operands)
        case Or(operands):
            return any(_truth(_fold(operand)) for operand in operands)
        case Variable():
            raise AssertionError("a variable reads a process")
        case _:
            assert_never(expr)


# --- The law on plain values.


def _truth(value: Any) -> bool:
    if not value:
        return False
    return not (isinstance(value, float) and value != value)


def _equal(left: Any, right: Any) -> bool:
    # NaN equals nothing in Python either, and no two kinds are equal.
    return left is not None and right is not None and bool(left == right)


def _calculate(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    if not (isinstance(left, _NUMBER) and isinstance(right, _NUMBER)):
        return None
    try:
        result = operation(left, right)
    except (ZeroDivisionError, OverflowError):
        return None
    return None if isinstance(result, float) and not math.isfinite(result) else result


# --- Closures for values.


def _constant(value: Any) -> Value:
    return lambda _: value


def _of_process(processes: frozenset[int], closure: Callable[[Any], Any]) -> Callable[[Any], Any]:
    (process,) = processes
    return lambda states: closure(states[process])


def _variable(path: tuple[str, ...]) -> Value:
    if len(path) == 1:
        name = path[0]

        def get(state: Any) -> Any:
            if state is None:
                return None
            value = state.get(name)
            return None if isinstance(value, float) and value != value else value

        return get

    def get_nested(state: Any) -> Any:
        value = state
        for name in path:
            if type(value) is not dict and not isinstance(value, Mapping):  # the first is the quick one
                return None
            value = value.get(name)
        return None if isinstance(value, float) and value != value else value

    return get_nested


def _arithmetic(op: ArithmeticOp, left: Value, right: Value) -> Value:
    operation = _ARITHMETIC[op]
    return lambda given: _calculate(operation, left(given), right(given))


# --- Closures for conditions.


def _truth_of(value_of: Value) -> Condition:
    return lambda given: _truth(value_of(given))


def _bare_variable(name: str) -> Condition:
    def condition(state: Any) -> bool:
        if state is None:
            return False
        value = state.get(name)
        if value is True:
            return True
        if not value:
            return False
        return not (isinstance(value, float) and value != value)

    return condition


def _not(operand: Condition) -> Condition:
    return lambda given: not operand(given)


def _all(conditions: Sequence[Condition]) -> Condition:
    if len(conditions) == 2:
        first, second = conditions
        return lambda given: first(given) and second(given)
    if len(conditions) == 3:
        one, two, three = conditions
        return lambda given: one(given) and two(given) and three(given)
    every = tuple(conditions)

    def condition(given: Any) -> bool:
        for operand in every:  # noqa: SIM110 (all() with a generator takes twice the time)
            if not operand(given):
                return False
        return True

    return condition


def _any(conditions: Sequence[Condition]) -> Condition:
    if len(conditions) == 2:
        first, second = conditions
        return lambda given: first(given) or second(given)
    every = tuple(conditions)

    def condition(given: Any) -> bool:
        for operand in every:  # noqa: SIM110 (any() with a generator takes twice the time)
            if operand(given):
                return True
        return False

    return condition


def _compare(op: ComparisonOp, left: Value, right: Value) -> Condition:
    if op == "==":
        return lambda given: _equal(left(given), right(given))
    if op == "!=":

        def unequal(given: Any) -> bool:
            a, b = left(given), right(given)
            return a is not None and b is not None and bool(a != b)

        return unequal
    ordering = _ORDERINGS[op]

    def ordered(given: Any) -> bool:
        a, b = left(given), right(given)
        comparable = isinstance(b, str) if isinstance(a, str) else isinstance(a, _NUMBER) and isinstance(b, _NUMBER)
        return comparable and ordering(a, b)

    return ordered


def _compare_constant(op: ComparisonOp, operand: Expr, constant: Any, *, local: bool) -> Condition:
    """`operand op constant`. A constant is a number or a string: lists and maps have no literals."""
    if constant is None:
        return _constant(False)
    if isinstance(operand, Variable) and len(operand.path) == 1:
        return _compare_variable(op, operand.path[0], constant)
    value_of = _value(operand, local=local)
    if op == "==":
        return lambda given: bool(value_of(given) == constant)
    return _compare(op, value_of, _constant(constant))


def _compare_variable(op: ComparisonOp, name: str, constant: Any) -> Condition:
    """`variable op constant` on one state, the shape that must be quick.

    Python's own `==` follows the law for constants. Its orderings raise TypeError exactly between a
    number or string and another kind; null is caught before, as raising is slow.
    """
    if op == "==":
        return lambda state: state is not None and state.get(name) == constant
    if op == "!=":

        def unequal(state: Any) -> bool:
            if state is None:
                return False
            value = state.get(name)
            return value is not None and value != constant and value == value

        return unequal
    ordering = _ORDERINGS[op]

    def ordered(state: Any) -> bool:
        if state is None:
            return False
        value = state.get(name)
        if value is None:
            return False
        try:
            return ordering(value, constant)
        except TypeError:
            return False

    return ordered


def _member(member: Member, *, local: bool) -> Condition:
    operand, options, negated = member.operand, member.options, member.negated
    value_of = _value(operand, local=local)
    # Equal numbers hash alike, whatever their type, so one set lookup tries all constant options.
    constants = frozenset(_fold(option) for option in options if not option.processes) - {None}
    others = [_value(option, local=local) for option in options if option.processes]

    def found(value: Any, given: Any) -> bool:
        try:
            if value in constants:
                return True
        except TypeError:  # a list or map: unhashable, and no constant equals it
            pass
        for other in others:  # noqa: SIM110 (any() with a generator takes twice the time)
            if _equal(value, other(given)):
                return True
        return False

    def condition(given: Any) -> bool:
        value = value_of(given)
        return value is not None and found(value, given) != negated

    return condition
