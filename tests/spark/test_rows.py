"""Bad rows leave by the rejects, poisoned groups follow the policy, other groups notice nothing; on a real Spark."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

from latwin import Spec
from latwin.spark import Outputs, outputs, stateful
from shards import SPEC, Event, Row, by_group, local_rows
from traffic import rows_of, write_file

SCHEMA = "group string, process string, clock map<string, bigint>, state string, arrival bigint"
GOOD = [f"good {number}" for number in range(20)]


def row(group: str | None, process: str | None, clock: Any, state: Any = None, *, arrival: int = 0) -> Event:
    """A row as a file holds it, the state as JSON text."""
    text = state if isinstance(state, str) else json.dumps({"x": True} if state is None else state)
    return {"group": group, "process": process, "clock": clock, "state": text, "arrival": arrival}


def good_rows(index: int = 1) -> list[Event]:
    """A state of each process of every good group."""
    return [
        row(group, f"p{k}", {f"p{k}": index}, {"x": True, "n": index}, arrival=2 * index + k)
        for group in GOOD
        for k in (0, 1)
    ]


def expected(rows: Iterable[Event], spec: Spec = SPEC) -> dict[str, list[Row]]:
    """What local monitors say of good rows."""
    events = [{**event, "state": json.loads(event["state"]), "order": event["arrival"]} for event in rows]
    return local_rows(spec, [events])


class Stream:
    """A query over a folder of files, run over what is there and stopped, again and again."""

    def __init__(self, spark: SparkSession, folder: Path, schema: str = SCHEMA) -> None:
        self._spark = spark
        self._folder = folder
        self._schema = schema
        self._files = 0
        (folder / "events").mkdir()

    def run(self, rows: Iterable[Event], spec: Spec = SPEC, **options: Any) -> dict[str, list[Row]]:
        """Start on the old checkpoint with a batch of rows; all that came of it, by kind."""
        write_file(self._folder / "events", self._files, rows)
        self._files += 1
        events = self._spark.readStream.schema(self._schema).json(str(self._folder / "events"))
        view = outputs(events, spec, **options)
        found: dict[str, list[Row]] = {"verdicts": [], "rejects": [], "metrics": []}

        def take(batch: DataFrame, _: int) -> None:
            for kind, rows in tables(view.of(batch.localCheckpoint())).items():
                found[kind] += rows

        query = (
            view.packed.writeStream.foreachBatch(take)
            .option("checkpointLocation", str(self._folder / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        return found


def tables(view: Outputs) -> dict[str, list[Row]]:
    return {"verdicts": rows_of(view.verdicts), "rejects": rows_of(view.rejects), "metrics": rows_of(view.metrics)}


@pytest.fixture
def stream(spark: SparkSession, tmp_path: Path) -> Stream:
    return Stream(spark, tmp_path)


# -- bad rows ------------------------------------------------------------------------------------------------

LARGE = json.dumps({"x": True, "blob": "y" * 1_000_000})
# group -> its row and what the reason must say
BAD: dict[str, tuple[Event, str]] = {
    "broken": (row("broken", "p0", {"p0": 1}, '{"x": tru'), "the state is not valid JSON"),
    "empty": (row("empty", "p0", {"p0": 1}, ""), "the state is not valid JSON"),
    "list": (row("list", "p0", {"p0": 1}, "[1, 2]"), "the state must be a map; got list"),
    "number": (row("number", "p0", {"p0": 1}, "7"), "the state must be a map; got int"),
    "text": (row("text", "p0", {"p0": 1}, '"on"'), "the state must be a map; got str"),
    "unknown": (row("unknown", "p9", {"p0": 1}), "unknown process 'p9'"),
    "nobody": (row("nobody", None, {"p0": 1}), "unknown process None"),
    "negative": (row("negative", "p0", {"p0": -1}), "clock entries must be integers from 0 to 2**62; got -1"),
    "missing": (row("missing", "p0", {"p1": 1}), "the clock's own entry is the state's index"),
    "zero": (row("zero", "p0", {"p0": 0}), "the clock's own entry is the state's index"),
    "stranger": (row("stranger", "p0", {"p0": 1, "p9": 1}), "the clock names the unknown process 'p9'"),
    "null entry": (row("null entry", "p0", {"p0": 1, "p1": None}), "clock entries must be integers"),
    "no clock": (row("no clock", "p0", None), "the clock must be a list of 2 integers or a map"),
    "large": (row("large", "p0", {"p0": 1}, LARGE), "and at most 262,144 are read"),
}


def test_bad_rows_are_rejected_with_the_reason(stream: Stream) -> None:
    nowhere = row(None, "p0", {"p0": 1})
    conflict = [row("conflict", "p0", {"p0": 1}, {"x": x}, arrival=number) for number, x in enumerate((True, False))]
    bad = [event for event, _ in BAD.values()]
    rows = good_rows()
    found = stream.run([*rows[:13], *bad, nowhere, *conflict, *rows[13:]])

    assert by_group(found["verdicts"]) == expected(rows)
    rejects = {reject["group"]: reject for reject in found["rejects"]}
    assert len(found["rejects"]) == len(rejects) == len(BAD) + 2
    assert {reject["kind"] for reject in found["rejects"]} == {"rejected"}
    for group, (event, reason) in BAD.items():
        assert reason in rejects[group]["reason"]
        assert json.loads(rejects[group]["event"])["process"] == event["process"]
    assert rejects[None]["reason"] == "the group must be a string or an integer; it is null"
    assert json.loads(rejects[None]["event"])["clock"] == {"p0": 1}
    assert "came before with other content" in rejects["conflict"]["reason"]
    assert (rejects["conflict"]["process"], rejects["conflict"]["state_index"]) == ("p0", 1)
    assert json.loads(rejects["conflict"]["event"])["state"] == {"x": False}
    assert len(rejects["large"]["event"]) < 10_000
    assert json.loads(rejects["broken"]["event"])["state"] == '{"x": tru'
    metrics = {metric["group"]: metric for metric in found["metrics"]}
    assert all((metrics[group]["delivered"], metrics[group]["rejected"]) == (2, 0) for group in GOOD)
    assert (metrics["conflict"]["delivered"], metrics["conflict"]["rejected"]) == (1, 1)

    # Everyone goes on: the good ones, and those that were bad.
    more = good_rows(2)
    cured = [row(group, "p0", {"p0": 1}) for group in BAD]
    found = stream.run([*cured, *more])
    assert found["rejects"] == []
    metrics = {metric["group"]: metric for metric in found["metrics"]}
    assert all(metrics[group]["delivered"] == 4 for group in GOOD)
    assert all(metrics[group]["delivered"] == 1 for group in BAD)
    both = expected([*rows, *more])
    assert by_group(found["verdicts"]) == {
        group: late for group, said in both.items() if (late := [verdict for verdict in said if verdict["slide"] > 2])
    }


@pytest.mark.soak
def test_clocks_of_the_wrong_size(spark: SparkSession) -> None:
    clocks: list[Any] = [[1], [1, 0, 0], [], [1, None], [-1, 0], [0, 1], None]
    reasons = [
        "the clock must have 2 entries; got 1",
        "the clock must have 2 entries; got 3",
        "the clock must have 2 entries; got 0",
        "clock entries must be integers",
        "clock entries must be integers",
        "the clock's own entry is the state's index",
        "the clock must be a list of 2 integers",
    ]
    rows = [(f"bad {number}", "p0", clock, {"x": True}) for number, clock in enumerate(clocks)]
    rows += [("good", "p0", [1, 0], {"x": True}), ("good", "p1", [0, 1], {"x": True})]
    schema = "group string, process string, clock array<bigint>, state map<string, boolean>"
    found = tables(outputs(spark.createDataFrame(rows, schema), SPEC))
    assert [verdict["group"] for verdict in found["verdicts"]] == ["good", "good"]
    told = {reject["group"]: reject["reason"] for reject in found["rejects"]}
    assert len(told) == len(found["rejects"]) == len(clocks)
    for number, reason in enumerate(reasons):
        assert reason in told[f"bad {number}"]


@pytest.mark.soak
def test_max_row_bytes_is_a_setting(spark: SparkSession) -> None:
    rows = [("g", "p0", {"p0": 1}, json.dumps({"x": True, "blob": "y" * size}), size) for size in (10, 2000)]
    frame = spark.createDataFrame(rows, SCHEMA)
    found = tables(outputs(frame, SPEC, max_row_bytes=1000))
    (reject,) = found["rejects"]
    assert "bytes, and at most 1,000 are read" in reject["reason"]
    assert reject["group"] == "g"
    assert found["metrics"][0]["delivered"] == 1
    assert tables(outputs(frame, SPEC, max_row_bytes=10_000))["rejects"][0]["reason"].startswith(
        "process 'p0', state 1"
    )


# -- poisoned groups -------------------------------------------------------------------------------------------


def poison(indices: Iterable[int]) -> list[Event]:
    return [row("poisoned", "p0", {"p0": index}, arrival=index) for index in indices]


@pytest.mark.soak
def test_a_poisoned_group_under_fail(stream: Stream) -> None:
    spec = Spec.from_dict({**SPEC.to_dict(), "max_waiting": 3})
    rows = good_rows()
    found = stream.run([*poison(range(2, 10)), *rows], spec)
    assert by_group(found["verdicts"]) == expected(rows, spec)
    assert [json.loads(reject["event"])["clock"] for reject in found["rejects"]] == [
        {"p0": index} for index in range(5, 10)
    ]
    assert all("max_waiting=3 states wait already" in reject["reason"] for reject in found["rejects"])
    metric = next(metric for metric in found["metrics"] if metric["group"] == "poisoned")
    assert (metric["waiting"], metric["rejected"], metric["delivered"]) == (3, 5, 0)
    # What was missing comes: the group is well again.
    found = stream.run(poison([1, 5]), spec)
    assert found["rejects"] == []
    (metric,) = found["metrics"]
    assert (metric["group"], metric["waiting"], metric["delivered"]) == ("poisoned", 0, 5)


@pytest.mark.soak
def test_a_poisoned_group_under_skip(stream: Stream) -> None:
    spec = Spec.from_dict({**SPEC.to_dict(), "max_waiting": 1, "waiting_policy": "skip"})
    rows = good_rows()
    found = stream.run([*poison([3, 4]), *rows], spec)
    assert by_group(found["verdicts"]) == expected(rows, spec)
    (reject,) = found["rejects"]
    assert (reject["group"], reject["kind"], reject["process"]) == ("poisoned", "skipped", "p0")
    assert (reject["state_index"], reject["through"], reject["event"]) == (1, 2, None)
    metric = next(metric for metric in found["metrics"] if metric["group"] == "poisoned")
    assert (metric["waiting"], metric["skipped"], metric["delivered"]) == (0, 2, 2)
    (reject,) = stream.run(poison([2]), spec)["rejects"]
    assert (reject["kind"], reject["state_index"]) == ("late", 2)


# -- a changed spec on an old checkpoint -------------------------------------------------------------------------


@pytest.mark.soak
def test_changed_specs_on_an_old_checkpoint(stream: Stream) -> None:
    stream.run(good_rows()[::2])  # only p0
    texts = {"both": SPEC.properties["both"], "new": "possibly(p1.n == 1)"}
    changed = Spec.from_dict({**SPEC.to_dict(), "properties": texts})
    found = stream.run(good_rows()[1::2], changed)
    assert by_group(found["verdicts"]).keys() == set(GOOD)
    assert {(verdict["property"], verdict["slide"]) for verdict in found["verdicts"]} == {("both", 2), ("new", 2)}

    other = Spec.from_dict({**changed.to_dict(), "delivery": "causal"})
    with pytest.raises(StreamingQueryException, match="SnapshotError"):
        stream.run(good_rows(2), other)
    # The refused start did no harm: with the old settings the query goes on where it was.
    found = stream.run([], changed)
    assert {metric["delivered"] for metric in found["metrics"]} == {4}
    assert {metric["group"] for metric in found["metrics"]} == set(GOOD)


@pytest.mark.soak
def test_a_checkpoint_with_another_key_is_refused(stream: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one with another number of shards has: Spark compares the types, so no group begins blank."""
    monkeypatch.setattr(stateful, "KEY", "int")
    stream.run(good_rows())
    monkeypatch.undo()
    with pytest.raises(StreamingQueryException, match="KEY_SCHEMA_NOT_COMPATIBLE"):
        stream.run(good_rows(2))
