"""What no group of a stream has seen, and the warnings about it.

>>> from latwin.properties import parse_property
>>> tree = parse_property("possibly(phone.ap == 'meetingroom')", ["phone"])
>>> unseen = Unseen()
>>> unseen.add({"phone.ap == 'meetingroom'": ["'meeting-room'", "'office'"]})
>>> print(*unseen.warnings(Expectations([tree], ["phone"])))
phone.ap never equalled 'meetingroom'; values seen: 'meeting-room', 'office'; did you mean 'meeting-room'?
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence

from latwin.detect.seen import MOST_REMEMBERED
from latwin.properties.expected import Expectation, Expectations
from latwin.properties.tree import show_name

#: names or values that a warning lists
_SHOWN = 5


class Unseen:
    """Gathers what each group has not seen (`Monitor.unseen`): what one of them has seen, was seen."""

    def __init__(self) -> None:
        self._left: dict[str, list[str]] | None = None

    def add(self, unseen: Mapping[str, Sequence[str]]) -> None:
        """Take what one group has not seen, or what none of some groups has."""
        if self._left is None:
            self._left = {text: list(instead) for text, instead in unseen.items()}
            return
        self._left = {
            text: list(dict.fromkeys([*instead, *unseen[text]]))[:MOST_REMEMBERED]
            for text, instead in self._left.items()
            if text in unseen
        }

    @property
    def left(self) -> dict[str, list[str]]:
        """What none of them has seen, with what came instead; nothing if there was no group."""
        return dict(self._left or {})

    def warnings(self, expectations: Expectations) -> list[str]:
        """One sentence for each cause; what follows from a process or variable that is missing is left out."""
        return list(_warnings(self.left, expectations))


def _warnings(unseen: Mapping[str, Sequence[str]], expectations: Expectations) -> Iterator[str]:
    processes = [show_name(name) for name in expectations.processes]
    silent = [process for process in processes if process in unseen]
    if len(silent) == len(processes):
        yield "no state of any process was delivered"
        return
    for process in silent:
        yield f"{process} reported nothing: no state of it was delivered"
    told: set[tuple[str, ...]] = set()
    for expectation in expectations:
        process = processes[expectation.process]
        is_consequence = process in silent or any(need in unseen for need in expectation.needs)
        members = expectation.of_members
        is_met_by_another = members in told or any(text not in unseen for text in members)
        if expectation.text in unseen and not is_consequence and not is_met_by_another:
            others = f"; nor was it for {len(members) - 1} other members of the role" if len(members) > 1 else ""
            yield _warning(expectation, process, unseen[expectation.text]) + others
            if members:
                told.add(members)


def _warning(expectation: Expectation, process: str, instead: Sequence[str]) -> str:
    text = expectation.text
    match expectation.kind:
        case "variable":
            return f"{_code(text)} {_of_variable(text.removeprefix(f'{process}.'), process, instead)}"
        case "constant":
            # One number is not meant by another, however alike they look.
            is_text = expectation.constant.startswith("'")
            meant = _nearest(expectation.constant, [value for value in instead if is_text or value.startswith("'")])
            hint = f"; did you mean {meant}?" if meant is not None else ""
            return f"{expectation.needs[0]} never equalled {expectation.constant}{_values(instead)}{hint}"
        case "order":
            return f"{_code(text)} never compared two numbers or two texts{_values(instead)}"
        case "condition":
            return f"{_code(text)} was null in every state of {process}"


def _of_variable(name: str, process: str, instead: Sequence[str]) -> str:
    if name in instead:
        return f"was null in every state of {process}"
    meant = _nearest(name, instead)
    if meant is not None:
        return f"was in no state of {process}; did you mean {_code(f'{process}.{meant}')}?"
    there = f"which has {_listed(instead)}" if instead else "which has no variables"
    return f"was in no state of {process}, {there}"


def _values(instead: Sequence[str]) -> str:
    return f"; values seen: {_listed(instead)}" if instead else ""


def _listed(texts: Sequence[str]) -> str:
    return ", ".join([*texts[:_SHOWN], "..."] if len(texts) > _SHOWN else texts)


def _nearest(text: str, others: Sequence[str]) -> str | None:
    """The one that probably was meant, if there is one; quotes and case do not count."""
    plain = {_plain(other): other for other in reversed(others)}
    found = difflib.get_close_matches(_plain(text), plain, n=1)
    return plain[found[0]] if found else None


def _plain(text: str) -> str:
    return text.strip("'`").casefold()


def _code(text: str) -> str:
    """A text of the property language in backticks, unless a name in it has them already."""
    return text if "`" in text else f"`{text}`"
