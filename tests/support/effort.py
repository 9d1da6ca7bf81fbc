"""How hard the tests try."""

from __future__ import annotations

import os

#: where only the lines count, as under `make coverage`, few examples do
IS_LIGHT = os.environ.get("HYPOTHESIS_PROFILE") == "cover"


def examples(number: int) -> int:
    """How many examples a property is tried on, if it needs other than Hypothesis's default number."""
    return max(8, number // 12) if IS_LIGHT else number
