"""The files for deployments are well formed, and their commands have options that exist."""

from __future__ import annotations

import configparser
import re
import shlex
import tomllib
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


def locked_pyspark() -> str:
    found = re.search(r"^pyspark==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert found is not None
    return found[1]


def steps_of(dockerfile: str) -> list[tuple[str, str]]:
    """Its instructions, each with what follows on the line."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / dockerfile).read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def user_of_the_image() -> int:
    found = re.search(r"useradd .*--uid (\d+) latwin", (DEPLOY / "Dockerfile").read_text())
    assert found is not None
    return int(found[1])


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
    parts = {part["kind"]: part for part in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())}
    deployment, account = parts["Deployment"], parts["ServiceAccount"]["metadata"]["name"]
    pod = deployment["spec"]["template"]["spec"]
    assert pod["serviceAccountName"] == account
    assert parts["RoleBinding"]["subjects"] == [{"kind": "ServiceAccount", "name": account}]
    assert parts["RoleBinding"]["roleRef"]["name"] == parts["Role"]["metadata"]["name"]
    (container,) = pod["containers"]
    options = check_run(container["args"])
    assert pod["terminationGracePeriodSeconds"] > seconds(options["stop_within"])
    assert options["metrics_port"] == container["ports"][0]["containerPort"]
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    given = {variable["name"] for variable in container["env"]}
    assert {name for argument in container["args"] for name in re.findall(r"\$\((\w+)\)", argument)} == given
    assert pod["securityContext"]["runAsUser"] == user_of_the_image()
    assert deployment["spec"]["strategy"] == {"type": "Recreate"}


def test_the_application_of_the_spark_operator() -> None:
    yaml = pytest.importorskip("yaml")
    spec = yaml.safe_load((DEPLOY / "spark-operator.yaml").read_text())["spec"]
    options = check_run(spec["arguments"])
    assert spec["sparkVersion"] == locked_pyspark()
    # Java is the first process there: only its own class path can bring the connector.
    assert spec["sparkConf"]["spark.driver.extraClassPath"] == f"{options['jars']}/*"
    for part in ("driver", "executor"):
        assert spec[part]["podSecurityContext"]["runAsUser"] == user_of_the_image()
        assert str(options["jars"]) in {mount["mountPath"] for mount in spec[part]["volumeMounts"]}
    mounts = {mount["name"] for part in ("driver", "executor") for mount in spec[part]["volumeMounts"]}
    assert mounts == {volume["name"] for volume in spec["volumes"]}


def test_the_dockerfile_copies_and_calls_what_exists() -> None:
    steps = steps_of("Dockerfile")
    copied = [place for word, rest in steps if word == "COPY" for place in rest.split()[:-1]]
    assert {"pyproject.toml", "constraints.txt", "src"} <= set(copied)
    assert all((ROOT / place).exists() for place in copied)
    (install,) = (rest for word, rest in steps if word == "RUN" and rest.startswith("pip install "))
    extras = re.search(r"'/src\[([\w,]+)\]'", install)
    assert extras is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(extras[1].split(",")) <= project["optional-dependencies"].keys()
    # What the build reads of the project is copied, beside its sources.
    assert {project["readme"], *project["license-files"]} <= set(copied)
    assert ("ENTRYPOINT", '["tini", "--", "latwin"]') in steps
    assert "latwin" in project["scripts"]


def test_the_image_for_kubernetes_is_of_the_locked_spark() -> None:
    text = (DEPLOY / "Dockerfile.kubernetes").read_text()
    assert re.findall(r"SPARK_VERSION=(\S+)", text) == [locked_pyspark()]
