"""A log that lists one host after the other, which is no order of arrival."""

from __future__ import annotations

import json
from typing import Any

HOSTS = ("client", "server")
SPEC = """
processes = ["client", "server"]
window = 3
never = ["both"]
[variables]
text = "(?<op>ask|take|idle)"
[properties]
both = "possibly(client.op == 'ask' and server.op == 'take')"
"""


def _steps(rounds: int) -> dict[str, list[tuple[dict[str, int], str]]]:
    """In each round the client asks, the server takes it and answers, and the client learns of that.

    In the last rounds the server only rests: these are the ones that the order of the log has cuts for.
    """
    steps: dict[str, list[tuple[dict[str, int], str]]] = {host: [] for host in HOSTS}
    for k in range(rounds):
        steps["client"].append(({"client": 2 * k + 1, **({"server": k} if k else {})}, "ask"))
        steps["server"].append(({"client": 2 * k + 1, "server": k + 1}, "take" if k < rounds - 5 else "idle"))
        steps["client"].append(({"client": 2 * k + 2, "server": k + 1}, "idle"))
    return steps


def shiviz(rounds: int = 20) -> str:
    """As `--format govector` reads it: host and clock, and on the next line the event."""
    return "".join(
        f"{host} {json.dumps(clock)}\n{text}\n" for host, own in _steps(rounds).items() for clock, text in own
    )


def events(rounds: int = 20, **fields: Any) -> list[dict[str, Any]]:
    """The same as events with states."""
    return [
        {"process": host, "clock": clock, "state": {"op": text}, **fields}
        for host, own in _steps(rounds).items()
        for clock, text in own
    ]


def lines(rounds: int = 20, **fields: Any) -> str:
    """The same as JSON lines."""
    return "".join(json.dumps(event) + "\n" for event in events(rounds, **fields))
