"""A random computation without time: states, messages and values, for tests and benchmarks."""

from __future__ import annotations

import numpy as np

from latwin.errors import InvalidInput
from latwin.sim.delays import require_number


def random_computation(
    processes: int, events: int, message_rate: float, seed: int, *, values: int = 2
) -> list[tuple[int, tuple[int, ...], int]]:
    """`events` random local states as `(process, clock, value)`, each after everything it depends on.

    At every step a random process enters a new state with a random value out of `range(values)`. With
    probability `message_rate` the state sends its clock to one other process. A process that has mail takes
    a random piece of it (so mail overtakes mail) at every other state, on average. The rate thus runs from
    0 (no process knows of another, every global state is consistent) to 1 (about every second state is a
    receipt).

    Clocks are canonical: the own entry counts the process's states, also the receipts. Costs O(events *
    processes).

    >>> for process, clock, value in random_computation(2, 3, message_rate=0.0, seed=1):
    ...     assert sum(clock) == clock[process] and value in (0, 1)
    """
    if processes < 1:
        raise InvalidInput(f"processes must be at least 1; got processes={processes!r}")
    if events < 0:
        raise InvalidInput(f"events must be at least 0; got events={events!r}")
    if values < 1:
        raise InvalidInput(f"values must be at least 1; got values={values!r}")
    require_number("message_rate", message_rate, at_most=1.0)
    rng = np.random.default_rng(seed)
    clocks = [[0] * processes for _ in range(processes)]
    mail: list[list[tuple[int, ...]]] = [[] for _ in range(processes)]
    computation = []
    for _ in range(events):
        process = int(rng.integers(processes))
        clock = clocks[process]
        if mail[process] and rng.random() < 0.5:
            heard = mail[process].pop(int(rng.integers(len(mail[process]))))
            clock[:] = map(max, clock, heard)
        clock[process] += 1
        stamp = tuple(clock)
        computation.append((process, stamp, int(rng.integers(values))))
        if processes > 1 and rng.random() < message_rate:
            receiver = int(rng.integers(processes - 1))
            mail[receiver + (receiver >= process)].append(stamp)
    return computation
