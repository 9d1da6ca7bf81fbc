"""Which of the expectations of a monitor's properties were met by a delivered state, and what came instead.

The initial states count, too. What was met is never looked for again: once a process has met all that is expected of
it, looking costs nothing. While something is missing, some names of variables or some values are remembered, so that
a warning can say what probably was meant (see `latwin.detect.unseen`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from latwin.lattice.kernels.arrays import Int64s
from latwin.properties.closures import variable
from latwin.properties.expected import Expectation, Expectations
from latwin.properties.tree import Literal, show, show_name

#: names or values that are remembered for one variable, and their length
MOST_REMEMBERED = 24
LONGEST = 60
_CUT = "..."
#: equal values of one of these types are written alike; 0.0 and -0.0 are not
_ALIKE_IF_EQUAL = frozenset((str, bool, int))


class SeenState(msgspec.Struct, array_like=True, frozen=True):
    """What a snapshot keeps: numbers of the expectations that were not met, and what is remembered by number."""

    digest: int
    missing: list[int]
    remembered: dict[int, list[str]]


class Seen:
    """Looks at each state of a monitor for what is still expected of it.

    The outcome depends on the order of each process's states alone, so it is the same for one state at a time, for
    runs of them, and over snapshots.
    """

    def __init__(self, expectations: Expectations) -> None:
        self._expectations = expectations
        #: per process of which something is still missing, what to look for; empty once all was seen
        self.open: dict[int, list[_Look]] = {}
        self.forget()

    def forget(self) -> None:
        """Begin again: nothing was seen."""
        self._look_for(range(len(self._expectations)), {})

    def look(self, process: int, state: Any) -> None:
        """Take a state of a process."""
        looks = self.open.get(process)
        if looks is None:
            return
        is_done = False
        for look in looks:
            is_done |= look.at(state)
        if is_done:
            left = [look for look in looks if look.missing]
            if left:
                self.open[process] = left
            else:
                del self.open[process]

    def look_at_run(self, processes: Int64s, states: Sequence[Any]) -> None:
        """Take states in their order."""
        for process, state in zip(processes.tolist(), states, strict=True):
            if process in self.open:
                self.look(process, state)
                if not self.open:
                    return

    def missing(self) -> dict[str, list[str]]:
        """The texts of what was not seen, each with the names or values that came instead, as far as remembered."""
        looks = sorted((look for some in self.open.values() for look in some), key=lambda look: look.number)
        return {
            each.text: list(look.remembered) if look.remembers(each) else []
            for look in looks
            for each in look.missing.values()
        }

    def state(self) -> SeenState:
        """What `restore` needs to go on."""
        looks = [look for some in self.open.values() for look in some]
        missing = sorted(number for look in looks for number in look.missing)
        remembered = {look.number: list(look.remembered) for look in looks if look.remembered}
        return SeenState(self._expectations.digest, missing, dict(sorted(remembered.items())))

    def restore(self, state: SeenState) -> bool:
        """Go on from what was kept; False, and nothing is changed, if it was kept for other expectations."""
        if state.digest != self._expectations.digest:
            return False
        self._look_for(state.missing, state.remembered)
        return True

    def _look_for(self, missing: Sequence[int], remembered: Mapping[int, Sequence[str]]) -> None:
        self.open = {}
        if not missing:
            return
        wanted = set(missing)
        for number, some in self._expectations.groups.items():
            left = {n: each for n, each in some.items() if n in wanted}
            if left:
                first = some[number]
                kind = _VariableLook if first.path else _ConditionLook
                look = kind(number, first, left, remembered.get(number, ()))
                self.open.setdefault(first.process, []).append(look)


def problem_of(state: SeenState, expectations: Expectations) -> str | None:
    """What no monitor can have kept; None if all is right, or if it was kept for other expectations."""
    missing, remembered = state.missing, state.remembered
    if state.digest != expectations.digest or not (missing or remembered):
        return None
    wanted, groups = set(missing), expectations.groups
    if missing != sorted(wanted) or not 0 <= missing[0] <= missing[-1] < len(expectations):
        return "what was not seen is none of what the properties expect"
    for number, some in groups.items():
        if some[number].kind == "variable" and number in wanted and not wanted.issuperset(some):
            return "a variable was not seen, but a value of it was"
    for number, texts in remembered.items():
        some = groups.get(number, {})
        if not wanted.intersection(some) or not some[number].path:
            return "names or values are remembered beside nothing that was not seen"
        if not 0 < len(texts) <= MOST_REMEMBERED or len(set(texts)) != len(texts):
            return f"of a variable, 1 to {MOST_REMEMBERED} different names or values are remembered, or none"
        if any(len(text) > LONGEST for text in texts):
            return f"a remembered name or value has more than {LONGEST} characters"
    return None


class _Look:
    """Looks at the states of one process for one variable, or for one condition."""

    def __init__(
        self, number: int, first: Expectation, missing: dict[int, Expectation], remembered: Sequence[str]
    ) -> None:
        self.number = number
        self.missing = missing
        self.remembered = list(remembered)
        self._first = first

    def at(self, state: Any) -> bool:
        """Take a state; True if nothing is missing any more."""
        raise NotImplementedError

    def remembers(self, expectation: Expectation) -> bool:
        """Whether what is remembered came instead of this one."""
        raise NotImplementedError


class _ConditionLook(_Look):
    """For a condition: does it have a value?"""

    def at(self, state: Any) -> bool:
        if state is not None and self._first.is_met(state):
            self.missing = {}
            return True
        return False

    def remembers(self, expectation: Expectation) -> bool:
        del expectation
        return False


class _VariableLook(_Look):
    """For a variable: first for any value, remembering names; then for certain values, remembering values."""

    def __init__(
        self, number: int, first: Expectation, missing: dict[int, Expectation], remembered: Sequence[str]
    ) -> None:
        super().__init__(number, first, missing, remembered)
        self._value_of: Callable[[Any], Any] = variable(first.path)
        #: values that were looked at already, with their types: most states bring no other
        self._known: set[tuple[type, Any]] = set()
        self._known_names: frozenset[str] = frozenset()

    def at(self, state: Any) -> bool:
        value = self._value_of(state)
        if value is None:
            if self.number in self.missing and len(self.remembered) < MOST_REMEMBERED:
                self._remember_names(state)
            return False
        kind = type(value)
        if kind in _ALIKE_IF_EQUAL and (kind, value) in self._known:
            return False
        if self.number in self.missing:
            del self.missing[self.number]
            self.remembered.clear()
        for number in [n for n, each in self.missing.items() if each.is_met(value)]:
            del self.missing[number]
        if not self.missing:
            self.remembered.clear()
            return True
        if len(self.remembered) < MOST_REMEMBERED:
            shown = show_value(value)
            self._remember(shown)
            if kind in _ALIKE_IF_EQUAL and len(shown) < LONGEST and len(self._known) < MOST_REMEMBERED:
                self._known.add((kind, value))
        return False

    def remembers(self, expectation: Expectation) -> bool:
        """Names came instead of the variable, values instead of certain ones."""
        return (self.number in self.missing) == (expectation.kind == "variable")

    def _remember_names(self, state: Any) -> None:
        """The names beside the first one on the path that is missing or null."""
        level, path, at = state, self._first.path, 0
        if not isinstance(level, dict):
            return
        while at < len(path) - 1 and isinstance(level.get(path[at]), dict):
            level, at = level[path[at]], at + 1
        if at == 0:
            if level.keys() == self._known_names:  # as mostly: nothing new
                return
            self._known_names = frozenset(level)
        for name in sorted(level):
            if len(self.remembered) < MOST_REMEMBERED:
                self._remember(".".join(show_name(_cut(part)) for part in (*path[:at], name)))

    def _remember(self, text: str) -> None:
        text = _cut(text)
        if text not in self.remembered:
            self.remembered.append(text)


def show_value(value: Any) -> str:
    """A value as a property writes it; lists and maps have no literals."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a map"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 256:
        return "a long number"
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return str(value)
    if isinstance(value, str):
        value = _cut(value.encode("utf-8", "replace").decode())
    return show(Literal(value), ())


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - len(_CUT)] + _CUT
