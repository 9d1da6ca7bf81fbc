"""The paper's theorems as properties of the mathematics, stated on brute force alone.

Every theorem is tried on random computations, with windows of equal and unequal sizes (also 1, also
unbounded), with states that arrive before states they depend on, and with windows that start with the
initial states or empty. What came out:

* All hold under FIFO delivery, with any sizes, except Theorem 4.2.
* Theorem 4.2 as printed holds if the state before the new one was in the window. For the first state
  that enters an empty window it asks too much; the corrected statement always holds.
* Theorem 5 speaks of the lattice after growing and before pruning, as its proof does. Read as speaking
  of the window that already slid, its second part fails for windows of size 1.
* Windows must have no gaps. If a state is lost, Theorems 2.1, 4.1 and the single steps of Theorem 1 fail.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from computations import Computation, State, WindowSizes, computations, initial_state, windows
from effort import examples
from oracle import BruteForce, Cut, cuts_of, is_consistent, join, meet, step

Windows = list[list[State]]


def at_most(a: Cut, b: Cut) -> bool:
    return meet(a, b) == a


def happened_before(s: State, t: State) -> bool:
    """`s -> t` between states of two processes: t knows the state after s."""
    return t.clock[s.process] > s.index


@dataclass(frozen=True)
class Slide:
    """What one delivered state does to the windows.

    `before` it arrives; `grown` with the new state and the stale one; `after` the stale one left.
    """

    new: State
    before: Windows
    grown: Windows
    after: Windows

    @property
    def k(self) -> int:
        return self.new.process

    @cached_property
    def cuts_before(self) -> list[Cut]:
        return cuts_of(self.before)

    @cached_property
    def cuts_grown(self) -> list[Cut]:
        return cuts_of(self.grown)

    @cached_property
    def cuts_after(self) -> list[Cut]:
        return cuts_of(self.after)

    def w_min(self, process: int) -> int:
        """The oldest state of a window, after the new state pushed out the stale one."""
        return self.after[process][0].index

    def can_grow(self) -> bool:
        return any(cut[self.k] == self.new.index for cut in self.cuts_grown)

    def can_prune(self) -> bool:
        return any(cut[self.k] < self.w_min(self.k) for cut in self.cuts_grown)


@dataclass(frozen=True)
class History:
    computation: Computation
    window: WindowSizes
    empty_start: bool

    def slides(self) -> Iterator[Slide]:
        lattice = BruteForce(self.computation.processes, self.window, empty_start=self.empty_start)
        for state in self.computation.states:
            before = [list(window) for window in lattice.windows]
            lattice.push(state.process, state.clock)
            after = [list(window) for window in lattice.windows]
            grown = [[*w, after[k][-1]] if k == state.process else w for k, w in enumerate(before)]
            yield Slide(after[state.process][-1], before, grown, after)

    def lat_win(self) -> BruteForce:
        """Lat-Win after the last slide."""
        lattice = BruteForce(self.computation.processes, self.window, empty_start=self.empty_start)
        for state in self.computation.states:
            lattice.push(state.process, state.clock)
        return lattice

    def streams(self) -> Windows:
        """The entire streams."""
        n = self.computation.processes
        return [[initial_state(n, k), *self.computation.of(k)] for k in range(n)]


@st.composite
def histories(draw: st.DrawFn, max_states: int = 12, empty_start: bool | None = None) -> History:
    """Runs of the windows over a computation; both kinds of start unless one is asked for."""
    computation = draw(computations(max_states=max_states))
    start = draw(st.booleans()) if empty_start is None else empty_start
    return History(computation, draw(windows(computation.processes)), start)


law = settings(deadline=None, max_examples=examples(100))


# Theorem 1 ----------------------------------------------------------------------------------------


@law
@given(history=histories(max_states=9))
def test_theorem_1_1_lat_win_is_a_lattice(history: History) -> None:
    """Two cuts in the window have their meet and their join in the window."""
    lat_win = history.lat_win()
    for a, b in product(lat_win, repeat=2):
        assert meet(a, b) in lat_win
        assert join(a, b) in lat_win


@law
@given(history=histories(max_states=9))
def test_theorem_1_1_its_order_is_made_of_single_steps(history: History) -> None:
    """From any cut to any greater one leads a path of single steps that stays in the window."""
    lat_win = history.lat_win()
    for a, b in product(lat_win, repeat=2):
        if a != b and at_most(a, b):
            assert any(at_most(after, b) for after in lat_win.next_cuts(a))


@law
@given(history=histories(max_states=9))
def test_theorem_1_2_lat_win_is_a_sublattice_of_lat(history: History) -> None:
    """Every cut of the window is one of the entire streams; meet and join are the same there."""
    assert set(history.lat_win()) <= set(cuts_of(history.streams()))


@law
@given(history=histories(max_states=10))
def test_theorem_1_3_lat_win_is_convex(history: History) -> None:
    """A cut of the entire streams between two cuts of the window is in the window."""
    lat_win = history.lat_win()
    for cut in cuts_of(history.streams()):
        if any(at_most(a, cut) for a in lat_win) and any(at_most(cut, b) for b in lat_win):
            assert cut in lat_win


@law
@given(history=histories(), data=st.data())
def test_theorem_1_3_lat_win_is_distributive(history: History, data: st.DataObject) -> None:
    """Meet distributes over join and join over meet."""
    cuts = history.lat_win().cuts
    assume(cuts)
    a, b, c = (data.draw(st.sampled_from(cuts)) for _ in range(3))
    assert meet(a, join(b, c)) == join(meet(a, b), meet(a, c))
    assert join(a, meet(b, c)) == meet(join(a, b), join(a, c))


# Theorem 2 ----------------------------------------------------------------------------------------


@law
@given(history=histories())
def test_theorem_2_1_the_greatest_cut_touches_an_upper_end(history: History) -> None:
    """It contains the newest state of some window; also if states it needs are not delivered yet."""
    for slide in history.slides():
        if slide.cuts_after:
            c_max = join(*slide.cuts_after)
            assert any(index == window[-1].index for index, window in zip(c_max, slide.after, strict=True))


@law
@given(history=histories())
def test_theorem_2_2_the_least_cut_touches_a_lower_end(history: History) -> None:
    """It contains the oldest state of some window."""
    for slide in history.slides():
        if slide.cuts_after:
            c_min = meet(*slide.cuts_after)
            assert any(index == window[0].index for index, window in zip(c_min, slide.after, strict=True))


# Lemma 3 ------------------------------------------------------------------------------------------


@law
@given(history=histories(max_states=8))
def test_lemma_3_1_a_failed_step_forward_rules_out_a_region(history: History) -> None:
    """If a cut cannot advance on i, some j is in the way: no cut has i that far and j not further."""
    streams, cuts = history.streams(), cuts_of(history.streams())
    for c, i in product(cuts, range(len(streams))):
        g = step(c, i)
        if g[i] < len(streams[i]) and g not in cuts:
            states = [stream[index] for stream, index in zip(streams, g, strict=True)]
            in_the_way = [j for j in range(len(g)) if j != i and happened_before(states[j], states[i])]
            assert in_the_way
            assert not any(other[j] <= g[j] and other[i] >= g[i] for j in in_the_way for other in cuts)


@law
@given(history=histories(max_states=8))
def test_lemma_3_2_a_failed_step_back_rules_out_a_region(history: History) -> None:
    """If a cut cannot go back on i, a state of some j needs it: no cut has i that early and j that late."""
    streams, cuts = history.streams(), cuts_of(history.streams())
    for c, i in product(cuts, range(len(streams))):
        g = step(c, i, -1)
        if g[i] >= 0 and g not in cuts:
            states = [stream[index] for stream, index in zip(streams, g, strict=True)]
            in_need = [j for j in range(len(g)) if j != i and happened_before(states[i], states[j])]
            assert in_need
            assert not any(other[j] >= g[j] and other[i] <= g[i] for j in in_need for other in cuts)


# Theorem 4 ----------------------------------------------------------------------------------------


@law
@given(history=histories())
def test_theorem_4_1_a_lattice_grows_from_its_greatest_cut(history: History) -> None:
    """It gets new cuts iff the greatest cut is at the newest state of k and can take the new one instead."""
    for slide in history.slides():
        if slide.cuts_before:
            c_max = join(*slide.cuts_before)
            at_the_end = c_max[slide.k] == slide.before[slide.k][-1].index
            assert slide.can_grow() == (at_the_end and step(c_max, slide.k) in slide.cuts_grown)


def starts(slide: Slide, *, published: bool) -> list[Cut]:
    """The set S of Algorithm 2: new cuts with the oldest state of a window (published: not of k's)."""
    processes = [j for j in range(len(slide.after)) if not (published and j == slide.k)]
    return [
        cut
        for cut in slide.cuts_grown
        if cut[slide.k] == slide.new.index and any(cut[j] == slide.w_min(j) for j in processes)
    ]


@law
@given(history=histories())
def test_theorem_4_2_corrected(history: History) -> None:
    """An empty lattice grows iff some cut contains the new state and the oldest state of some window."""
    for slide in history.slides():
        if not slide.cuts_before:
            assert slide.can_grow() == bool(starts(slide, published=False))


@law
@given(history=histories(empty_start=False))
def test_theorem_4_2_as_published_if_the_previous_state_was_in_the_window(history: History) -> None:
    """Then the oldest state may be asked of another window.

    Let C be the least new cut. If all its other states could go back one step within their windows but
    no such step is consistent, then C's latest event is that of the new state, so C can go back on k. The
    state before the new one was in the window, so that cut was in the lattice, which was empty.
    """
    for slide in history.slides():
        if not slide.cuts_before:
            assert slide.can_grow() == bool(starts(slide, published=True))


def test_theorem_4_2_as_published_fails_for_the_first_state_in_a_window() -> None:
    """Windows {} and {b1..b5}; the first state of the first process arrives and depends on b3."""
    states = (*(State(1, (0, b)) for b in range(1, 6)), State(0, (1, 3)))
    *_, slide = History(Computation(2, states), 5, empty_start=True).slides()
    assert slide.cuts_before == []
    assert slide.cuts_after == [(1, 3), (1, 4), (1, 5)]
    assert starts(slide, published=True) == []
    assert starts(slide, published=False) == [(1, 3), (1, 4), (1, 5)]


@law
@given(history=histories(empty_start=False))
def test_an_empty_lattice_needs_overtaking(history: History) -> None:
    """Delivered in an order of causality, the newest states always form the greatest cut."""
    in_causal_order = tuple(sorted(history.computation.states, key=lambda state: sum(state.clock)))
    causal = History(Computation(history.computation.processes, in_causal_order), history.window, False)
    for slide in causal.slides():
        assert join(*slide.cuts_after) == tuple(window[-1].index for window in slide.after)


# Theorem 5 ----------------------------------------------------------------------------------------


@law
@given(history=histories())
def test_theorem_5_1_the_greatest_cut_after_growing(history: History) -> None:
    """It contains the new state if the lattice grew, and remains otherwise."""
    for slide in history.slides():
        if slide.can_grow():
            assert join(*slide.cuts_grown)[slide.k] == slide.new.index
        else:
            assert slide.cuts_grown == slide.cuts_before


@law
@given(history=histories())
def test_theorem_5_2_the_least_cut_after_growing(history: History) -> None:
    """It contains the new state if the lattice was empty and grew, and remains otherwise."""
    for slide in history.slides():
        if slide.cuts_before:
            assert meet(*slide.cuts_grown) == meet(*slide.cuts_before)
        elif slide.can_grow():
            assert meet(*slide.cuts_grown)[slide.k] == slide.new.index


def test_theorem_5_2_speaks_of_the_lattice_before_pruning() -> None:
    """With a window of size 1 the least cut cannot remain in the window that has slid."""
    (slide,) = History(Computation(2, (State(0, (1, 0)),)), 1, empty_start=False).slides()
    assert slide.cuts_before == [(0, 0)]
    assert slide.cuts_grown == [(0, 0), (1, 0)]  # here the theorem is right
    assert slide.cuts_after == [(1, 0)]


# Theorems 6 and 7 ---------------------------------------------------------------------------------


@law
@given(history=histories())
def test_theorem_6_pruning_is_needed_iff_the_least_cut_is_stale(history: History) -> None:
    """Some cut contains the stale state iff the least one does."""
    for slide in history.slides():
        least_is_stale = bool(slide.cuts_grown) and meet(*slide.cuts_grown)[slide.k] < slide.w_min(slide.k)
        assert slide.can_prune() == least_is_stale


@law
@given(history=histories())
def test_theorem_7_1_the_greatest_cut_after_pruning(history: History) -> None:
    """The lattice becomes empty if its greatest cut is stale; otherwise the greatest cut remains."""
    for slide in history.slides():
        if slide.cuts_grown:
            c_max = join(*slide.cuts_grown)
            if c_max[slide.k] < slide.w_min(slide.k):
                assert slide.cuts_after == []
            else:
                assert join(*slide.cuts_after) == c_max


@law
@given(history=histories())
def test_theorem_7_2_the_least_cut_after_pruning(history: History) -> None:
    """If cuts were pruned and some remain, it contains the new oldest state; if none were, it remains."""
    for slide in history.slides():
        if slide.cuts_after:
            c_min = meet(*slide.cuts_after)
            if slide.can_prune():
                assert c_min[slide.k] == slide.w_min(slide.k)
            else:
                assert c_min == meet(*slide.cuts_grown)


# Algorithm 3 --------------------------------------------------------------------------------------


def prune(slide: Slide, pick: Callable[[list[Cut]], int]) -> tuple[list[Cut], Cut | None]:
    """Algorithm 3, lines 5-16, where `pick` says which cut of the set S is popped: deletions in order, and C_min."""
    k, w_min, cuts = slide.k, slide.w_min(slide.k), set(slide.cuts_grown)
    edges = {cut: [after for j in range(len(cut)) if (after := step(cut, j)) in cuts] for cut in cuts}
    before = {cut: sum(cut in after for after in edges.values()) for cut in cuts}
    least = meet(*cuts)
    waiting, deleted, c_min = [least], [], None
    while waiting:
        stale = waiting.pop(pick(waiting))
        for after in edges.pop(stale, []):
            before[after] -= 1
            if after[k] == least[k]:
                if after not in waiting:
                    waiting.append(after)
            elif before[after] == 0:
                c_min = after
        deleted.append(stale)
    assert least[k] < w_min
    return deleted, c_min


@law
@given(history=histories(), seed=st.integers(0, 99))
def test_algorithm_3_deletes_the_same_cuts_in_any_order(history: History, seed: int) -> None:
    """Only the effort differs: first in, first out, each is deleted once; in other orders some are added again."""
    rng = random.Random(seed)
    for slide in history.slides():
        if slide.can_prune() and slide.cuts_after:
            stale = sorted(set(slide.cuts_grown) - set(slide.cuts_after))
            in_turn, c_min = prune(slide, lambda waiting: 0)
            assert (sorted(in_turn), c_min) == (stale, meet(*slide.cuts_after))
            in_any_order, c_min = prune(slide, lambda waiting: rng.randrange(len(waiting)))
            assert (sorted(set(in_any_order)), c_min) == (stale, meet(*slide.cuts_after))


def test_algorithm_3_may_delete_a_cut_twice() -> None:
    """Three processes without messages: popped last in, first out, cuts are reached again after their deletion."""
    states = [State(k, tuple(index if j == k else 0 for j in range(3))) for index in (1, 2) for k in range(3)]
    slide = list(History(Computation(3, tuple(states)), 2, empty_start=False).slides())[-1]
    once, _ = prune(slide, lambda waiting: 0)
    twice, _ = prune(slide, lambda waiting: -1)
    assert len(once) == len(set(once)) == len(set(twice)) < len(twice)


# What a lost state would break --------------------------------------------------------------------


def test_with_gaps_the_order_is_not_made_of_single_steps_and_theorem_4_1_fails() -> None:
    """State 1 of both processes is lost, and each state 2 knows the other's state 1.

    So the lattice has to treat a lost state as part of the one before it, or stay away from gaps.
    """
    first = [initial_state(2, 0), State(0, (2, 1))]
    second = [initial_state(2, 1), State(1, (1, 2))]
    assert cuts_of([first, second[:1]]) == [(0, 0)]
    assert cuts_of([first, second]) == [(0, 0), (2, 2)]  # it grew, though neither single step is consistent
    assert not is_consistent([first[0], second[1]])
    assert not is_consistent([first[1], second[0]])


def test_with_gaps_theorem_2_1_fails() -> None:
    """All states 1 are lost, and one process waits for an undelivered state: no window's end is reached."""
    streams = [
        [initial_state(3, 0), State(0, (2, 1, 0))],  # knows the lost state of process 1
        [initial_state(3, 1), State(1, (1, 2, 3))],  # knows state 3 of process 2, not delivered yet
        [initial_state(3, 2), State(2, (1, 0, 2))],  # knows the lost state of process 0
    ]
    assert cuts_of(streams) == [(0, 0, 0)]
