"""`latwin clocks`: with and without Spark the same, and ready for `latwin check` and `latwin replay`."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from latwin import InvalidInput
from latwin.cli import app
from latwin.sim import random_computation
from made_up_logs import LOGS
from otlp import OTHER, TRACE, request, span
from otlp import lines as otlp_lines

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "examples/traces/shop.jsonl"
MISTAKES = [
    {"group": "g", "svc": "a", "n": 1, "out": "m", "x": 1},
    {"group": "g", "svc": "b", "n": 1, "in": ["m", "nowhere"], "x": 2.0},
    {"group": "g", "svc": "b", "n": 1, "x": "é"},
    {"group": "h", "svc": "a", "n": 1, "out": "p", "in": "q"},
    {"group": "h", "svc": "b", "n": 1, "out": "q", "in": "p"},
    {"group": "h", "svc": "c", "n": 1},
    {"svc": "a"},
    [1],
]
NAMES = [word for name in ("process=svc", "order=n", "sent=out", "received=in") for word in ("--name", name)]


def clocks(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["clocks", *map(str, arguments)])


def rows(folder: Path) -> list[dict[str, Any]]:
    """All JSON lines of a folder, if there is one, in an order of their own."""
    found = [
        json.loads(line) for file in folder.glob("*.jsonl") for line in file.read_text(encoding="utf-8").splitlines()
    ]
    return sorted(found, key=json.dumps)


def write(path: Path, *documents: Any) -> Path:
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in documents), encoding="utf-8")
    return path


def random_steps(seed: int, groups: int) -> list[dict[str, Any]]:
    """Random computations with their clocks stripped, shuffled."""
    steps = []
    for group in range(groups):
        states = random_computation(4, 40, 0.6, seed + group)
        known = {(process, clock[process]): clock for process, clock, _ in states}
        for process, clock, value in states:
            before = known.get((process, clock[process] - 1), (0,) * 4)
            heard = [f"{j}.{entry}" for j, entry in enumerate(clock) if j != process and entry > before[j]]
            index = clock[process]
            steps.append(
                {
                    "group": f"g{group}",
                    "process": f"p{process}",
                    "order": index,
                    "sent": f"{process}.{index}",
                    "received": heard,
                    "state": {"value": value, "clock": list(clock)},
                }
            )
    random.Random(seed).shuffle(steps)
    return steps


def test_steps_to_events_that_can_be_checked(tmp_path: Path) -> None:
    log = write(
        tmp_path / "log.jsonl",
        {"process": "phone", "order": 1, "sent": "m1", "here": True},
        {"process": "phone", "order": 2, "here": False},
        {"process": "projector", "order": 1, "received": "m1", "on": True},
    )
    result = clocks(log, "--out", tmp_path / "events.jsonl")
    assert result.exit_code == 0, result.output
    assert "groups  processes  events  messages  problems  rejected" in result.stdout
    assert "     1          2       3         1         0         0" in result.stdout
    assert "processes: phone, projector" in result.stdout
    assert not (tmp_path / "events.problems.jsonl").exists()
    spec = tmp_path / "spec.toml"
    spec.write_text(
        'processes = ["phone", "projector"]\nwindow = 4\n[properties]\n'
        'both = "possibly(phone.here and projector.on)"\n'
    )
    checked = CliRunner().invoke(app, ["check", str(spec), str(tmp_path / "events.jsonl")])
    assert "both      true" in checked.stdout
    assert "3 delivered, 0 waiting" in checked.stdout


def test_traces_to_a_question(tmp_path: Path) -> None:
    """Two calls at once possibly overlap, one after the other they cannot, whatever the services' clocks say."""
    assert clocks(SHOP, "--out", tmp_path / "out").exit_code == 0
    events = rows(tmp_path / "out/events")
    assert len(events) == 20
    spec = str(ROOT / "examples/traces/spec.toml")
    values = {}
    for group in {event["group"] for event in events}:
        mine = sorted((e for e in events if e["group"] == group), key=lambda event: event["arrival"])
        path = write(tmp_path / f"{group}.jsonl", *mine)
        checked = CliRunner().invoke(app, ["check", spec, str(path), "--json"])
        summary = json.loads(checked.stdout.splitlines()[-1])["summary"]
        values[group[-1]] = {name: found["became_true"] > 0 for name, found in summary["properties"].items()}
        assert (summary["delivered"], summary["rejected"], summary["waiting"]) == (10, 0, 0)
    assert values == {"1": {"both": True, "surely": False}, "2": {"both": False, "surely": False}}


