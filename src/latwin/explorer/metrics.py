"""Counters of a pipeline for Prometheus: its text format, from the same numbers as the view of the whole system.

Labels are the spec's properties and a few fixed words, never groups, so the number of series does not grow with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from latwin.explorer.recording import COUNTERS
from latwin.explorer.system import GroupNow
from latwin.explorer.tables import VerdictRow
from latwin.spec import Spec

#: what Prometheus expects of a text in this format
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_VALUES = {True: "true", False: "false", None: "too_large"}
_REJECTS = ("rejected", "late", "skipped")


class Told:
    """What was read of a pipeline's output so far."""

    def __init__(self) -> None:
        #: per property and value, how many verdicts were written
        self.verdicts: Counter[tuple[str, bool | None]] = Counter()
        self.batches = 0
        #: the latest batch, and when it was written, in seconds since 1970; None before the first
        self.last_batch: tuple[int, float] | None = None

    def note(self, batch: int, written_s: float, verdicts: Iterable[VerdictRow]) -> None:
        """Count a batch."""
        self.verdicts.update((row.property, row.value) for row in verdicts)
        self.batches += 1
        self.last_batch = batch, written_s


class _Family(NamedTuple):
    """Samples of one name; each has its labels and its value."""

    name: str
    kind: str
    help: str
    samples: Sequence[tuple[dict[str, str], float]]


def metrics_text(spec: Spec, groups: Sequence[GroupNow], told: Told) -> str:
    """All families, each with help and type, in Prometheus' text format 0.0.4."""
    lines: list[str] = []
    for family in _families(spec, groups, told):
        lines += [f"# HELP {family.name} {_escaped(family.help)}", f"# TYPE {family.name} {family.kind}"]
        lines += [f"{family.name}{_labels(labels)} {_number(value)}" for labels, value in family.samples]
    return "\n".join([*lines, ""])


def _families(spec: Spec, groups: Sequence[GroupNow], told: Told) -> Iterator[_Family]:
    names = list(spec.properties)
    true_in = {name: sum(group.values[k] == "1" for group in groups) for k, name in enumerate(names)}
    never = [k for k, name in enumerate(names) if name in spec.never]
    violating = sum(any(group.values[k] == "1" for k in never) for group in groups)
    totals = {name: sum(group.counters[k] for group in groups) for k, name in enumerate(COUNTERS)}
    yield _gauge("groups", "Groups that have reported.", len(groups))
    yield _gauge("groups_violating", "Groups in which something is true now that must never be.", violating)
    yield _Family(
        "latwin_violations",
        "gauge",
        "Groups in which a property is true now that must never be, by property.",
        [({"property": names[k]}, true_in[names[k]]) for k in never],
    )
    yield _Family(
        "latwin_groups_true",
        "gauge",
        "Groups in which a property is true now, by property.",
        [({"property": name}, true_in[name]) for name in names],
    )
    yield _Family(
        "latwin_verdicts_total",
        "counter",
        "Verdicts written, by property and value.",
        [
            ({"property": name, "value": word}, told.verdicts[name, value])
            for name in names
            for value, word in _VALUES.items()
        ],
    )
    yield _Family(
        "latwin_rejects_total",
        "counter",
        "Events that did not become states, by kind.",
        [({"kind": kind}, totals[kind]) for kind in _REJECTS],
    )
    yield _counter("states_delivered_total", "States delivered, each a slide.", totals["delivered"])
    yield _counter("ticks_total", "Slides at which no state was delivered, but time went on.", totals["ticks"])
    yield _counter("duplicates_total", "Repeated events that were dropped.", totals["duplicates"])
    yield _counter("slides_too_large_total", "Slides with an answer that was too large.", totals["too_large"])
    yield _counter("slides_empty_total", "Slides without a cut, where every property is false.", totals["empty"])
    yield _gauge("waiting", "Events that wait for earlier ones.", totals["waiting"])
    yield _counter("batches_total", "Batches read from the output folder.", told.batches)
    if told.last_batch is not None:
        yield _gauge("last_batch", "Number of the latest batch.", told.last_batch[0])
        yield _gauge("last_batch_timestamp_seconds", "When the latest batch was written.", told.last_batch[1])


def _gauge(name: str, text: str, value: float) -> _Family:
    return _Family(f"latwin_{name}", "gauge", text, [({}, value)])


def _counter(name: str, text: str, value: float) -> _Family:
    return _Family(f"latwin_{name}", "counter", text, [({}, value)])


def _labels(labels: dict[str, str]) -> str:
    pairs = ",".join(f'{name}="{_escaped(value, quoted=True)}"' for name, value in labels.items())
    return f"{{{pairs}}}" if pairs else ""


def _escaped(text: str, *, quoted: bool = False) -> str:
    """A help text or a label's value; the names of properties come from anyone.

    >>> print(_escaped('a "b"' + chr(10) + chr(92), quoted=True))
    a \\"b\\"\\n\\\\
    """
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return text.replace('"', '\\"') if quoted else text


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else repr(round(value, 3))
