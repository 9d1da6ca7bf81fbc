"""Mutating inputs, and running each under a time limit: a hang is a failure like any other."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

#: what an input may take, on however busy a machine
LIMIT_S = 60.0
_TOKENS = [
    *(b"0", b"-1", b"1e999", b"9" * 30, b"NaN", b"null", b"true", b'""', b"{}", b"[]", b"\\ud800", b"\xff", b"\x00"),
    *(b"[" * 120, b"{" * 120, b'{"a":' * 120, b"(" * 120, b"\n", b"\r", b"\xef\xbb\xbf", b"a+)+$", b"(?<x>(y+)+)$"),
    *(b"possibly(", b"definitely(", b"seq(", b"E[", b" U ", b"not ", b"`", b"'", b'"', b"=", b"#", b"\xe2\x80\xae"),
]


class Hung(Exception):
    """An input took longer than anything may."""


@contextmanager
def within(seconds: float = LIMIT_S) -> Iterator[None]:
    """Raise Hung if it takes longer; compiled code that never comes back is ended by the signal's default action."""

    def give_up(number: int, frame: FrameType | None) -> None:
        # A second alarm finds the handler gone and ends the process: compiled code looks at no handler.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        raise Hung(f"no end after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def mutations(seeds: Sequence[bytes], rng: random.Random) -> Iterator[bytes]:
    """Seeds with some bytes changed, removed, repeated, or exchanged for something nasty; without end."""
    yield from seeds
    while True:
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
            _mutate(data, seeds, rng)
        yield bytes(data[:20_000])


def _mutate(data: bytearray, seeds: Sequence[bytes], rng: random.Random) -> None:
    begin = rng.randrange(len(data) + 1)
    end = min(len(data), begin + rng.choice((0, 1, 1, 2, 4, 16, 64)))
    kind = rng.randrange(7)
    if kind == 0:  # one bit
        if begin < len(data):
            data[begin] ^= 1 << rng.randrange(8)
    elif kind == 1:
        data[begin:end] = rng.randbytes(rng.choice((1, 2, 8)))
    elif kind == 2:
        del data[begin:end]
    elif kind == 3:
        data[begin:end] = data[begin:end] * rng.choice((2, 3, 50))
    elif kind == 4:
        data[begin:end] = rng.choice(_TOKENS)
    elif kind == 5:  # a piece of another seed
        other = rng.choice(seeds)
        start = rng.randrange(len(other) + 1)
        data[begin:end] = other[start : start + rng.choice((4, 16, 64))]
    else:  # a digit changed, so that it stays a number
        places = [k for k, byte in enumerate(data) if 48 <= byte <= 57]
        if places:
            data[rng.choice(places)] = rng.choice(b"0123456789")
