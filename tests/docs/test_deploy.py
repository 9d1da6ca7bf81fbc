"""The files for deployments are well formed, and their commands have options that exist."""

from __future__ import annotations

import configparser
import re
import shlex
from typing import Any

import pytest
import typer.main

from documents import ROOT
from latwin.cli import app

DEPLOY = ROOT / "docs" / "deploy"


def check_run(arguments: list[str]) -> dict[str, Any]:
    """The options of a `latwin run`, as they are understood."""
    assert arguments[0] == "run"
    command: Any = typer.main.get_command(app)
    context = command.commands["run"].make_context("run", list(arguments[1:]))
    return dict(context.params)


def seconds(text: str) -> int:
    return int(text.removesuffix("s"))


def test_the_unit_of_systemd() -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / "latwin.service")
    service = unit["Service"]
    program, *arguments = shlex.split(service["ExecStart"])
    assert program.endswith("/latwin")
    options = check_run(arguments)
    assert service["KillMode"] == "mixed"
    assert int(service["TimeoutStopSec"]) > seconds(options["stop_within"])


def test_the_deployment_of_kubernetes() -> None:
    yaml = pytest.importorskip("yaml")
    deployment = yaml.safe_load((DEPLOY / "kubernetes.yaml").read_text())
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    options = check_run(container["args"])
    assert pod["terminationGracePeriodSeconds"] > seconds(options["stop_within"])
    assert options["metrics_port"] == container["ports"][0]["containerPort"]
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    assert deployment["spec"]["strategy"] == {"type": "Recreate"}


def test_the_application_of_the_spark_operator() -> None:
    yaml = pytest.importorskip("yaml")
    spec = yaml.safe_load((DEPLOY / "spark-operator.yaml").read_text())["spec"]
    check_run(spec["arguments"])
    mounts = {mount["name"] for part in ("driver", "executor") for mount in spec[part]["volumeMounts"]}
    assert mounts == {volume["name"] for volume in spec["volumes"]}


def test_the_dockerfile_copies_and_calls_what_exists() -> None:
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    copied = [line.split()[1] for line in text.splitlines() if line.startswith("COPY ")]
    assert copied
    assert all((ROOT / place).exists() for place in copied)
    assert (ROOT / "constraints.txt").exists()
    extras = re.search(r"/src\[([\w,]+)\]", text)
    assert extras is not None
    project = (ROOT / "pyproject.toml").read_text()
    assert all(re.search(rf"^{extra} = \[", project, re.MULTILINE) for extra in extras[1].split(","))
