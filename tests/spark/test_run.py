"""From folder to folder: sinks, checkpoints, notifications, and the commands `run` and `replay`."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from typer.testing import CliRunner

pytest.importorskip("pyspark")

from pyspark.sql.types import TimestampType

from application import application
from copying_file_system import copying_scheme
from latwin.cli import app
from latwin.errors import InvalidInput, SpecError
from latwin.monitor import Monitor
from latwin.notify import NotifyFailed, message_of
from latwin.outputs.compaction import compact
from latwin.outputs.store import LocalStore
from latwin.spark.causes import QueryFailed, innermost_cause
from latwin.spark.checkpoint import prepare_checkpoint
from latwin.spark.notify import Notifier
from latwin.spark.pipeline import Outputs
from latwin.spark.schemas import as_record
from latwin.spark.sinks import Batch, BatchSummary, summarize
from latwin.spark.sinks.batch import few_rows
from latwin.spark.sinks.folder import FolderSink, count_output, read_output
from latwin.spark.sources.files import guess_format
from latwin.spec import FREE_FIELDS, Spec
from pipelines import run
from results import a_verdict, packed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OFFICE = Path(__file__).parents[2] / "examples" / "office"
SPEC = Spec.load(OFFICE / "spec.toml")
TWO = {"processes": ["a", "b"], "window": 3, "properties": {"both": "possibly(a.x and b.x)"}}


def office_events(group: str) -> list[dict[str, Any]]:
    lines = (OFFICE / "events.jsonl").read_bytes().splitlines()
    return [{"group": group, "arrival": k, **json.loads(line)} for k, line in enumerate(lines)]


def local_rows(events: list[dict[str, Any]], spec: Spec = SPEC, **options: Any) -> list[dict[str, Any]]:
    """What the monitor says of one group, as plain data."""
    verdicts = Monitor(spec).observe_many(events, **options)
    return [json.loads(msgspec.json.encode(verdict)) for verdict in verdicts]


def stored_rows(session: SparkSession, output: Path, group: str) -> list[dict[str, Any]]:
    """What the verdicts' folder says of one group and the office's properties, in the monitor's form and order."""
    rows = []
    for row in read_output(session, str(output), "verdicts").where(f"`group` = '{group}'").collect():
        fields = as_record(row)
        if fields["property"] not in SPEC.properties:
            continue
        del fields["group"], fields["batch"]
        if fields["witness"] is not None and fields["property"] == "perhaps":
            (fields["witness"],) = fields["witness"]
        rows.append(fields)
    names = list(SPEC.properties)
    return sorted(rows, key=lambda row: (row["slide"], names.index(row["property"])))


def write_lines(path: Path, events: list[dict[str, Any]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))


# -- sinks -------------------------------------------------------------------------------------------


def test_a_batch_appears_once_and_whole(spark: SparkSession, tmp_path: Path) -> None:
    batch = packed(
        spark,
        verdict=[a_verdict(1), a_verdict(2, value=False)],
        metric=[{"group": "g", "events": 5, "waiting": 2}, {"group": "h", "events": 1, "waiting": 0}],
    )
    output = str(tmp_path / "out")
    left_over = [tmp_path / "out/rejects/batch-000000000000.parquet", tmp_path / "out/_latwin/staging/dead/part-0"]
    for path in left_over:
        path.parent.mkdir(parents=True)
        path.write_bytes(b"half")
    sink = FolderSink(output, Outputs(batch), never=("p", "q"))
    assert not any(path.exists() for path in left_over)
    summary = sink(batch, 0)
    assert summary == BatchSummary(0, verdicts=2, events=6, groups=2, waiting=2, violations={"p": 1}, unseen={})
    assert FolderSink(output, Outputs(batch))(batch, 0).verdicts == 2  # the batch replayed
    stored = read_output(spark, output, "verdicts").orderBy("slide").collect()
    assert [(row["slide"], row["value"], row["batch"]) for row in stored] == [(1, True, 0), (2, False, 0)]
    assert read_output(spark, output, "rejects").count() == 0
    assert "reason" in read_output(spark, output, "rejects").columns
    assert not list((tmp_path / "out/rejects").glob("*"))
    plain = spark.read.parquet(str(tmp_path / "out/verdicts"))  # the same for a reader who knows only Parquet
    assert sorted((row["slide"], row["value"], row["batch"]) for row in plain.collect()) == [
        (1, True, 0),
        (2, False, 0),
    ]
    assert count_output(spark, output) == {"verdicts": 2, "rejects": 0, "metrics": 2}
    assert len(list((tmp_path / "out").rglob("*.*"))) == 1 + 2, "one file a table and batch, and one that says so"


