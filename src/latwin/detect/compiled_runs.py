"""Runs of in-order states on the compiled path: Python's side of `kernels.slides`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from latwin.delivery import GroupTime
from latwin.detect.choices import PossiblyState
from latwin.detect.conjunctive import DefinitelyConjunction, PossiblyDisjunction
from latwin.detect.detector import Context, Detector, why_definitely
from latwin.detect.on_lattice import DefinitelyOnLattice, PossiblyOnLattice
from latwin.detect.properties import PropertyDetector
from latwin.detect.sums import DefinitelySum, PossiblySum
from latwin.events import EventBatch
from latwin.lattice.kernels import slides
from latwin.lattice.kernels.arrays import Flags, Floats, Int64s, plain
from latwin.lattice.kernels.conjunctive import AT_GREATEST, AT_LEAST, FINAL, MET
from latwin.lattice.kernels.time_windows import Timed, untimed
from latwin.lattice.kernels.told import CHANGED, EMPTY, Told
from latwin.lattice.window import Window
from latwin.model import Because, Cut
from latwin.properties import Modal, Property, PropertyAnd, PropertyNot, Question

FINISHED, TELL, REFUSED = slides.FINISHED, slides.TELL, slides.REFUSED
#: the detectors whose modalities come with the processes that they read
_READING = DefinitelyConjunction, PossiblyState, PossiblyOnLattice, DefinitelyOnLattice, PossiblySum, DefinitelySum
#: room for what is told: fewer slides of more processes, so that it stays small
_MOST_INDICES, _MOST_ROOM, _LEAST_ROOM = 1024, 128, 8


_UNTIMED = untimed()


class InKernels(NamedTuple):
    """The properties of a spec as the kernels take them; see `slides.Asked`."""

    modalities: Int64s
    reads: Flags
    logic: Int64s
    begins: Int64s
    #: where the kernels write what is to be told; without room they stop for it
    told: Told
    #: whether some modality may need the lattice
    needs_lattice: bool


class Telling(NamedTuple):
    """What a run has to tell of one of its slides."""

    row: int
    property: int
    value: bool
    changed: bool
    final: bool
    because: Because | None
    least: Cut | None
    greatest: Cut | None
    witness: Cut | None


def compile_questions(
    properties: Sequence[PropertyDetector], window: Window, *, stops_to_tell: bool
) -> InKernels | None:
    """What the kernels need to answer these properties, or None if one of them is beyond them.

    If it matters when a verdict is made, runs stop for each of them (`stops_to_tell`).
    """
    logic = _Logic(window.processes)
    begins = [0]
    for each in properties:
        if not logic.add(each, each.tree, is_positive=True):
            return None
        begins.append(len(logic.rows))
    stops_to_tell = stops_to_tell or not all(map(_is_conjunction, properties))
    room = 0 if stops_to_tell else min(max(_MOST_INDICES // window.processes, _LEAST_ROOM), _MOST_ROOM)
    return InKernels(
        np.array([row for row, _ in logic.modalities], np.int64).reshape(-1, 3),
        np.array([reads for _, reads in logic.modalities], np.uint8).reshape(-1, window.processes),
        np.array(logic.rows, np.int64).reshape(-1, 3),
        np.array(begins, np.int64),
        Told(np.empty((room, 3), np.int64), np.empty((room, 3, window.processes), np.int64), np.zeros(1, np.int64)),
        any(row[0] >= slides.POSSIBLY_PROGRAM for row, _ in logic.modalities),
    )


def _is_conjunction(each: PropertyDetector) -> bool:
    """Whether a property is `possibly` or `definitely` of a conjunction, and no more."""
    is_single = isinstance(each.tree, Modal) and type(each.detectors[0]) in (
        DefinitelyConjunction,
        PossiblyDisjunction,
    )
    return is_single and each.detectors[0].modality() is not None


class _Logic:
    """Properties in postfix order over the modalities of all of them; equal ones are asked once."""

    def __init__(self, processes: int) -> None:
        self._nothing = (0,) * processes
        #: rows for the kernels, and which processes they read
        self.modalities: list[tuple[tuple[int, int, int], tuple[int, ...]]] = []
        self.rows: list[tuple[int, int, int]] = []

    def add(self, each: PropertyDetector, node: Property, *, is_positive: bool) -> bool:
        """Append a node of a property; False if the kernels cannot answer it.

        `is_positive` under an even number of negations: there, that a part is final can make the property final.
        """
        if isinstance(node, (Modal, Question)):
            return self._ask(each.parts[node], is_positive)
        if isinstance(node, PropertyNot):
            if not self.add(each, node.operand, is_positive=not is_positive):
                return False
            self.rows.append((slides.NEGATE, 0, 0))
            return True
        for number, operand in enumerate(node.operands):
            if not self.add(each, operand, is_positive=is_positive):
                return False
            if number:
                self.rows.append((slides.BOTH if isinstance(node, PropertyAnd) else slides.EITHER, 0, 0))
        return True

    def _ask(self, detector: Detector, is_positive: bool) -> bool:
        """Append a detector's modality; of an `or` of conjunctions, all of them."""
        row_or_none = detector.modality()
        if row_or_none is None:
            if not isinstance(detector, PossiblyDisjunction):
                return False
            self.rows.append((slides.NEVER, 0, 0))
            for row in detector.modalities():
                self._append(row, self._nothing, is_positive)
                self.rows.append((slides.EITHER, 0, 0))
            return True
        reads = self._nothing
        if isinstance(detector, _READING):
            reads = tuple(detector.reads.tolist())
        self._append(row_or_none, reads, is_positive)
        return True

    def _append(self, row: tuple[int, int, int], reads: tuple[int, ...], is_positive: bool) -> None:
        if (row, reads) not in self.modalities:
            self.modalities.append((row, reads))
        self.rows.append((slides.ASK, self.modalities.index((row, reads)), int(is_positive)))


