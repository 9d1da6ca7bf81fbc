"""Notes on a monitor's slides: for each slide what the page shows, computed once.

Cuts are given by state numbers, which count the delivered states of a process (the initial one is 0), because
windows and steps are simple in them; a state's index is in its own notes. The cuts themselves are not noted: the
page finds them from the clocks, in the same lexicographic order in which `labels` has a bit for each of them.

Every process has a lane. In a group that processes join, lanes come in the order of joining, and a process that left
keeps its lane, as long as there are not too many (see `lanes`). Notes taken before somebody joined are shorter: until
then, the newcomer was in its state 0.
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

from latwin.detect.states import as_member
from latwin.explorer.lanes import lanes_to_give_up, slide_without, state_without
from latwin.explorer.legend import Part, parts_of
from latwin.explorer.speakers import Speakers
from latwin.model import Because, Counters, Cut, Verdicts
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
#: beyond so many lanes, those of processes that left are given up
MOST_LANES = 200
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

    #: whose state was delivered, by its lane; -1 if the slide has none
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
        # One that left keeps its seat, so that seats are lanes, and those beyond the lanes are empty.
        self.monitor = Monitor(spec, on_slide=self._note, seats=None if spec.open is None else 1)
        self._first, self._last = first, last
        self.slides: deque[SlideNotes] = deque(maxlen=most)
        self.last_noted = 0
        #: the parts over so many lanes, as far as they were asked for
        self._parts_of_lanes: tuple[int, list[Part]] | None = None
        #: the slide at which the latest lane came
        self.lanes_since = 0
        self._ask(self.monitor.spec)
        initials = spec.initial if spec.open is None else ()
        self.noted = [deque([StateNotes(0, (), initial, None)]) for initial in initials]
        #: how many lanes were given up
        self.lanes_given_up = 0
        #: per lane the number of the latest state at the slide before
        self._newest = [0] * len(self.noted)

    @property
    def lanes(self) -> tuple[str, ...]:
        """The processes, each on its lane."""
        return self.monitor.members()[: len(self.noted)]

    def lane_parts(self) -> list[Part]:
        """The parts of the properties over the lanes: what the page says of them, and how they colour states."""
        if self.spec.open is None:
            return self.parts
        if self._parts_of_lanes is None or self._parts_of_lanes[0] != len(self.noted):
            self._parts_of_lanes = len(self.noted), parts_of(self.spec.seated(self.lanes))
        return self._parts_of_lanes[1]

    def first_state(self, process: int) -> int:
        """The number of the first state of a process that is still noted."""
        return self.monitor.window.newest(process) + 1 - len(self.noted[process])

    def record(self, events: Iterable[Mapping[str, Any]]) -> Recorder:
        """Observe events in order of arrival; return this recorder."""
        for event in events:
            self.observe(event)
        return self

    def observe(self, event: Any) -> Verdicts:
        """Observe one event; what the monitor says of it."""
        before = self.last_noted
        told = self.monitor.observe(event)
        # Only where a lane came just now do readers of the latest slides begin again, with the lanes that are left.
        if len(self.noted) > MOST_LANES and self.lanes_since > before:
            self._give_up_lanes()
        return told

    def totals(self) -> dict[str, int]:
        """The counters now, after the last event."""
        return msgspec.structs.asdict(self.monitor.counters)

    def drop_oldest(self) -> None:
        """Forget the oldest of the noted slides."""
        self.slides.popleft()
        self._forget()

    def _note(self, slide: Slide) -> None:
        """Take notes on a slide, if they are wanted, and on its state in any case."""
        self._follow_members(slide)
        process = self._lane_of(slide)
        self._newest = list(slide.newest[: len(self.noted)])
        if slide.index is not None and slide.clock is not None:
            clock = slide.clock[: len(self.noted)]
            self.noted[process].append(StateNotes(slide.index, clock, slide.state, slide.time))
        if slide.number >= self._first and (self._last is None or slide.number <= self._last):
            self.slides.append(self._notes_on(slide, process))
            self.last_noted = slide.number
        self._forget()

    def _ask(self, spec: Spec) -> None:
        """Take the properties' parts from a spec, whose processes are the monitor's seats."""
        self._seats = len(spec.processes)
        #: the parts over the monitor's seats, which label cuts
        self.parts: list[Part] = parts_of(spec)
        self._labelling = [part.labelling for part in self.parts]
        self._speakers = [Speakers(part.node) for part in self.parts]

    def _follow_members(self, slide: Slide) -> None:
        """Have a lane for everyone who joined."""
        if len(self.monitor.spec.processes) != self._seats:
            self._ask(self.monitor.spec)
        joined = len(self.monitor.members()) - len(self.noted)
        if joined:
            self.noted += [deque([StateNotes(0, (), None, None)]) for _ in range(joined)]
            self._newest += [0] * joined
            self.lanes_since = slide.number

    def _give_up_lanes(self) -> None:
        """Give up lanes of processes that left, a quarter of all so that it is seldom done, and slides with them."""
        surplus = len(self.noted) - MOST_LANES * 3 // 4
        passed = {lane: self.monitor.window.newest(lane) for lane in self.monitor.passed()}
        lanes, slides = lanes_to_give_up(self.slides, passed, surplus)
        for _ in range(slides):
            self.slides.popleft()
        self.monitor.clear(lanes)
        kept = [slide_without(slide, lanes) for slide in self.slides]
        self.slides.clear()
        self.slides.extend(kept)
        self.noted = [
            deque(state_without(state, lanes) for state in states)
            for lane, states in enumerate(self.noted)
            if lane not in lanes
        ]
        self._newest = [number for lane, number in enumerate(self._newest) if lane not in lanes]
        self._ask(self.monitor.spec)
        self._parts_of_lanes = None
        self.lanes_given_up += len(lanes)
        self._forget()

    def _lane_of(self, slide: Slide) -> int:
        """Whose state was delivered; -1 if none was. By its name it could be either of two lanes: see `Life`."""
        if slide.process is None:
            return -1
        return next(lane for lane, number in enumerate(self._newest) if slide.newest[lane] != number)

    def _forget(self) -> None:
        """Drop the states that are in no noted slide's window, nor in the present one."""
        window = self.monitor.window
        for process, states in enumerate(self.noted):
            oldest = entry_of(self.slides[0].oldest, process) if self.slides else window.oldest(process)
            while self.first_state(process) < oldest:
                states.popleft()

    def _notes_on(self, slide: Slide, process: int) -> SlideNotes:
        cuts, lanes = slide.count_cuts(), len(self.noted)
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
            newest=slide.newest[:lanes],
            oldest=slide.oldest[:lanes],
            through=slide.through[:lanes],
            least=slide.least and slide.least[:lanes],
            greatest=slide.greatest and slide.greatest[:lanes],
            cuts=cuts,
            levels=None if level is None else tuple(np.bincount(level).tolist()),
            values=tuple(slide.values.values()),
            finals=tuple(slide.is_final(name) for name in slide.values),
            parts=tuple(
                self._note_part(slide, answer, self._speakers[k], flags[k], level) for k, answer in enumerate(answers)
            ),
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
        """The states of a cut as conditions read them, for each of the monitor's seats."""
        found = [states[cut[k] - self.first_state(k)].variables for k, states in enumerate(self.noted)]
        if self.spec.open is None:
            return found
        members = [as_member(state, self.spec.roles_of(name)) for name, state in zip(self.lanes, found, strict=True)]
        return [*members, *[None] * (self._seats - len(members))]

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
        return tuple(number for number in numbers[: len(self.noted)] if number is not None)


def entry_of(cut: Cut, lane: int) -> int:
    """The number or index of a lane in a note; 0 if the note was taken before the lane came."""
    return cut[lane] if lane < len(cut) else 0
