"""Runs of in-order states on the compiled path: Python's side of `kernels.slides`.

Every detector says how the kernels can ask its question (`Detector.in_runs`). A property of which a part is beyond
them is left to Python, which then looks at it after every slide. The others are answered by the kernels all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from latwin.delivery import GroupTime
from latwin.detect.atoms import Columns
from latwin.detect.detector import Context, InRuns, why_definitely
from latwin.detect.properties import PropertyDetector
from latwin.events import EventBatch
from latwin.lattice.kernels import slides, through
from latwin.lattice.kernels.answers import WHEN_FALSE, WHEN_TRUE
from latwin.lattice.kernels.arrays import Flags, Floats, Int64s, plain
from latwin.lattice.kernels.calling import QUESTIONS, address_of
from latwin.lattice.kernels.conjunctive import AT_GREATEST, AT_LEAST, FINAL, MET
from latwin.lattice.kernels.time_windows import Timed, untimed
from latwin.lattice.kernels.told import CHANGED, EMPTY, Told
from latwin.lattice.window import Window
from latwin.model import Because
from latwin.properties import Modal, Property, PropertyAnd, PropertyNot, Question

FINISHED, TELL, REFUSED = slides.FINISHED, slides.TELL, slides.REFUSED
#: kinds whose verdicts the kernels can write down
_CONJUNCTIONS = slides.POSSIBLY_ALL, slides.DEFINITELY_ALL
#: room for what is told: fewer slides of more processes, so that it stays small
_MOST_INDICES, _MOST_ROOM, _LEAST_ROOM = 1024, 128, 8


_UNTIMED = untimed()


class InKernels:
    """The properties of a spec as the kernels take them."""

    def __init__(self, table: _Questions, rows: list[tuple[int, int, int]], processes: int) -> None:
        self._table = table
        self._rows = rows
        self._processes = processes
        #: where the kernels write what is to be told of a run
        self.told = self.room(min(max(_MOST_INDICES // processes, _LEAST_ROOM), _MOST_ROOM))
        self.properties = len(rows)

    def room(self, most: int) -> Told:
        """Room for what the kernels can tell; none if they can tell nothing, so that they stop for it."""
        tells = any(teller == slides.WHOLE_RUN for _, _, teller in self._rows)
        room, cuts = most if tells else 0, (3, self._processes)
        return Told(np.empty((room, 3), np.int64), np.empty((room, *cuts), np.int64), np.zeros(1, np.int64))

    @property
    def needs_python(self) -> bool:
        """Whether Python must look at some property after every slide."""
        return any(teller == slides.EVERY_SLIDE for _, _, teller in self._rows)

    @cached_property
    def arrays(self) -> tuple[Int64s, Flags, Int64s, Int64s, Int64s]:
        """The first five of `slides.Asked`. Kernels that are missing are compiled, so only when a run begins."""
        return (
            *self._table.arrays(self._processes),
            np.array(self._table.logic, np.int64).reshape(-1, 3),
            np.array(self._rows, np.int64).reshape(-1, 3),
        )

    @cached_property
    def others(self) -> int:
        """The last of `slides.Asked`, likewise."""
        return address_of(through.ask_others, QUESTIONS) if self._table.needs_others else 0


class Tellings(NamedTuple):
    """What a run has to tell of its slides, in order, as columns: one entry each for every verdict."""

    #: the row of the state with which the slide was made
    rows: list[int]
    #: the number of the property
    properties: list[int]
    values: list[bool]
    changed: list[bool]
    final: list[bool]
    because: list[Because | None]
    #: cuts are lists
    least: list[list[int] | None]
    greatest: list[list[int] | None]
    witness: list[list[int] | None]


def compile_questions(
    properties: Sequence[PropertyDetector], window: Window, *, stops_to_tell: bool
) -> InKernels | None:
    """What the kernels need to answer these properties, or None if they can answer none of them.

    If it matters when a verdict is made, runs stop for each of them (`stops_to_tell`).
    """
    table = _Questions()
    rows = []
    for each in properties:
        first = len(table.logic)
        is_asked = table.add(each, each.tree, is_positive=True)
        if not is_asked:
            del table.logic[first:]
        teller = slides.EVERY_SLIDE
        if is_asked:
            is_told = table.is_conjunction(first) and not stops_to_tell
            teller = slides.WHOLE_RUN if is_told else slides.STOPS
        rows.append((first, len(table.logic), teller))
    if all(teller == slides.EVERY_SLIDE for _, _, teller in rows):
        return None
    return InKernels(table, rows, window.processes)


class _Questions:
    """Properties in postfix order over the questions of all of them; equal ones are asked once."""

    def __init__(self) -> None:
        self._asked: list[InRuns] = []
        self.logic: list[tuple[int, int, int]] = []

    def add(self, each: PropertyDetector, node: Property, *, is_positive: bool) -> bool:
        """Append a node of a property; False if the kernels cannot answer it.

        `is_positive` under an even number of negations: there, that a part is true for good can make the property
        true for good; elsewhere, that it is false for good.
        """
        if isinstance(node, (Modal, Question)):
            return self._ask(each.parts[node].in_runs(), is_positive)
        if isinstance(node, PropertyNot):
            if not self.add(each, node.operand, is_positive=not is_positive):
                return False
            self.logic.append((slides.NEGATE, 0, 0))
            return True
        for number, operand in enumerate(node.operands):
            if not self.add(each, operand, is_positive=is_positive):
                return False
            if number:
                self.logic.append((slides.BOTH if isinstance(node, PropertyAnd) else slides.EITHER, 0, 0))
        return True

    def _ask(self, alternatives: tuple[InRuns, ...] | None, is_positive: bool) -> bool:
        """Append a part of a property: the `or` of its questions."""
        if alternatives is None:
            return False
        if not alternatives:
            self.logic.append((slides.NEVER, 0, 0))
        for number, asked in enumerate(alternatives):
            if asked not in self._asked:
                self._asked.append(asked)
            wants = WHEN_TRUE if is_positive else WHEN_FALSE
            self.logic.append((slides.ASK, self._asked.index(asked), wants))
            if number:
                self.logic.append((slides.EITHER, 0, 0))
        return True

    def is_conjunction(self, first: int) -> bool:
        """Whether the property that was added last, from row `first` on, is `possibly` or `definitely` of one."""
        operation, question, _ = self.logic[first]
        is_single = len(self.logic) == first + 1 and operation == slides.ASK
        return is_single and self._asked[question].kind in _CONJUNCTIONS

    @property
    def needs_others(self) -> bool:
        """Whether a question is asked through an address."""
        return any(not isinstance(asked.kind, int) for asked in self._asked)

    def arrays(self, processes: int) -> tuple[Int64s, Flags, Int64s]:
        """The questions, their parts and their data, as `slides.Asked` has them."""
        parts = list(dict.fromkeys(asked.members for asked in self._asked))
        flags = np.zeros((len(parts), processes), np.uint8)
        for row, members in enumerate(parts):
            flags[row, list(members)] = 1
        rows: list[tuple[int, ...]] = []
        data = [member for members in parts for member in members]
        ends = list(accumulate(map(len, parts)))
        for asked in self._asked:
            kind, address, other = asked.kind, 0, 0
            if not isinstance(kind, int):
                kind, address = through.THROUGH_ADDRESS, address_of(kind)
            if asked.other is not None:
                other = address_of(asked.other)
            begin = len(data)
            data += asked.data
            part = parts.index(asked.members)
            rows.append((kind, part, begin, len(data), address, other, ends[part] - len(asked.members), ends[part]))
        return np.array(rows, np.int64).reshape(-1, 8), flags, np.array(data, np.int64)


class Run:
    """States that come in order, as columns, to be delivered by the kernels as far as they need no help."""

    def __init__(
        self,
        context: Context,
        asked: InKernels,
        processes: Int64s,
        clocks: Int64s,
        columns: Columns,
        times_s: Floats,
        time: GroupTime | None,
    ) -> None:
        self._context = context
        self._times_s, self._time = times_s, time
        # Quicker to fill than the arrays that look at them.
        count = asked.properties
        self._values, self._told_final, self._needed = bytearray(count), bytearray(count), bytearray(count)
        present, told_final, needed = (
            np.frombuffer(each, np.uint8) for each in (self._values, self._told_final, self._needed)
        )
        sums = context.atoms.plain_questions
        present_values = present, told_final, needed
        self._asked = plain(slides.Asked(*asked.arrays, *present_values, sums, context.max_cuts, asked.others))
        self._told = asked.told
        self._incoming = plain(slides.Incoming(processes, clocks, *columns, plain(_UNTIMED)))

    def advance(self, begin: int, values: Sequence[bool | None], told_final: Sequence[bool]) -> tuple[int, int, int]:
        """Deliver states from the one at `begin` on; where it stopped, and why (FINISHED, TELL, REFUSED).

        `values` are the properties' present values, and `told_final` whether true ones were told to be final: if a
        value changes with a state, or a true one becomes final, that is among the `tellings`, or it stops there. The
        third number counts the slides without a cut before the state at which it stopped.
        """
        window, atoms = self._context.window, self._context.atoms
        self._context.slide()
        self._values[:] = bytes([slides.UNANSWERED if value is None else value for value in values])
        self._told_final[:] = bytes(told_final)
        self._told.count[0] = 0
        if self._time is not None:  # the window's rings may be other ones than at the last time
            timed = Timed(self._times_s, window.begins, window.lengths, self._time.latest, self._time.group)
            self._incoming = plain(slides.Incoming(*self._incoming[:-1], plain(timed)))
        given = window.clocks, window.ends, atoms.arrays, self._asked, self._incoming
        stopped, empty = slides.advance(*given, plain(self._told), begin)
        window.refresh()
        at, why = divmod(stopped, slides.REASONS)
        return at, why, int(empty)  # a number of numpy's, where the kernels are interpreted

    def needed(self) -> list[int]:
        """The properties for which the last `advance` stopped to tell, by their numbers."""
        return [number for number, is_needed in enumerate(self._needed) if is_needed]

    def tellings(self) -> Tellings:
        """What the last `advance` has to tell."""
        return tellings_of(self._asked, self._told)


def _said(flags: int, *, is_definitely: bool) -> tuple[bool, bool, bool, Because | None]:
    """What the kernels' flags mean: the value, whether it changed, whether it is final, and why it is true."""
    is_true, because = flags & MET != 0, None
    if is_true and is_definitely:
        because = why_definitely(at_least=flags & AT_LEAST != 0, at_greatest=flags & AT_GREATEST != 0)
    return is_true, flags & CHANGED != 0, flags & FINAL != 0, because


