"""`latwin inspect`: what is in a log, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from latwin.cli.logs import LogFormatOption, LogOptions, read, say_unmatched, tell_problems
from latwin.cli.opening import ClocksOption
from latwin.cli.terminal import print_json, print_page
from latwin.errors import LatticeTooLarge
from latwin.formats.endings import AUTO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from latwin.formats import LogEvent, Problem

_WRONG = 1
#: what counting may cost at most, in steps; of a log of very many processes the cuts are not counted
_MOST_STEPS = 10**9


def inspect(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log, also a compressed one; - is standard input.")],
    file_format: LogFormatOption = AUTO,
    clocks: ClocksOption = False,
    *,
    options: LogOptions,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    max_cuts: Annotated[int, typer.Option(min=1, metavar="N", help="Count consistent cuts up to this many.")] = 10**9,
) -> None:
    """Show a log's processes, events and messages, its consistent cuts, and every clock that cannot be right.

    Exits with 1 if something is wrong with the log, with 2 if it cannot be read at all.
    """
    from latwin.formats import validate

    read_log = read(log, file_format, options.options(), clocks=clocks)
    problems = sorted([*read_log.problems, *validate(read_log.events)], key=lambda problem: problem.line)
    found = [_summary(name, some, problems, max_cuts) for name, some in read_log.groups().items()]
    if as_json:
        shown = [vars(problem) for problem in problems]
        first = found[0] if len(found) == 1 else {"groups": found}
        counts = {"events": len(read_log.events), "unmatched_lines": read_log.unmatched}
        if read_log.first_unmatched is not None:
            counts["first_unmatched_line"] = read_log.first_unmatched.number
        print_json({"log": log, **counts, **first, "problems": shown})
    else:
        from rich.text import Text

        _show(log, found)
        if read_log.unmatched:
            print_page(Text(say_unmatched(read_log), style="yellow"))
        tell_problems(log, problems)
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
    from latwin.lattice.bounds import MAX_ENTRIES, entries_of
    from latwin.lattice.latwin import LatWin

    if len(names) ** 2 * len(events) > _MOST_STEPS or entries_of([None] * len(names)) > MAX_ENTRIES:
        return None  # to push a state costs a step for each pair of processes
    lattice = LatWin(len(names), None, max_cuts=max_cuts)
    for event in sorted(events, key=lambda event: sum(event.clock.values())):
        lattice.push(names.index(event.process), [event.clock.get(name, 0) for name in names])
    try:
        return len(lattice)
    except LatticeTooLarge:
        return None


def _show(log: str, found: Sequence[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    for group in found:
        name = f", execution {group['group']!r}" if group["group"] else ""
        cuts = "not counted" if group["cuts"] is None else f"{group['cuts']:,}"
        print_page(
            Text(
                f"{log}{name}: {group['events']:,} events of {_processes(len(group['processes']))}, "
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


def _processes(count: int) -> str:
    return f"{count:,} process{'es' * (count != 1)}"


def _clock(clock: dict[str, int]) -> str:
    return ", ".join(f"{name} {entry}" for name, entry in sorted(clock.items()))