def test_mistakes_are_told_and_counted(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", *MISTAKES)
    result = clocks(log, "--out", tmp_path / "out", *NAMES)
    assert result.exit_code == 1
    assert "     2          3       3         3         6         5" in result.stdout
    assert "(2 cycle, 1 missing send, 1 tie, 2 unreadable)" in result.stdout
    assert "group 'h', process 'a', step 1: cycle: on a cycle: 'a' at 1 received 'q' of 'b' at 1" in result.stderr
    assert "unreadable: expected a JSON object" in result.stderr
    problems = rows(tmp_path / "out/problems")
    assert len(problems) == 6
    assert all(problem["row"] for problem in problems)
    found = json.loads(clocks(log, "--out", tmp_path / "o.jsonl", *NAMES, "--json", "--missing", "ignore").stdout)
    assert found["problems"] == {"cycle": 2, "tie": 1, "unreadable": 2}
    assert found["ignored"] == {"messages that nobody sent": 1}
    assert found["problems_in"] == str(tmp_path / "o.problems.jsonl")
    assert (found["groups"], found["events"], found["processes"]) == (2, 3, ["a", "b", "c"])


def test_only_some_problems_are_printed(tmp_path: Path) -> None:
    steps = [{"process": "a", "order": k, "received": f"m{k}"} for k in range(30)]
    result = clocks(write(tmp_path / "log.jsonl", *steps), "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert result.stderr.count("missing send: ") == 20
    assert "... and 10 more in " in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.jsonl"], "the input nothing.jsonl does not exist"),
        (["log.jsonl", "--name", "process"], "--name must be OURS=THEIRS, such as process=service; got 'process'"),
        (["log.jsonl", "--name", "clock=vc"], "names: unknown field 'clock'"),
        (["log.jsonl", "--write", "parquet", "--no-spark"], "Parquet is written by Spark"),
        (["log.jsonl", "--format", "parquet", "--no-spark"], "without Spark the input must be one file of JSON"),
        (["log.jsonl", "--spark", "--out", "x.jsonl"], "--out must be a folder if Spark writes there"),
        (["log.jsonl", "--out", "log.jsonl"], "--out must be a new file or folder; log.jsonl is there already"),
        (["log.jsonl", "--no-spark", "--out", "hdfs://x/y"], "without Spark --out must be a path; got hdfs://x/y"),
        (["log.jsonl", "--out", "hdfs://x/y.jsonl"], "--out must be a folder if Spark writes there"),
        (["log.jsonl", "--out", "full"], "--out must be a new or empty folder"),
        (["log.jsonl", "--format", "otlp"], "no steps found as otlp: not OTLP/JSON traces"),
        (["empty.jsonl"], "empty.jsonl: no steps found as jsonl: there is nothing in it"),
        (["bad.jsonl"], "bad.jsonl: no steps found as jsonl: not valid JSON"),
    ],
)
def test_what_cannot_be_used(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "log.jsonl", {"process": "a", "order": 1})
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "bad.jsonl").write_text("{\n")
    (tmp_path / "full").mkdir()
    write(tmp_path / "full/x.jsonl", 1)
    result = clocks(*arguments, *([] if "--out" in arguments else ["--out", "out"]))
    assert (result.exit_code, words in result.stderr) == (2, True), result.output
    assert not (tmp_path / "out").exists()


# -- on Spark ----------------------------------------------------------------------------------------


def test_spark_gives_the_same(spark: SparkSession, tmp_path: Path) -> None:
    """Steps with mistakes, random ones of many groups, and traces of every kind, as lines and as a whole file."""
    traces = otlp_lines(
        request("a", span(1, 0, 30, "x", kind="client", links=[(OTHER, 4)]), span(2, 5, 50), instance="1"),
        request("b", span(3, 5, 15, parent=1, kind="server"), span(3, 5, 15, parent=1, kind="server")),
        request("b", span(4, 9, 8, parent=77, trace=OTHER, links=[(TRACE, 1)]), "no span"),
    )
    whole = {"resourceSpans": [each for line in traces.splitlines() for each in json.loads(line)["resourceSpans"]]}
    (tmp_path / "traces.jsonl").write_text(traces + "{\n")
    (tmp_path / "whole.json").write_text(json.dumps(whole, indent=1))
    cases: dict[str, list[object]] = {
        "mistakes": [write(tmp_path / "mistakes.jsonl", *MISTAKES), *NAMES],
        "random": [write(tmp_path / "random.jsonl", *random_steps(11, 30))],
        "traces": [tmp_path / "traces.jsonl"],
        "all": [tmp_path / "traces.jsonl", "--group-by", "all", "--missing", "reject"],
        "whole": [tmp_path / "whole.json"],
        "shop": [SHOP],
    }
    for name, arguments in cases.items():
        here = clocks(*arguments, "--out", tmp_path / "here" / name, "--json")
        there = clocks(*arguments, "--out", tmp_path / "there" / name, "--json", "--spark")
        assert here.exit_code == there.exit_code, there.output
        mine, theirs = json.loads(here.stdout), json.loads(there.stdout)
        for counted in ("groups", "events", "messages", "rejected", "processes", "problems", "ignored"):
            assert mine[counted] == theirs[counted], (name, counted)
        for table in ("events", "problems"):
            assert rows(tmp_path / "there" / name / table) == rows(tmp_path / "here" / name / table), (name, table)


