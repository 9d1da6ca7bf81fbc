"""What is said of questions before any pass is what the pass says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import Asked
from computations import computations, windows
from effort import examples
from expressions import states
from latwin.detect.ctl import TemporalDetector
from latwin.detect.on_lattice import OnLattice
from latwin.lattice.kernels import outlook
from latwin.properties import PropertyNot, parse_property
from latwin.properties.ctl import Temporal
from latwin.properties.tree import Question
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
        cuts, words = lattice.leaves[: lattice.leaf_count], detector.label(lattice)
        greatest = np.uint64(int(cuts[-1]).bit_length() - 1)
        for holding, bit in ((cuts & words, outlook.MAY_HOLD), (cuts & ~words, outlook.MAY_FAIL)):
            assert found & bit << outlook.ANYWHERE or not holding.any()
            assert found & bit << outlook.AT_LEAST or not holding[0] & np.uint64(1)
            assert found & bit << outlook.AT_GREATEST or not holding[-1] >> greatest & np.uint64(1)


def answer_without_a_pass(text: str) -> bool | None:
    """What is said of a process that reports x = 1 and x = 2 after x = 0, beside another one that reports nothing."""
    asked = parse_property(text, ["a", "b"])
    question = asked.operand if isinstance(asked, PropertyNot) else asked
    assert isinstance(question, Question)
    window = Asked(2, None, [question], initial={"x": 0})
    for value in (1, 2):
        window.push(0, [value, 0], {"x": value})
    (detector,) = window.detectors
    assert isinstance(detector, OnLattice)
    value_or_none = detector._foresee()
    return value_or_none if value_or_none is None else value_or_none is (question is asked)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("probability(a.x == 2) >= 0.5", True),  # at the greatest cut
        ("probability(a.x == 0) >= 0.5", True),  # at the least cut
        ("probability(a.x == 3) >= 0.5", False),  # nowhere
        ("probability(a.x == 1) >= 0.5", None),
        ("AG(a.x == 0 implies EF(a.x == 3))", False),
        ("AG(a.x == 0 implies EF(a.x == 2))", True),
        ("AG(a.x == 1 implies EF(a.x == 3))", None),
        ("E[a.x == 1 U a.x == 2]", False),  # it does not begin well
        ("E[a.x < 2 U a.x == 2]", None),
        ("A[a.x < 3 U a.x == 2]", True),
        ("EX(a.x == 1)", None),
        ("AF(EX(a.x == 3))", False),
        ("possibly(seq(a.x == 0, a.x == 3))", False),
        ("possibly(seq(a.x == 0, any*, a.x == 2))", True),
        ("possibly(seq(a.x == 0, a.x == 2))", None),
    ],
)
def test_the_ends_and_the_bounds_decide(text: str, said: bool | None) -> None:
    assert answer_without_a_pass(text) is said
