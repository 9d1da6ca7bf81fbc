"""Verdicts over a whole log: brute force on the set of states, whatever the order in which they come."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_eval
from computations import Computation, arrival_orders, computations
from effort import examples
from expressions import properties, states
from latwin import Spec, whole
from latwin.errors import InvalidInput
from latwin.properties import Modal, Property
from latwin.whole import WholeLog, WholeVerdict
from monitoring import events, expected_value, make_spec
from oracle import BruteForce


def brute_force(computation: Computation) -> BruteForce:
    slow = BruteForce(computation.processes, None)
    for state in computation.states:
        slow.windows[state.process].append(state)
    slow.update()
    return slow


def judge(verdict: WholeVerdict, tree: Property, slow: BruteForce) -> None:
    """The value, the ends, and the proof."""
    assert verdict.value == expected_value(tree, slow)
    assert (verdict.least, verdict.greatest) == (slow.least, slow.greatest)
    if verdict.cuts is not None:
        assert verdict.cuts == len(slow)
    if not isinstance(tree, Modal):
        return
    predicate = tree.predicate

    def holds(cut: Any) -> bool:
        return naive_eval.truth(naive_eval.value_of(predicate, slow.values_of(cut)))

    if verdict.value:
        satisfying = [cut for cut in slow.cuts if holds(cut)]
        shown = verdict.witness if tree.kind == "possibly" else verdict.example
        assert shown == satisfying[0]
    elif tree.kind == "definitely":
        assert verdict.witness is not None
        path = list(verdict.witness)
        assert (path[0], path[-1]) == (slow.least, slow.greatest)
        assert all(after in slow.next_cuts(before) for before, after in pairwise(path))  # type: ignore[arg-type]
        assert not any(map(holds, path))
    else:
        assert verdict.witness is None
    assert verdict.value or verdict.example is None


@settings(max_examples=examples(250))
@given(st.data())
def test_verdicts_equal_brute_force_in_any_order(data: st.DataObject) -> None:
    computation = data.draw(computations(max_states=10, values=states()))
    tree = data.draw(properties(computation.processes, max_leaves=8))
    window = data.draw(st.integers(1, 3))  # it does not matter
    spec = make_spec(computation, window, {"p": tree}, delivery=data.draw(st.sampled_from(["fifo", "causal"])))
    slow = brute_force(computation)
    for order in (computation.states, data.draw(arrival_orders(computation, duplicates=True))):
        log = WholeLog(spec)
        log.observe_many(events(order))
        assert not log.close()
        assert log.counters.delivered == len(computation.states)
        assert log.counters.duplicates == len(order) - len(computation.states)
        (verdict,) = log.verdicts()
        judge(verdict, spec.trees["p"], slow)


@settings(max_examples=examples(100))
@given(st.data())
def test_conditions_on_pairs_of_states_need_no_table_of_pairs(data: st.DataObject) -> None:
    computation = data.draw(computations(min_processes=2, max_processes=3, max_states=10, values=states()))
    texts = {"p": "possibly(p0.x == p1.x)", "d": "definitely(p0.x != p1.y or p1.x)"}
    names = [f"p{k}" for k in range(computation.processes)]
    spec = Spec.from_dict({"processes": names, "window": 2, "properties": texts})
    found = []
    for most in (whole._LARGEST_PAIRED, 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(whole, "_LARGEST_PAIRED", most)
            log = WholeLog(spec)
            log.observe_many(events(computation.states))
            found.append(log.verdicts())
    assert found[0] == found[1]
    for verdict, tree in zip(found[0], spec.trees.values(), strict=True):
        judge(verdict, tree, brute_force(computation))


TWO = {"processes": ["a", "b"], "window": 1, "properties": {"both": "possibly(a.x and b.x)"}}
GAP = [
    {"process": "a", "clock": [1, 0], "state": {"x": False}},
    {"process": "a", "clock": [3, 0], "state": {"x": True}},  # 2 never comes
    {"process": "b", "clock": [3, 1], "state": {"x": True}},
]


def test_what_waits_in_the_end_is_counted_and_in_no_cut() -> None:
    log = WholeLog(Spec.from_dict({**TWO, "max_waiting": 0}))  # a bound for streams
    assert not log.observe_many(GAP).notices
    assert not log.close().notices
    assert (log.counters.delivered, log.counters.waiting) == (1, 2)
    (verdict,) = log.verdicts()
    assert (verdict.value, verdict.greatest) == (False, (1, 0))


def test_what_is_missing_in_the_end_can_be_given_up() -> None:
    log = WholeLog(Spec.from_dict({**TWO, "waiting_policy": "skip"}))
    log.observe_many(GAP)
    (notice,) = log.close().notices
    assert (notice.kind, notice.process, notice.index, notice.through) == ("skipped", "a", 2, 2)
    assert (log.counters.delivered, log.counters.waiting, log.counters.skipped) == (3, 0, 1)
    (verdict,) = log.verdicts()
    assert (verdict.value, verdict.witness, verdict.greatest) == (True, (3, 1), (3, 1))


def test_a_circle_of_waiting_states_is_rejected_in_the_end() -> None:
    log = WholeLog(Spec.from_dict({**TWO, "waiting_policy": "skip"}))
    circle = [{"process": "a", "clock": [1, 1], "state": {}}, {"process": "b", "clock": [1, 1], "state": {}}]
    log.observe_many(circle)
    assert log.counters.waiting == 2
    assert [notice.kind for notice in log.close().notices] == ["rejected", "skipped"]
    assert log.counters.waiting == 0


def test_too_large_is_an_answer_and_conjunctions_are_never_too_large() -> None:
    properties = {
        "all": "definitely(a.x and b.x)",
        "some": "possibly(a.x and b.x)",
        "sum": "definitely(a.x + b.x == 1 or a.x == b.x - 7)",
        "mixed": "possibly(a.x and b.x) or definitely(a.x + b.x == 1 or a.x == b.x - 7)",
        "either": "definitely(a.x and b.x) and definitely(a.x + b.x == 1 or a.x == b.x - 7)",
    }
    log = WholeLog(Spec.from_dict({**TWO, "properties": properties, "max_cuts": 3}))
    for index in range(1, 201):
        for name in "ab":
            log.observe_many([{"process": name, "clock": {name: index}, "state": {"x": index % 2}}])
    verdicts = {verdict.property: verdict for verdict in log.verdicts()}
    values = {name: verdict.value for name, verdict in verdicts.items()}
    assert values == {"all": False, "some": True, "sum": None, "mixed": True, "either": False}
    assert verdicts["some"].witness == (1, 1)
    assert len(verdicts["all"].witness or ()) == 401


def test_observations_of_large_lattices_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = Spec.from_dict({**TWO, "properties": {"sum": "definitely(a.x + b.x == 7 or a.x == b.x - 7)"}})
    log = WholeLog(spec)
    log.observe_many([{"process": "a", "clock": [index, 0], "state": {"x": 1}} for index in range(1, 4)])
    assert len(log.verdicts()[0].witness or ()) == 4
    monkeypatch.setattr(whole, "MOST_TRACED", 3)
    (verdict,) = log.verdicts()
    assert (verdict.value, verdict.cuts, verdict.witness) == (False, 4, None)


def test_a_wrong_spec_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"spec must be a latwin\.Spec; got dict"):
        WholeLog(TWO)  # type: ignore[arg-type]
