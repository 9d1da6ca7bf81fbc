"""A process that reports its states: the canonical vector clock, kept for a real program."""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import msgspec

from latwin.errors import InvalidClock, InvalidEvent, InvalidInput, UnsentStates
from latwin.events.clocks import LARGEST_ENTRY
from latwin.process.journal import Journal
from latwin.process.outbox import Outbox, Shipper
from latwin.process.reporter import Reporter
from latwin.process.settings import Settings
from latwin.process.stamps import CarrierName, Stamp, find_stamp, read_stamp, write_stamp

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_Result = TypeVar("_Result")
_DEFAULT: Any = object()


class _State(NamedTuple):
    """A begun state; replaced as a whole, never changed, so that it can be read without a lock."""

    clock: dict[str, int]
    variables: dict[str, Any]


class Process:
    """One event source of a group: its clock and variables, kept right and reported.

    `update` begins a state for what happened here, `receive` one for a message that came, `stamp` puts the clock on a
    message that goes. States are numbered from 1; each is reported with all variables. All methods may be called from
    any thread; `aupdate`, `areceive`, `aflush` and `aclose` are theirs for asyncio, `stamp` never waits.

    **Why `stamp` begins no state.** A message carries the clock of the state in which it is sent, so the state that
    its receipt begins depends on that one. A cut is consistent iff no state in it depends on one that has
    not begun: it may hold the receiver after the receipt and the sender still in that state, which is right, for
    the sender is in it before and after sending, with the same variables. It may not hold the sender any earlier,
    which is right, too: then the message could not have been sent. A state of its own for sending would tell
    the checker nothing about variables, and make its windows reach less far back. What happens after `stamp`
    returned is another state as soon as a variable changes; so stamp a message when it is sent, not long before: an
    older stamp is never wrong, but says that the receiver knows less than it does.

    **After a crash.** With a `journal` (the path of a file of its own), each state is on disk before `update` or
    `receive` returns and before a message can be stamped with it. A restarted process goes on from there: same clock,
    same variables, no index used twice; what was not acknowledged is sent again, and the checker drops what it has
    already. Without one, states that were not sent are lost with the program, and the next begins at
    1 again, which a checker that knows the former states rejects: good for tests, and for groups that live no longer
    than their programs.

    **Back-pressure.** At most `max_unsent` states wait for the reporter. Beyond that `update` and `receive` wait, up
    to `timeout_s`, then raise UnsentStates; the state did not begin then. `close`, also at the end of a `with` and
    of the program, sends what waits.

    `variables` are those before the first state, as the spec's `initial` has them; a journal that knows states has
    the last word. Variables must be fit for JSON, and are copied. `group` names the monitored system, `clock_source`
    gives the `time` of events.
    """

    def __init__(
        self,
        name: str,
        reporter: Reporter,
        *,
        group: str = "",
        variables: Mapping[str, Any] | None = None,
        journal: str | os.PathLike[str] | None = None,
        clock_source: Callable[[], float] = time.time,
        settings: Settings | None = None,
    ) -> None:
        self.name = _check_name("name of a process", name)
        self.group = _check_name("group", group, may_be_empty=True)
        self._settings = settings if settings is not None else Settings()
        self._clock_source = clock_source
        initial = _plain(dict(variables or {}))
        opened = None if journal is None else Journal(journal, group, name, self._settings.durability)
        clock: dict[str, int] = {}
        if opened is not None and opened.variables is not None:
            clock, initial = opened.clock, opened.variables
        self._state = _State(clock, initial)
        self._owner = os.getpid()
        self._executor: ThreadPoolExecutor | None = None
        self._outbox = Outbox(name, self._settings, opened)
        self._shipper = Shipper(self._outbox, reporter)
        self._is_closed = False
        atexit.register(self.close)

    def __repr__(self) -> str:
        """Name, group and index."""
        return f"Process({self.name!r}, group={self.group!r}, index={self.index})"

    # -- what it is in --------------------------------------------------------------------------

    @property
    def index(self) -> int:
        """The number of the current state; 0 before the first."""
        return self._state.clock.get(self.name, 0)

    @property
    def clock(self) -> dict[str, int]:
        """The clock of the current state: of each process that is known, the latest state."""
        return dict(self._state.clock)

    @property
    def variables(self) -> dict[str, Any]:
        """The variables of the current state, as they are reported."""
        return _plain(self._state.variables)

    @property
    def unsent(self) -> int:
        """How many states are not acknowledged by the reporter."""
        return len(self._outbox)

    @property
    def trouble(self) -> str | None:
        """Why the last attempt to report failed; None if it did not."""
        return self._outbox.trouble

    # -- events ---------------------------------------------------------------------------------

    def update(self, variables: Mapping[str, Any] | None = None, /, **more: Any) -> int:
        """Begin a new state for something that happened here; its index.

        Variables that are given change, the others stay.

        >>> from latwin.process import MemoryReporter, Process
        >>> with Process("phone", MemoryReporter()) as phone:
        ...     phone.update(ap="office")
        ...     phone.update(battery=0.9)
        ...     phone.variables
        1
        2
        {'ap': 'office', 'battery': 0.9}
        """
        return self._begin({}, _merged(variables, more), self._deadline())

    @overload
    def stamp(self, message: None = None, *, carrier: CarrierName | None = None) -> Stamp: ...
    @overload
    def stamp(self, message: Mapping[str, Any], *, carrier: CarrierName | None = None) -> dict[str, Any]: ...
    @overload
    def stamp(
        self, message: Sequence[tuple[Any, Any]], *, carrier: CarrierName | None = None
    ) -> list[tuple[Any, Any]]: ...
    def stamp(self, message: Any = None, *, carrier: CarrierName | None = None) -> Any:
        """A copy of the message that carries the current clock, or without a message the `Stamp` alone.

        Messages are dictionaries, headers as a map or as pairs, and CloudEvents; see `latwin.process.stamps`.

        >>> from latwin.process import MemoryReporter, Process
        >>> with Process("phone", MemoryReporter()) as phone:
        ...     _ = phone.update(ap="office")
        ...     phone.stamp({"command": "on"})
        {'command': 'on', 'latwin-clock': '{"clock":{"phone":1}}'}
        """
        self._check_owner()
        stamp = Stamp(dict(self._state.clock), self.group)
        return stamp if message is None else write_stamp(message, stamp, carrier=carrier)

    def receive(self, message: Any, variables: Mapping[str, Any] | None = None, /, **more: Any) -> int:
        """Begin a new state for a message that came, and learn what its sender knew; the state's index.

        The message is whatever `stamp` stamped, or a `Stamp`; variables may change in the same state. A message of
        another group, or with a stamp that cannot be read, raises InvalidEvent; one that knows states of this process
        that have not begun, InvalidClock. No state begins then.

        >>> from latwin.process import MemoryReporter, Process
        >>> phone, projector = (Process(name, MemoryReporter()) for name in ("phone", "projector"))
        >>> phone.update(ap="meeting-room")
        1
        >>> projector.receive(phone.stamp({"command": "on"}), on=True)
        1
        >>> projector.clock
        {'projector': 1, 'phone': 1}
        """
        return self._begin(self._read(message), _merged(variables, more), self._deadline())

    def leave(self, timeout_s: float | None = _DEFAULT) -> int:
        """Begin a last state, in which the process is not there any more; its index.

        For groups that processes join and leave. `close` does not tell the checker anything: a program that stops may
        go on later. One that goes on after it left is there again.

        >>> from latwin.process import MemoryReporter, Process
        >>> with Process("pod-1", MemoryReporter()) as pod:
        ...     pod.update(ready=True)
        ...     pod.leave()
        1
        2
        """
        return self._begin({}, {}, self._deadline(timeout_s), leaves=True)

    async def aupdate(self, variables: Mapping[str, Any] | None = None, /, **more: Any) -> int:
        """`update` without blocking the event loop; in the order of the calls.

        One that is cancelled may have begun its state all the same.
        """
        changes, deadline = _plain(_merged(variables, more)), self._deadline()
        return await self._in_thread(lambda: self._begin({}, changes, deadline))

    async def areceive(self, message: Any, variables: Mapping[str, Any] | None = None, /, **more: Any) -> int:
        """`receive` without blocking the event loop; as `aupdate`."""
        known, changes, deadline = self._read(message), _plain(_merged(variables, more)), self._deadline()
        return await self._in_thread(lambda: self._begin(known, changes, deadline))

    def _read(self, message: Any) -> dict[str, int]:
        """What a message's sender knew."""
        stamp = find_stamp(message) if self._settings.unstamped == "accept" else read_stamp(message)
        if stamp is None:
            return {}
        if stamp.group != self.group:
            raise InvalidEvent(
                f"process {self.name!r}: the message comes from group {stamp.group!r}, this process is in "
                f"{self.group!r}; groups know nothing of each other (for such a message call update)"
            )
        return stamp.clock

    def _begin(
        self, known: Mapping[str, int], variables: dict[str, Any], deadline: float | None, *, leaves: bool = False
    ) -> int:
        """Begin a state that knows what `known` says; on disk, in the outbox, then visible."""
        self._check_owner()
        changes = _plain(variables)
        with self._outbox.room(deadline):
            before = self._state
            index = before.clock.get(self.name, 0) + 1
            if known.get(self.name, 0) >= index:
                raise InvalidClock(
                    f"process {self.name!r}: the message knows its state {known[self.name]}, but only {index - 1} "
                    "began; does another process have this name, or was its journal lost?"
                )
            clock = {**before.clock, self.name: index}
            for name, entry in known.items():
                if entry > clock.get(name, 0):
                    clock[name] = entry
            state = _State(clock, {**before.variables, **changes})
            self._outbox.append(index, self._event(index, state, leaves=leaves))
            self._state = state
        return index

    def _event(self, index: int, state: _State, *, leaves: bool) -> bytes:
        if index >= LARGEST_ENTRY:
            raise InvalidClock(f"process {self.name!r}: no index is left")
        event = msgspec.json.encode(
            {
                "group": self.group,
                "process": self.name,
                "clock": state.clock,
                "state": state.variables,
                "time": self._clock_source(),
                **({"leave": True} if leaves else {}),
            }
        )
        if len(event) > self._settings.max_event_bytes:
            raise InvalidEvent(
                f"process {self.name!r}: the state would take {len(event):,} bytes; a state may take "
                f"max_event_bytes={self._settings.max_event_bytes:,}: report less, or raise it, in the pipeline too"
            )
        return event

    # -- the end --------------------------------------------------------------------------------

    def flush(self, timeout_s: float | None = _DEFAULT) -> None:
        """Return when all states are acknowledged; UnsentStates, with their number, if that takes too long."""
        self._check_owner()
        self._outbox.wait_until_sent(self._deadline(timeout_s))

    def close(self, timeout_s: float | None = _DEFAULT) -> None:
        """Send what waits, then let go of the reporter and the journal. A second time does nothing.

        Raises UnsentStates, with their number and fate, if not all could be sent in time. It is closed then, too.
        """
        if self._is_closed or os.getpid() != self._owner:
            return
        self._is_closed = True
        atexit.unregister(self.close)
        deadline = self._deadline(timeout_s)
        self._outbox.close()
        self._shipper.join(deadline)
        if self._executor is not None:
            self._executor.shutdown(wait=False)
        unsent = self._outbox.abandon()
        if unsent is not None:
            raise unsent

    async def aflush(self, timeout_s: float | None = _DEFAULT) -> None:
        """`flush` without blocking the event loop."""
        from asyncio import to_thread

        await to_thread(self.flush, timeout_s)

    async def aclose(self, timeout_s: float | None = _DEFAULT) -> None:
        """`close` without blocking the event loop."""
        from asyncio import to_thread

        await to_thread(self.close, timeout_s)

    def __enter__(self) -> Process:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it; what ended the block is not hidden by what could not be sent."""
        try:
            self.close()
        except UnsentStates as unsent:
            if error is None:
                raise
            error.add_note(str(unsent))

    async def __aenter__(self) -> Process:
        """Itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """As `__exit__`, without blocking the event loop."""
        from asyncio import to_thread

        await to_thread(self.__exit__, kind, error, trace)

    def _deadline(self, timeout_s: float | None = _DEFAULT) -> float | None:
        if timeout_s is _DEFAULT:
            timeout_s = self._settings.timeout_s
        return None if timeout_s is None else monotonic() + timeout_s

    def _check_owner(self) -> None:
        if os.getpid() != self._owner:
            raise InvalidInput(
                f"process {self.name!r} was made before this program forked; "
                "make one in each program, with a name and a journal of its own"
            )

    async def _in_thread(self, function: Callable[[], _Result]) -> _Result:
        """Run in a thread of its own, one after the other: neither the loop nor its executor waits for the disk."""
        from asyncio import get_running_loop

        if self._executor is None:
            from concurrent.futures import ThreadPoolExecutor

            self._executor = ThreadPoolExecutor(1, thread_name_prefix=f"latwin-{self.name}-aio")
        return await get_running_loop().run_in_executor(self._executor, function)


def _merged(variables: Mapping[str, Any] | None, more: dict[str, Any]) -> dict[str, Any]:
    return more if variables is None else {**variables, **more}


def _plain(variables: dict[str, Any]) -> dict[str, Any]:
    """A deep copy of the variables as JSON gives them back, so that nobody can change a state that has begun."""
    try:
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(variables), type=dict[str, Any])
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
        raise InvalidEvent(f"variables must have names and values that are fit for JSON; {error}") from None
    return plain


def _check_name(what: str, name: Any, *, may_be_empty: bool = False) -> str:
    if not isinstance(name, str) or not (name or may_be_empty):
        raise InvalidInput(f"the {what} must be a text{'' if may_be_empty else ' that is not empty'}; got {name!r}")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"the {what} must be a text fit for UTF-8; got {name!r}") from None
    return name
