"""Notes on a monitor's slides: for each slide what the page shows, computed once.

Cuts are given by state numbers, which count the delivered states of a process (the initial one is 0), because
windows and steps are simple in them; a state's index is in its own notes. The cuts themselves are not noted: the
page finds them from the clocks, in the same lexicographic order in which `labels` has a bit for each of them.
"""

from __future__ import annotations

from base64 import b64encode
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from latwin.explorer.legend import Part, parts_of
from latwin.explorer.speakers import Speakers
from latwin.model import Because, Counters, Cut
from latwin.monitor import Monitor
from latwin.slide import Answer, CutLabels, Slide
from latwin.spec import Spec

#: lattices up to this many cuts are drawn cut by cut
MOST_DRAWN = 2_000
#: and up to this many are counted level by level
MOST_COUNTED = 200_000
#: observations up to this many steps are shown
MOST_STEPS = 240
#: so many of the last slides are kept if nothing else is asked for
MOST_SLIDES = 10_000
COUNTERS = Counters.__struct_fields__


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
    #: where every observation meets the condition of a true `definitely`
    because: Because | None = None
    #: the processes that make a condition with an `or` true at the cut that tells why
    speak: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class SlideNotes:
    """One slide."""

    #: whose state was delivered; -1 if the slide has none
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
    #: whether no later event can overturn them
    finals: tuple[bool | None, ...]
    parts: tuple[PartNotes, ...]
    counters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StateNotes:
    """One delivered state."""

    index: int
    #: the clock as the lattice knows it: with `synchrony`, it includes what the times add
    clock: Cut
    variables: Any
    time: Any


