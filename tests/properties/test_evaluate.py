"""What conditions mean: each rule of the law by example, and the closures against the naive reading."""

from __future__ import annotations

import math
from collections import OrderedDict
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_eval
from effort import examples
from expressions import expressions, states
from latwin.errors import InvalidInput
from latwin.properties import (
    And,
    Expr,
    Variable,
    compile_condition,
    compile_expr,
    compile_local,
    compile_local_condition,
    parse_predicate,
)

PROCESSES = ["a", "b"]
# One variable of every kind; every rule below is about these.
STATE: dict[str, Any] = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "half": 0.5,
    "huge": 10**400,
    "inf": math.inf,
    "nan": math.nan,
    "none": None,
    "yes": True,
    "no": False,
    "empty": "",
    "word": "room",
    "list": [1, 2],
    "no_list": [],
    "map": {"one": 1, "deep": {"two": 2}, "nan": math.nan},
    "no_map": {},
}


def value(text: str, a: Any = STATE, b: Any = STATE) -> Any:
    """The value of a condition, which must not depend on how it is compiled."""
    expr = parse_predicate(text, PROCESSES)
    result = compile_expr(expr)([a, b])
    assert compile_condition(expr)([a, b]) is naive_eval.truth(result)
    if len(expr.processes) <= 1:
        process = min(expr.processes, default=0)
        assert same(compile_local(expr, process)([a, b][process]), result)
        assert compile_local_condition(expr, process)([a, b][process]) is naive_eval.truth(result)
    return result


def same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and (left is right or left == right)


def holds(text: str, a: Any = STATE, b: Any = STATE) -> bool:
    return naive_eval.truth(value(text, a, b))


# --- Variables and null.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.one", 1),
        ("a.map.one", 1),
        ("a.map.deep.two", 2),
        ("a.list", [1, 2]),
        ("a.missing", None),
        ("a.none", None),
        ("a.nan", None),
        ("a.map.nan", None),
        ("a.map.missing", None),
        ("a.map.one.two", None),
        ("a.word.upper", None),
        ("a.list.one", None),
        ("a.none.one", None),
        ("null", None),
        ("true", True),
        ("'x'", "x"),
    ],
)
def test_variables_and_literals(text: str, expected: Any) -> None:
    assert same(value(text), expected)


def test_a_process_without_state_has_only_nulls() -> None:
    for text in ("a.one", "a.map.one", "a.one == 1", "a.one != 1", "a.one < 3", "a.one in (1, 2)"):
        assert not holds(text, a=None)
    assert holds("not a.one", a=None)
    assert holds("not a.one and b.one == 1", a=None)


def test_states_may_be_any_mapping() -> None:
    for state in (OrderedDict(STATE), MappingProxyType(STATE)):
        assert holds("a.one == 1 and a.yes and a.map.deep.two == 2", a=state)
    assert holds("a.map.one == 1", a={"map": MappingProxyType({"one": 1})})


NULLS = [
    "a.missing",
    "a.none",
    "a.nan",
    "a.map.missing",
    "null",
    "1 / 0",
    "-a.missing",
    "a.word + 1",
    "b.nan",
]


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize("other", ["1", "a.one", "'room'", "a.word", "a.list", "null", "a.none", "b.one", "a.nan"])
def test_every_comparison_with_null_is_false(null: str, other: str) -> None:
    for op in ("==", "!=", "<", "<=", ">", ">="):
        assert value(f"{null} {op} {other}") is False
        assert value(f"{other} {op} {null}") is False
    assert value(f"{null} in ({other}, 1)") is False
    assert value(f"{null} not in ({other}, 1)") is False
    assert value(f"{other} in ({null},)") is False


@pytest.mark.parametrize("null", NULLS)
def test_a_null_option_equals_nothing(null: str) -> None:
    assert value(f"a.one not in ({null},)") is True
    assert value(f"a.one in ({null}, 1)") is True
    assert value(f"a.one not in ({null}, 1)") is False


def test_not_is_two_valued() -> None:
    assert value("not a.missing") is True
    assert value("not a.missing == 1") is True
    assert value("not a.missing != 1") is True
    assert value("not (a.missing in (1, 2))") is True
    assert value("not not a.one") is True
    assert holds("not (a.missing == 0 or a.missing != 0)")
    assert not holds("not (a.word == 0 or a.word != 0)")


