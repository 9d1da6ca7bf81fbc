"""Counters of a pipeline's output for Prometheus, from the same numbers as the view of the whole system.

Labels are the spec's properties and a few fixed words, never groups, so the number of series does not grow with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from latwin.explorer.recording import COUNTERS
from latwin.explorer.system import GroupNow
from latwin.explorer.tables import VerdictRow
from latwin.prometheus import Family, counter, families_text, gauge
from latwin.spec import Spec

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


def metrics_text(spec: Spec, groups: Sequence[GroupNow], told: Told) -> str:
    """All families, each with help and type, in Prometheus' text format 0.0.4."""
    return families_text(_families(spec, groups, told))


def _families(spec: Spec, groups: Sequence[GroupNow], told: Told) -> Iterator[Family]:
    names = list(spec.properties)
    true_in = {name: sum(group.values[k] == "1" for group in groups) for k, name in enumerate(names)}
    never = [k for k, name in enumerate(names) if name in spec.never]
    violating = sum(any(group.values[k] == "1" for k in never) for group in groups)
    totals = {name: sum(group.counters[k] for group in groups) for k, name in enumerate(COUNTERS)}
    yield gauge("groups", "Groups that have reported.", len(groups))
    yield gauge("groups_violating", "Groups in which something is true now that must never be.", violating)
    yield gauge(
        "violations",
        "Groups in which a property is true now that must never be, by property.",
        [({"property": names[k]}, true_in[names[k]]) for k in never],
    )
    yield gauge(
        "groups_true",
        "Groups in which a property is true now, by property.",
        [({"property": name}, true_in[name]) for name in names],
    )
    yield counter(
        "verdicts",
        "Verdicts written, by property and value.",
        [
            ({"property": name, "value": word}, told.verdicts[name, value])
            for name in names
            for value, word in _VALUES.items()
        ],
    )
    yield counter(
        "rejects",
        "Events that did not become states, by kind.",
        [({"kind": kind}, totals[kind]) for kind in _REJECTS],
    )
    yield counter("states_delivered", "States delivered, each a slide.", totals["delivered"])
    yield counter("ticks", "Slides at which no state was delivered, but time went on.", totals["ticks"])
    yield counter("duplicates", "Repeated events that were dropped.", totals["duplicates"])
    yield counter("slides_too_large", "Slides with an answer that was too large.", totals["too_large"])
    yield counter("slides_empty", "Slides without a cut, where every property is false.", totals["empty"])
    yield gauge("waiting", "Events that wait for earlier ones.", totals["waiting"])
    yield counter("batches", "Batches read from the output folder.", told.batches)
    if told.last_batch is not None:
        yield gauge("last_batch", "Number of the latest batch.", told.last_batch[0])
        yield gauge("last_batch_timestamp_seconds", "When the latest batch was written.", told.last_batch[1])