class Recorder:
    """Watches a monitor of its own and notes every slide from `first` to `last`, but keeps only the latest `most`.

    `slides` holds the notes; the last of them are on slide `last_noted`. `noted[k]` holds the states of process k
    that are in the window of any of these slides, from number `first_state(k)` on.
    """

    def __init__(self, spec: Spec, *, first: int = 1, last: int | None = None, most: int = MOST_SLIDES) -> None:
        self.spec = spec
        self.monitor = Monitor(spec, on_slide=self._note)
        self._first, self._last = first, last
        self.slides: deque[SlideNotes] = deque(maxlen=most)
        self.last_noted = 0
        self.parts: list[Part] = parts_of(spec)
        self._labelling = [part.labelling for part in self.parts]
        self._speakers = [Speakers(part.node) for part in self.parts]
        #: whether states are noted; those of processes that join and leave are not
        self.has_states = spec.open is None
        start = (0,) * len(spec.processes)
        initials = spec.initial if self.has_states else ()
        self.noted = [deque([StateNotes(0, start, initial, None)]) for initial in initials]

    def first_state(self, process: int) -> int:
        """The number of the first state of a process that is still noted."""
        return self.monitor.window.newest(process) + 1 - len(self.noted[process])

    def record(self, events: Iterable[Mapping[str, Any]]) -> Recorder:
        """Observe events in order of arrival; return this recorder."""
        for event in events:
            self.monitor.observe(event)
        return self

    def totals(self) -> dict[str, int]:
        """The counters now, after the last event."""
        return msgspec.structs.asdict(self.monitor.counters)

    def drop_oldest(self) -> None:
        """Forget the oldest of the noted slides."""
        self.slides.popleft()
        self._forget()

    def _note(self, slide: Slide) -> None:
        """Take notes on a slide, if they are wanted, and on its state in any case."""
        process = -1
        if self.has_states and slide.process is not None and slide.index is not None and slide.clock is not None:
            process = self.spec.processes.index(slide.process)
            self.noted[process].append(StateNotes(slide.index, slide.clock, slide.state, slide.time))
        if slide.number >= self._first and (self._last is None or slide.number <= self._last):
            self.slides.append(self._notes_on(slide, process))
            self.last_noted = slide.number
        self._forget()

    def _forget(self) -> None:
        """Drop the states that are in no noted slide's window, nor in the present one."""
        window = self.monitor.window
        for process, states in enumerate(self.noted):
            oldest = self.slides[0].oldest[process] if self.slides else window.oldest(process)
            while self.first_state(process) < oldest:
                states.popleft()

    def _notes_on(self, slide: Slide, process: int) -> SlideNotes:
        cuts = slide.count_cuts()
        if not self.has_states:
            return self._verdicts_of(slide, cuts)
        flags: list[CutLabels] | list[None] = [None] * len(self.parts)
        level: npt.NDArray[np.int64] | None = None
        if cuts is not None and 0 < cuts <= MOST_COUNTED:
            flags = slide.labels(self._labelling)
            if cuts > MOST_DRAWN:
                level = slide.cuts().sum(axis=1) - sum(slide.least or ())
        # The space-time diagram shows an observation even where the lattice is too large to be drawn.
        steps = sum(slide.greatest or ()) - sum(slide.least or ())
        is_walked = steps <= MOST_STEPS
        answers = [answer for name in slide.values for answer in slide.answers(name, observations=is_walked)]
        return SlideNotes(
            process=process,
            newest=slide.newest,
            oldest=slide.oldest,
            through=slide.through,
            least=slide.least,
            greatest=slide.greatest,
            cuts=cuts,
            levels=None if level is None else tuple(np.bincount(level).tolist()),
            values=tuple(slide.values.values()),
            finals=tuple(slide.is_final(name) for name in slide.values),
            parts=tuple(
                self._note_part(slide, answer, self._speakers[k], flags[k], level) for k, answer in enumerate(answers)
            ),
            counters=msgspec.structs.astuple(slide.counters),
        )

    def _verdicts_of(self, slide: Slide, cuts: int | None) -> SlideNotes:
        """Notes on a slide without its states."""
        answers = [answer for name in slide.values for answer in slide.answers(name)]
        return SlideNotes(
            process=0,
            newest=(),
            oldest=(),
            through=(),
            least=None,
            greatest=None,
            cuts=cuts,
            levels=None,
            values=tuple(slide.values.values()),
            finals=tuple(slide.is_final(name) for name in slide.values),
            parts=tuple(PartNotes(answer.value, because=answer.because) for answer in answers),
            counters=msgspec.structs.astuple(slide.counters),
        )

    def _note_part(
        self,
        slide: Slide,
        answer: Answer,
        speakers: Speakers,
        flags: CutLabels | None,
        level: npt.NDArray[np.int64] | None,
    ) -> PartNotes:
        cut, path = self._witness(answer.witness)
        telling = {"least": slide.least, "greatest": slide.greatest}.get(answer.because or "", cut)
        speak = speakers.at(self._states_at(telling)) if answer.value and telling and speakers.are_chosen else None
        labels, labelled = None, None
        if flags is not None and level is None:
            labels = b64encode(np.packbits(flags, bitorder="little").tobytes()).decode()
        elif flags is not None and level is not None:
            labelled = tuple(np.bincount(level[flags], minlength=int(level.max()) + 1).tolist())
        return PartNotes(answer.value, cut, path, answer.stretch, labels, labelled, answer.because, speak)

    def _states_at(self, cut: Cut) -> list[Any]:
        return [self.noted[k][number - self.first_state(k)].variables for k, number in enumerate(cut)]

    def _witness(self, witness: Any) -> tuple[Cut | None, tuple[int, ...] | None]:
        """A witness as a cut by state numbers, or as the processes that step."""
        if not witness:
            return None, None
        if not isinstance(witness[0], tuple):
            return self._numbers(witness), None
        steps = pairwise(witness)
        return None, tuple(next(k for k, index in enumerate(after) if index != before[k]) for before, after in steps)

    def _numbers(self, cut: Sequence[int]) -> Cut:
        numbers = [self.monitor.window.find(process, index) for process, index in enumerate(cut)]
        return tuple(number for number in numbers if number is not None)
