"""`latwin explore`: a recording of all slides as one page to look at."""

from __future__ import annotations

import re
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latwin.cli.inputs import EventSource, load_spec
from latwin.cli.logs import EventInput, LogLines
from latwin.cli.terminal import Patience, print_json, print_labelled
from latwin.errors import InvalidInput, TooManyWaiting
from latwin.events.escaping import one_line, plain

if TYPE_CHECKING:
    from latwin.explorer.groups import Groups

_OUTPUT = Path("latwin-explorer.html")


def explore(
    given: EventInput,
    output: Annotated[
        Path, typer.Option("--out", "--output", "-o", metavar="FILE", help="The page to write.")
    ] = _OUTPUT,
    slides: Annotated[
        str | None,
        typer.Option(
            "--slides", metavar="FIRST..LAST", help="Which slides of each group; the last 10,000 if not given."
        ),
    ] = None,
    group: Annotated[
        str | None, typer.Option("--group", metavar="NAME", help="Only this group; the first 100 if not given.")
    ] = None,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as one JSON object.")] = False,
) -> None:
    """Write a page that shows every slide: space-time diagram, lattice and verdicts, and open it.

    The page is one file that needs nothing else. Events that carry a `group` are told apart by it.
    """
    first, last = _range(slides)
    loaded = load_spec(given.spec_path)
    with (
        given.open(loaded) as source,
        Patience("recording", source.size, hidden=not source.size) as patience,
    ):
        from latwin.explorer.groups import Groups
        from latwin.explorer.page import header_of, render_page, title_of

        groups = Groups(loaded, only=group, first=first, last=last)
        for line in source.lines():
            if line.envelope.problem is not None:
                groups.count_unreadable()
            else:
                try:
                    groups.observe(line.envelope)
                except TooManyWaiting as error:
                    raise TooManyWaiting(f"{source.name}:{line.envelope.line}: {error}") from None
            patience.reach(line.position)
    _require_slides(groups, group, slides)
    header = header_of(
        loaded,
        source=plain(Path(source.name).name),
        title=title_of(str(given.spec_path)),
        groups=groups.names,
        notes=groups.notes(),
    )
    output.write_text(render_page(header, groups.chunks()), encoding="utf-8")
    size = output.stat().st_size
    if as_json:
        print_json(
            {"page": str(output), "slides": groups.slides, "bytes": size, "notes": groups.notes(), **_order(source)}
        )
    else:
        typer.echo(f"{one_line(str(output))}: {groups.slides:,} slides, {size / 1024:,.0f} KiB")
        for note in groups.notes():
            print_labelled("note: ", "bold yellow", note)
    if show and not webbrowser.open(output.resolve().as_uri()):
        print_labelled("note: ", "bold yellow", "no browser could be started; open the file yourself")


def _order(source: EventSource | LogLines) -> dict[str, Any]:
    return {"order": source.order._asdict() if source.order is not None else None}


def _range(slides: str | None) -> tuple[int, int | None]:
    """First and last slide of `FIRST..LAST`, either of which may be left out."""
    if slides is None:
        return 1, None
    found = re.fullmatch(r"(\d{0,18})\.\.(\d{0,18})", slides)
    first, last = (int(found[1] or 1), int(found[2]) if found[2] else None) if found else (0, None)
    if first < 1 or (last is not None and last < first):
        raise InvalidInput(f"--slides must be FIRST..LAST, counted from 1, such as 500..900 or 500..; got {slides!r}")
    return first, last


def _require_slides(groups: Groups, group: str | None, slides: str | None) -> None:
    if group is not None and not groups.names:
        raise InvalidInput(f"--group {group}: no event is of this group; groups are {groups.show_others()}")
    if slides is not None and not groups.slides:
        raise InvalidInput(f"--slides {slides}: the events make {groups.most_slides:,} slides at most")
