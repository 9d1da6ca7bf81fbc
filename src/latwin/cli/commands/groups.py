"""`latwin groups`: the groups in the state of a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latwin.cli.spark import SessionOptions, check_installed, spark_session
from latwin.cli.terminal import make_console, print_json
from latwin.cli.writing import writing_whole
from latwin.errors import InvalidInput
from latwin.events.escaping import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from latwin.spark.stored_groups import StoredGroup

#: groups that are listed for people
_SHOWN = 100


def groups(
    checkpoint: Annotated[str, typer.Argument(metavar="CHECKPOINT", help="The folder of a pipeline's checkpoint.")],
    session: SessionOptions,
    show: Annotated[
        str | None, typer.Option(metavar="GROUP", help="Show one group with its windows, as JSON.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all groups with their windows, as JSON lines.")
    ] = None,
    forget: Annotated[
        list[str] | None,
        typer.Option(metavar="GROUP", help="Let the next start forget a group; may be repeated."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """List the groups in the state of CHECKPOINT: what became of their events, and what holds.

    A pipeline may run meanwhile, unless groups are to be forgotten. A group that is forgotten ends before its next
    event, with a notice, and begins anew.
    """
    if sum(each is not None for each in (show, export, forget)) > 1:
        raise InvalidInput("--show, --export and --forget exclude each other")
    check_installed()
    import msgspec

    from latwin.spark.states import forget as forget_groups
    from latwin.spark.states import read_groups

    console = make_console()
    with spark_session(session) as spark:
        if forget is not None:
            forget_groups(spark, checkpoint, forget)
            names = ", ".join(map(one_line, forget))
            console.print(f"the next start of the pipeline forgets {names}", soft_wrap=True, highlight=False)
        elif show is not None:
            found = list(read_groups(spark, checkpoint, show))
            if not found:
                raise InvalidInput(f"{checkpoint} has no group {show!r}; `latwin groups {checkpoint}` lists them")
            for group in found:
                print(msgspec.json.format(msgspec.json.encode(group, enc_hook=repr), indent=2).decode())
        elif export is not None:
            count = 0
            with writing_whole(export) as file:
                for group in read_groups(spark, checkpoint):
                    count += 1
                    file.write(msgspec.json.encode(group, enc_hook=repr) + b"\n")
            console.print(f"{count:,} groups in {export}", soft_wrap=True, highlight=False)
        elif as_json:
            for group in read_groups(spark, checkpoint):
                print_json(group.brief())
        else:
            _list(read_groups(spark, checkpoint))


def _list(found: Iterable[StoredGroup]) -> None:
    """A line a group, and the sums."""
    from collections import Counter

    console = make_console()
    states: Counter[str] = Counter()
    size = waiting = 0
    head = f"{'group':<24} {'state':<8} {'delivered':>10} {'waiting':>8} {'bytes':>8}  holds"
    for group in found:
        if not states:
            console.print(head, style="dim")
        states[group.state] += 1
        size += group.bytes
        waiting += group.counters.get("waiting", 0)
        if states.total() > _SHOWN:
            continue
        name = "(a whole shard)" if group.group is None else one_line(group.group)
        holds = ", ".join(name for name, value in group.values.items() if value) or one_line(group.problem or "-")
        delivered = f"{group.counters.get('delivered', 0):>10,} {group.counters.get('waiting', 0):>8,}"
        console.print(
            f"{name:<24} {group.state:<8} {delivered} {group.bytes:>8,}  {holds}",
            soft_wrap=True,
            highlight=False,
            markup=False,
        )
    if states.total() > _SHOWN:
        console.print(f"and {states.total() - _SHOWN:,} more; --json lists all", soft_wrap=True)
    kinds = ", ".join(f"{count:,} {state}" for state, count in sorted(states.items())) or "none"
    console.print(f"groups: {kinds}; {waiting:,} states wait; {size:,} bytes", soft_wrap=True, highlight=False)
