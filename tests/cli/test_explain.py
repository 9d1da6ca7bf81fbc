"""`latwin explain`: the system, and which engine answers what."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import SPEC, TWO, objects, run, write

pytestmark = pytest.mark.usefixtures("plain")


def test_explain_shows_system_and_engines() -> None:
    result = run("explain", SPEC)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:15] == [
        "processes  phone, rfid, projector",
        "window     the last 4 states of each process",
        "delivery   fifo: each process's states in their own order",
        "arrival    as lines come (check); by `arrival`, else `time`, else causally (Spark)",
        "waiting    at most 10,000 states; beyond that, fail",
        "lattice    at most 10,000,000 cuts at a slide",
        'initially  phone: ap = "office"',
        "           rfid: speaker = false",
        "           projector: on = false",
        "",
        "mute",
        "  definitely(phone.ap == 'meeting-room' and rfid.speaker and projector.on)",
        "  conjunctive  a conjunction of per-process conditions (on phone, rfid, projector): answered from",
        "               the clocks alone, without the lattice",
    ]
    assert all(len(line) <= 100 for line in result.stdout.splitlines())


def test_explain_names_the_parts_and_what_should_never_be(tmp_path: Path, two: str) -> None:
    shown = run("explain", two).stdout
    assert "both  must never come true" in shown
    assert "  conjunctive  definitely(a.x): a conjunction" in shown
    sizes = TWO.replace("window = 3", 'window = { a = 1, b = "unlimited" }\ndelivery = "causal"')
    shown = run("explain", write(tmp_path / "sizes.toml", sizes)).stdout
    assert "the last states of each process: a 1, b all" in shown
    assert "causal: a state after everything that it depends on" in shown
    forever = TWO.replace("window = 3", 'window = "unlimited"')
    assert "all states, forever" in run("explain", write(tmp_path / "forever.toml", forever)).stdout


def test_explain_json(two: str) -> None:
    (document,) = objects(run("explain", two, "--json").stdout)
    assert document["window"] == {"a": 3, "b": 3}
    assert document["delivery"] == "fifo"
    assert {name: details["never"] for name, details in document["properties"].items()} == {
        "both": True,
        "first": False,
        "sum": False,
    }
    parts = document["properties"]["first"]["parts"]
    assert [part["part"] for part in parts] == ["definitely(a.x)", "possibly(b.y)"]
    assert {part["engine"] for part in parts} == {"conjunctive"}
    assert document["properties"]["sum"]["parts"][0]["engine"] == "sums"
