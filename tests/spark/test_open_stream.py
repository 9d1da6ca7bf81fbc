"""Stream = batch = local monitor on a real local Spark: windows of time, joins, leaves, and rules that change.

Everything at once, at random, with restarts at any batch: times that go back or are wrong, rests longer than
`max_jump`, silences after which processes have left, heartbeats, and events that nobody can read.
"""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark")

from changing_pipeline import Pipeline
from latwin import Spec
from latwin.spark import outputs
from latwin.spark.sinks.folder import read_output
from latwin.spark.watching import Refused
from open_computations import an_open_computation
from shards import Event, by_group, local_rows
from traffic import rows_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PROPERTIES = {
    "two": "possibly(count(web.n == 1) >= 2)",
    "all": "definitely(all(*.n == 1))",
    "least": "possibly(min(web.n) == 1)",
    "pair": "possibly(exists(a in web, b in db: a.n == b.n))",
    "order": "possibly(seq(any(web.n == 1), any(db.n == 1)))",
}
ORDER = list(PROPERTIES)
COLUMNS = "group string, process string, clock map<string, bigint>, state map<string, bigint>, leave boolean"
SYSTEM = {"open": True, "max": 6, "names": ["w*", "d*"], "leave_after": "60s"}


def asking(window: Any, *names: str, **fields: Any) -> Spec:
    return Spec.from_dict(
        {
            "processes": SYSTEM,
            "window": window,
            "max_jump": "2h",
            "roles": {"web": "w*", "db": "d*"},
            "properties": {name: PROPERTIES[name] for name in ORDER if name in names},
            **fields,
        }
    )


def random_rules(rng: random.Random) -> Spec:
    window = rng.choice(["20s", "90s", {"time": "45s", "states": 3}, 2])
    fields = {"lateness": rng.choice(["0", "5s"]), "max_jump": rng.choice(["1h", "2h", "unlimited"])}
    return asking(window, *rng.sample(ORDER, rng.randint(1, len(ORDER))), **fields)


def random_batches(rng: random.Random, groups: int, states: int, files: int) -> list[list[Event]]:
    """Events of some groups in their order of arrival, cut into files anywhere."""
    placed: list[tuple[float, Event]] = []
    for number in range(groups):
        names = [f"{'wd'[k % 2]}{k}" for k in range(rng.choice([3, 9]))]
        time = 0.0
        for place, event in enumerate(an_open_computation(rng, names, states)):
            time += rng.choice([1.0, 1.0, 5.0, 20.0, 80.0]) + (10_000.0 if rng.random() < 0.03 else 0.0)
            wrong = rng.choice([-50.0, 1e9]) if rng.random() < 0.05 else 0.0
            found: Event = {"group": f"g{number}", **event, "time": time + wrong}
            if rng.random() < 0.05:
                found = {"group": f"g{number}", "time": time + 30.0}
            elif rng.random() < 0.03:
                found = {**found, "process": "stranger"}
            placed.append((place + 3 * rng.random(), found))
    events = [event for _, event in sorted(placed, key=lambda pair: pair[0])]
    for arrival, event in enumerate(events):
        event |= {"arrival": arrival, "order": arrival}
    places = sorted(rng.randint(0, len(events)) for _ in range(files - 1))
    return [events[begin:end] for begin, end in pairwise([0, *places, len(events)])]


def frame_of(session: SparkSession, events: list[Event]) -> DataFrame:
    names = ("group", "process", "clock", "state", "leave", "time", "arrival")
    rows = [tuple(event.get(name) for name in names) for event in events]
    return session.createDataFrame(rows, f"{COLUMNS}, time double, arrival bigint")


def assert_a_stream_says_it(session: SparkSession, folder: Path, seed: int, files: int, states: int) -> None:
    """A pipeline that takes rules while it runs and at restarts, against local monitors that take them there, too."""
    print(f"seed={seed} files={files} states={states}")
    rng = random.Random(seed)
    batches = random_batches(rng, groups=rng.choice([2, 5]), states=states, files=files)
    pipeline = Pipeline(session, folder, batches, every=rng.random() < 0.5)
    begin = 0
    while begin < files:
        end = rng.randint(begin, files - 1)
        offers: dict[int, Spec | Refused] = {
            batch: random_rules(rng) for batch in range(begin, end) if rng.random() < 0.5
        }
        pipeline.run(random_rules(rng), offers, last=end)
        begin = end + 1
    pipeline.run(random_rules(rng), {})
    pipeline.compare(ORDER)
    assert len(pipeline.rules.versions) > 1
    rejects = rows_of(read_output(session, str(folder / "out"), "rejects"))
    assert {row["kind"] for row in rejects} >= {"rejected", "left"}


def assert_a_batch_says_it(session: SparkSession, seed: int, states: int) -> None:
    """All events in one table, in any partitions."""
    print(f"seed={seed} states={states}")
    rng = random.Random(seed)
    (events,) = random_batches(rng, groups=4, states=states, files=1)
    spec = asking("45s", *ORDER)
    found = outputs(frame_of(session, events).repartition(rng.randint(1, 4)), spec, every=True)
    replayed = by_group(rows_of(found.verdicts))
    assert replayed == {group: rows for group, rows in local_rows(spec, [events], every=True).items() if rows}
    assert any(len(row["members"] or ()) > 3 for rows in replayed.values() for row in rows)


@pytest.mark.soak
def test_open_groups_in_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    assert_a_stream_says_it(spark, tmp_path, seed=1, files=2, states=30)


def test_open_groups_in_a_batch(spark: SparkSession) -> None:
    assert_a_batch_says_it(spark, seed=1, states=60)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 8))
def test_open_groups_with_many_restarts(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    assert_a_stream_says_it(spark, tmp_path, seed, files=7, states=60)
    assert_a_batch_says_it(spark, seed, states=100)
