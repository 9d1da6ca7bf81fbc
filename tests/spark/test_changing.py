"""Stream = local monitor while rules change, on a real local Spark: changes and restarts at any batch."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark")

from changing_pipeline import Pipeline
from latwin import Spec
from latwin.spark.watching import Refused
from shards import SPEC, Event
from traffic import put_in_order, random_arrivals

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROPERTIES = {
    "both": "possibly(p0.x and p1.x)",
    "sure": "definitely(p0.x and p1.x)",
    "general": "definitely((p0.x or p1.y) and not (p0.y and p1.x))",
}
ORDER = list(PROPERTIES)


def asking(window: int | None, *names: str, **fields: Any) -> Spec:
    asked = {name: PROPERTIES[name] for name in ORDER if name in names}
    return Spec.from_dict(
        {**SPEC.to_dict(), "window": dict.fromkeys(SPEC.processes, window), "properties": asked, **fields}
    )


def batches_of(rng: random.Random, groups: int, files: int) -> list[list[Event]]:
    events = random_arrivals(rng, SPEC, groups)
    put_in_order(SPEC, events, "arrival")
    places = [len(events) * number // files for number in range(files + 1)]
    return [events[begin:end] for begin, end in pairwise(places)]


@pytest.mark.soak
def test_rules_change_while_it_runs_and_at_a_restart(spark: SparkSession, tmp_path: Path) -> None:
    """New rules in the first run, refused ones after, and other ones at the next start."""
    batches = batches_of(random.Random(7), groups=3, files=4)
    pipeline = Pipeline(spark, tmp_path, batches, every=True)
    first, second, third = asking(3, "both"), asking(1, "both", "sure", never=["sure"]), asking(4, "general")
    done = pipeline.run(first, {0: second, 1: Refused("broken")}, last=1)
    assert (done.rules, done.spec) == (2, second)
    assert done.changes[:2] == ("window.p0: 3 -> 1", "window.p1: 3 -> 1")
    # Offered while the second batch ran: the version counts from there on, or from the one after.
    assert pipeline.rules.versions[2].from_batch in (1, 2)
    done = pipeline.run(third, {})
    assert (done.rules, done.spec) == (3, third)
    assert [each.reason for each in pipeline.refused] == ["broken"]
    pipeline.compare(ORDER)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
def test_random_changes_and_restarts(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    print(f"seed={seed}")
    rng = random.Random(seed)
    batches = batches_of(rng, groups=rng.choice([1, 6]), files=8)

    def rules() -> Spec:
        return asking(
            rng.choice([1, 2, 4, None]), *rng.sample(ORDER, rng.randint(0, 3)), max_cuts=rng.choice([2, 1000])
        )

    pipeline = Pipeline(spark, tmp_path, batches, every=rng.random() < 0.5)
    begin = 0
    while begin < len(batches):
        end = rng.randint(begin, len(batches) - 1)
        offers: dict[int, Spec | Refused] = {
            batch: Refused("broken") if rng.random() < 0.2 else rules()
            for batch in range(begin, end + 1)
            if rng.random() < 0.6
        }
        pipeline.run(rules(), offers, last=end)
        begin = end + 1
    pipeline.run(rules(), {})
    pipeline.compare(ORDER)
