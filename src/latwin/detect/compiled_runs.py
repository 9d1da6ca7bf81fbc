"""Runs of in-order states on the compiled path: Python's side of `kernels.slides`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from latwin.detect.detector import Context
from latwin.events import EventBatch
from latwin.lattice.kernels import slides
from latwin.lattice.kernels.arrays import Flags, Int64s, plain

FINISHED, TELL, REFUSED = slides.FINISHED, slides.TELL, slides.REFUSED


class Run:
    """States that come in order, as columns, to be delivered by the kernels as far as nothing is to be told.

    `is_exact` is False when a number among them cannot be added exactly; they must then be delivered
    one by one.
    """

    def __init__(
        self,
        context: Context,
        modalities: Int64s,
        reads: Flags,
        processes: Sequence[int],
        clocks: Int64s,
        states: Sequence[Any],
    ) -> None:
        self._context = context
        # Quicker to fill than the arrays that look at them.
        self._values, self._told_final = bytearray(len(modalities)), bytearray(len(modalities))
        present, told_final = np.frombuffer(self._values, np.uint8), np.frombuffer(self._told_final, np.uint8)
        questions = context.atoms.plain_questions
        self._asked = plain(slides.Asked(modalities, present, told_final, reads, context.lattice.max_cuts, questions))
        columns = context.atoms.columns(processes, states)
        self.is_exact = columns is not None
        if columns is not None:
            self._incoming = plain(slides.Incoming(np.array(processes, np.int64), clocks, *columns))

    def advance(self, begin: int, values: Sequence[bool | None], told_final: Sequence[bool]) -> tuple[int, int, int]:
        """Deliver states from the one at `begin` on; where it stopped, and why (FINISHED, TELL, REFUSED).

        `values` are the properties' present values, and `told_final` whether true ones were told to be final: it
        stops at the state with which a value changes or a true one becomes final. The third number counts the slides
        without a cut before the state at which it stopped.
        """
        window, atoms, lattice = self._context.window, self._context.atoms, self._context.fitted_lattice()
        self._values[:] = bytes([slides.UNANSWERED if value is None else value for value in values])
        self._told_final[:] = bytes(told_final)
        stopped, empty = slides.advance(
            window.clocks,
            lattice.arrays,
            lattice.scaffold,
            lattice.marks,
            atoms.arrays,
            self._asked,
            self._incoming,
            begin,
        )
        window.refresh()
        at, why = divmod(stopped, slides.REASONS)
        return at, why, int(empty)  # a number of numpy's, where the kernels are interpreted


def in_order(batch: EventBatch, begin: int, through: Sequence[int], causal: bool) -> int:
    """The row after the last of those, from `begin` on, that can be delivered as they come."""
    processes = np.array(batch.processes[begin:], np.int64)
    return begin + int(slides.in_order(processes, batch.clocks[begin:], np.array(through, np.int64), causal))
