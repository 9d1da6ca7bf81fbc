"""Lanes that a long recording gives up: those of processes that left, and that every cut of its slides has passed.

A process that left keeps its lane, so that slides can be looked at in which it was there. In a group that processes
join for days there would be more and more lanes. Beyond a bound, the earliest of them are given up, together with the
slides in which their processes still mattered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from latwin.model import Cut

if TYPE_CHECKING:
    from latwin.explorer.recording import SlideNotes, StateNotes


def lanes_to_give_up(slides: Sequence[SlideNotes], passed: Mapping[int, int], count: int) -> tuple[list[int], int]:
    """Up to `count` lanes whose processes every cut has passed by now, and how many of the oldest slides go as well.

    `passed` has the numbers of their last states. The lanes that cost the fewest slides come first.
    """
    ends = sorted((_mattered(slides, lane, last), lane) for lane, last in passed.items())[:count]
    return sorted(lane for _, lane in ends), max((end for end, _ in ends), default=0)


def _mattered(slides: Sequence[SlideNotes], lane: int, last: int) -> int:
    """How many slides there are up to the latest at which some cut has the process in a state before its last one."""
    for back, slide in enumerate(reversed(slides)):
        has_come = lane < len(slide.newest)
        has_passed = slide.least is not None and has_come and slide.least[lane] == last
        if has_come and (not has_passed or slide.process == lane):
            return len(slides) - back
    return 0


def slide_without(slide: SlideNotes, lanes: Collection[int]) -> SlideNotes:
    """Notes of a slide without some lanes, which every cut has passed, so that none of them steps there."""

    def moved(lane: int) -> int:
        return lane - sum(gone < lane for gone in lanes)

    return replace(
        slide,
        process=moved(slide.process),
        newest=_without(slide.newest, lanes),
        oldest=_without(slide.oldest, lanes),
        through=_without(slide.through, lanes),
        least=slide.least and _without(slide.least, lanes),
        greatest=slide.greatest and _without(slide.greatest, lanes),
        parts=tuple(
            replace(
                part,
                cut=part.cut and _without(part.cut, lanes),
                path=part.path and tuple(map(moved, part.path)),
                speak=part.speak and tuple(moved(lane) for lane in part.speak if lane not in lanes),
            )
            for part in slide.parts
        ),
    )


def state_without(state: StateNotes, lanes: Collection[int]) -> StateNotes:
    """A state whose clock does not speak of some lanes."""
    return replace(state, clock=_without(state.clock, lanes))


def _without(cut: Cut, lanes: Collection[int]) -> Cut:
    return tuple(entry for lane, entry in enumerate(cut) if lane not in lanes)
