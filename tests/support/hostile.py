"""Names and values that pretend to be something else: commands to a terminal, markup, formulas."""

from __future__ import annotations

import json
import re
from typing import Any

#: everything that a terminal obeys, or that hides or reorders text
RANGES = [(0, 0x20), (0x7F, 0xA0), (0x200B, 0x2010), (0x2028, 0x202F), (0x2066, 0x206A)]
OBEYED = "".join(chr(code) for begin, end in RANGES for code in range(begin, end))
#: the same as a set of an expression, without line feed and tab
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")
NAMES = {
    "controls": f"a{OBEYED}",
    "ansi": "\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b2J",
    "bidi": "\u202efdp.exe\u2066",
    "script": "</script><script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "svg": '"><svg onload=alert(1)><title>',
    "comment": "<!--<script>-->",
    "separators": "a\u2028b\u2029c\x85d",
    "quotes": "'\"`&lt;\\",
    "mathtext": r"$\frac{1$ $x_$ \$",
    "rich": "[bold red]x[/] :smile: [link=file:///]",
    "format": "%s {0} {process!r} {",
}


def is_clean(text: str) -> bool:
    """Whether a terminal shows it, and does nothing."""
    return not CONTROLS.search(text)


def spec_of(name: str) -> dict[str, Any]:
    """A spec in which a process, a property, a variable and a value have the name."""
    text = json.dumps(name)
    return {
        "processes": [name, "b"],
        "window": 3,
        "initial": {name: {name: name}},
        "never": [name],
        "properties": {name: f"possibly(b.x == {text}) or definitely(b.x + 1 == 0)", "other": "definitely(b.y)"},
    }


def events_of(name: str) -> list[dict[str, Any]]:
    """Events of that spec, of a group of that name, one of them wrong and one repeated."""
    first = {"group": name, "process": name, "clock": {name: 1}, "state": {name: name, "x": name}, "time": name}
    second = {"group": name, "process": "b", "clock": {name: 1, "b": 1}, "state": {"x": name}, "time": name}
    return [first, second, second, {**second, "process": f"{name}?"}, {**second, "state": {"x": [name]}}]


def toml_of(spec: dict[str, Any]) -> str:
    """A spec as a TOML text: JSON's texts are TOML's, but for the delete character and surrogate pairs."""

    def key(text: str) -> str:
        return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

    name = spec["processes"][0]
    tables = [f"[initial.{key(name)}]\n{key(name)} = {key(name)}\n", "[properties]\n"]
    tables += [f"{key(each)} = {key(text)}\n" for each, text in spec["properties"].items()]
    return f"processes = [{key(name)}, 'b']\nwindow = 3\nnever = [{key(name)}]\n" + "".join(tables)


def lines_of(events: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)
