"""Runs of in-order states on the compiled path: Python's side of `kernels.slides`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from latwin.detect.base import Context
from latwin.events import EventBatch
from latwin.lattice.kernels import slides

FINISHED, TELL, REFUSED = slides.FINISHED, slides.TELL, slides.REFUSED


class Run:
    """States that come in order, as columns, to be delivered by the kernels as far as nothing is to be told.

    `is_exact` is False when a number among them is too large to be added exactly; they must then be delivered
    one by one.
    """

    def __init__(
        self,
        context: Context,
        modalities: npt.NDArray[np.int64],
        processes: Sequence[int],
        clocks: npt.NDArray[np.int64],
        states: Sequence[Any],
    ) -> None:
        self._context = context
        self._modalities = modalities
        self._columns = context.atoms.columns(processes, states)
        self.is_exact = self._columns is not None
        self._processes = np.array(processes, np.int64)
        self._clocks = clocks

    def advance(self, begin: int, values: Sequence[bool | None]) -> tuple[int, int]:
        """Deliver states from the one at `begin` on; where it stopped, and why (FINISHED, TELL, REFUSED).

        `values` are the properties' present values: it stops at the state with which one of them changes.
        """
        window, atoms, lattice = self._context.window, self._context.atoms, self._context.fitted_lattice()
        assert self._columns is not None
        stopped = slides.advance(
            window.clocks,
            window.ends,
            lattice.low,
            lattice.high,
            lattice.shape,
            lattice.stride,
            lattice.at_least,
            lattice.block,
            lattice.words,
            lattice.origin,
            lattice.span,
            lattice.bounds,
            lattice.levels,
            lattice.leaves,
            lattice.links,
            lattice.labels,
            lattice.reached,
            atoms.holds,
            atoms.program,
            atoms.local_process,
            atoms.local_flags,
            atoms.pair_process,
            atoms.pair_flags,
            atoms.sum_terms,
            atoms.sum_compare,
            atoms.sum_bound,
            self._modalities,
            np.array([value is True for value in values], np.uint8),
            self._processes,
            self._clocks,
            self._columns.holds,
            self._columns.locals,
            self._columns.sums,
            begin,
            lattice.max_cuts,
        )
        window.refresh()
        at, why = divmod(stopped, slides.REASONS)
        return at, why


def in_order(batch: EventBatch, begin: int, through: Sequence[int], causal: bool) -> int:
    """The row after the last of those, from `begin` on, that can be delivered as they come."""
    processes = np.array(batch.processes[begin:], np.int64)
    return begin + int(slides.in_order(processes, batch.clocks[begin:], np.array(through, np.int64), causal))
