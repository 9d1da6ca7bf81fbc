"""`latwin watch`: live verdicts in the terminal, without Spark."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from latwin.cli.commands.check import Check
from latwin.cli.following import FollowingFolder, Waiting, followed, require_lines
from latwin.cli.inputs import STDIN, Line, SpecArgument, load_spec, open_events
from latwin.cli.terminal import UNANSWERED, AllowUnanswered, NotifyFinalOption, NotifyOption, print_labelled
from latwin.errors import InvalidInput
from latwin.events.escaping import one_line

_NEVER_CAME_TRUE = 1


def watch(
    spec: SpecArgument,
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="JSON lines, followed as they grow; a folder that gets files of them; - is standard input.",
        ),
    ] = STDIN,
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
    by its name. Exits with 1 if a property under `never` came true, with 3 if one could not be answered, with 2 if
    SPEC or SOURCE cannot be used.
    """
    from latwin.cli.order_choice import LIVE
    from latwin.cli.telling import TellingReport, ViolationCommand, messenger_to

    if once and until_idle is not None:
        raise InvalidInput("--once and --until-idle exclude each other")
    loaded = load_spec(spec)
    command = ViolationCommand(on_violation) if on_violation is not None else None
    messenger = messenger_to(notify, final=notify_final)
    checks = Check(loaded, every=False, as_json=as_json, observations=False)
    name = "stdin" if source == STDIN else source
    with _lines(source, loaded.processes, Waiting(0.0 if once else until_idle)) as lines, _ending_on_sigterm():
        if not once:
            print_labelled("", "", f"watching {one_line(name)}; Ctrl-C ends")
        report = TellingReport(checks.report(name), loaded, messenger, command)
        checks.run(name, lines, size=None, report=report, order=LIVE)
    if checks.lines and checks.unreadable == checks.lines:
        raise InvalidInput(f"{source}: nothing in it reads as JSON lines; `latwin convert` makes them of a log")
    if checks.violated:
        raise typer.Exit(_NEVER_CAME_TRUE)
    if checks.unanswered and not allow_unanswered:
        raise typer.Exit(UNANSWERED)


@contextmanager
def _lines(source: str, processes: tuple[str, ...], waiting: Waiting) -> Iterator[Iterator[Line]]:
    """The events of a source, as they come."""
    if source == STDIN or not Path(source).is_dir():
        with open_events(source) as opened:
            yield followed(opened, waiting).lines()
        return
    from latwin.explorer.outputs import is_output

    if is_output(Path(source)):
        raise InvalidInput(f"{source} is an output of latwin, not its input; `latwin serve` shows it")
    require_lines(Path(source))
    yield (Line(envelope, 0) for envelope in FollowingFolder(Path(source), processes, waiting))


@contextmanager
def _ending_on_sigterm() -> Iterator[None]:
    """SIGTERM ends as Ctrl-C does: with the summary."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
