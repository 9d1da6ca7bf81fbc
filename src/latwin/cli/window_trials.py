"""What windows of several sizes would do with a log: how large lattices become, what slides cost, what is missed.

Verdicts on a window are compared, slide by slide, with verdicts on everything that was delivered so far (the paper's
LAT). Both take the same events in the same order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from latwin.model import Verdict
from latwin.monitor import Monitor
from latwin.slide import Slide
from latwin.spec import Spec

#: the whole log so far is asked only as long as its lattice has at most so many cuts
WHOLE_CUTS = 100_000
#: between two looks at the clock, so many events are taken
_TOGETHER = 64
#: kernels are loaded, or compiled, by so many events before anything is timed
_WARM_UP = 1024

#: each property's value after each slide; None where the lattice was too large
Timelines = dict[str, list[bool | None]]
Groups = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Agreement:
    """A property on a window beside the same property on more."""

    #: what it was compared with: "whole log", or "window 16" if the whole log is too large
    against: str
    #: slides at which both had an answer
    compared: int
    #: slides at which the answers were equal; true on the window alone; true on the other alone
    agree: int
    only_window: int
    only_other: int

    @property
    def share(self) -> float | None:
        """How often they agree, from 0 to 1; None if they never could be compared."""
        return self.agree / self.compared if self.compared else None


@dataclass
class Trial:
    """One window size, tried."""

    window: int
    #: slides that were made while properties were answered, and at how many of them some property was too large
    slides: int = 0
    too_large: int = 0
    #: processor time that the slides took, with all properties
    seconds: float = 0.0
    #: slides whose cuts were counted, the cuts of all of them, the most, and at how many there were none
    counted: int = 0
    cuts: int = 0
    most_cuts: int = 0
    empty: int = 0
    #: slides with more cuts than the spec's `max_cuts`; they are not in `cuts`
    beyond: int = 0
    timelines: dict[str, Timelines] = field(default_factory=dict)
    agreements: dict[str, Agreement] = field(default_factory=dict)

    @property
    def mean_cuts(self) -> float | None:
        """Cuts on average, of the slides within `max_cuts`."""
        within = self.counted - self.beyond
        return self.cuts / within if within else None

    @property
    def slide_us(self) -> float | None:
        """What a slide cost on this machine, in microseconds of processor time."""
        return self.seconds / self.slides * 1e6 if self.slides else None

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "window": self.window,
            "slides": self.slides,
            "mean_cuts": self.mean_cuts,
            "most_cuts": self.most_cuts,
            "slides_beyond_max_cuts": self.beyond,
            "slides_without_cut": self.empty,
            "slides_too_large": self.too_large,
            "measured_slide_us": self.slide_us,
            "agreement": {
                name: {
                    "against": agreement.against,
                    "compared": agreement.compared,
                    "agree": agreement.agree,
                    "only_window": agreement.only_window,
                    "only_other": agreement.only_other,
                    "share": agreement.share,
                }
                for name, agreement in self.agreements.items()
            },
        }


class Walk:
    """Goes over all events, group by group, as often as it is asked to; each time for at most so many seconds."""

    def __init__(self, groups: Groups, seconds: float, reach: Callable[[int], None]) -> None:
        """`reach` is told how many events are behind, counting those that there was no time for."""
        self._groups = groups
        self._seconds = seconds
        self._reach = reach
        self._events = sum(map(len, groups.values()))
        self._walks = 0

    def some(self) -> Sequence[Any]:
        """A few events of one group."""
        return next((events[:_WARM_UP] for events in self._groups.values()), [])

    def __iter__(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """A group and some of its events, again and again."""
        end = time.perf_counter() + self._seconds
        behind = self._walks * self._events
        self._walks += 1
        for group, events in self._groups.items():
            for start in range(0, len(events), _TOGETHER):
                some = events[start : start + _TOGETHER]
                yield group, some
                behind += len(some)
                self._reach(behind)
                if time.perf_counter() > end:
                    return


def passes(windows: Sequence[int]) -> int:
    """How often `try_windows` goes over the events: twice for each window, once for the whole log."""
    return 2 * len(windows) + 1


def try_windows(spec: Spec, walk: Walk, windows: Sequence[int]) -> list[Trial]:
    """Try each window size on all groups' events, and compare what is answered with the whole log."""
    trials = []
    for window in windows:
        sized = _with_window(spec, window)
        trial = Trial(window)
        Monitor(sized).observe_many(walk.some())  # loads the kernels
        _answer(sized, walk, trial)
        _count(sized, walk, trial)
        trials.append(trial)
    whole = Trial(0)
    _answer(_with_window(spec, None), walk, whole)
    for name in spec.properties:
        _compare(name, trials, whole)
    return trials


