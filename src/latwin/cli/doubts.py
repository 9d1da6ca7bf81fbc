"""What a summary says about answers that may mislead: slides without a cut, and what was never seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from latwin.cli.terminal import print_labelled

if TYPE_CHECKING:
    from latwin.order_choice import Order


def say_empty(empty: int, slides: int, way_out: str) -> str:
    """That some slides had no cut; if most had none, also what to do about it."""
    told = f"no cut at {empty:,} of {slides:,} slides, where every property is false"
    return f"{told}: {way_out}" if 2 * empty > slides else told


def way_out_of(order: Order | None) -> str:
    """What to do if most slides have no cut, after the events were taken in an order."""
    if order is not None and order.used == "causal":
        return "the windows are too small for these events; use larger ones"
    if order is not None and order.used == "arrival":
        return "states come too late for the windows; use larger ones"
    return "the order of the events is not an order of arrival; try --order causal, or larger windows"


def say_empty_throughout(name: str, slides: int) -> str:
    """That nobody knows whether a property under `never` came true, because there was never a cut."""
    return f"{name!r} could not be answered: there was no cut at any of the {slides:,} slides"


def print_warnings(warnings: Iterable[str]) -> None:
    """Each on a line of stderr."""
    for warning in warnings:
        print_labelled("warning: ", "bold yellow", warning)
