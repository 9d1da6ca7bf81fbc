"""Who makes a condition with an `or` true at a cut, so that a sentence names two leaders and not fifty replicas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from latwin.properties import Modal, Question, compile_condition
from latwin.properties.shape import alternatives_of, normal_form

#: beyond so many alternatives, a search through them at each slide would take too long
_MOST = 5_000


class Speakers:
    """The alternatives of the condition that a `possibly` or `definitely` asks for; none of any other question.

    >>> from latwin.properties import parse_property
    >>> speakers = Speakers(parse_property("possibly(a.x and b.x or b.x and c.x)", ["a", "b", "c"]))
    >>> speakers.at([{"x": False}, {"x": True}, {"x": True}])
    (1, 2)
    """

    def __init__(self, node: Modal | Question) -> None:
        options = alternatives_of(normal_form(node.predicate)) if isinstance(node, Modal) else []
        usable = options if 1 < len(options) <= _MOST else []
        self._options = [(compile_condition(option), tuple(sorted(option.processes))) for option in usable]

    @property
    def are_chosen(self) -> bool:
        """Whether there is more than one alternative."""
        return bool(self._options)

    def at(self, states: Sequence[Any]) -> tuple[int, ...] | None:
        """The processes of the first alternative that holds, given one state of each process; None if none does."""
        return next((processes for holds, processes in self._options if holds(states)), None)
