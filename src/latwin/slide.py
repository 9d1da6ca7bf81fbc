"""One slide of a monitor, as whoever watches sees it: `Monitor(spec, on_slide=look)` calls `look(slide)`.

>>> from latwin import Monitor, Spec
>>> spec = Spec.from_dict({"processes": ["a", "b"], "window": 4, "properties": {"both": "possibly(a.x and b.x)"}})
>>> monitor = Monitor(spec, on_slide=lambda slide: print(slide.number, slide.process, slide.newest, slide.values))
>>> _ = monitor.observe({"process": "a", "clock": [2, 0], "state": {"x": True}})
>>> _ = monitor.observe({"process": "a", "clock": [1, 0], "state": {"x": True}})
1 a (1, 0) {'both': False}
2 a (2, 0) {'both': False}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from latwin.detect import Context, KeptStates, PropertyDetector
from latwin.detect.ctl import TemporalDetector
from latwin.detect.on_lattice import Labels, make_labels
from latwin.errors import InvalidInput, LatticeTooLarge
from latwin.events import Arrival
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels.window import GREATEST, LEAST, NEWEST, OLDEST
from latwin.lattice.window import Window
from latwin.model import Because, Counters, Cut, SlideKind
from latwin.properties import Expr, Modal, Question
from latwin.properties.ctl import Temporal
from latwin.properties.plan import plan_labels
from latwin.spec import Spec

#: for each cut, in lexicographic order, whether it is labelled
CutLabels = npt.NDArray[np.bool_]


class Answer(NamedTuple):
    """What one part of a property was worth; the fields mean the same as those of a `Verdict`."""

    value: bool | None
    cuts: int | None = None
    witness: Cut | tuple[Cut, ...] | None = None
    stretch: tuple[int, int] | None = None
    because: Because | None = None
    final: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slide:
    """The slide that a monitor has just made.

    The fields are plain data, and the watcher may keep them. The methods read the monitor's window, so they
    answer only during the callback; afterwards they raise InvalidInput.

    The ends of the window are state numbers, one for each process in the spec's order. State numbers count the
    delivered states of a process; its initial state is 0. `monitor.window` finds a state's index and clock by its
    number.
    """

    #: number of the slide, counted from 1: the group's delivered states and ticks
    number: int
    #: what made the slide
    kind: SlideKind
    #: the delivered state: its process, index, clock, variables, and its event's `time`; None without one, but for
    #: the time of a tick
    process: str | None
    index: int | None
    #: the clock as the lattice knows it: with `synchrony`, it includes what the times add
    clock: Cut | None
    state: Any
    time: Any
    #: the oldest and the newest state in the window
    oldest: Cut
    newest: Cut
    #: the least and the greatest cut; None when there is no cut
    least: Cut | None
    greatest: Cut | None
    #: the highest index (not number) that was delivered or declared lost
    through: Cut
    #: every property's value
    values: Mapping[str, bool | None]
    #: the counters at this slide
    counters: Counters
    _watch: Watch = field(repr=False, compare=False)

    def answers(self, name: str, *, observations: bool = False) -> tuple[Answer, ...]:
        """The answers of a property's parts, from left to right; equal parts have one answer.

        With `observations`, answers carry observations as witnesses where the kind of part has them.
        """
        return self._watch.answers(self, name, observations=observations)

    def is_final(self, name: str) -> bool | None:
        """Whether no later event can overturn a property's value for the states of this window; see `Verdict`."""
        return self._watch.is_final(self, name)

    def count_cuts(self) -> int | None:
        """The number of cuts, found without listing them; None beyond the spec's `max_cuts`."""
        return self._watch.count_cuts(self)

    def cuts(self) -> npt.NDArray[np.int64]:
        """All cuts in lexicographic order, as rows of state numbers; raises LatticeTooLarge beyond `max_cuts`."""
        return self._watch.cuts(self)

    def labels(self, conditions: Sequence[Expr | Temporal]) -> list[CutLabels]:
        """For each condition or CTL formula, at which of the `cuts` it holds, in the same order.

        Raises LatticeTooLarge beyond `max_cuts`. The first time a monitor meets a condition it compiles it, so
        give all of them at once.
        """
        return self._watch.labels(self, conditions)


