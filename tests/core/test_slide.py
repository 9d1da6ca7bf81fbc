"""Whoever watches a monitor sees every slide as it is, and changes nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from computations import arrival_orders, computations, windows
from effort import examples
from expressions import expressions, states
from latwin import InvalidInput, LatticeTooLarge, Monitor, Slide, Spec
from latwin.properties import compile_condition, parse_predicate
from latwin.properties.ctl import Temporal
from monitoring import deliver_fifo, events, make_spec, names
from observing import formulas, holds
from oracle import BruteForce


def questions(processes: int) -> dict[str, str]:
    last = f"p{processes - 1}"
    return {
        "all": f"definitely({' and '.join(f'{name}.x' for name in names(processes))})",
        "some": f"possibly(p0.x and {last}.x)",
        "sum": f"definitely(p0.x + {last}.y > 1)",
        "order": f"possibly(seq(p0.x, any*, not {last}.x))",
        "both": f"possibly(p0.x) and not definitely({last}.x + p0.y > 1)",
    }


@settings(max_examples=examples(80))
@given(st.data(), st.booleans())
def test_slides_show_what_verdicts_say(data: st.DataObject, causal: bool) -> None:
    """Each slide agrees with the verdicts about it, and the verdicts are those of a monitor that nobody watches."""
    computation = data.draw(computations(max_processes=3, max_states=10, values=states()))
    n = computation.processes
    spec = make_spec(
        computation,
        data.draw(windows(n)),
        {},
        properties=questions(n),
        delivery="causal" if causal else "fifo",
        max_waiting=data.draw(st.integers(0, 4)),
        waiting_policy="skip",
    )
    rows = [{**row, "time": at} for at, row in enumerate(events(data.draw(arrival_orders(computation))))]
    told: list[tuple[Slide, dict[str, Any]]] = []
    finals: list[dict[str, bool | None]] = []

    def look(slide: Slide) -> None:
        told.append((slide, {name: slide.answers(name, observations=True) for name in spec.properties}))
        finals.append({name: slide.is_final(name) for name in spec.properties})
        assert [monitor.window.index_of(k, number) for k, number in enumerate(slide.least or ())] == list(
            monitor.window.least or ()
        )
        assert slide.state == monitor.states(spec.processes.index(slide.process))[-1]
        assert slide.counters == monitor.counters

    monitor = Monitor(spec, on_slide=look)
    watched = monitor.observe_many(rows)
    plain = Monitor(spec, observations=True)
    expected = plain.observe_many(rows, every=True)
    assert repr(list(watched)) == repr(list(Monitor(spec).observe_many(rows)))
    assert monitor.counters == plain.counters
    assert len(expected) == len(told) * len(spec.properties)
    for at, verdict in enumerate(expected):
        slide, answers = told[at // len(spec.properties)]
        assert (slide.number, slide.process, slide.index, slide.time) == (
            verdict.slide,
            verdict.process,
            verdict.index,
            verdict.time,
        )
        assert slide.values[verdict.property] is verdict.value
        assert finals[at // len(spec.properties)][verdict.property] is verdict.final
        assert (slide.least is None, slide.greatest is None) == (verdict.least is None, verdict.greatest is None)
        if verdict.property != "both":
            (answer,) = answers[verdict.property]
            assert (answer.value, answer.cuts, answer.witness, answer.stretch, answer.because, answer.final) == (
                verdict.value,
                verdict.cuts,
                verdict.witness,
                verdict.stretch,
                verdict.because,
                verdict.final,
            )
        elif verdict.least is not None:
            first, second = answers["both"]
            assert verdict.value is (first.value and not second.value)


@settings(max_examples=examples(80))
@given(st.data())
def test_cuts_and_labels_are_those_of_brute_force(data: st.DataObject) -> None:
    """Also if a condition is first asked for when there are states in the window already."""
    computation = data.draw(computations(max_processes=3, max_states=10, values=states()))
    n = computation.processes
    window = data.draw(windows(n))
    spec = make_spec(computation, window, {}, properties=data.draw(st.sampled_from([{}, questions(n)])))
    conditions = [data.draw(expressions(n, max_leaves=4)) for _ in range(2)]
    formula = data.draw(formulas(n))
    first_asked = data.draw(st.integers(1, 5))
    slow = BruteForce(n, window)
    delivered = iter(deliver_fifo(computation.states, n))

    def look(slide: Slide) -> None:
        state = next(delivered)
        slow.push(state.process, state.clock, state.value)
        assert (slide.process, slide.index, slide.clock) == (f"p{state.process}", state.index, state.clock)
        assert slide.oldest == tuple(kept[0].index for kept in slow.windows)
        assert slide.newest == slide.through == tuple(kept[-1].index for kept in slow.windows)
        assert slide.count_cuts() == len(slow.cuts)
        assert [tuple(cut) for cut in slide.cuts().tolist()] == sorted(slow.cuts)
        if slide.number < first_asked:
            return
        labels = slide.labels([*conditions, Temporal(formula)])
        where = holds(formula, slow)
        for flags, condition in zip(labels, conditions, strict=False):
            predicate = compile_condition(condition)
            assert flags.tolist() == [predicate(slow.values_of(cut)) for cut in sorted(slow.cuts)]
        assert labels[-1].tolist() == [where[cut] for cut in sorted(slow.cuts)]

    Monitor(spec, on_slide=look).observe_many(events(computation.states))
    assert next(delivered, None) is None


def spec_of(**fields: Any) -> Spec:
    base: dict[str, Any] = {"processes": ["a"], "window": 9, "properties": {"p": "possibly(a.x > 1)"}}
    return Spec.from_dict({**base, **fields})


def rows_of(*indices: int) -> list[dict[str, Any]]:
    return [{"process": "a", "clock": [index], "state": {"x": index}} for index in indices]


@pytest.mark.parametrize("question", ["answers", "count_cuts", "cuts", "labels"])
def test_a_slide_answers_only_while_it_is_the_present_one(question: str) -> None:
    kept: list[Slide] = []
    arguments: dict[str, list[Any]] = {"answers": ["p"], "labels": [[]]}

    def look(slide: Slide) -> None:
        getattr(slide, question)(*arguments.get(question, []))
        for earlier in kept:
            with pytest.raises(InvalidInput, match=f"slide {earlier.number} can be asked during its callback only"):
                getattr(earlier, question)(*arguments.get(question, []))
        kept.append(slide)

    Monitor(spec_of(), on_slide=look).observe_many(rows_of(2, 1))
    with pytest.raises(InvalidInput, match="slide 2 can be asked during its callback only"):
        getattr(kept[-1], question)(*arguments.get(question, []))
    assert [slide.values["p"] for slide in kept] == [False, True]


def test_waiting_states_are_counted_at_each_slide() -> None:
    counted: list[int] = []
    monitor = Monitor(spec_of(), on_slide=lambda slide: counted.append(slide.counters.waiting))
    monitor.observe_many(rows_of(2, 3, 4, 1, 5))
    assert counted == [3, 2, 1, 0, 0]


@pytest.mark.parametrize("last", [1, 2, 3, 4])
def test_what_a_callback_raises_stops_the_monitor_right_after_the_slide(last: int) -> None:
    class Enough(Exception):
        pass

    def look(slide: Slide) -> None:
        if slide.number == last:
            raise Enough

    monitor = Monitor(spec_of(), on_slide=look)
    with pytest.raises(Enough):
        monitor.observe_many(rows_of(3, 2, 1, 4))
    assert (monitor.slide, monitor.window.greatest) == (last, (last,))
    assert monitor.values() == {"p": last > 1}
    assert msgspec.structs.asdict(monitor.counters)["waiting"] == max(0, 3 - last)


def test_too_large_and_empty_lattices() -> None:
    condition = parse_predicate("a.x > 1", ["a", "b"])
    seen: list[tuple[int | None, str]] = []

    def look(slide: Slide) -> None:
        try:
            seen.append((slide.count_cuts(), f"{len(slide.cuts())} {len(slide.labels([condition])[0])}"))
        except LatticeTooLarge:
            seen.append((slide.count_cuts(), "too large"))

    spec = spec_of(processes=["a", "b"], window=1, max_cuts=3)
    Monitor(spec, on_slide=look).observe({"process": "a", "clock": [1, 1], "state": {}})
    spec = spec_of(processes=["a", "b"], max_cuts=3)
    rows = [{"process": name, "clock": {name: 1}, "state": {}} for name in "ab"]
    Monitor(spec, on_slide=look).observe_many(rows)
    assert seen == [(0, "0 0"), (2, "2 2"), (None, "too large")]


def test_a_restored_monitor_is_watched_too() -> None:
    seen: list[tuple[int, list[bool]]] = []
    condition = parse_predicate("a.x > 2", ["a"])

    def look(slide: Slide) -> None:
        seen.append((slide.number, slide.labels([condition])[0].tolist()))

    before = Monitor(spec_of())
    before.observe_many(rows_of(1, 2))
    after = Monitor.restore(before.spec, before.snapshot(), on_slide=look)
    after.observe_many(rows_of(3))
    after.resume(before.snapshot())
    after.observe_many(rows_of(3, 4))
    assert seen == [
        (3, [False, False, False, True]),
        (3, [False, False, False, True]),
        (4, [False, False, False, True, True]),
    ]
