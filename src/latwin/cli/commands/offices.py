"""`latwin offices`: some hundred simulated smart offices, streamed through Spark; what `make demo` runs."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from latwin.spark.loop import RunSummary
    from latwin.spark.sinks import BatchSummary
    from latwin.spec import Spec

_SHOWN_A_BATCH = 3
_FILES = 6


def offices(
    groups: Annotated[int, typer.Option(min=1, metavar="N", help="How many offices.")] = 200,
    hours: Annotated[float, typer.Option(min=0.5, metavar="H", help="How long they are watched.")] = 12.0,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Random seed.")] = 1,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the files go; emptied first.")] = Path(
        "latwin-demo"
    ),
    master: Annotated[str | None, typer.Option(metavar="URL", help="A Spark master; local[*] by default.")] = None,
) -> None:
    """Stream simulated smart offices through Spark, and see verdicts as they come."""
    from rich.console import Console

    console = Console(highlight=False)
    folder = _empty(out)
    began = monotonic()
    console.print(
        f"[bold]{groups} smart offices[/], {hours:g} hours each: Bob's phone, an RFID reader and a projector without "
        "a common clock.\nWhich phone must be muted, because [italic]definitely[/] its owner is in the room with a "
        "speaker and the projector on?\n"
    )
    summary = _stream(console, folder, partial(_write_input, folder, groups, hours, seed), master, began)
    rate = summary.events / summary.seconds if summary.seconds else 0
    console.print(
        f"\n{summary.events:,} events, {summary.verdicts:,} verdicts, {summary.rejects:,} rejected rows in "
        f"{summary.seconds:.1f} s of streaming ({rate:,.0f} events/s, starting included)",
        soft_wrap=True,
    )
    console.print(
        f"\nResults, as Parquet:  {folder / 'output'}/verdicts, rejects, metrics"
        f"\nOne office, closer:   latwin demo"
        f"\nAgain, on your files: latwin run {folder / 'spec.toml'} --input {folder / 'events'} "
        f"--out out --checkpoint state --once",
        soft_wrap=True,
    )


def _empty(out: Path) -> Path:
    """The folder, without what an earlier demo left; anything else in it is not touched."""
    for name in ("events", "output", "checkpoint"):
        shutil.rmtree(out / name, ignore_errors=True)
    (out / "events").mkdir(parents=True)
    return out


def _write_input(folder: Path, groups: int, hours: float, seed: int) -> tuple[Spec, int]:
    """Simulate the offices; write the spec, and the events by time of arrival into a few files."""
    import msgspec

    from latwin.demo.day import SPEC_TEXT, Demo
    from latwin.spec import Spec

    rows: list[tuple[float, bytes]] = []
    for number in range(groups):
        day = Demo(seed=seed * 100_003 + number, hours=hours)
        for event, reported in zip(day.events, day.simulation.events, strict=True):
            row = {"group": f"office-{number:03}", **event, "arrival": round(reported.arrival * 1e6)}
            rows.append((reported.arrival, msgspec.json.encode(row)))
    rows.sort(key=lambda row: row[0])
    each = -(-len(rows) // _FILES)
    for file in range(_FILES):
        lines = [line for _, line in rows[file * each : (file + 1) * each]]
        (folder / "events" / f"part-{file:02}.jsonl").write_bytes(b"\n".join([*lines, b""]))
    path = folder / "spec.toml"
    path.write_text(SPEC_TEXT, encoding="utf-8")
    return Spec.load(path), len(rows)


def _stream(
    console: Console, folder: Path, write_input: Callable[[], tuple[Spec, int]], master: str | None, began: float
) -> RunSummary:
    """Simulate while Java starts, then run the pipeline, showing some verdicts of every batch as they come."""
    from latwin.cli.spark import SessionOptions, spark_session

    shown = 0

    def tell(message: dict[str, Any]) -> None:
        nonlocal shown
        if message["property"] == "mute" and shown < _SHOWN_A_BATCH:
            shown += 1
            word = "[green]mute the phone[/]" if message["value"] else "[yellow]let it ring[/]"
            console.print(f"  {message['time']}  {message['group']}  {word}")

    def count(batch: BatchSummary) -> None:
        nonlocal shown
        console.print(
            f"batch {batch.batch_id}: {batch.events:,} events of {batch.groups} offices, "
            f"{batch.verdicts:,} verdicts, {batch.waiting} states wait ({monotonic() - began:.1f} s since the start)",
            soft_wrap=True,
        )
        shown = 0

    def prepare() -> Spec:
        spec, events = write_input()
        console.print(f"{events:,} events in {folder / 'events'}, in files as they arrived", soft_wrap=True)
        # Compiling takes a while the first time; Spark's workers then load what is in the cache.
        threading.Thread(target=_compile, args=(spec,), daemon=True).start()
        return spec

    with ThreadPoolExecutor(1) as pool, console.status("simulating, and starting Spark") as status:
        prepared = pool.submit(prepare)
        with spark_session(SessionOptions(master, list(_quick_start()))) as session:
            from latwin.spark import Hooks, Reading, RunOptions, run

            spec = prepared.result()
            status.update("streaming")
            return run(
                session,
                spec,
                input=str(folder / "events"),
                output=str(folder / "output"),
                checkpoint=str(folder / "checkpoint"),
                options=RunOptions(once=True, reading=Reading(max_files=1)),
                hooks=Hooks(notify=tell, on_batch=count),
            )


def _quick_start() -> tuple[str, ...]:
    """For a short run: start fast rather than run fastest."""
    from latwin.spark.java import ensure_java, quick_start_options

    ensure_java()
    return (
        f"spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC {quick_start_options()}",
        "spark.sql.codegen.wholeStage=false",
    )


def _compile(spec: Spec) -> None:
    from latwin.monitor import Monitor

    first = spec.processes[0]
    monitor = Monitor(spec)
    monitor.observe_many([{"process": first, "clock": {first: 1}, "state": {}}])
    monitor.observe({"process": first, "clock": {first: 2}, "state": {}}, every=True)
