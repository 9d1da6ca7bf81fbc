"""`make bench`: the figures that the README quotes, each with the limit it is held to."""

from __future__ import annotations

import pytest

import figures


@pytest.fixture
def figure() -> figures.Figure:
    """Record a figure: name, value, unit, and its limit (a negative limit is a lower bound)."""
    return figures.record


def pytest_terminal_summary() -> None:
    """Print the figures beside their limits."""
    figures.show()
