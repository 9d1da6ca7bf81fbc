"""Stamps by which states can be compared: dotted version vectors and interval tree clocks.

latwin needs only to know, for each state and each other process, the latest state of that process before it. Any
stamp that can tell whether one state happened before another will do.

    dotted version vector   {"dot": ["a", 3], "context": {"a": 2, "b": 1}}     Preguiça et al. 2010, as in Riak
    interval tree clock     [1, [1, 2, [1, 0, 2]]], or "(1, (1, 2, (1, 0, 2)))"  Almeida et al. 2008: (id, event)

A stamp is asked for its `weight`, too, which grows with what it knows: that orders the states of one process.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.decoding import decode_json
from latwin.events.plain import show

_LARGEST = 2**53
#: of an interval tree clock
_Tree = Any


class ComparedStamp(Protocol):
    """What one state knows."""

    @property
    def weight(self) -> Any:
        """More, the more it knows."""

    def is_before(self, other: Any) -> bool:
        """Whether its state happened before the other's."""


class DottedVersionVector(NamedTuple):
    """A state's own event, and all events that it knows of besides."""

    node: str
    number: int
    context: dict[str, int]

    @property
    def weight(self) -> int:
        """How many events it knows."""
        return sum(self.context.values()) + 1

    def is_before(self, other: DottedVersionVector) -> bool:
        """Whether the other knows its event, and is not the same."""
        return (self.node, self.number) != (other.node, other.number) and self.number <= other.context.get(
            self.node, 0
        )


class IntervalTreeClock(NamedTuple):
    """What a state knows, as a function on an interval; parts of it, which nobody else raises, are its own."""

    event: _Tree

    @property
    def weight(self) -> Fraction:
        """The area under the function."""
        return _area(self.event)

    def is_before(self, other: IntervalTreeClock) -> bool:
        """Whether the other's function is nowhere less, and somewhere more."""
        return _is_under(self.event, 0, other.event, 0) and not _is_under(other.event, 0, self.event, 0)


def read_dotted(value: Any) -> DottedVersionVector:
    """A dotted version vector; InvalidInput if it is none."""
    dot, context = (value.get("dot"), value.get("context", {})) if type(value) is dict else (None, None)
    if type(dot) is list and type(context) is dict and all(map(_is_count, context.values())):
        node, number = dot if len(dot) == 2 else (None, None)
        if type(node) is str and type(number) is int and _is_count(number):
            return DottedVersionVector(node, number, context)
    raise InvalidInput(
        'a dotted version vector must be {"dot": [node, number], "context": {node: number}} with whole numbers; got '
        + show(value)
    )


def read_interval_tree(value: Any) -> IntervalTreeClock:
    """An interval tree clock, in JSON or as the paper writes it; InvalidInput if it is none."""
    given = value
    if type(value) is str:
        try:
            given = decode_json(value.replace("(", "[").replace(")", "]"))
        except InvalidEvent:
            given = None
    if type(given) is list and len(given) == 2 and _is_id(given[0]) and _is_event(given[1]):
        return IntervalTreeClock(given[1])
    raise InvalidInput(
        "an interval tree clock must be (id, event), where an id is 0, 1 or (id, id), and an event a number or "
        f"(number, event, event); got {show(value)}"
    )


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < _LARGEST


def _is_id(tree: Any) -> bool:
    if type(tree) is list:
        return len(tree) == 2 and _is_id(tree[0]) and _is_id(tree[1])
    return type(tree) is int and tree in (0, 1)


def _is_event(tree: Any) -> bool:
    if type(tree) is list:
        return len(tree) == 3 and _is_count(tree[0]) and _is_event(tree[1]) and _is_event(tree[2])
    return _is_count(tree)


def _area(tree: _Tree) -> Fraction:
    if type(tree) is int:
        return Fraction(tree)
    base, left, right = tree
    return Fraction(base) + (_area(left) + _area(right)) / 2


def _is_under(one: _Tree, one_base: int, other: _Tree, other_base: int) -> bool:
    """Whether a function is nowhere more than another; each is raised by its base."""
    if type(one) is int:
        # The least of the other's values must not be less; a normal form has it at the root, others below.
        return one_base + one <= other_base + _least(other)
    base, left, right = one
    if type(other) is int:
        return all(_is_under(half, one_base + base, other, other_base) for half in (left, right))
    other_root, other_left, other_right = other
    return _is_under(left, one_base + base, other_left, other_base + other_root) and _is_under(
        right, one_base + base, other_right, other_base + other_root
    )


def _least(tree: _Tree) -> int:
    if type(tree) is int:
        return int(tree)
    base, left, right = tree
    return int(base + min(_least(left), _least(right)))
