"""One road for events: the same file says the same through `check`, `replay`, `run` and `serve`.

Files of the nastiest lines: odd groups, numbers that JSON lacks, repeated and contradicting states, lines too long,
too deep or unreadable, events whose fields are called as latwin's own.
"""

from __future__ import annotations

import json
import random
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from latwin import Spec
from latwin.cli import app
from latwin.cli.following import FollowingFolder
from latwin.events import Envelope
from latwin.explorer.feed import EventFeed
from pipelines import run
from traffic import rows_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPEC = """
processes = ["a", "b"]
window = 3
max_waiting = 3
waiting_policy = "skip"
[properties]
both = "possibly(a.x and b.x)"
sure = "definitely(a.x and b.x)"
sum = "possibly(a.n + b.n == 3)"
"""


def state(process: str, index: int, knows: int = 0, /, **fields: Any) -> dict[str, Any]:
    """An event that knows so many states of the other process."""
    other = "b" if process == "a" else "a"
    clock = {process: index, other: knows} if knows else {process: index}
    return {"process": process, "clock": clock, "state": {"x": True, "n": index}, **fields}


def line(event: dict[str, Any]) -> bytes:
    return json.dumps(event).encode()


GOOD = [
    line(state(process, index, group=group)) for group in ("g", 7, "7x", "") for index in (1, 2) for process in "ab"
]
FILES: dict[str, list[bytes]] = {
    "groups": [
        *GOOD,
        *(line(state("a", 1, group=group)) for group in (None, 1.5, True, False, [1], {"a": 1}, -3, "7", 2**70)),
        line(state("a", 3)),
        line(state("b", 3, group="")),
        line(state("a", 1, group="\U0001f600 ä \x00 '\"")),
    ],
    "numbers": [
        b'{"process":"a","clock":{"a":1},"state":{"x":NaN}}',
        b'{"process":"a","clock":{"a":1},"state":{"x":Infinity}}',
        b'{"process":"a","clock":{"a":1},"state":{"x":1e999}}',
        b'{"process":"a","clock":{"a":1.0},"state":{}}',
        b'{"process":"a","clock":{"a":true},"state":{}}',
        b'{"process":"a","clock":{"a":"1"},"state":{}}',
        b'{"process":"a","clock":{"a":99999999999999999999},"state":{}}',
        b'{"process":"a","clock":{"a":' + b"9" * 5000 + b'},"state":{}}',
        line({**state("a", 1), "state": {"x": 1e308, "n": 2**63}}),
        line({**state("b", 1), "state": {"x": -0.0, "n": -(2**70)}}),
        line(state("a", 2, arrival=1.5, time=3)),
        line(state("b", 2, arrival="1.5")),
        line(state("a", 3, arrival=True, time="noon")),
        line(state("b", 3, arrival=None, time=None)),
    ],
    "repeated": [
        *GOOD,
        *GOOD[:5],
        line({**state("a", 1, group="g"), "state": {"x": False}}),
        line({**state("b", 2, 1, group="g")}),
        line(state("a", 9, group="g")),
        line(state("a", 7, group="g")),
        line(state("b", 9, group="g")),
        line(state("b", 8, group="g")),
        line(state("a", 6, group="g")),
        line(state("a", 5, group="g")),
        line(state("a", 3, group="g")),
    ],
    "sizes": [
        *GOOD[:2],
        line(state("a", 2, group="g", blob="x" * 300_000)),
        b'{"group":"g","process":"a"' + b" " * 262_144 + b"}",
        line(state("a", 2, group="g", blob="x" * 262_000)),
        b'{"group":"g","process":"a","clock":{"a":3},"state":' + b'{"y":' * 98 + b"1" + b"}" * 98 + b"}",
        b'{"group":"g","process":"a","clock":{"a":4},"state":' + b'{"y":' * 100 + b"1" + b"}" * 100 + b"}",
        b'{"group":"g","process":"a","clock":{"a":4},"state":' + b"[" * 5000 + b"]" * 5000 + b"}",
        b"[" * 200_000,
        *GOOD[2:4],
    ],
    "unreadable": [
        b"\xef\xbb\xbf" + GOOD[0],
        b"no event",
        b"",
        b"   \t ",
        b'{"process":"a"',
        b'{"process":"\xff"}',
        b'{"process":"a","clock":{"a":1},"state":{"x":"\\ud800"}}',
        b"\x00\x1f\x8b",
        b"null",
        b"17",
        b'"text"',
        b"[]",
        b"{}",
        GOOD[1] + b"\r",
        GOOD[2].replace(b", ", b",\r"),
        GOOD[3] + b" " + GOOD[4],
        GOOD[5].replace(b'"process"', b'"Process"'),
        line({"process": ["a"], "clock": {"a": 1}, "state": {}}),
        line({"process": "fax", "clock": {"a": 1}, "state": {}}),
        line({"process": "a", "clock": {"a": 1, "fax": 1}, "state": {}}),
        line({"process": "a", "clock": [1, 0, 0], "state": {}}),
        line({"process": "a", "clock": {"b": 1}, "state": {}}),
        line({"process": "a", "clock": {"a": 1}, "state": [1]}),
        line({"process": "a", "clock": {"a": 1}}),
    ],
    "heartbeats": [
        *GOOD,
        line({"group": "g", "time": 5}),
        line({"group": "g", "time": "2026-01-01T00:00:00Z", "process": None, "clock": None, "state": None}),
        line({"group": "g", "time": "soon"}),
        line({"group": "g", "time": None}),
        line({"group": "g", "time": 5, "process": "a"}),
        line({"group": "g", "time": 5, "clock": {"a": 3}}),
        line({"group": "g", "time": [5]}),
    ],
    "own words": [
        line({**state("a", 1, group="g"), "order": [3, 17], "origin": {"partition": 0, "offset": 9}}),
        line({**state("b", 1, group="g"), "problem": "none", "state_text": "{", "line": "x"}),
        line({**state("a", 2, 1, group="g"), "oversize": 5, "unreadable": "no", "state_json": "{"}),
        line({"group": None, "order": None, "event": state("a", 1), "problem": None}),
        line({"key": "g", "value": json.dumps(state("a", 1)), "partition": 1, "offset": 2}),
        b"[1, 2]",
        b"[0, 17]",
        line({**state("b", 2, group="g"), "kafka": {"partition": 1}, "event": "text", "shard": 4}),
    ],
}


