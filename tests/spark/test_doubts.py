"""Slides without a cut and what was never seen, on Spark: the same as from local monitors, gathered over groups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("pyspark")

import host_by_host
from latwin.cli import app
from latwin.monitor import Monitor
from latwin.spark.sinks.folder import read_output
from latwin.spec import Spec

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TEXT = """
processes = ["client", "server"]
window = 1
never = ["both"]
[properties]
both = "possibly(client.op == 'asks' and server.opp)"
late = "possibly(client.late)"
"""


def rows(group: str, count: int) -> list[dict[str, Any]]:
    """The first events of the client, which know the server's; of the south, one says that it is late."""
    events = [{"group": group, "arrival": k, **event} for k, event in enumerate(host_by_host.events())][1:count]
    if group == "south":
        events[-1]["state"]["late"] = True
    for event in events:
        event["clock"]["client"] -= 1
    return events


def summary_of(done: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])["summary"]
    return found


@pytest.mark.soak
def test_spark_says_what_check_says(spark: SparkSession, tmp_path: Path) -> None:
    """`replay` in one batch, `run` in two; metrics are those of local monitors."""
    spec = tmp_path / "spec.toml"
    spec.write_text(TEXT)
    folder = tmp_path / "in"
    folder.mkdir()
    groups = {"north": rows("north", 9), "south": rows("south", 7)}
    for number in range(2):
        some = [event for events in groups.values() for event in (events[:4], events[4:])[number]]
        (folder / f"{number}.jsonl").write_text("".join(json.dumps(event) + "\n" for event in some))
    together = tmp_path / "together.jsonl"
    together.write_text("".join(path.read_text() for path in sorted(folder.iterdir())))
    local = CliRunner().invoke(app, ["check", str(spec), str(together), "--json"])
    expected = [json.loads(line)["summary"] for line in local.stdout.splitlines() if "summary" in line]
    assert expected[0]["warnings"] == [
        "server reported nothing: no state of it was delivered",
        "client.op never equalled 'asks'; values seen: 'idle', 'ask'; did you mean 'ask'?",
    ]
    assert local.exit_code == 3

    output = tmp_path / "out"
    places = ["--input", str(folder), "--output", str(output), "--checkpoint", str(tmp_path / "checkpoint")]
    once = ["run", str(spec), *places, "--once", "--max-files", "1"]
    for arguments in (once, ["replay", str(spec), str(folder)]):
        done = CliRunner().invoke(app, [*arguments, "--json"])
        summary = summary_of(done)
        assert summary["warnings"] == expected[0]["warnings"], done.output
        assert summary["slides"] == sum(each["delivered"] for each in expected)
        assert summary["empty"] == sum(each["empty"] for each in expected)
        assert summary["groups_without_cuts"] == 2
        assert done.exit_code == 3
    monitors = {group: Monitor(Spec.load(spec)) for group in groups}
    for group, monitor in monitors.items():
        monitor.observe_many(groups[group])
    found = read_output(spark, str(output), "metrics").where("batch = 1").collect()
    assert {row["group"]: (row["empty"], row["unseen"]) for row in found} == {
        group: (monitor.counters.empty, monitor.unseen()) for group, monitor in monitors.items()
    }

    done = CliRunner().invoke(app, ["replay", str(spec), str(folder), "--allow-unanswered"])
    assert done.exit_code == 0
    slides = summary["slides"]
    assert (
        f"  no cut at {slides} of {slides} slides, where every property is false: the order of the events is not an "
        "order of arrival; give them an `arrival`, or a log --order causal\n"
    ) in done.stdout
    assert "never: 'both' could not be answered in 2 groups without a cut at any slide\n" in done.stdout
    assert [line for line in done.stderr.splitlines() if "warning" in line] == [
        f"warning: {warning}" for warning in summary["warnings"]
    ]


@pytest.mark.soak
def test_a_log_is_taken_in_the_order_that_check_chooses(spark: SparkSession, tmp_path: Path) -> None:
    """Causally if the order of its lines leaves the lattice empty; other logs beside it stay as they are."""
    del spark
    spec, folder = tmp_path / "spec.toml", tmp_path / "logs"
    spec.write_text(host_by_host.SPEC)
    folder.mkdir()
    (folder / "host.log").write_text(host_by_host.shiviz())
    (folder / "calm.log").write_text('client {"client": 1}\nask\nserver {"server": 1}\nidle\n')
    checked = CliRunner().invoke(app, ["check", str(spec), str(folder / "host.log"), "--json"])
    expected = [line["verdict"] for line in map(json.loads, checked.stdout.splitlines()) if "verdict" in line]
    done = CliRunner().invoke(app, ["replay", str(spec), str(folder), "--json"])
    found = [line["verdict"] for line in map(json.loads, done.stdout.splitlines()) if "verdict" in line]
    told = [(row["slide"], row["process"], row["index"], row["value"]) for row in found]
    assert told == [(row["slide"], row["process"], row["index"], row["value"]) for row in expected]
    assert (done.exit_code, checked.exit_code, summary_of(done)["reordered"]) == (1, 1, 1), done.output
    said = CliRunner().invoke(app, ["replay", str(spec), str(folder)]).stdout
    assert (
        "  1 group taken in causal order: in the order of the file most slides have no cut; --order file takes the "
        "order of the file\n"
    ) in said
    kept = summary_of(CliRunner().invoke(app, ["replay", str(spec), str(folder), "--order", "file", "--json"]))
    assert kept["reordered"] == 0
    assert kept["empty"] > kept["slides"] / 2
