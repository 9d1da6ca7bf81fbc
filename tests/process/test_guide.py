"""The guide for new services is right: its programs run as they are written, and print what it says."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from documents import assert_printed, blocks

GUIDE = "docs/guides/new-service.md"
LATWIN = [sys.executable, "-m", "latwin.cli"]
COLLECTOR_PORT, PROJECTOR_PORT = "8090", "8091"
#: Runs projector.py as it is, and tells which port it got.
PROJECTOR = """
import http.server, runpy

class Telling(http.server.HTTPServer):
    def server_activate(self):
        super().server_activate()
        print(self.server_port, flush=True)

http.server.HTTPServer = Telling
runpy.run_path("projector.py", run_name="__main__")
"""


@pytest.fixture
def ports() -> dict[str, str]:
    """The guide's ports, and those of the programs here; 0 lets a program that starts have a free one."""
    return {COLLECTOR_PORT: "0", PROJECTOR_PORT: "0"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With the guide's spec in it."""
    (spec,) = blocks(GUIDE, "toml")
    (tmp_path / "spec.toml").write_text(spec.text)
    return tmp_path


def write_program(name: str, folder: Path, ports: dict[str, str]) -> None:
    """The guide's, its ports replaced."""
    (program,) = [block.text for block in blocks(GUIDE, "python") if block.text.startswith(f"# {name}\n")]
    (folder / name).write_text(replace(program, ports))


def replace(text: str, ports: dict[str, str]) -> str:
    return re.sub("|".join(ports), lambda found: ports[found[0]], text)


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A program in the background; killed at the end unless it ended before."""
    listen_to_ctrl_c = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731
    program = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=listen_to_ctrl_c
    )
    try:
        yield program
    finally:
        program.kill()
        program.communicate()


@contextmanager
def projector_running(folder: Path, ports: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    write_program("projector.py", folder, {**ports, PROJECTOR_PORT: "0"})
    with running([sys.executable, "-c", PROJECTOR], folder) as projector:
        assert projector.stdout is not None
        port = projector.stdout.readline().strip()
        assert port.isdigit(), port + projector.communicate()[0]
        write_program("phone.py", folder, {**ports, PROJECTOR_PORT: port})
        yield projector


def interrupt(program: subprocess.Popen[str]) -> str:
    """What it prints from Ctrl-C to its end."""
    program.send_signal(signal.SIGINT)
    out, _ = program.communicate(timeout=60)
    assert program.returncode == 0, out
    return out


@pytest.mark.slow
def test_the_guide(folder: Path, ports: dict[str, str]) -> None:
    commands = [block.text.partition("\n")[::2] for block in blocks(GUIDE, "console")]
    collect, projector, phone, phone_again, check = commands
    assert collect[0] == f"$ latwin collect --out events --port {COLLECTOR_PORT}"
    assert projector == ("$ python projector.py", "")
    assert phone[0] == phone_again[0] == "$ python phone.py"

    arguments = replace(collect[0], ports).split()[2:]
    with running([*LATWIN, *arguments], folder) as collector:
        assert collector.stdout is not None
        line = collector.stdout.readline()
        found = re.search(r":(\d+)/", line)
        assert found, line
        ports[COLLECTOR_PORT] = found[1]
        assert line == replace(collect[1], ports)
        with projector_running(folder, ports) as first:
            assert run_phone(folder) == phone[1]
            first.kill()
            assert first.wait() == -signal.SIGKILL
        with projector_running(folder, ports) as second:
            assert run_phone(folder) == phone_again[1]
            assert interrupt(second).endswith("the projector stops in state 4\n")
        with urlopen(f"http://127.0.0.1:{ports[COLLECTOR_PORT]}/health") as health:
            assert health.status == 200
        interrupt(collector)

    assert check[0] == "$ cat events/*.jsonl | latwin check spec.toml"
    events = b"".join(path.read_bytes() for path in sorted((folder / "events").glob("*.jsonl")))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    checked = subprocess.run(
        [*LATWIN, "check", "spec.toml"], cwd=folder, input=events, capture_output=True, check=True, env=environment
    )
    assert_printed(checked.stdout.decode(), check[1], GUIDE)
    assert "12 delivered, 0 waiting" in checked.stdout.decode()


def run_phone(folder: Path) -> str:
    return subprocess.run(
        [sys.executable, "phone.py"], cwd=folder, capture_output=True, text=True, check=True, timeout=120
    ).stdout
