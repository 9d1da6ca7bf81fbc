"""`latwin demo`: the smart office, a simulated day on the local monitor."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latwin.cli.terminal import Patience, print_json, print_page
from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from latwin.demo.day import Demo

_MOST_CHANGES = 14
_MEASURE_S = 0.2


def demo(
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Random seed.")] = 15,
    hours: Annotated[float, typer.Option(metavar="H", help="How long the day is, from 08:00 on.")] = 10.0,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where spec.toml and events.jsonl go.")] = Path(
        "latwin-demo"
    ),
    live: Annotated[
        bool, typer.Option("--live", help="Three real programs that report to Spark, which mutes the phone.")
    ] = False,
    seconds: Annotated[float, typer.Option(min=1, metavar="S", help="With --live: how long it goes on.")] = 30.0,
    kafka: Annotated[
        str | None, typer.Option(metavar="HOST:PORT/TOPIC", help="With --live: report through this Kafka topic.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object; with --live, JSON lines.")] = False,
) -> None:
    """Watch a simulated smart office, and see what was detected when; or a live one."""
    if live:
        from latwin.cli.live_demo import watch

        watch(out / "live", seconds=seconds, seed=seed, kafka=kafka, as_json=as_json)
        return
    if kafka is not None:
        raise InvalidInput("--kafka goes with --live")
    from latwin.demo.day import Demo

    with Patience("observing") as patience:
        _ = Demo(seed=seed, hours=1.0).slides  # compiles what is not compiled yet
        patience.reach(1)
        day = Demo(seed=seed, hours=hours)
        written = day.write(out)
        document = {**_findings(day), "events_per_second": round(_events_per_second(day))}
    commands = _commands(day, *written)
    if as_json:
        print_json({**document, "files": [str(path) for path in written], "commands": commands})
        return
    print_page(*_page(day, document, commands))


def _findings(day: Demo) -> dict[str, Any]:
    """All that is found, as plain data."""
    from latwin.demo.day import clock_time

    comparison, meetings = day.compare(), day.meetings()
    return {
        "seed": day.seed,
        "hours": day.hours,
        "events": len(day.events),
        "slides": comparison.slides,
        "properties": dict(day.spec.properties),
        "timeline": [
            {
                "time": clock_time(slide.arrival_s),
                "slide": slide.number,
                "state": f"{slide.process}#{slide.index}",
                "story": day.story(slide),
                "values": slide.values,
                "changed": slide.changed,
            }
            for slide in day.changes
        ],
        "truth": {
            "meetings": len(meetings),
            "minutes": round(sum(end - begin for begin, end in meetings) / 60),
            "physical_slides": comparison.physical,
            "definitely_slides": comparison.definitely,
            "definitely_and_physical_slides": comparison.definitely_and_physical,
            "possibly_and_physical_slides": comparison.possibly_and_physical,
        },
    }


def _events_per_second(day: Demo) -> float:
    """How many events a second the monitor takes, one at a time; compiled code is warm by now."""
    from latwin.monitor import Monitor

    events = 0
    began = perf_counter()
    while not events or perf_counter() - began < _MEASURE_S:
        monitor = Monitor(day.spec)
        for event in day.events:
            monitor.observe(event)
        events += max(1, len(day.events))
    return events / (perf_counter() - began)


def _commands(day: Demo, spec: Path, events: Path) -> list[str]:
    files = f"{shlex.quote(str(spec))} {shlex.quote(str(events))}"
    return [
        f"latwin check {files}",
        f"latwin explain {shlex.quote(str(spec))}",
        f"latwin lattice {files} --at {day.interesting_slide()} --property perhaps",
    ]


# -- the page ----------------------------------------------------------------------------------------


def _page(day: Demo, found: dict[str, Any], commands: list[str]) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.text import Text

    from latwin.demo.day import DELAY_S, WINDOW

    yield Panel(
        Text(
            "Bob's phone, an RFID reader and the projector share no clock. They tell each other of their "
            f"changes and report to latwin; every message takes {DELAY_S:.0f} s on average, and some "
            f"overtake others. latwin keeps the last {WINDOW} states of each and says what surely held among "
            "them, and what may have held, in whatever order things really happened."
        ),
        title="A day in the smart office",
        title_align="left",
        border_style="cyan",
        padding=(0, 1),
        width=100,
    )
    yield _heading("What is asked")
    yield _questions(day)
    yield _heading("What was detected")
    yield _timeline(found)
    yield _heading("Is that true?")
    yield Padding(_judgement(found), (0, 2), expand=False)
    yield _heading("How fast?")
    speed = f"{found['events_per_second']:,}"
    yield Padding(
        Text.assemble((speed, "bold"), " events a second, on one core, all three properties."),
        (0, 2),
        expand=False,
    )
    yield _heading("Look closer")
    for command in commands:
        yield Text(f"  {command}", "green", no_wrap=True)


def _heading(title: str) -> Text:
    from rich.text import Text

    return Text(f"\n{title}", "bold cyan")


def _questions(day: Demo) -> RenderableType:
    from rich.padding import Padding
    from rich.table import Table

    from latwin.demo.day import QUESTIONS

    table = Table.grid(padding=(0, 2), expand=False)
    table.add_column(style="bold")
    table.add_column()
    for name, question in QUESTIONS.items():
        table.add_row(name, question)
        table.add_row("", day.spec.properties[name], style="dim")
    return Padding(table, (0, 2), expand=False)


def _timeline(found: dict[str, Any]) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    names = list(found["properties"])
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for title in ("  time", "slide", "what happened"):
        table.add_column(title, justify="right" if title == "slide" else "left")
    for name in names:
        table.add_column(name)
    rows = found["timeline"]
    for row in rows[:_MOST_CHANGES]:
        cells = [_cell(row["values"][name], changed=name in row["changed"]) for name in names]
        table.add_row(f"  {row['time']}", str(row["slide"]), row["story"], *cells)
    if not rows:
        return Text("  Nothing: no property changed.")
    more = f"... and {len(rows) - _MOST_CHANGES:,} more. " if len(rows) > _MOST_CHANGES else ""
    legend = f"  {more}A slide takes in one more state; | is still true, . is still false."
    return Group(table, Text(legend, "dim"))


def _cell(value: bool | None, *, changed: bool) -> Text:
    from rich.text import Text

    word = {True: "true", False: "false", None: "too large"}[value]
    if not changed:
        return Text("." if not value else "|", "dim")
    return Text(word, "bold green" if value else "yellow")


def _judgement(found: dict[str, Any]) -> Text:
    from rich.text import Text

    truth = found["truth"]
    physical, surely = truth["physical_slides"], truth["definitely_and_physical_slides"]
    hours, minutes = divmod(truth["minutes"], 60)
    text = Text("The simulator knows what nobody in the office can: ")
    text.append(f"all three held together {_times(truth['meetings'])}, {hours} h {minutes:02} min in all. ")
    if not physical:
        return text.append("Perfect clocks would never have found that in the windows.")
    text.append(f"Perfect clocks would have found that in the windows at {physical} of {found['slides']} slides. ")
    text.append("Without any clock, latwin said ")
    text.append(f"definitely at {surely} of these ({surely / physical:.0%})", "bold")
    possibly = truth["possibly_and_physical_slides"]
    text.append(f", and possibly at {'all of them' if possibly == physical else possibly}.")
    extra = truth["definitely_slides"] - surely
    if extra:
        text.append(f" It said definitely at {extra} more, misled at the edges of the windows: what was before")
        text.append(" is forgotten, what comes next is not yet known.")
    return text


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
