"""Names and values of strangers through every command without Spark: a terminal obeys none of them."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from commands import run, write
from hostile import NAMES, OBEYED, events_of, is_clean, lines_of, spec_of, toml_of
from impatience import interrupt_waits
from latwin import Monitor, Spec
from latwin.events.escaping import plain_json

pytestmark = pytest.mark.usefixtures("plain")


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return NAMES[request.param]


@pytest.fixture
def folder(tmp_path: Path, name: str) -> Path:
    """Spec, events and steps, in a folder whose own name is as bad, as far as a file system takes it."""
    made = tmp_path / name.replace("/", "_").replace("\0", "")[:40]
    made.mkdir()
    write(made / "spec.toml", toml_of(spec_of(name)))
    write(made / "events.jsonl", lines_of(events_of(name)))
    steps = [
        {"group": name, "process": name, "order": 1, "sent": name},
        {"group": name, "process": "b", "order": name, "received": [name, f"{name}?"], "state": {name: name}},
        {"group": name, "process": name, "order": 1},
        [name],
    ]
    write(made / "steps.jsonl", "".join(json.dumps(step) + "\n" for step in steps))
    write(made / "clocks.log", f"{json.dumps(name)[1:-1].replace(' ', '')} {json.dumps({name: 1})}\n{name}\n")
    return made


COMMANDS = [
    ["check", "spec.toml", "events.jsonl"],
    ["check", "spec.toml", "events.jsonl", "--every", "--observations"],
    ["check", "spec.toml", "events.jsonl", "--json"],
    ["check", "spec.toml", "events.jsonl", "--lenient", "--order", "causal"],
    ["lattice", "spec.toml", "events.jsonl"],
    ["lattice", "spec.toml", "events.jsonl", "--dot"],
    ["lattice", "spec.toml", "events.jsonl", "--json"],
    ["lattice", "spec.toml", "events.jsonl", "--svg", "drawing.svg"],
    ["lattice", "spec.toml", "events.jsonl", "--group", "NAME", "--property", "NAME"],
    ["explain", "spec.toml"],
    ["explain", "spec.toml", "--json"],
    ["inspect", "events.jsonl", "--format", "jsonl"],
    ["inspect", "events.jsonl", "--format", "jsonl", "--json"],
    ["inspect", "clocks.log", "--format", "govector"],
    ["convert", "events.jsonl", "--format", "jsonl", "--lenient"],
    ["convert", "events.jsonl", "--format", "jsonl", "--lenient", "--out", "converted.jsonl"],
    ["convert", "events.jsonl", "--format", "jsonl", "--spec", "spec.toml"],
    ["clocks", "steps.jsonl", "--out", "made.clocks", "--no-spark"],
    ["clocks", "steps.jsonl", "--out", "clocks.jsonl", "--no-spark", "--json"],
    ["explore", "spec.toml", "events.jsonl", "--no-open", "--output", "page.html"],
    ["explore", "spec.toml", "events.jsonl", "--no-open", "--output", "page.html", "--json", "--group", "NAME"],
    ["explore", "spec.toml", "events.jsonl", "--no-open", "--output", "page.html", "--group", "nobody"],
    ["serve", "spec.toml", "events.jsonl", "--no-open", "--port", "0"],
    ["serve", "spec.toml", ".", "--no-open", "--port", "0"],
    ["collect", "--out", "events.jsonl"],
    ["check", "missing.toml", "events.jsonl"],
    ["check", "spec.toml", "events.jsonl", "extra.jsonl"],
    ["check", "spec.toml", "events.jsonl", "--format", "NAME"],
    ["NAME"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_no_command_passes_them_on(
    arguments: list[str], folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_waits(monkeypatch)
    given = name.replace("\0", "")  # no argument can have it
    words = [str(folder / word) if "." in word else given if word == "NAME" else word for word in arguments]
    result = run(*words)
    assert result.exit_code in (0, 1, 2), result.stderr
    assert is_clean(result.stdout), result.stdout
    assert is_clean(result.stderr), result.stderr


def test_json_is_exact_all_the_same(folder: Path, name: str) -> None:
    checked = run("check", str(folder / "spec.toml"), str(folder / "events.jsonl"), "--json").stdout
    verdict = json.loads(checked.split("\n")[0])
    assert (verdict["group"], verdict["verdict"]["property"], verdict["verdict"]["time"]) == (name, name, name)
    converted = run("convert", str(folder / "events.jsonl"), "--format", "jsonl", "--lenient").stdout
    assert json.loads(converted.split("\n")[0])["state"] == {name: name, "x": name}
    assert converted.count("\n") == len(converted.split("\n")) - 1


@pytest.mark.parametrize("text", [OBEYED, "\U000e0041 \U0001f600 \u00e9", "\ud800"])
def test_escaped_json_means_the_same(text: str) -> None:
    line = json.dumps([text, {text: 1}], ensure_ascii=False)
    assert is_clean(plain_json(line))
    assert json.loads(plain_json(line)) == [text, {text: 1}]


def test_an_svg_has_no_element_of_theirs(folder: Path, name: str) -> None:
    target = folder / "drawing.svg"
    result = run("lattice", str(folder / "spec.toml"), str(folder / "events.jsonl"), "--svg", str(target))
    assert result.exit_code == 0, result.stderr
    text = target.read_text(encoding="utf-8")
    assert is_clean(text)
    kinds = {element.tag.rpartition("}")[2] for element in ET.fromstring(text).iter()}
    assert kinds <= {"svg", "title", "style", "rect", "g", "path", "text", "circle"}
    assert not any(key.startswith("on") for element in ET.fromstring(text).iter() for key in element.attrib)


def test_a_plot_shows_them_as_they_are(name: str, tmp_path: Path) -> None:
    """No formula is made of dollar signs, and no character is obeyed."""
    import matplotlib as mpl
    from matplotlib import pyplot

    from latwin.drawing import plots

    mpl.use("Agg")
    monitor = Monitor(Spec.from_dict(spec_of(name)))
    events: list[Any] = events_of(name)
    monitor.observe_many(events[:2])
    try:
        _, wide = pyplot.subplots(figsize=(60, 4))
        axes = plots.space_time(monitor, axes=wide)
        pyplot.savefig(tmp_path / "plot.svg")
        labels = [label.get_text() for label in axes.get_yticklabels()]
    finally:
        pyplot.close("all")
    assert labels[1] == "b"
    assert is_clean("".join(labels))
    ET.fromstring((tmp_path / "plot.svg").read_bytes())


def test_a_plain_name_stays_as_it_is(tmp_path: Path) -> None:
    """What is escaped is only what is obeyed: accents, other scripts and blanks are shown."""
    spec = write(tmp_path / "spec.toml", toml_of(spec_of("Büro \u6f22 \U0001f600")))
    events = write(tmp_path / os.fsdecode("\u00e9.jsonl".encode()), lines_of(events_of("Büro \u6f22 \U0001f600")))
    assert "Büro \u6f22 \U0001f600#1" in run("check", spec, events, "--every").stdout
