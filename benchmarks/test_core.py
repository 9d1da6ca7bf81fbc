"""How fast the core is: slides, conjunctions, counting, the monitor, cold start, memory.

Times are the best of several rounds; ratios come from the same run. Every seed is fixed in `workloads`.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

from figures import Figure
from latwin import LatWin, Monitor, Spec
from latwin.lattice.kernels.labels import Atoms
from latwin.lattice.kernels.part import count_positions, find_low, gather
from latwin.lattice.kernels.reachability import avoids_program
from latwin.lattice.kernels.sweep import sweep
from latwin.reference import PaperLatWin
from workloads import all_on, at_least, delivered, gossip, in_turn, office, spec

WARM = 300


def seven_on(values: tuple[bool, ...]) -> bool:
    return sum(values) >= 7


@pytest.mark.parametrize(
    ("processes", "hours", "slides", "text", "name", "limit"),
    [
        (9, 60, 3000, at_least(7, 9), "n=9, w=4: definitely(seven of nine), a slide", 10),
        (3, 600, 14000, at_least(2, 3), "n=3, w=4: definitely(two of three), a slide", 10),
    ],
    ids=["nine", "three"],
)
def test_lattice_slides(
    benchmark: Any, figure: Figure, processes: int, hours: float, slides: int, text: str, name: str, limit: float
) -> None:
    """Whole slides through the monitor: decode, deliver, slide, bit lattice, definitely."""
    events = office(processes, hours)[: WARM + slides]
    checked = spec(processes, 4, text)

    def setup() -> tuple[tuple[Monitor], dict[str, Any]]:
        monitor = Monitor(checked)
        monitor.observe_many(events[:WARM])
        return (monitor,), {}

    benchmark.pedantic(lambda monitor: monitor.observe_many(events[WARM:]), setup=setup, rounds=5)
    figure(name, benchmark.stats["min"] / (len(events) - WARM) * 1e6, "µs", limit)


def test_three_of_fifty(benchmark: Any, figure: Figure) -> None:
    """A condition that reads three of fifty processes, whose lattice has far too many cuts."""
    text = "definitely(p3.on + p20.on + p41.on >= 2 and p3.on != false)"
    states = gossip(50, WARM + 3000, 0.3, 3)
    events = [{"process": f"p{k}", "clock": clock, "state": {"on": on}} for k, clock, on in states]
    checked = spec(50, 4, text)

    def setup() -> tuple[tuple[Monitor], dict[str, Any]]:
        monitor = Monitor(checked)
        monitor.observe_many(events[:WARM])
        return (monitor,), {}

    benchmark.pedantic(lambda monitor: monitor.observe_many(events[WARM:]), setup=setup, rounds=5)
    figure("n=50, w=4: a condition on three of them, a slide", benchmark.stats["min"] / 3000 * 1e6, "µs", 15)


def test_ten_properties(benchmark: Any, figure: Figure) -> None:
    """Ten mixed properties on the paper's workload, in compiled runs."""
    events = office(9, 60)[: WARM + 3000]
    checked = Spec.from_dict({**spec(9, 4, at_least(7, 9)).to_dict(), "properties": TEN})

    def setup() -> tuple[tuple[Monitor], dict[str, Any]]:
        monitor = Monitor(checked)
        monitor.observe_many(events[:WARM])
        return (monitor,), {}

    benchmark.pedantic(lambda monitor: monitor.observe_many(events[WARM:]), setup=setup, rounds=5)
    figure("n=9, w=4: ten mixed properties, a slide", benchmark.stats["min"] / (len(events) - WARM) * 1e6, "µs", 40)


