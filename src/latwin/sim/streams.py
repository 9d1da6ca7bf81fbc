"""Random streams, separate for each sensor, each channel and each kind of trouble, derived from the seed alone.

So another delay leaves every sensor's changes where they were, one process more leaves the changes of the others and
the messages between them as they were, and losses take reports away without moving the rest.
"""

from __future__ import annotations

import numpy as np

from latwin.errors import InvalidInput


class Streams:
    """Independent random streams from one seed, each named by a purpose and the processes it is for."""

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise InvalidInput(f"seed must be a whole number of at least 0; got seed={seed!r}")
        self._seed = int(seed)

    def sensing(self, process: int) -> np.random.Generator:
        """When a sensor's truth changes."""
        return self._stream(0, process)

    def message(self, sender: int, receiver: int) -> np.random.Generator:
        """How long a channel's messages take."""
        return self._stream(1, sender, receiver)

    def report(self, process: int) -> np.random.Generator:
        """How long a process's reports take."""
        return self._stream(2, process)

    def loss(self, process: int) -> np.random.Generator:
        """Which of its reports are lost."""
        return self._stream(3, process)

    def duplication(self, process: int) -> np.random.Generator:
        """Which of them arrive twice."""
        return self._stream(4, process)

    def second_report(self, process: int) -> np.random.Generator:
        """How long the second ones take."""
        return self._stream(5, process)

    def _stream(self, *purpose: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=purpose))
