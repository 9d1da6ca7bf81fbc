"""Words of 64 bits: counting, finding and repeating bits."""

from __future__ import annotations

import numpy as np
from numba import njit

WORD = 64  #: bits in a word

FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
ZERO = np.uint64(0)
ONE = np.uint64(1)
_M1 = np.uint64(0x5555555555555555)
_M2 = np.uint64(0x3333333333333333)
_M4 = np.uint64(0x0F0F0F0F0F0F0F0F)
_H01 = np.uint64(0x0101010101010101)


@njit(cache=True)
def count_bits(word: np.uint64) -> np.int64:
    """The number of set bits (LLVM turns this into one popcount instruction)."""
    word = word - ((word >> ONE) & _M1)
    word = (word & _M2) + ((word >> np.uint64(2)) & _M2)
    word = (word + (word >> np.uint64(4))) & _M4
    return np.int64((word * _H01) >> np.uint64(56))


@njit(cache=True)
def lowest_bit(word: np.uint64) -> np.int64:
    """The place of the lowest set bit."""
    return count_bits((word & (~word + ONE)) - ONE)


@njit(cache=True)
def first_bits(count: int) -> np.uint64:
    """A word whose lowest `count` bits (0 .. 64) are set."""
    return FULL if count >= WORD else (ONE << np.uint64(count)) - ONE


@njit(cache=True)
def repeat(word: np.uint64, period: int) -> np.uint64:
    """`word`, whose bits lie in the lowest `period` (1 or more), repeated to fill 64 bits."""
    while period < WORD:
        word |= word << np.uint64(period)
        period *= 2
    return word
