"""What is said of questions before any pass is what the pass says."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from asking import Asked
from computations import computations, windows
from effort import examples
from expressions import states
from latwin.detect.ctl import TemporalDetector
from latwin.detect.on_lattice import OnLattice
from latwin.lattice.kernels import outlook, sets
from latwin.properties import parse_property
from latwin.properties.ctl import Temporal
from monitoring import names
from observing import formulas, questions


@settings(max_examples=examples(60))
@given(st.data())
def test_the_pass_says_the_same(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=8, values=states()))
    n = computation.processes
    asked = Asked(n, data.draw(windows(n)), data.draw(st.lists(questions(n), min_size=1, max_size=3)))
    for state in computation.states:
        asked.push(state.process, state.clock, state.value)
        for value, detector in zip(asked.values(), asked.detectors, strict=True):
            assert isinstance(detector, OnLattice)
            assert asked.window.is_empty or detector._pass() is value


@settings(max_examples=examples(60))
@given(st.data())
def test_an_outlook_leaves_out_only_what_no_cut_shows(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=8, values=states()))
    n = computation.processes
    asked = Asked(n, data.draw(windows(n)), [Temporal(data.draw(formulas(n)))])
    (detector,) = asked.detectors
    assert isinstance(detector, TemporalDetector)
    for state in computation.states:
        asked.push(state.process, state.clock, state.value)
        rows = detector._labels_of_conditions.foreseeable()
        lattice = None if asked.window.is_empty else detector._part.current_lattice()
        if lattice is None or rows is None:
            continue
        outlooks = outlook.look_at(asked.window.ends, asked.atoms.arrays, detector._part.members, *rows)
        found = int(outlook.look_on(detector._in_postfix, outlooks, lattice.cuts == 1))
        words = detector.label(lattice)
        others = lattice.leaves[: lattice.leaf_count] & ~words
        for holding, bit in ((words, outlook.MAY_HOLD), (others, outlook.MAY_FAIL)):
            assert found & bit << outlook.ANYWHERE or not lattice.is_in(holding, sets.ANYWHERE)
            assert found & bit << outlook.AT_LEAST or not lattice.is_in(holding, sets.AT_LEAST)
            assert found & bit << outlook.AT_GREATEST or not lattice.is_in(holding, sets.AT_GREATEST)


def answer_without_a_pass(text: str, values: list[int]) -> bool | None:
    """What is said of a process that reports these values of x, beside another one that reports nothing."""
    question = parse_property(text, names(2))
    asked = Asked(2, None, [question], initial={"x": 0})  # type: ignore[list-item]
    for index, value in enumerate(values, 1):
        asked.push(0, [index, 0], {"x": value})
    (detector,) = asked.detectors
    assert isinstance(detector, OnLattice)
    return detector._foresee()


def test_the_ends_and_bounds_decide() -> None:
    """One example for each reason, and one where only the pass can tell."""
    assert answer_without_a_pass("probability(a.x == 2) >= 0.5", [1, 2]) is True  # at the greatest cut
    assert answer_without_a_pass("probability(a.x == 0) >= 0.5", [1, 2]) is True  # at the least cut
    assert answer_without_a_pass("probability(a.x == 3) >= 0.5", [1, 2]) is False  # nowhere
    assert answer_without_a_pass("probability(a.x == 1) >= 0.5", [1, 2]) is None
    assert answer_without_a_pass("AG(a.x == 0 implies EF(a.x == 3))", [1, 2]) is False
    assert answer_without_a_pass("AG(a.x == 0 implies EF(a.x == 2))", [1, 2]) is True
    assert answer_without_a_pass("AG(a.x == 1 implies EF(a.x == 3))", [1, 2]) is None
    assert answer_without_a_pass("possibly(seq(a.x == 0, a.x == 3))", [1, 2]) is False
    assert answer_without_a_pass("possibly(seq(a.x == 0, any*, a.x == 2))", [1, 2]) is True
    assert answer_without_a_pass("possibly(seq(a.x == 0, a.x == 2))", [1, 2]) is None
