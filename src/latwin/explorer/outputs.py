"""A pipeline's output folder as a feed: verdicts and counters of every group, batch by batch.

The folder holds no states and no clocks, so the page shows verdicts over slides, the least and the greatest cut where
a verdict was written, and counters; cuts are not drawn. Files are read by pyarrow alone; no Spark is started.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from threading import Condition
from typing import Any, Literal

from latwin.detect.unseen import Unseen
from latwin.errors import InvalidInput
from latwin.explorer.batches import OutputBatches
from latwin.explorer.doubts import doubts_about
from latwin.explorer.feed import News, find
from latwin.explorer.format import Chunk, SystemView
from latwin.explorer.legend import parts_of, without_nots
from latwin.explorer.metrics import Told, metrics_text
from latwin.explorer.recording import COUNTERS, MOST_SLIDES
from latwin.explorer.system import GroupNow, History
from latwin.explorer.tables import MetricRow, VerdictRow
from latwin.model import Counters
from latwin.properties import Modal, Question
from latwin.spec import Spec

_POLL_S = 1.0
_LETTERS = {True: ord("1"), False: ord("0"), None: ord("?")}
_OPPOSITE = str.maketrans("01", "10")


def is_output(folder: Path) -> bool:
    """Whether a pipeline writes into a folder, or began to."""
    return (folder / "_latwin.json").is_file() or any((folder / table).is_dir() for table in ("verdicts", "metrics"))


class _Told:
    """What the folder tells of one group: a letter a slide and property, and the rest where it is written."""

    def __init__(self, properties: int) -> None:
        self.first = 1
        self.letters = [bytearray() for _ in range(properties)]
        #: the same of whether the values are final
        self.finals = [bytearray() for _ in range(properties)]
        self.ends: dict[int, tuple[Any, Any]] = {}
        self.cuts: dict[int, int] = {}
        #: the counters after the last slide of a batch
        self.counters: dict[int, tuple[int, ...]] = {}
        self.totals: tuple[int, ...] = (0,) * len(COUNTERS)

    @property
    def last(self) -> int:
        return self.first + len(self.letters[0]) - 1 if self.letters else max(self.counters, default=0)

    @property
    def now(self) -> GroupNow:
        """Its latest values and counters."""
        values = "".join(chr(letters[-1]) if letters else "0" for letters in self.letters)
        return GroupNow(values, self.last, self.totals)

    def extend(self, slide: int) -> None:
        """Carry every value on up to a slide; only the latest slides, should it be far away."""
        if slide - self.last > 2 * MOST_SLIDES:
            self._begin_at(slide - MOST_SLIDES + 1)
            for letters in self.letters:
                letters[:] = letters[-1:] or b"0"
            for finals in self.finals:
                finals[:] = finals[-1:] or b"?"
        for letters in self.letters:
            missing = slide - self.first + 1 - len(letters)
            letters.extend((letters[-1:] or b"0") * max(0, missing))
        for letters, finals in zip(self.letters, self.finals, strict=True):
            # A true value that becomes final is told, so one that was not is still not. One that was final was so for
            # the states of that slide's window.
            is_open = finals[-1:] == b"0" and letters[-1:] == b"1"
            finals.extend((b"0" if is_open else b"?") * (len(letters) - len(finals)))

    def set(self, position: int, slide: int, value: bool | None, final: bool | None) -> None:
        """A verdict: the value from this slide on, and whether it is final at this slide."""
        self.extend(slide)
        self.letters[position][slide - self.first] = _LETTERS[value]
        self.finals[position][slide - self.first] = _LETTERS[final]

    def forget(self) -> None:
        """Keep the latest slides only; in steps, so that it costs nothing on average."""
        surplus = self.last - self.first + 1 - MOST_SLIDES
        if surplus <= MOST_SLIDES:
            return
        for letters in (*self.letters, *self.finals):
            del letters[:surplus]
        self._begin_at(self.first + surplus)

    def _begin_at(self, slide: int) -> None:
        self.first = slide
        for table in (self.ends, self.cuts, self.counters):
            for old in [old for old in table if old < slide]:
                del table[old]


def _value_of(spec: Spec, name: str) -> tuple[int, bool] | None:
    """The position of the property that tells the value of its part, and whether it is the opposite of it.

    None if the property combines several questions.
    """
    tree, is_opposite = without_nots(spec.trees[name])
    if not isinstance(tree, Modal | Question):
        return None
    return list(spec.properties).index(name), is_opposite


class OutputFeed:
    """The groups of an output folder. A batch counts once it is committed (`latwin.outputs.manifest`).

    `sleep` waits between looks at the folder; it returns True to go on looking.
    """

    def __init__(self, spec: Spec, folder: Path, *, sleep: Callable[[float], bool] | None = None) -> None:
        if not is_output(folder):
            raise InvalidInput(f"{folder} is no output of latwin: it has no folder 'metrics'")
        self._batches = OutputBatches(folder)
        self._positions = {name: k for k, name in enumerate(spec.properties)}
        self._processes = len(spec.processes)
        self._parts = [_value_of(spec, part.name) for part in parts_of(spec)]
        self._groups: dict[str, _Told] = {}
        self._history = History(spec)
        self._told_so_far = Told()
        self._spec = spec
        self._unseen = Unseen()
        self._changed = Condition()
        self._changes = 0
        self._sleep = sleep or self._nap

    def names(self, search: str) -> list[str]:
        """Some groups whose name contains a text."""
        with self._changed:
            return find(self._groups, search)

    def notes(self) -> list[str]:
        """Nothing: all groups are there."""
        return []

    def doubts(self) -> list[str]:
        """What may mislead about the answers so far."""
        with self._changed:
            counters = [Counters(**dict(zip(COUNTERS, told.totals, strict=True))) for told in self._groups.values()]
            return doubts_about(self._spec, counters, self._unseen)

    def system(self, search: str) -> SystemView:
        """All groups, the worst first."""
        with self._changed:
            return self._history.view({name: told.now for name, told in self._groups.items()}, search)

    def metrics(self) -> str:
        """The counters of all groups together, in Prometheus' text format."""
        with self._changed:
            now = [told.now for told in self._groups.values()]
            return metrics_text(self._spec, now, self._told_so_far)

    def wait(self, changes: int, timeout_s: float) -> bool:
        """Return True once a batch came after so many, False if none did for a while."""
        with self._changed:
            return self._changed.wait_for(lambda: self._changes > changes, timeout_s)

    def run(self) -> None:
        """Take batches as they appear, forever unless `sleep` says otherwise."""
        for _ in count():
            self.look()
            if not self._sleep(_POLL_S):
                return

    def look(self) -> None:
        """Take the batches that are there and were not taken before, in order."""
        for batch in self._batches.new():
            batch.verdicts.sort(key=lambda row: row.slide)
            with self._changed:
                self._take(batch.metrics, batch.verdicts)
                self._told_so_far.note(batch.number, batch.written_s, batch.verdicts)
                changed = {row.group or "" for row in batch.metrics} | {row.group or "" for row in batch.verdicts}
                self._history.note({name: self._groups[name].now for name in changed if name in self._groups})
                self._changes += 1
                self._changed.notify_all()

    def read(self, group: str, after: int | None) -> News:
        """A group's slides after one; all that are kept if it is None."""
        with self._changed:
            told = self._groups.get(group)
            if told is None or told.last < told.first or (after is not None and told.last <= after):
                return News(None, changes=self._changes)
            restart = after is not None and after + 1 < told.first
            begin = told.first if after is None or restart else after + 1
            return News(self._chunk(told, begin), restart, self._changes)

    def _take(self, metrics: list[MetricRow], verdicts: list[VerdictRow]) -> None:
        for verdict in verdicts:
            position = self._positions.get(verdict.property)
            if position is None:  # the spec was changed since
                continue
            told = self._told(verdict.group)
            if verdict.slide < told.first:
                continue
            told.set(position, verdict.slide, verdict.value, verdict.final)
            told.ends[verdict.slide] = verdict.least, verdict.greatest
            if verdict.cuts is not None:
                told.cuts[verdict.slide] = verdict.cuts
        for metric in metrics:
            told = self._told(metric.group)
            told.extend(metric.slides)
            told.totals = metric.counters()
            told.counters[metric.slides] = told.totals
            self._unseen.add(dict(metric.unseen or ()))
            told.forget()

    def _told(self, group: str | None) -> _Told:
        return self._groups.setdefault(group or "", _Told(len(self._positions)))

    def _chunk(self, told: _Told, begin: int) -> Chunk:
        """The same form as a recorder's chunk, without states; `told` has the cuts that are known."""
        slides = range(begin, told.last + 1)
        values = [letters[begin - told.first :].decode() for letters in told.letters]
        nothing: list[Literal[0]] = [0] * len(slides)
        return {
            "first": begin,
            "process": nothing,
            "states": [],
            "through": [],
            "empty": "",
            "held": [],
            "least": [],
            "greatest": [],
            "cuts": [told.cuts.get(slide, -1) for slide in slides],
            "levels": [],
            "values": values,
            "finals": [finals[begin - told.first :].decode() for finals in told.finals],
            "parts": [
                {
                    "values": self._part_values(values, part, len(slides)),
                    "cut": nothing,
                    "path": nothing,
                    "stretch": [],
                    "labels": nothing,
                    "speak": nothing,
                    "because": "-" * len(slides),
                }
                for part in self._parts
            ],
            "counters": {name: self._counter(told, k, slides) for k, name in enumerate(COUNTERS) if k},
            "totals": dict(zip(COUNTERS, told.totals, strict=True)),
            "told": [(slide, *told.ends[slide]) for slide in slides if slide in told.ends],
        }

    @staticmethod
    def _counter(told: _Told, position: int, slides: range) -> list[int]:
        """How a counter changes, known only where a batch ends; the first is what it was before."""
        before = max((slide for slide in told.counters if slide < slides.start), default=None)
        value = told.counters[before][position] if before is not None else 0
        changes = []
        for at, slide in enumerate(slides):
            now = told.counters[slide][position] if slide in told.counters else value
            changes.append(now if at == 0 else now - value)
            value = now
        return changes

    @staticmethod
    def _part_values(values: list[str], part: tuple[int, bool] | None, slides: int) -> str:
        """A letter a slide for a part, as far as the properties' values tell it."""
        if part is None:
            return "?" * slides
        position, is_opposite = part
        return values[position].translate(_OPPOSITE) if is_opposite else values[position]

    @staticmethod
    def _nap(seconds: float) -> bool:
        from time import sleep

        sleep(seconds)
        return True