# --- Truth.


@pytest.mark.parametrize("name", ["one", "half", "huge", "inf", "yes", "word", "list", "map"])
def test_true_values(name: str) -> None:
    for text in (f"a.{name}", f"a.{name} or a.missing", f"a.{name} and b.{name}", f"not not a.{name}"):
        assert holds(text)


@pytest.mark.parametrize("name", ["zero", "no", "empty", "no_list", "no_map", "none", "nan", "missing"])
def test_false_values(name: str) -> None:
    for text in (f"a.{name}", f"a.{name} or b.{name}", f"a.one and a.{name}", f"not not a.{name}"):
        assert not holds(text)


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_and_or_of_any_length(n: int) -> None:
    every = ["a.one", "b.one"] * 4
    none = ["a.zero", "b.zero"] * 4
    assert value(" and ".join(every[:n])) is True
    assert value(" or ".join(none[:n])) is False
    for i in range(n):
        assert value(" and ".join([*every[:i], "a.zero", *every[i + 1 : n]])) is False
        assert value(" or ".join([*none[:i], "a.one", *none[i + 1 : n]])) is True


# --- Comparisons.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.one == 1", True),
        ("a.one == 1.0", True),
        ("a.one != 2", True),
        ("a.one != 1", False),
        ("a.one < a.two", True),
        ("a.one <= b.one", True),
        ("a.two > b.half", True),
        ("3 > a.two", True),
        ("2 > a.two", False),
        ("2 >= a.two", True),
        ("3 < a.two", False),
        ("0 < a.one <= 1", True),
        ("0 < a.one < a.half", False),
        # booleans are 0 and 1
        ("a.yes == 1", True),
        ("a.yes == true", True),
        ("a.yes == a.one", True),
        ("a.no < 1", True),
        ("a.no == b.zero", True),
        ("a.two == true", False),
        # strings
        ("a.word == 'room'", True),
        ('a.word == "room"', True),
        ("a.word != 'ROOM'", True),
        ("a.word > 'ROOM'", True),
        ("a.empty < a.word", True),
        # different kinds
        ("a.word == 1", False),
        ("a.word != 1", True),
        ("a.word < 1", False),
        ("a.word >= 1", False),
        ("a.word >= b.one", False),
        ("a.one < 'room'", False),
        ("a.one != 'room'", True),
        ("a.empty == 0", False),
        ("a.empty == false", False),
        ("a.list != 1", True),
        ("a.list == a.map", False),
        ("a.list != a.map", True),
        ("a.list < 3", False),
        ("a.list < 'x'", False),
        ("a.map > 3", False),
        # lists and maps only == and !=
        ("a.list == b.list", True),
        ("a.list != b.list", False),
        ("a.list != b.no_list", True),
        ("a.list <= b.list", False),
        ("a.list > a.no_list", False),
        ("a.no_map == b.no_map", True),
        ("a.no_map <= b.no_map", False),
        # exact
        ("a.huge > 1e308", True),
        ("a.huge < a.inf", True),
        ("a.huge == b.huge", True),
        ("9007199254740993 == 9007199254740992.0", False),
    ],
)
def test_comparisons(text: str, expected: bool) -> None:
    assert value(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.one in (1, 2)", True),
        ("a.yes in (1, 2)", True),
        ("a.one in (true,)", True),
        ("a.one in (1.0)", True),
        ("a.word in ('x', 'room')", True),
        ("a.word in (1, 2)", False),
        ("a.word not in (1, 2)", True),
        ("a.list in (1, 2)", False),
        ("a.list not in (1, 2)", True),
        ("a.list in (1, b.list)", True),
        ("a.map not in (1, b.map)", False),
        ("a.one in (b.two - 1,)", True),
        ("a.one + 1 in (3, b.two)", True),
        ("a.one not in (3, b.two)", True),
        ("1 in (3, b.one)", True),
        ("1 in (1, 2)", True),
        ("3 not in (1, 2)", True),
        ("null not in (1, 2)", False),
    ],
)
def test_membership(text: str, expected: bool) -> None:
    assert value(text) is expected


