"""The n-dimensional sliding window: what was delivered lately, and the least and greatest cut in it."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from latwin.errors import InvalidClock, InvalidInput
from latwin.lattice.bounds import FIRST_ROOM, MAX_ENTRIES, MAX_SIZE, entries_of
from latwin.lattice.kernels import saved, time_windows
from latwin.lattice.kernels import window as kernel
from latwin.model import Cut

WindowSize = int | Sequence[int | None] | None

_LARGEST_INDEX = 2**62
#: so many entries of clocks are quicker to convert than to choose from
_FEW_ENTRIES = 1024
#: what is wrong with a saved window
_WRONG = {
    saved.OUT_OF_RANGE: "a clock's entry is out of range, or an initial state's is not 0",
    saved.WRONG_INDEX: "the clocks' own entries are not the indices of states delivered one after the other",
    saved.BACKWARDS: "a state knows less than the state before it",
    saved.NOT_DELIVERED: "a state knows one that was not delivered",
    saved.NOT_CLOSED: "a state knows another one, but not all that this one knew",
    saved.CIRCULAR: "a state knows one that knows it",
}


def window_sizes(processes: int, window: WindowSize, names: Sequence[str] | None = None) -> list[int | None]:
    """One size per process out of one for all, one each, or None; raises InvalidInput for nonsense.

    Windows that would not fit into memory are nonsense, too: more than 2**24 states of a process, or more than 2**28
    entries in all clocks.
    """
    if (window is not None and not isinstance(window, (int, Sequence))) or isinstance(window, str):
        raise InvalidInput(f"window must be one size, one per process, or None; got {window!r}")
    sizes = [window] * processes if window is None or isinstance(window, int) else list(window)
    if len(sizes) != processes:
        raise InvalidInput(f"window must be one size or one per process ({processes}); got {len(sizes)} sizes")
    for k, size in enumerate(sizes):
        if size is None:
            continue
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= MAX_SIZE:
            raise InvalidInput(
                f"window of process {names[k] if names else k!r} must be an integer from 1 up to {MAX_SIZE:,}, "
                f"or None to never forget; got {size!r}"
            )
    if entries_of(sizes) > MAX_ENTRIES:
        raise InvalidInput(
            f"{processes:,} processes with such windows need {entries_of(sizes):,} clock entries; there must be at "
            f"most {MAX_ENTRIES:,}: use smaller windows or fewer processes"
        )
    return sizes


class Window:
    """The last delivered states' clocks of every process, with the least and greatest cut kept current.

    It counts states by delivery: state 0 of a process is its initial one, `place(process, state)` is where
    anything kept beside the clocks (values, flags) goes in a ring of `capacity`, and `index_of` is a
    state's index, the own entry of its clock (the same number unless states were declared lost).

    With `lengths_s`, the window of a process holds at most a stretch of time, in seconds; None for no such bound.
    Each pushed state then has the time at which it begins, and `forget_before` lets time go on.

    Memory is O(n^2 w); a push costs O(n^2) plus the movement of the two cuts.
    """

    def __init__(
        self,
        processes: int,
        window: WindowSize,
        names: Sequence[str] | None = None,
        lengths_s: Sequence[float | None] | None = None,
    ) -> None:
        if isinstance(processes, bool) or not isinstance(processes, int) or processes < 1:
            raise InvalidInput(f"processes must be an integer from 1 up; got {processes!r}")
        if processes**2 > MAX_ENTRIES:  # before there is a list of so many sizes
            raise InvalidInput(f"processes must be at most {math.isqrt(MAX_ENTRIES):,}; got {processes!r}")
        self.processes = processes
        self.names = names
        self.sizes = window_sizes(processes, window, names)
        largest = max(size or FIRST_ROOM for size in self.sizes)
        self.capacity = 1 << (largest - 1).bit_length()
        self.clocks = np.zeros((processes, self.capacity, processes), np.int64)
        self.ends = np.zeros((kernel.ROWS, processes), np.int64)
        self.ends[kernel.SIZE] = [size or 0 for size in self.sizes]
        self.is_empty = False
        #: whether some window is one of time
        self.is_timed = lengths_s is not None and any(length is not None for length in lengths_s)
        #: when the states began, and how long the windows are; see `kernels.time_windows`
        self.begins, self.lengths = np.empty((0, 0)), np.empty(0)
        if self.is_timed:
            self.lengths = np.array([math.inf if length is None else length for length in lengths_s or ()])
            self.begins = np.full((processes, self.capacity), -math.inf)
        self._unbounded = None in self.sizes
        self._packer = struct.Struct(f"{processes}q")
        self._incoming = bytearray(8 * processes)
        self._clock = np.frombuffer(self._incoming, np.int64)

    def push(self, process: int, clock: Any, begin_s: float = -math.inf) -> int:
        """Slide the window of `process` onto its next state and return that state's number.

        It begins at `begin_s`, no earlier than the state before; only windows of time need it. Raises InvalidClock,
        and changes nothing, when `clock` cannot be the next state's.
        """
        if type(process) is not int or not 0 <= process < self.processes:
            self.check_process(process)
        try:
            self._packer.pack_into(self._incoming, 0, *clock)  # the fastest way from a list to an array
        except (struct.error, TypeError):
            self._clock[:] = self._read_clock(process, clock)
        if self._unbounded and self._is_full(process):
            self._grow()
        outcome: int = kernel.push(self.clocks, self.ends, process, self._clock)
        if outcome < 0:
            self._explain(process, -outcome & 0xFF, -outcome >> 8)
        self.is_empty = bool(outcome & 1)
        if self.is_timed:
            self.begins[process, self.place(outcome >> 1)] = begin_s
        return outcome >> 1

    def forget(self, process: int, state: int) -> None:
        """Let the states of `process` before `state`, which must be in the window, leave it."""
        self.ends[kernel.OLDEST, process] = state
        self.refresh()

    def forget_before(self, tau: float) -> bool:
        """Let the states leave that are too old at time `tau`; whether there were any.

        Each process with a window of D seconds keeps its states from the last one begun at or before tau - D, and
        always its newest one.
        """
        if not time_windows.forget_before(self.ends, self.begins, self.lengths, tau):
            return False
        self.refresh()
        return True

    def skip(self, process: int, through: int) -> None:
        """Declare the states of `process` after its newest one and up to index `through` lost.

        Its newest state stands for them from now on, as if the process had stayed in it.
        """
        self.check_process(process)
        current = int(self.ends[kernel.THROUGH, process])
        if isinstance(through, bool) or not isinstance(through, int) or not current < through < _LARGEST_INDEX:
            raise InvalidInput(
                f"process {self.name(process)}: states can be declared lost from index {current + 1} on; "
                f"got through={through!r}"
            )
        self.ends[kernel.THROUGH, process] = through
        self.is_empty = not kernel.find_bounds(self.clocks, self.ends)

    def vacate(self, processes: Sequence[int]) -> None:
        """Let these processes be in their initial state, as if they had never reported; nobody knows of them."""
        for k in processes:
            self.clocks[k] = 0
            self.clocks[:, :, k] = 0
            self.ends[[kernel.NEWEST, kernel.OLDEST, kernel.THROUGH], k] = 0
            if self.is_timed:
                self.begins[k] = -math.inf
        self.refresh()

    def load(
        self,
        processes: Sequence[tuple[int, int, Sequence[Sequence[int]]]],
        *,
        begins: Sequence[Sequence[float]] | None = None,
        causal: bool = False,
    ) -> None:
        """Take over a saved window: per process the newest state's number, `through`, and clocks, oldest first.

        Windows of time also need per process when the states began. Raises InvalidInput, and changes nothing, when it
        cannot be one of this window's; with `causal`, states must know only what was delivered or declared lost.
        """
        if len(processes) != self.processes:
            raise InvalidInput(f"a window over {self.processes} processes was expected; got {len(processes)}")
        told: list[tuple[int, int, int]] = []
        for k, (newest, through, states) in enumerate(processes):
            if not 0 <= newest <= through < _LARGEST_INDEX:
                raise InvalidInput(
                    f"process {self.name(k)}: state {newest} cannot be the newest, nor {through} the last"
                )
            held, most = len(states), min(newest + 1, self.sizes[k] or newest + 1)
            if not 1 <= held <= most:
                raise InvalidInput(f"process {self.name(k)}: 1 to {most} states were expected; got {held}")
            told.append((newest, newest - held + 1, through))
        ends = self.ends.copy()
        most = max(len(states) for _, _, states in processes)
        capacity = max(self.capacity, 1 << (most - 1).bit_length())
        clocks = np.zeros((self.processes, capacity, self.processes), np.int64)
        try:
            rows = np.array([clock for _, _, states in processes for clock in states], np.int64)
        except (ValueError, OverflowError, TypeError):
            rows = np.empty(0, np.int64)
        if rows.ndim != 2 or rows.shape[1] != self.processes:
            raise InvalidInput(f"clocks must be lists of {self.processes} integers below 2**62")
        saved.place(np.array(told, np.int64), rows, clocks, ends)
        wrong = int(saved.judge(clocks, ends, causal))
        if wrong != kernel.RIGHT:
            raise InvalidInput(f"process {self.name(wrong >> 8)}: {_WRONG[wrong & 0xFF]}")
        self.clocks, self.capacity = clocks, capacity
        self.ends[:] = ends
        if self.is_timed:
            self.begins = np.full((self.processes, capacity), -math.inf)
            for k, own in enumerate(begins or ()):
                self.begins[k, np.arange(ends[kernel.OLDEST, k], ends[kernel.NEWEST, k] + 1) & (capacity - 1)] = own
        self.is_empty = not kernel.find_bounds(self.clocks, self.ends)

    @property
    def least(self) -> Cut | None:
        """The least cut as state indices, or None when the lattice is empty."""
        return None if self.is_empty else self.to_indices(self.ends[kernel.LEAST])

    @property
    def greatest(self) -> Cut | None:
        """The greatest cut as state indices, or None when the lattice is empty."""
        return None if self.is_empty else self.to_indices(self.ends[kernel.GREATEST])

    def to_indices(self, states: np.ndarray) -> Cut:
        """A cut given by state numbers, as state indices."""
        mask, item = self.capacity - 1, self.clocks.item
        return tuple([item(k, state & mask, k) for k, state in enumerate(states.tolist())])

    def newest(self, process: int) -> int:
        """The number of the newest state of `process`."""
        return self.ends.item(kernel.NEWEST, process)

    def oldest(self, process: int) -> int:
        """The number of the oldest state in the window of `process`."""
        return self.ends.item(kernel.OLDEST, process)

    def through(self) -> list[int]:
        """Per process the highest index delivered or declared lost."""
        indices: list[int] = self.ends[kernel.THROUGH].tolist()
        return indices

    def refresh(self) -> None:
        """Look again, after a kernel moved the window, whether there is any cut."""
        self.is_empty = not kernel.find_bounds(self.clocks, self.ends)

    def states_of(self, process: int) -> range:
        """The numbers of the states in the window of `process`, oldest first."""
        return range(self.oldest(process), self.newest(process) + 1)

    def place(self, state: int) -> int:
        """Where what belongs to a state number is kept in a ring of `capacity`."""
        return state & (self.capacity - 1)

    def begins_of(self, process: int) -> list[float]:
        """When the states in the window of a process began, oldest first; only windows of time know."""
        return [self.begins.item(process, self.place(state)) for state in self.states_of(process)]

    def held(self) -> Iterator[tuple[range, list[list[int]]]]:
        """Per process the numbers of the states in its window, and their clocks, oldest first."""
        mask = self.capacity - 1
        newest, oldest = (self.ends[row].tolist() for row in (kernel.NEWEST, kernel.OLDEST))
        rings = self.clocks.tolist() if self.clocks.size <= _FEW_ENTRIES else None
        for k, (first, last) in enumerate(zip(oldest, newest, strict=True)):
            numbers = range(first, last + 1)
            if rings is not None:
                yield numbers, [rings[k][number & mask] for number in numbers]
            else:
                yield numbers, self.clocks[k, np.arange(first, last + 1) & mask].tolist()

    def clock_of(self, process: int, state: int) -> Cut:
        """The clock of a state in the window."""
        return tuple(self.clocks[process, self.place(state)].tolist())

    def index_of(self, process: int, state: int) -> int:
        """The index of a state in the window: its clock's own entry."""
        return self.clocks.item(process, self.place(state), process)

    def find(self, process: int, index: int) -> int | None:
        """The number of the state with exactly this index, or None when it is not in the window."""
        state = int(kernel.locate(self.clocks, self.ends, process, index))
        return state if state >= 0 and self.index_of(process, state) == index else None

    def was_lost(self, process: int, index: int) -> bool:
        """Whether this index was declared lost, as far as the window remembers."""
        oldest = self.index_of(process, self.oldest(process))
        is_past = oldest < index <= int(self.ends[kernel.THROUGH, process])
        return is_past and self.find(process, index) is None

    @property
    def product(self) -> int:
        """The number of global states in the window, consistent or not."""
        product = 1
        for process in range(self.processes):
            product *= len(self.states_of(process))
        return product

    def name(self, process: int) -> str:
        """How messages call a process."""
        return repr(self.names[process]) if self.names else str(process)

    def check_process(self, process: object) -> None:
        """Raise InvalidInput unless `process` is a process's number."""
        if isinstance(process, bool) or not isinstance(process, int) or not 0 <= process < self.processes:
            raise InvalidInput(f"process must be an integer from 0 to {self.processes - 1}; got {process!r}")

    def _is_full(self, process: int) -> bool:
        ends = self.ends
        held = int(ends[kernel.NEWEST, process] - ends[kernel.OLDEST, process]) + 1
        return held == self.capacity and self.sizes[process] is None

    def _grow(self) -> None:
        """Double the rings' capacity, for windows without a bound on their states."""
        doubled = np.zeros((self.processes, 2 * self.capacity, self.processes), np.int64)
        begins = np.full((self.processes, 2 * self.capacity), -math.inf) if self.is_timed else self.begins
        for k in range(self.processes):
            states = np.arange(self.ends[kernel.OLDEST, k], self.ends[kernel.NEWEST, k] + 1)
            before, after = states & (self.capacity - 1), states & (2 * self.capacity - 1)
            doubled[k, after] = self.clocks[k, before]
            if self.is_timed:
                begins[k, after] = self.begins[k, before]
        self.clocks, self.begins = doubled, begins
        self.capacity *= 2

    def _read_clock(self, process: int, clock: Any) -> np.ndarray:
        """Raise for what is no list of n integers; accept the odd ways of writing one."""
        who = f"process {self.name(process)}, state {int(self.ends[kernel.THROUGH, process]) + 1}"
        if isinstance(clock, str) or not isinstance(clock, (Sequence, np.ndarray)):
            raise InvalidClock(f"{who}: a clock must be a list of {self.processes} integers; got {clock!r}")
        if len(clock) != self.processes:
            raise InvalidClock(
                f"{who}: a clock must have {self.processes} entries, one per process; got {len(clock)}: {clock!r}"
            )
        for entry in clock:
            if not isinstance(entry, (int, np.integer)) or abs(int(entry)) >= _LARGEST_INDEX:
                raise InvalidClock(f"{who}: clock entries must be integers below 2**62; got {entry!r} in {clock!r}")
        return np.array([int(entry) for entry in clock], np.int64)

    def _explain(self, process: int, wrong: int, other: int) -> NoReturn:
        expected = int(self.ends[kernel.THROUGH, process]) + 1
        came = self._clock.tolist()
        who = f"process {self.name(process)}, state {came[process]}"
        rival = self.name(other)
        if wrong == kernel.WRONG_INDEX:
            raise InvalidClock(
                f"process {self.name(process)}: the next state must have index {expected} "
                f"(the own entry of its clock); got {came[process]} in {came}"
            )
        if wrong == kernel.NEGATIVE:
            raise InvalidClock(f"{who}: clock entries must be 0 or more; got {came[other]} for process {rival}")
        if wrong == kernel.BACKWARDS:
            before = self.clock_of(process, int(self.ends[kernel.NEWEST, process]))[other]
            raise InvalidClock(
                f"{who}: the entry for process {rival} must not go backwards; "
                f"expected at least {before}, as in the state before, got {came[other]}"
            )
        if wrong in (kernel.CIRCULAR, kernel.NOT_CLOSED):
            through = int(self.ends[kernel.THROUGH, other])
            known = int(kernel.locate(self.clocks, self.ends, other, min(came[other], through)))
            index, clock = self.index_of(other, known), list(self.clock_of(other, known))
            if wrong == kernel.CIRCULAR:
                raise InvalidClock(
                    f"{who}: it knows state {index} of process {rival}, which knows this one already; "
                    f"got {came}, and {clock} there"
                )
            raise InvalidClock(
                f"{who}: the clock knows state {index} of process {rival}, so it must know all that "
                f"state knew: expected at least {clock}; got {came}"
            )
        raise InvalidClock(
            f"{who}: a state of process {rival} in the window knows this state, but not all that it knows; "
            f"expected a clock within that knowledge; got {came}"
        )
