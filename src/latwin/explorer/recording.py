"""A monitor that takes notes: for every slide what the page shows, computed once.

Cuts are given by state numbers, which count the delivered states of a process (the initial one is 0), because
windows and steps are plain in them; a state's index is in its own notes. The cuts themselves are not noted: the
page finds them from the clocks, in the same lexicographic order in which `labels` has a bit for each.
"""

from __future__ import annotations

from base64 import b64encode
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from latwin.detect.ctl import TemporalDetector
from latwin.detect.detector import Details, Detector
from latwin.detect.on_lattice import Labels, make_labels
from latwin.errors import LatticeTooLarge
from latwin.events import Arrival
from latwin.explorer.parts import Part, parts_of
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels.window import GREATEST, LEAST, NEWEST, OLDEST
from latwin.model import Cut, Verdicts
from latwin.monitor import Monitor
from latwin.properties import Modal, Question
from latwin.properties.ctl import Temporal
from latwin.properties.plan import plan_labels
from latwin.spec import Spec

#: lattices up to this many cuts are drawn cut by cut
MOST_DRAWN = 2_000
#: and up to this many are counted level by level
MOST_COUNTED = 200_000
#: slides kept if nothing else is asked for: the last ones
MOST_SLIDES = 10_000
COUNTERS = ("delivered", "waiting", "duplicates", "rejected", "late", "skipped", "too_large")


@dataclass(frozen=True, slots=True)
class PartNotes:
    """One part of a property at one slide."""

    value: bool | None
    #: a satisfying cut, by state numbers
    cut: Cut | None = None
    #: an observation, as the processes that step, one after the other, from the least cut on
    path: tuple[int, ...] | None = None
    #: where in the observation a sequence occurs
    stretch: tuple[int, int] | None = None
    #: a bit for each cut in lexicographic order, base64; None if the lattice is not drawn
    labels: str | None = None
    #: how many cuts of each level are labelled; None unless the lattice is counted by level
    labelled: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class SlideNotes:
    """One slide."""

    process: int
    newest: Cut
    oldest: Cut
    #: per process the highest index delivered or declared lost
    through: Cut
    least: Cut | None
    greatest: Cut | None
    #: the number of cuts; None beyond the spec's `max_cuts`
    cuts: int | None
    #: how many cuts are on each level; None unless the lattice is too large to be drawn, and can be counted
    levels: tuple[int, ...] | None
    values: tuple[bool | None, ...]
    parts: tuple[PartNotes, ...]
    counters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StateNotes:
    """One delivered state."""

    index: int
    #: as the lattice knows it: with `synchrony`, what the times add is in it
    clock: Cut
    variables: Any
    time: Any


