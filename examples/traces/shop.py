"""Derive vector clocks from OpenTelemetry traces, and ask whether two services could work at the same time."""

from pathlib import Path

from latwin import Monitor, Spec
from latwin.clocks import ClockMaker, ClockTally, TraceSpans

HERE = Path(__file__).parent

spec = Spec.load(HERE / "spec.toml")
spans, tally = TraceSpans(), ClockTally()
lines = (HERE / "shop.jsonl").read_bytes().splitlines()
records = (record for line in lines for record in spans.records(line))
for trace in ClockMaker(spans).make(records, tally):
    print("trace", trace.group)
    monitor = Monitor(spec)
    for event in trace.events:
        process, state = event.step.process, event.step.state
        print(f"  {process:8} {state['event']:6} {event.clock}")
        monitor.observe({"process": process, "clock": event.clock, "state": state})
    for name, value in monitor.values().items():
        print(f"  {name}: {value}")

print(tally.events, "events,", tally.messages, "messages,", sum(tally.problems.values()), "problems")