def test_sweep_against_tree(benchmark: Any, figure: Figure) -> None:
    """The pass that is left when no certificate decides, beside the pass over the tree, on the same slides."""
    # An `or` that is never true keeps it from the engine of sums.
    monitor = Monitor(spec(9, 4, f"{at_least(7, 9)[:-1]} or p0.on == 2 and p1.on == 2)"))
    (detector,) = monitor.detectors("p")
    first, end = detector._labels.rows()  # type: ignore[attr-defined]
    window, arrays, lattice = (
        monitor.window,
        monitor._checker.context.atoms.arrays,
        monitor._checker.context.whole.lattice,
    )
    members, none = np.arange(9), np.zeros((0, 9), np.int64)
    closed, room = np.zeros(9, np.uint8), np.empty(9, np.int64)
    sweeps = trees = 0.0
    slides = 0
    for number, event in enumerate(office(9, 60)[: WARM + 1000]):
        monitor.observe(event)
        if window.is_empty:
            continue
        dims = count_positions(window.ends, members)
        condition = gather(window.ends, Atoms(*arrays), members, dims, first, end)
        low = find_low(window.clocks, window.ends, members, dims)
        one = other = float("inf")
        for _ in range(3):
            begin = time.perf_counter()
            sweep(dims, low, condition, True, closed, none, 10**7, room)
            middle = time.perf_counter()
            lattice.build()
            avoids_program(lattice.arrays, arrays, first, end, lattice.marks)
            one, other = min(one, middle - begin), min(other, time.perf_counter() - middle)
        if number >= WARM:
            sweeps, trees, slides = sweeps + one, trees + other, slides + 1
    benchmark.pedantic(lambda: None, rounds=1)
    figure("n=9, w=4: a sweep with labels", sweeps / slides * 1e6, "µs", 45)
    figure("n=9, w=4: a sweep, times faster than the pass over the tree", trees / sweeps, "times", -1.3)


_SUM = " + ".join(f"p{k}.on" for k in range(9))
_FOUR = "p0.on + p3.on + p5.on + p8.on"
TEN = {
    "all": all_on(9),
    "seven": at_least(7, 9),
    "eight": f"definitely({_SUM} >= 8) and not definitely({_SUM} == 9)",
    "few": f"possibly({_SUM} <= 2)",
    "none": f"possibly({_SUM} == 0) or possibly(not p0.on and not p1.on)",
    "four": f"definitely({_FOUR} == 3)",
    "swap": f"possibly({_FOUR} == 2 and (p0.on or p8.on))",
    "either": "possibly(p1.on and not p2.on or p2.on and not p1.on)",
    "odd": "definitely(p1.on and not p2.on or p2.on and not p1.on)",
    "quiet": "not possibly(p4.on and p6.on) and definitely(p4.on + p6.on + p7.on < 2)",
}
_QUESTIONS = {
    "a sequence of three": (f"possibly(seq({_SUM} >= 7, any*, {_SUM} <= 3, any*, p0.on and p1.on))", 210),
    "CTL of two levels": (f"AG({_SUM} >= 7 implies EF({_SUM} <= 3))", 120),
    "a probability": (f"probability({_SUM} >= 7) >= 0.9", 400),
}


def test_questions(benchmark: Any, figure: Figure) -> None:
    """Each kind of question on the whole lattice, event by event."""
    events = office(9, 60)[: WARM + 1000]

    def seconds(text: str) -> float:
        best = float("inf")
        for _ in range(3):
            monitor = Monitor(spec(9, 4, text))
            monitor.observe_many(events[:WARM])
            begin = time.perf_counter()
            for event in events[WARM:]:
                monitor.observe(event)
            best = min(best, time.perf_counter() - begin)
        return best

    benchmark.pedantic(lambda: seconds(at_least(7, 9)), rounds=1)
    for name, (text, limit) in _QUESTIONS.items():
        figure(f"n=9, w=4: {name}, a slide", seconds(text) / 1000 * 1e6, "µs", limit)


def _in_runs(processes: int) -> dict[str, dict[str, str]]:
    """One spec for each kind of question, and one with ten properties."""
    total, most, few = " + ".join(f"p{k}.on" for k in range(processes)), max(2, processes - 2), processes // 3
    asked = {
        "a sequence": f"possibly(seq({total} >= {most}, any*, {total} <= {few}, any*, p0.on and p1.on))",
        "CTL": f"AG({total} >= {most} implies EF({total} <= {few}))",
        "linear time": "definitely(always(p0.on implies once(p1.on and p2.on)))",
        "exists": "possibly(exists(a, b in *: a != b and a.on == b.on))",
    }
    others = {
        "all": all_on(processes),
        "most": f"definitely({total} >= {most})",
        "few": f"possibly({total} <= {few})",
        "either": TEN["either"],
        "odd": TEN["odd"],
        "quiet": "not possibly(p0.on and p2.on) and definitely(p0.on + p2.on < 2)",
    }
    return {**{name: {"p": text} for name, text in asked.items()}, "ten properties": {**asked, **others}}


