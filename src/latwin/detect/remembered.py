"""The atoms' values of stored states: evaluated once for each different state, not once for each group that has it.

Groups of one spec are alike, so the same few states come again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from latwin.detect.atoms import AtomTable, Values

#: so many states are remembered, of all processes; beyond it, it begins anew
MOST_STATES = 1024
_encode = msgspec.msgpack.Encoder().encode


class RememberedValues:
    """`AtomTable.values`, with the same answers, for states most of which were asked about before."""

    def __init__(self, atoms: AtomTable) -> None:
        self._atoms = atoms
        self._values = self._nothing()
        self._places: dict[tuple[int, bytes], int] = {}

    def values(self, processes: Sequence[int], states: Sequence[Any]) -> Values | None:
        """The values of states, each of one of the processes; None if one of them cannot be added exactly."""
        try:
            # Equal bytes are equal states: of the same types, which `==` and `hash` would mix up.
            keys = list(zip(processes, map(_encode, states), strict=True))
        except (OverflowError, TypeError, ValueError, RecursionError):  # such as an integer beyond 64 bits
            return self._atoms.values(np.array(processes, np.int64), states)
        places = self._places
        new = {key: row for row, key in enumerate(keys) if key not in places}
        if new:
            if len(new) + len(places) > MOST_STATES:
                self._values, self._places = self._nothing(), {}
                if len(new) > MOST_STATES // 2:
                    return self._atoms.values(np.array(processes, np.int64), states)
                return self.values(processes, states)
            rows = list(new.values())
            found = self._atoms.values(np.array(processes, np.int64)[rows], [states[row] for row in rows])
            if found is None:
                return None
            holds, local, sums = self._values
            self._values = (
                np.concatenate([holds, found[0]]),
                np.concatenate([local, found[1]]),
                np.concatenate([sums, found[2]]),
            )
            for key in new:
                places[key] = len(places)
        rows = [places[key] for key in keys]
        holds, local, sums = self._values
        return holds[rows], local[rows], sums[rows]

    def _nothing(self) -> Values:
        values = self._atoms.values(np.zeros(0, np.int64), [])
        assert values is not None, "of no states there is nothing that cannot be added"
        return values
