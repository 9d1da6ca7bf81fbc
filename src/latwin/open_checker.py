"""`OpenChecker`: the checker of a group that processes join and leave.

Who is there, and on which seat, `Membership` knows. Here the windows follow: a seat is a dimension of them. Seats are
made when they are needed, twice as many each time, and given up when every cut has passed the last state of
whoever sat there. A seat that nobody has is blank: its process is in state 0, and nobody knows of it. More seats are
made with the held states, as a snapshot has them (`restoring.reseated`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from latwin.checker import Checker
from latwin.delivery import notices
from latwin.delivery.group_time import NEVER
from latwin.delivery.membership import Life, Membership
from latwin.delivery.reorder import Gap
from latwin.delivery.silence import Past
from latwin.errors import SnapshotError
from latwin.events import Arrival
from latwin.events.times import read_time
from latwin.lattice.kernels.window import LEAST
from latwin.model import Verdict, Verdicts
from latwin.restoring import check_members, hand_over, reseated
from latwin.slide import Slide
from latwin.snapshot import Snapshot
from latwin.spec import Spec

#: Seats at first; there are more when they are needed.
_FIRST_SEATS = 4


class OpenChecker(Checker):
    """Gives whoever joins a seat, declares that the silent left, and gives up seats that nobody needs."""

    def __init__(
        self,
        spec: Spec,
        *,
        observations: bool,
        on_slide: Callable[[Slide], object] | None,
        on_verdict: Callable[[Verdict], object] | None,
        rules: int,
        seats: int | None = None,
    ) -> None:
        assert spec.open is not None
        self.members = Membership(seats or _FIRST_SEATS, spec.open.max, spec.open.names)
        self.members.keeps_seats = seats is not None
        super().__init__(spec, observations=observations, on_slide=on_slide, on_verdict=on_verdict, rules=rules)

    def follow(self, spec: Spec) -> None:
        """Take a spec, for as many seats as there are."""
        super().follow(spec.seated(self.members.names()))
        self._name_seats()

    def held(self) -> Snapshot:
        """Everything that is needed to go on later, with who is there."""
        state = super().held()
        state.members = self.members.state()
        return state

    def resume(self, snapshot: Snapshot) -> None:
        """Go on from a snapshot, with its processes on their seats."""
        before = vars(self).copy()
        try:
            self._sit(snapshot)
            super().resume(snapshot)
        except SnapshotError:
            vars(self).update(before)
            self._name_seats()
            raise

    def past(self, last_s: float) -> Past:
        """What is kept of the group when it ends: who was there, and up to which state."""
        return Past(last_s, [], self.members.told(self.buffer.through))

    def goes_on(self, event: Any, past: Past) -> bool | None:
        """Always, if the event names a process: each of them may go on with its clock, or begin again."""
        del past
        is_named = isinstance(event, Mapping) and isinstance(event.get("process"), str)
        return True if is_named else None

    def go_on_after(self, past: Past) -> None:
        """Before the first event: whoever was there has left, and may come back."""
        self.members.departed.update(past.departed)

    def delivered(self, arrival: Arrival, time_s: float) -> None:
        """A state came into its window: somebody is there, or left with it."""
        life, window = self.members.delivered(arrival, time_s), self.window
        if life.is_declared and not window.is_timed:  # nothing else would ever let its other states go
            window.forget(life.seat, window.newest(life.seat))

    def _sit(self, snapshot: Snapshot) -> None:
        """Have the seats of a snapshot; raises SnapshotError if they cannot be."""
        assert self.spec.open is not None
        state, limits = check_members(snapshot, self.spec.open.max), self.spec.open
        keeps = self.members.keeps_seats
        self.members = Membership(state.seats, limits.max, limits.names)
        self.members.keeps_seats = keeps
        self.members.load(state)
        if state.seats != len(self.spec.processes):
            self.follow(self.spec)
        else:
            self._name_seats()

    def read(self, event: Any) -> Arrival:
        """An event as it arrives at its seat; whoever joins with it has one then. Raises InvalidEvent."""
        members = self.members
        time_s = self._time_of(event)
        seating = members.read(
            event,
            self.variables,
            time_s=time_s,
            knows=lambda seat, other: self.window.clock_of(seat, self.window.newest(seat))[other],
            through=self.buffer.through.__getitem__,
        )
        if seating.newcomers:
            missing = len(seating.newcomers) - len(members.vacant())
            seats = members.seats
            while missing > 0:
                missing, seats = missing - seats, seats * 2
            self._seat(members.join(seating, seats, now_s=time_s))
        return members.arrival(seating)

    def _time_of(self, event: Any) -> float | None:
        """An event's time, if events need one; InvalidEvent if it has none."""
        if not self.needs_times:
            return None
        return read_time(event.get("time") if isinstance(event, Mapping) else None)

    def let_go(self, every: bool, out: Verdicts) -> None:
        """Declare that silent processes left, and give up the seats that nobody needs any more."""
        members, limits, group = self.members, self.spec.open, self.judge.time
        if limits is not None and limits.leave_after_s is not None and group is not None:
            for life in members.taken():
                since_s = group.latest.item(life.seat) if group.latest[life.seat] != NEVER else life.joined_s
                is_there = life.last is None or self._is_awaited(life)
                if is_there and since_s is not None and group.now_s - since_s > limits.leave_after_s:
                    self._declare_left(life, group.now_s, every, out)
        self._clear_seats()

    def _declare_left(self, life: Life, now_s: float, every: bool, out: Verdicts) -> None:
        """Deliver a last state for a process that is silent; what is missing before it is lost.

        When it left nobody knows. Its last state begins now, so that it may have been there until now.
        """
        seat, window, buffer = life.seat, self.window, self.buffer
        while buffer.waits(seat):
            first, waiting = buffer.through[seat] + 1, buffer.first_waiting(seat)
            if first == waiting:  # it waits for others
                return
            self._skip(Gap(seat, first, waiting - 1), every, out)
        known = max(int(window.clocks[:, :, seat].max()), buffer.through[seat])
        if known > buffer.through[seat]:
            self._skip(Gap(seat, buffer.through[seat] + 1, known), every, out)
        clock = list(window.clock_of(seat, window.newest(seat)))
        clock[seat] = index = buffer.through[seat] + 1
        life.is_declared = True
        life.is_declared = self._deliver(Arrival(seat, index, clock, None, now_s), every, out)
        if life.is_declared:
            assert self.spec.open is not None
            out.note(notices.left(life.name, index, self.spec.open.leave_after or ""))

    def _clear_seats(self) -> None:
        """Give up the seats of processes that every cut has passed, and of those that never came."""
        members = self.members
        free = [life for life in members.doubtful() if self._has_passed(life) or self._never_came(life)]
        seats = [life.seat for life in free]
        if members.keeps_seats:
            members.over.update(seats)
            return
        for life in free:
            self._give_up(life)
        if free:
            self.window.vacate(seats)
            self.kept.vacate(seats)
            self.buffer.vacate(seats)
            if self.judge.time is not None:
                self.judge.time.vacate(seats)
            self.judge.growing = {seat: old for seat, old in self.judge.growing.items() if seat not in seats}
            self.context.slide()
            self._name_seats()

    def passed(self) -> list[int]:
        """The seats of processes that left, and that every cut has passed, in the order of joining."""
        return [life.seat for life in self.members.taken() if self._has_passed(life)]

    def clear_seats(self, seats: Collection[int]) -> None:
        """Give up seats of `passed`, where they are kept otherwise; who comes after moves up."""
        for seat in seats:
            self._give_up(self.members.at(seat))
        stay = [seat for seat in range(self.members.seats) if seat not in seats]
        self.members.close_up(stay)
        self._reseat(stay)

    def _give_up(self, life: Life) -> None:
        self.members.leave(life.seat, self.buffer.through[life.seat] - life.is_declared)

    def _has_passed(self, life: Life) -> bool:
        seat, window = life.seat, self.window
        if life.last is None or window.is_empty or self.buffer.waits(seat):
            return False
        return int(window.ends[LEAST, seat]) == window.newest(seat) and not self._is_awaited(life)

    def _is_awaited(self, life: Life) -> bool:
        """Whether somebody has heard of a process since it left: its next state is still to come.

        Without its seat that would be forgotten. Of each process the newest state knows the most.
        """
        seat, last, window = life.seat, life.last, self.window
        if last is None:
            return False
        heard = (window.clocks.item(k, window.place(window.newest(k)), seat) for k in range(window.processes))
        return any(entry > last for entry in heard) or self.buffer.knows(seat, later_than=last)

    def _never_came(self, life: Life) -> bool:
        """Whether nothing was delivered of a process, and no state or event that is held knows it."""
        seat, window, buffer = life.seat, self.window, self.buffer
        is_known = window.newest(seat) or buffer.waits(seat) or buffer.knows(seat) or window.clocks[:, :, seat].any()
        return not is_known

    def _seat(self, joined: list[Life]) -> None:
        """Let processes take their seats, which are blank, or were not there."""
        before = len(self.buffer.through)
        if self.members.seats != before:
            self._reseat([seat if seat < before else None for seat in range(self.members.seats)])
        else:
            self._name_seats()
        for life in joined:
            if life.after:  # what an earlier life told is over
                self._lose(life.seat, life.after)

    def _reseat(self, sources: Sequence[int | None]) -> None:
        """Go on with other seats: each takes what another one had, or is blank."""
        state = super().held()
        reseated(state, sources)
        self.follow(self.spec)
        hand_over(state, self.judge, self.buffer)

    def _name_seats(self) -> None:
        """Call the seats by who sits there."""
        members = self.members
        names = members.names()
        self.spec = self.judge.spec = self.spec.seated(names)
        self.window.names = self.spec.processes
        self.kept.roles = list(map(self.spec.roles_of, names))
        self.judge.order = [life.seat for life in members.taken()]
