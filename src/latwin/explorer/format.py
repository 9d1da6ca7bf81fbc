"""The data that the page reads: its header, and chunks of slides in columns, which compress well.

A chunk is what a page embeds and what the server streams. Chunks of a group follow each other without a gap; the
first also brings the states that its first slide already had in the window.

`explorer/src/format.ts` has the same types for the page, under the same names; `tests/explorer/test_format.py`
compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict


class PartOutline(TypedDict):
    """What the page says of a part of a property."""

    text: str
    #: possibly, definitely; the same followed by sequence or formula; CTL, past CTL, probability
    kind: str
    #: the condition that colours states and labels cuts, without the question around it
    condition: str
    #: per process the variables that the condition reads, each as the names on its path
    reads: Sequence[Sequence[Sequence[str]]]
    #: per process whether some part of the condition is about it alone, so that its state can satisfy its own part
    own: Sequence[bool]
    #: whether the condition is one conjunction of conditions on single processes
    conjunctive: bool
    engine: str
    why: str
    #: what it means that a cut is labelled
    meaning: str


class PropertyOutline(TypedDict):
    """What the page says of a property."""

    name: str
    text: str
    #: the text with named states written out; the same as `text` where it has none
    expanded: str
    never: bool
    #: whether it is its one part and nothing more, so that its value is the part's; a formula of CTL may be the
    #: opposite of its part, as AG is of EF
    single: bool
    parts: Sequence[PartOutline]


class SpecOutline(TypedDict):
    """What the page says of a spec."""

    processes: Sequence[str]
    #: the positions of the processes that have each role
    roles: Mapping[str, Sequence[int]]
    #: per process how many states its window holds at most; None sets no bound
    window: Sequence[int | None]
    delivery: str
    synchrony: str | None
    properties: Sequence[PropertyOutline]


class Header(TypedDict):
    """What the page must know before any slide."""

    version: str
    #: what the spec is called
    title: str
    source: str
    live: bool
    #: whether the server has a view of all groups
    system: bool
    groups: Sequence[str]
    notes: Sequence[str]
    #: lattices up to this many cuts are drawn
    drawn: int
    #: how many slides a live page keeps, as many as its server; None: all there are
    slides: int | None
    spec: SpecOutline


#: The states of one process; in this form because `from` is a keyword.
StateColumns = TypedDict(
    "StateColumns",
    {
        "from": int,  # the number of the first state
        "index": Sequence[int],  # the first one, then changes
        "clock": Sequence[Sequence[int]],  # per entry, likewise
        "variables": Sequence[Any],  # different ones, once
        "variables_of": Sequence[int],  # per state a position in `variables`
        "colours": Sequence[str],  # per part one letter for each of `variables`; see `legend.Colour`
        "time": Sequence[Any],
    },
)


class PartColumns(TypedDict):
    """One part of a property, slide by slide."""

    #: one letter a slide: 1, 0, or ? where the lattice was too large
    values: str
    #: a satisfying cut, per process how far above the window's oldest state
    cut: Sequence[Sequence[int] | Literal[0]]
    #: an observation, as the processes that step
    path: Sequence[Sequence[int] | Literal[0]]
    #: slide, begin, end: where in the observation a sequence occurs
    stretch: Sequence[tuple[int, int, int]]
    #: a bit for each cut in lexicographic order, base64; 0 if the lattice is not drawn
    labels: Sequence[str | Literal[0]]
    #: of a condition with an `or`: the processes that make it true at the cut that tells why; else 0
    speak: Sequence[Sequence[int] | Literal[0]]
    #: one letter a slide: where every observation meets the condition of a true `definitely`: l at the least cut,
    #: g at the greatest, i at neither; - of anything else, and where it is not known
    because: str


class Chunk(TypedDict):
    """A stretch of slides."""

    #: the number of the first slide
    first: int
    #: per slide the process whose state was delivered; -1: none, time alone made states leave the windows
    process: Sequence[int]
    #: per process; empty where only verdicts are known, as from a pipeline's output
    states: Sequence[StateColumns]
    #: slide, process, index: where indices were declared lost after a process's newest state
    through: Sequence[tuple[int, int, int]]
    #: per slide one letter: 1 if there is no cut
    empty: str
    #: per process how many states its window held at the first slide, then by how much that changed
    held: Sequence[Sequence[int]]
    #: per process and slide, how far the least cut is above the window's oldest state
    least: Sequence[Sequence[int]]
    #: per process and slide, how far the greatest cut is below the newest state
    greatest: Sequence[Sequence[int]]
    #: per slide; -1: more than `max_cuts`
    cuts: Sequence[int]
    #: slide, cuts by level, labelled cuts by level of each part: for lattices too large to be drawn
    levels: Sequence[tuple[int, Sequence[int], Sequence[Sequence[int] | None]]]
    #: per property one letter a slide, as in parts
    values: Sequence[str]
    #: per property one letter a slide: 1 if no later event can overturn the value, 0 if one may, ? if unknown
    finals: Sequence[str]
    parts: Sequence[PartColumns]
    #: per counter its first value, then how much it changed at each slide
    counters: Mapping[str, Sequence[int]]
    #: the counters after the last event
    totals: Mapping[str, int]
    #: only of verdicts: the slides at which something was written, with least and greatest cut
    told: NotRequired[Sequence[tuple[int, Sequence[int] | None, Sequence[int] | None]]]


class GroupLine(TypedDict):
    """A group in the view of the whole system."""

    name: str
    #: its latest slide
    slide: int
    #: per property one letter, as in parts
    values: str
    #: how many of its events were rejected, late or declared lost
    rejects: int


class SystemView(TypedDict):
    """All groups of a pipeline, now."""

    groups: int
    #: how many have the name that was searched
    found: int
    #: in how many something is true that must never be
    violating: int
    #: some of those found, the worst first
    lines: Sequence[GroupLine]
    #: per property, in how many groups it was true after each of the latest batches
    true_in: Sequence[Sequence[int]]
    #: the counters of all groups together
    totals: Mapping[str, int]
