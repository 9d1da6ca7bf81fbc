"""Bad files of every kind, posted to the collector: each is answered, and what is taken can be read again."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any

import pytest

from bad_files import make_files
from commands import run
from fuzzing import within
from latwin.cli.inputs import open_events
from latwin.process.collector import Collector


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    files = make_files(tmp_path_factory.mktemp("files"))
    return {name: path.read_bytes() for name, path in files.items() if path.is_file()}


def post(collector: Collector, body: bytes) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", collector.port, timeout=60)
    try:
        connection.request("POST", "/events", body)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def test_every_post_is_answered(contents: dict[str, bytes], tmp_path: Path) -> None:
    """With 200 and the number of events, or with 400 and the numbers of bad lines; and it goes on."""
    taken = 0
    with Collector(tmp_path / "in", gather_s=0.0) as collector:
        for name, body in contents.items():
            with within():
                status, answer = post(collector, body)
            assert status in (200, 400), (name, answer)
            if status == 200:
                taken += answer["events"]
            else:
                assert answer["error"].endswith("none was taken"), name
                assert all(line["reason"] and line["line"] >= 1 for line in answer["lines"]), name
        assert taken > 0
        assert collector.counts.events == taken
    found = 0
    for path in (tmp_path / "in").iterdir():
        with open_events(str(path)) as source:
            envelopes = [line.envelope for line in source.lines()]
        assert all(envelope.problem is None for envelope in envelopes)
        found += len(envelopes)
    assert found == taken


def test_a_place_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for place in ("file", "loop", "file/below", "loop/below"):
        result = run("collect", "--out", str(tmp_path / place))
        assert result.exit_code == 2, place
        assert str(tmp_path / place.partition("/")[0]) in result.stderr
        assert "Traceback" not in result.stderr
