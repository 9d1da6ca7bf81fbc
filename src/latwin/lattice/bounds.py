"""How large windows may be, for specifications and for whoever makes a window directly; imports nothing heavy."""

from __future__ import annotations

from collections.abc import Sequence

#: The largest window that a specification may ask for. A condition on two processes keeps a byte for each pair of
#: their states: 256 MiB at this size.
MAX_WINDOW = 2**14
#: The largest window without conditions on pairs, as of a `LatWin`.
MAX_SIZE = 2**24
#: What the clocks in all windows may come to, in entries of 16 bytes with what the lattice adds: 4 GiB.
MAX_ENTRIES = 2**28
#: for so many states there is room at first in a window that never forgets
FIRST_ROOM = 8


def entries_of(sizes: Sequence[int | None]) -> int:
    """The clock entries of windows: every process has room for the largest, each clock an entry per process.

    >>> entries_of([4, 10])
    40
    """
    return len(sizes) ** 2 * max(size or FIRST_ROOM for size in sizes)