def test_a_large_batch_is_written_by_spark_and_a_small_one_here(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways give the same rows, types and summaries, and one output may have both."""
    results = Outputs(packed(spark), TimestampType())
    few = {
        "verdict": [a_verdict(1, time="1700000000123456", least=[1, 2], witness=[[1, 2]]), a_verdict(2, value=None)],
        "reject": [{"group": None, "kind": "rejected", "reason": "no clock", "event": "{}"}],
        "metric": [
            {"group": "g", "events": 5, "waiting": 2, "unseen": {"x": ["y"]}, "unanswered": {"q": 3}, "slides": 2},
            {"group": "h", "events": 1, "waiting": 0, "unseen": {"x": ["y"], "z": []}, "without_cuts": 1},
        ],
    }
    found = {}
    for name, limit in {"here": 8 << 20, "by Spark": 0}.items():
        monkeypatch.setattr("latwin.spark.sinks.batch.FEW_BYTES", limit)
        output = str(tmp_path / name)
        sink = FolderSink(output, results, never=("p", "q"))
        summaries = [sink(packed(spark, **few), 0), sink(packed(spark, verdict=few["verdict"]), 3)]
        rows = {table: read_output(spark, output, table) for table in ("verdicts", "rejects", "metrics")}
        found[name] = (
            summaries,
            {
                table: (sorted(map(str, frame.collect())), [(f.name, f.dataType) for f in frame.schema])
                for table, frame in rows.items()
            },
        )
        assert count_output(spark, output) == {"verdicts": 4, "rejects": 1, "metrics": 2}
    assert found["here"] == found["by Spark"]
    assert found["here"][0][0] == BatchSummary(
        0,
        verdicts=2,
        rejects=1,
        rejects_by_kind={"rejected": 1},
        events=6,
        groups=2,
        waiting=2,
        slides=2,
        groups_without_cuts=1,
        violations={"p": 1},
        unanswered={"q": 3},
        unseen={"x": ["y"]},
    )
    batch = Batch(0, results.of(packed(spark, **few)), few_rows(packed(spark, **few), 8 << 20, results.time))
    told = [batch.verdicts_where("changed"), Batch(0, batch.outputs, None).verdicts_where("changed")]
    assert told[0] == told[1]
    compact(LocalStore(tmp_path / "here"), now_s=0.0)
    assert (
        sorted(map(str, read_output(spark, str(tmp_path / "here"), "verdicts").collect()))
        == found["here"][1]["verdicts"][0]
    )


def test_a_summary_counts_rejects_by_kind(spark: SparkSession) -> None:
    rejects = [{"group": "g", "kind": kind, "reason": "r"} for kind in ("late", "rejected", "late", "left")]
    summary = summarize(packed(spark, reject=rejects), 0)
    assert (summary.rejects, summary.rejects_by_kind) == (4, {"rejected": 1, "late": 2, "left": 1})


def test_an_output_belongs_to_one_checkpoint(spark: SparkSession, tmp_path: Path) -> None:
    batch = packed(spark, verdict=[a_verdict(1)])
    output = str(tmp_path / "out")
    FolderSink(output, Outputs(batch), owner="first")(batch, 0)
    FolderSink(output, Outputs(batch), owner="first")
    with pytest.raises(InvalidInput, match="holds results of another checkpoint"):
        FolderSink(output, Outputs(batch), owner="second")
    (tmp_path / "out/_latwin.json").unlink()
    with pytest.raises(InvalidInput, match="holds results already"):
        FolderSink(output, Outputs(batch), owner="second")
    with pytest.raises(InvalidInput, match="is no output of latwin"):
        read_output(spark, str(tmp_path), "metrics")


def test_an_output_of_an_older_version_can_be_read_but_not_continued(spark: SparkSession, tmp_path: Path) -> None:
    batch = packed(spark, verdict=[a_verdict(1)])
    Outputs(batch).verdicts.write.parquet(str(tmp_path / "verdicts/batch=4"))
    assert [row["batch"] for row in read_output(spark, str(tmp_path), "verdicts").collect()] == [4]
    with pytest.raises(InvalidInput, match="it can be read, but not continued"):
        FolderSink(str(tmp_path), Outputs(batch))


@pytest.mark.parametrize("few_bytes", [8 << 20, pytest.param(0, marks=pytest.mark.soak)])
def test_another_file_system_than_the_local_one(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few_bytes: int
) -> None:
    """By Hadoop's interface alone, and without a rename that would be a step."""
    monkeypatch.setattr("latwin.spark.sinks.batch.FEW_BYTES", few_bytes)
    scheme = copying_scheme(spark)
    output = f"{scheme}://{tmp_path}/out"
    batch = packed(spark, verdict=[a_verdict(1), a_verdict(2)], metric=[{"group": "g", "events": 2, "waiting": 0}])
    for number in range(3):
        FolderSink(output, Outputs(batch), owner="me")(batch, number)
        FolderSink(output, Outputs(batch), owner="me")(batch, number)  # replayed
    assert count_output(spark, output) == {"verdicts": 6, "rejects": 0, "metrics": 3}
    assert read_output(spark, output, "verdicts").count() == 6
    assert {row["batch"] for row in read_output(spark, output, "metrics").collect()} == {0, 1, 2}
    done = CliRunner().invoke(app, ["compact", output, "--grace", "0s", "--json"], catch_exceptions=False)
    told = json.loads(done.stdout)
    assert (told["before"], told["after"], told["rows"]) == (6, 2, {"verdicts": 6, "rejects": 0, "metrics": 3})
    assert read_output(spark, output, "verdicts").count() == 6


# -- checkpoints -------------------------------------------------------------------------------------


def test_a_checkpoint_goes_on_with_other_rules_only(spark: SparkSession, tmp_path: Path) -> None:
    place = str(tmp_path / "checkpoint")
    first = prepare_checkpoint(spark, place, Spec.from_dict(TWO))
    assert first.is_new
    again = prepare_checkpoint(spark, place, Spec.from_dict(TWO))
    assert (again.id, again.is_new, again.changes) == (first.id, False, ())
    other = {**TWO, "properties": {"one": "possibly(a.x)"}, "never": ["one"], "max_cuts": 5}
    changed = prepare_checkpoint(spark, place, Spec.from_dict(other))
    assert changed.changes == (
        "max_cuts: 10000000 -> 5",
        'properties.both: "possibly(a.x and b.x)" -> none',
        'properties.one: none -> "possibly(a.x)"',
        'never: [] -> ["one"]',
    )
    assert prepare_checkpoint(spark, place, Spec.from_dict(other)).changes == ()
    named = {**other, "states": {"busy": "a.x or b.x"}}
    assert prepare_checkpoint(spark, place, Spec.from_dict(named)).changes == ('states.busy: none -> "a.x or b.x"',)
    with pytest.raises(
        SpecError,
        match=r"another spec: delivery: \"fifo\" -> \"causal\"\. "
        rf"Only {', '.join(FREE_FIELDS)} may change",
    ):
        prepare_checkpoint(spark, place, Spec.from_dict({**other, "window": 2, "delivery": "causal"}))
    (tmp_path / "moved").mkdir()
    (tmp_path / "moved/_latwin.json").write_text(f'{{"checkpoint": "{first.id}"}}')
    with pytest.raises(InvalidInput, match=r"another output: None -> /results\. It is fixed at the first start"):
        prepare_checkpoint(spark, place, Spec.from_dict(named), output="/results")
    moved = prepare_checkpoint(spark, place, Spec.from_dict(named), output=str(tmp_path / "moved"))
    assert (moved.id, moved.changes) == (first.id, ())
    with pytest.raises(InvalidInput, match=r"another output: .*moved -> /results"):
        prepare_checkpoint(spark, place, Spec.from_dict(named), output="/results")
    (tmp_path / "checkpoint/latwin.json").write_text("{")
    with pytest.raises(InvalidInput, match="is damaged"):
        prepare_checkpoint(spark, place, Spec.from_dict(other))
    (tmp_path / "foreign/offsets").mkdir(parents=True)
    with pytest.raises(InvalidInput, match="the checkpoint of another query"):
        prepare_checkpoint(spark, str(tmp_path / "foreign"), Spec.from_dict(TWO))


# -- notifications -----------------------------------------------------------------------------------


def test_a_message_is_tried_again_with_growing_pauses() -> None:
    pauses: list[float] = []
    with application(lambda number: 200 if number > 3 else 503) as (url, received):
        Notifier(url, backoff_s=1, max_backoff_s=3, sleep=pauses.append).tell(message_of(a_verdict(1)))
    assert pauses == [1, 2, 3]
    assert len({message["id"] for message in received}) == 1


def test_tries_are_bounded_and_a_refusal_is_final() -> None:
    pauses: list[float] = []
    message = message_of(a_verdict(1))
    with application(lambda _: 500) as (url, received), pytest.raises(NotifyFailed, match=r"tried 3 times.*500"):
        Notifier(url, tries=3, sleep=pauses.append).tell(message)
    assert (len(received), len(pauses)) == (3, 2)
    with application(lambda _: 404) as (url, received), pytest.raises(NotifyFailed, match=r"tried 1 time,.*404"):
        Notifier(url, sleep=pauses.append).tell(message)
    assert len(received) == 1
    with pytest.raises(NotifyFailed, match="gave up"):  # nobody listens there any more
        Notifier(url, tries=2, sleep=pauses.append).tell(message)


@pytest.mark.parametrize("target", ["mqtt://host", "http://", "phone", 7])
def test_a_target_is_a_url_or_a_function(target: Any) -> None:
    with pytest.raises(InvalidInput, match=r"notify: the (URL|target) must"):
        Notifier(target)


def test_changes_alone_are_told_in_order_with_stable_ids(spark: SparkSession) -> None:
    rows = [a_verdict(1), a_verdict(2, changed=False), a_verdict(3, value=None)]
    verdicts = Outputs(packed(spark, verdict=rows)).verdicts
    told: list[dict[str, Any]] = []
    for _ in range(2):
        Notifier(told.append)(verdicts, 0)
    assert [(message["slide"], message["value"]) for message in told] == [(1, True), (3, None)] * 2
    assert told[:2] == told[2:]
    assert told[0]["id"] != told[1]["id"] == message_of(rows[2])["id"]


def test_final_verdicts_alone_are_told_if_asked_for(spark: SparkSession) -> None:
    rows = [
        a_verdict(1, final=False),
        a_verdict(2, changed=False, final=True),
        a_verdict(3, value=None),
        a_verdict(4, final=True, because="least"),
    ]
    told: list[dict[str, Any]] = []
    Notifier(told.append, final=True)(Outputs(packed(spark, verdict=rows)).verdicts, 0)
    assert [(message["slide"], message["final"], message["because"]) for message in told] == [
        (2, True, None),
        (4, True, "least"),
    ]


# -- the whole run -----------------------------------------------------------------------------------


def test_two_runs_over_a_growing_folder_equal_the_local_monitor(spark: SparkSession, tmp_path: Path) -> None:
    """JSON lines, with bad ones among them; the second run goes on with new files and a new property."""
    folder, output = tmp_path / "in", tmp_path / "out"
    events = office_events("north")
    write_lines(folder / "1.jsonl", [*events[:90], *({**event, "group": "south"} for event in events)])
    bad = b'\xef\xbb\xbfno json\n\n{"group":"north","process":"phone","clock":{"phone":"x"},"state":{}}\n'
    (folder / "2.jsonl").write_bytes(bad + b'{"group":"east","state":"' + b"x" * 300_000 + b'"}\n')
    batches: list[BatchSummary] = []
    told: list[dict[str, Any]] = []
    options: dict[str, Any] = {
        "input": str(folder),
        "output": str(output),
        "checkpoint": str(tmp_path / "checkpoint"),
        "once": True,
        "on_batch": batches.append,
        "notify": told.append,
    }
    first = run(spark, SPEC, **options)
    assert (first.batches, first.events, first.rejects) == (1, 90 + len(events) + 1, 3)
    assert stored_rows(spark, output, "south") == local_rows(events)

    write_lines(folder / "3.jsonl", events[90:])
    fields = SPEC.to_dict()
    more = Spec.from_dict({**fields, "properties": {**fields["properties"], "on": "possibly(projector.on)"}})
    second = run(spark, more, **options)
    assert (second.batches, second.events) == (1, len(events) - 90)
    assert second.changes == ('properties.on: none -> "possibly(projector.on)"',)
    monitor = Monitor(SPEC)  # which takes the new property before its next event
    verdicts = [*monitor.observe_many(events[:90]), *monitor.change(more), *monitor.observe_many(events[90:])]
    plain = [json.loads(msgspec.json.encode(verdict)) for verdict in verdicts]
    assert stored_rows(spark, output, "north") == [row for row in plain if row["property"] in SPEC.properties]
    assert [batch.batch_id for batch in batches] == [0, 1]
    stored = read_output(spark, str(output), "verdicts").collect()
    assert len(stored) == first.verdicts + second.verdicts
    assert len(told) == sum(row["changed"] for row in stored) == len({message["id"] for message in told})

    rejects = {row["reason"]: row for row in read_output(spark, str(output), "rejects").collect()}
    wrong_clock, no_json, too_long = sorted(rejects)
    assert wrong_clock.startswith("clock entries must be integers")
    assert no_json.startswith("not valid JSON: ")
    assert too_long.startswith("the event has 300,027 bytes, and at most 262,144 are read")
    assert [rejects[reason]["group"] for reason in (wrong_clock, no_json, too_long)] == ["north", None, None]
    assert json.loads(rejects[no_json]["event"]) == {"line": "no json"}

    with pytest.raises(SpecError, match="delivery"):
        run(spark, Spec.from_dict({**fields, "delivery": "causal"}), **options)
    with pytest.raises(InvalidInput, match="another checkpoint"):
        run(spark, SPEC, **{**options, "checkpoint": str(tmp_path / "new")})


@pytest.mark.soak
def test_parquet_with_typed_columns_equals_the_local_monitor(spark: SparkSession, tmp_path: Path) -> None:
    from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

    events = office_events("north")
    rows = [(e["group"], e["process"], e["clock"], json.dumps(e["state"]), e["time"], e["arrival"]) for e in events]
    schema = "room string, process string, clock map<string, bigint>, state string, time string, arrival bigint"
    table = spark.createDataFrame(rows, schema)
    folder = tmp_path / "in"
    options: dict[str, Any] = {
        "input": str(folder),
        "output": str(tmp_path / "out"),
        "checkpoint": str(tmp_path / "checkpoint"),
        "once": True,
        "columns": {"group": "room"},
    }
    for part in (F.col("arrival") < 100, F.col("arrival") >= 100):
        table.where(part).write.mode("append").parquet(str(folder))
        run(spark, SPEC, **options)
    assert stored_rows(spark, tmp_path / "out", "north") == local_rows(events)
    with pytest.raises(InvalidInput, match="another format of the input: parquet -> jsonl"):
        run(spark, SPEC, **{**options, "format": "jsonl"})


def test_a_batch_that_could_not_be_told_is_told_at_the_next_start(spark: SparkSession, tmp_path: Path) -> None:
    write_lines(tmp_path / "in/1.jsonl", office_events("north"))
    options: dict[str, Any] = {
        "input": str(tmp_path / "in"),
        "output": str(tmp_path / "out"),
        "checkpoint": str(tmp_path / "checkpoint"),
        "once": True,
    }
    told: list[dict[str, Any]] = []

    def phone(message: dict[str, Any]) -> None:
        told.append(message)
        if len(told) > 2:
            raise ConnectionError("the phone is off")

    with pytest.raises(QueryFailed, match=r"^phone: tried 2 times, then gave up: the phone is off$"):
        run(spark, SPEC, notify=Notifier(phone, tries=2, sleep=lambda _: None), **options)
    assert len(told) == 4
    again: list[dict[str, Any]] = []
    run(spark, SPEC, notify=again.append, **options)
    assert again[:3] == told[:3]
    stored = stored_rows(spark, tmp_path / "out", "north")
    assert stored == local_rows(office_events("north"))
    assert len(again) == sum(row["changed"] for row in stored)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "no files yet"),
        (["a.csv", "_b.jsonl"], r"has a\.csv: give the format"),
        (["a.jsonl", "b.parquet"], "files of both formats"),
        (None, "does not exist"),
    ],
)
def test_a_format_that_cannot_be_guessed_is_asked_for(
    spark: SparkSession, tmp_path: Path, names: list[str] | None, message: str
) -> None:
    folder = tmp_path / "in"
    if names is not None:
        folder.mkdir()
        for name in names:
            (folder / name).touch()
    with pytest.raises(InvalidInput, match=message):
        guess_format(spark, str(folder))


