"""Linear time: the automaton against the definition of every operator, witnesses, and the language."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import Asked
from computations import State, computations, windows
from effort import examples
from expressions import states
from latwin import Monitor, PropertyError, Spec
from latwin.properties import Not, Property, Variable, parse_property, show
from latwin.properties.automaton import Automaton
from latwin.properties.linear import Formula, Linear, Operator
from latwin.properties.tree import ModalKind
from latwin.sim import random_computation
from observing import answer, condition_on, holds_at, linear_formulas, satisfies
from oracle import BruteForce

PROCESSES = ["a", "b"]
P, Q = Variable(0, ("x",)), Variable(1, ("y",))


def op(word: Any, *operands: Formula) -> Operator:
    return Operator(word, operands)


#: a formula for every operator, and for what becomes of each at the ends of an observation
FORMULAS = {
    "always(p)": op("always", P),
    "eventually(p)": op("eventually", P),
    "next(p)": op("next", P),
    "weak next": op("not", op("next", Not(P))),
    "p until q": op("until", P, Q),
    "p weak_until q": op("weak_until", P, Q),
    "historically(p)": op("historically", P),
    "once(p)": op("once", P),
    "previously(p)": op("previously", P),
    "weak previously": op("not", op("previously", Not(P))),
    "p since q": op("since", P, Q),
    "and": op("and", P, op("next", Q)),
    "or": op("or", op("always", P), op("always", Q)),
    "implies": op("implies", P, op("eventually", Q)),
    "response": op("always", op("implies", P, op("eventually", Q))),
    "precedence": op("always", op("implies", P, op("once", Q))),
    "past of future": op("once", op("next", op("next", P))),
    "future of past": op("eventually", op("previously", op("since", P, Q))),
    "both outside": op("and", op("next", P), op("once", Q)),
    "past outside": op("implies", P, op("once", Q)),
    "until of untils": op("until", op("until", P, Q), op("since", Q, P)),
}


def words(length: int) -> list[list[int]]:
    """All observations of up to so many cuts, by their letters; bit 0 for p, bit 1 for q."""
    return [list(word) for n in range(1, length + 1) for word in product(range(4), repeat=n)]


def values(word: list[int]) -> list[Any]:
    return [({"x": bool(letter & 1)}, {"y": bool(letter & 2)}) for letter in word]


def reads(machine: Automaton, word: list[int]) -> bool:
    """Whether it accepts a word over p and q; the automaton's own letters may be fewer, or in another order."""
    places = [0 if atom == P else 1 for atom in machine.atoms]
    return machine.accepts([sum((letter >> at & 1) << k for k, at in enumerate(places)) for letter in word])


@pytest.mark.parametrize("name", FORMULAS)
def test_every_operator_means_what_its_definition_says(name: str) -> None:
    formula = FORMULAS[name]
    question = Linear("possibly", formula)
    machine = question.automaton()
    for word in words(5):
        at = len(word) - 1 if question.is_asked_at_the_end else 0
        assert reads(machine, word) == holds_at(formula, values(word), at), word


def test_where_a_formula_is_asked() -> None:
    """At the end exactly if all temporal operators outside of all others look back."""
    at_the_end = {name for name, formula in FORMULAS.items() if Linear("possibly", formula).is_asked_at_the_end}
    past = {"historically(p)", "once(p)", "previously(p)", "weak previously", "p since q"}
    assert at_the_end == past | {"past of future", "past outside"}


@pytest.mark.parametrize("name", FORMULAS)
def test_automata_are_the_smallest(name: str) -> None:
    """All states are reached, and for any two some continuation is accepted from one of them only."""
    machine = Linear("possibly", FORMULAS[name]).automaton()
    reached, pending = {machine.start}, [machine.start]
    while pending:
        for following in machine.delta[pending.pop()]:
            if following not in reached:
                reached.add(following)
                pending.append(following)
    assert reached == set(range(len(machine.delta)))
    apart = {
        (s, t) for s in reached for t in reached if (s in machine.accepting) != (t in machine.accepting)
    }  # told apart by continuations of 0 letters, then of one more with each round
    for _ in reached:
        apart |= {
            (s, t)
            for s in reached
            for t in reached
            if any((x, y) in apart for x, y in zip(machine.delta[s], machine.delta[t], strict=True))
        }
    assert len(apart) == len(reached) * (len(reached) - 1)


@settings(max_examples=examples(60))
@given(st.data())
def test_formulas_say_what_brute_force_says(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=8, values=states()))
    n = computation.processes
    window = data.draw(windows(n))
    formula = data.draw(linear_formulas(n))
    asked = [Linear("possibly", formula), Linear("definitely", formula)]
    fast, slow = Asked(n, window, [*asked]), BruteForce(n, window)
    for state in computation.states:
        fast.push(state.process, state.clock, state.value)
        slow.push(state.process, state.clock, state.value)
        assert fast.values() == [answer(question, slow) for question in asked]


