"""The lines of JSON that a pipeline writes with `--log json`, and other options of its operation, without Spark."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark")

from commands import failure, run
from latwin.cli.run_log import JsonLog
from latwin.spark.checkpoint import Checkpoint
from latwin.spark.loop import Ending, Restart, RunSummary
from latwin.spark.rules import Rules
from latwin.spark.sinks import BatchSummary
from latwin.spark.watching import Refused
from latwin.spec import Spec

SPEC = Spec.from_dict({"processes": ["a"], "window": 1})


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_one_line_a_batch_with_what_spark_says_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    log = JsonLog(clock=lambda: "now")
    log.started(Checkpoint("id", is_new=True, rules=Rules.of(SPEC)))
    log.batch(BatchSummary(0, events=3, verdicts=1, rejects=2, rejects_by_kind={"late": 2}))
    log.progress({"batchId": 0, "durationMs": {"triggerExecution": 250}})
    log.progress({"batchId": 0, "durationMs": {"triggerExecution": 250}})
    log.batch(BatchSummary(1, events=4))
    log.batch(BatchSummary(2, events=5))
    log.restart(Restart(1, 3, "a worker was\nlost"))
    log.refused(Refused("wrong\x1b[31m"))
    log.ended(RunSummary(batches=3))
    log.failed("all is lost")
    found = lines(capsys)
    assert [line["what"] for line in found] == [
        *("start", "batch", "batch", "batch", "restart", "refused", "end", "error")
    ]
    assert all(line["at"] == "now" for line in found)
    first = found[1]
    assert (first["batch"], first["events"], first["rejects_by_kind"]) == (0, 3, {"late": 2})
    assert first["last_batch_seconds"] == 0.25
    assert [line["batch"] for line in found[1:4]] == [0, 1, 2]
    assert "last_batch_seconds" not in found[2]
    assert found[4]["cause"] == "a worker was\nlost"
    assert found[6]["batches"] == 3
    assert found[7]["message"] == "all is lost"


def test_time_is_told_in_utc(capsys: pytest.CaptureFixture[str]) -> None:
    JsonLog().failed("x")
    assert lines(capsys)[0]["at"].endswith("Z")


def test_an_end_that_was_asked_for_once_becomes_overdue() -> None:
    asked = False
    patient, impatient = (Ending(lambda: asked, seconds) for seconds in (3600.0, 0.0))
    assert not patient.is_asked()
    assert not impatient.is_overdue()
    asked = True
    assert patient.is_asked()
    assert impatient.is_overdue()
    asked = False
    assert patient.is_asked()
    assert not patient.is_overdue()


# -- the command, before Spark starts ----------------------------------------------------------------------


def places(folder: Path) -> list[str]:
    return ["--input", str(folder), "--out", str(folder / "out"), "--checkpoint", str(folder / "state")]


def test_a_duration_needs_its_unit(two: str, tmp_path: Path) -> None:
    said = failure("run", two, *places(tmp_path), "--stop-within", "60")
    assert said == "--stop-within must be a duration with its unit (ms, s, min, h), such as 10s; got '60'"


def test_a_port_that_is_taken_ends_the_command_before_spark_starts(two: str, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        arguments = [two, *places(tmp_path), "--metrics-port", str(taken.getsockname()[1])]
        assert failure("run", *arguments).startswith("metrics cannot be served on 127.0.0.1, port ")
        done = run("run", *arguments, "--log", "json")
        assert done.exit_code == 2
        line = json.loads(done.stderr)
        assert line["what"] == "error"
        assert line["message"].startswith("metrics cannot be served on 127.0.0.1, port ")


def test_a_server_of_spark_connect_is_no_master(two: str, tmp_path: Path) -> None:
    said = failure("run", two, *places(tmp_path), "--master", "sc://127.0.0.1:15002")
    assert said.startswith("sc://127.0.0.1:15002 is a server of Spark Connect")
    assert "detect, replay and outputs work there" in said