def test_compressed_lines_are_lines(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.JSONL.gz").touch()
    assert guess_format(spark, str(tmp_path)) == "jsonl"


def test_inputs_that_cannot_be_watched(spark: SparkSession, tmp_path: Path) -> None:
    options: dict[str, Any] = {"output": str(tmp_path / "out"), "checkpoint": str(tmp_path / "checkpoint")}
    with pytest.raises(InvalidInput, match="is a file; only folders are watched"):
        run(spark, SPEC, input=str(OFFICE / "events.jsonl"), **options)
    folder = tmp_path / "in"
    folder.mkdir()
    with pytest.raises(InvalidInput, match="has no Parquet file yet"):
        run(spark, SPEC, input=str(folder), format="parquet", **options)
    (folder / "a.parquet").write_text("garbage")
    with pytest.raises(InvalidInput, match=r"cannot be read as Parquet: .* is not a Parquet file"):
        run(spark, SPEC, input=str(folder), **options)
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "checkpoint").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.soak)], ids=["SIGINT", "SIGTERM"]
)
def test_an_interrupt_stops_after_the_running_batch(
    spark: SparkSession, tmp_path: Path, number: signal.Signals
) -> None:
    """Two files, one a batch; the interrupt comes before the first batch is committed. The next run goes on."""
    events = office_events("north")
    write_lines(tmp_path / "in/1.jsonl", events[:100])
    write_lines(tmp_path / "in/2.jsonl", events[100:])
    options: dict[str, Any] = {
        "input": str(tmp_path / "in"),
        "output": str(tmp_path / "out"),
        "checkpoint": str(tmp_path / "checkpoint"),
        "max_files": 1,
    }
    before = signal.getsignal(number)

    def interrupt(batch: BatchSummary) -> None:
        if batch.batch_id == 0:
            os.kill(os.getpid(), number)

    first = run(spark, SPEC, on_batch=interrupt, **options)
    assert first.interrupted
    assert signal.getsignal(number) is before
    assert first.events >= 100
    second = run(spark, SPEC, once=True, **options)
    assert not second.interrupted
    assert stored_rows(spark, tmp_path / "out", "north") == local_rows(events)


