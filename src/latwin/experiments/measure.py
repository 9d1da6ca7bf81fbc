"""One cell of an experiment: simulate an office, deliver its states, count what holds, and time the engines.

Counts are taken after every delivered state, as in the paper (section 6.2):

    S            consistent cuts in the window
    n_latwin     Definitely(all true) holds on Lat-Win
    n_lat        it holds on LAT, the lattice of everything delivered so far
    n_physical   by perfect clocks, all were true at one moment, each in a state of its window
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from time import perf_counter
from typing import Any, Literal

from latwin.delivery import ReorderBuffer
from latwin.detect.questions import LikelyDetector
from latwin.events import Arrival
from latwin.lattice.latwin import LatWin
from latwin.monitor import Monitor
from latwin.properties.questions import Likely
from latwin.reference.paper import PaperLatWin
from latwin.sim import Office, Simulation, overlap_in_window, simulate_office
from latwin.slide import Slide
from latwin.spec import Spec

#: timing one engine in one cell ends after so long; the mean is then over the slides so far
BUDGET_S = 3.0
_MAX_CUTS = 200_000_000
_ANY_NUMBER = 1 << 40  # counting needs no memory


@dataclass(frozen=True)
class Cell:
    """What to simulate and what to measure; the same cell always counts the same."""

    experiment: str
    processes: int
    window: int
    seed: int
    hours: float = 100.0
    delay_s: float = 0.5
    #: how many times faster than in the paper's text the office lives; delays stay as they are
    speed: float = 1.0
    delivery: str = "fifo"
    #: whether all sensors tick together ("common") or each has a random phase ("own")
    phases: Literal["common", "own"] = "own"
    #: a bound on clock skew, as in specs
    synchrony: str | None = None
    #: any of "counts", "lat", "bits", "free", "reference", "calibration", "skew"
    measures: tuple[str, ...] = ("counts",)

    @property
    def key(self) -> str:
        """Names the cell among all cells; parameters of the same value give the same key."""
        return " ".join(f"{name}={value}" for name, value in asdict(self).items())


def measure(cell: Cell) -> dict[str, float]:
    """Everything the cell asks for, by name."""
    run = simulate_office(
        cell.processes,
        hours=cell.hours / cell.speed,
        seed=cell.seed,
        delay_s=cell.delay_s,
        names=[f"p{k}" for k in range(cell.processes)],
        office=Office(phases=cell.phases).faster(cell.speed),
    )
    found: dict[str, float] = {}
    for wanted in cell.measures:
        found.update(_MEASURES[wanted](cell, run))
    return found


def delivered(run: Simulation, delivery: str) -> Iterator[Arrival]:
    """The reported states in the order in which a checker delivers them."""
    buffer = ReorderBuffer(len(run.names), causal=delivery == "causal")
    for event in run.events:
        clock = list(event.clock)
        buffer.add(Arrival(event.process, clock[event.process], clock, event.state["on"], None))
        for arrival in buffer.release(event.process):
            buffer.through[arrival.process] = arrival.index
            yield arrival


def _counts(cell: Cell, run: Simulation) -> dict[str, float]:
    """Sizes and detections on Lat-Win, and what perfect clocks would say."""
    lattice = LatWin(cell.processes, cell.window, max_cuts=_ANY_NUMBER)
    newest = [0] * cell.processes
    slides = cuts = holds = physical = both = 0
    for arrival in delivered(run, cell.delivery):
        lattice.push(arrival.process, arrival.clock, arrival.state)
        newest[arrival.process] = arrival.index
        slides += 1
        cuts += len(lattice)
        is_definite = lattice.definitely_all(bool)
        oldest = [max(0, index - cell.window + 1) for index in newest]
        is_physical = overlap_in_window(run.truth, oldest, newest)
        holds += is_definite
        physical += is_physical
        both += is_definite and is_physical
    return {
        "slides": slides,
        "S": cuts / slides if slides else 0.0,
        "n_latwin": holds,
        "n_physical": physical,
        "n_both": both,
    }


def _lat(cell: Cell, run: Simulation) -> dict[str, float]:
    """LAT beside Lat-Win: its size at the end, its detections, and where the two differ, by kind."""
    on_lat = _holds_at_each_slide(cell, run, None, "definitely")
    on_window = _holds_at_each_slide(cell, run, cell.window, "definitely")
    possible = _holds_at_each_slide(cell, run, cell.window, "possibly")
    whole = LatWin(cell.processes, None, max_cuts=_ANY_NUMBER)
    windowed = LatWin(cell.processes, cell.window, max_cuts=_ANY_NUMBER)
    empty = []
    for arrival in delivered(run, cell.delivery):
        whole.push(arrival.process, arrival.clock, arrival.state)
        windowed.push(arrival.process, arrival.clock, arrival.state)
        empty.append(not windowed)
    slides = list(zip(on_lat, on_window, possible, empty, strict=True))
    lost = [(is_possible, is_empty) for lat, window, is_possible, is_empty in slides if lat and not window]
    return {
        "n_lat": sum(on_lat),
        "S_lat": len(whole),
        "lost_empty": sum(is_empty for _, is_empty in lost),
        "lost_possible": sum(is_possible for is_possible, _ in lost),
        "lost_gone": sum(not is_possible and not is_empty for is_possible, is_empty in lost),
        "gained": sum(window and not lat for lat, window, *_ in slides),
    }


def _holds_at_each_slide(cell: Cell, run: Simulation, window: int | None, modality: str) -> list[bool]:
    """The value of modality(all true) after every slide, from a monitor's changes."""
    monitor = Monitor(_spec(cell, f"{modality}({_all_true(cell)})", window))
    changes = [(verdict.slide, verdict.value is True) for verdict in monitor.observe_many(_events(run))]
    values: list[bool] = []
    for (begin, value), (end, _) in pairwise([(1, False), *changes, (monitor.slide + 1, False)]):
        values += [value] * (end - begin)
    return values


