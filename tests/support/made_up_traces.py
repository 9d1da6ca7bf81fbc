"""Made-up spans of services that call each other, each with a clock of its own, in OTLP/JSON."""

from __future__ import annotations

import random
from typing import Any

from otlp import request, span

TRACES = [f"{number:032x}" for number in range(1, 9)]


def made_up_requests(rng: random.Random, *, traces: int = 2, instances: int = 3) -> list[dict[str, Any]]:
    """One request for each span: calls from instance to instance, with children that overlap, and links."""
    skew = [rng.uniform(-500, 500) for _ in range(instances)]
    found: list[dict[str, Any]] = []
    number = 0

    def call(trace: str, instance: int, kind: str, parent: int | None, start: float, depth: int) -> float:
        nonlocal number
        number += 1
        own, at = number, start + rng.randint(0, 3)
        for _ in range(rng.randint(0, 2) if depth < 3 else 0):
            if kind == "client":
                at = call(trace, rng.randrange(instances), "server", own, at, depth + 1)
            else:
                inner = rng.choice(["client", "internal", "producer"])
                after = call(trace, instance, inner, own, at, depth + 1)
                at = after if rng.random() < 0.6 else at + rng.randint(0, 1)  # else what comes next overlaps
        end = max(at, start) + rng.randint(0, 3)
        links = [(trace, rng.randint(1, own - 1))] if own > 1 and rng.random() < 0.1 else []
        row = span(
            own,
            start + skew[instance],
            end + skew[instance],
            parent=parent,
            kind=kind,
            trace=trace,
            links=links,
            status=2 if rng.random() < 0.1 else 0,
        )
        found.append(request("abc"[instance % 2], row, instance=f"i{instance}"))
        return end

    for trace in TRACES[:traces]:
        number = 0
        call(trace, rng.randrange(instances), "server", None, rng.randint(0, 20), 0)
    return found
