"""Any streaming DataFrame to a place: `write`, the recipe of the documentation, and `latwin compact` after it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("pyspark")

from pyspark.errors import StreamingQueryException
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin.cli import app
from latwin.errors import InvalidInput
from latwin.monitor import Monitor
from latwin.spark import count_output, outputs, read_output, write
from latwin.spark.causes import may_pass
from latwin.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

SPEC = Spec.from_dict({"processes": ["a", "b"], "window": 2, "properties": {"both": "possibly(a.x and b.x)"}})
SCHEMA = "group string, process string, clock array<bigint>, state map<string, bigint>, arrival bigint"
FILES, EACH = 3, 6


def event(number: int, group: str) -> dict[str, Any]:
    clock = [number // 2 + 1, 0] if number % 2 == 0 else [0, number // 2 + 1]
    return {"group": group, "process": "ab"[number % 2], "clock": clock, "state": {"x": number // 3 % 2}}


@pytest.fixture
def events(spark: SparkSession, tmp_path: Path) -> DataFrame:
    """A stream of three files, one a batch."""
    folder = tmp_path / "events"
    folder.mkdir()
    for file in range(FILES):
        rows = [{**event(k, g), "arrival": k} for k in range(file * EACH, (file + 1) * EACH) for g in "gh"]
        path = folder / f"{file}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        os.utime(path, (1_700_000_000 + file,) * 2)  # Spark takes files by their age
    return spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(folder))


def expected() -> list[tuple[str, int, bool | None]]:
    told = Monitor(SPEC).observe_many([event(k, "g") for k in range(FILES * EACH)])
    assert len(told) > 1
    return sorted((group, verdict.slide, verdict.value) for verdict in told for group in "gh")


def found(verdicts: DataFrame) -> list[tuple[str, int, bool | None]]:
    return sorted((row["group"], row["slide"], row["value"]) for row in verdicts.collect())


def finish(start: Callable[[], StreamingQuery]) -> None:
    """Let a query read all; on a busy machine Spark may give up its Python, and then it is started again."""
    for _ in range(20):
        try:
            start().awaitTermination()
        except StreamingQueryException as error:
            if not may_pass(error):
                raise
        else:
            return


def test_all_three_tables_to_a_folder_and_compacted(
    spark: SparkSession, events: DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = outputs(events, SPEC)
    out, state = str(tmp_path / "out"), str(tmp_path / "state")
    finish(lambda: write(results, to=out, checkpoint=state, trigger={"availableNow": True}, name="to a folder"))
    with pytest.raises(InvalidInput, match="begun with another output"):
        write(results, to=str(tmp_path / "other"), checkpoint=state)
    query = write(results, to=out, checkpoint=state)
    assert query.isActive
    with pytest.raises(InvalidInput, match="is in use"):
        write(results, to=out, checkpoint=state)
    query.stop()
    assert found(read_output(spark, out, "verdicts")) == expected()
    before = count_output(spark, out)
    assert before == {"verdicts": len(expected()), "rejects": 0, "metrics": 2 * FILES}
    done = CliRunner().invoke(app, ["compact", out, "--grace", "0s", "--json"], catch_exceptions=False)
    told = json.loads(done.stdout)
    assert (told["after"], told["rows"], told["batches"]) == (2, before, FILES)
    assert found(read_output(spark, out, "verdicts")) == expected()
    assert found(spark.read.parquet(f"{out}/verdicts")) == expected()
    assert {row["batch"] for row in read_output(spark, out, "metrics").collect()} == set(range(FILES))
    monkeypatch.setattr("latwin.cli.commands.compact.spark_session", None)  # what is here needs none
    counted = CliRunner().invoke(app, ["compact", out, "--count"], catch_exceptions=False)
    assert f"{len(expected()):,} verdicts, 0 rejects, {2 * FILES} metrics; 2 files" in counted.stdout


def test_what_cannot_be_written(spark: SparkSession, events: DataFrame, tmp_path: Path) -> None:
    batch = spark.createDataFrame([], SCHEMA)
    with pytest.raises(InvalidInput, match="no streaming DataFrame"):
        write(outputs(batch, SPEC), to=str(tmp_path / "out"), checkpoint=str(tmp_path / "state"))
    (tmp_path / "run").mkdir()
    (tmp_path / "run/latwin.json").write_text("{}")
    with pytest.raises(InvalidInput, match="is one of `latwin run`"):
        write(outputs(events, SPEC), to=str(tmp_path / "out"), checkpoint=str(tmp_path / "run"))
    missing = CliRunner().invoke(app, ["compact", str(tmp_path)])
    assert missing.exit_code == 2
    assert "is no output of latwin" in missing.stderr
    assert CliRunner().invoke(app, ["compact", str(tmp_path), "--keep", "30 moons"]).exit_code == 2


@pytest.mark.soak
def test_the_recipe_for_any_other_sink(spark: SparkSession, events: DataFrame, tmp_path: Path) -> None:
    results = outputs(events, SPEC)

    def save(batch: DataFrame, number: int) -> None:
        batch.persist()
        tables = results.of(batch)
        for name in ("verdicts", "rejects", "metrics"):
            rows: DataFrame = getattr(tables, name)
            rows.withColumn("batch", F.lit(number)).write.mode("append").json(str(tmp_path / name))
        batch.unpersist()

    writer = results.packed.writeStream.foreachBatch(save).option("checkpointLocation", str(tmp_path / "state"))
    finish(lambda: writer.trigger(availableNow=True).start())
    assert found(spark.read.json(str(tmp_path / "verdicts"))) == expected()
    assert spark.read.json(str(tmp_path / "metrics")).count() == 2 * FILES