#: probabilities of the calibration are counted in bins of this width
BINS = 10


def _calibration(cell: Cell, run: Simulation) -> dict[str, float]:
    """How often the predicate was physically true, by what `probability` said of it: counts for each bin."""
    spec = _spec(cell, f"probability({_all_true(cell)}) >= 0.5", cell.window)
    (question,) = spec.trees.values()
    assert isinstance(question, Likely)
    found = {f"{name}_{k}": 0.0 for name in ("said", "true", "sum") for k in range(BINS + 1)}

    def count(slide: Slide) -> None:
        (detector,) = monitor.detectors("asked")
        assert isinstance(detector, LikelyDetector)
        bin_ = int(detector.probability * BINS)  # the last one is for exactly 1
        found[f"said_{bin_}"] += 1
        found[f"sum_{bin_}"] += detector.probability
        found[f"true_{bin_}"] += overlap_in_window(run.truth, slide.oldest, slide.newest)

    monitor = Monitor(spec, on_slide=count)
    monitor.observe_many(_events(run))
    return found


def _skew(cell: Cell, run: Simulation) -> dict[str, float]:
    """Sizes and verdicts under a bound on clock skew, beside what physically was."""
    total = " + ".join(f"p{k}.on" for k in range(cell.processes))
    cuts = agree = holds = 0

    def count(slide: Slide) -> None:
        nonlocal cuts, agree, holds
        is_definite = slide.values["asked"] is True
        cuts += slide.count_cuts() or 0
        holds += is_definite
        agree += is_definite == overlap_in_window(run.truth, slide.oldest, slide.newest)

    monitor = Monitor(_spec(cell, f"definitely({total} >= {cell.processes})", cell.window), on_slide=count)
    monitor.observe_many(_events(run))
    slides = monitor.slide
    return {"slides": slides, "S": cuts / max(slides, 1), "n_latwin": holds, "agree": agree}


def _bits(cell: Cell, run: Simulation) -> dict[str, float]:
    """Milliseconds a slide on the bit lattice: the same predicate in a form that needs all cuts."""
    total = " + ".join(f"p{k}.on" for k in range(cell.processes))
    return _time_monitor(cell, run, f"definitely({total} >= {cell.processes})", "T_ms")


def _free(cell: Cell, run: Simulation) -> dict[str, float]:
    """Milliseconds a slide on the path that needs no lattice."""
    return _time_monitor(cell, run, f"definitely({_all_true(cell)})", "T_free_ms")


def _time_monitor(cell: Cell, run: Simulation, text: str, name: str) -> dict[str, float]:
    monitor = Monitor(_spec(cell, text, cell.window))
    events = _events(run)
    warm = len(events) // 20
    monitor.observe_many(events[:warm])
    milliseconds, _ = _time_each(monitor.observe, events[warm:])
    return {name: milliseconds}


def _reference(cell: Cell, run: Simulation) -> dict[str, float]:
    """Milliseconds a slide of the paper's algorithms as published, over as many slides as the budget allows."""
    lattice = PaperLatWin(cell.processes, cell.window, initial=[False] * cell.processes)

    def slide(arrival: Arrival) -> None:
        lattice.push(arrival.process, arrival.clock, arrival.state)
        lattice.definitely(all)

    arrivals = list(delivered(run, cell.delivery))
    newest = [0] * cell.processes
    warm = 0
    while warm < len(arrivals) - 1 and min(newest) < cell.window:  # small lattices at the start would mislead
        newest[arrivals[warm].process] += 1
        slide(arrivals[warm])
        warm += 1
    milliseconds, was_all = _time_each(slide, arrivals[warm:])
    return {"T_reference_ms": milliseconds, "reference_capped": float(not was_all)}


def _time_each(act: Callable[[Any], object], items: Iterable[Any]) -> tuple[float, bool]:
    """Mean milliseconds of `act`, and whether the budget sufficed for all items."""
    begin = perf_counter()
    done = 0
    for item in items:
        act(item)
        done += 1
        if perf_counter() - begin > BUDGET_S:
            return 1000 * (perf_counter() - begin) / done, False
    return 1000 * (perf_counter() - begin) / max(done, 1), True


def _events(run: Simulation) -> list[dict[str, Any]]:
    return run.as_dicts(clock="list")


def _all_true(cell: Cell) -> str:
    return " and ".join(f"p{k}.on" for k in range(cell.processes))


def _spec(cell: Cell, text: str, window: int | None) -> Spec:
    return Spec.from_dict(
        {
            "processes": [f"p{k}" for k in range(cell.processes)],
            "window": window,
            "initial": {f"p{k}": {"on": False} for k in range(cell.processes)},
            "delivery": cell.delivery,
            "synchrony": cell.synchrony,
            "max_waiting": 1_000_000,
            "max_cuts": _MAX_CUTS,
            "properties": {"asked": text},
        }
    )


_MEASURES: dict[str, Callable[[Cell, Simulation], dict[str, float]]] = {
    "counts": _counts,
    "lat": _lat,
    "bits": _bits,
    "free": _free,
    "reference": _reference,
    "calibration": _calibration,
    "skew": _skew,
}
