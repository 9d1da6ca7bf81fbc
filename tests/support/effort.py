"""How hard the tests try: `make test` an eighth as hard as `make soak`, and `make coverage` a little."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

_Item = TypeVar("_Item")
_PARTS = {"cover": 25, "thorough": 1, "explore": 1}


def examples(number: int) -> int:
    """How many examples a property is tried on, where `make soak` tries so many."""
    profile = os.environ.get("HYPOTHESIS_PROFILE", "fixed")
    return max(3 if profile == "cover" else 8, number // _PARTS.get(profile, 8))


def share(items: Iterable[_Item], number: int) -> list[_Item]:
    """The part of a sweep that falls to its `number`th run, where `make soak` does all of it in every run.

    Runs with different numbers share the items among them, so that all together leave none out.
    """
    parts = 1 if os.environ.get("HYPOTHESIS_PROFILE", "fixed") in ("thorough", "explore") else 4
    return [item for place, item in enumerate(items) if place % parts == number % parts]
