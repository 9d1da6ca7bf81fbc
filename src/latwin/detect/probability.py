"""Probabilities: observations are counted, all of them and those that avoid the predicate."""

from __future__ import annotations

import numpy as np

from latwin.detect.atoms import COMPARISONS
from latwin.detect.detector import Context, Details, InRuns
from latwin.detect.on_lattice import OnLattice
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import answers
from latwin.lattice.kernels.labels import compare
from latwin.properties.probability import Likely


class LikelyDetector(OnLattice):
    """The fraction of observations that meet a predicate: 1 exactly if definitely, 0 exactly if not possibly."""

    def __init__(self, question: Likely, context: Context) -> None:
        super().__init__(context, [question.predicate])
        self._question = question
        #: the fraction at the last evaluation: 0 if there was no cut, None if there were too many of something
        self.probability: float | None = 0.0

    def in_runs(self) -> tuple[InRuns, ...] | None:
        """As `kernels.slides` asks it, if a program labels the predicate."""
        rows = self._labels[self._question.predicate].rows()
        if rows is None:
            return None
        comparison, bound = COMPARISONS[self._question.op], np.float64(self._question.bound).view(np.int64).item()
        members = tuple(self._part.members.tolist())
        return (InRuns(answers.ask_probability, members, (*rows, 1, comparison, bound)),)

    def evaluate(self) -> bool | None:
        """How the fraction on the window as it is now compares with the number asked for."""
        self.probability = 0.0 if self._context.window.is_empty else None
        return super().evaluate()

    def _answer(self, lattice: BitLattice) -> bool | None:
        meeting, avoiding = lattice.count_observations(self._words(lattice, self._question.predicate))
        if not np.isfinite(meeting + avoiding):
            self._details = Details()
            return None
        self.probability = fraction(meeting, avoiding)
        return bool(compare(self.probability, COMPARISONS[self._question.op], self._question.bound))


def fraction(meeting: float, avoiding: float) -> float:
    """meeting / (meeting + avoiding), rounded to 0 or 1 only where it is."""
    if avoiding == 0.0:
        return 1.0
    return min(meeting / (meeting + avoiding), float(np.nextafter(1.0, 0.0)))
