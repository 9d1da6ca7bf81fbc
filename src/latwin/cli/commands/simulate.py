"""`latwin simulate`: events of simulated smart offices, to try pipelines on; many of them by Spark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from latwin.cli.spark import JsonOption, SessionOptions, spark_session
from latwin.cli.terminal import make_console, print_json
from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from latwin.sim.offices import Offices

#: up to so many events (roughly) no Spark is started
_FEW_EVENTS = 200_000


def simulate(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="What to simulate: office.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the events go; must not hold any yet.")],
    groups: Annotated[int, typer.Option(min=1, metavar="N", help="How many offices.")] = 1,
    hours: Annotated[float, typer.Option(metavar="H", help="How long they are watched.")] = 24.0,
    processes: Annotated[int, typer.Option(min=1, metavar="N", help="Processes in each office.")] = 3,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another seed, other offices.")] = 1,
    delay: Annotated[float, typer.Option(metavar="S", help="Mean delay of messages and reports.")] = 0.5,
    distribution: Annotated[
        Literal["exponential", "fixed", "uniform", "lognormal", "pareto"], typer.Option(help="How delays vary.")
    ] = "exponential",
    loss: Annotated[float, typer.Option(metavar="P", help="Probability that a report is lost.")] = 0.0,
    duplication: Annotated[float, typer.Option(metavar="P", help="Probability that one comes twice.")] = 0.0,
    file_format: Annotated[
        Literal["jsonl", "parquet"], typer.Option("--write", help="How the events are written.")
    ] = "jsonl",
    spark: Annotated[
        bool | None, typer.Option("--spark/--no-spark", help="Use Spark; by default if there is much to do.")
    ] = None,
    as_json: JsonOption = False,
    *,
    session_options: SessionOptions,
) -> None:
    """Write the events of simulated offices, each a group, in order of arrival; and spec.toml to check them with.

    The same arguments give the same events, with and without Spark.
    """
    from latwin.sim.offices import Offices

    if scenario != "office":
        raise InvalidInput(f"unknown scenario {scenario!r}; there is one: office")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InvalidInput(f"--out must be a new or empty folder; {out} is not")
    offices = Offices(
        groups=groups,
        hours=hours,
        processes=processes,
        seed=seed,
        delay_s=delay,
        distribution=distribution,
        loss=loss,
        duplication=duplication,
    )
    with_spark = spark if spark is not None else groups > 1 and offices.expected_events > _FEW_EVENTS
    out.mkdir(parents=True, exist_ok=True)
    (out / "spec.toml").write_text(offices.spec_text, encoding="utf-8")
    events = out / "events"
    count = (
        _with_spark(offices, events, file_format, session_options)
        if with_spark
        else _here(offices, events, file_format)
    )
    if as_json:
        print_json({"events": count, "groups": groups, "folder": str(events), "spec": str(out / "spec.toml")})
        return
    console = make_console()
    console.print(f"{count:,} events of {groups:,} offices in {events}", soft_wrap=True)
    console.print(f"  latwin replay {out / 'spec.toml'} {events}", soft_wrap=True)


def _here(offices: Offices, folder: Path, file_format: str) -> int:
    """Office by office in this process, into one file."""
    from rich.progress import track

    console = make_console(stderr=True)
    numbers = track(
        range(offices.groups), "simulating", console=console, disable=not console.is_terminal, transient=True
    )
    folder.mkdir()
    if file_format == "jsonl":
        import msgspec

        count = 0
        with (folder / "part-00000.jsonl").open("wb") as file:
            for number in numbers:
                for event in offices.events(number):
                    file.write(msgspec.json.encode(event) + b"\n")
                    count += 1
        return count
    from latwin.spark.offices import write_parquet

    return write_parquet(offices, numbers, folder / "part-00000.parquet")


def _with_spark(offices: Offices, folder: Path, file_format: str, session_options: SessionOptions) -> int:
    """All offices as one Spark job, some in each task."""
    from rich.progress import Progress

    console = make_console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("starting Spark", total=None)

        def advance(done: int, tasks: int) -> None:
            if tasks:
                progress.update(task, description="simulating", completed=done, total=tasks)

        with spark_session(session_options) as session:
            from latwin.spark.offices import write_offices

            return write_offices(session, offices, str(folder), file_format, advance)
