"""Conditions over roles: each form against the same written out by hand, and what it looks like to engines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_eval
from effort import examples
from expressions import states
from latwin.properties import Compare, Expr, Variable, compile_condition, compile_expr, parse_predicate, show
from latwin.properties.shape import LocalAtom, disjuncts_of, normal_form, program_of
from latwin.properties.sums import SumAtom, sum_of
from latwin.properties.tree import Exists, measure
from role_conditions import PROCESSES, ROLES, Written, conditions

MANY = [f"r{number}" for number in range(200)]


def predicate(text: str) -> Expr:
    return parse_predicate(text, PROCESSES, roles=ROLES)


@settings(max_examples=examples(150))
@given(conditions(), st.tuples(states(), states(), states()))
def test_every_form_means_what_it_is_written_out_to(written: Written, given_states: tuple[Any, ...]) -> None:
    expected = naive_eval.truth(naive_eval.value_of(parse_predicate(written.meaning, PROCESSES), given_states))
    expr = predicate(written.text)
    assert compile_condition(expr)(given_states) is expected
    assert naive_eval.truth(compile_expr(expr)(given_states)) is expected
    assert compile_condition(normal_form(expr))(given_states) is expected


@settings(max_examples=examples(100))
@given(conditions())
def test_the_text_of_a_form_leads_back_to_it(written: Written) -> None:
    expr = predicate(written.text)
    shown = show(expr, PROCESSES)
    assert predicate(shown) == expr
    assert show(predicate(shown), PROCESSES) == shown


@pytest.mark.parametrize(
    "text",
    [
        "count(pair.on) >= 2",
        "sum(*.x + 1) < 0",
        "min(late.x) > max(pair.y)",
        "all(pair.on) and any(*.`is on`)",
        "exists(p, q in *: p != q and p.on and q.on and p.term == q.term)",
        "forall(p in pair, q, r in late: p.x < q.y or q == r)",
        "exists(p in pair: forall(q in late: p.x == q.x))",
    ],
)
def test_a_form_is_shown_as_it_is_written(text: str) -> None:
    assert show(predicate(text), PROCESSES) == text


def sum_atom(text: str, processes: list[str] | None = None) -> SumAtom:
    expr = parse_predicate(text, processes or PROCESSES, roles={} if processes else ROLES)
    assert isinstance(expr, Compare)
    atom = sum_of(expr)
    assert atom is not None
    return atom


def test_a_count_is_a_sum_of_zeros_and_ones() -> None:
    atom = sum_atom("count(*.on) >= 7", MANY)
    assert (atom.op, atom.bound, atom.is_count) == (">=", 7, True)
    assert [process for process, _ in atom.terms] == list(range(200))
    text = {show(term, MANY) for _, term in atom.terms[:2]}
    assert text == {"not not r0.on", "not not r1.on"}


@pytest.mark.parametrize(
    ("text", "op", "bound", "is_count"),
    [
        ("count(*.x > 3) >= 2", ">=", 2, True),
        ("2 <= count(*.x > 3)", ">=", 2, True),
        ("5 - count(*.x > 3) > 1", "<", 4, True),
        ("count(pair.on) + count(one.on) != 2", "!=", 2, True),
        ("count(pair.on) + count(*.on) == 2", "==", 2, False),
        ("count(pair.on) == count(one.on)", "==", 0, False),
        ("sum(*.x) - 1.5 < 0", "<", 1.5, False),
        ("sum(pair.x) > count(one.on)", ">", 0, False),
        ("sum(*.x > 3) > 1", ">", 1, True),
        ("sum(pair.x) + p2.x > 3", ">", 3, False),
    ],
)
def test_a_comparison_of_counts_and_sums_is_a_sum_over_processes(
    text: str, op: str, bound: float, is_count: bool
) -> None:
    atom = sum_atom(text)
    assert (atom.op, atom.bound, atom.is_count) == (op, bound, is_count)
    assert all(term.processes == {process} for process, term in atom.terms)
    assert program_of(normal_form(predicate(text))) == [atom]


def test_a_role_of_one_process_needs_no_sum() -> None:
    assert program_of(normal_form(predicate("count(one.on) >= 1"))) == [LocalAtom(2, predicate("count(one.on) >= 1"))]


def test_all_and_any_are_conjunctions_and_disjunctions_of_members() -> None:
    expr = parse_predicate("all(*.ready)", MANY)
    assert disjuncts_of(normal_form(expr)) == [{k: Variable(k, ("ready",)) for k in range(200)}]
    negated = parse_predicate("not any(*.failed)", MANY)
    (conjunction,) = disjuncts_of(normal_form(negated)) or []
    assert len(conjunction) == 200


@pytest.mark.parametrize("text", ["min(*.x) > 3", "3 <= min(*.x)", "max(*.x) < 3", "not (max(*.x) < 3) and false"])
def test_bounds_of_all_members_are_conjunctions(text: str) -> None:
    disjuncts = disjuncts_of(normal_form(parse_predicate(text, MANY)))
    assert disjuncts is not None
    assert [len(conjunction) for conjunction in disjuncts] in ([200], [])


def test_equal_pairs_are_asked_once() -> None:
    same = predicate("exists(p, q in *: p != q and p.on and q.on and p.term == q.term)")
    assert isinstance(same, Exists)
    assert len(same.operands) == 3
    ordered = predicate("exists(p, q in *: p != q and p.on and q.x)")
    assert isinstance(ordered, Exists)
    assert len(ordered.operands) == 6


def test_a_form_counts_once_against_the_limit_of_written_out_states() -> None:
    assert measure(parse_predicate("count(*.x == 1) > 3", MANY))[0] == 6
