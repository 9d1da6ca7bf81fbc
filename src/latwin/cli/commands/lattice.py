"""`latwin lattice`: the lattice after a slide, drawn."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latwin.cli.doubts import print_warnings
from latwin.cli.inputs import EventSource, complete_property, load_spec
from latwin.cli.logs import EventInput, LogLines
from latwin.cli.terminal import Patience, make_console, print_json, print_labelled, print_page
from latwin.errors import InvalidInput, TooManyWaiting
from latwin.events.escaping import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from latwin.cli.lattice_after import Moment
    from latwin.spec import Spec

#: lattices beyond this are only counted, level by level
_MOST_DRAWN = 5_000
#: and beyond this not even written as JSON or for Graphviz
_MOST_LISTED = 200_000
#: and beyond this not drawn as SVG
_MOST_SVG = 2_000
#: runs of equal states shown of a process
_MOST_RUNS = 6


def lattice(
    given: EventInput,
    group: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which group, if the events have several.")
    ] = None,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="SLIDE", min=0, help="After which slide; the last if not given."),
    ] = None,
    property_name: Annotated[
        str | None,
        typer.Option(
            "--property",
            metavar="NAME",
            help="Mark the cuts that satisfy this property's condition.",
            autocompletion=complete_property,
        ),
    ] = None,
    dot: Annotated[bool, typer.Option("--dot", help="Print Graphviz instead of text.")] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw window and lattice into an SVG file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print cuts and edges as one JSON object.")] = False,
) -> None:
    """Draw the lattice of consistent global states after a slide.

    Each cut is written as one state index per process, in the spec's order.
    """
    if dot + as_json + (svg is not None) > 1:
        raise InvalidInput("only one of --dot, --svg and --json can be asked for")
    loaded = load_spec(given.spec_path)
    if property_name is not None:
        _require_single(loaded, property_name)
    with (
        given.open(loaded, as_json=as_json) as source,
        Patience("replaying", source.size, hidden=not source.size) as patience,
    ):
        from latwin.cli.lattice_after import replay

        reader = _Reader(source, patience, group)
        try:
            moment = replay(loaded, reader, slide=at, name=property_name)
        except TooManyWaiting as error:
            raise TooManyWaiting(f"{source.name}:{reader.line}: {error}") from None
    if group is not None and reader.group is None:
        raise InvalidInput(f"--group {group}: no event is of this group")
    rejected = reader.unreadable + moment.rejected
    if rejected:
        print_labelled(
            "note: ", "bold yellow", f"{rejected:,} of the events rejected; `latwin check` says which and why"
        )
    if at is None:  # earlier, it may be yet to come
        print_warnings(moment.warnings())
    if svg is not None:
        _write_svg(svg, moment, property_name, is_violated=property_name in loaded.never and moment.value is True)
    elif dot or as_json:
        if len(moment) > _MOST_LISTED:
            raise InvalidInput(f"the lattice has {len(moment):,} cuts; at most {_MOST_LISTED:,} can be listed")
        _print_dot(moment) if dot else print_json(_document(moment, property_name))
    else:
        print_page(*_page(moment, property_name))


class _Reader:
    """The events of one group of a source, without the lines that are no JSON; knows where it is."""

    def __init__(self, source: EventSource | LogLines, patience: Patience, group: str | None) -> None:
        self._source = source
        self._patience = patience
        self._wanted = group
        #: the group that is read; None before its first event
        self.group: str | None = None
        self.line: int | None = None
        self.unreadable = 0

    def __iter__(self) -> Iterator[Any]:
        for envelope, position in self._source.lines():
            self.line = envelope.line
            if envelope.problem is not None:
                self.unreadable += 1
                continue
            group = envelope.group
            if self._wanted is None and self.group not in (None, group):
                raise InvalidInput(
                    f"{self._source.name}:{self.line}: the events have several groups, such as {self.group!r} and "
                    f"{group!r}; choose one by --group"
                )
            if self._wanted in (None, group):
                self.group = group
                yield envelope.event
            self._patience.reach(position)


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
    from latwin.drawing.text import to_dot

    names = moment.names
    sys.stdout.write(to_dot(moment.cuts(), moment.edges(), marked=_marked(moment), names=names) + "\n")


def _write_svg(path: Path, moment: Moment, name: str | None, *, is_violated: bool) -> None:
    """The window's states beside the lattice; what satisfies the condition is filled, red if `is_violated`."""
    from latwin.drawing import svg
    from latwin.drawing.figure import LaneState
    from latwin.explorer.legend import colour_of, parts_of

    if len(moment) > _MOST_SVG:
        raise InvalidInput(f"the lattice has {len(moment):,} cuts; at most {_MOST_SVG:,} can be drawn as SVG")
    names = moment.names
    lanes = [[LaneState(s["index"], s["clock"], s["state"]) for s in moment.states(k)] for k in range(len(names))]
    ends = [
        [states.index(index) for states, index in zip(([s.index for s in lane] for lane in lanes), cut, strict=True)]
        for cut in (moment.least, moment.greatest)
        if cut is not None
    ]
    conditions = [part.condition for part in parts_of(moment.spec) if part.name == name]
    marked = [
        (k, at)
        for k, lane in enumerate(lanes)
        for at, state in enumerate(lane)
        for condition in conditions
        if colour_of(condition, moment.seats[k], moment.as_read(moment.seats[k], state.value)) in "12"
    ]
    drawings = (
        svg.draw_space_time(names, lanes, marked=marked, ends=ends, violated=is_violated),
        svg.draw_lattice(moment.cuts(), moment.edges(), marked=_marked(moment), violated=is_violated),
    )
    path.write_text(svg.to_svg(*drawings, title=f"The lattice after slide {moment.slide}"), encoding="utf-8")
    sys.stdout.write(
        f"{one_line(str(path))}: {len(moment):,} cut{'s' * (len(moment) != 1)} after slide {moment.slide:,}\n"
    )


