"""The arrays that kernels take, by the type of their entries, and how groups of them cross into compiled code.

Arrays that go together are grouped in NamedTuples. Python hands a group over as a plain tuple (`plain`), and the
kernel that it calls gives the parts their names again in its first line (`lattice = Lattice(*lattice)`), which costs
nothing there. Numba takes about a microsecond longer to find the type of a NamedTuple at every call.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import njit

Int64s: TypeAlias = npt.NDArray[np.int64]
Int32s: TypeAlias = npt.NDArray[np.int32]
Floats: TypeAlias = npt.NDArray[np.float64]
#: one byte for each yes or no
Flags: TypeAlias = npt.NDArray[np.uint8]
#: 64 bits each; in most places one bit for each cut
Words: TypeAlias = npt.NDArray[np.uint64]

Group = TypeVar("Group", bound=tuple[Any, ...])


def plain(group: Group) -> Group:
    """A group of arrays as the plain tuple that kernels are called with."""
    return cast(Group, tuple(group))


@njit(cache=True)
def settled(value: int) -> int:
    """The same value, no longer a constant: numba compiles a function again for each constant that it is given."""
    return value + 0


@njit(cache=True, inline="always")
def copy_into(target: npt.NDArray[Any], source: npt.NDArray[Any]) -> None:
    """Copy all of `source`, of one dimension, to the beginning of `target`.

    `target[:] = source` would be compiled with the text of an error about shapes, which takes ten times as long.
    """
    for at in range(len(source)):
        target[at] = source[at]
