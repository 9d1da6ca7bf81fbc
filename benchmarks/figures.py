"""The figures of a benchmark run, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.table import Table

#: name, value, unit, limit (a negative limit is a lower bound)
Figure = Callable[[str, float, str, float], None]

_figures: list[tuple[str, float, str, float]] = []


def record(name: str, value: float, unit: str, limit: float) -> None:
    """Keep a figure for the summary."""
    _figures.append((name, value, unit, limit))


def show() -> None:
    """Print the figures beside their limits."""
    if not _figures:
        return
    table = Table("figure", "measured", "limit", "", title="latwin, measured in this run")
    for name, value, unit, limit in _figures:
        is_met = value >= -limit if limit < 0 else value <= limit
        measured = f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"
        bound = f"{'at least' if limit < 0 else 'at most'} {abs(limit):,g} {unit}"
        table.add_row(name, f"{measured} {unit}", bound, "yes" if is_met else "NO")
    Console(width=120).print(table)
