"""The simulator's time: what happens when on the time line, and how long messages are under way."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin.errors import InvalidInput
from latwin.sim import (
    Delay,
    Exponential,
    Fixed,
    Lognormal,
    Pareto,
    Uniform,
)
from latwin.sim.engine import Engine


class TestEngine:
    @given(st.lists(st.integers(0, 5), max_size=20))
    def test_runs_in_time_order_and_ties_in_planning_order(self, times: list[int]) -> None:
        engine = Engine()
        done: list[tuple[int, int]] = []

        def note(time: int, number: int) -> Callable[[], None]:
            return lambda: done.append((time, number))

        for number, time in enumerate(times):
            engine.at(float(time), note(time, number))
        engine.run(until_s=10.0)
        assert done == sorted((time, number) for number, time in enumerate(times))

    def test_stops_before_until_and_goes_on_from_there(self) -> None:
        engine = Engine()
        seen: list[float] = []

        def walk() -> Iterator[float]:
            for moment in (1.0, 2.0, 3.0):
                yield moment
                seen.append(engine.now_s)

        engine.start(walk())
        engine.run(until_s=2.0)
        assert (seen, engine.now_s) == ([1.0], 2.0)
        engine.run(until_s=9.0)
        assert (seen, engine.now_s) == ([1.0, 2.0, 3.0], 9.0)

    def test_the_past_is_closed(self) -> None:
        engine = Engine()
        engine.run(until_s=5.0)
        with pytest.raises(AssertionError, match="already"):
            engine.at(4.0, lambda: None)


class TestDelays:
    FAMILIES: Sequence[Callable[[float], Delay]] = (Exponential, Fixed, Uniform, Lognormal, Pareto)

    @pytest.mark.parametrize("family", FAMILIES)
    def test_the_mean_is_the_mean(self, family: Callable[[float], Delay]) -> None:
        rng = np.random.default_rng(7)
        delay = family(3.0)
        samples = [delay.sample_s(rng) for _ in range(60_000)]
        assert delay.mean_s == 3.0
        assert min(samples) >= 0.0
        assert fmean(samples) == pytest.approx(3.0, rel=0.04)

    @pytest.mark.parametrize("family", FAMILIES)
    def test_another_mean_stretches_the_same_stream(self, family: Callable[[float], Delay]) -> None:
        short, long = np.random.default_rng(3), np.random.default_rng(3)
        for _ in range(50):
            assert 10 * family(0.2).sample_s(short) == pytest.approx(family(2.0).sample_s(long))

    @pytest.mark.parametrize("family", FAMILIES)
    def test_no_delay_is_a_delay(self, family: Callable[[float], Delay]) -> None:
        assert family(0.0).sample_s(np.random.default_rng(1)) == 0.0

    def test_shapes(self) -> None:
        rng = np.random.default_rng(5)
        uniform = [Uniform(2.0, spread=0.5).sample_s(rng) for _ in range(5_000)]
        assert 1.0 <= min(uniform) < 1.01
        assert 2.99 < max(uniform) <= 3.0
        pareto = [Pareto(3.0, shape=3.0).sample_s(rng) for _ in range(5_000)]
        assert 2.0 <= min(pareto) < 2.01
        exponential = [Exponential(1.0).sample_s(rng) for _ in range(20_000)]
        assert np.mean(np.array(exponential) > 1.0) == pytest.approx(math.exp(-1), abs=0.02)
        lognormal = [Lognormal(1.0, sigma=0.5).sample_s(rng) for _ in range(20_000)]
        assert np.std(np.log(lognormal)) == pytest.approx(0.5, abs=0.02)

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: Exponential(-1.0), "mean_s must be a finite number of at least 0; got mean_s=-1.0"),
            (lambda: Fixed(math.inf), "got mean_s=inf"),
            (lambda: Uniform(1.0, spread=1.5), "spread must be a finite number of at least 0 and at most 1"),
            (lambda: Lognormal(1.0, sigma=math.nan), "got sigma=nan"),
            (lambda: Pareto(1.0, shape=1.0), "shape must be a finite number above 1; got shape=1.0"),
        ],
    )
    def test_mistakes(self, make: Callable[[], Delay], message: str) -> None:
        with pytest.raises(InvalidInput, match=message):
            make()
