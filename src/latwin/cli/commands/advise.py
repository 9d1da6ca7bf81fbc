"""`latwin advise`: which window suits a log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latwin.cli.inputs import load_spec
from latwin.cli.logs import EventInput
from latwin.cli.terminal import Patience, print_json, print_page
from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from latwin.cli.recommendation import Recommendation
    from latwin.cli.window_trials import Agreement, Trial
    from latwin.spec import Spec


def advise(
    given: EventInput,
    windows: Annotated[
        str, typer.Option("--windows", metavar="SIZES", help="The sizes to try, separated by commas.")
    ] = "2,4,8,16",
    most_events: Annotated[
        int, typer.Option("--events", metavar="N", min=1, help="How many events to take, from the beginning.")
    ] = 10_000,
    seconds: Annotated[
        float,
        typer.Option("--seconds", metavar="S", min=0.1, help="The longest time for each pass over the events."),
    ] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Try windows of several sizes on EVENTS, and recommend one.

    For each size: how many cuts there are, what a slide costs, and how often each property has the same value on the
    window as on the whole log up to that slide.
    """
    spec = load_spec(given.spec_path)
    sizes = _read_sizes(windows)
    from latwin.cli.recommendation import recommend
    from latwin.cli.window_trials import Walk, passes, try_windows

    groups, left = _events(given, spec, most_events, as_json=as_json)
    taken = sum(map(len, groups.values()))
    with Patience("trying windows", taken * passes(sizes), calls_per_update=1) as patience:
        trials = try_windows(spec, Walk(groups, seconds, patience.reach), sizes)
    advice = recommend(spec, trials)
    if as_json:
        print_json(
            {
                "events": taken,
                "events_left_out": left,
                "windows": [trial.as_dict() for trial in trials],
                "recommended": advice._asdict(),
            }
        )
    else:
        print_page(*_page(taken, left, trials, advice))


def _read_sizes(text: str) -> list[int]:
    from latwin.lattice.bounds import MAX_WINDOW

    try:
        sizes = sorted({int(size) for size in text.split(",")})
    except ValueError:
        sizes = []
    if not sizes or sizes[0] < 1 or sizes[-1] > MAX_WINDOW:
        raise InvalidInput(f"--windows must be sizes from 1 to {MAX_WINDOW:,}, such as 2,4,8; got {text!r}")
    return sizes


def _events(given: EventInput, spec: Spec, most: int, *, as_json: bool) -> tuple[dict[str, list[Any]], bool]:
    """The first events by group, and whether there are more."""
    groups: dict[str, list[Any]] = {}
    with given.open(spec, as_json=as_json) as source:
        envelopes = (line.envelope for line in source.lines() if line.envelope.problem is None)
        for envelope in islice(envelopes, most):
            groups.setdefault(envelope.group or "", []).append(envelope.event)
        is_cut_short = next(envelopes, None) is not None
    if not groups:
        raise InvalidInput(f"{given.events}: there are no events to try windows on")
    return groups, is_cut_short


def _page(taken: int, left: bool, trials: Sequence[Trial], advice: Recommendation) -> Iterator[RenderableType]:
    from rich.text import Text

    shown = f"{taken:,} event{'s' * (taken != 1)}" + (", the first ones; --events takes more" if left else "")
    yield Text(shown, "bold")
    yield _sizes_table(trials)
    if any(trial.agreements for trial in trials):
        yield Text("")
        yield _agreement_table(trials)
        yield Text(
            "Share of slides with the same value. +: true on the window alone, -: true on the other alone.", "dim"
        )
    slides = max(trial.slides for trial in trials)
    for trial in trials:
        if min(trial.slides, trial.counted) < slides:
            some = f"window {trial.window}: the time was over after {min(trial.slides, trial.counted):,} slides"
            yield Text(f"{some} of {slides:,} or more; --seconds gives it more", "yellow")
    yield Text.assemble("\n", (f"window = {advice.window}", "bold green"), f": {advice.why}.")


def _sizes_table(trials: Sequence[Trial]) -> RenderableType:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("window", "cuts (mean)", "cuts (most)", "no cut", "too large", "slide (measured)"):
        table.add_column(name, justify="right", no_wrap=True)
    for trial in trials:
        mean = "-" if trial.mean_cuts is None else f"{trial.mean_cuts:,.1f}"
        most = f"{trial.most_cuts:,}" if not trial.beyond else "max_cuts"
        cost = "-" if trial.slide_us is None else f"{trial.slide_us:,.1f} us"
        table.add_row(str(trial.window), mean, most, f"{trial.empty:,}", f"{trial.too_large:,}", cost)
    return table


def _agreement_table(trials: Sequence[Trial]) -> RenderableType:
    from rich.table import Table

    from latwin.cli.wording import show_name

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("property", style="bold")
    table.add_column("compared with", no_wrap=True)
    for trial in trials:
        table.add_column(f"window {trial.window}", justify="right", no_wrap=True)
    for name, first in trials[0].agreements.items():
        table.add_row(show_name(name), first.against, *(_share(trial.agreements[name]) for trial in trials))
    return table


def _share(agreement: Agreement) -> str:
    if agreement.share is None:
        return "-"
    shown = f"{agreement.share:.1%}"
    if agreement.only_window:
        shown += f" +{agreement.only_window / agreement.compared:.1%}"
    if agreement.only_other:
        shown += f" -{agreement.only_other / agreement.compared:.1%}"
    return shown
