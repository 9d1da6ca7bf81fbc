"""Probabilities: observations are counted, all of them and those that avoid the predicate."""

from __future__ import annotations

import numpy as np

from latwin.detect.atoms import COMPARISONS
from latwin.detect.detector import Context, Details
from latwin.detect.on_lattice import OnLattice
from latwin.lattice.bits import BitLattice
from latwin.lattice.kernels.labels import compare
from latwin.properties.probability import Likely


class LikelyDetector(OnLattice):
    """The fraction of observations that meet a predicate: 1 exactly if definitely, 0 exactly if not possibly."""

    def __init__(self, question: Likely, context: Context) -> None:
        super().__init__(context, [question.predicate])
        self._question = question
        self.probability = 0.0

    def _answer(self, lattice: BitLattice) -> bool | None:
        total, avoiding = lattice.count_observations(self._words(lattice, self._question.predicate))
        if not np.isfinite(total):
            self._details = Details()
            return None
        self.probability = fraction(total, avoiding)
        return bool(compare(self.probability, COMPARISONS[self._question.op], self._question.bound))


def fraction(total: float, avoiding: float) -> float:
    """1 - avoiding / total, rounded to 0 or 1 only where it is."""
    if avoiding == 0.0:
        return 1.0
    if avoiding == total:
        return 0.0
    return float(min(max(1.0 - avoiding / total, np.nextafter(0.0, 1.0)), np.nextafter(1.0, 0.0)))