#: the same for all flags: of a `possibly`, and of a `definitely`
_SAID = [[_said(flags, is_definitely=is_definitely) for flags in range(2 * EMPTY)] for is_definitely in (False, True)]


def tellings_of(asked: slides.Asked, told: Told) -> Tellings:
    """What the kernels wrote down."""
    count = int(told.count[0])
    if not count:
        return Tellings(*[[] for _ in Tellings._fields])
    rows, numbers, flags = map(list, zip(*told.rows[:count].tolist(), strict=True))
    questions, _, _, logic, properties = asked[:5]
    kinds = {number: questions[logic[properties[number, 0], 1], through.KIND] for number in set(numbers)}
    is_definitely = {number: bool(kind == slides.DEFINITELY_ALL) for number, kind in kinds.items()}
    said = [_SAID[is_definitely[number]][flag] for number, flag in zip(numbers, flags, strict=True)]
    least, greatest, witness = (told.cuts[:count, which].tolist() for which in range(3))
    for at, flag in enumerate(flags):
        if flag & EMPTY:
            least[at] = greatest[at] = None
        if not flag & MET or is_definitely[numbers[at]]:
            witness[at] = None
    values, changed, final, because = map(list, zip(*said, strict=True))
    return Tellings(rows, numbers, values, changed, final, because, least, greatest, witness)


def joined(parts: Sequence[Tellings]) -> Tellings:
    """What several calls of kernels wrote down, one after the other."""
    return parts[0] if len(parts) == 1 else Tellings(*(list(chain(*columns)) for columns in zip(*parts, strict=True)))


def in_order(batch: EventBatch, begin: int, through: Sequence[int], causal: bool) -> int:
    """The row after the last of those, from `begin` on, that can be delivered as they come."""
    given = batch.processes[begin:], batch.clocks[begin:], np.array(through, np.int64)
    return begin + int(slides.in_order(*given, causal))
