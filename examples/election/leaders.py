"""Read a ShiViz log of a leader election, and ask whether two servers could lead at once, or even in one term."""

from pathlib import Path

from latwin import Monitor, Spec
from latwin.formats import read_log, validate

HERE = Path(__file__).parent

log = read_log((HERE / "servers.log").read_text(encoding="utf-8"), "shiviz")
print(len(log), "events,", len(validate(log)), "problems")

monitor = Monitor(Spec.load(HERE / "spec.toml"))
came_true = {}
for entry in log:
    # The spec's [variables] table turns the text of an event into variables such as `s1.role` and `s1.term`.
    for verdict in monitor.observe({"process": entry.process, "clock": entry.clock, "event": entry.text}):
        if verdict.value:
            came_true.setdefault(verdict.property, f"{verdict.process}: {entry.text}")

for name in monitor.spec.properties:
    print(f"{name:11}", f"true after {came_true[name]!r}" if name in came_true else "never true")
