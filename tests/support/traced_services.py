"""Three small services with the OpenTelemetry SDK, each a program: `python traced_services.py NAME ...`.

    payment PORT                    charges cards, `POST /charge`
    stock PORT                      reserves goods, `POST /reserve`
    shop PAYMENT_PORT STOCK_PORT HOW   takes an order, and asks both: `racing` at once, `fixed` one after the other

Where they send their spans, and what they are called, is in OpenTelemetry's own environment variables.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any
from urllib.request import urlopen
from wsgiref.simple_server import WSGIRequestHandler, make_server

os.environ["OTEL_PYTHON_ASYNCIO_COROUTINE_NAMES_TO_TRACE"] = "ask"

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.asyncio import AsyncioInstrumentor
from opentelemetry.instrumentation.urllib import URLLibInstrumentor
from opentelemetry.instrumentation.wsgi import OpenTelemetryMiddleware
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

WORK_S = 0.005


def main(name: str, *rest: str) -> None:
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    AsyncioInstrumentor().instrument()
    URLLibInstrumentor().instrument()
    if name == "shop":
        asyncio.run(order(rest[0], rest[1], is_fixed=rest[2] == "fixed"))
    else:
        serve(name, int(rest[0]))
    provider.shutdown()


async def order(payment: str, stock: str, *, is_fixed: bool) -> None:
    """The race: nothing must be paid for before it is reserved."""
    with trace.get_tracer("shop").start_as_current_span("order"):
        reserve, charge = f"http://127.0.0.1:{stock}/reserve", f"http://127.0.0.1:{payment}/charge"
        if is_fixed:
            await ask(reserve)
            await ask(charge)
        else:
            await asyncio.gather(asyncio.create_task(ask(reserve)), asyncio.create_task(ask(charge)))


async def ask(url: str) -> None:
    def post() -> None:
        with urlopen(url, b"", timeout=30) as answer:
            assert answer.status == 200

    await asyncio.to_thread(post)


def serve(name: str, port: int) -> None:
    """Answer until SIGTERM."""
    span = {"payment": "charge", "stock": "reserve"}[name]

    def answer(environment: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with trace.get_tracer(name).start_as_current_span(span):
            time.sleep(WORK_S)
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]

    class Quiet(WSGIRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """No line a request."""

    def stop(*_: object) -> None:
        raise SystemExit

    signal.signal(signal.SIGTERM, stop)
    with make_server("127.0.0.1", port, OpenTelemetryMiddleware(answer), handler_class=Quiet) as server:
        print(server.server_port, flush=True)
        with suppress(SystemExit):
            server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
