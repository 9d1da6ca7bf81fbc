"""Ask a running system, over many traces, whether two workers could ever hold the same lease at the same time."""

import json
from collections.abc import Iterator
from pathlib import Path

from latwin import Monitor, Spec
from latwin.clocks import LiveClocks, TraceSpans, Waits
from latwin.clocks.listed import listed
from latwin.clocks.live import Arrival

SPEC = Spec.load(Path(__file__).parent / "spec.toml")
SPANS = TraceSpans(group_by="all", naming="instance")
JOBS = 30


def span(job: int, part: int, name: str, kind: int, begin: int, end: int, parent: int = 1) -> dict[str, object]:
    """A span of OTLP; times are in milliseconds. Kind 2 is a server's, 3 a client's."""
    row = {"traceId": f"{job:032x}", "spanId": f"{job:08x}{part:08x}", "name": name, "kind": kind}
    if part > 1:
        row["parentSpanId"] = f"{job:08x}{parent:08x}"
    if name == "hold":
        row["attributes"] = [{"key": "lease", "value": {"stringValue": "printer"}}]
    return row | {"startTimeUnixNano": begin * 10**6 + 10**18, "endTimeUnixNano": end * 10**6 + 10**18}


def request(service: str, instance: str, *spans: dict[str, object]) -> bytes:
    """Spans as their service exports them."""
    named = {"service.name": service, "service.instance.id": instance}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in named.items()]
    resource = {"resource": {"attributes": attributes}, "scopeSpans": [{"spans": spans}]}
    return json.dumps({"resourceSpans": [resource]}).encode()


def requests(late: int | None) -> Iterator[tuple[bytes, float]]:
    """One trace a job: get the lease from the service `locks`, hold it, give it back; and when its spans come.

    The worker of job `late` sleeps while it holds the lease. The lease runs out, and the next worker gets it.
    """
    for job in range(1, JOBS + 1):
        at, slept = job * 100, 150 if job == late else 0
        yield request("locks", "1", span(job, 3, "grant", 2, at + 5, at + 10, parent=2)), at / 1000
        yield request("locks", "1", span(job, 6, "free", 2, at + slept + 65, at + slept + 70, parent=5)), at / 1000
        worker = [
            span(job, 1, "job", 1, at, at + slept + 90),
            span(job, 2, "acquire", 3, at + 2, at + 15),
            span(job, 4, "hold", 1, at + 20, at + slept + 60),
            span(job, 5, "release", 3, at + slept + 62, at + slept + 75),
        ]
        yield request("worker", "abc"[job % 3], *worker), (at + slept + 90) / 1000


for late in (None, 12):
    live, monitor = LiveClocks(SPANS, Waits(max_wait_s=5, keep_s=60)), Monitor(SPEC)
    arrivals = [Arrival(record, at) for line, at in requests(late) for record in SPANS.records(line)]
    found = [*live.take(arrivals, now=JOBS / 10), *live.finish()]
    events = [event for some in found for event in listed(some.events, frozenset(SPEC.processes)).events]
    shared = [verdict for event in events for verdict in monitor.observe(event) if verdict.value]
    print(
        "a lease runs out" if late else "all leases are given back",
        f"({JOBS} traces, {len(events)} states of workers):",
    )
    for verdict in shared:
        print(f"  two workers could hold the same lease, at state {verdict.index} of {verdict.process}")
    if not shared:
        print("  no two workers could hold the same lease")