def shuffled(seed: int) -> list[bytes]:
    """All but the longest lines in any order, with the arrival of some of them told."""
    draw = random.Random(seed)
    lines = [some for file in FILES.values() for some in file if len(some) < 10_000]
    draw.shuffle(lines)
    for number, some in enumerate(lines):
        if some.endswith(b"}") and draw.random() < 0.4:
            lines[number] = some[:-1] + f',"arrival":{draw.randrange(40)}}}'.encode()
    return lines


#: the files one after the other, and mixed
CASES = {
    "as written": [some for file in FILES.values() for some in file],
    "seed 1": shuffled(1),
    "seed 2": shuffled(2),
}


@pytest.mark.parametrize(
    "name", ["as written", *(pytest.param(seed, marks=pytest.mark.soak) for seed in ("seed 1", "seed 2"))]
)
def test_the_same_file_says_the_same_everywhere(spark: SparkSession, tmp_path: Path, name: str) -> None:
    print(name)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "events.jsonl").write_bytes(b"\n".join(CASES[name]) + b"\n")
    (tmp_path / "spec.toml").write_text(SPEC)
    checked = by_check(tmp_path)
    assert checked["rejects"]
    assert by_replay(tmp_path) == checked
    assert by_run(spark, tmp_path) == checked
    told = [(group, json.loads(text)) for group, text in checked["verdicts"]]
    changes = [(group, row) for group, row in told if row[CHANGED]]
    assert by_serve(tmp_path) == {
        "verdicts": sorted([group, *row[1:5]] for group, row in changes),
        "rejects": sorted(reason for _, text in checked["rejects"] for reason in [json.loads(text)["reason"]]),
    }


Found = dict[str, list[Any]]
#: where a verdict's row says whether its value changed
CHANGED = 6