def _document(moment: Moment, name: str | None) -> dict[str, Any]:
    process, index = moment.delivered or (None, None)
    document: dict[str, Any] = {
        "slide": moment.slide,
        "process": process,
        "index": index,
        "processes": moment.names,
        "window": {name: moment.states(k) for k, name in enumerate(moment.names)},
        "least": moment.least,
        "greatest": moment.greatest,
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


def _page(moment: Moment, name: str | None) -> Iterator[RenderableType]:
    from rich.text import Text

    from latwin.drawing.text import to_bars, to_text

    satisfying = moment.satisfying()
    yield _title(moment)
    yield _facts(moment, name, sum(satisfying))
    width = make_console().width
    if len(moment) > _MOST_DRAWN:
        drawing = to_bars(*moment.level_counts(satisfying), width=width)
    else:
        drawing = to_text(moment.cuts(), moment.edges(), marked=_marked(moment), width=width)
    text = Text(f"\n{drawing}\n", no_wrap=True)
    text.highlight_regex(r"\[[\d,]+\]|=+", "bold green")
    text.highlight_regex(r"(?m)^ +\d+  ", "dim")
    yield text
    if name is not None and any(satisfying):
        yield Text(f"Cuts in [brackets] satisfy the condition of {name!r}.", "dim")


def _title(moment: Moment) -> Text:
    from rich.text import Text

    if moment.delivered is None:
        return Text("Before the first slide", "bold")
    process, index = moment.delivered
    if process is None:
        return Text.assemble((f"After slide {moment.slide:,}", "bold"), ", a tick: time went on")
    return Text.assemble((f"After slide {moment.slide:,}", "bold"), f", which delivered {process}#{index}")


def _facts(moment: Moment, name: str | None, satisfying: int) -> RenderableType:
    """What is in the window, how large the lattice is, and what the property is worth."""
    from rich.table import Table
    from rich.text import Text

    from latwin.drawing.text import show_cut

    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold", no_wrap=True)
    facts.add_column()
    for k, process in enumerate(moment.names):
        facts.add_row(process, Text(_show_states(moment.states(k))))
    least, greatest = moment.least, moment.greatest
    if least is None or greatest is None:
        facts.add_row("lattice", Text("no cut: the windows hold no states that are consistent with each other"))
    else:
        cuts = f"{len(moment):,} cut{'s' * (len(moment) != 1)}"
        facts.add_row("lattice", Text(f"{cuts} from {show_cut(least)} to {show_cut(greatest)}"))
    if name is not None:
        value = {True: "true", False: "false", None: "too large"}[moment.value]
        facts.add_row(name, Text(" ".join(moment.spec.properties[name].split())))
        style = "bold green" if moment.value else "yellow"
        facts.add_row("", Text.assemble((value, style), f"; its condition holds in {satisfying:,} of the cuts"))
        if satisfying:
            facts.add_row("", Text(_show_first(moment, name)))
    return facts


def _show_first(moment: Moment, name: str) -> str:
    """The first cut that satisfies a property's condition, by names and values."""
    from latwin.cli.sightings import LocalState, Readings, Sighting

    cut = _marked(moment)[0]
    found = {}
    for k, seat in enumerate(moment.seats):
        if seat in moment.spec.trees[name].processes:
            (state,) = (state["state"] for state in moment.states(k) if state["index"] == cut[k])
            if state is not None or moment.spec.open is None:  # else it is not there
                found[moment.names[k]] = LocalState(cut[k], state)
    return f"first at {Readings(moment.spec).show(name, Sighting(cut, found))}"


def _show_states(states: list[dict[str, Any]]) -> str:
    """The states of a window, equal neighbours together: `7..8 on=true, 9 on=false`."""
    runs = []
    for variables, group in groupby(states, key=lambda state: _show_variables(state["state"])):
        indices = [state["index"] for state in group]
        span = str(indices[0]) if len(indices) == 1 else f"{indices[0]}..{indices[-1]}"
        runs.append(f"{span} {variables}".rstrip())
    if len(runs) > _MOST_RUNS:
        runs = ["...", *runs[-_MOST_RUNS:]]
    return ", ".join(runs)


def _show_variables(state: dict[str, Any] | None) -> str:
    return one_line(
        " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in (state or {}).items())
    )