@pytest.mark.parametrize(("processes", "hours", "slides"), [(9, 60, 1000), (3, 600, 6000)], ids=["nine", "three"])
def test_runs_against_single_states(
    benchmark: Any, figure: Figure, processes: int, hours: float, slides: int
) -> None:
    """What it saves to hand over many states at once, for every kind of question, on the same slides."""
    events = office(processes, hours)[: WARM + slides]

    def seconds(checked: Spec, in_runs: bool) -> float:
        best = float("inf")
        for _ in range(3):
            monitor = Monitor(checked)
            monitor.observe_many(events[:WARM])
            begin = time.perf_counter()
            if in_runs:
                monitor.observe_many(events[WARM:])
            else:
                for event in events[WARM:]:
                    monitor.observe(event)
            best = min(best, time.perf_counter() - begin)
        return best

    benchmark.pedantic(lambda: None, rounds=1)
    for name, properties in _in_runs(processes).items():
        checked = Spec.from_dict({**spec(processes, 4, all_on(processes)).to_dict(), "properties": properties})
        alone, together = seconds(checked, False), seconds(checked, True)
        limit = -1.0 if processes == 9 else -1.5
        figure(
            f"n={processes}, w=4: {name} in runs, times faster than single states", alone / together, "times", limit
        )


def test_against_the_paper(benchmark: Any, figure: Figure) -> None:
    """The published algorithms on the same slides, fewer of them."""
    states = delivered(9, 60)
    warm, few = 90, 10  # enough to fill the windows

    def paper() -> float:
        lattice = PaperLatWin(9, 4, initial=[False] * 9)
        for state in states[:warm]:
            lattice.push(*state)
        begin = time.perf_counter()
        for state in states[warm : warm + few]:
            lattice.push(*state)
            lattice.definitely(seven_on)
        return (time.perf_counter() - begin) / few

    def fast() -> float:
        best = float("inf")
        events = [{"process": f"p{process}", "clock": clock, "state": {"on": on}} for process, clock, on in states]
        for _ in range(5):
            monitor = Monitor(spec(9, 4, at_least(7, 9)))
            monitor.observe_many(events[:warm])
            begin = time.perf_counter()
            monitor.observe_many(events[warm : warm + few])
            best = min(best, (time.perf_counter() - begin) / few)
        return best

    slow = benchmark.pedantic(paper, rounds=1)
    figure("n=9, w=4: times faster than PaperLatWin, same slides", slow / fast(), "times", -2000)


def test_definitely_all(benchmark: Any, figure: Figure) -> None:
    states = delivered(9, 60)
    checked = spec(9, 4, all_on(9))
    events = office(9, 60)
    monitor = Monitor(checked)
    monitor.observe_many(events[:WARM])

    def run() -> None:
        fresh = Monitor(checked)
        fresh.observe_many(events)

    run()
    benchmark.pedantic(run, rounds=5)
    figure("n=9, w=4: definitely_all in the monitor, a slide", benchmark.stats["min"] / len(events) * 1e6, "µs", 5)
    lattice = LatWin(9, 4, initial=[False] * 9)
    for state in states[:1000]:
        lattice.push(*state)
        lattice.definitely_all(bool)
    begin = time.perf_counter()
    for state in states[1000:3000]:
        lattice.push(*state)
        lattice.definitely_all(bool)
    each = (time.perf_counter() - begin) / 2000
    figure("n=9, w=4: LatWin.push and .definitely_all(callable), a slide", each * 1e6, "µs", 10)


@pytest.mark.parametrize(
    ("text", "name"),
    [(all_on(9), "definitely_all"), (at_least(7, 9), "definitely(seven of nine)")],
    ids=["conjunction", "lattice"],
)
def test_windows_of_time(benchmark: Any, figure: Figure, text: str, name: str) -> None:
    """The same events and the same windows, by time and by number, in turns; computing time, as others may run."""
    events = in_turn(9, 600, 0.3, 1)
    by_time, by_number = spec(9, "2.95s", text), spec(9, 4, text)

    def run(checked: Spec) -> float:
        monitor = Monitor(checked)
        monitor.observe_many(events[:WARM])
        begin = time.process_time()
        monitor.observe_many(events[WARM:])
        taken = time.process_time() - begin
        assert [len(monitor.window.states_of(k)) for k in range(9)] == [4] * 9
        return taken

    benchmark.pedantic(lambda: run(by_time), rounds=1, warmup_rounds=1)
    run(by_number)
    timed, numbered = zip(*((run(by_time), run(by_number)) for _ in range(11)), strict=True)
    figure(f"n=9: {name}, windows of time beside windows of w=4", min(timed) / min(numbered), "times", 1.3)


