"""Delay distributions: small frozen objects, each given by its mean in seconds.

All of them are scaled by the mean, so the same random stream under another mean gives the same delays
stretched: a sweep over the mean compares like with like. A mean of 0 is allowed everywhere and means no
delay.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from latwin.errors import InvalidInput


@runtime_checkable
class Delay(Protocol):
    """How long something is under way. Anything with a mean and a `sample_s` will do.

    `sample_s` returns a delay of at least 0 seconds and takes all its randomness from the generator it is
    given.
    """

    @property
    def mean_s(self) -> float:
        """The expected delay in seconds."""
        ...

    def sample_s(self, rng: np.random.Generator) -> float:
        """One delay in seconds."""
        ...


@dataclass(frozen=True, slots=True)
class Exponential:
    """Memoryless delay, the paper's choice: many short ones, a few several times the mean.

    >>> Exponential(0.5).mean_s
    0.5
    """

    mean_s: float

    def __post_init__(self) -> None:
        """Check the mean."""
        require_number("mean_s", self.mean_s)

    def sample_s(self, rng: np.random.Generator) -> float:
        """One delay in seconds."""
        return self.mean_s * float(rng.standard_exponential())


@dataclass(frozen=True, slots=True)
class Fixed:
    """The same delay every time, so that a channel keeps its order.

    >>> Fixed(2.0).sample_s(np.random.default_rng(1))
    2.0
    """

    mean_s: float

    def __post_init__(self) -> None:
        """Check the mean."""
        require_number("mean_s", self.mean_s)

    def sample_s(self, rng: np.random.Generator) -> float:
        """One delay in seconds; draws nothing from `rng`."""
        return self.mean_s


@dataclass(frozen=True, slots=True)
class Uniform:
    """Any delay within `mean_s * (1 - spread)` and `mean_s * (1 + spread)`, all equally likely.

    >>> 1.5 <= Uniform(2.0, spread=0.25).sample_s(np.random.default_rng(1)) <= 2.5
    True
    """

    mean_s: float
    spread: float = 1.0

    def __post_init__(self) -> None:
        """Check the mean and the spread."""
        require_number("mean_s", self.mean_s)
        require_number("spread", self.spread, at_most=1.0)

    def sample_s(self, rng: np.random.Generator) -> float:
        """One delay in seconds."""
        return self.mean_s * (1.0 + self.spread * (2.0 * float(rng.random()) - 1.0))


@dataclass(frozen=True, slots=True)
class Lognormal:
    """Delay with a long but thin tail; `sigma` is the standard deviation of its logarithm."""

    mean_s: float
    sigma: float = 1.0

    def __post_init__(self) -> None:
        """Check the mean and sigma."""
        require_number("mean_s", self.mean_s)
        require_number("sigma", self.sigma)

    def sample_s(self, rng: np.random.Generator) -> float:
        """One delay in seconds."""
        # exp(sigma * z) alone has the mean exp(sigma^2 / 2): divide it out.
        return self.mean_s * math.exp(self.sigma * float(rng.standard_normal()) - self.sigma**2 / 2)


@dataclass(frozen=True, slots=True)
class Pareto:
    """Delay with a heavy tail: never below `mean_s * (shape - 1) / shape`, now and then very long.

    The smaller `shape`, the heavier the tail; it must be above 1 (there is no mean otherwise), and at 2 or
    below the variance is infinite.
    """

    mean_s: float
    shape: float = 2.5

    def __post_init__(self) -> None:
        """Check the mean and the shape."""
        require_number("mean_s", self.mean_s)
        require_number("shape", self.shape, above=1.0)

    def sample_s(self, rng: np.random.Generator) -> float:
        """One delay in seconds."""
        return self.mean_s * (self.shape - 1.0) / self.shape * (1.0 + float(rng.pareto(self.shape)))


def require_number(name: str, value: float, *, above: float | None = None, at_most: float | None = None) -> None:
    """Raise `InvalidInput` unless `value` is a finite number: above `above` if given, else at least 0."""
    wanted = "a finite number" + (" of at least 0" if above is None else f" above {above:g}")
    if at_most is not None:
        wanted += f" and at most {at_most:g}"
    good = (
        isinstance(value, int | float | np.integer | np.floating)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and (value >= 0 if above is None else value > above)
        and (at_most is None or value <= at_most)
    )
    if not good:
        raise InvalidInput(f"{name} must be {wanted}; got {name}={value!r}")
