"""A strict reader of Prometheus' text format 0.0.4: it accepts nothing that a scraper would have to guess."""

from __future__ import annotations

import re
from typing import NamedTuple

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_PAIR = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)')
_SAMPLE = re.compile(rf"({_NAME})(?:\{{(.*)\}})? (\S+)")
_ESCAPES = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


class Family(NamedTuple):
    """The samples of a name, by their labels in order."""

    kind: str
    help: str
    samples: dict[tuple[tuple[str, str], ...], float]

    @property
    def value(self) -> float:
        """The only sample, which has no labels."""
        ((labels, value),) = self.samples.items()
        assert labels == ()
        return value


def read_metrics(text: str) -> dict[str, Family]:
    """The families of a text: each has a help, then a type, then its samples, and none of them twice."""
    assert text.endswith("\n"), "the last line must end with a line feed"
    families: dict[str, Family] = {}
    told, current = ("", ""), ""
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            name, _, rest = line.removeprefix("# HELP ").partition(" ")
            assert re.fullmatch(_NAME, name), line
            assert name not in families, f"{name} comes twice"
            told = name, rest
        elif line.startswith("# TYPE "):
            name, _, kind = line.removeprefix("# TYPE ").partition(" ")
            assert name == told[0], f"{name} has no help"
            assert kind in ("counter", "gauge"), line
            assert (kind == "counter") == name.endswith("_total"), line
            current = name
            families[name] = Family(kind, told[1], {})
        else:
            sample = _SAMPLE.fullmatch(line)
            assert sample is not None, line
            assert sample[1] == current, f"{line} stands in the family {current}"
            labels = _labels(sample[2] or "")
            assert labels not in families[current].samples, f"{line} comes twice"
            families[current].samples[labels] = float(sample[3])
    return families


def _labels(text: str) -> tuple[tuple[str, str], ...]:
    found, at = [], 0
    while at < len(text):
        pair = _PAIR.match(text, at)
        assert pair is not None, text[at:]
        value = re.sub(r"\\.", lambda match: _ESCAPES[match[0]], pair[2])
        found.append((pair[1], value))
        at = pair.end()
    assert not text.endswith(","), text
    return tuple(found)
