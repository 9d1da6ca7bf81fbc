"""The three services of `traced_services`, and `latwin collect`, as processes of a test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from killing import wait_until

#: how many spans an order has: the shop's five, and two of each of the others
SPANS = 9
SERVICES = str(Path(__file__).with_name("traced_services.py"))
SPEC = """
processes = ["payment", "stock"]
window = 32

[properties]
race = "possibly(payment.span == 'charge' and stock.span == 'reserve')"
"""


@dataclass
class Shop:
    """The running services; `folder` is what the collector fills."""

    folder: Path
    endpoint: str
    ports: dict[str, str] = field(default_factory=dict)

    def order(self, how: Literal["racing", "fixed"]) -> None:
        """Let the shop take one order, and send its spans."""
        command = [sys.executable, SERVICES, "shop", self.ports["payment"], self.ports["stock"], how]
        subprocess.run(command, env=environment("shop", self.endpoint), check=True, timeout=120)


def environment(service: str, endpoint: str) -> dict[str, str]:
    """The standard variables, and nothing else of ours."""
    return {
        **os.environ,
        "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint,
        "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip",
        "OTEL_SERVICE_NAME": service,
        "OTEL_BSP_SCHEDULE_DELAY": "200",
    }


@contextmanager
def running(folder: Path) -> Iterator[Shop]:
    """The collector and the two servers; at the end all their spans are in the folder."""
    with ExitStack() as stack:
        collect = [sys.executable, "-m", "latwin", "collect", "--out", str(folder), "--gather", "0.1", "--json"]
        collector = stack.enter_context(stopped(subprocess.Popen(collect, stdout=subprocess.PIPE, text=True)))
        shop = Shop(folder, first_line(collector)["otlp"])
        for name in ("payment", "stock"):
            command = [sys.executable, SERVICES, name, "0"]
            variables = environment(name, shop.endpoint)
            process = subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True)
            stack.enter_context(stopped(process))
            shop.ports[name] = str(first_line(process))
        yield shop


def order_in_time(shop: Shop, how: Literal["racing", "fixed"], *, within_s: float) -> None:
    """An order whose spans all came within a time of each other; on a busy machine it may take another try."""
    while True:
        shop.order(how)
        wait_until(lambda: len(arrivals_in(shop.folder)) == SPANS)
        arrivals = arrivals_in(shop.folder)
        if max(arrivals) - min(arrivals) < within_s:
            return
        for path in shop.folder.glob("*.jsonl"):
            path.unlink()


def arrivals_in(folder: Path) -> list[float]:
    """When each span came that the collector has put into the folder."""
    found = []
    for line in (line for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()):
        told = json.loads(line)
        scopes = [scope for resource in told["resourceSpans"] for scope in resource["scopeSpans"]]
        found += [told["arrival"] / 1e6] * sum(len(scope["spans"]) for scope in scopes)
    return found


def first_line(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


@contextmanager
def stopped(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """The process, which is asked to end at the end, and waited for."""
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=60)
