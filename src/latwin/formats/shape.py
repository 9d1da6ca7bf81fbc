"""The names in the beginning of a JSON document, with their paths: what it is, told without reading all of it."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*+")|(?P<mark>[{}\[\]:,])|(?P<other>[^\s{}\[\]:,"]++))', re.DOTALL
)
_CLOSES = {"}": "{", "]": "["}


def key_paths(beginning: str, depth: int = 5) -> set[str]:
    """The paths of the names down to a depth, `[]` for a list's elements; up to where the text ends or is no JSON.

    >>> sorted(key_paths('{"data": [{"spans": [{"id": 1}]}], "to'))
    ['data', 'data[].spans', 'data[].spans[].id']
    """
    found: set[str] = set()
    opened: list[str] = []
    steps: list[str] = []  # for each open bracket what leads into it
    name, is_name = "", False
    place = 0
    while token := _TOKEN.match(beginning, place):
        place = token.end()
        mark = token["mark"]
        if mark is None:
            if is_name and token["text"] is not None:
                name = token["text"][1:-1]
                if len(opened) <= depth:
                    found.add("".join([*steps, name]).removeprefix("."))
            is_name = False
        elif mark in "{[":
            inside = "." if mark == "{" else "[]"
            steps.append(f"{name}{inside}")
            opened.append(mark)
            name, is_name = "", mark == "{"
        elif mark in "}]":
            if not opened or opened.pop() != _CLOSES[mark]:
                break
            steps.pop()
            name, is_name = "", False
        elif mark == ",":
            name, is_name = "", bool(opened) and opened[-1] == "{"
    return found
