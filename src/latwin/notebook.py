"""What specs and monitors show of themselves in notebooks: small tables of HTML, with styles of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from latwin.events.escaping import one_line

_CELL = "padding:2px 10px 2px 0;text-align:left;vertical-align:top"
#: how a value that must never be is written
_ALARM = "color:#c62828;font-weight:600"
_LONGEST = 48


def short_value(value: Any) -> str:
    """A state's variables as short as they can be understood.

    >>> short_value({"role": "leader", "term": 3, "ready": True, "old": False, "vote": None})
    'leader, term 3, ready, not old'
    >>> short_value("on"), short_value(None), short_value(7)
    ('on', '', '7')
    """
    if not isinstance(value, Mapping):
        return "" if value is None else str(value)
    words = []
    for name, inner in value.items():
        if isinstance(inner, bool):
            words.append(str(name) if inner else f"not {name}")
        elif inner is not None:
            words.append(inner if isinstance(inner, str) else f"{name} {inner}")
    return ", ".join(words)


def alarmed(text: str) -> str:
    """A cell's text that says that something forbidden is the case; `table` shows it red."""
    return f"\0{text}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; texts come from anyone, so all of them are escaped, and long ones are cut off."""
    cells = "".join(f'<th style="{_CELL}">{_text(text)}</th>' for text in head)
    lines = [f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows]
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def paragraph(text: str) -> str:
    """A line above tables."""
    return f'<p style="margin:4px 0">{_text(text, longest=400)}</p>'


def monitor(
    head: str,
    values: Mapping[str, bool | None],
    never: Sequence[str],
    lanes: Mapping[str, Sequence[tuple[int, Any]]],
) -> str:
    """A monitor: its properties' values, and for each process the states in its window, by their indices."""
    told = {True: "true", False: "false", None: "too large to tell"}
    rows = [[name, alarmed("violated") if value and name in never else told[value]] for name, value in values.items()]
    shown = [[name, *(f"#{index} {short_value(state)}" for index, state in states)] for name, states in lanes.items()]
    return paragraph(head) + table(["property", "value"], rows) + table(["process", "in the window"], shown)


def _cell(text: str) -> str:
    is_alarm = text.startswith("\0")
    style = f"{_CELL};{_ALARM}" if is_alarm else _CELL
    return f'<td style="{style}">{_text(text.removeprefix(chr(0)), longest=200)}</td>'


def _text(text: str, *, longest: int = _LONGEST) -> str:
    shown = one_line(text)
    return escape(shown if len(shown) <= longest else f"{shown[: longest - 1]}…")
