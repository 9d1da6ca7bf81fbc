"""`latwin inspect`: what is in a log, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latwin.cli.terminal import make_console, print_json, print_page
from latwin.errors import InvalidInput, LatticeTooLarge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from latwin.formats import LogEvent, Problem

_MOST_PROBLEMS = 20
_WRONG = 1


def inspect(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log with vector clocks.")],
    file_format: Annotated[
        str, typer.Option("--format", metavar="NAME", help="shiviz, govector, jsonl, tracing, tla or poset.")
    ] = "shiviz",
    parser: Annotated[
        str | None,
        typer.Option(
            metavar="REGEX", help="Of ShiViz: named groups host, clock, event; else it is on the first line."
        ),
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(metavar="REGEX", help="What separates executions, each of which is a group.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    max_cuts: Annotated[int, typer.Option(min=1, metavar="N", help="Count consistent cuts up to this many.")] = 10**9,
) -> None:
    """Show a log's processes, events and messages, its consistent cuts, and every clock that cannot be right.

    Exits with 1 if something is wrong with the clocks, with 2 if the log cannot be read.
    """
    from latwin.formats import Options, read_log, validate

    text = log.read_text(encoding="utf-8", errors="replace")
    try:
        events = read_log(text, file_format, Options(parser=parser, delimiter=delimiter))
    except InvalidInput as error:
        raise InvalidInput(f"{log}: {error}") from None
    if not events:
        raise InvalidInput(f"{log}: no events found as {file_format}; does the expression fit the lines?")
    problems = validate(events)
    groups: dict[str, list[LogEvent]] = {}
    for event in events:
        groups.setdefault(event.group, []).append(event)
    found = [_summary(name, some, problems, max_cuts) for name, some in groups.items()]
    if as_json:
        shown = [vars(problem) for problem in problems]
        first = found[0] if len(found) == 1 else {"groups": found}
        print_json({"log": str(log), "events": len(events), **first, "problems": shown})
    else:
        _show(log, found, problems)
    if problems:
        raise typer.Exit(_WRONG)


def _summary(name: str, events: Sequence[LogEvent], problems: Sequence[Problem], max_cuts: int) -> dict[str, Any]:
    """What one execution holds; `cuts` is null where they cannot be counted."""
    processes: dict[str, dict[str, Any]] = {}
    messages = 0
    last: dict[str, dict[str, int]] = {}
    for event in sorted(events, key=lambda event: event.clock.get(event.process, 0)):
        own = processes.setdefault(event.process, {"events": 0, "first": event.clock})
        own["events"] += 1
        own["last"] = event.clock
        before = last.get(event.process, {})
        messages += any(
            entry > before.get(other, 0) for other, entry in event.clock.items() if other != event.process
        )
        last[event.process] = event.clock
    is_right = not any(problem.group == name for problem in problems)
    cuts = _count_cuts(events, sorted(processes), max_cuts) if is_right else None
    ordered = {process: processes[process] for process in sorted(processes)}
    return {"group": name, "processes": ordered, "events": len(events), "messages": messages, "cuts": cuts}


def _count_cuts(events: Sequence[LogEvent], names: list[str], max_cuts: int) -> int | None:
    """The consistent cuts of the whole execution, or None beyond the budget."""
    from latwin.lattice.latwin import LatWin

    lattice = LatWin(len(names), None, max_cuts=max_cuts)
    for event in sorted(events, key=lambda event: sum(event.clock.values())):
        lattice.push(names.index(event.process), [event.clock.get(name, 0) for name in names])
    try:
        return len(lattice)
    except LatticeTooLarge:
        return None


def _show(log: Path, found: Sequence[dict[str, Any]], problems: Sequence[Problem]) -> None:
    from rich.table import Table
    from rich.text import Text

    for group in found:
        name = f", execution {group['group']!r}" if group["group"] else ""
        cuts = "not counted" if group["cuts"] is None else f"{group['cuts']:,}"
        print_page(
            Text(
                f"{log}{name}: {group['events']:,} events of {len(group['processes'])} processes, "
                f"{group['messages']:,} receipts, {cuts} consistent cuts",
                no_wrap=True,
            )
        )
        table = Table(box=None, pad_edge=False, header_style="bold")
        for head in ("process", "events", "first clock", "last clock"):
            table.add_column(head, justify="right" if head == "events" else "left", overflow="fold")
        for process, own in group["processes"].items():
            table.add_row(process, f"{own['events']:,}", _clock(own["first"]), _clock(own["last"]))
        print_page(table)
    console = make_console(stderr=True)
    for problem in problems[:_MOST_PROBLEMS]:
        console.print(
            f"{log}:{problem.line}: process {problem.process!r}, event {problem.index}: {problem.reason}",
            soft_wrap=True,
        )
    if len(problems) > _MOST_PROBLEMS:
        console.print(f"... and {len(problems) - _MOST_PROBLEMS:,} more", soft_wrap=True)


def _clock(clock: dict[str, int]) -> str:
    return ", ".join(f"{name} {entry}" for name, entry in sorted(clock.items()))
