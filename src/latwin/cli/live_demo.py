"""`latwin demo --live`: what the devices of the live office say, as it happens."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from latwin.cli.spark import INTERRUPTED, SessionOptions, spark_session
from latwin.cli.terminal import make_console, print_json, print_labelled

if TYPE_CHECKING:
    from rich.console import Console

    from latwin.demo.live import Happening, LiveSummary

_STYLES = {"phone": "cyan", "rfid": "magenta", "projector": "yellow"}
_OWN = ("spec.toml", "events", "output", "checkpoint")


def watch(folder: Path, *, seconds: float, seed: int, kafka: str | None, as_json: bool) -> None:
    """Run the live office and tell of it; everything it leaves is in the folder, which is emptied first."""
    _empty(folder)
    console = make_console()
    if not as_json:
        console.print(
            Text.assemble(
                ("A live smart office", "bold"),
                f", for {seconds:g} s: phone, rfid reader and projector are programs of their own, which\nshare no "
                "clock, tell each other of changes with a delay, and report to Spark. It mutes the phone while\n",
                ("definitely", "italic"),
                " Bob is in the room, a speaker is there and the projector is on.\n",
            ),
            soft_wrap=True,
        )
        print_labelled("", "", "starting Spark (some seconds) ...")

    def tell(happening: Happening) -> None:
        if as_json:
            print_json(happening._asdict())
        elif happening.kind in ("happens", "acts"):
            console.print(_line(happening), soft_wrap=True)

    settings = SessionOptions(conf=["spark.sql.shuffle.partitions=2"])
    with spark_session(settings, kafka=kafka is not None) as session:
        from latwin.demo.live import LiveOffice

        office = LiveOffice(folder, seconds=seconds, seed=seed, kafka=kafka, on_happening=tell)
        done = office.run(session)
    if as_json:
        print_json({"summary": done._asdict()})
    else:
        _show(console, done, folder)
    if not done.is_equal:
        raise typer.Exit(1)
    if done.was_interrupted:
        raise typer.Exit(INTERRUPTED)


def _empty(folder: Path) -> None:
    """Without what an earlier one left; anything else in it is not touched."""
    for name in _OWN:
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
    for journal in folder.glob("*.journal*"):
        journal.unlink()


def _line(happening: Happening) -> Text:
    style = _STYLES[happening.device]
    mark, text_style = ("=> ", "bold green") if happening.kind == "acts" else ("", "")
    return Text.assemble(
        (f"{happening.seconds:6.1f} s  ", "dim"),
        (f"{happening.device:<10} ", style),
        (f"{mark}{happening.text}", text_style),
    )


def _show(console: Console, done: LiveSummary, folder: Path) -> None:
    console.print(
        f"\n{done.states:,} states reported, {done.messages:,} messages received, {done.verdicts:,} verdicts; "
        f"the phone acted {done.acts:,} time{'s' * (done.acts != 1)}",
        soft_wrap=True,
    )
    console.print(
        "the pipeline said what a local monitor says of the same events"
        if done.is_equal
        else "the pipeline and a local monitor disagree: this is a bug",
        style="" if done.is_equal else "bold red",
        soft_wrap=True,
    )
    console.print(f"  everything it left: {folder}", soft_wrap=True)
