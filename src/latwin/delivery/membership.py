"""Who is in an open group: processes that join with their first event, leave, and come back.

Each process sits on a seat, which is a dimension of the windows. Events name processes; here they are turned into
arrivals at seats.

    name --- lives: the times between joining and leaving, each on a seat --- departed: its seat was given up

- A process joins when an event names it: its own first one, or one that knows a state of it.
- When it has left and comes back, it goes on with its clock in a new life, which begins after what the old one had
  told; or it begins again with state 1, and is then another incarnation, `name#2`.
- A clock's entry means for each life of a process as much as that life told: nothing of what came later, and for one
  that was given up, nothing at all, as every cut has passed it.

No window, no clock and no property is known here; the monitor tells what was delivered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import msgspec

from latwin.errors import InvalidEvent
from latwin.events import Arrival, read_event
from latwin.events.plain import show
from latwin.events.variables import Variables

#: names in one clock; more are not looked at
MOST_NAMES = 10_000
#: how many processes that left are remembered, for each that may be there
_MEMORY = 20


class Life(msgspec.Struct):
    """A process on its seat, from joining to leaving."""

    name: str
    seat: int
    #: how many had joined before
    number: int
    #: the highest index that an earlier life told
    after: int = 0
    #: the index of its last state, in which it is gone; None while it is there
    last: int | None = None
    #: whether the last state was declared, because it was silent, and not told by the process
    is_declared: bool = False
    #: the group's time when it joined, if there is one
    joined_s: float | None = None
    #: whether no state of it was delivered
    is_new: bool = True
    #: the time of the event that it left with, in seconds
    left_s: float | None = None


class MembersState(msgspec.Struct, array_like=True):
    """What a snapshot keeps of a membership."""

    lives: list[Life]
    #: name -> the last index that it told, of processes without a seat, the latest last
    departed: dict[str, int]
    #: name -> the name of its latest incarnation
    incarnations: dict[str, str]
    joined: int
    seats: int


class Seating(msgspec.Struct):
    """An event, checked, with the names that it needs seats for."""

    name: str
    index: int
    #: every name in its clock, its own with the index
    entries: dict[str, int]
    state: Any
    time: Any
    newcomers: list[Life]
    #: the seats of those who are over, and are named again
    returning: set[int]


class Membership:
    """The seats of one group: `seats` of them, at most `most` taken, by processes whose names match the patterns."""

    def __init__(self, seats: int, most: int, patterns: tuple[str, ...]) -> None:
        self.seats = seats
        self._most = most
        self._patterns = patterns
        #: whether processes that left keep their seats until they are told to give them up
        self.keeps_seats = False
        self.clear()

    def clear(self) -> None:
        """Nobody is there, and nobody ever was."""
        #: by name, earlier ones first; only those that have a seat
        self.lives: dict[str, list[Life]] = {}
        self.departed: dict[str, int] = {}
        self.incarnations: dict[str, str] = {}
        self.joined = 0
        #: seats that would have been given up if nobody kept them; who sits there does not count
        self.over: set[int] = set()

    def taken(self) -> list[Life]:
        """Everyone on a seat, in the order of joining."""
        return sorted((life for lives in self.lives.values() for life in lives), key=lambda life: life.number)

    def at(self, seat: int) -> Life:
        """Who sits there."""
        return next(life for life in self.taken() if life.seat == seat)

    def doubtful(self) -> list[Life]:
        """Who may give up a seat: those that left, and those that nothing was delivered of."""
        return [life for lives in self.lives.values() for life in lives if life.last is not None or life.is_new]

    def names(self) -> list[str]:
        """For each seat the name of who sits there; of an empty one a name that no process can have."""
        found = [f"\0{seat}" for seat in range(self.seats)]
        for life in self.taken():
            found[life.seat] = life.name
        return found

    # -- an event and its seats -----------------------------------------------------------------

    def read(
        self,
        event: Any,
        variables: Variables | None,
        *,
        time_s: float | None,
        knows: Callable[[int, int], int],
        through: Callable[[int], int],
    ) -> Seating:
        """Check an event, and find the processes that join with it; nothing changes yet.

        `knows(seat, other)` is what the latest state of one seat knows of another, `through(seat)` the highest index
        that a seat told, and `time_s` the event's time, if times are read. Raises InvalidEvent.
        """
        arrival, told = _read(event, variables)
        own = told[arrival.process]
        current = self._own_name(own, arrival.index, time_s)
        sender = self._latest(current)
        newcomers: list[Life] = []
        returning: set[int] = set()
        entries: dict[str, int] = {}
        for name, entry in zip(told, arrival.clock, strict=True):
            if name == own:
                name = current
            elif entry and name in self.incarnations:
                name = self._meant(name, entry, sender, knows, through)
            if entry:
                entries[name] = max(entries.get(name, 0), entry)
                self._admit(name, entry, newcomers)
                returning |= self._returning(name, entry)
        present = sum(len(lives) for lives in self.lives.values()) - len(self.over)
        joining = [*newcomers, *map(self.at, returning)]
        if joining and present + len(joining) > self._most:
            raise InvalidEvent(
                f"process {joining[0].name!r} cannot join: there must be at most {self._most} processes at once, "
                f"those that left and are still in the windows included"
            )
        return Seating(current, arrival.index, entries, arrival.state, arrival.time, newcomers, returning)

    def vacant(self) -> list[int]:
        """The seats that nobody has, in their order."""
        taken = {life.seat for life in self.taken()}
        return [seat for seat in range(self.seats) if seat not in taken]

    def join(self, seating: Seating, seats: int, *, now_s: float | None) -> list[Life]:
        """Give everyone who is new one of as many seats, of which there must be enough; who they are."""
        self.seats = seats
        for life, seat in zip(seating.newcomers, self.vacant(), strict=False):
            life.seat = seat
            life.number = self.joined
            life.joined_s = now_s
            self.joined += 1
            self.lives.setdefault(life.name, []).append(life)
            self.departed.pop(life.name, None)
            base, mark, number = life.name.rpartition("#")
            if mark and life.after == 0 and number.isdecimal() and base:
                self.incarnations[base] = life.name
        return seating.newcomers

    def arrival(self, seating: Seating) -> Arrival:
        """The event as it arrives at its seat."""
        self.over -= seating.returning
        clock = [0] * self.seats
        for name, entry in seating.entries.items():
            for life in self.lives.get(name, ()):
                if entry > life.after:
                    is_over = life.last is not None and (life.is_declared or entry < life.last)
                    clock[life.seat] = min(entry, life.last) if is_over and life.last is not None else entry
        seat = self._seat_of(seating.name, seating.index)
        return Arrival(seat, seating.index, clock, seating.state, seating.time)

    # -- what was delivered ----------------------------------------------------------------------

    def delivered(self, arrival: Arrival, time_s: float | None) -> Life:
        """A state arrived in its window; whose. Without variables it is the last one; after that, it is back."""
        life = self.at(arrival.process)
        life.is_new = False
        is_gone = arrival.state is None
        life.last = arrival.index if is_gone else None
        life.left_s = time_s if is_gone else None
        return life

    def leave(self, seat: int, told: int) -> None:
        """Give up a seat: every cut has passed it, or nobody ever came. `told` is the highest index that is over."""
        life = self.at(seat)
        self.over.discard(seat)
        lives = self.lives[life.name]
        lives.remove(life)
        if lives:
            return
        del self.lives[life.name]
        if not told:
            return
        self.departed[life.name] = told
        while len(self.departed) > _MEMORY * self._most:
            forgotten = next(iter(self.departed))
            del self.departed[forgotten]
            for base in [base for base, latest in self.incarnations.items() if latest == forgotten]:
                del self.incarnations[base]

    def close_up(self, stay: list[int]) -> None:
        """Have these seats only, which are all that are taken, one after the other."""
        places = {seat: place for place, seat in enumerate(stay)}
        for life in self.taken():
            life.seat = places[life.seat]
        self.over = {places[seat] for seat in self.over}
        self.seats = len(stay)

    # -- snapshots -------------------------------------------------------------------------------

    def told(self, through: Sequence[int]) -> dict[str, int]:
        """By the names in events, the latest state of everyone who is there or was: as of those that have left."""
        told = {**self.departed, **{life.name: through[life.seat] for life in self.taken()}}
        named = {latest: base for base, latest in self.incarnations.items()}
        return {named.get(name, name): index for name, index in told.items() if index}

    def state(self) -> MembersState:
        """For a snapshot."""
        return MembersState(self.taken(), dict(self.departed), dict(self.incarnations), self.joined, self.seats)

    def load(self, state: MembersState) -> None:
        """Go on from a snapshot."""
        self.clear()
        for life in state.lives:
            self.lives.setdefault(life.name, []).append(life)
        self.departed, self.incarnations = state.departed, state.incarnations
        self.joined, self.seats = state.joined, state.seats

    # -- whose life it is ------------------------------------------------------------------------

    def _latest(self, name: str) -> Life | None:
        lives = self.lives.get(name)
        return lives[-1] if lives else None

    def _own_name(self, name: str, index: int, time_s: float | None) -> str:
        """The name under which an event of a process counts: that of its latest incarnation, or of a new one."""
        current = self.incarnations.get(name, name)
        life = self._latest(current)
        last = self.departed.get(current) if life is None else life.last
        if last is None or index != 1 or last == 0:
            return current
        # State 1 of a process that left: it came again, or the process did.
        left_s = None if life is None else life.left_s
        if left_s is not None and time_s is not None and time_s <= left_s:
            return current
        base, mark, number = current.rpartition("#")
        return f"{base}#{int(number) + 1}" if mark and current != name else f"{name}#2"

    def _meant(
        self,
        name: str,
        entry: int,
        sender: Life | None,
        knows: Callable[[int, int], int],
        through: Callable[[int], int],
    ) -> str:
        """The incarnation that a clock means by a bare name: the latest, as far as that can be."""
        newest = self.incarnations[name]
        life = self._latest(newest)
        if life is None:
            return newest if entry <= self.departed.get(newest, 0) else name
        is_known = sender is not None and knows(sender.seat, life.seat) > 0
        return newest if is_known or entry <= through(life.seat) else name

    def _admit(self, name: str, entry: int, newcomers: list[Life]) -> None:
        """Note that a process joins, if an entry of its clock cannot be of a life that is known."""
        life = self._latest(name)
        if life is not None and (life.last is None or entry < life.last or not life.is_declared):
            return
        after = self.departed.get(name, 0) if life is None else (life.last or 1) - 1
        if life is None and entry <= after:
            return
        if not any(fnmatchcase(name, pattern) for pattern in self._patterns):
            raise InvalidEvent(f"unknown process {show(name)}; names must match {', '.join(self._patterns)}")
        newcomers.append(Life(name, -1, -1, after))

    def _returning(self, name: str, entry: int) -> set[int]:
        """The seat of a process that was over, if an entry of its clock is of a later state."""
        life = self._latest(name) if self.over else None
        if life is None or life.seat not in self.over or life.is_declared or entry <= (life.last or life.after):
            return set()
        return {life.seat}

    def _seat_of(self, name: str, index: int) -> int:
        """The seat of the life that a state is of."""
        lives = self.lives.get(name)
        if not lives:
            raise InvalidEvent(
                f"process {name!r} left after its state {self.departed[name]}; state {index} came before that"
            )
        return next((life for life in reversed(lives) if index > life.after), lives[0]).seat


def _read(event: Any, variables: Variables | None) -> tuple[Arrival, list[str]]:
    """An event over the names in it, and these names; InvalidEvent if it is none."""
    if not isinstance(event, Mapping):
        raise InvalidEvent(f"an event must be a map; got {type(event).__name__}")
    leaves = event.get("leave")
    if type(leaves) is not bool and leaves is not None:
        raise InvalidEvent(f"`leave` must be true or false; got {show(leaves)}")
    if leaves:
        event = {**event, "state": None}
    clock, process = event.get("clock"), event.get("process")
    if not isinstance(clock, Mapping) and "clock" in event:
        raise InvalidEvent(f"processes join and leave, so a clock must be a map from their names; got {show(clock)}")
    if not isinstance(process, str) or not process or "\0" in process:
        raise InvalidEvent(f"`process` must be a name; got {show(process)}")
    named = [process, *(name for name in clock or () if name != process)]
    if len(named) > MOST_NAMES:
        raise InvalidEvent(f"a clock must name at most {MOST_NAMES:,} processes; got {len(named):,}")
    names = [name for name in named if isinstance(name, str) and "\0" not in name]
    arrival = read_event(event, {name: k for k, name in enumerate(names)}, variables)
    state = None if leaves else arrival.state or {}
    return msgspec.structs.replace(arrival, state=state), names
