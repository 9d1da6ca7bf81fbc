"""CTL, sequences and probability: against brute force, as identities, on large lattices, and as text."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import Asked
from computations import computations, windows
from effort import examples
from expressions import expressions, states
from latwin import Monitor, PropertyError, SnapshotError, Spec, SpecError, Verdict
from latwin.detect.ctl import TemporalDetector
from latwin.detect.probability import LikelyDetector, fraction
from latwin.properties import Not, parse_property, show
from latwin.properties.automaton import automaton_of
from latwin.properties.ctl import (
    TEMPORAL_FORMS,
    Formula,
    FormulaAnd,
    FormulaNot,
    FormulaOr,
    Next,
    Previous,
    Since,
    Temporal,
    Until,
    negate,
)
from latwin.properties.linear import Linear
from latwin.properties.patterns import Step
from latwin.properties.probability import Likely
from latwin.properties.sequences import Matching
from latwin.properties.tree import TRUE, Property, Question, Variable
from latwin.sim import random_computation
from monitoring import event, names, told_of
from observing import answer, condition_on, formulas, matcher, observations, occurs, patterns, probability, questions
from oracle import BruteForce


@settings(max_examples=examples(60))
@given(st.data())
def test_every_question_says_what_brute_force_says(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=8, values=states()))
    n = computation.processes
    window = data.draw(windows(n))
    asked = data.draw(st.lists(questions(n), min_size=1, max_size=3))
    fast, slow = Asked(n, window, asked), BruteForce(n, window)
    for state in computation.states:
        fast.push(state.process, state.clock, state.value)
        slow.push(state.process, state.clock, state.value)
        assert fast.values() == [answer(question, slow) for question in asked]


@settings(max_examples=examples(60))
@given(st.data())
def test_probability_is_the_fraction_of_observations(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=10, values=states()))
    n = computation.processes
    window = data.draw(windows(n))
    predicate = data.draw(expressions(n, max_leaves=4))
    fast, slow = Asked(n, window, [Likely(predicate, ">=", 0.5)]), BruteForce(n, window)
    (detector,) = fast.detectors
    assert isinstance(detector, LikelyDetector)
    for state in computation.states:
        fast.push(state.process, state.clock, state.value)
        slow.push(state.process, state.clock, state.value)
        if not len(slow):
            continue
        detector.evaluate()
        exact = probability(predicate, slow)
        assert detector.probability == float(exact)
        label = condition_on(predicate, slow)
        assert (detector.probability == 1.0) == is_definite(slow, label)
        assert (detector.probability == 0.0) == (not any(label.values()))


def is_definite(lattice: BruteForce, label: dict[Any, bool]) -> bool:
    labels = {id(lattice.values_of(cut)): value for cut, value in label.items()}
    return lattice.definitely(lambda values: labels[id(values)])


@settings(max_examples=examples(60))
@given(st.data())
def test_an_automaton_accepts_what_the_pattern_matches(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=6, values=states()))
    n = computation.processes
    asked = Matching("possibly", data.draw(patterns(n)), data.draw(st.booleans()), data.draw(st.booleans()))
    slow = BruteForce(n, None)
    for state in computation.states:
        slow.push(state.process, state.clock, state.value)
    machine = automaton_of(asked)
    held = [condition_on(atom, slow) for atom in machine.atoms]
    for path in observations(slow):
        letters = [sum(one[cut] << k for k, one in enumerate(held)) for cut in path]
        assert machine.accepts(letters) == occurs(asked, path, slow)
        break


IDENTITIES: dict[str, Callable[[Formula, Formula], tuple[Formula, Formula]]] = {
    "AX is not EX not": lambda p, q: (Next("A", p), FormulaNot(Next("E", negate(p)))),
    "E until unfolds": lambda p, q: (
        Until("E", p, q),
        FormulaOr((q, negate(FormulaOr((negate(p), negate(Next("E", Until("E", p, q)))))))),
    ),
    "A until unfolds": lambda p, q: (
        Until("A", p, q),
        FormulaOr((q, FormulaAnd((p, Next("A", Until("A", p, q)), Next("E", TRUE))))),
    ),
    "EF and AG are duals": lambda p, q: (
        Until("E", TRUE, FormulaNot(p)),
        FormulaNot(TEMPORAL_FORMS["AG"](p)),
    ),
    "AF and EG are duals": lambda p, q: (
        Until("A", TRUE, FormulaNot(p)),
        FormulaNot(TEMPORAL_FORMS["EG"](p)),
    ),
    "De Morgan": lambda p, q: (
        FormulaNot(FormulaAnd((p, q))),
        FormulaOr((FormulaNot(p), FormulaNot(q))),
    ),
    "EF of or": lambda p, q: (
        Until("E", TRUE, FormulaOr((p, q))),
        FormulaOr((Until("E", TRUE, p), Until("E", TRUE, q))),
    ),
    "AG unfolds": lambda p, q: (
        TEMPORAL_FORMS["AG"](p),
        FormulaAnd((p, Next("A", TEMPORAL_FORMS["AG"](p)))),
    ),
    "AY is not EY not": lambda p, q: (Previous("A", p), FormulaNot(Previous("E", negate(p)))),
    "E since unfolds": lambda p, q: (
        Since("E", p, q),
        FormulaOr((q, FormulaAnd((p, Previous("E", Since("E", p, q)))))),
    ),
    "A since unfolds": lambda p, q: (
        Since("A", p, q),
        FormulaOr((q, FormulaAnd((p, Previous("A", Since("A", p, q)), Previous("E", TRUE))))),
    ),
    "EP and AH are duals": lambda p, q: (Since("E", TRUE, FormulaNot(p)), FormulaNot(TEMPORAL_FORMS["AH"](p))),
    "AP and EH are duals": lambda p, q: (Since("A", TRUE, FormulaNot(p)), FormulaNot(TEMPORAL_FORMS["EH"](p))),
    "EP at the greatest cut is EF at the least": lambda p, q: (Since("E", TRUE, p), Until("E", TRUE, p)),
    "AP at the greatest cut is AF at the least": lambda p, q: (Since("A", TRUE, p), Until("A", TRUE, p)),
    "a goal now is met": lambda p, q: (Until("A", p, FormulaOr((q, FormulaNot(q)))), FormulaOr((q, FormulaNot(q)))),
}


@pytest.mark.parametrize("name", IDENTITIES)
@settings(max_examples=examples(15))
@given(st.data())
def test_identities(name: str, data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=12, values=states()))
    n = computation.processes
    window = data.draw(windows(n))
    left, right = IDENTITIES[name](data.draw(formulas(n)), data.draw(formulas(n)))
    fast = Asked(n, window, [Temporal(left), Temporal(right)])
    for state in computation.states:
        fast.push(state.process, state.clock, state.value)
        if " at the " in name:
            one, other = fast.values()
            assert one == other
        elif (lattice := fast.lattice()) is not None:
            sets = [detector.label(lattice) for detector in fast.detectors if isinstance(detector, TemporalDetector)]
            assert sets[0].tolist() == sets[1].tolist()


@settings(max_examples=examples(40))
@given(st.data())
def test_ef_af_and_single_steps_are_possibly_and_definitely(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=12, values=states()))
    n = computation.processes
    window = data.draw(windows(n))
    p = data.draw(expressions(n, max_leaves=5))
    asked: list[Question] = [
        Temporal(Until("E", TRUE, p)),
        Matching("possibly", Step(p)),
        Likely(p, ">", 0.0),
        Temporal(Until("A", TRUE, p)),
        Matching("definitely", Step(p)),
        Likely(p, "==", 1.0),
    ]
    fast, slow = Asked(n, window, asked), BruteForce(n, window)
    for state in computation.states:
        fast.push(state.process, state.clock, state.value)
        slow.push(state.process, state.clock, state.value)
        held = condition_on(p, slow)
        possibly = any(held.values())
        definitely = is_definite(slow, held)
        assert fast.values() == [possibly] * 3 + [definitely] * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processes", "window", "rate"),
    [
        (2, None, 0.02),
        pytest.param(3, None, 0.8, marks=pytest.mark.soak),
        pytest.param(5, 3, 0.3, marks=pytest.mark.soak),
        pytest.param(4, 4, 0.5, marks=pytest.mark.soak),
    ],
)
def test_lattices_of_many_words(processes: int, window: int | None, rate: float) -> None:
    """Words are linked along axes, and chunks of a long process with each other."""
    x, y = Variable(0, ("v",)), Variable(processes - 1, ("v",))
    formula = Until("E", FormulaNot(Next("A", y)), Next("E", FormulaOr((x, Until("A", negate(y), x)))))
    asked: list[Question] = [
        Temporal(formula),
        Temporal(Until("A", FormulaOr((x, Next("E", y))), FormulaNot(Next("E", x)))),
        Temporal(Since("E", FormulaNot(Previous("A", y)), Previous("E", FormulaOr((x, Since("A", negate(y), x)))))),
        Temporal(Since("A", FormulaOr((x, Previous("E", y))), FormulaNot(Until("E", y, x)))),
        Likely(x, ">=", 0.5),
    ]
    count = 60 if window is not None or processes > 2 else 150
    fast, slow = Asked(processes, window, asked), BruteForce(processes, window)
    for step, (process, clock, value) in enumerate(random_computation(processes, count, rate, seed=7)):
        fast.push(process, clock, {"v": value})
        if window is not None or step == count - 1:
            slow.push(process, clock, {"v": value})
        else:
            slow.windows[process].append(type(slow.windows[0][0])(process, tuple(clock), {"v": value}))
            continue
        if len(slow) > 4000:
            continue
        assert fast.values() == [answer(question, slow) for question in asked]
    assert len(slow) > 64


@settings(max_examples=examples(50))
@given(st.data())
def test_witnesses_are_observations_that_show_the_answer(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=8, values=states()))
    n = computation.processes
    window = data.draw(windows(n))
    kind = data.draw(st.sampled_from(["possibly", "definitely"]))
    asked = Matching(kind, data.draw(patterns(n)), data.draw(st.booleans()), data.draw(st.booleans()))  # type: ignore[arg-type]
    fast, slow = Asked(n, window, [asked]), BruteForce(n, window)
    (detector,) = fast.detectors
    for state in computation.states:
        fast.push(state.process, state.clock, state.value)
        slow.push(state.process, state.clock, state.value)
        value = detector.evaluate()
        witness = detector.details(observations=True).witness
        assert (witness is not None) == (len(slow) > 0 and value is (kind == "possibly"))
        if witness is not None:
            path = [tuple(cut) for cut in witness]  # type: ignore[arg-type]
            assert (path[0], path[-1]) == (slow.least, slow.greatest)
            assert all(after in slow.next_cuts(cut) for cut, after in pairwise(path))
            assert occurs(asked, path, slow) == (kind == "possibly")
        stretch = detector.details(observations=True).stretch
        assert (stretch is not None) == (witness is not None and kind == "possibly")
        if stretch is not None:
            begin, end = stretch
            assert end in matcher(asked.pattern, path, slow)(begin)
            assert begin == 0 or not asked.from_least
            assert end == len(path) or not asked.to_greatest


def test_fractions_are_0_and_1_only_where_they_are() -> None:
    assert fraction(3.0, 0.0) == 1.0
    assert fraction(0.0, 3.0) == 0.0
    assert 0.0 < fraction(1.0, 1.7e308) < 1e-307
    assert 1 - 1e-10 < fraction(1e300, 1.0) < 1.0


@settings(max_examples=examples(30))
@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_probability_on_large_lattices(first: int, second: int, data: st.DataObject) -> None:
    """Two processes that never hear of each other: up to (120 choose 60) observations, counted here in integers."""
    cuts = st.tuples(st.integers(0, first), st.integers(0, second))
    labelled = data.draw(st.sets(cuts, max_size=4))
    condition = " or ".join(f"a.x == {i} and b.x == {j}" for i, j in labelled) or "a.x + b.x < 0"
    (tree,) = [parse_property(f"probability({condition}) > 0", PROCESSES)]
    assert isinstance(tree, Likely)
    asked = Asked(2, None, [tree], initial={"x": 0})
    (detector,) = asked.detectors
    assert isinstance(detector, LikelyDetector)
    for index in range(1, first + 1):
        asked.push(0, [index, 0], {"x": index})
    for index in range(1, second + 1):
        asked.push(1, [0, index], {"x": index})
    total, avoiding = ways_through(first, second, set()), ways_through(first, second, labelled)
    exact = Fraction(total - avoiding, total)
    assert detector.evaluate() == (exact > 0)
    assert detector.probability is not None
    assert (detector.probability == 0.0, detector.probability == 1.0) == (exact == 0, exact == 1)
    if total < 2**53:
        assert detector.probability == float(exact)
    assert abs(Fraction(detector.probability) - exact) <= exact * Fraction(4 * (first + second), 2**53)


def ways_through(first: int, second: int, forbidden: set[tuple[int, int]]) -> int:
    """The ways from (0, 0) to (first, second), one step at a time, that avoid some places."""
    ways: dict[tuple[int, int], int] = {}
    for i in range(first + 1):
        for j in range(second + 1):
            before = ways.get((i - 1, j), 0) + ways.get((i, j - 1), 0)
            ways[i, j] = 0 if (i, j) in forbidden else before or int((i, j) == (0, 0))
    return ways[first, second]


def test_a_rare_cut_is_possible() -> None:
    """One of (60 choose 30) observations, more than 2^53, meets the corner."""
    properties = {"likely": "probability(a.x and not b.x) > 0", "possible": "possibly(a.x and not b.x)"}
    spec = Spec.from_dict({"processes": ["a", "b"], "window": None, "properties": properties})
    monitor = Monitor(spec)
    for index in range(1, 31):
        monitor.observe({"process": "a", "clock": [index, 0], "state": {"x": index == 30}})
        monitor.observe({"process": "b", "clock": [0, index], "state": {"x": True}})
    assert monitor.values() == {"likely": True, "possible": True}
    (detector,) = monitor.detectors("likely")
    assert isinstance(detector, LikelyDetector)
    assert detector.probability == float(Fraction(1, math.comb(60, 30)))


def test_no_probability_is_left_over_from_an_earlier_slide() -> None:
    asked = Asked(2, [4, 1], [Likely(Variable(0, ("x",)), ">=", 0.5)])
    (detector,) = asked.detectors
    assert isinstance(detector, LikelyDetector)
    asked.push(0, [1, 0], {"x": True})
    assert (asked.values(), detector.probability) == ([True], 1.0)
    asked.push(1, [2, 1], {})
    assert asked.window.is_empty
    assert (asked.values(), detector.probability) == ([False], 0.0)
    for index, is_on in ((2, False), (3, True), (4, False)):
        asked.push(0, [index, 0], {"x": is_on})
    assert (asked.values(), detector.probability) == ([True], 1.0)
    asked.context.whole.lattice.max_cuts = 0
    asked.context.slide()
    assert (asked.values(), detector.probability) == ([None], None)


# -- the language ------------------------------------------------------------------------------------

PROCESSES = ["a", "b"]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("EF(a.x)", "possibly(a.x)"),
        ("AF(a.x)", "definitely(a.x)"),
        ("AG(a.x or b.y)", "not possibly(not (a.x or b.y))"),
        ("EG(a.x)", "not definitely(not a.x)"),
        ("E[true U a.x]", "possibly(a.x)"),
        ("EP(a.x)", "possibly(a.x)"),
        ("AP(a.x)", "definitely(a.x)"),
        ("AH(a.x or b.y)", "not possibly(not (a.x or b.y))"),
        ("EH(a.x)", "not definitely(not a.x)"),
        ("E[true S EY(a.x)]", "EP(EY(a.x))"),
        ("EF(a.x) implies AG(b.y)", "not EF(a.x) or AG(b.y)"),
        ("possibly(a.x implies b.y)", "possibly(not a.x or b.y)"),
        ("0.5 <= probability(a.x)", "probability(a.x) >= 0.5"),
        ("0 < probability(a.x) < 1", "probability(a.x) > 0 and probability(a.x) < 1"),
        ("possibly(seq(a.x, b.y))", "possibly(seq( (a.x) , ((b.y)) ))"),
        ("possibly(seq(a.x+?))", "possibly(seq((a.x+)?))"),
        ("definitely(seq(^a.x $))", "definitely( seq (^ a.x$) )"),
        ("possibly(seq(a.s in ('(', ')'), any*))  # seq(", "possibly(seq((a.s in ('(', ')')), (any)*))"),
        ("possibly(seq(a.x | b.y, any))", "possibly(seq(a.x | (b.y, any)))"),
    ],
)
def test_ways_to_write_the_same(text: str, same: str) -> None:
    assert parse_property(text, PROCESSES) == parse_property(same, PROCESSES)


@settings(max_examples=examples(60))
@given(st.data())
def test_the_canonical_text_parses_back(data: st.DataObject) -> None:
    tree: Property = data.draw(questions(2))
    parsed = parse_property(show(tree, PROCESSES), PROCESSES)
    # Conditions that the random formula joins by its own nodes are one condition once parsed.
    assert parse_property(show(parsed, PROCESSES), PROCESSES) == parsed
    # Some formulas over observations are conditions on cuts once parsed.
    if not isinstance(tree, Temporal | Linear) or isinstance(parsed, Linear):
        assert show(parsed, PROCESSES) == show(tree, PROCESSES)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("possibly(EF(a.x))", "EF(...) cannot stand inside an expression"),
        ("EF(possibly(a.x))", "possibly(...) cannot stand inside an expression"),
        ("EF(a.x, b.y)", "EF(...) takes one condition; got 2"),
        ("EF()", "EF(...) takes one condition; got 0"),
        ("E[a.x U b.y", "expected"),
        ("E[a.x]", "expected"),
        ("E[a.x S b.y", "expected"),
        ("EY(a.x, b.y)", "EY(...) takes one condition; got 2"),
        ("possibly(E[a.x S b.y])", "E[...] and A[...] cannot stand inside an expression"),
        ("EF(once(a.x))", "once(...) cannot stand here"),
        ("EF(a.x until b.y)", "'until' cannot stand inside an expression"),
        ("possibly(A[a.x U b.y])", "E[...] and A[...] cannot stand inside an expression"),
        ("probability(a.x)", "probability"),
        ("probability(a.x) > b.y", "a probability is compared with a number"),
        ("probability(a.x, b.y) > 0.5", "probability(...) takes one condition; got 2"),
        ("seq(a.x)", "seq"),
        ("possibly(seq())", "seq(...) without a pattern"),
        ("possibly(seq(a.x, , b.y))", "line 1, column 19: a part of the sequence is empty"),
        ("possibly(seq(a.x, *))", "a part of the sequence is empty"),
        ("possibly(seq(a.x, c.y))", "line 1, column 19: unknown process 'c'"),
        ("possibly(seq(a.x and seq(b.y)))", "seq"),
        (
            "possibly(seq(" + ", ".join(f"a.x == {k}" for k in range(9)) + "))",
            "at most 8 different conditions; got 9",
        ),
        ("possibly(" + "seq(" + "(" * 60 + "a.x" + ")" * 60 + "))", "nested more than"),
    ],
)
def test_mistakes_are_explained(text: str, words: str) -> None:
    with pytest.raises(PropertyError) as raised:
        Spec.from_dict({"processes": PROCESSES, "window": 2, "properties": {"p": text}})
    assert words in str(raised.value)


def test_named_states() -> None:
    fields = {
        "processes": PROCESSES,
        "window": 3,
        "states": {"idle": "not a.busy", "fired": "b.fired"},
        "properties": {"p": "possibly(seq(idle+, fired))", "q": "definitely(idle and fired)"},
    }
    spec = Spec.from_dict(fields)
    assert Spec.from_dict(spec.to_dict()) == spec
    assert spec.meanings["q"] == "definitely(not a.busy and b.fired)"
    assert "automaton" in spec.explain()
    for name in ("any", "a", "not-a-word", "and"):
        with pytest.raises(SpecError, match="`states`"):
            Spec.from_dict({**fields, "states": {name: "a.x"}})
    with pytest.raises(PropertyError, match="unknown process"):
        Spec.from_dict({**fields, "states": {"idle": "c.x", "fired": "b.fired"}})


@settings(max_examples=examples(25))
@given(st.data())
def test_monitors_tell_of_them_and_go_on_after_a_restart(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=10, values=states()))
    n = computation.processes
    asked = {f"q{k}": data.draw(questions(n)) for k in range(2)}
    sizes = data.draw(windows(n))
    window = sizes if sizes is None or isinstance(sizes, int) else dict(zip(names(n), sizes, strict=True))
    texts = {name: show(question, names(n)) for name, question in asked.items()}
    spec = Spec.from_dict({"processes": names(n), "window": window, "properties": texts})
    slow, monitor = BruteForce(n, sizes), Monitor(spec)
    verdicts: list[Verdict] = []
    for state in computation.states:
        slow.push(state.process, state.clock, state.value)
        told = monitor.observe(event(state), every=True)
        assert [verdict.value for verdict in told] == [answer(question, slow) for question in asked.values()]
        assert all(verdict.cuts in (None, len(slow)) for verdict in told)
        verdicts += told
        try:
            data_ = monitor.snapshot()
        except SnapshotError:  # states that cannot be kept are tested elsewhere
            continue
        monitor = Monitor.restore(spec, data_)
    assert Monitor(spec).observe_many([event(state) for state in computation.states]) == told_of(verdicts)


@pytest.mark.slow
def test_too_many_observations_to_count() -> None:
    """Two processes that never hear of each other: (1040 choose 520) observations, more than a float can hold."""
    asked = Asked(2, None, [Likely(Variable(0, ("x",)), ">=", 0.5)])
    for index in range(1, 521):
        asked.push(0, [index, 0], {"x": index == 260})
        asked.push(1, [0, index], {})
    assert asked.values() == [None]
    (detector,) = asked.detectors
    assert isinstance(detector, LikelyDetector)
    assert detector.probability is None
    assert asked.detectors[0].details(observations=False).cuts is None


def test_not_is_written_with_words() -> None:
    assert show(Temporal(Next("A", Not(Variable(0, ("x",))))), PROCESSES) == "AX(not a.x)"
