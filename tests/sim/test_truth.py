"""What perfect clocks say of a window: both meanings of N_physical, each against every choice."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from latwin.sim import Interval, overlap_by_begins, overlap_in_window, simulate_office


def overlap_by_every_choice(truth: Sequence[Sequence[Interval]], low: list[int], high: list[int]) -> bool:
    windows = [states[first : last + 1] for states, first, last in zip(truth, low, high, strict=True)]
    return any(
        all(state.on for state in choice)
        and max(state.start_s for state in choice) < min(state.end_s for state in choice)
        for choice in itertools.product(*windows)
    )


@st.composite
def histories_with_windows(draw: st.DrawFn) -> tuple[list[list[Interval]], list[int], list[int]]:
    """Histories of up to three processes, states of length 0 included, and a window of each."""
    truth, low, high = [], [], []
    for _ in range(draw(st.integers(1, 3))):
        states, start = [], 0
        for index, length in enumerate(draw(st.lists(st.integers(0, 3), min_size=1, max_size=8))):
            states.append(Interval(index, float(start), float(start + length), draw(st.booleans())))
            start += length
        ends = sorted(draw(st.tuples(*[st.integers(0, len(states) - 1)] * 2)))
        truth.append(states)
        low.append(ends[0])
        high.append(ends[1])
    return truth, low, high


def runs_by_begins(states: Sequence[Interval]) -> list[tuple[float, float]]:
    """Every maximal true run by its definition: its first begin, and the begin of its last or the following state."""
    runs = []
    for first in range(len(states)):
        for last in range(first, len(states)):
            is_run = all(state.on for state in states[first : last + 1])
            starts = first == 0 or not states[first - 1].on
            if is_run and starts and (last + 1 == len(states) or not states[last + 1].on):
                runs.append((states[first].start_s, states[min(last + 1, len(states) - 1)].start_s))
    return runs


def overlap_of_runs(truth: Sequence[Sequence[Interval]], low: list[int], high: list[int]) -> bool:
    windows = [states[first : last + 1] for states, first, last in zip(truth, low, high, strict=True)]
    return any(
        max(begin for begin, _ in choice) <= min(end for _, end in choice)
        for choice in itertools.product(*map(runs_by_begins, windows))
    )


class TestOverlapByBegins:
    @given(histories_with_windows())
    def test_agrees_with_every_choice_of_runs(self, case: tuple[list[list[Interval]], list[int], list[int]]) -> None:
        assert overlap_by_begins(*case) == overlap_of_runs(*case)

    @given(histories_with_windows())
    def test_a_single_process_was_true_iff_some_state_is(
        self, case: tuple[list[list[Interval]], list[int], list[int]]
    ) -> None:
        (states, *_), (low, *_), (high, *_) = case
        assert overlap_by_begins([states], [low], [high]) == any(state.on for state in states[low : high + 1])

    def test_runs_that_touch_overlap(self) -> None:
        first = [Interval(0, 0.0, 2.0, True), Interval(1, 2.0, 5.0, False)]
        second = [Interval(0, 0.0, 2.0, False), Interval(1, 2.0, 5.0, True)]
        assert overlap_by_begins([first, second], [0, 0], [1, 1])
        assert not overlap_in_window([first, second], [0, 0], [1, 1])


class TestOverlapInWindow:
    @given(histories_with_windows())
    def test_agrees_with_every_choice(self, case: tuple[list[list[Interval]], list[int], list[int]]) -> None:
        truth, low, high = case
        assert overlap_in_window(truth, low, high) == overlap_by_every_choice(truth, low, high)

    def test_on_an_office(self) -> None:
        run = simulate_office(3, hours=30, seed=3, delay_s=60.0)
        rng = np.random.default_rng(3)
        answers = Counter[bool]()
        for _ in range(500):
            low = [int(rng.integers(len(states) - 4)) for states in run.truth]
            low = [min(low[0], len(states) - 4) for states in run.truth] if rng.random() < 0.7 else low
            high = [first + 3 for first in low]
            answer = overlap_in_window(run.truth, low, high)
            assert answer == overlap_by_every_choice(run.truth, low, high)
            answers[answer] += 1
        assert min(answers[True], answers[False]) > 20