def found(verdicts: list[dict[str, Any]], rejects: list[dict[str, Any]]) -> Found:
    """Verdicts and rejects in a form in which all ways can be compared: whole, but for how tables write times."""
    rows = []
    for row in (*verdicts, *rejects):
        if "state_index" in row:  # as tables call it
            row["index"] = row.pop("state_index")
    for verdict in verdicts:
        witness = verdict["witness"]
        if witness and not isinstance(witness[0], list):
            witness = [witness]
        fields = ["property", "slide", "value", "process", "index", "changed", "least", "greatest", "cuts"]
        fields += ["final", "because"]
        time = None if verdict["time"] is None else str(verdict["time"])
        rows.append((verdict["group"], json.dumps([0, *(verdict[field] for field in fields), witness, time])))
    dropped = []
    for reject in rejects:
        event = reject["event"]
        fields = ["kind", "reason", "process", "index", "through"]
        row = {**{field: reject[field] for field in fields}, "event": event}
        dropped.append((reject["group"] or "", json.dumps(row, sort_keys=True)))
    return {"verdicts": rows_by_group(rows), "rejects": sorted(dropped)}


def rows_by_group(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Groups have no order among each other; the rows of a group do."""
    return sorted(rows, key=lambda row: row[0])


def by_check(folder: Path) -> Found:
    arguments = ["check", str(folder / "spec.toml"), str(folder / "in/events.jsonl"), "--order", "arrival", "--json"]
    outcome = CliRunner().invoke(app, arguments)
    assert outcome.exit_code == 0, outcome.output
    rows = [json.loads(text) for text in outcome.stdout.splitlines()]
    verdicts = [{"group": row.get("group", ""), **row["verdict"]} for row in rows if "verdict" in row]
    notices = [{"group": row.get("group", ""), **row["notice"]} for row in rows if "notice" in row]
    return found(verdicts, [notice for notice in notices if notice["kind"] in ("rejected", "late", "skipped")])


def by_replay(folder: Path) -> Found:
    outcome = CliRunner().invoke(app, ["replay", str(folder / "spec.toml"), str(folder / "in"), "--json"])
    assert outcome.exit_code == 0, outcome.output
    rows = [json.loads(text) for text in outcome.stdout.splitlines()]
    rejects = [row["reject"] for row in rows if "reject" in row]
    return found([row["verdict"] for row in rows if "verdict" in row], [with_event(reject) for reject in rejects])


def by_run(spark: SparkSession, folder: Path) -> Found:
    from latwin.spark import read_output

    output, spec = str(folder / "out"), Spec.load(folder / "spec.toml")
    run(spark, spec, input=str(folder / "in"), output=output, checkpoint=str(folder / "state"), once=True)
    verdicts = rows_of(read_output(spark, output, "verdicts"))
    return found(verdicts, [with_event(reject) for reject in rows_of(read_output(spark, output, "rejects"))])


def with_event(reject: dict[str, Any]) -> dict[str, Any]:
    return {**reject, "event": None if reject["event"] is None else json.loads(reject["event"])}


def by_serve(folder: Path) -> Found:
    spec = Spec.load(folder / "spec.toml")
    lines = (folder / "in/events.jsonl").read_bytes().split(b"\n")
    told: list[str] = []

    def tell(_: Envelope, why: str) -> None:
        told.append(re.sub(r"^events\.jsonl:\d+: ", "", why))

    followed = FollowingFolder(folder / "in", spec.processes)
    feed = EventFeed(spec, islice(followed, sum(bool(line.strip()) for line in lines)), tell=tell)
    feed.run()
    changes = []
    for group, recorder in feed._groups.recorders.items():
        values: list[bool | None] = [False] * len(spec.properties)
        for number, slide in enumerate(recorder.slides, start=1):
            for k, name in enumerate(spec.properties):
                if slide.values[k] is not values[k]:
                    values[k] = slide.values[k]
                    changes.append([group, name, number, values[k], spec.processes[slide.process]])
    return {"verdicts": sorted(changes), "rejects": sorted(told)}


def test_the_files_are_as_nasty_as_they_are_meant_to_be() -> None:
    assert sum(len(file) for file in FILES.values()) > 80
    assert max(len(some) for some in FILES["sizes"]) > 262_144
