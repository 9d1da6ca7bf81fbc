"""The records that cross latwin's borders: verdicts, notices and counters.

Events come in as plain mappings (`{"process": ..., "clock": ..., "state": ..., "time": ...}`), because
that is what every decoder yields; see `latwin.Monitor.observe`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import repeat
from typing import Any, Literal

import msgspec

Cut = tuple[int, ...]
#: why a `definitely` is true: its condition holds at the least cut, at the greatest cut, or at neither of them, but
#: somewhere in every observation
Because = Literal["least", "greatest", "inside"]
State = Mapping[str, Any]
#: what made a slide: a delivered state, time that went on, or a change of the rules
SlideKind = Literal["state", "tick", "rules"]


class Seats(tuple[str, ...]):
    """The processes of a group that any process may join and leave: places, of which some or all are taken.

    What a place holds tells for each role whether the one who sits there has it, under the empty name, and its
    variables: `{"": {"replica": true}, "replica": {"leader": true}}`. An empty place has the state null.
    """

    __slots__ = ()


class Verdict(msgspec.Struct, frozen=True, gc=False):
    """The value of one property after one slide of a group's window."""

    # The order of the fields is fixed: `VerdictColumns` counts on it.

    property: str
    #: True, False, or None when the lattice exceeded `max_cuts` at this slide
    value: bool | None
    #: whether `value` differs from the slide before (a property is taken to be false before the first). It does not
    #: where a true value is told again because it is final now
    changed: bool
    #: number of the slide, counted from 1: the group's delivered states and ticks
    slide: int
    #: what made the slide
    kind: SlideKind = "state"
    #: the delivered state: its process and index; None where no state was delivered
    process: str | None = None
    index: int | None = None
    #: least and greatest cut as state indices in the spec's order; None when there is no cut
    least: Cut | None = None
    greatest: Cut | None = None
    #: number of cuts, where an engine counted them
    cuts: int | None = None
    #: for a true `possibly`: the least satisfying cut. If observations were asked for, for a false `definitely`:
    #: an observation that avoids the condition; for a sequence: an observation in which it occurs (a true
    #: `possibly`) or does not occur (a false `definitely`)
    witness: Cut | tuple[Cut, ...] | None = None
    #: for a sequence that occurs: its place in the witness, from the first cut up to, but without, the second
    stretch: tuple[int, int] | None = None
    #: True: no later event can overturn `value` for the states of this window, if the window only gained states and
    #: lost none. False: one may. None: unknown, as for CTL, sequences, probabilities, and without a value
    final: bool | None = None
    #: for a true `definitely`: where every observation meets the condition
    because: Because | None = None
    #: the event's `time`, passed through untouched; at a tick, the time that was given to `Monitor.advance`
    time: Any = None
    #: the version of the rules: 1, until `Monitor.change` or a pipeline gives it others
    rules: int = 1
    #: whether a window that a change of the rules made larger is not full yet, so that states are missing in it
    growing: bool = False
    #: in a group that processes join and leave: whose states the entries of cuts are, in the order of joining
    members: tuple[str, ...] | None = None


class VerdictColumns(msgspec.Struct, gc=False):
    """Verdicts on delivered states as columns, for where there are many.

    Their fields are those of `Verdict`; what is not here is as it has it by default. Cuts are lists.
    """

    property: list[str]
    value: list[bool]
    changed: list[bool]
    slide: list[int]
    process: list[str]
    index: list[int]
    least: list[list[int] | None]
    greatest: list[list[int] | None]
    witness: list[list[int] | None]
    final: list[bool]
    because: list[Because | None]
    time: list[Any]
    rules: list[int]

    @classmethod
    def none(cls) -> VerdictColumns:
        """No verdicts, to which others can be added."""
        return cls(*[[] for _ in cls.__struct_fields__])

    def extend(self, others: VerdictColumns) -> None:
        """Add other verdicts at the end."""
        for name in self.__struct_fields__:
            getattr(self, name).extend(getattr(others, name))

    def verdicts(self) -> list[Verdict]:
        """The same, one by one."""
        least, greatest, witness = (
            [None if cut is None else tuple(cut) for cut in column]
            for column in (self.least, self.greatest, self.witness)
        )
        none = repeat(None)
        return list(
            map(
                Verdict,
                *(self.property, self.value, self.changed, self.slide, repeat("state"), self.process, self.index),
                *(least, greatest, none, witness, none, self.final, self.because, self.time, self.rules),
            )
        )


NoticeKind = Literal["rejected", "duplicate", "late", "skipped", "too_large", "left", "ended", "returned"]


class Notice(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Why an event did not become a slide, or a property got no answer. Nothing disappears silently.

    - rejected: an event that cannot be used; it is in `event`
    - duplicate: a state that came before; it was dropped
    - late: a state that came after it had been declared lost; it was dropped
    - skipped: states declared lost because too many waited for them; `index` to `through`
    - left: a process that was silent for so long that it was declared to have left, with its last state `index`
    - ended: the group was silent for longer than `forget_after`, and is forgotten; `event` holds the last value of
      each property and the counters
    - returned: a group that had ended is there again
    - too_large: a `property` that could not be answered at a slide because the lattice exceeded `max_cuts`
    """

    kind: NoticeKind
    reason: str
    process: str | None = None
    index: int | None = None
    through: int | None = None
    event: Any = None
    property: str | None = None


class Verdicts(list[Verdict]):
    """The outcome of observing events: the verdicts in order, and in `.notices` what did not become a slide.

    `positions[k]` is the position, among the observed events, of the event that caused verdict k;
    `notice_positions[k]` is the same for notice k. A state that waited belongs to the event that released it.
    """

    __slots__ = ("notice_positions", "notices", "position", "positions")

    def __init__(self) -> None:
        # One for each event: `list.__init__` has nothing to do here, and would cost as much as the rest.
        self.positions: list[int] = []
        self.notices: list[Notice] = []
        self.notice_positions: list[int] = []
        #: the position of the event being observed; the monitor moves it on
        self.position = 0

    def tell(self, verdict: Verdict) -> None:
        """Add a verdict that the present event caused."""
        self.append(verdict)
        self.positions.append(self.position)

    def tell_run(self, verdicts: Iterable[Verdict], positions: Iterable[int]) -> None:
        """Add verdicts that events at these positions caused; none of them is before those of earlier verdicts."""
        self += verdicts
        self.positions += positions

    def note(self, notice: Notice) -> None:
        """Add a notice that the present event caused."""
        self.notices.append(notice)
        self.notice_positions.append(self.position)


class Counters(msgspec.Struct, kw_only=True):
    """How many states were delivered, dropped or lost so far, how many wait now; how many answers were missing."""

    delivered: int = 0
    waiting: int = 0
    duplicates: int = 0
    rejected: int = 0
    late: int = 0
    skipped: int = 0
    too_large: int = 0
    #: slides at which the windows held no cut, so that every property was false
    empty: int = 0
    #: slides at which no state was delivered: time went on, or the rules changed
    ticks: int = 0

    @property
    def slides(self) -> int:
        """How often the windows were looked at."""
        return self.delivered + self.ticks