def test_definitely_all_of_many_processes(benchmark: Any, figure: Figure) -> None:
    states = gossip(200, 6000, 0.3, 1)
    lattice = LatWin(200, 10, initial=[1] * 200)
    for process, clock, value in states[:4000]:
        lattice.push(process, clock, value)

    def run() -> None:
        for process, clock, value in rest:
            lattice.push(process, clock, value)
            lattice.definitely_all(bool)

    rest = states[4000:]
    benchmark.pedantic(run, rounds=1)
    figure("n=200, w=10: push and definitely_all, a slide", benchmark.stats["min"] / len(rest) * 1e3, "ms", 2)


def test_counting(benchmark: Any, figure: Figure) -> None:
    lattice = LatWin(10, None, max_cuts=10**10)
    for process, clock, _ in gossip(10, 300, 0.55, 2):
        lattice.push(process, clock)
    cuts = benchmark.pedantic(lambda: len(lattice), rounds=5, warmup_rounds=1)
    figure(f"10 processes, 300 states, {cuts:,} cuts: counted", cuts / benchmark.stats["min"] / 1e6, "M cuts/s", -200)


def test_monitor_throughput(benchmark: Any, figure: Figure) -> None:
    events = office(3, 2000)
    checked = spec(3, 4, all_on(3))
    benchmark.pedantic(lambda: Monitor(checked).observe_many(events), rounds=5, warmup_rounds=1)
    figure("n=3, w=4, conjunctive: events a second", len(events) / benchmark.stats["min"], "events/s", -100_000)


def test_cold_start(benchmark: Any, figure: Figure) -> None:
    importing = "import time; t = time.perf_counter(); import latwin; print(time.perf_counter() - t)"
    pushing = (
        "import time; t = time.perf_counter(); import latwin; lw = latwin.LatWin(3, 4); lw.push(0, [1, 0, 0]);"
        "print(time.perf_counter() - t)"
    )

    def run(code: str) -> float:
        return min(
            float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout)
            for _ in range(3)
        )

    figure("import latwin", benchmark.pedantic(lambda: run(importing), rounds=1), "s", 0.3)
    figure("import and first push, compile cached", run(pushing), "s", 1)


def test_memory_stays_flat(benchmark: Any, figure: Figure) -> None:
    """Ten million pushed states; the peak after the first hundred thousand is compared with the last."""
    lattice = LatWin(3, 4)
    clocks = [[0, 0, 0] for _ in range(3)]

    def push(count: int) -> None:
        for i in range(count):
            process = i % 3
            clock = clocks[process]
            clock[process] += 1
            if i % 7 == 0:  # hear from the neighbour
                for k, entry in enumerate(clocks[process - 1]):
                    clock[k] = max(clock[k], entry) if k != process else clock[k]
            lattice.push(process, clock, {"i": i})

    push(100_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    benchmark.pedantic(lambda: push(9_900_000), rounds=1)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    figure("10 million pushed states: growth of peak memory", grown, "MiB", 5)


@pytest.mark.parametrize(("processes", "limit"), [(20, 500), (25, 2000)])
def test_beyond_the_lattice(benchmark: Any, figure: Figure, processes: int, limit: float) -> None:
    """A general condition on all processes, by decision diagrams: 10^10 cuts and more cannot be enumerated."""
    half = " + ".join(f"p{k}.on" for k in range(0, processes, 2))
    differs = " or ".join(f"p{k}.on != p{k + 1}.on" for k in range(0, processes - 1, 2))
    text = f"definitely({half} == {processes // 4} and ({differs}))"
    names = [f"p{k}" for k in range(processes)]
    states = gossip(processes, 1100, 0.3, 1)
    events = [{"process": names[process], "clock": clock, "state": {"on": on}} for process, clock, on in states]
    monitor = Monitor(spec(processes, 4, text))
    for event in events[:1000]:
        monitor.observe(event)

    def slowest() -> float:
        most = 0.0
        for event in events[1000:]:
            begin = time.perf_counter()
            (verdict,) = monitor.observe(event, every=True)
            most = max(most, time.perf_counter() - begin)
            assert verdict.value is not None
        return most

    each = benchmark.pedantic(slowest, rounds=1)
    figure(f"n={processes}, w=4: definitely of a general condition, the slowest slide", each * 1000, "ms", limit)
