"""Final verdicts, held against brute force: the rule, that nothing final is ever overturned, and when it is told."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from effort import examples
from finality import MODALITIES, OTHERS, SAME, UNKNOWN, Recording, make_spec, random_events
from latwin import Monitor, Spec, Verdict
from latwin.properties import Modal
from mixed_properties import formula, linear, part, pattern
from monitoring import told_of


def every_verdict(spec: Spec, events: list[dict[str, Any]]) -> list[Verdict]:
    monitor = Monitor(spec)
    return [verdict for event in events for verdict in monitor.observe(event, every=True)]


def by_slide(verdicts: list[Verdict]) -> dict[int, dict[str, Verdict]]:
    found: dict[int, dict[str, Verdict]] = {}
    for verdict in verdicts:
        found.setdefault(verdict.slide, {})[verdict.property] = verdict
    return found


@pytest.mark.parametrize("seed", range(examples(60)))
def test_final_and_because_are_what_brute_force_says(seed: int) -> None:
    rng = random.Random(seed)
    processes = rng.choice([2, 2, 3])
    spec = make_spec(rng, processes, MODALITIES)
    events = random_events(rng, processes, 24)
    recording = Recording(spec, events)
    slides = by_slide(every_verdict(spec, events))
    for at, slide in enumerate(recording.slides):
        told = slides[slide.number]
        for name, verdict in told.items():
            tree = spec.trees[name]
            assert isinstance(tree, Modal)
            value = recording.value(tree, at)
            assert verdict.value is value, (name, at)
            assert verdict.final is (value and recording.is_final(tree, at)), (name, at)
            assert verdict.because == (recording.because(tree, at) if value else None), (name, at)
        assert len({(told[name].value, told[name].final, told[name].because) for name in SAME}) == 1


def test_no_final_verdict_is_ever_overturned() -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(examples(120)):
        rng = random.Random(f"overturned {seed}")
        processes = rng.choice([2, 2, 3])
        spec = make_spec(rng, processes, {**MODALITIES, **OTHERS})
        events = random_events(rng, processes, 14)
        recording = Recording(spec, events)
        slides = by_slide(every_verdict(spec, events))
        for at, slide in enumerate(recording.slides):
            for name, verdict in slides[slide.number].items():
                tree = spec.trees[name]
                later = range(at + 1, len(recording.slides))
                is_overturned = any(recording.value(tree, at, until) is not verdict.value for until in later)
                assert not (is_overturned and verdict.final), (seed, name, at)
                kind = "other" if name in OTHERS else "definitely"
                outcomes[f"{kind} {verdict.value} {verdict.final} {is_overturned}"] += 1
    print(dict(outcomes))
    for kind in ("definitely", "other"):
        assert outcomes[f"{kind} True True False"] > 0
        assert outcomes[f"{kind} True False True"] > 0
        assert outcomes[f"{kind} False False True"] > 0
    assert outcomes["other False True False"] > 0
    assert outcomes["definitely False True False"] == 0


#: Questions of which both values can be final, or only one of them.
QUESTIONS = {
    "reached": "EF(p0.n == 1 and EX(p1.n == 1))",
    "step": "EX(p0.n == 1)",
    "steps": "AX(p0.n == 1 or AX(p1.n == 1))",
    "until": "E[p0.n == 0 U p1.n == 1 and E[p1.n == 1 U p0.n == 1]]",
    "all until": "A[p0.n == 0 U p1.n == 1]",
    "met": "AF(p0.n == 1 and EY(p1.n == 0))",
    "past": "EF(p0.n == 1 and AH(p1.n == 0))",
    "before": "AP(p0.n == 1 and EP(p1.n == 1))",
    "since": "EF(A[p0.n == 0 S p1.n == 1])",
    "seen": "possibly(seq(p0.n == 1, p1.n == 1))",
    "anchored": "possibly(seq(^p0.n == 0, any*, p1.n == 1))",
    "ended": "possibly(seq(p0.n == 1, any*, p1.n == 1$))",
    "order": "definitely(seq(p0.n == 1, any*, p1.n == 1))",
    "first": "definitely(seq(^p0.n == 0, p1.n == 0))",
    "safe": "definitely(always(p0.n == 1 implies once(p1.n == 1)))",
    "lucky": "possibly(always(p0.n == 1 implies once(p1.n == 1)))",
    "then": "definitely(eventually(p0.n == 1 and eventually(p1.n == 1)))",
    "next": "definitely(next(p0.n == 1 or p1.n == 1))",
    "while": "definitely((p0.n == 0) until (p1.n == 1))",
    "weak": "possibly((p0.n == 0) weak_until (p1.n == 1))",
}


@pytest.mark.parametrize(
    "seeds", [range(8), pytest.param(range(8, 200), marks=pytest.mark.soak)], ids=["few", "many"]
)
def test_no_final_answer_to_a_question_is_ever_overturned(seeds: range) -> None:
    """Of sequences, linear time and CTL, true or false."""
    outcomes: Counter[tuple[str, bool | None, bool | None, bool]] = Counter()
    for seed in seeds:
        rng = random.Random(f"questions {seed}")
        processes = rng.choice([2, 2, 3])
        texts = {**QUESTIONS, **random_questions(rng, processes)}
        spec = make_spec(rng, processes, texts)
        events = random_events(rng, processes, 8 if processes == 2 else 5)
        recording = Recording(spec, events)
        slides = by_slide(every_verdict(spec, events))
        for at, slide in enumerate(recording.slides):
            for name, verdict in slides[slide.number].items():
                tree = spec.trees[name]
                assert verdict.value is recording.value(tree, at), (seed, name, at)
                later = range(at + 1, len(recording.slides))
                is_overturned = any(recording.value(tree, at, until) is not verdict.value for until in later)
                assert not (is_overturned and verdict.final), (seed, texts[name], at)
                assert verdict.final is not None or name not in QUESTIONS, (seed, name, at)
                outcomes[name, verdict.value, verdict.final, is_overturned] += 1
    assert len({name for name, _, final, _ in outcomes if final}) > len(QUESTIONS) // 2
    found = {(value, final, is_overturned) for _, value, final, is_overturned in outcomes}
    assert found >= {(True, True, False), (False, True, False), (True, False, True), (False, False, True)}


def random_questions(rng: random.Random, processes: int) -> dict[str, str]:
    """Some more, at random."""
    kind = rng.choice(["possibly", "definitely"])
    return {
        "random pattern": f"{kind}(seq({pattern(rng, processes)}))",
        "random linear": f"{kind}({linear(rng, processes, 1)})",
        "random formula": formula(rng, processes, rng.randint(1, 2)),
        "random": part(rng, processes),
    }


@pytest.mark.slow
@pytest.mark.parametrize("properties", [MODALITIES, SAME, {"sum": SAME["sum"]}, QUESTIONS, {**OTHERS, **UNKNOWN}])
@pytest.mark.parametrize("seed", range(examples(24)))
def test_it_is_told_when_it_becomes_final(properties: dict[str, str], seed: int) -> None:
    """One at a time, in batches, watched, and after a restart: always the same."""
    rng = random.Random(f"told {seed}")
    processes = rng.choice([2, 3, 4])
    in_runs = {name: text for name, text in properties.items() if name not in ("product", "pair")}
    fields = rng.choice([{}, {"max_cuts": 6}])
    spec = make_spec(rng, processes, rng.choice([properties, in_runs]), **fields)
    events = random_events(rng, processes, 60, lost=rng.choice([0, 0.05]))
    expected = told_of(every_verdict(spec, events))
    alone, watched = Monitor(spec), Monitor(spec, on_slide=lambda _: None)
    assert [verdict for event in events for verdict in alone.observe(event)] == expected
    assert list(Monitor(spec).observe_many(events)) == expected
    assert list(watched.observe_many(events)) == expected
    found: list[Verdict] = []
    begin, monitor = 0, Monitor(spec)
    while begin < len(events):
        end = begin + rng.randrange(1, 20)
        found += monitor.observe_many(events[begin:end], every=rng.random() < 0.1)
        monitor = Monitor.restore(spec, monitor.snapshot())
        begin = end
    assert told_of(found) == expected
    assert monitor.snapshot() == alone.snapshot()


def test_a_true_value_that_becomes_final_later_is_told_unchanged() -> None:
    spec = Spec.from_dict(
        {"processes": ["p0", "p1"], "window": 4, "properties": {"both": "definitely(p0.n == 1 and p1.n == 1)"}}
    )
    events = [
        {"process": "p0", "clock": [1, 0], "state": {"n": 1}},
        {"process": "p1", "clock": [0, 1], "state": {"n": 1}},
        {"process": "p0", "clock": [2, 1], "state": {"n": 1}},
        {"process": "p1", "clock": [2, 2], "state": {"n": 1}},
        {"process": "p0", "clock": [3, 2], "state": {"n": 0}},
    ]
    told = Monitor(spec).observe_many(events)
    assert [(verdict.slide, verdict.value, verdict.changed, verdict.final, verdict.because) for verdict in told] == [
        (2, True, True, False, "greatest"),
        (4, True, False, True, "greatest"),
    ]


def test_a_silent_process_that_no_condition_reads_keeps_nothing_open() -> None:
    names = ["p0", "p1", "silent"]
    properties = {"both": SAME["conjunction"], "sum": SAME["sum"], "all": "definitely(p0.n + p1.n + silent.n == 2)"}
    spec = Spec.from_dict(
        {"processes": names, "window": 4, "properties": properties, "initial": {"silent": {"n": 0}}}
    )
    events = [
        {"process": "p0", "clock": [1, 0, 0], "state": {"n": 1}},
        {"process": "p1", "clock": [1, 1, 0], "state": {"n": 1}},
        {"process": "p0", "clock": [2, 1, 0], "state": {"n": 0}},
    ]
    last = {verdict.property: verdict for verdict in every_verdict(spec, events)[-3:]}
    assert {name: (verdict.value, verdict.final) for name, verdict in last.items()} == {
        "both": (True, True),
        "sum": (True, True),
        "all": (True, False),
    }


@pytest.mark.slow
@pytest.mark.parametrize(("processes", "count"), [(2, 20), (2, 150), (3, 60), (6, 40), (9, 60)])
def test_all_engines_agree_on_every_layout_of_the_lattice(processes: int, count: int) -> None:
    """Within one word, with axes, and with a process of more than 64 positions."""
    outcomes: Counter[tuple[bool, bool | None]] = Counter()
    for seed in range(10):
        rng = random.Random(f"layout {seed}")
        names = [f"p{k}" for k in range(processes)]
        read = rng.sample(names, 2)
        spec = Spec.from_dict(
            {
                "processes": names,
                "window": None if processes <= 3 else 3,
                "properties": {
                    "conjunction": f"definitely({' and '.join(f'{name}.n == 1' for name in read)})",
                    "sum": f"definitely({' + '.join(f'{name}.n' for name in read)} == {len(read)})",
                },
            }
        )
        for verdict_one, verdict_other in pairs(every_verdict(spec, random_events(rng, processes, count, lost=0))):
            assert (verdict_one.value, verdict_one.final, verdict_one.because) == (
                verdict_other.value,
                verdict_other.final,
                verdict_other.because,
            )
            assert verdict_one.value is not None
            outcomes[verdict_one.value, verdict_one.final] += 1
    assert outcomes[True, True] > 0


def pairs(verdicts: list[Verdict]) -> list[tuple[Verdict, Verdict]]:
    return list(zip(verdicts[::2], verdicts[1::2], strict=True))
