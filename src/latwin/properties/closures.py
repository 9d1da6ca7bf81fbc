"""The pieces that conditions are compiled into: the law of `evaluate` on plain values, and closures that follow it.

A closure's argument is one state (local) or the sequence of states (global). Those that read a variable are local;
the others combine closures and need not know which.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from latwin.properties.tree import ArithmeticOp, ComparisonOp

Value: TypeAlias = Callable[[Any], Any]
Condition: TypeAlias = Callable[[Any], bool]
#: a condition on many states at once
Column: TypeAlias = Callable[[Sequence[Any]], list[bool]]

_NUMBER = (int, float)
_BOOLEANS = {bool}
_ORDERINGS: dict[ComparisonOp, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_COMPARISONS: dict[ComparisonOp, Callable[[Any, Any], bool]] = {**_ORDERINGS, "==": operator.eq, "!=": operator.ne}
ARITHMETIC: dict[ArithmeticOp, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}


# --- The law on plain values.


def truth(value: Any) -> bool:
    """A value as a condition."""
    if not value:
        return False
    return not (isinstance(value, float) and value != value)


def equal(left: Any, right: Any) -> bool:
    """Whether two values are equal and not null."""
    # NaN equals nothing in Python either, and no two kinds are equal.
    return left is not None and right is not None and bool(left == right)


def calculate(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """The result of an operation on two numbers; else, or if it is not finite, null."""
    if not (isinstance(left, _NUMBER) and isinstance(right, _NUMBER)):
        return None
    try:
        result = operation(left, right)
    except (ZeroDivisionError, OverflowError):
        return None
    return None if isinstance(result, float) and not math.isfinite(result) else result


def as_number(value: object) -> int | float | None:
    """A term's value as a number (booleans count as 0 and 1), or None for null and everything else."""
    if isinstance(value, _NUMBER) and value == value:
        return value
    return None


def can_be_added(value: object) -> bool:
    """Whether a value is a number or null, and not infinite; NaN does not occur in values."""
    return value is None or isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


# --- Closures for values.


def always(value: Any) -> Value:
    """A value that needs no state."""
    return lambda _: value


def of_process(processes: frozenset[int], closure: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The global closure of a local one; `processes` holds the one that it reads."""
    (process,) = processes
    return lambda states: closure(states[process])


def guarded(there: Condition, value: Value) -> Value:
    """A value where a condition holds, else 0."""
    return lambda states: value(states) if there(states) else 0


def variable(path: tuple[str, ...]) -> Value:
    """The value at a path in a state."""
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


def arithmetic(op: ArithmeticOp, left: Value, right: Value) -> Value:
    """`left op right`."""
    operation = ARITHMETIC[op]
    return lambda given: calculate(operation, left(given), right(given))


def counted(conditions: Sequence[Condition]) -> Value:
    """How many conditions hold."""
    every = tuple(conditions)

    def value(given: Any) -> int:
        found = 0
        for condition in every:
            if condition(given):
                found += 1
        return found

    return value


def added(values: Sequence[Value]) -> Value:
    """The sum of values in their order; null if one of them is no number, or the sum not finite."""
    every = tuple(values)

    def value(given: Any) -> Any:
        total: Any = 0
        for value_of in every:
            total = calculate(operator.add, total, value_of(given))
            if total is None:
                return None
        return total

    return value


def extreme(values: Sequence[Value], *, largest: bool, there: Sequence[Condition] | None = None) -> Value:
    """The largest or smallest of some numbers, or of some texts; null if not all values are of one kind.

    With `there`, of the values whose condition holds; null if none does.
    """
    every = tuple(values)
    present = None if there is None else tuple(there)
    choose: Callable[[list[Any]], Any] = max if largest else min

    def value(given: Any) -> Any:
        if present is None:
            found = [value_of(given) for value_of in every]
        else:
            found = [value_of(given) for value_of, is_there in zip(every, present, strict=True) if is_there(given)]
            if not found:
                return None
        is_ordered = all(isinstance(each, str) for each in found) or all(isinstance(each, _NUMBER) for each in found)
        return choose(found) if is_ordered else None

    return value


# --- Closures for conditions.


def truth_of(value_of: Value) -> Condition:
    """A value as a condition."""
    return lambda given: truth(value_of(given))


def bare_variable(name: str) -> Condition:
    """A variable as a condition, a shape that must be quick."""

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


def bare_variable_column(name: str) -> Column:
    """A variable as a condition on many states at once; quicker where all values are booleans, as mostly."""
    condition = bare_variable(name)

    def column(states: Sequence[Any]) -> list[bool]:
        values: list[Any] = [None if state is None else state.get(name) for state in states]
        if {*map(type, values)} == _BOOLEANS:
            return values
        return [condition(state) for state in states]

    return column


def column_of(condition: Condition) -> Column:
    """A condition on many states at once, one after the other."""
    return lambda states: [condition(state) for state in states]


def not_(operand: Condition) -> Condition:
    """`not operand`."""
    return lambda given: not operand(given)


def all_of(conditions: Sequence[Condition]) -> Condition:
    """Conditions joined by `and`."""
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


def any_of(conditions: Sequence[Condition]) -> Condition:
    """Conditions joined by `or`."""
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


def compare(op: ComparisonOp, left: Value, right: Value) -> Condition:
    """`left op right`."""
    if op == "==":
        return lambda given: equal(left(given), right(given))
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


def compare_sum(
    op: ComparisonOp, terms: Sequence[Value], bound: int | float | None, alone: Value | None, written: Condition
) -> Condition:
    """A sum of terms compared with a number, false if a term is null or the sum not finite; see sums.py.

    If the value of `alone`, the side that is a mere variable, cannot be added, the comparison is taken as `written`.
    """
    comparison = _COMPARISONS[op]

    def condition(given: Any) -> bool:
        if alone is not None and not can_be_added(alone(given)):
            return written(given)
        if bound is None:
            return False
        total: int | float = 0
        for term in terms:
            value = as_number(term(given))
            if value is None:
                return False
            try:
                total += value
            except OverflowError:  # an integer beyond all doubles, added to a double
                return False
        return (isinstance(total, int) or math.isfinite(total)) and comparison(total, bound)

    return condition


def compare_variable(op: ComparisonOp, name: str, constant: Any) -> Condition:
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


def member(value_of: Value, constants: frozenset[Any], others: Sequence[Value], *, negated: bool) -> Condition:
    """`value in (constants, others)`, or `not in`; the constants are not null.

    Equal numbers hash alike, whatever their type, so one lookup in the set tries all constants.
    """

    def found(value: Any, given: Any) -> bool:
        try:
            if value in constants:
                return True
        except TypeError:  # a list or map: unhashable, and no constant equals it
            pass
        for other in others:  # noqa: SIM110 (any() with a generator takes twice the time)
            if equal(value, other(given)):
                return True
        return False

    def condition(given: Any) -> bool:
        value = value_of(given)
        return value is not None and found(value, given) != negated

    return condition