class Watch:
    """Shows a monitor's slides to a callback, and answers what the callback asks about the present one."""

    def __init__(
        self,
        look: Callable[[Slide], object],
        spec: Spec,
        context: Context,
        kept: KeptStates,
        detectors: Mapping[str, PropertyDetector],
    ) -> None:
        self._look = look
        self._spec = spec
        self._context = context
        self._kept = kept
        self._detectors = detectors
        #: the slide that may ask; None between slides
        self._present: Slide | None = None
        # Counting overwrites what a built lattice needs, so it has tables of its own.
        self._counter = BitLattice(context.window, spec.max_cuts)
        self._labels: dict[Expr | Temporal, Labels | TemporalDetector] = {}

    def show(
        self,
        kind: SlideKind,
        arrival: Arrival | None,
        time: Any,
        values: Mapping[str, bool | None],
        counters: Counters,
    ) -> None:
        """Call back with the slide just made, of a state by the delivery of `arrival`."""
        window = self._context.window
        oldest, newest, least, greatest = (_numbers(window, row) for row in (OLDEST, NEWEST, LEAST, GREATEST))
        self._present = Slide(
            number=counters.slides,
            kind=kind,
            process=None if arrival is None else self._spec.processes[arrival.process],
            index=None if arrival is None else arrival.index,
            clock=None if arrival is None else window.clock_of(arrival.process, newest[arrival.process]),
            state=None if arrival is None else self._kept.latest(arrival.process),
            time=time,
            oldest=oldest,
            newest=newest,
            least=None if window.is_empty else least,
            greatest=None if window.is_empty else greatest,
            through=tuple(window.through()),
            values=values,
            counters=msgspec.structs.replace(counters),
            _watch=self,
        )
        try:
            self._look(self._present)
        finally:
            self._present = None

    def answers(self, slide: Slide, name: str, *, observations: bool) -> tuple[Answer, ...]:
        """See `Slide.answers`."""
        self._require(slide)
        is_whole = isinstance(self._spec.trees[name], (Modal, Question))
        found = []
        for detector in self._detectors[name].detectors:
            value = slide.values[name] if is_whole else detector.evaluate()
            details = detector.details(observations=observations)
            found.append(Answer(value, *details, final=detector.is_final()))
        return tuple(found)

    def is_final(self, slide: Slide, name: str) -> bool | None:
        """See `Slide.is_final`."""
        self._require(slide)
        return self._detectors[name].is_final()

    def count_cuts(self, slide: Slide) -> int | None:
        """See `Slide.count_cuts`."""
        self._require(slide)
        try:
            return self._counter.count()
        except LatticeTooLarge:
            return None

    def cuts(self, slide: Slide) -> npt.NDArray[np.int64]:
        """See `Slide.cuts`."""
        lattice = self._lattice(slide)
        return np.empty((0, len(slide.newest)), np.int64) if lattice is None else lattice.cut_numbers()

    def labels(self, slide: Slide, conditions: Sequence[Expr | Temporal]) -> list[CutLabels]:
        """See `Slide.labels`."""
        lattice = self._lattice(slide)
        if lattice is None:
            return [np.empty(0, np.bool_) for _ in conditions]
        self._learn(conditions)
        return [_flags(lattice, self._labels[condition].label(lattice)) for condition in conditions]

    def _require(self, slide: Slide) -> None:
        if slide is not self._present:
            raise InvalidInput(
                f"slide {slide.number} can be asked during its callback only; ask there, and keep the answers"
            )

    def _lattice(self, slide: Slide) -> BitLattice | None:
        """The present lattice; None if it is empty."""
        self._require(slide)
        window = self._context.window
        if window.is_empty:
            return None
        lattice = self._context.current_lattice()
        if lattice is None:
            raise LatticeTooLarge(window.product, self._spec.max_cuts)
        return lattice

    def _learn(self, conditions: Sequence[Expr | Temporal]) -> None:
        """Make labels for new conditions; their atoms then read the states that are in the window already."""
        new = [condition for condition in dict.fromkeys(conditions) if condition not in self._labels]
        if not new:
            return
        context = self._context
        for condition in new:
            self._labels[condition] = (
                TemporalDetector(condition, context)
                if isinstance(condition, Temporal)
                else make_labels(context, plan_labels(condition))
            )
        context.atoms.compile()
        window = context.window
        for process, ring in enumerate(self._kept.read):
            for number in window.states_of(process):
                place = window.place(number)
                context.atoms.push(process, place, ring[place])


def _numbers(window: Window, row: int) -> Cut:
    return tuple(window.ends[row].tolist())


def _flags(lattice: BitLattice, labels: npt.NDArray[np.uint64]) -> CutLabels:
    """The labels of the cuts, in lexicographic order: leaf by leaf, from the lowest bit up."""
    count = lattice.leaf_count
    present = _bits(lattice.leaves[:count])
    flags: CutLabels = _bits(labels[:count])[present]
    return flags


def _bits(words: npt.NDArray[np.uint64]) -> CutLabels:
    little = np.ascontiguousarray(words.astype("<u8")).view(np.uint8)
    return np.unpackbits(little, bitorder="little").astype(np.bool_)
