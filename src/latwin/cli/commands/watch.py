"""`latwin watch`: live verdicts in the terminal, without Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from latwin.cli.commands.check import Check
from latwin.cli.following import Waiting
from latwin.cli.inputs import STDIN, SpecArgument, load_spec
from latwin.cli.live_input import LiveInput
from latwin.cli.terminal import (
    UNANSWERED,
    AllowUnanswered,
    NotifyFinalOption,
    NotifyOption,
    ending_on_sigterm,
    print_labelled,
)
from latwin.errors import InvalidInput
from latwin.events.escaping import one_line

_NEVER_CAME_TRUE = 1


def watch(
    spec: SpecArgument,
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="JSON lines, followed as they grow; a folder of such files; - is standard input; or a log.",
        ),
    ] = STDIN,
    *,
    given: LiveInput,
    once: Annotated[bool, typer.Option("--once", help="Read what is there, then end.")] = False,
    until_idle: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="End once nothing came for so long; default: never."),
    ] = None,
    notify: NotifyOption = None,
    notify_final: NotifyFinalOption = False,
    on_violation: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="Run this, without a shell, when a property under `never` comes true; the verdict is on its "
            "standard input, as JSON.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    allow_unanswered: AllowUnanswered = False,
) -> None:
    """Check the properties of SPEC on events as they come, and print what changes; Ctrl-C ends with a summary.

    SOURCE is what `latwin collect` fills, a file that a program writes, or a pipe; a file that is rotated is followed
    by its name. A log of another format, or a compressed file, is read once. Exits with 1 if a property under
    `never` came true, with 3 if one could not be answered, with 2 if SPEC or SOURCE cannot be used.
    """
    from latwin.cli.telling import TellingReport, ViolationCommand, messenger_to

    if once and until_idle is not None:
        raise InvalidInput("--once and --until-idle exclude each other")
    loaded = load_spec(spec)
    command = ViolationCommand(on_violation) if on_violation is not None else None
    messenger = messenger_to(notify, final=notify_final)
    checks = Check(loaded, every=False, as_json=as_json, observations=False)
    _require_input(source)
    waiting = Waiting(0.0 if once else until_idle)
    with given.open(source, loaded, waiting, as_json=as_json) as events, ending_on_sigterm():
        name = events.name
        if events.grows and not once:
            print_labelled("", "", f"watching {one_line(name)}; Ctrl-C ends")
        report = TellingReport(checks.report(name), loaded, messenger, command)
        checks.run(name, events.lines, size=None if events.grows else 0, report=report, order=events.order)
    if checks.lines and checks.unreadable == checks.lines:
        raise InvalidInput(f"{source}: no line of it is an event; is it of another --format?")
    if checks.violated:
        raise typer.Exit(_NEVER_CAME_TRUE)
    if checks.unanswered and not allow_unanswered:
        raise typer.Exit(UNANSWERED)


def _require_input(source: str) -> None:
    from latwin.explorer.outputs import is_output

    if source != STDIN and is_output(Path(source)):
        raise InvalidInput(f"{source} is an output of latwin, not its input; `latwin serve` shows it")
