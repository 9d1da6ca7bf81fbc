"""Logs on Spark: the same verdicts as the local check, and every problem a reject."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("pyspark")

from latwin import InvalidInput
from latwin.cli import app
from latwin.formats import Options
from latwin.spark import Reading, file_source, read_output, source_outputs
from latwin.spark.rules import Rules
from latwin.spark.sources.files import guess_format
from latwin.spark.sources.logs import LogMapper, group_of_file
from latwin.spec import Spec
from made_up_logs import LOGS
from pipelines import run
from raft_log import RAFT, SPEC

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BROKEN = RAFT.replace('n2 {"n1":1, "n2":2}\ntimed out\n', "") + 'n3 {"n3":1}\nhello\nn1 {x}\n?\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "good run.log").write_text(RAFT)
    (logs / "broken.log").write_text(BROKEN)
    (logs / "two.log").write_text(f"== calm\n{RAFT[:100]}\n== split\n{RAFT}")
    (tmp_path / "spec.toml").write_text(SPEC)
    return logs


def local_verdicts(spec: Path, log: Path, *options: str) -> list[dict[str, Any]]:
    result = CliRunner().invoke(app, ["check", str(spec), str(log), "--format", "govector", "--json", *options])
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    return [row["verdict"] for row in rows if "verdict" in row]


def test_a_folder_of_logs(spark: SparkSession, folder: Path, tmp_path: Path) -> None:
    spec = Spec.load(tmp_path / "spec.toml")
    options = Options(delimiter="^== (?<trace>.*)$")
    done = run(
        spark,
        spec,
        input=str(folder),
        output=str(tmp_path / "out"),
        checkpoint=str(tmp_path / "checkpoint"),
        once=True,
        format="govector",
        log_options=options,
        max_files=1,
    )
    rows = [row.asDict() for row in read_output(spark, str(tmp_path / "out"), "verdicts").collect()]
    found = {(row["group"], row["property"], row["slide"], row["value"]) for row in rows}
    expected = set()
    for log, group in (("good run", "good run/0"), ("broken", "broken/0"), ("two", "two/split")):
        text = (folder / f"{log}.log").read_text()
        single = tmp_path / "single.log"
        single.write_text(text.partition("== split\n")[2] or text)
        for verdict in local_verdicts(tmp_path / "spec.toml", single, "--lenient"):
            expected.add((group, verdict["property"], verdict["slide"], verdict["value"]))
    assert found == expected
    assert len(expected) == 3
    rejects = [row.reason for row in read_output(spark, str(tmp_path / "out"), "rejects").collect()]
    assert done.rejects == len(rejects)
    assert "broken.log:7: process 'n2', event 3: a gap: 2 of this process is missing" in rejects
    assert any(reason.startswith("broken.log:9: process 'n3', event 1: the spec does not list") for reason in rejects)
    assert any(reason.startswith("broken.log:11: process 'n1', event 0: the clock is no JSON") for reason in rejects)


@pytest.mark.parametrize(
    ("path", "root", "group"),
    [
        ("file:///logs/run.1.log", "/logs/", "run.1"),
        ("file:///logs/run.2.log.gz", "file:///logs", "run.2"),
        ("hdfs://host/logs/day=1/run.log", "hdfs://host/logs", "day=1/run"),
        ("file:///logs/good%20run", "/logs/good run", "good run"),
        ("file:///else/run.log", "/logs", "run"),
    ],
)
def test_files_are_groups_of_their_own(path: str, root: str, group: str) -> None:
    assert group_of_file(path, root) == group


def test_a_log_in_which_nothing_is_found_is_a_reject() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 1, "properties": {}})
    reader = LogMapper(Rules.of(spec), "govector", Options(), "file", "/logs")
    (envelope,) = reader.read(b"nothing\nof use\n", "file:///logs/x.log", spec)
    assert (envelope.group, envelope.problem) == (None, "x.log: no events found as govector")
    assert list(reader.read(b"", "file:///logs/x.log", spec)) == []


def test_a_log_whose_expression_never_ends_is_a_reject(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latwin.events.expressions.SECONDS", 0.05)
    spec = Spec.from_dict({"processes": ["n1"], "window": 2})
    reader = LogMapper(Rules.of(spec), "shiviz", Options(), "file", "/logs")
    text = "(?<host>h)?(?<clock>c)?(?<event>(a|aa)+$)\n" + "a" * 500 + "!"
    (envelope,) = reader.read(text.encode(), "/logs/x.log", spec)
    assert envelope.group is None
    assert "x.log: the regular expression takes too long on a text of 501 characters" in str(envelope.problem)


def test_a_log_without_an_expression_is_a_reject(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "x.log").write_text("nothing\nof use\n")
    spec = Spec.from_dict({"processes": ["a"], "window": 1, "properties": {"x": "possibly(a.x)"}})
    source = file_source(spark, spec, str(tmp_path), Reading(format="shiviz"))
    outputs = source_outputs(source, spec)
    (reject,) = outputs.rejects.collect()
    assert reject.reason.startswith("x.log: line 1: no expression with named groups there")
    assert outputs.verdicts.count() == 0


def test_logs_are_recognised_by_the_first_of_them(spark: SparkSession, tmp_path: Path) -> None:
    logs, traces = tmp_path / "logs", tmp_path / "traces"
    for folder in (logs, traces):
        folder.mkdir()
    (logs / "one.log").write_text(RAFT)
    expression = r"(?<host>\S+) (?<clock>{.*})\n(?<event>.*)"
    (logs / "two.log").write_text(f"{expression}\n\n{RAFT}")
    assert guess_format(spark, str(logs)) == guess_format(spark, str(logs / "two.log")) == "shiviz"
    outputs = source_outputs(file_source(spark, Spec.loads(SPEC), str(logs)), Spec.loads(SPEC))
    found = {(row["group"], row["property"], row["value"]) for row in outputs.verdicts.collect()}
    assert found == {(name, "two_leaders", True) for name in ("one", "two")}
    (traces / "some.trace").write_text(LOGS["zipkin, indented"].text)
    with pytest.raises(InvalidInput, match="has zipkin, which have no clocks; derive them first: latwin clocks "):
        guess_format(spark, str(traces))
    (traces / "some.trace").write_text("hello\n")
    with pytest.raises(InvalidInput, match="give the format; its format cannot be told: line 1 is 'hello'"):
        guess_format(spark, str(traces))


def test_an_order_is_for_logs(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_text('{"process": "n1", "clock": {"n1": 1}, "state": {}}\n')
    with pytest.raises(InvalidInput, match=r"an order and a delimiter are for logs; the input .* has jsonl"):
        file_source(spark, Spec.loads(SPEC), str(tmp_path), Reading(order="causal"))
