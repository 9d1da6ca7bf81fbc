"""Every engine against brute force: random properties on random computations, witnesses, runs."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_eval
from computations import Computation, computations, windows
from effort import examples
from expressions import ODD_NUMBERS, expressions, properties, scalars, states, sum_comparisons
from latwin import Monitor, Spec
from latwin.properties import Compare, Literal, Member, Modal, Property, compile_condition, parse_predicate
from latwin.properties.plan import plan_modal
from latwin.properties.shape import (
    disjuncts_of,
    normal_form,
    opaque_part,
    program_of,
)
from latwin.properties.sums import SumAtom
from monitoring import event, events, expected_value, make_spec, told_of
from oracle import BruteForce

P3 = ["a", "b", "c"]


@settings(max_examples=examples(400))
@given(expressions(3), st.lists(states(), min_size=3, max_size=3))
def test_the_normal_form_means_the_same(expr: Any, values: list[dict[str, Any]]) -> None:
    written = naive_eval.truth(naive_eval.value_of(expr, values))
    normal = normal_form(expr)
    assert compile_condition(expr)(values) == compile_condition(normal)(values) == written
    disjuncts = disjuncts_of(normal)
    if disjuncts is not None:
        assert written == any(
            all(naive_eval.truth(naive_eval.value_of(part, values)) for part in conjunction.values())
            for conjunction in disjuncts
        )


#: every kind of value that a term of a sum, or the variable that it is compared with, can have
terms = st.dictionaries(
    st.sampled_from(["x", "y"]), scalars | st.sampled_from(ODD_NUMBERS) | st.just([1]), min_size=1
)


@settings(max_examples=examples(600))
@given(sum_comparisons(3), st.lists(terms, min_size=3, max_size=3))
def test_sums_over_processes_have_one_meaning(expr: Any, values: list[dict[str, Any]]) -> None:
    """For the evaluator, in the normal form, within another condition, and by the naive reading."""
    expected = naive_eval.truth(naive_eval.value_of(expr, values))
    assert compile_condition(expr)(values) == expected
    assert compile_condition(normal_form(expr))(values) == expected
    assert compile_condition(Compare("==", expr, Literal(True)))(values) == expected
    assert compile_condition(Member(expr.left, (expr.right,), False))(values) == naive_eval.value_of(
        Compare("==", expr.left, expr.right), values
    )


@settings(max_examples=examples(200))
@given(st.data())
def test_engines_add_as_the_evaluator_does(data: st.DataObject) -> None:
    """On whole windows, where a state with a value that cannot be added comes and goes."""
    expr = data.draw(sum_comparisons(3))
    trees: dict[str, Property] = {"p": Modal("possibly", expr), "d": Modal("definitely", expr)}
    trees["q"] = Modal("possibly", Compare("==", expr, Literal(True)))
    computation = data.draw(computations(min_processes=3, max_processes=3, max_states=8, values=terms))
    spec = make_spec(computation, 2, trees)
    single, slow = Monitor(spec), BruteForce(3, 2)
    changes: list[Any] = []
    for state in computation.states:
        changes += single.observe(event(state))
        slow.push(state.process, state.clock, state.value)
        assert single.values() == {name: expected_value(tree, slow) for name, tree in trees.items()}
    assert Monitor(spec).observe_many(events(computation.states)) == changes


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("a.x + b.x != c.s", [{"x": 1}, {"x": 2}, {"s": "three"}], True),
        ("c.s != a.x + b.x", [{"x": 1}, {"x": 2}, {"s": [3]}], True),
        ("a.x + b.x != c.s", [{"x": 1}, {"x": "2"}, {"s": "three"}], False),
        ("a.x + b.x != c.s", [{"x": 1}, {"x": 2}, {}], False),
        ("a.x + b.x == c.s", [{"x": 1}, {"x": 2}, {"s": "three"}], False),
        ("a.x + b.x < c.s", [{"x": 1}, {"x": 2}, {"s": math.inf}], True),
        # As written, 0.3 + 0.2 + 0.1 is 0.6; in the order of processes, 0.1 + 0.2 + 0.3 is more.
        ("c.x + b.x + a.x > 0.6", [{"x": 0.1}, {"x": 0.2}, {"x": 0.3}], True),
        ("(c.x + b.x + a.x > 0.6) == true", [{"x": 0.1}, {"x": 0.2}, {"x": 0.3}], True),
        ("c.x + b.x + a.x in (0.6, 1)", [{"x": 0.1}, {"x": 0.2}, {"x": 0.3}], False),
        ("c.x + b.x + a.x not in (0.6, 1)", [{"x": 0.1}, {"x": 0.2}, {"x": 0.3}], True),
        (f"a.x + b.x + {10**400} + 0.5 > 0", [{"x": 1}, {"x": 1}, {}], False),
    ],
)
def test_what_sums_mean(text: str, values: list[dict[str, Any]], expected: bool) -> None:
    expr = parse_predicate(text, P3)
    assert compile_condition(expr)(values) is expected
    assert naive_eval.truth(naive_eval.value_of(expr, values)) is expected
    spec = Spec.from_dict({"processes": P3, "window": 1, "properties": {"p": f"possibly({text})"}})
    monitor = Monitor(spec)
    for k, state in enumerate(values):
        monitor.observe({"process": P3[k], "clock": {P3[k]: 1}, "state": state})
    assert monitor.values() == {"p": expected}


@settings(max_examples=examples(250))
@given(st.data())
def test_verdicts_equal_brute_force(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=10, values=states()))
    window = data.draw(windows(computation.processes))
    tree = data.draw(properties(computation.processes, max_leaves=8))
    spec = make_spec(computation, window, {"p": tree})
    check_against_brute_force(computation, window, spec, data)


@settings(max_examples=examples(150))
@given(st.data())
def test_programs_equal_brute_force(data: st.DataObject) -> None:
    """The same for predicates that the compiled program takes: sums, pairs, locals, mixed."""
    computation = data.draw(computations(min_processes=3, max_processes=3, max_states=12, values=states()))
    window = data.draw(windows(3))
    atoms = [
        "p0.x == p1.x",
        "p1.on != p2.on",
        "p0.x + p1.x + p2.x >= 2",
        "p0.x - p2.y < p1.on",
        "p0.on",
        "p1.x > 0",
        "p2.ap == 'room'",
        "p0.x * p1.x * p2.x > 0",
        "p0.x * p2.x > 1",
        "10000000000000000 * p0.x + p1.x - p2.x > 1",
    ]
    picked = data.draw(st.lists(st.sampled_from(atoms), min_size=1, max_size=4))
    text = picked[0]
    for atom in picked[1:]:
        text = f"({text}) {data.draw(st.sampled_from(['and', 'or', 'and not', 'or not']))} ({atom})"
    kind = data.draw(st.sampled_from(["possibly", "definitely"]))
    spec = Spec.from_dict(
        {
            "processes": ["p0", "p1", "p2"],
            "window": window
            if window is None or isinstance(window, int)
            else dict(zip(["p0", "p1", "p2"], window, strict=True)),
            "properties": {"p": f"{kind}({text})"},
        }
    )
    check_against_brute_force(computation, window, spec, data)


def check_against_brute_force(computation: Computation, window: Any, spec: Spec, data: st.DataObject) -> None:
    n = computation.processes
    tree = spec.trees["p"]
    slow = BruteForce(n, window)
    single = Monitor(spec, observations=True)
    seen: list[Any] = []
    for state in computation.states:
        slow.push(state.process, state.clock, state.value)
        (verdict,) = single.observe(event(state), every=True)
        assert verdict.value == expected_value(tree, slow)
        assert verdict.least == slow.least
        assert verdict.greatest == slow.greatest
        assert verdict.cuts in (None, len(slow))
        assert (verdict.process, verdict.index) == (f"p{state.process}", state.index)
        if isinstance(tree, Modal):
            check_witness(verdict, tree, slow)
        seen.append(verdict)
    # In runs, in any batches: the same, thinned out.
    batched = Monitor(spec, observations=True)
    told: list[Any] = []
    rest = events(computation.states)
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        told += batched.observe_many(rest[:size])
        rest = rest[size:]
    assert told == told_of(seen)
    assert batched.snapshot() == single.snapshot()


def check_witness(verdict: Any, tree: Modal, slow: BruteForce) -> None:
    predicate = compile_condition(tree.predicate)
    satisfying = [cut for cut in slow if predicate(slow.values_of(cut))]
    if tree.kind == "possibly":
        assert verdict.witness == (satisfying[0] if satisfying else None)
    elif verdict.value or not len(slow):
        assert verdict.witness is None
    else:
        path = verdict.witness
        assert path[0] == slow.least
        assert path[-1] == slow.greatest
        assert not set(path) & set(satisfying)
        assert all(after in slow.next_cuts(before) for before, after in pairwise(path))


@pytest.mark.parametrize(
    ("text", "engine"),
    [
        ("definitely(a.x and b.y == 'r' and c.z > 1)", "conjunctive"),
        ("definitely(not (a.x or not b.y))", "conjunctive"),
        ("definitely(a.x and (a.y or a.z))", "conjunctive"),
        ("definitely(1 < a.x < 3 and true)", "conjunctive"),
        ("definitely(false)", "conjunctive"),
        ("definitely(a.x and 1 > 2)", "conjunctive"),
        ("possibly(a.x or b.y and c.z)", "conjunctive"),
        ("possibly(a.x and (b.y or c.z))", "conjunctive"),
        ("possibly(a.x in (1, 2) or b.y not in (3,))", "conjunctive"),
        ("definitely(a.x or b.y)", "conjunctive"),
        ("definitely(a.x == b.y)", "bit lattice"),
        ("definitely(a.x in (b.y, c.z))", "bit lattice"),
        ("definitely(a.x not in (b.y,))", "bit lattice"),
        ("possibly(a.x + b.y > 2)", "sums"),
        ("definitely(a.on + b.on + c.on >= 2)", "sums"),
        ("possibly(a.on and not (a.x + b.x == 2))", "sums"),
        ("definitely(a.on or a.x + b.x == 2)", "bit lattice"),
        ("definitely(a.x + b.x == 2.5)", "bit lattice"),
        ("definitely(a.x * b.x > 2)", "bit lattice"),
        ("definitely(a.x * b.x * c.x > 2)", "cut by cut"),
        ("definitely(a.x + b.x + c.x)", "cut by cut"),
        ("possibly(a.on and b.x * 2 + c.x * a.x > b.y)", "cut by cut"),
        ("definitely(a.x + b.x + c.x > 100000000000000000000)", "cut by cut"),
        ("definitely(a.x + b.x + c.x > 'n')", "cut by cut"),
    ],
)
def test_shapes_pick_their_engine(text: str, engine: str) -> None:
    spec = Spec.from_dict({"processes": P3, "window": 4, "properties": {"p": text}})
    assert f"   {engine}: " in spec.explain()
    tree = spec.trees["p"]
    assert isinstance(tree, Modal)
    plan = plan_modal(tree)
    assert plan.engine == engine
    assert (opaque_part(plan.predicate) is not None) == (engine == "cut by cut")


def test_many_disjuncts_go_to_the_lattice() -> None:
    both = " and ".join(f"(a.v{k} or b.v{k})" for k in range(6))
    spec = Spec.from_dict({"processes": ["a", "b"], "window": 4, "properties": {"p": f"possibly({both})"}})
    assert "bit lattice" in spec.explain()
    many = " or ".join(f"(a.v{k} and b.v{k})" for k in range(20))
    spec = Spec.from_dict({"processes": ["a", "b"], "window": 4, "properties": {"p": f"possibly({many})"}})
    assert "bit lattice" in spec.explain()


def test_sums_gather_terms_and_move_constants() -> None:
    (atom,) = program_of(normal_form(parse_predicate("a.x - b.y + 1 + a.z <= 2 * c.x", P3))) or []
    assert isinstance(atom, SumAtom)
    assert [process for process, _ in atom.terms] == [0, 1, 2]
    assert (atom.op, atom.bound) == ("<=", -1)


@pytest.mark.parametrize("value", [10**15, 10**30, -(10**30), 2**53])
def test_integers_too_large_for_doubles_are_still_exact(value: int) -> None:
    """9007199254740993 and 9007199254740992 are the same double."""
    spec = Spec.from_dict({"processes": P3, "window": 2, "properties": {"p": "possibly(a.x - b.x + c.x == 1)"}})
    monitor = Monitor(spec)
    rows = [
        {"process": "a", "clock": [1, 0, 0], "state": {"x": value + 1}},
        {"process": "b", "clock": [0, 1, 0], "state": {"x": value}},
        {"process": "c", "clock": [0, 0, 1], "state": {"x": 0}},
    ]
    out = monitor.observe_many(rows)
    assert [verdict.value for verdict in out] == [True]
    # They leave the window again, and the compiled engine takes over.
    later = [
        {"process": name, "clock": [i if k == p else 1 for k in range(3)], "state": {"x": 0}}
        for i in (2, 3)
        for p, name in enumerate(P3)
    ]
    assert [verdict.value for verdict in monitor.observe_many(later)] == [False]


def test_numbers_beyond_all_doubles_compare_false() -> None:
    predicate = compile_condition(parse_predicate("a.x + b.x + c.x > 0", P3))
    assert predicate([{"x": 10**400}, {"x": 1}, {"x": 1}])
    assert not predicate([{"x": 10**400}, {"x": 1.5}, {"x": 1}])
    assert not predicate([{"x": 1e308}, {"x": 1e308}, {"x": 1e308}])


def test_a_literal_alone_is_a_constant() -> None:
    assert normal_form(Literal("")) == Literal(False)
    assert normal_form(Literal(2)) == Literal(True)