# --- Arithmetic.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.one + a.two", 3),
        ("a.one - b.two", -1),
        ("a.two * a.half", 1.0),
        ("a.one / a.two", 0.5),
        ("a.two / a.one", 2.0),
        ("7 % 3", 1),
        ("-7 % 3", 2),
        ("7 % -3", -2),
        ("7.5 % 2", 1.5),
        ("-a.two", -2),
        ("--a.two", 2),
        ("a.one + a.two * 3", 7),
        ("(a.one + a.two) * 3", 9),
        ("8 - 4 - 2", 2),
        ("8 / 4 / 2", 1.0),
        # booleans are 0 and 1
        ("a.yes + a.yes", 2),
        ("-a.yes", -1),
        ("true + 1", 2),
        ("(a.one == 1) + (a.two == 2)", 2),
        # exact integers
        ("a.huge + 1 - a.huge", 1),
        ("9007199254740993 - 9007199254740992", 1),
        # null
        ("a.missing + 1", None),
        ("1 - a.nan", None),
        ("a.word + a.word", None),
        ("a.word * 2", None),
        ("a.word % 2", None),
        ("-a.word", None),
        ("a.list + a.list", None),
        ("a.list * 2", None),
        ("-a.map", None),
        ("-a.missing", None),
        ("-null", None),
        ("1 / 0", None),
        ("a.one / a.zero", None),
        ("a.one / a.no", None),
        ("a.one % 0", None),
        ("a.one / 0.0", None),
        ("a.one % 0.0", None),
        ("1e308 * 10", None),
        ("a.huge * 1.5", None),
        ("a.huge / 3", None),
        ("a.huge % 1.5", None),
        ("a.inf - a.inf", None),
        ("a.inf + 1", None),
        ("-a.inf", None),
    ],
)
def test_arithmetic(text: str, expected: Any) -> None:
    assert same(value(text), expected)


# --- The closures as such.


def test_a_local_closure_refuses_other_processes() -> None:
    expr = parse_predicate("a.x == b.x", PROCESSES)
    with pytest.raises(InvalidInput, match=r"must read process 1 alone; got one that reads processes \[0, 1\]"):
        compile_local(expr, 1)
    with pytest.raises(InvalidInput, match=r"must read process 1 alone; got one that reads processes \[0\]"):
        compile_local_condition(Variable(0, ("x",)), 1)


def test_a_constant_is_local_to_every_process() -> None:
    expr = parse_predicate("1 < 2 and 'a' in ('a', 'b')", PROCESSES)
    assert compile_local_condition(expr, 7)(None) is True
    assert compile_condition(expr)([]) is True


def test_a_conjunction_of_thousands() -> None:
    expr = And(tuple(Variable(i, ("on",)) for i in range(5_000)))
    condition = compile_condition(expr)
    assert condition([{"on": True}] * 5_000)
    assert not condition([{"on": True}] * 4_999 + [{}])


@settings(max_examples=examples(700), deadline=None)
@given(expr=expressions(3), given_states=st.lists(st.none() | states(), min_size=3, max_size=3))
def test_global_closures_equal_the_naive_reading(expr: Expr, given_states: list[Any]) -> None:
    expected = naive_eval.value_of(expr, given_states)
    assert same(compile_expr(expr)(given_states), expected)
    assert compile_condition(expr)(given_states) is naive_eval.truth(expected)


@settings(max_examples=examples(700), deadline=None)
@given(expr=expressions(1, max_leaves=6), state=st.none() | states())
def test_local_closures_equal_the_naive_reading(expr: Expr, state: Any) -> None:
    expected = naive_eval.value_of(expr, [state])
    assert same(compile_local(expr, 0)(state), expected)
    assert compile_local_condition(expr, 0)(state) is naive_eval.truth(expected)


@settings(max_examples=examples(300), deadline=None)
@given(expr=expressions(0))
def test_constants_equal_the_naive_reading(expr: Expr) -> None:
    expected = naive_eval.value_of(expr, [])
    assert same(compile_expr(expr)([]), expected)
    assert compile_condition(expr)([]) is naive_eval.truth(expected)
