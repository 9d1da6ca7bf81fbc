"""One cell of an experiment: simulate an office, deliver its states, and count what holds.

Counts are taken after every delivered state, as in the paper (section 6.2):

    S                 consistent cuts in the window
    n_latwin          Definitely(all true) holds on Lat-Win
    n_final           it holds, and no state to come can overturn it for the states of the window
    n_lat             it holds on LAT, the lattice of everything delivered so far
    n_physical        by perfect clocks, all were true at one moment, as the authors count it: from the begins of the
                      states in the window (`overlap_by_begins`)
    n_physical_real   the same with the real ends of these states, which no window knows (`overlap_in_window`)
    right, ...        how many of the slides with a verdict are among the last ones
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time

from latwin.detect.probability import LikelyDetector
from latwin.experiments import timing
from latwin.experiments.cell import Cell, arrivals_of, events, simulate
from latwin.experiments.slides import all_slides, on_lat
from latwin.monitor import Monitor
from latwin.properties.probability import Likely
from latwin.sim import Simulation, overlap_by_begins, overlap_in_window
from latwin.slide import Slide

Found = dict[str, float]


def measure(cell: Cell) -> Found:
    """Everything the cell asks for, by name."""
    return {name: value for _, found, _ in measure_each(cell) for name, value in found.items()}


def measure_each(cell: Cell) -> Iterator[tuple[str, Found, float]]:
    """For each measure its name, what was found, and the seconds of computing; the first includes the simulation."""
    begin = process_time()
    run = simulate(cell)
    for wanted in cell.measures:
        found = MEASURES[wanted](cell, run)
        end = process_time()
        yield wanted, found, end - begin
        begin = end


def _counts(cell: Cell, run: Simulation) -> Found:
    """Sizes and detections on Lat-Win, and what perfect clocks would say."""
    slides = all_slides(run, arrivals_of(cell, run), cell.window)
    number = len(slides.cuts)
    inside = slides.definite & ~slides.at_least
    return {
        "slides": number,
        "S": int(slides.cuts.sum()) / number if number else 0.0,
        "n_latwin": int(slides.definite.sum()),
        "n_final": int(slides.final.sum()),
        "n_inside": int(inside.sum()),
        "n_physical": int(slides.physical.sum()),
        "n_physical_real": int(slides.real.sum()),
        "right": int((slides.definite & slides.real).sum()),
        "right_final": int((slides.final & slides.real).sum()),
        "right_inside": int((inside & slides.real).sum()),
        "agree": int((slides.definite == slides.real).sum()),
    }


def _lat(cell: Cell, run: Simulation) -> Found:
    """LAT beside Lat-Win: its size at the end, its detections, and where the two differ, by kind."""
    arrivals = arrivals_of(cell, run)
    windowed = all_slides(run, arrivals, cell.window)
    held, size = on_lat(run, arrivals)
    lost, empty = held & ~windowed.definite, windowed.cuts == 0
    return {
        "n_lat": int(held.sum()),
        "S_lat": size,
        "lost_empty": int((lost & empty).sum()),
        "lost_possible": int((lost & windowed.possible).sum()),
        "lost_gone": int((lost & ~windowed.possible & ~empty).sum()),
        "gained": int((windowed.definite & ~held).sum()),
    }


#: probabilities of the calibration are counted in bins of this width
BINS = 10


def _calibration(cell: Cell, run: Simulation) -> Found:
    """How often the condition was physically true, in both meanings, by what `probability` said: counts by bin."""
    spec = cell.spec(f"probability({cell.all_true}) >= 0.5", cell.window)
    (question,) = spec.trees.values()
    assert isinstance(question, Likely)
    found = {f"{name}_{k}": 0.0 for name in ("said", "sum", "physical", "real") for k in range(BINS + 1)}

    def count(slide: Slide) -> None:
        (detector,) = monitor.detectors("asked")
        assert isinstance(detector, LikelyDetector)
        assert detector.probability is not None, "the windows of an experiment have few observations"
        bin_ = int(detector.probability * BINS)  # the last one is for exactly 1
        found[f"said_{bin_}"] += 1
        found[f"sum_{bin_}"] += detector.probability
        found[f"physical_{bin_}"] += overlap_by_begins(run.truth, slide.oldest, slide.newest)
        found[f"real_{bin_}"] += overlap_in_window(run.truth, slide.oldest, slide.newest)

    monitor = Monitor(spec, on_slide=count)
    monitor.observe_many(events(run))
    return found


#: the measures that give the same result on every machine
COUNTING = frozenset({"counts", "lat", "calibration"})
MEASURES: dict[str, Callable[[Cell, Simulation], Found]] = {
    "counts": _counts,
    "lat": _lat,
    "calibration": _calibration,
    "reference": timing.reference,
    "worst reference": timing.reference_in_worst_case,
    "memory reference": timing.memory_of_reference,
    **{engine: partial(timing.on_office, engine) for engine in timing.ENGINES},
    **{f"worst {engine}": partial(timing.in_worst_case, engine) for engine in timing.ENGINES},
    **{f"memory {engine}": partial(timing.memory, engine) for engine in timing.ENGINES},
}
