"""What the simulator says about wrong arguments."""

from __future__ import annotations

import math
from typing import Any

import pytest

from latwin.errors import InvalidInput
from latwin.sim import (
    Fixed,
    Interval,
    Network,
    Office,
    overlap_by_begins,
    overlap_in_window,
    random_computation,
    simulate_office,
)


class TestMistakes:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"processes": 0}, "processes must be a whole number of at least 1; got processes=0"),
            ({"processes": True}, "got processes=True"),
            ({"hours": 0.0}, "hours must be a finite number above 0; got hours=0.0"),
            ({"hours": "9"}, "got hours='9'"),
            ({"seed": -1}, "seed must be a whole number of at least 0; got seed=-1"),
            ({"delay_s": -0.5}, "delay_s must be"),
            ({"names": ["a", "b"]}, "names must be 3 different, non-empty names"),
            ({"names": ["a", "b", "a"]}, "names must be 3 different"),
            ({"network": Network(report_delay=0.5)}, "report_delay must be a delay or a mapping to delays"),  # type: ignore[arg-type]
            ({"network": Network(report_delay={3: Fixed(1.0)})}, "report_delay has an entry for 3"),
            ({"network": Network({(1, 1): Fixed(1.0)})}, r"message_delay has an entry for \(1, 1\)"),
            ({"network": Network({(0, 1): 2.0})}, r"message_delay\[\(0, 1\)\] must be a delay"),  # type: ignore[dict-item]
        ],
    )
    def test_office(self, arguments: dict[str, Any], message: str) -> None:
        with pytest.raises(InvalidInput, match=message):
            simulate_office(**({"hours": 1.0} | arguments))

    @pytest.mark.parametrize(
        ("settings", "arguments", "message"),
        [
            (Network, {"loss": 1.5}, "loss must be a finite number of at least 0 and at most 1; got loss=1.5"),
            (Network, {"duplication": math.nan}, "duplication must be"),
            (Office, {"broadcast": "falling"}, 'broadcast must be "rising" or "both"; got broadcast=\'falling\''),
            (Office, {"phases": "other"}, 'phases must be "own" or "common"; got phases=\'other\''),
            (Office, {"logarithm": "decimal"}, 'logarithm must be "natural" or "binary"'),
            (Office, {"tick_s": 0}, "tick_s must be"),
            (Office, {"sensors_per_activity": 0}, "sensors_per_activity must be a whole number of at least 1"),
        ],
    )
    def test_settings(self, settings: Any, arguments: dict[str, Any], message: str) -> None:
        with pytest.raises(InvalidInput, match=message):
            settings(**arguments)

    def test_as_dicts(self) -> None:
        with pytest.raises(InvalidInput, match="clock must be"):
            simulate_office(hours=1).as_dicts(clock="tuple")  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("low", "high", "message"),
        [
            ([0], [0, 0], "one entry for each process"),
            ([0, 0], [0, 1], "the window of process 1 must lie within its states 0 to 0; got low=0, high=1"),
            ([-1, 0], [0, 0], "low=-1"),
            ([1, 0], [0, 0], "low=1, high=0"),
        ],
    )
    def test_overlap(self, low: list[int], high: list[int], message: str) -> None:
        truth = [[Interval(0, 0.0, 1.0, True)]] * 2
        with pytest.raises(InvalidInput, match=message):
            overlap_in_window(truth, low, high)
        with pytest.raises(InvalidInput, match=message):
            overlap_by_begins(truth, low, high)

    @pytest.mark.parametrize("wrong", [{"processes": 0}, {"events": -1}, {"message_rate": 1.1}, {"values": 0}])
    def test_random_computation(self, wrong: dict[str, Any]) -> None:
        arguments: dict[str, Any] = {"processes": 2, "events": 3, "message_rate": 0.5, "seed": 1} | wrong
        with pytest.raises(InvalidInput, match=next(iter(wrong))):
            random_computation(**arguments)
