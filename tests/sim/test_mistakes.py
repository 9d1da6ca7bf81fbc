"""What the simulator says about wrong arguments."""

from __future__ import annotations

import math
from typing import Any

import pytest

from latwin.errors import InvalidInput
from latwin.sim import (
    Fixed,
    Interval,
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
            ({"loss": 1.5}, "loss must be a finite number of at least 0 and at most 1; got loss=1.5"),
            ({"duplication": math.nan}, "duplication must be"),
            ({"broadcast": "falling"}, 'broadcast must be "rising" or "both"; got broadcast=\'falling\''),
            ({"tick_s": 0}, "tick_s must be"),
            ({"names": ["a", "b"]}, "names must be 3 different, non-empty names"),
            ({"names": ["a", "b", "a"]}, "names must be 3 different"),
            ({"report_delay": 0.5}, "report_delay must be a delay or a mapping to delays"),
            ({"report_delay": {3: Fixed(1.0)}}, "report_delay has an entry for 3"),
            ({"message_delay": {(1, 1): Fixed(1.0)}}, r"message_delay has an entry for \(1, 1\)"),
            ({"message_delay": {(0, 1): 2.0}}, r"message_delay\[\(0, 1\)\] must be a delay"),
        ],
    )
    def test_office(self, arguments: dict[str, Any], message: str) -> None:
        with pytest.raises(InvalidInput, match=message):
            simulate_office(**({"hours": 1.0} | arguments))

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

    @pytest.mark.parametrize("wrong", [{"processes": 0}, {"events": -1}, {"message_rate": 1.1}, {"values": 0}])
    def test_random_computation(self, wrong: dict[str, Any]) -> None:
        arguments: dict[str, Any] = {"processes": 2, "events": 3, "message_rate": 0.5, "seed": 1} | wrong
        with pytest.raises(InvalidInput, match=next(iter(wrong))):
            random_computation(**arguments)
