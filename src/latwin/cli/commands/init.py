"""`latwin init`: a first spec from a log."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from latwin.cli.inputs import STDIN
from latwin.cli.logs import ArrivalOptions, LogFormatOption, LogOptions, read_events
from latwin.cli.opening import ClocksOption
from latwin.cli.terminal import print_labelled
from latwin.errors import InvalidInput
from latwin.formats.endings import AUTO


def init(
    path: Annotated[str, typer.Argument(metavar="LOG", help="Events with vector clocks; - is standard input.")],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="The spec to write; standard output unless given.")
    ] = STDIN,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    file_format: LogFormatOption = AUTO,
    clocks: ClocksOption = False,
    *,
    log: LogOptions,
    arrival: ArrivalOptions,
) -> None:
    """Write a first spec for a log: its processes, a window that fits, variables and example properties in comments.

    The window is the largest of a few that keeps lattices small on this log. `latwin check` takes the spec as it is.
    """
    target = None if out == STDIN else Path(out)
    if target is not None and target.exists() and not force:
        raise InvalidInput(f"{out} exists; --force writes over it")
    found = read_events(path, file_format, log.options(), arrival, clocks=clocks)

    from latwin.cli.first_spec import first_spec
    from latwin.cli.survey import survey
    from latwin.cli.window_choice import choose_window

    seen = survey(found.envelopes)
    events = [envelope.event for envelope in found.envelopes if (envelope.group or "") == seen.largest_group]
    choice = choose_window(list(seen.processes), events)
    text = first_spec("standard input" if path == STDIN else Path(path).name, seen, choice)
    if target is None:
        sys.stdout.write(text)
        return
    target.write_text(text, encoding="utf-8")
    # What `check` must be told, too.
    given = [*(["--format", file_format] if file_format != AUTO else []), *(["--clocks"] if clocks else [])]
    given += log.given()
    print_labelled("", "", f"{out}: {len(seen.processes):,} processes, window {choice.size}; now edit it, then run:")
    print_labelled("", "", f"  {shlex.join(['latwin', 'check', out, path, *given])}")
