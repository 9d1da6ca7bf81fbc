"""Counters for Prometheus: its text format 0.0.4, and a small server that a scraper asks.

`latwin serve` tells of all groups of a pipeline's output in this form, `latwin run --metrics-port` of the pipeline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from latwin.errors import InvalidInput
from latwin.process.bounded import BoundedServer

#: what Prometheus expects of a text in this format
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
#: how long a scraper may send or take nothing
_SILENT_S = 10.0

#: a sample: its labels, and its value
Sample = tuple[Mapping[str, str], float]


class Family(NamedTuple):
    """Samples of one name; each has its labels and its value."""

    name: str
    kind: str
    help: str
    samples: Sequence[Sample]


def gauge(name: str, text: str, samples: float | Sequence[Sample]) -> Family:
    """Something that rises and falls: one value, or samples with labels."""
    return Family(f"latwin_{name}", "gauge", text, _samples(samples))


def counter(name: str, text: str, samples: float | Sequence[Sample]) -> Family:
    """Something that only grows; its name ends with `_total`."""
    return Family(f"latwin_{name}_total", "counter", text, _samples(samples))


def families_text(families: Iterable[Family], labels: Mapping[str, str] | None = None) -> str:
    """All families, each with help and type; `labels` are those of every sample.

    >>> print(families_text([counter("events", "Events read.", 3)], {"pipeline": "shop"}), end="")
    # HELP latwin_events_total Events read.
    # TYPE latwin_events_total counter
    latwin_events_total{pipeline="shop"} 3
    """
    lines: list[str] = []
    for family in families:
        lines += [f"# HELP {family.name} {_escaped(family.help)}", f"# TYPE {family.name} {family.kind}"]
        lines += [
            f"{family.name}{_labels({**(labels or {}), **own})} {_number(value)}" for own, value in family.samples
        ]
    return "\n".join([*lines, ""])


@contextmanager
def serving_metrics(text: Callable[[], str], *, host: str, port: int) -> Iterator[str]:
    """Answer `GET /metrics` with the text of that moment, in a thread of its own; gives the address.

    Raises InvalidInput if the port cannot be had.
    """
    try:
        server = _Server(text, host, port)
    except OSError as error:
        raise InvalidInput(
            f"metrics cannot be served on {host}, port {port}: {error.strerror or error}; 0 takes a free port"
        ) from None
    thread = Thread(target=server.serve_forever, name="latwin metrics", daemon=True)
    thread.start()
    try:
        yield f"http://{f'[{host}]' if ':' in host else host}:{server.server_address[1]}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(BoundedServer):
    max_connections = 20
    max_request_s = 30.0

    def __init__(self, text: Callable[[], str], host: str, port: int) -> None:
        self.text = text
        super().__init__((host, port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _SILENT_S
    server_version = "latwin"
    sys_version = ""

    def do_GET(self) -> None:
        """The metrics, or where they are."""
        if urlsplit(self.path).path == "/metrics":
            self._answer(HTTPStatus.OK, CONTENT_TYPE, self.server.text())
        else:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain; charset=utf-8", "there is /metrics\n")

    do_HEAD = do_GET  # noqa: N815 - as the library calls it

    def _answer(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode(errors="replace")
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: scrapers come every few seconds."""


def _samples(samples: float | Sequence[Sample]) -> Sequence[Sample]:
    return [({}, samples)] if isinstance(samples, (int, float)) else samples


def _labels(labels: Mapping[str, str]) -> str:
    pairs = ",".join(f'{name}="{_escaped(value, quoted=True)}"' for name, value in labels.items())
    return f"{{{pairs}}}" if pairs else ""


def _escaped(text: str, *, quoted: bool = False) -> str:
    """A help text or a label's value; the names of properties come from anyone.

    >>> print(_escaped('a "b"' + chr(10) + chr(92), quoted=True))
    a \\"b\\"\\n\\\\
    """
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return text.replace('"', '\\"') if quoted else text


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else repr(round(value, 3))