class Recorder(Monitor):
    """A monitor that notes every slide from `first` to `last`, and of those only the latest `most`.

    `slides` holds the notes, the last of them of the slide `last_noted`; `noted[k]` those of the states of process
    k that any of these slides has in its window, from number `first_state(k)` on.
    """

    def __init__(self, spec: Spec, *, first: int = 1, last: int | None = None, most: int = MOST_SLIDES) -> None:
        super().__init__(spec)
        self._first, self._last = first, last
        self.slides: deque[SlideNotes] = deque(maxlen=most)
        self.last_noted = 0
        self.noted: list[deque[StateNotes]] = [deque() for _ in spec.processes]
        self.parts: list[Part] = parts_of(spec)
        self._modalities = None  # no runs in compiled code: every slide must come by `_judge`, which takes the notes
        self._counter = BitLattice(self._window, spec.max_cuts)
        #: the parts' detectors, each with the position of the property if the part is all of it
        self._detectors: list[tuple[Detector, int | None]] = [
            (detector, position if isinstance(spec.trees[name], (Modal, Question)) else None)
            for position, (name, whole) in enumerate(self._properties)
            for detector in whole.detectors
        ]
        self._labels = [self._labels_of(part) for part in self.parts]
        self._kept.atoms.compile()  # again: the labels brought atoms of their own
        for process, initial in enumerate(spec.initial):
            self._kept.add(process, 0, initial)
            self.noted[process].append(StateNotes(0, (0,) * len(spec.processes), initial, None))

    def first_state(self, process: int) -> int:
        """The number of the first state of a process that is still noted."""
        return self._window.newest(process) + 1 - len(self.noted[process])

    def record(self, events: Iterable[Mapping[str, Any]]) -> Recorder:
        """Observe events in order of arrival; this recorder."""
        for event in events:
            self.observe(event)
        return self

    def totals(self) -> dict[str, int]:
        """The counters now, after the last event."""
        return dict(zip(COUNTERS, self._counts(), strict=True))

    def drop_oldest(self) -> None:
        """Forget the oldest of the noted slides."""
        self.slides.popleft()
        self._forget()

    def _judge(self, arrival: Arrival, every: bool, out: Verdicts) -> None:
        super()._judge(arrival, every, out)
        window, process = self._window, arrival.process
        clock = window.clock_of(process, window.newest(process))
        self.noted[process].append(StateNotes(arrival.index, clock, self._kept.latest(process), arrival.time))
        if self.slide >= self._first and (self._last is None or self.slide <= self._last):
            self.slides.append(self._note(process))
            self.last_noted = self.slide
        self._forget()

    def _forget(self) -> None:
        """Drop the states that no noted slide has in its window."""
        oldest = self.slides[0].oldest if self.slides else tuple(self._window.ends[OLDEST].tolist())
        for process, states in enumerate(self.noted):
            while self.first_state(process) < oldest[process]:
                states.popleft()

    def _note(self, process: int) -> SlideNotes:
        window = self._window
        ends = window.ends
        cuts = self._count()
        flags: list[npt.NDArray[np.bool_]] | None = None
        level: npt.NDArray[np.int64] | None = None
        if cuts is not None and 0 < cuts <= MOST_COUNTED:
            lattice = self._context.current_lattice()
            assert lattice is not None
            flags = [_flags(lattice, labels.label(lattice)) for labels in self._labels]
            if cuts > MOST_DRAWN:
                level = lattice.cut_numbers().sum(axis=1) - int(ends[LEAST].sum())
        return SlideNotes(
            process=process,
            newest=tuple(ends[NEWEST].tolist()),
            oldest=tuple(ends[OLDEST].tolist()),
            through=tuple(window.through()),
            least=None if window.is_empty else tuple(ends[LEAST].tolist()),
            greatest=None if window.is_empty else tuple(ends[GREATEST].tolist()),
            cuts=cuts,
            levels=None if level is None else tuple(np.bincount(level).tolist()),
            values=tuple(self._values),
            parts=tuple(
                self._note_part(number, cuts, None if flags is None else flags[number], level)
                for number in range(len(self.parts))
            ),
            counters=self._counts(),
        )

    def _note_part(
        self,
        number: int,
        cuts: int | None,
        flags: npt.NDArray[np.bool_] | None,
        level: npt.NDArray[np.int64] | None,
    ) -> PartNotes:
        detector, whole = self._detectors[number]
        value = self._values[whole] if whole is not None else detector.evaluate()
        details = Details()
        if value is not None and not self._window.is_empty:
            # An observation through a lattice that is not drawn would not be seen.
            details = detector.details(observations=cuts is not None and cuts <= MOST_DRAWN)
        cut, path = self._witness(details.witness)
        labels, labelled = None, None
        if flags is not None and level is None:
            labels = b64encode(np.packbits(flags, bitorder="little").tobytes()).decode()
        elif flags is not None and level is not None:
            labelled = tuple(np.bincount(level[flags], minlength=int(level.max()) + 1).tolist())
        return PartNotes(value, cut, path, details.stretch, labels, labelled)

    def _witness(self, witness: Any) -> tuple[Cut | None, tuple[int, ...] | None]:
        """A witness as a cut by state numbers, or as the processes that step."""
        if not witness:
            return None, None
        if not isinstance(witness[0], tuple):
            return self._numbers(witness), None
        steps = pairwise(witness)
        return None, tuple(next(k for k, index in enumerate(after) if index != before[k]) for before, after in steps)

    def _numbers(self, cut: Sequence[int]) -> Cut:
        numbers = [self._window.find(process, index) for process, index in enumerate(cut)]
        return tuple(number for number in numbers if number is not None)

    def _counts(self) -> tuple[int, ...]:
        """The counters; those that wait by the buffer, for the monitor counts them only after the last slide."""
        values = {name: getattr(self.counters, name) for name in COUNTERS}
        return tuple({**values, "waiting": len(self._buffer.waiting)}.values())

    def _count(self) -> int | None:
        try:
            return self._counter.count()
        except LatticeTooLarge:
            return None

    def _labels_of(self, part: Part) -> Labels | TemporalDetector:
        if isinstance(part.node, Temporal):
            return TemporalDetector(part.node, self._context)
        return make_labels(self._context, plan_labels(part.condition))


def _flags(lattice: BitLattice, labels: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """The labels of the cuts, in lexicographic order: leaf by leaf, from the lowest bit up."""
    count = lattice.leaf_count
    present = _bits(lattice.leaves[:count])
    flags: npt.NDArray[np.bool_] = _bits(labels[:count])[present]
    return flags


def _bits(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    little = np.ascontiguousarray(words.astype("<u8")).view(np.uint8)
    return np.unpackbits(little, bitorder="little").astype(np.bool_)
