"""Monitor the reports of three office devices, and print every change of a property."""

import json
from pathlib import Path

from latwin import Monitor, Spec

HERE = Path(__file__).parent

monitor = Monitor(Spec.load(HERE / "spec.toml"))
with (HERE / "events.jsonl").open(encoding="utf-8") as reports:
    for line in reports:
        for verdict in monitor.observe(json.loads(line)):
            if not verdict.changed:  # it is final now, but nothing new
                continue
            print(verdict.time, verdict.property, "holds" if verdict.value else "no longer holds")

print(monitor.counters.delivered, "states delivered; at the end:", monitor.values())
