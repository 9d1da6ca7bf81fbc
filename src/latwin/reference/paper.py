"""Lat-Win as the paper writes it: Algorithms 1, 2 and 3 on linked cuts.

A text to read beside "Design of a Sliding Window over Asynchronous Event Streams" (Yang, Huang, Cao,
Ma, Lu) and an oracle for the fast engine; it is not fast. Names follow the paper: `C_min`, `C_max`,
`W^(k)`, `prec`, `sub`, grow, prune; comments give the algorithm's line numbers. Processes count from 0.

What happens when a state of the first process arrives, in the paper's example (two windows of 3):

      s2                 s2                    s2
    4 |  o--o--o       4 |  o--o--o--N       4 |  .  o--o--o     N grows from C_max = (4, 4);
      |  |  |            |  |  |               |     |           (2, 3) and (2, 4), which contain
    3 |  o--o  x       3 |  o--o  x  x       3 |  .  o  x  x     the stale state 2, are pruned
    2 |  x  x  x       2 |  x  x  x  x       2 |  .  x  x  x     from C_min = (2, 3) upwards
      +--2--3--4- s1     +--2--3--4--5- s1     +-----3--4--5- s1

Where this text departs from the published one, a comment starting with "Remark" says so:

1. Algorithm 2, line 2 (Theorem 4.2) wants a cut with the oldest state of *another* window. The oldest
   state may be the new one itself, when it is alone in its window and the state before it never was
   there: the first state of a process whose window starts empty. See `_start_of_growth`.
2. Algorithm 2, lines 14-19 connect a cut only to neighbours that are new. A lattice has all its edges.
3. The stale state still counts as a neighbour until it is pruned, or windows of size 1 go wrong.
4. `grow` keeps an explicit stack instead of calling itself, so no lattice is too deep for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from latwin.errors import InvalidClock, InvalidInput
from latwin.reference.paper_model import CGS, Cut, LocalState, Window, are_concurrent, connect, disconnect

Predicate = Callable[[tuple[Any, ...]], bool]


class PaperLatWin:
    """The lattice of all consistent cuts inside the windows, maintained by the paper's algorithms.

    It answers as `latwin.LatWin` does. `window` is one size for all processes, one size per process, or
    None; a size of None never forgets. Every process starts in state 0 with an all-zero clock and the
    value `initial[k]` (None if not given). States must be pushed in the order of their process, without
    gaps; their clocks may know states that are not delivered yet.

    Two options exist to study the paper:

    * `empty_start=True` delivers no initial states: windows start empty, the first state of a process may
      have any index, and the lattice is empty until every process has reported.
    * `as_published=True` uses the condition of Theorem 4.2 as printed, without our correction. It makes a
      difference only with `empty_start`, where cuts can be missed, and for a single process, where the
      lattice never begins.

    >>> lattice = PaperLatWin(2, window=3)
    >>> lattice.push(0, (1, 0))  # process 0 enters state 1 and sends a message
    >>> lattice.push(1, (1, 1))  # process 1 receives it
    >>> list(lattice)
    [(0, 0), (1, 0), (1, 1)]
    >>> lattice.least, lattice.greatest
    ((0, 0), (1, 1))
    """

    def __init__(
        self,
        processes: int,
        window: int | Sequence[int | None] | None = None,
        *,
        initial: Sequence[object] | None = None,
        as_published: bool = False,
        empty_start: bool = False,
    ) -> None:
        """Algorithm 1, lines 1-3; then the initial states arrive like any others."""
        self._windows = [Window(size) for size in _sizes(processes, window)]
        self._lattice: dict[Cut, CGS] = {}
        self._c_min: CGS | None = None
        self._c_max: CGS | None = None
        self._as_published = as_published

        if initial is not None and len(initial) != processes:
            raise InvalidInput(f"initial must have one value per process ({processes}); got {len(initial)}")
        if not empty_start:
            for k in range(processes):
                value = None if initial is None else initial[k]
                self._update(LocalState(k, 0, (0,) * processes, value))

    def push(self, process: int, clock: Sequence[int], value: object = None) -> None:
        """Deliver the next state of a process; its oldest one leaves if the window was full.

        Algorithm 1, lines 4-8 bring the states of each process into order; here they already are.
        """
        k = process
        if not 0 <= k < len(self._windows):
            raise InvalidInput(f"process must be in 0..{len(self._windows) - 1}; got {process}")
        if len(clock) != len(self._windows):
            raise InvalidClock(f"clock must have {len(self._windows)} entries; got {list(clock)}")
        expected = self._windows[k].next_index()
        if expected is not None and clock[k] != expected:
            raise InvalidClock(f"the next state of process {k} must have index {expected}; got {clock[k]}")
        self._update(LocalState(k, clock[k], tuple(clock), value))

    def forget(self, process: int, index: int) -> None:
        """Let the states of a process before the one of this index, which must be in its window, leave the window.

        Windows of time need it, which the paper does not have: states grow too old one by one, and each of them is
        pruned as a stale state is by Algorithm 3.
        """
        window = self._windows[process]
        if not any(state.index == index for state in window.states()):
            raise InvalidInput(f"state {index} of process {process} is not in its window")
        while window.min.index < index:
            window.make_stale()
            self._prune_lattice(self._c_min, process)
            window.forget_stale()

    # Algorithm 1: the checker process -------------------------------------------------------------

    def _update(self, new: LocalState) -> None:
        """Algorithm 1, lines 9-14, for one state of the input queue."""
        k = new.process
        self._windows[k].push(new)  # line 12
        if all(window.next_index() is not None for window in self._windows):
            self._grow_lattice(new, k)  # line 13
            self._prune_lattice(self._c_min, k)  # line 14
        self._windows[k].forget_stale()

    # Algorithm 2: growing -------------------------------------------------------------------------

    def _grow_lattice(self, new: LocalState, k: int) -> None:
        """Algorithm 2: add all cuts that contain the new state."""
        if self._c_max is None:  # line 1, the lattice is empty
            start = self._start_of_growth(new, k)  # line 2
            if start is not None:  # line 3
                self._grow(start)  # line 4
        elif self._c_max[k].index == new.index - 1:  # line 5, by Theorem 4.1
            states = self._c_max.states
            g = (*states[:k], new, *states[k + 1 :])  # line 6
            if are_concurrent(g):  # line 7
                self._grow(g)  # line 8; C_max is a neighbour of G, so grow connects them

    def _start_of_growth(self, new: LocalState, k: int) -> tuple[LocalState, ...] | None:
        """Algorithm 2, line 2: some CGS with the new state and the oldest state of a window, if any.

        By Theorem 4.2 there is one if and only if there is any CGS with the new state. The paper does
        not say how to search; here: choose a state per process, oldest first, and step back from choices
        that contradict earlier ones. (It recurs once per process, not once per cut.)

        Remark 1. The theorem as published only accepts the oldest state of a window other than k. Its
        proof applies Theorem 2.2 to the new least cut, and Theorem 2.2 may name k itself, if the new state
        is the only one in its window. Then, if no other window's oldest state is in the new least cut, going
        back one step on process k gives a consistent cut too, so the lattice was not empty before -- unless
        the state before the new one never was in the window. So the printed condition is right once every
        process has delivered its initial state, and too narrow for windows that start empty:

            W^(1) = { s }   W^(2) = { b1 b2 b3 b4 b5 }   s depends on b3: the cuts (s, b3), (s, b4), (s, b5)
        """
        choices = [[new] if j == k else window.states() for j, window in enumerate(self._windows)]
        oldest = [window.min for window in self._windows]

        def extend(chosen: tuple[LocalState, ...]) -> tuple[LocalState, ...] | None:
            if not are_concurrent(chosen):
                return None
            if len(chosen) == len(choices):
                on_boundary = any(
                    state is oldest[j] and not (self._as_published and j == k) for j, state in enumerate(chosen)
                )
                return chosen if on_boundary else None
            attempts = (extend((*chosen, state)) for state in choices[len(chosen)])
            return next((found for found in attempts if found is not None), None)

        return extend(())

    def _grow(self, start: tuple[LocalState, ...]) -> None:
        """Algorithm 2, lines 9-19: add a cut and, from neighbour to neighbour, all new cuts around it."""
        unexplored = [self._add(start)]  # Remark 4: instead of recursion
        while unexplored:
            c = unexplored.pop()
            prec = self._neighbours(c, -1)  # line 10
            sub = self._neighbours(c, +1)  # line 11
            # Theorem 5: the new C_max is among the new cuts, and so is C_min if the lattice was empty.
            if not prec:
                self._c_min = c  # line 12
            if not sub:
                self._c_max = c  # line 13
            for states in prec:  # lines 14-16
                before, is_new = self._find_or_add(states)
                connect(before, c)  # Remark 2: also if `before` existed
                if is_new:
                    unexplored.append(before)
            for states in sub:  # lines 17-19
                after, is_new = self._find_or_add(states)
                connect(c, after)
                if is_new:
                    unexplored.append(after)

    def _neighbours(self, c: CGS, step: int) -> list[tuple[LocalState, ...]]:
        """The global states one step from `c` on one process that are in the window and consistent.

        Remark 3. `at` still finds the stale state, whose cuts are in the lattice until they are pruned.
        Without it a window of size 1 would leave a new cut without predecessor, line 12 would move C_min
        to it although Theorem 5.2 says that C_min remains, and Algorithm 3 would find nothing to prune.
        """
        found = []
        for k, window in enumerate(self._windows):
            state = window.at(c[k].index + step)
            if state is not None:
                states = (*c.states[:k], state, *c.states[k + 1 :])
                if are_concurrent(states):
                    found.append(states)
        return found

    def _find_or_add(self, states: tuple[LocalState, ...]) -> tuple[CGS, bool]:
        existing = self._lattice.get(tuple(state.index for state in states))
        return (existing, False) if existing is not None else (self._add(states), True)

    def _add(self, states: tuple[LocalState, ...]) -> CGS:
        c = CGS(states)
        self._lattice[c.cut] = c
        return c

    # Algorithm 3: pruning -------------------------------------------------------------------------

    def _prune_lattice(self, c: CGS | None, k: int) -> None:
        """Algorithm 3: delete all cuts that contain the stale state, from `c` = C_min upwards."""
        w_min = self._windows[k].min
        if c is None or self._c_max is None or not c[k].happened_before(w_min):
            return  # line 1, by Theorem 6
        if self._c_max[k] is c[k]:  # line 2, by Theorem 7: all cuts are stale
            self._lattice.clear()
            self._c_min = self._c_max = None  # line 3
            return
        # Line 5. S is popped first in, first out: level by level, so no cut is reached after its deletion.
        s = {c.cut: c}
        while s:  # line 6
            stale = s.pop(next(iter(s)))  # line 7
            for after in list(stale.sub.values()):  # lines 8-9
                disconnect(stale, after)  # line 10
                if after[k] is stale[k]:  # line 11
                    s[after.cut] = after  # line 12; S is a set, adding twice is adding once
                elif not after.prec:  # lines 13-14; one step after the stale state is the new W_min
                    self._c_min = after  # line 15, by Theorem 7.2
            del self._lattice[stale.cut]  # line 16

    # Reading the lattice --------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of cuts."""
        return len(self._lattice)

    def __iter__(self) -> Iterator[Cut]:
        """The cuts in lexicographic order, each a tuple of state indices."""
        return iter(sorted(self._lattice))

    def __contains__(self, cut: object) -> bool:
        """Whether `cut`, one state index per process, is a cut of the lattice."""
        return isinstance(cut, Sequence) and tuple(cut) in self._lattice

    @property
    def least(self) -> Cut | None:
        """C_min; None if the lattice is empty."""
        return None if self._c_min is None else self._c_min.cut

    @property
    def greatest(self) -> Cut | None:
        """C_max; None if the lattice is empty."""
        return None if self._c_max is None else self._c_max.cut

    def edges(self) -> list[tuple[Cut, Cut]]:
        """All pairs of a cut and a cut one step after it, sorted."""
        return sorted((c.cut, after) for c in self._lattice.values() for after in c.sub)

    def possibly(self, p: Predicate) -> bool:
        """Whether `p(values)` holds in some cut."""
        return any(p(c.values) for c in self._lattice.values())

    def definitely(self, p: Predicate) -> bool:
        """Whether every path from the least to the greatest cut meets one where `p(values)` holds."""
        if self._c_min is None:
            return False
        unexplored, seen = [self._c_min], {self._c_min.cut}
        while unexplored:  # walk only through cuts without p
            c = unexplored.pop()
            if p(c.values):
                continue
            if c is self._c_max:
                return False
            unexplored += [after for after in c.sub.values() if after.cut not in seen]
            seen.update(c.sub)
        return True


def _sizes(processes: int, window: int | Sequence[int | None] | None) -> list[int | None]:
    if processes < 1:
        raise InvalidInput(f"processes must be at least 1; got {processes}")
    sizes = [window] * processes if window is None or isinstance(window, int) else list(window)
    if len(sizes) != processes:
        raise InvalidInput(f"window must have one size per process ({processes}); got {len(sizes)}")
    for k, size in enumerate(sizes):
        if size is not None and size < 1:
            raise InvalidInput(f"window of process {k} must be at least 1; got {size}")
    return sizes
