"""Hypothesis strategies: computations with canonical vector clocks, delivery orders, windows, predicates.

A computation is drawn as one flat list of steps and built from it, so that drawing is fast and shrinking
removes steps, messages and delays one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Clock = tuple[int, ...]
WindowSizes = int | list[int | None] | None
Predicate = Callable[[tuple[Any, ...]], bool]


@dataclass(frozen=True)
class State:
    """A local state as its process reports it; its index is the own entry of its clock."""

    process: int
    clock: Clock
    value: Any = None

    @property
    def index(self) -> int:
        return self.clock[self.process]


@dataclass(frozen=True)
class Computation:
    """States in an order of delivery: in order of index for every process, otherwise in any order.

    So a state may be delivered before states it depends on. The initial states (index 0) are not listed.
    """

    processes: int
    states: tuple[State, ...]

    def of(self, process: int) -> list[State]:
        """The states of one process, in order."""
        return [state for state in self.states if state.process == process]


def initial_state(processes: int, process: int, value: Any = None) -> State:
    return State(process, (0,) * processes, value)


@dataclass(frozen=True)
class _Step:
    """Process `process` enters a state with `value`, reported `delay` steps late.

    The state begins with the receipt of a message that was sent in the `message`-th latest state of any
    other process (counted round and round); with a local event if `message` is 0 or there is none.
    """

    process: int
    message: int
    delay: int
    value: Any


@st.composite
def computations(
    draw: st.DrawFn,
    min_processes: int = 1,
    max_processes: int = 4,
    max_states: int = 14,
    values: st.SearchStrategy[Any] | None = None,
) -> Computation:
    """Computations of up to `max_states` states; messages are late, out of order, shared or never received.

    Values are booleans unless a strategy is given. Computations shrink towards few states, few messages,
    and delivery in an order of causality.
    """
    processes = draw(st.integers(min_processes, max_processes))
    step = st.builds(
        _Step,
        process=st.integers(0, processes - 1),
        message=st.just(0) | st.integers(1, max_states),
        delay=st.just(0) | st.integers(0, 2 * max_states),
        value=st.booleans() if values is None else values,
    )
    least = draw(st.sampled_from([0, max_states // 2]))  # lists alone would be short most of the time
    steps = draw(st.lists(step, min_size=least, max_size=max_states))
    states = _run(processes, steps)
    return Computation(processes, _deliver(states, [step.delay for step in steps]))


def _run(processes: int, steps: Sequence[_Step]) -> list[State]:
    """The states in the order in which they begin."""
    clocks: list[Clock] = [(0,) * processes] * processes
    states: list[State] = []
    for step in steps:
        k = step.process
        senders = [state for state in states if state.process != k]
        clock = list(clocks[k])
        if step.message and senders:
            sender = senders[-1 - (step.message - 1) % len(senders)]
            clock = [max(mine, theirs) for mine, theirs in zip(clock, sender.clock, strict=True)]
        clock[k] += 1
        clocks[k] = tuple(clock)
        states.append(State(k, clocks[k], step.value))
    return states


def _deliver(states: Sequence[State], delays: Sequence[int]) -> tuple[State, ...]:
    """The states by time of arrival, where no state overtakes an earlier one of its process."""
    arrived: dict[int, int] = {}
    times = []
    for time, (state, delay) in enumerate(zip(states, delays, strict=True)):
        arrived[state.process] = max(time + delay, arrived.get(state.process, 0))
        times.append(arrived[state.process])
    return tuple(states[i] for i in sorted(range(len(states)), key=times.__getitem__))


def windows(processes: int) -> st.SearchStrategy[WindowSizes]:
    """One size for all, one per process (None never forgets), or None."""
    sizes: st.SearchStrategy[int | None] = st.integers(1, 5) | st.none()
    one_each: st.SearchStrategy[WindowSizes] = st.lists(sizes, min_size=processes, max_size=processes)
    return st.one_of(st.integers(1, 5), one_each, st.none())


def initial_values(processes: int) -> st.SearchStrategy[list[bool]]:
    """One boolean per process, for the initial states."""
    return st.lists(st.booleans(), min_size=processes, max_size=processes)


def arrival_orders(computation: Computation, *, duplicates: bool = False) -> st.SearchStrategy[tuple[State, ...]]:
    """The states in any order at all, not even in order of index; some repeated if `duplicates`."""
    states = list(computation.states)
    if not states:
        return st.just(())
    repeated = st.lists(st.sampled_from(states), max_size=4 if duplicates else 0)
    return repeated.flatmap(lambda extra: st.permutations(states + extra)).map(tuple)


def predicates(processes: int) -> st.SearchStrategy[Predicate]:
    """Any predicate over one boolean per process; often a conjunction, the paper's case."""
    rows = 1 << processes
    tables = st.just(1 << (rows - 1)) | st.integers(0, (1 << rows) - 1)
    return tables.map(TruthTable)


@dataclass(frozen=True)
class TruthTable:
    """A predicate over booleans: bit b of `table` is its answer for the values that spell b in binary."""

    table: int

    def __call__(self, values: tuple[Any, ...]) -> bool:
        row = sum(1 << k for k, value in enumerate(values) if value)
        return bool(self.table >> row & 1)
