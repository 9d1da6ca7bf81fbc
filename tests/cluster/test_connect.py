"""Spark Connect: `detect` and `replay` say what the local monitor says, and what cannot work says so at once."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark")
pytest.importorskip("grpc")

import connect_client
from connect_server import ConnectServer
from killing import PATIENCE_S
from latwin import Spec
from shards import by_group, local_rows
from traffic import random_events, write_file

SPEC = Spec.from_dict({"processes": ["p0", "p1"], "window": 3, "properties": {"possible": "possibly(p0.x and p1.x)"}})
SEED = 23


@pytest.mark.soak
def test_detect_and_replay_on_a_connect_server(tmp_path: Path) -> None:
    print(f"seed={SEED} folder={tmp_path}")
    rng = random.Random(SEED)
    (tmp_path / "events").mkdir()
    (tmp_path / "spec.json").write_text(json.dumps(SPEC.to_dict()))
    events = [event for number in range(4) for event in random_events(rng, SPEC, f"group {number}", 50)]
    for arrival, event in enumerate(events):
        event |= {"arrival": arrival, "order": arrival}
    write_file(tmp_path / "events", 0, events)
    with ConnectServer(tmp_path) as server:
        done = subprocess.run(
            [sys.executable, connect_client.__file__, str(tmp_path), server.url],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert done.returncode == 0, f"{done.stderr[-5000:]}\n{server.log()}"
    found = json.loads(done.stdout.splitlines()[-1])
    expected = local_rows(SPEC, [events], every=True)
    assert by_group(found["replay"]) == expected
    assert by_group(found["detect"]) == expected
    assert {name for name, text in found["refusals"].items() if "Spark Connect" not in text} == set()
    assert all("\n" not in text for text in found["refusals"].values())
