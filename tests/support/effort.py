"""How hard the tests try: `make test` a quarter as hard as `make soak`, and `make coverage` a little."""

from __future__ import annotations

import os

_PARTS = {"cover": 12, "thorough": 1, "explore": 1}


def examples(number: int) -> int:
    """How many examples a property is tried on, where `make soak` tries so many."""
    return max(8, number // _PARTS.get(os.environ.get("HYPOTHESIS_PROFILE", "fixed"), 4))
