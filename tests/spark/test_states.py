"""Looking at the groups in a checkpoint, forgetting some, and rescaling it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("pyspark")

from latwin.cli import app
from latwin.errors import InvalidInput
from latwin.spark import read_output
from latwin.spark.checkpoint import partitions_of
from latwin.spark.kept_groups import Forget
from latwin.spark.states import forget, read_groups, rescale
from latwin.spark.stored_groups import groups_in
from pipelines import run
from shards import SPEC, by_group, local_rows, make_event, make_worker, payload

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_the_groups_of_a_shard() -> None:
    worker = make_worker()
    events = [make_event("g", k, 1, order=k) for k in range(2)] + [make_event("h", 0, 2)]
    stored, _ = worker.work(None, [payload(*events)], shard=7)
    found = {group.group: group for group in groups_in(stored, 7)}
    assert found.keys() == {"g", "h"}
    group = found["g"]
    assert (group.shard, group.state, group.counters["delivered"], group.rules) == (7, "active", 2, 1)
    assert group.values == {"both": True, "sure": True}
    assert group.processes["p1"] == {"through": 1, "clocks": [[0, 0], [0, 1]], "states": [None, {"x": True}]}
    (waiting,) = found["h"].waiting
    assert (waiting["process"], waiting["index"], waiting["state"]) == ("p0", 2, {"x": True})
    assert "processes" not in group.brief()


def test_damaged_state_is_listed() -> None:
    stored, _ = make_worker().work(None, [payload(make_event("g", 0, 1))])
    (group,) = groups_in(stored[:-3], 0)
    assert (group.group, group.state, group.bytes) == (None, "damaged", len(stored) - 3)


def test_a_group_is_forgotten_once_for_each_order() -> None:
    orders = [Forget(number=number, from_batch=0, group=group) for number, group in ((1, "g"), (2, "nobody"))]
    stored, _ = make_worker().work(None, [payload(make_event("g", 0, 1), make_event("h", 0, 1))])
    worker = make_worker(forget=orders)
    stored, results = worker.work(stored, [payload(make_event("g", 0, 1), make_event("h", 0, 2))])
    (row,) = results.rejects
    assert (row["group"], row["kind"]) == ("g", "ended")
    assert row["reason"] == "told to be forgotten: forgotten after 1 states; at last no property held"
    assert {row["group"]: row["delivered"] for row in results.metrics} == {"g": 1, "h": 2}
    stored, results = worker.work(stored, [payload(make_event("g", 0, 2))])
    assert not results.rejects
    assert results.metrics[0]["delivered"] == 2
    later = make_worker(forget=[*orders, Forget(number=3, from_batch=0, group="g")])
    assert [row["kind"] for row in later.work(stored, [payload(make_event("h", 0, 3))])[1].rejects] == ["ended"]


@pytest.mark.soak
def test_a_checkpoint_is_looked_at_rescaled_and_goes_on(spark: SparkSession, tmp_path: Path) -> None:
    """The verdicts are those of local monitors, as if nothing had happened; a forgotten group begins anew."""
    folder = tmp_path / "in"
    folder.mkdir()
    groups = [f"group {k}" for k in range(40)]
    options: dict[str, Any] = {
        "input": str(folder),
        "output": str(tmp_path / "out"),
        "checkpoint": str(tmp_path / "checkpoint"),
        "once": True,
        "every": True,
    }

    def part(number: int) -> list[dict[str, Any]]:
        """Two states of each process of each group."""
        rows = []
        for index in (2 * number + 1, 2 * number + 2):
            for place, process in enumerate(("p0", "p1")):
                clock = {"p0": index, "p1": index - 1 + place}
                for k, group in enumerate(groups):
                    state = {"x": (k + index) % (3 - place) > 0}
                    order = 10 * index + place
                    rows.append(
                        {"group": group, "process": process, "clock": clock, "state": state, "arrival": order}
                    )
        return rows

    for number in range(3):
        (folder / f"{number}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in part(number)))
        run(spark, SPEC, **options)
        checkpoint = options["checkpoint"]
        found = {group.group: group for group in read_groups(spark, checkpoint)}
        assert found.keys() == set(groups)
        assert {group.counters["delivered"] for group in found.values()} == {4 * (number + 1)}
        if number < 2:
            _rescale(spark, checkpoint, 5 - 2 * number)
    stored = [row.asDict(recursive=True) for row in read_output(spark, options["output"], "verdicts").collect()]
    rows = [{name: value for name, value in row.items() if name != "batch"} for row in stored]
    order = list(SPEC.properties)
    rows.sort(key=lambda row: (row["group"], row["slide"], order.index(row["property"])))
    batches = [[{**row, "order": row["arrival"]} for row in part(number)] for number in range(3)]
    assert by_group(rows) == local_rows(SPEC, batches, every=True)

    (one,) = read_groups(spark, checkpoint, "group 3")
    assert one == found["group 3"]
    assert list(read_groups(spark, checkpoint, "nobody")) == []
    forget(spark, checkpoint, ["group 3", "nobody"])
    events = part(3)
    (folder / "3.jsonl").write_text("".join(json.dumps(row) + "\n" for row in events))
    run(spark, SPEC, **options)
    (ended,) = read_output(spark, options["output"], "rejects").collect()
    assert (ended["group"], ended["kind"]) == ("group 3", "ended")
    counts = {group.group: group.counters for group in read_groups(spark, checkpoint)}
    assert (counts["group 3"]["delivered"], counts["group 3"]["waiting"]) == (0, 4)  # its clocks did not begin again
    assert counts["group 4"]["delivered"] == 16

    cli = CliRunner()
    listed = cli.invoke(app, ["groups", checkpoint])
    assert "groups: 40 active; 4 states wait" in listed.stdout, listed.output
    lines = cli.invoke(app, ["groups", checkpoint, "--json"]).stdout.splitlines()
    assert {json.loads(line)["group"] for line in lines} == set(groups)
    shown = cli.invoke(app, ["groups", checkpoint, "--show", "group 7"])
    assert json.loads(shown.stdout)["processes"]["p0"]["through"] == 8
    exported = cli.invoke(app, ["groups", checkpoint, "--export", str(tmp_path / "all.jsonl")])
    assert exported.exit_code == 0
    assert len((tmp_path / "all.jsonl").read_text().splitlines()) == 40
    now = partitions_of(spark, checkpoint)
    done = cli.invoke(app, ["rescale", checkpoint, "--partitions", str(now), "--json"])
    assert json.loads(done.stdout) == {"checkpoint": checkpoint, "before": now, "partitions": now}
    # A Spark that has run no query cannot read states by itself.
    alone = [sys.executable, "-m", "latwin", "groups", checkpoint, "--show", "group 7"]
    assert json.loads(subprocess.run(alone, capture_output=True, check=True).stdout) == json.loads(shown.stdout)
    assert "has no group 'x'" in cli.invoke(app, ["groups", checkpoint, "--show", "x"]).output


def _rescale(spark: SparkSession, checkpoint: str, partitions: int) -> None:
    """Where Spark can do it; an older one says so, and nothing has happened."""
    before = partitions_of(spark, checkpoint)
    if spark.version < "4.2":
        with pytest.raises(InvalidInput, match=r"cannot repartition a state; 4\.2 and later can"):
            rescale(spark, checkpoint, partitions)
        assert partitions_of(spark, checkpoint) == before
    else:
        assert rescale(spark, checkpoint, partitions) == (before, partitions)
        assert partitions_of(spark, checkpoint) == partitions != before


def test_what_is_no_checkpoint(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="is no checkpoint with a state: it has file"):
        list(read_groups(spark, str(tmp_path)))
    with pytest.raises(InvalidInput, match="is no checkpoint with a state: it is not there, or empty"):
        rescale(spark, str(tmp_path / "nothing"), 3)
    told = CliRunner().invoke(app, ["groups", str(tmp_path), "--export", str(tmp_path / "all.jsonl")])
    assert (told.exit_code, "is no checkpoint with a state" in told.stderr) == (2, True), told.output
    assert [path.name for path in tmp_path.iterdir()] == ["file"], "no empty file is left"