def _with_window(spec: Spec, window: int | None) -> Spec:
    max_cuts = spec.max_cuts if window is not None else min(spec.max_cuts, WHOLE_CUTS)
    return Spec.from_dict({**spec.to_dict(), "window": window, "max_cuts": max_cuts})


def _answer(spec: Spec, walk: Walk, trial: Trial) -> None:
    """Answer all properties at every slide, as `latwin check` does, and time it."""
    monitors: dict[str, Monitor] = {}
    verdicts: dict[str, list[Verdict]] = {}
    for group, some in walk:
        if group not in monitors:
            monitors[group], verdicts[group] = Monitor(spec), []
        began = time.process_time()  # whatever else the machine does
        verdicts[group] += monitors[group].observe_many(some)
        trial.seconds += time.process_time() - began
    for group, monitor in monitors.items():
        trial.slides += monitor.slide
        timelines = _timelines(spec, verdicts[group], monitor.slide)
        trial.timelines[group] = timelines
        trial.too_large += sum(None in values for values in zip(*timelines.values(), strict=True))


def _timelines(spec: Spec, verdicts: Sequence[Verdict], slides: int) -> Timelines:
    """Every property's value after every slide, from its changes."""
    found: Timelines = {}
    for name in spec.properties:
        changes = [(verdict.slide, verdict.value) for verdict in verdicts if verdict.property == name]
        values: list[bool | None] = []
        for (begin, value), (end, _) in pairwise([(1, False), *changes, (slides + 1, None)]):
            values += [value] * (end - begin)
        found[name] = values
    return found


def _count(spec: Spec, walk: Walk, trial: Trial) -> None:
    """Count the cuts at every slide."""

    def look(slide: Slide) -> None:
        cuts = slide.count_cuts()
        trial.counted += 1
        trial.beyond += cuts is None
        trial.empty += cuts == 0
        trial.cuts += cuts or 0
        trial.most_cuts = max(trial.most_cuts, cuts or 0)

    bare = Spec.from_dict({**spec.to_dict(), "properties": {}, "never": []})
    monitors: dict[str, Monitor] = {}
    for group, some in walk:
        if group not in monitors:
            monitors[group] = Monitor(bare, on_slide=look)
        monitors[group].observe_many(some)


def _compare(name: str, trials: Sequence[Trial], whole: Trial) -> None:
    """Compare a property on each window with the whole log, or with the largest window that always had an answer."""
    against, other = "whole log", whole
    answered = [value is not None for timelines in whole.timelines.values() for value in timelines[name]]
    if 2 * sum(answered) < max((trial.slides for trial in trials), default=0):
        usable = [trial for trial in trials if not trial.too_large]
        if not usable:
            return
        other = max(usable, key=lambda trial: trial.window)
        against = f"window {other.window}"
    for trial in trials:
        pairs = [
            (own, beside)
            for group, timelines in trial.timelines.items()
            for own, beside in _beside(timelines[name], other.timelines.get(group, {}).get(name, []))
        ]
        trial.agreements[name] = Agreement(
            against,
            compared=len(pairs),
            agree=sum(own == beside for own, beside in pairs),
            only_window=sum(own and not beside for own, beside in pairs),
            only_other=sum(beside and not own for own, beside in pairs),
        )


def _beside(own: Sequence[bool | None], other: Sequence[bool | None]) -> Iterator[tuple[bool, bool]]:
    """The values at slides where both have one; a pass that ended early has fewer slides."""
    return ((a, b) for a, b in zip(own, other, strict=False) if a is not None and b is not None)