def test_the_innermost_cause_of_a_long_error() -> None:
    text = "[X] Query terminated\nTraceback\n  File\nlatwin.errors.SnapshotError: another spec\n\tat java.lang.X\n"
    assert innermost_cause(RuntimeError(text)) == "another spec"
    assert innermost_cause(RuntimeError("Traceback\nKeyError: 'a'\n\tat x")) == "KeyError: 'a'"
    assert innermost_cause(RuntimeError("calling o1\n: java.io.IOException: no space\n\tat x")) == "no space"
    terminated = RuntimeError("[STREAM_FAILED] Query [id = 1] terminated with exception: no folder SQLSTATE: X")
    assert innermost_cause(terminated) == "no folder"
    assert innermost_cause(RuntimeError("plain")) == "plain"
    assert innermost_cause(RuntimeError()) == "RuntimeError"


# -- the commands ------------------------------------------------------------------------------------


def test_the_commands(spark: SparkSession, tmp_path: Path) -> None:
    """`run --once` and `replay` say the same, and exit as `check` does."""
    write_lines(tmp_path / "in/1.jsonl", office_events("north"))
    spec = tmp_path / "spec.toml"
    spec.write_text('never = ["mute"]\n' + (OFFICE / "spec.toml").read_text())
    source, output = str(tmp_path / "in"), str(tmp_path / "out")
    runner = CliRunner()
    places = ["--input", source, "--out", output, "--checkpoint", str(tmp_path / "checkpoint")]
    done = runner.invoke(app, ["run", str(spec), *places, "--once", "--watch", "--json"])
    assert done.exit_code == 1, done.output
    summary = json.loads(done.stdout)["summary"]
    assert (summary["rules"], summary["changes"], summary["refused"]) == (1, [], [])
    rows = local_rows(office_events("north"))
    came_true = sum(row["property"] == "mute" and row["value"] and row["changed"] for row in rows)
    assert summary["violations"] == {"mute": came_true}
    assert "batch 0: 204 events" in done.stderr
    assert stored_rows(spark, tmp_path / "out", "north") == rows

    done = runner.invoke(app, ["replay", str(spec), source, "--json"])
    assert done.exit_code == 1, done.output
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["verdict"]["slide"] for line in lines[:-1]] == [r["slide"] for r in local_rows(office_events("n"))]
    assert lines[-1]["summary"]["verdicts"] == summary["verdicts"]

    done = runner.invoke(app, ["replay", str(spec), source, "--out", output])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "holds results of another checkpoint" in done.stderr

    for arguments, message in (
        (["replay", str(spec), str(tmp_path / "nothing")], "does not exist"),
        (["replay", str(spec), source, "--conf", "x"], "--conf must be KEY=VALUE; got 'x'"),
        (["run", str(spec), *places, "--notify", "phone"], "notify: the URL must begin with"),
        (["run", str(spec), *places, "--notify-final"], "--notify-final needs --notify URL"),
        (["run", str(spec), *places, "--rules", "rules.toml"], "--rules must be a topic, kafka://HOST:PORT/TOPIC"),
        (["run", str(spec), *places, "--rules", "kafka://a:1/r", "--watch"], "from a topic; give one of them"),
        (["run", str(spec), *places, "--tick", "soon"], "--tick must be a duration with its unit"),
        (["run", str(spec), *places, "--notify", "http://a", "--notify-final", "--every"], "combined with --every"),
    ):
        done = runner.invoke(app, arguments)
        assert (done.exit_code, message in done.stderr) == (2, True), done.output


