"""The live office: real programs that report, a pipeline that tells the phone, and a clean end of all of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import msgspec
import pytest
from typer.testing import CliRunner

pytest.importorskip("pyspark")

from latwin.cli import app
from latwin.demo.device import Settings
from latwin.demo.live import Happening, LiveOffice
from latwin.process.collector import Collector
from latwin.spark import read_output

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEED = 15


def start(name: str, report_to: str, folder: Path) -> subprocess.Popen[str]:
    settings = Settings(
        name=name,
        group="office",
        report_to=report_to,
        journal=str(folder / f"{name}.journal"),
        seed=SEED,
        false_mean_s=0.01,
        true_mean_s=0.01,
        delay_mean_s=0.01,
    )
    return subprocess.Popen(
        [sys.executable, "-m", "latwin.demo.device", msgspec.json.encode(settings).decode()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.soak
def test_the_pipeline_mutes_the_phone(spark: SparkSession, tmp_path: Path) -> None:
    heard: list[Happening] = []
    office = LiveOffice(tmp_path, seconds=8, seed=SEED, on_happening=heard.append)
    done = office.run(spark)
    assert done.is_equal
    assert not done.was_interrupted
    assert done.states > 0
    assert {said.kind for said in heard} <= {"happens", "hears", "acts", "rests"}
    assert sum(said.text for said in heard if said.kind == "rests") == done.states
    mutes = [
        row.value
        for row in read_output(spark, str(tmp_path / "output"), "verdicts").orderBy("slide").collect()
        if row.property == "mute" and row.changed
    ]
    acts = [said.text.startswith("mutes itself") for said in heard if said.kind == "acts"]
    assert acts == mutes  # each verdict reached the phone, once, in order


def test_the_phone_acts_at_rest_without_a_state(tmp_path: Path) -> None:
    with Collector(tmp_path / "events", gather_s=0.05) as collector:
        phone = start("phone", collector.url, tmp_path)
        assert phone.stdin is not None
        assert phone.stdout is not None
        port = json.loads(phone.stdout.readline())["verdicts"]
        phone.stdin.write("{}\n")
        phone.stdin.flush()
        tell(port, id="1", property="mute", value=True)
        assert heard(phone, "acts") == "mutes itself"
        phone.stdin.write("rest\n")
        phone.stdin.flush()
        states = heard(phone, "rests")
        tell(port, id="2", property="mute", value=False)
        tell(port, id="2", property="mute", value=False)  # told again, it does not act again
        tell(port, id="3", property="mute", value=True)
        assert heard(phone, "acts") == "rings again, at rest: without a state"
        assert heard(phone, "acts") == "mutes itself, at rest: without a state"
        output, errors = phone.communicate(timeout=60)
    assert (phone.returncode, output, errors) == (0, "", "")
    lines = [line for path in (tmp_path / "events").glob("*.jsonl") for line in path.read_text().splitlines()]
    assert len({json.loads(line)["clock"]["phone"] for line in lines}) == states
    assert any(json.loads(line)["state"].get("muted") for line in lines)


def tell(port: int, **message: Any) -> None:
    with urlopen(f"http://127.0.0.1:{port}/", data=json.dumps(message).encode(), timeout=60) as answer:
        assert answer.status == 204


def heard(device: subprocess.Popen[str], kind: str) -> Any:
    """The next thing of a kind that a device says."""
    assert device.stdout is not None
    return next(said[kind] for said in map(json.loads, device.stdout) if kind in said)


@pytest.mark.parametrize("is_told_to_rest", [True, False])
def test_a_device_reports_everything_before_it_ends(tmp_path: Path, is_told_to_rest: bool) -> None:
    """Also when whoever started it is gone: then its input ends."""
    with Collector(tmp_path / "events", gather_s=0.05) as collector:
        device = start("rfid", collector.url, tmp_path)
        assert device.stdin is not None
        assert device.stdout is not None
        assert json.loads(device.stdout.readline())["listens"] > 0
        device.stdin.write("{}\n")
        device.stdin.flush()
        for _ in range(10):
            device.stdout.readline()
        output, errors = device.communicate("rest\n" if is_told_to_rest else None, timeout=60)
    assert (device.returncode, errors) == (0, "")
    lines = [line for path in (tmp_path / "events").glob("*.jsonl") for line in path.read_text().splitlines()]
    indices = sorted(json.loads(line)["clock"]["rfid"] for line in lines)
    assert indices == list(range(1, len(indices) + 1))
    assert len(indices) >= 10
    if is_told_to_rest:
        assert json.loads(output.splitlines()[-1]) == {"rests": len(indices)}


def test_a_device_that_cannot_start_says_why(tmp_path: Path) -> None:
    device = start("rfid", "ftp://nowhere", tmp_path)
    output, _ = device.communicate(timeout=60)
    assert device.returncode == 2
    assert "the URL must be like http://" in json.loads(output)["fails"]


def test_wrong_options(tmp_path: Path) -> None:
    result: Any = CliRunner().invoke(app, ["demo", "--kafka", "x:1/t", "--out", str(tmp_path)])
    assert (result.exit_code, "--kafka goes with --live" in result.stderr) == (2, True)
