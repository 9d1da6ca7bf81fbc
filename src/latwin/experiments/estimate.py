"""A mean with its 95 % interval: what some seeds say of a quantity, by Student's t."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

#: The paper's run: one office over so many hours.
PAPER_HOURS = 100.0
#: 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom.
_T: tuple[float, ...] = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
_T += (2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086)
_T += (2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)
_NORMAL = 1.960


@dataclass(frozen=True)
class Estimate:
    """The values of one quantity, one for each seed in the order of the seeds; NaN where it is undefined.

    >>> sizes = Estimate((8.0, 9.0, 10.0))
    >>> sizes.mean, round(sizes.half_width, 2)
    (9.0, 2.48)
    >>> str(sizes)
    '9.0 ± 2.5'
    """

    values: tuple[float, ...]
    #: the simulated time behind each value
    hours: float = PAPER_HOURS

    @property
    def known(self) -> list[float]:
        """The values that are defined."""
        return [value for value in self.values if not math.isnan(value)]

    @property
    def mean(self) -> float:
        """Over the seeds; NaN if no value is defined."""
        return fmean(self.known) if self.known else math.nan

    @property
    def half_width(self) -> float:
        """Half the width of the mean's 95 % interval; NaN if fewer than three values are defined.

        Two values say too little about their scatter: half their interval would be six times their difference.
        """
        return self._times_scatter(1 / max(1, len(self.known)))

    @property
    def run_half_width(self) -> float:
        """Half the width of the 95 % interval for one further run of the paper's length.

        A published value is one such run. The variance of a mean over time falls with its length.
        """
        return self._times_scatter(self.hours / PAPER_HOURS + 1 / max(1, len(self.known)))

    def __sub__(self, other: Estimate) -> Estimate:
        """The differences seed by seed."""
        return Estimate(tuple(a - b for a, b in zip(self.values, other.values, strict=True)), self.hours)

    def __str__(self) -> str:
        """Mean ± half width; the half width has two significant digits, and the mean as many decimals."""
        if not self.half_width > 1e-12 * abs(self.mean):  # none, or what rounding makes of equal values
            return shown(self.mean)
        decimals = max(0, 1 - math.floor(math.log10(float(f"{self.half_width:.1e}"))))
        return f"{self.mean:,.{decimals}f} ± {self.half_width:,.{decimals}f}"

    def _times_scatter(self, variance: float) -> float:
        if len(self.known) < 3:
            return math.nan
        return student_t(len(self.known) - 1) * stdev(self.known) * math.sqrt(variance)


def student_t(freedom: int) -> float:
    """The factor of a two-sided 95 % interval; beyond 30 degrees of freedom slightly too wide."""
    if freedom <= len(_T):
        return _T[freedom - 1]
    return _NORMAL + (_T[-1] - _NORMAL) * len(_T) / freedom


def shown(value: float) -> str:
    """A number without an interval, as tables show it."""
    if math.isnan(value):
        return "-"
    if value == 0:
        return "0"
    return f"{value:,.{0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 4}f}"


def straightness(points: Iterable[tuple[float, float]]) -> float:
    """R squared of the straight line through the points; 1 for points on a level."""
    x, y = zip(*points, strict=True)
    slope, level = line(x, y)
    left: float = sum((b - slope * a - level) ** 2 for a, b in zip(x, y, strict=True))
    whole: float = sum((b - fmean(y)) ** 2 for b in y)
    return 1 - left / whole if whole else 1.0


def exponent(points: Iterable[tuple[float, float]]) -> float:
    """The b of y = a x^b that fits best on logarithmic scales.

    >>> round(exponent([(1, 5), (2, 40), (4, 320)]), 6)
    3.0
    """
    x, y = zip(*((math.log(a), math.log(b)) for a, b in points), strict=True)
    return line(x, y)[0]


def line(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Slope and level of the straight line of least squares."""
    mean_x, mean_y = fmean(x), fmean(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum((a - mean_x) ** 2 for a in x)
    return slope, mean_y - slope * mean_x
