"""End to end: services with OpenTelemetry's SDK, a race between them that `possibly` finds; none after the fix."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

from killing import PATIENCE_S
from latwin.cli import app
from shop_system import SPEC, order_in_time, running, stopped


def verdicts(output: str) -> list[tuple[str, bool]]:
    lines = [json.loads(line) for line in output.splitlines()]
    return [(line["verdict"]["property"], line["verdict"]["value"]) for line in lines if "verdict" in line]


@pytest.mark.slow
def test_a_race_between_services_is_found_live(tmp_path: Path) -> None:
    """The watcher runs while the services do; first the racing order, then, in the same system, the fixed one."""
    spec, folder = tmp_path / "spec.toml", tmp_path / "spans"
    spec.write_text(SPEC)
    folder.mkdir()
    watch = [sys.executable, "-m", "latwin", "watch", str(spec), str(folder), "--clocks", "--json"]
    serve = [sys.executable, "-m", "latwin", "serve", str(spec), str(folder), "--clocks", "--port", "0", "--no-open"]
    waits = ["--max-wait", "5s"]
    with running(folder) as shop:
        order_in_time(shop, "racing", within_s=5)
        watching = subprocess.Popen([*watch, *waits], stdout=subprocess.PIPE, text=True)
        serving = subprocess.Popen([*serve, *waits], stdout=subprocess.PIPE, text=True)
        with stopped(watching), stopped(serving):
            assert watching.stdout is not None
            assert serving.stdout is not None
            line = next(row for row in map(json.loads, watching.stdout) if "verdict" in row)
            assert (line["verdict"]["property"], line["verdict"]["value"]) == ("race", True)
            url = serving.stdout.readline().split()[0]
            groups: list[Any] = []
            while not groups:
                time.sleep(0.1)
                with urlopen(f"{url}groups", timeout=PATIENCE_S) as answer:
                    groups = json.load(answer)
            assert groups == [line["group"]]
            slides = 0
            with urlopen(f"{url}slides?group={line['group']}", timeout=PATIENCE_S) as answer:
                while slides < 8:  # they may come in parts
                    told = answer.readline()
                    slides += len(json.loads(told[6:])["process"]) if told.startswith(b"data: {") else 0
            assert slides == 8
        shop.order("fixed")
    outcome = CliRunner().invoke(app, ["watch", str(spec), str(folder), "--clocks", "--once", "--json"])
    assert outcome.exit_code == 0, outcome.output
    assert verdicts(outcome.stdout) == [("race", True)]
    assert "the process 'shop' is not in the spec" in outcome.stderr


@pytest.mark.slow
def test_the_fix_alone_is_quiet(tmp_path: Path) -> None:
    spec, folder = tmp_path / "spec.toml", tmp_path / "spans"
    spec.write_text(SPEC)
    with running(folder) as shop:
        shop.order("fixed")
    outcome = CliRunner().invoke(app, ["watch", str(spec), str(folder), "--clocks", "--once", "--json"])
    assert outcome.exit_code == 0, outcome.output
    assert verdicts(outcome.stdout) == []
    assert json.loads(outcome.stdout.splitlines()[-1])["summary"]["delivered"] == 8