class Run:
    """States that come in order, as columns, to be delivered by the kernels as far as they need no help.

    `is_exact` is False when a number among them cannot be added exactly; they must then be delivered
    one by one.
    """

    def __init__(
        self,
        context: Context,
        asked: InKernels,
        processes: Sequence[int],
        clocks: Int64s,
        states: Sequence[Any],
        times_s: Floats,
        time: GroupTime | None,
    ) -> None:
        self._context = context
        self._times_s, self._time = times_s, time
        # Quicker to fill than the arrays that look at them.
        count = len(asked.begins) - 1
        self._values, self._told_final = bytearray(count), bytearray(count)
        present, told_final = np.frombuffer(self._values, np.uint8), np.frombuffer(self._told_final, np.uint8)
        questions = context.atoms.plain_questions
        self._asked = plain(slides.Asked(*asked[:4], present, told_final, context.max_cuts, questions))
        self._told, self._needs_lattice = asked.told, asked.needs_lattice
        columns = context.atoms.columns(processes, states)
        self.is_exact = columns is not None
        if columns is not None:
            self._incoming = plain(slides.Incoming(np.array(processes, np.int64), clocks, *columns, plain(_UNTIMED)))

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
        if self._needs_lattice:
            stopped, empty = slides.advance(*given, begin)
        else:
            stopped, empty = slides.advance_on_windows(*given, plain(self._told), begin)
        window.refresh()
        at, why = divmod(stopped, slides.REASONS)
        return at, why, int(empty)  # a number of numpy's, where the kernels are interpreted

    def tellings(self) -> Iterator[Telling]:
        """What the last `advance` has to tell, in order."""
        count = int(self._told.count[0])
        if not count:
            return
        rows, cuts = self._told.rows[:count].tolist(), self._told.cuts[:count].tolist()
        for (row, number, flags), (least, greatest, witness) in zip(rows, cuts, strict=True):
            value, is_empty = flags & MET != 0, flags & EMPTY != 0
            is_definitely = self._asked[0][self._asked[2][number, 1], 0] == slides.DEFINITELY_ALL
            yield Telling(
                row,
                number,
                value,
                flags & CHANGED != 0,
                flags & FINAL != 0,
                why_definitely(at_least=flags & AT_LEAST != 0, at_greatest=flags & AT_GREATEST != 0)
                if value and is_definitely
                else None,
                None if is_empty else tuple(least),
                None if is_empty else tuple(greatest),
                tuple(witness) if value and not is_definitely else None,
            )


def in_order(batch: EventBatch, begin: int, through: Sequence[int], causal: bool) -> int:
    """The row after the last of those, from `begin` on, that can be delivered as they come."""
    processes = np.array(batch.processes[begin:], np.int64)
    return begin + int(slides.in_order(processes, batch.clocks[begin:], np.array(through, np.int64), causal))