@settings(max_examples=examples(40))
@given(st.data())
def test_witnesses_are_observations_that_show_the_answer(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=8, values=states()))
    n = computation.processes
    window = data.draw(windows(n))
    kind = data.draw(st.sampled_from(["possibly", "definitely"]))
    asked = Linear(kind, data.draw(linear_formulas(n)))  # type: ignore[arg-type]
    fast, slow = Asked(n, window, [asked]), BruteForce(n, window)
    (detector,) = fast.detectors
    for state in computation.states:
        fast.push(state.process, state.clock, state.value)
        slow.push(state.process, state.clock, state.value)
        value = detector.evaluate()
        details = detector.details(observations=True)
        assert details.stretch is None
        assert (details.witness is not None) == (len(slow) > 0 and value is (kind == "possibly"))
        if details.witness is not None:
            path = [tuple(cut) for cut in details.witness]  # type: ignore[arg-type]
            assert (path[0], path[-1]) == (slow.least, slow.greatest)
            assert all(after in slow.next_cuts(cut) for cut, after in pairwise(path))
            assert satisfies(asked, path, slow) == (kind == "possibly")


@pytest.mark.parametrize(("processes", "window", "rate"), [(2, None, 0.02), (3, None, 0.8), (4, 4, 0.5), (5, 3, 0.3)])
def test_lattices_of_many_words(processes: int, window: int | None, rate: float) -> None:
    """Words are linked along axes, and chunks of a long process with each other; automata of every shape."""
    replaced = {P: Variable(0, ("v",)), Q: Variable(processes - 1, ("v",))}

    def over(formula: Any) -> Any:
        if isinstance(formula, Operator):
            return op(formula.word, *(over(operand) for operand in formula.operands))
        return replaced[formula]

    shapes = ("response", "until of untils", "future of past", "both outside", "p weak_until q")
    kinds: list[ModalKind] = ["possibly", "definitely"]
    asked = [Linear(kind, over(FORMULAS[name])) for name in shapes for kind in kinds]
    count = 40 if window is not None else 150
    fast, slow = Asked(processes, window, [*asked]), BruteForce(processes, window)
    for step, (process, clock, value) in enumerate(random_computation(processes, count, rate, seed=7)):
        fast.push(process, clock, {"v": value})
        slow.windows[process].append(State(process, tuple(clock), {"v": value}))
        if window is not None:
            del slow.windows[process][:-window]
        if step == count - 1 or (window is not None and step % 8 == 0):
            slow.update()
            assert fast.values() == [leads(question, slow) for question in asked]
    assert len(slow) > 64


def leads(question: Linear, lattice: BruteForce) -> bool:
    """Lead the automaton along all observations, cut by cut."""
    machine = question.automaton()
    held = [condition_on(atom, lattice) for atom in machine.atoms]
    states: dict[Any, set[int]] = {cut: set() for cut in lattice.cuts}
    before = {lattice.cuts[0]: {machine.start}}
    for cut in lattice.cuts:
        letter = sum(one[cut] << k for k, one in enumerate(held))
        states[cut] = {machine.delta[state][letter] for state in before[cut]}
        for after in lattice.next_cuts(cut):
            before.setdefault(after, set()).update(states[cut])
    ends = states[lattice.cuts[-1]]
    return bool(ends & machine.accepting) if question.kind == "possibly" else ends <= machine.accepting


# -- the language ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("possibly(eventually(a.x))", "possibly(a.x)"),
        ("definitely(eventually(a.x))", "definitely(a.x)"),
        ("possibly(once(a.x))", "possibly(a.x)"),
        ("definitely(once(a.x))", "definitely(a.x)"),
        ("definitely(always(a.x and b.y))", "not possibly(not (a.x and b.y))"),
        ("possibly(always(a.x))", "not definitely(not a.x)"),
        ("definitely(historically(a.x))", "not possibly(not a.x)"),
        ("possibly(a.x until b.y and b.z)", "possibly((a.x until b.y) and b.z)"),
        ("possibly(not a.x until b.y)", "possibly((not a.x) until b.y)"),
        ("possibly(a.x until b.y until a.z)", "possibly(a.x until (b.y until a.z))"),
        ("possibly(a.x > 1 since b.y == 2)", "possibly((a.x > 1) since (b.y == 2))"),
        ("possibly(a.x and b.y and next(a.z))", "possibly((a.x and b.y) and next(a.z))"),
        ("possibly(next(a.x) implies once(b.y) implies a.z)", "possibly(next(a.x) implies (once(b.y) implies a.z))"),
        ("possibly(not not next(a.x))", "possibly(next(a.x))"),
    ],
)
def test_ways_to_write_the_same(text: str, same: str) -> None:
    assert parse_property(text, PROCESSES) == parse_property(same, PROCESSES)


