"""The exceptions of latwin.

    LatwinError
     +-- InvalidInput          a caller passed something wrong (also a ValueError)
     |    +-- InvalidClock     a clock that cannot follow what was pushed before
     |    +-- InvalidEvent     an event that does not have the documented form
     |    +-- SpecError        a specification that does not make sense
     |    |    +-- PropertyError   a property text, with the place of the mistake
     |    +-- SnapshotError    a snapshot of another spec or version, or damaged
     +-- LatticeTooLarge       more cuts than `max_cuts` allows to enumerate
     +-- TooManyWaiting        more states wait than `max_waiting` allows (policy "fail")
     +-- JournalError          a process's journal that cannot be used
     +-- UnsentStates          states of a process that could not be reported in time

Whoever catches `LatwinError` catches every mistake latwin reports on purpose; anything else
that escapes is a bug in latwin.
"""

from __future__ import annotations

from collections.abc import Sequence


class LatwinError(Exception):
    """Base class of everything latwin raises on purpose."""


class InvalidInput(LatwinError, ValueError):
    """An argument was not what the call requires; the message says what was expected and what came."""


class InvalidClock(InvalidInput):
    """A vector clock that cannot belong to the next state of its process."""


class InvalidEvent(InvalidInput):
    """An event that lacks a field, or carries one of the wrong type."""


class SpecError(InvalidInput):
    """A specification (TOML file or dictionary) that cannot be used.

    `line` and `column` give the place in the text, both counted from 1; they are None where no place applies.
    """

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        """Keep the place beside the message."""
        super().__init__(message)
        self.line = line
        self.column = column


class PropertyError(SpecError):
    """A property text that cannot be read; the message shows the line, a caret and a hint.

    `line` and `column` are counted in the property's text.
    """


class SnapshotError(InvalidInput):
    """A snapshot that cannot be restored under the given spec."""


class LatticeTooLarge(LatwinError):
    """The lattice holds more cuts than the budget allows to enumerate.

    `window_product` is the number of global states in the window (consistent or not), `max_cuts`
    the budget that was exceeded.
    """

    def __init__(self, window_product: int, max_cuts: int) -> None:
        self.window_product = window_product
        self.max_cuts = max_cuts
        super().__init__(
            f"the lattice has more than max_cuts={max_cuts:,} cuts "
            f"(the window product is {window_product:,} global states); use smaller windows, raise max_cuts, "
            "or ask a conjunction of per-process predicates (possibly_all, definitely_all), "
            "which needs no lattice"
        )


class TooManyWaiting(LatwinError):
    """More states wait for a missing one than the spec allows, and its policy is "fail".

    Raised by `Monitor.observe_many`, `verdicts` holds what came out of the events before the one at
    `position`, which was not taken.
    """

    verdicts: Sequence[object] = ()
    position: int = 0


class JournalError(LatwinError):
    """A process's journal cannot be used: in use, another's, damaged, or not writable.

    Raised when a state was to begin, that state did not begin.
    """


class UnsentStates(LatwinError):
    """States of a process could not be reported in time; `unsent` says how many are not acknowledged."""

    def __init__(self, message: str, *, unsent: int) -> None:
        """Keep the number beside the message."""
        super().__init__(message)
        self.unsent = unsent
