"""Names and values come from anyone: nothing in them reaches a terminal as a command to it."""

from __future__ import annotations

import json
import unicodedata
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from commands import run, write
from latwin.drawing import svg
from latwin.drawing.figure import LaneState
from latwin.drawing.text import to_dot
from latwin.events.escaping import one_line, plain

pytestmark = pytest.mark.usefixtures("plain")
#: everything that a terminal obeys, or that hides or reorders text
RANGES = [(0, 0x20), (0x7F, 0xA0), (0x200B, 0x2010), (0x2028, 0x202F), (0x2066, 0x206A)]
OBEYED = "".join(chr(code) for begin, end in RANGES for code in range(begin, end))
ALLOWED = "\n"


def is_clean(text: str) -> bool:
    return not any(character in OBEYED and character not in ALLOWED for character in text)


def test_every_character_that_is_obeyed_is_escaped() -> None:
    assert is_clean(one_line(OBEYED))
    assert "\n" not in one_line("a\nb")
    assert plain("a\nb\tc é 漢 🙂") == "a\nb\tc é 漢 🙂"
    for character in OBEYED:
        assert unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")


def test_no_command_passes_them_on(tmp_path: Path) -> None:
    """As process, group, property, variable, value and reason: in text they are escaped, in JSON they are exact."""
    nasty = f"a{OBEYED}"
    name = json.dumps(nasty).replace("\x7f", "\\u007f")
    text = f'processes = ["b"]\nwindow = 3\n[properties]\n{name} = "possibly(b.x == 1)"\n'
    spec = write(tmp_path / "spec.toml", text)
    event = {"group": nasty, "process": "b", "clock": [1], "state": {"x": 1, nasty: nasty}, "time": nasty}
    wrong = {**event, "process": nasty}
    events = write(tmp_path / "events.jsonl", "".join(json.dumps(one) + "\n" for one in (event, wrong, event)))
    named = write(tmp_path / "named.jsonl", json.dumps({**event, "process": nasty, "clock": {nasty: 2}}) + "\n")
    for arguments in (
        ("check", spec, events),
        ("check", spec, events, "--every", "--observations"),
        ("check", spec, events, "--whole"),
        ("advise", spec, events),
        ("lattice", spec, events, "--group", nasty),
        ("explain", spec),
        ("inspect", named, "--format", "jsonl"),
        ("check", spec, str(tmp_path / "no\x1b[31mfile")),
    ):
        result = run(*arguments)
        assert is_clean(result.stdout), arguments
        assert is_clean(result.stderr), arguments
        assert result.exit_code in (0, 1, 2)
    exact = [json.loads(line) for line in run("check", spec, events, "--json").stdout.split("\n") if line]
    assert exact[0]["group"] == nasty
    assert exact[0]["verdict"]["time"] == nasty


def test_drawings_hold_none_of_them() -> None:
    """XML forbids most of them, and one of them would make the whole drawing unreadable."""
    nasty = f"a{OBEYED}"
    drawing = svg.draw_space_time([nasty, "b"], [[LaneState(0, (0, 0), None)]] * 2)
    text = svg.to_svg(drawing, title=nasty)
    assert is_clean(text)
    assert one_line(nasty) in {element.text for element in ET.fromstring(text).iter()}
    assert is_clean(to_dot([(0,)], [], names=[nasty]))