@settings(max_examples=examples(60))
@given(st.data())
def test_the_canonical_text_parses_back(data: st.DataObject) -> None:
    tree: Property = Linear("definitely", data.draw(linear_formulas(2)))
    parsed = parse_property(show(tree, PROCESSES), PROCESSES)
    assert parsed == tree or not isinstance(parsed, Linear)  # `possibly` and `definitely` where it is one of them
    assert parse_property(show(parsed, PROCESSES), PROCESSES) == parsed


@pytest.mark.parametrize(
    "text",
    [
        "definitely(always(b.response implies once(a.request)))",
        "possibly(a.x until b.y or next(not a.x))",
        "definitely(a.x weak_until b.y and previously(a.x since b.y))",
        "possibly(always((a.x until b.y) until a.z))",
    ],
)
def test_texts_stay_as_they_were_written(text: str) -> None:
    assert show(parse_property(text, PROCESSES), PROCESSES) == text


WORDS = [
    *("always", "eventually", "next", "until", "weak_until", "once", "historically", "previously", "since"),
    *("U", "S", "EY", "AY", "EP", "AP", "EH", "AH", "implies"),
]


@pytest.mark.parametrize("word", WORDS)
def test_new_words_are_no_keywords(word: str) -> None:
    """Processes, variables and named states may have such names, without backticks."""
    spec = Spec.from_dict(
        {
            "processes": [word, "b"],
            "window": 3,
            "properties": {
                "p": f"possibly({word}.{word} and b.{word}.{word})",
                "q": f"possibly({word}.{word} until b.{word} since {word}.x)",
                "r": f"E[{word}.{word} S b.{word}]",
            },
        }
    )
    assert f"{word}.{word}" in spec.meanings["p"]
    named = Spec.from_dict(
        {"processes": PROCESSES, "window": 3, "states": {word: "a.x"}, "properties": {"p": f"possibly({word})"}}
    )
    assert named.meanings["p"] == "possibly(a.x)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("always(a.x)", "write possibly(always(p)) or definitely(always(p))"),
        ("a.x until b.y", "wrap it in possibly(...) or definitely(...)"),
        ("possibly(a.x + next(b.y) > 2)", "next(...) cannot stand here"),
        ("possibly((a.x until b.y) + 1)", "'until' cannot stand inside an expression"),
        ("possibly(next(a.x, b.y))", "next(...) takes one condition; got 2"),
        ("possibly(next())", "next(...) takes one condition; got 0"),
        ("possibly(always(EF(a.x)))", "EF(...) cannot stand inside an expression"),
        ("possibly(always(seq(a.x)))", "seq(...) stands alone"),
        ("possibly(always(possibly(a.x)))", "possibly(...) cannot stand inside an expression"),
        ("possibly(a.x until)", "expected a condition, found ')'"),
        ("probability(next(a.x)) > 0.5", "next(...) cannot stand here"),
        ("possibly(seq(next(a.x)))", "next(...) cannot stand here"),
        (
            "possibly(next(" + " and ".join(f"once(a.x == {k})" for k in range(9)) + "))",
            "column 10: a formula may have at most 8 different conditions; got 9",
        ),
        ("possibly(" + "next(" * 11 + "a.x" + ")" * 11 + ")", "at most 10 different temporal operators; got 11"),
        (
            "possibly(" + " and ".join(f"eventually(a.x == {k})" for k in range(7)) + ")",
            "the formula needs an automaton of more than 64 states",
        ),
    ],
)
def test_mistakes_are_explained(text: str, message: str) -> None:
    with pytest.raises(PropertyError) as raised:
        parse_property(text, PROCESSES)
    assert message in str(raised.value)


def test_explain_tells_where_it_is_asked_and_how_large_the_automaton_is() -> None:
    texts = {
        "begin": "definitely(always(b.response implies once(a.request)))",
        "end": "possibly(a.x since b.y)",
        "past": "E[a.x S EF(b.y)]",
    }
    spec = Spec.from_dict({"processes": PROCESSES, "window": 3, "properties": texts})
    lines = spec.explain().splitlines()[1::2]
    assert "evaluated at their beginning, of 2 conditions: an automaton of 3 states" in lines[0]
    assert "evaluated at their end, of 2 conditions: an automaton of 2 states" in lines[1]
    assert "forward pass: a formula of CTL, asked of the greatest cut" in lines[2]


def test_a_formula_can_be_decided_before_anything_is_read() -> None:
    """The automaton has one state, and every observation is a witness."""
    spec = Spec.from_dict(
        {
            "processes": PROCESSES,
            "window": 3,
            "properties": {
                "p": "possibly(next(a.x) or not next(a.x))",
                "q": "definitely(next(a.x) and not next(a.x))",
            },
        }
    )
    monitor = Monitor(spec, observations=True)
    told = monitor.observe({"process": "a", "clock": [1, 0], "state": {}}, every=True)
    assert [(verdict.value, verdict.witness) for verdict in told] == [
        (True, ((0, 0), (1, 0))),
        (False, ((0, 0), (1, 0))),
    ]
