"""Probabilities: observations are counted, all of them and those that avoid the predicate."""

from __future__ import annotations

import numpy as np

from latwin.detect.atoms import COMPARISONS
from latwin.detect.detector import Context, InRuns
from latwin.detect.many_labels import ManyLabels
from latwin.detect.on_lattice import OnLattice
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels import answers, outlook
from latwin.lattice.kernels.labels import compare
from latwin.properties.probability import Likely


class LikelyDetector(OnLattice):
    """The fraction of observations that meet a predicate: 1 exactly if definitely, 0 exactly if not possibly."""

    def __init__(self, question: Likely, context: Context) -> None:
        super().__init__(context)
        self._question = question
        self._labels = ManyLabels(context, [question.predicate])
        #: the fraction at the last evaluation: 0 if there was no cut, None if there were too many of something
        self.probability: float | None = 0.0

    def in_runs(self) -> tuple[InRuns, ...] | None:
        """As `kernels.slides` asks it, if a program labels the predicate."""
        rows = self._labels.in_words()
        if rows is None:
            return None
        comparison, bound = COMPARISONS[self._question.op], np.float64(self._question.bound).view(np.int64).item()
        members = tuple(self._part.members.tolist())
        return (InRuns(answers.ask_probability, members, (*rows, comparison, bound)),)

    def evaluate(self) -> bool | None:
        """How the fraction on the window as it is now compares with the number asked for."""
        self.probability = 0.0 if self._context.window.is_empty else None
        return super().evaluate()

    def _foresee(self) -> bool | None:
        rows = self._labels.foreseeable()
        if rows is None:
            return None
        window, atoms = self._context.window, self._context.atoms
        found = outlook.foresee_meeting(window.ends, atoms.arrays, self._part.members, rows)
        return None if found == outlook.UNKNOWN else self._compare(1.0 if found == outlook.YES else 0.0)

    def _answer(self, lattice: BitLattice) -> bool | None:
        (labels,) = self._labels.label(lattice)
        meeting, avoiding = lattice.count_observations(labels)
        return self._compare(fraction(meeting, avoiding)) if np.isfinite(meeting + avoiding) else None

    def _compare(self, probability: float) -> bool:
        self.probability = probability
        return bool(compare(probability, COMPARISONS[self._question.op], self._question.bound))


def fraction(meeting: float, avoiding: float) -> float:
    """meeting / (meeting + avoiding), rounded to 0 or 1 only where it is."""
    if avoiding == 0.0:
        return 1.0
    return min(meeting / (meeting + avoiding), float(np.nextafter(1.0, 0.0)))
