"""One cell of an experiment: simulate an office, deliver its states, and count what holds.

Counts are taken after every delivered state, as in the paper (section 6.2):

    S                 consistent cuts in the window
    n_latwin          Definitely(all true) holds on Lat-Win
    n_lat             it holds on LAT, the lattice of everything delivered so far
    n_physical        by perfect clocks, all were true at one moment, as the authors count it: from the begins of the
                      states in the window (`overlap_by_begins`)
    n_physical_real   the same with the real ends of these states, which no window knows (`overlap_in_window`)
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from latwin.detect.probability import LikelyDetector
from latwin.experiments import timing
from latwin.experiments.cell import Cell, delivered, events, simulate
from latwin.lattice.latwin import LatWin
from latwin.monitor import Monitor
from latwin.properties.probability import Likely
from latwin.sim import Simulation, overlap_by_begins, overlap_in_window
from latwin.slide import Slide

_ANY_NUMBER = 1 << 40  # counting needs no memory


def measure(cell: Cell) -> dict[str, float]:
    """Everything the cell asks for, by name."""
    run = simulate(cell)
    found: dict[str, float] = {}
    for wanted in cell.measures:
        found.update(MEASURES[wanted](cell, run))
    return found


def _counts(cell: Cell, run: Simulation) -> dict[str, float]:
    """Sizes and detections on Lat-Win, and what perfect clocks would say."""
    lattice = LatWin(cell.processes, cell.window, max_cuts=_ANY_NUMBER)
    newest = [0] * cell.processes
    slides = cuts = holds = physical = real = 0
    for arrival in delivered(run, cell.delivery):
        lattice.push(arrival.process, arrival.clock, arrival.state)
        newest[arrival.process] = arrival.index
        slides += 1
        cuts += len(lattice)
        oldest = [max(0, index - cell.window + 1) for index in newest]
        holds += lattice.definitely_all(bool)
        physical += overlap_by_begins(run.truth, oldest, newest)
        real += overlap_in_window(run.truth, oldest, newest)
    return {
        "slides": slides,
        "S": cuts / slides if slides else 0.0,
        "n_latwin": holds,
        "n_physical": physical,
        "n_physical_real": real,
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
    monitor = Monitor(cell.spec(f"{modality}({cell.all_true})", window))
    changes = [(verdict.slide, verdict.value is True) for verdict in monitor.observe_many(events(run))]
    values: list[bool] = []
    for (begin, value), (end, _) in pairwise([(1, False), *changes, (monitor.slide + 1, False)]):
        values += [value] * (end - begin)
    return values


#: probabilities of the calibration are counted in bins of this width
BINS = 10


def _calibration(cell: Cell, run: Simulation) -> dict[str, float]:
    """How often the predicate was physically true, by what `probability` said of it: counts for each bin."""
    spec = cell.spec(f"probability({cell.all_true}) >= 0.5", cell.window)
    (question,) = spec.trees.values()
    assert isinstance(question, Likely)
    found = {f"{name}_{k}": 0.0 for name in ("said", "true", "sum") for k in range(BINS + 1)}

    def count(slide: Slide) -> None:
        (detector,) = monitor.detectors("asked")
        assert isinstance(detector, LikelyDetector)
        assert detector.probability is not None, "the windows of an experiment have few observations"
        bin_ = int(detector.probability * BINS)  # the last one is for exactly 1
        found[f"said_{bin_}"] += 1
        found[f"sum_{bin_}"] += detector.probability
        found[f"true_{bin_}"] += overlap_in_window(run.truth, slide.oldest, slide.newest)

    monitor = Monitor(spec, on_slide=count)
    monitor.observe_many(events(run))
    return found


def _skew(cell: Cell, run: Simulation) -> dict[str, float]:
    """Sizes and verdicts under a bound on clock skew, beside what physically was."""
    cuts = agree = holds = physical = real = 0

    def count(slide: Slide) -> None:
        nonlocal cuts, agree, holds, physical, real
        is_definite = slide.values["asked"] is True
        is_real = overlap_in_window(run.truth, slide.oldest, slide.newest)
        cuts += slide.count_cuts() or 0
        holds += is_definite
        agree += is_definite == is_real
        real += is_real
        physical += overlap_by_begins(run.truth, slide.oldest, slide.newest)

    monitor = Monitor(cell.spec(f"definitely({cell.all_true_as_sum})", cell.window), on_slide=count)
    monitor.observe_many(events(run))
    slides = monitor.slide
    return {
        "slides": slides,
        "S": cuts / max(slides, 1),
        "n_latwin": holds,
        "n_physical": physical,
        "n_physical_real": real,
        "agree": agree,
    }


MEASURES: dict[str, Callable[[Cell, Simulation], dict[str, float]]] = {
    "counts": _counts,
    "lat": _lat,
    "calibration": _calibration,
    "skew": _skew,
    "bits": timing.bits,
    "free": timing.free,
    "reference": timing.reference,
    "worst reference": timing.worst_reference,
    "worst bits": timing.worst_bits,
    "worst free": timing.worst_free,
}
