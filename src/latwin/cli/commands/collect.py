"""`latwin collect`: events, spans and log records posted over HTTP become files that `latwin run` reads."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from threading import Event
from typing import Annotated

import typer

from latwin.cli.terminal import make_console, print_json, print_labelled


def collect(
    to: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Gets the files; what `latwin run --input` watches.")
    ],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0 picks a free one.")] = 0,
    host: Annotated[
        str, typer.Option(help="The address to listen on; only this machine unless given.")
    ] = "127.0.0.1",
    gather_s: Annotated[
        float, typer.Option("--gather", min=0, max=10, metavar="SECONDS", help="Shortest time between two files.")
    ] = 0.5,
    max_waiting_mib: Annotated[
        int, typer.Option("--max-waiting", min=1, metavar="MIB", help="Answer 503 while more than this is unwritten.")
    ] = 64,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Receive events from programs over HTTP, and write them as whole files into a folder.

    Programs report with `latwin.process.HttpReporter`, or anything that can POST JSON lines. OpenTelemetry's SDKs and
    Collector send spans and log records (OTLP over HTTP, protobuf or JSON): set OTEL_EXPORTER_OTLP_ENDPOINT to the
    address; `latwin watch --clocks` and `latwin run --clocks` read the folder. What is answered with 200 is in the
    folder, on disk. Ctrl-C or SIGTERM stops it after writing what was received.
    """
    from latwin.process.collector import LOOPBACK, Collector

    if host not in LOOPBACK:
        print_labelled("note: ", "bold yellow", f"anyone who reaches {host} can report; there is no authentication")
    stop = Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with Collector(
            to, host=host, port=port, gather_s=gather_s, max_waiting_bytes=max_waiting_mib << 20
        ) as collector:
            _tell(
                as_json,
                f"collecting on {collector.url} into {to} (OTLP: {collector.otlp_endpoint})",
                url=collector.url,
                otlp=collector.otlp_endpoint,
                folder=str(to),
            )
            while not stop.wait(1.0):  # in slices: not every system wakes a wait for a signal
                pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    counts = collector.counts
    _tell(
        as_json,
        f"stopped: {counts.events:,} events in {counts.files:,} files"
        + (f", {counts.refused:,} spans and log records refused" if counts.refused else ""),
        events=counts.events,
        files=counts.files,
        refused=counts.refused,
    )


def _tell(as_json: bool, text: str, **fields: object) -> None:
    if as_json:
        print_json(fields)
    else:
        make_console().print(text, soft_wrap=True)
    sys.stdout.flush()  # whoever started it waits for the address
