"""When two states have the same content: by structure, whichever objects hold it.

A reporter sends a state again after a crash, and a monitor goes on from a snapshot: the content is then the same in
other objects. So NaN equals NaN here, a tuple equals a list, and any two maps with the same entries are equal.
Numbers and booleans compare as everywhere in Python: 1, 1.0 and True are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def is_same(one: Any, other: Any) -> bool:
    """Whether two values have the same content.

    >>> nan = float("nan")
    >>> is_same({"x": [nan, 1]}, {"x": (-nan, 1.0)}), is_same({"x": None}, {})
    (True, False)
    """
    if isinstance(one, Mapping):
        return (
            isinstance(other, Mapping)
            and len(one) == len(other)
            and all(name in other and is_same(value, other[name]) for name, value in one.items())
        )
    if isinstance(one, (list, tuple)):
        return isinstance(other, (list, tuple)) and len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, float) and one != one:
        return isinstance(other, float) and other != other
    return bool(one == other)


def has_same(state: Mapping[str, Any], part: Mapping[str, Any]) -> bool:
    """Whether a state has all variables of a part of one, with the same values."""
    return all(name in state and is_same(value, state[name]) for name, value in part.items())
