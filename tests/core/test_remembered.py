"""Values of stored states that are remembered: the same as those that are evaluated, whatever was asked before."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from latwin import Spec
from latwin.detect import remembered
from latwin.detect.remembered import RememberedValues
from latwin.judging import Judge

SPEC = Spec.from_dict(
    {
        "processes": ["a", "b"],
        "window": 3,
        "properties": {
            "both": "possibly(a.x and b.x == 1)",
            "sum": "possibly(a.x + b.y >= 2)",
            "either": "definitely(a.x or not b.y)",
        },
    }
)
#: values that are equal in Python and are not the same, and one that MessagePack cannot write
VALUES = [True, 1, 1.0, False, 0, 0.0, -0.0, None, "1", 2**70, 2.5, float("nan")]


def random_states(rng: random.Random, count: int, values: list[Any]) -> tuple[list[int], list[Any]]:
    processes = [rng.randrange(2) for _ in range(count)]
    states = [rng.choice([None, {"x": rng.choice(values), "y": rng.choice(values)}]) for _ in range(count)]
    return processes, states


@pytest.mark.parametrize("most", [1024, 8])
@pytest.mark.parametrize("values", [VALUES, [value for value in VALUES if value != 2**70]])
def test_remembered_values_are_the_evaluated_ones(
    values: list[Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "MOST_STATES", most)
    atoms = Judge(SPEC, observations=False, on_slide=None, on_verdict=None).kept.atoms
    asked, rng = RememberedValues(atoms), random.Random(5)
    for _ in range(200):
        processes, states = random_states(rng, rng.randrange(12), values)
        expected = atoms.values(np.array(processes, np.int64), states)
        found = asked.values(processes, states)
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_array_equal(one, other)