@pytest.mark.soak
def test_a_never_that_could_not_be_answered_is_told_at_every_start(spark: SparkSession, tmp_path: Path) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text(
        'processes = ["a", "b"]\nwindow = 3\nmax_cuts = 1\nnever = ["sum"]\n'
        '[properties]\nsum = "EX(a.x + b.x == 9)"\n'
    )
    places = ["--input", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    arguments = ["run", str(spec), *places, "--checkpoint", str(tmp_path / "checkpoint"), "--once"]
    told = "never: 'sum' could not be answered at 2 slides, where it was too large"
    for number in (1, 2):  # the second time nothing changes, and it is told again
        states = [
            {"group": group, "process": "a", "clock": [number, 0], "state": {"x": 1}, "arrival": number}
            for group in ("north", "south")
        ]
        write_lines(tmp_path / f"in/{number}.jsonl", states)
        done = CliRunner().invoke(app, arguments)
        assert (done.exit_code, told in done.stdout) == (3, True), done.output
    replay = ["replay", str(spec), str(tmp_path / "in"), "--json"]
    done = CliRunner().invoke(app, replay)
    assert json.loads(done.stdout.splitlines()[-1])["summary"]["unanswered"] == {"sum": 4}
    assert (done.exit_code, CliRunner().invoke(app, [*replay, "--allow-unanswered"]).exit_code) == (3, 0)
    assert read_output(spark, str(tmp_path / "out"), "metrics").count() == 4


def test_without_spark_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    done = CliRunner().invoke(app, ["replay", str(OFFICE / "spec.toml"), str(tmp_path)])
    assert done.exit_code == 2
    assert "pip install 'latwin[spark]'" in done.stderr
