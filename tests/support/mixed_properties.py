"""Random properties of every kind that the language has, as text, over processes p0, p1, ... with n = 0 or 1.

Conditions are such that most properties change now and then, and that kernels can evaluate most of them.
"""

from __future__ import annotations

import random


def condition(rng: random.Random, processes: int) -> str:
    """A condition on some processes: on single ones, sums, pairs, roles, and rarely one for the interpreter alone."""
    a, b = (f"p{rng.randrange(processes)}" for _ in range(2))
    bit, some = rng.randrange(2), rng.sample(range(processes), rng.randint(1, processes))
    total = " + ".join(f"p{k}.n" for k in some)
    return rng.choice(
        [
            f"{a}.n == {bit}",
            f"{a}.n == 1 and {b}.n == {bit}",
            " and ".join(f"p{k}.n == 1" for k in some),
            " or ".join(f"p{k}.n == {bit}" for k in some),
            f"{total} {rng.choice(['>=', '<=', '==', '!='])} {rng.randint(0, len(some))}",
            f"{total} >= {len(some)} or {a}.n == 0 and {b}.n == 1",
            f"{total} == 1 and {a}.n == {bit}",
            f"{a}.n == {b}.n",
            f"{a}.n + {b}.n == 1 and {a}.n != {b}.n",
            f"count(*.n == 1) >= {rng.randint(1, processes)}",
            f"any(*.n == {bit})",
            "exists(a, b in *: a != b and a.n == 1 and b.n == 0)",
            f"{total} > 0.5",
            f"{a}.n * {b}.n == 1" if rng.random() < 0.3 else f"{a}.n == {bit}",
        ]
    )


def formula(rng: random.Random, processes: int, depth: int) -> str:
    """A formula of CTL."""
    if depth == 0:
        return condition(rng, processes)
    p, q = formula(rng, processes, depth - 1), formula(rng, processes, rng.randrange(depth))
    one = ["EX", "AX", "EF", "AF", "EG", "AG", "EY", "AY", "EP", "AP", "EH", "AH"]
    return rng.choice(
        [
            f"{rng.choice(one)}({p})",
            f"{rng.choice(one)}({p})",
            f"{rng.choice('EA')}[{p} {rng.choice('US')} {q}]",
            f"not EF({p})",
            f"EF({p}) {rng.choice(['and', 'or', 'implies'])} AG({q})",
        ]
    )


def linear(rng: random.Random, processes: int, depth: int) -> str:
    """A formula over observations."""
    if depth == 0:
        return condition(rng, processes)
    p, q = linear(rng, processes, depth - 1), linear(rng, processes, 0)
    one = ["always", "eventually", "next", "once", "historically", "previously"]
    return rng.choice(
        [
            f"{rng.choice(one)}({p})",
            f"({p}) {rng.choice(['until', 'weak_until', 'since'])} ({q})",
            f"{rng.choice(one)}(({q}) implies {rng.choice(one)}({p}))",
        ]
    )


def pattern(rng: random.Random, processes: int) -> str:
    """A sequence."""
    steps = [f"({condition(rng, processes)}){rng.choice(['', '', '+', '*', '?'])}" for _ in range(rng.randint(1, 3))]
    between = rng.choice([", ", ", any*, "])
    return rng.choice(["", "", "^"]) + between.join(steps) + rng.choice(["", "", "$"])


def part(rng: random.Random, processes: int) -> str:
    """One question of any kind."""
    kind = rng.choice(["possibly", "definitely"])
    return rng.choice(
        [
            f"{kind}({condition(rng, processes)})",
            f"{kind}({condition(rng, processes)})",
            f"possibly({condition(rng, processes)} or {condition(rng, processes)})",
            f"{kind}(seq({pattern(rng, processes)}))",
            f"{kind}({linear(rng, processes, rng.randint(1, 2))})",
            f"({formula(rng, processes, rng.randint(1, 2))})",
            f"probability({condition(rng, processes)}) {rng.choice(['>', '>=', '<'])} {rng.choice([0, 0.5, 0.9, 1])}",
        ]
    )


def mixed_property(rng: random.Random, processes: int) -> str:
    """A question, or questions joined by `and`, `or` and `not`."""
    parts = [part(rng, processes) for _ in range(rng.choice([1, 1, 2, 3]))]
    return rng.choice([" and ", " or "]).join(f"not {each}" if rng.random() < 0.2 else each for each in parts)
