"""`latwin lattice`: the lattice after a slide, drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latwin.cli.events import STDIN, EventSource, open_events
from latwin.cli.terminal import Patience, make_console, print_json, print_labelled
from latwin.errors import InvalidInput, TooManyWaiting

if TYPE_CHECKING:
    from latwin.cli.moment import Moment
    from latwin.spec import Spec

#: lattices beyond this are only counted, level by level
_MOST_DRAWN = 5_000
#: and beyond this not even written as JSON or for Graphviz
_MOST_LISTED = 200_000


def lattice(
    spec: Annotated[Path, typer.Argument(metavar="SPEC", help="The specification, a TOML file.")],
    events: Annotated[
        str, typer.Argument(metavar="[EVENTS]", help="JSON lines, an event each; - (default): standard input.")
    ] = STDIN,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="SLIDE", min=0, help="After which slide; the last if not given."),
    ] = None,
    property_name: Annotated[
        str | None,
        typer.Option("--property", metavar="NAME", help="Mark the cuts that satisfy this property's condition."),
    ] = None,
    dot: Annotated[bool, typer.Option("--dot", help="Print Graphviz instead of text.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print cuts and edges as one JSON object.")] = False,
) -> None:
    """Draw the lattice of consistent global states after a slide.

    Each cut is written as one state index per process, in the spec's order.
    """
    from latwin.spec import Spec

    if dot and as_json:
        raise InvalidInput("--dot and --json cannot be asked for together")
    loaded = Spec.load(spec)
    if property_name is not None:
        _require_single(loaded, property_name)
    with (
        open_events(events) as source,
        Patience("replaying", source.size, hidden=source.is_live) as patience,
    ):
        from latwin.cli.moment import replay

        reader = _Reader(source, patience)
        try:
            moment = replay(loaded, reader, slide=at, name=property_name)
        except TooManyWaiting as error:
            raise TooManyWaiting(f"{source.name}:{reader.line}: {error}") from None
    rejected = reader.unreadable + moment.rejected
    if rejected:
        print_labelled(
            "note: ", "bold yellow", f"{rejected:,} of the events rejected; `latwin check` says which and why"
        )
    if dot or as_json:
        if len(moment) > _MOST_LISTED:
            raise InvalidInput(f"the lattice has {len(moment):,} cuts; at most {_MOST_LISTED:,} can be listed")
        _print_dot(moment) if dot else print_json(_document(moment, property_name))
    else:
        _draw(moment, property_name)


class _Reader:
    """The events of a source, without the lines that are no JSON; knows where it is."""

    def __init__(self, source: EventSource, patience: Patience) -> None:
        self._source = source
        self._patience = patience
        self.line = 0
        self.unreadable = 0

    def __iter__(self) -> Iterator[Any]:
        for line in self._source.lines():
            self.line = line.number
            if line.unreadable is not None:
                self.unreadable += 1
                continue
            yield line.event
            self._patience.reach(line.position)


def _require_single(spec: Spec, name: str) -> None:
    """Only one condition can be marked, so the property must be one `possibly` or `definitely`."""
    from latwin.properties import Modal

    usable = [known for known, tree in spec.trees.items() if isinstance(tree, Modal)]
    if name in usable:
        return
    problem = "combines several conditions" if name in spec.trees else "is not in the spec"
    choice = f"give one of: {', '.join(usable)}" if usable else "the spec has none that could be given"
    raise InvalidInput(f"--property {name}: the property {problem}; {choice}")


def _marked(moment: Moment) -> list[tuple[int, ...]]:
    return [cut for cut, holds in zip(moment.cuts(), moment.satisfying(), strict=True) if holds]


def _print_dot(moment: Moment) -> None:
    from latwin.lattice.drawing import to_dot

    names = moment.spec.processes
    sys.stdout.write(to_dot(moment.cuts(), moment.edges(), marked=_marked(moment), names=names) + "\n")


def _document(moment: Moment, name: str | None) -> dict[str, Any]:
    process, index = moment.delivered or (None, None)
    document: dict[str, Any] = {
        "slide": moment.slide,
        "process": process,
        "index": index,
        "processes": moment.spec.processes,
        "window": {name: moment.states(k) for k, name in enumerate(moment.spec.processes)},
        "least": moment.window.least,
        "greatest": moment.window.greatest,
        "cuts": moment.cuts(),
        "edges": moment.edges(),
    }
    if name is not None:
        document["property"] = {
            "name": name,
            "text": moment.spec.properties[name],
            "value": moment.value,
            "satisfying": _marked(moment),
        }
    return document


def _draw(moment: Moment, name: str | None) -> None:
    from rich.text import Text

    from latwin.lattice.drawing import to_bars, to_text

    console = make_console()
    for line in _heading(moment, name):
        console.print(line)
    console.print()
    if len(moment) > _MOST_DRAWN:
        drawing = to_bars(*moment.level_counts(), width=console.width)
    else:
        drawing = to_text(moment.cuts(), moment.edges(), marked=_marked(moment), width=console.width)
    text = Text(drawing)
    text.highlight_regex(r"\[[\d,]+\]|=+", "bold green")
    text.highlight_regex(r"(?m)^ +\d+  ", "dim")
    console.print(text, soft_wrap=True)
    if name is not None and len(moment):
        console.print()
        console.print(Text(f"Cuts in [brackets] satisfy the condition of {name!r}.", "dim"))


def _heading(moment: Moment, name: str | None) -> Iterator[Any]:
    from rich.table import Table
    from rich.text import Text

    from latwin.lattice.drawing import show_cut

    if moment.delivered is None:
        yield Text("Before the first slide", "bold")
    else:
        process, index = moment.delivered
        yield Text.assemble((f"After slide {moment.slide:,}", "bold"), f", which delivered {process}#{index}")
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold")
    facts.add_column()
    ends = []
    for k, process in enumerate(moment.spec.processes):
        states = moment.window.states_of(k)
        first, last = (moment.window.index_of(k, state) for state in (states[0], states[-1]))
        ends.append(f"{process} {first}" if first == last else f"{process} {first}..{last}")
    facts.add_row("window", Text(", ".join(ends)))
    least, greatest = moment.window.least, moment.window.greatest
    if least is None or greatest is None:
        facts.add_row("lattice", Text("no cut: no states of the window are consistent with each other"))
    else:
        cuts = f"{len(moment):,} cut{'s' * (len(moment) != 1)}"
        facts.add_row("lattice", Text(f"{cuts} from {show_cut(least)} to {show_cut(greatest)}"))
    if name is not None:
        value = {True: "true", False: "false", None: "too large"}[moment.value]
        holds = f"{sum(moment.satisfying()):,} of the cuts satisfy its condition"
        text = " ".join(moment.spec.properties[name].split())
        facts.add_row(name, Text(text))
        facts.add_row("", Text.assemble((value, "bold green" if moment.value else "yellow"), f"; {holds}"))
    yield facts