def test_uris(spark: SparkSession, tmp_path: Path) -> None:
    """They stay as they are given, on both sides; what is written there is what Spark writes to a path."""
    out = (tmp_path / "out").as_uri()
    result = clocks(SHOP.as_uri(), "--out", f"{out}/", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["events_in"] == f"{out}/events"
    assert clocks(SHOP, "--out", tmp_path / "here").exit_code == 0
    assert rows(tmp_path / "out/events") == rows(tmp_path / "here/events") != []
    again = clocks(SHOP, "--out", out)
    assert (again.exit_code, f"--out must be a new or empty folder; {out} is not" in again.stderr) == (2, True)


@pytest.mark.soak
def test_clocks_of_data_frames(spark: SparkSession, tmp_path: Path) -> None:
    """Parquet in, Parquet out, straight into `replay`; the clocks are those that were stripped."""
    from latwin import Spec
    from latwin.spark import derive_clocks, replay

    steps = random_steps(5, 8)
    schema = (
        "group string, process string, order bigint, sent string, received array<string>, "
        "state struct<value: bigint, clock: array<bigint>>"
    )
    frame = spark.createDataFrame(steps, schema)
    frame.withColumnRenamed("order", "seq").write.parquet(str(tmp_path / "steps"))
    arguments = (tmp_path / "steps", "--out", tmp_path / "out", "--name", "order=seq", "--write", "parquet", "--json")
    result = clocks(*arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["events"] == len(steps)
    events = spark.read.parquet(str(tmp_path / "out/events"))
    for row in events.collect():
        stripped = json.loads(row["state"])["clock"]
        assert row["clock"] == {f"p{k}": entry for k, entry in enumerate(stripped) if entry}
    spec = Spec.from_dict(
        {
            "processes": [f"p{k}" for k in range(4)],
            "window": 3,
            "delivery": "causal",
            "properties": {"two": "possibly(p0.value + p1.value + p2.value + p3.value >= 2)"},
        }
    )
    verdicts = replay(events, spec, every=True)
    assert verdicts.count() == len(steps)
    derived = derive_clocks(frame)
    assert derived.problems.count() == 0
    assert derived.tally().groups == 8
    with pytest.raises(InvalidInput, match="the steps lack the column 'seq' for 'order'; fields are group, process"):
        derive_clocks(frame, columns={"order": "seq"})


def test_timestamps_order_steps_to_the_microsecond(spark: SparkSession) -> None:
    from latwin.spark import derive_clocks

    frame = spark.sql(
        "select 'a' as process, timestamp'2026-01-01 00:00:00.000002' as order, 2 as x union all "
        "select 'a', timestamp'2026-01-01 00:00:00.000001', 1"
    )
    derived = derive_clocks(frame)
    assert [(row["clock"]["a"], json.loads(row["state"])) for row in derived.events.orderBy("arrival").collect()] == [
        (1, {"x": 1}),
        (2, {"x": 2}),
    ]
    broken = derive_clocks(frame.selectExpr("process", "1 as order", "x"))
    (problem,) = broken.problems.collect()
    assert (problem["kind"], problem["process"], problem["order"], problem["rejected"]) == ("tie", "a", "1", True)


@pytest.mark.parametrize(
    "name",
    [
        "jaeger",
        "otlp, indented",
        *(pytest.param(name, marks=pytest.mark.soak) for name in ("jaeger, indented", "zipkin", "zipkin, indented")),
    ],
)
@pytest.mark.usefixtures("spark")
def test_traces_of_all_kinds_on_spark(tmp_path: Path, name: str) -> None:
    """Told by their content, and the same as without Spark, also of a compressed file."""
    trace, packed = tmp_path / "trace.json", tmp_path / "packed.json.gz"
    trace.write_text(LOGS[name].text)
    packed.write_bytes(gzip.compress(LOGS[name].text.encode()))
    for folder, arguments in (("here", [trace]), ("unpacked", [packed]), ("spark", [trace, "--spark"])):
        assert clocks(*arguments, "--out", tmp_path / folder).exit_code == 0
    assert len(rows(tmp_path / "here/events")) == 4
    assert rows(tmp_path / "here/events") == rows(tmp_path / "spark/events") == rows(tmp_path / "unpacked/events")
