"""Cells of the evaluation against brute force, monitors and each other."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from latwin import InvalidInput
from latwin.experiments.cell import READINGS, Cell, arrivals_of, delivered, simulate
from latwin.experiments.grids import FULL, NAMES, QUICK, cells_of, named
from latwin.experiments.lattice_alone import LatticeAlone
from latwin.experiments.measure import BINS, measure
from latwin.experiments.runner import finished, joined, left_of, results_of
from latwin.experiments.slides import all_slides, on_lat
from latwin.experiments.timing import ENGINES, concurrent_states, reference_after
from latwin.lattice.bits import BitLattice
from latwin.monitor import Monitor
from latwin.properties import parse_predicate
from latwin.reference import PaperLatWin
from latwin.sim import Interval, overlap_by_begins, overlap_in_window, simulate_office
from latwin.slide import Slide
from latwin.spec import Spec
from observing import probability
from oracle import BruteForce


@pytest.mark.parametrize("delay_s", [0.5, 400.0])
def test_calibration_is_that_of_brute_force(delay_s: float) -> None:
    """Long delays let one event release several slides; each has a probability of its own."""
    cell = Cell("test", 3, 4, 3, 10.0, delay_s, delivery="causal", measures=("calibration",))
    run = simulate_office(3, hours=10.0, seed=3, delay_s=delay_s)
    all_on = parse_predicate("p0.on and p1.on and p2.on", ["p0", "p1", "p2"])
    slow = BruteForce(3, 4, initial=[{"on": False}] * 3)
    said, physical, real = [], [], []
    for arrival in delivered(run, "causal"):
        slow.push(arrival.process, arrival.clock, {"on": arrival.state})
        said.append(float(probability(all_on, slow)))
        kept = [[run.truth[k][state.index] for state in states] for k, states in enumerate(slow.windows)]
        physical.append(seen_true_at_once(kept))
        real.append(all_true_at_once(kept))
    found = measure(cell)
    assert len(said) == len(run.events)
    for k in range(BINS + 1):
        own = [slide for slide, value in enumerate(said) if int(value * BINS) == k]
        assert found[f"said_{k}"] == len(own)
        assert found[f"sum_{k}"] == pytest.approx(sum(said[slide] for slide in own))
        assert found[f"physical_{k}"] == sum(physical[slide] for slide in own)
        assert found[f"real_{k}"] == sum(real[slide] for slide in own)


def seen_true_at_once(states: list[list[Interval]]) -> bool:
    """The same as far as begins tell: judged at every begin, each process by the states around it."""

    def is_true(some: list[Interval], moment: float) -> bool:
        begun = [state for state in some if state.start_s <= moment]
        is_last = len(begun) == len(some)
        if begun and begun[-1].on and not is_last:
            return True  # within a run that goes on, or up to the begin of the next state
        touches = begun and begun[-1].start_s == moment
        was_on = len(begun) > 1 and begun[-2].on
        return bool(touches and (begun[-1].on or was_on))

    return any(all(is_true(some, state.start_s) for some in states) for one in states for state in one)


def all_true_at_once(states: list[list[Interval]]) -> bool:
    """Whether some moment lies in a true state of every list; judged at every moment at which one begins."""
    moments = [state.start_s for some in states for state in some]
    return any(all(any(s.on and s.start_s <= t < s.end_s for s in some) for some in states) for t in moments)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processes", "window", "delay_s"), [pytest.param(2, 4, 0.5, marks=pytest.mark.soak), (3, 3, 0.0), (3, 2, 400.0)]
)
@pytest.mark.parametrize("delivery", ["fifo", "causal"])
def test_counts_are_those_of_brute_force(processes: int, window: int, delay_s: float, delivery: str) -> None:
    cell = Cell("test", processes, window, 3, 6.0, delay_s, delivery=delivery, measures=("counts", "lat"))
    run = simulate_office(processes, hours=6.0, seed=3, delay_s=delay_s)
    slow, whole = BruteForce(processes, window), BruteForce(processes, None)
    sizes, holds, on_all, physical, real, lost = [], 0, 0, 0, 0, 0
    for arrival in delivered(run, delivery):
        slow.push(arrival.process, arrival.clock, arrival.state)
        sizes.append(len(slow.cuts))
        is_definite = slow.definitely(lambda values: all(value is True for value in values))
        holds += is_definite
        kept = [[run.truth[k][state.index] for state in states] for k, states in enumerate(slow.windows)]
        physical += seen_true_at_once(kept)
        real += all_true_at_once(kept)
        if len(sizes) < 60:
            whole.push(arrival.process, arrival.clock, arrival.state)
            is_on_all = whole.definitely(lambda values: all(value is True for value in values))
            on_all += is_on_all
            lost += is_on_all and not is_definite
    found = measure(cell)
    assert found["slides"] == len(sizes) == len(run.events)
    assert found["S"] == pytest.approx(fmean(sizes))
    assert (found["n_latwin"], found["n_physical"], found["n_physical_real"]) == (holds, physical, real)
    assert on_all <= found["n_lat"] <= on_all + max(0, len(sizes) - 59)
    assert lost <= found["lost_empty"] + found["lost_possible"] + found["lost_gone"]


def test_the_whole_lattice_is_counted() -> None:
    run = simulate_office(2, hours=4.0, seed=5)
    slow = BruteForce(2, None)
    for arrival in delivered(run, "fifo"):
        slow.push(arrival.process, arrival.clock, arrival.state)
    cell = Cell("test", 2, 4, 5, 4.0, measures=("counts", "lat"))
    found = measure(cell)
    assert found["S_lat"] == len(slow.cuts)
    losses = found["lost_empty"] + found["lost_possible"] + found["lost_gone"]
    assert found["n_lat"] - losses + found["gained"] == found["n_latwin"]


@pytest.mark.parametrize(
    "cell",
    [
        Cell("test", 3, 4, 2, 20.0, 5.0, "hurried"),
        Cell("test", 4, 3, 4, 10.0, 400.0, delivery="causal"),
        Cell("test", 3, 4, 2, 20.0, 5.0, "hurried", synchrony="1s"),
        Cell("test", 2, 5, 3, 20.0, synchrony="0"),
    ],
    ids=lambda cell: cell.key,
)
def test_slides_are_those_of_a_monitor(cell: Cell) -> None:
    """The compiled pass against a monitor that is watched, and against perfect clocks in plain Python."""
    run = simulate(cell)
    seen: list[tuple[object, ...]] = []

    def look(slide: Slide) -> None:
        definite, possible = slide.values["definite"] is True, slide.values["possible"] is True
        window = (run.truth, slide.oldest, slide.newest)
        reasons = [answer.because for answer in slide.answers("definite")]
        seen.append(
            (
                slide.count_cuts(),
                definite,
                definite and slide.is_final("definite") is True,
                definite and reasons == ["least"],
                possible,
                overlap_by_begins(*window),
                overlap_in_window(*window),
            )
        )

    both = {"definite": f"definitely({cell.all_true})", "possible": f"possibly({cell.all_true})"}
    spec = Spec.from_dict({**cell.spec(both["definite"], cell.window).to_dict(), "properties": both})
    Monitor(spec, on_slide=look).observe_many(run.as_dicts(clock="list"))
    found = all_slides(run, arrivals_of(cell, run), cell.window)
    columns = (found.cuts, found.definite, found.final, found.at_least, found.possible, found.physical, found.real)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == seen
    assert 0 < sum(found.definite) < len(seen)
    assert sum(found.final) < sum(found.definite)


def test_lat_is_that_of_a_monitor_that_never_forgets() -> None:
    cell = Cell("test", 3, 4, 1, 20.0, 5.0, "hurried")
    run = simulate(cell)
    seen: list[bool] = []
    spec = cell.spec(f"definitely({cell.all_true})", None)
    monitor = Monitor(spec, on_slide=lambda slide: seen.append(slide.values["asked"] is True))
    monitor.observe_many(run.as_dicts(clock="list"))
    held, size = on_lat(run, arrivals_of(cell, run))
    assert held.tolist() == seen
    assert size == BitLattice(monitor.window).count()


def test_experiments_share_what_is_measured(tmp_path: Path) -> None:
    """A setting is simulated once for all experiments, and measures that are there are not taken again."""
    cells = [
        Cell("size", 2, 4, 1, 2.0, measures=("counts",)),
        Cell("window", 2, 4, 1, 2.0, measures=("counts", "lat")),
        Cell("size", 2, 4, 2, 2.0, measures=("counts",)),
    ]
    left = left_of(cells, {})
    assert [(cell.seed, cell.measures) for cell in left] == [(1, ("counts", "lat")), (2, ("counts",))]
    rows = results_of(left[0])
    (tmp_path / "cells.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[1:]))
    assert [cell.measures for cell in left_of(cells, finished(tmp_path))] == [("counts",), ("counts",)]
    results = {(row["key"], row["measure"]): row for cell in left for row in results_of(cell)}
    size, window, other = joined(cells, results)
    assert (size["experiment"], window["experiment"]) == ("size", "window")
    assert size["S"] == window["S"]
    assert ("n_lat" in size, "n_lat" in window) == (False, True)
    assert (size["seed"], other["seed"]) == (1, 2)


def test_the_hurried_office_is_the_same_office_with_longer_delays() -> None:
    slow = measure(Cell("test", 3, 4, 1, 20.0, 20.0))
    fast = measure(Cell("test", 3, 4, 1, 20.0, 0.5, "hurried"))
    assert slow == fast


def test_readings_differ_from_the_first_one_as_they_say() -> None:
    runs = {reading: simulate(Cell("test", 3, 4, 1, 10.0, reading=reading)) for reading in READINGS}
    arrivals = {tuple(event.arrival for event in run.events) for run in runs.values()}
    assert len(arrivals) == len(READINGS)
    assert next(iter(READINGS)) == Cell("test", 3, 4, 1).reading


def test_times_are_those_of_the_engines_that_they_are_named_after() -> None:
    """The question has three forms, which mean the same and are answered by three engines."""
    cell = Cell("test", 3, 4, 2, 20.0, 5.0, "hurried")
    told = simulate(cell).as_dicts(clock="list")
    specs = {engine: cell.spec(text, 4) for engine, text in cell.questions.items()}
    assert ("lattice", *specs) == ENGINES
    answering = {"certificates": "bit lattice", "sums": "sums", "free": "conjunctive"}
    assert {
        engine: spec.explain().splitlines()[1].split(":")[0].strip() for engine, spec in specs.items()
    } == answering
    changes = [
        [(verdict.slide, verdict.value) for verdict in Monitor(spec).observe_many(told) if verdict.changed]
        for spec in specs.values()
    ]
    assert all(some == changes[0] for some in changes)
    assert len(changes[0]) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("processes", "window", "delay_s"), [(2, 4, 0.5), (3, 4, 400.0), (6, 4, 0.5), (4, 7, 0.5)])
def test_the_lattice_alone_is_built_at_every_slide(
    processes: int, window: int, delay_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No shortcut of an engine stands before it, and it answers what the engines answer."""
    built: list[BitLattice] = []
    build = BitLattice.build

    def counted(lattice: BitLattice) -> None:
        built.append(lattice)
        build(lattice)

    monkeypatch.setattr(BitLattice, "build", counted)
    cell = Cell("test", processes, window, 3, 8.0, delay_s)
    alone = LatticeAlone(cell.spec(None, window))
    run = simulate(cell)
    found = all_slides(run, arrivals_of(cell, run), window)
    held = np.cumsum(found.definite)
    for event in run.as_dicts(clock="list"):
        alone.observe(event)
        if alone.slides:
            assert alone.held == held[alone.slides - 1]
    assert alone.slides == len(found.cuts)
    assert alone.passes == len(built) == int((found.cuts > 0).sum())
    assert 0 < alone.held < alone.passes


@pytest.mark.parametrize("middle", [3, 60, 61, 62, 63])
def test_the_papers_algorithms_go_on_from_the_middle_as_from_the_start(middle: int) -> None:
    """Their times are taken there; after 3 states, initial ones are still in the windows."""
    cell = Cell("test", 3, 4, 2, 20.0, 5.0, "hurried")
    arrivals = list(delivered(simulate(cell), "fifo"))
    whole = PaperLatWin(3, 4, initial=[False] * 3)
    for arrival in arrivals[:middle]:
        whole.push(arrival.process, arrival.clock, arrival.state)
    late = reference_after(cell, arrivals[:middle])
    answers = set()
    for arrival in arrivals[middle : middle + 40]:
        assert late.edges() == whole.edges()
        assert (late.least, late.greatest) == (whole.least, whole.greatest)
        assert late.definitely(all) == whole.definitely(all)
        answers.add(late.definitely(all))
        for lattice in (late, whole):
            lattice.push(arrival.process, arrival.clock, arrival.state)
    assert answers == {True, False}


def test_the_worst_case_has_every_global_state() -> None:
    every = [f"{kind} {engine}" for kind in ("worst", "memory") for engine in ("reference", *ENGINES)]
    found = measure(Cell("test", 3, 3, 1, 0.1, measures=tuple(every)))
    assert all(found[f"T_{engine}_ms"] > 0 for engine in ("reference", *ENGINES))
    assert all(found[f"bytes_{engine}"] > 0 for engine in ENGINES)
    assert found["bytes_reference"] > 27 * 100, "a linked cut takes more than a hundred bytes"
    wider = measure(Cell("test", 3, 6, 1, 0.1, measures=("memory reference",)))
    assert wider["bytes_reference"] > 4 * found["bytes_reference"]
    lattice = PaperLatWin(3, 3, initial=[False] * 3)
    for state in concurrent_states(3, 0, 3):
        lattice.push(*state)
    assert len(lattice) == 3**3


def by_parameters(cells: list[Cell]) -> dict[tuple[object, ...], list[Cell]]:
    """The cells that differ in nothing but their seed, and in measuring memory, which is the same for all seeds."""
    alike: dict[tuple[object, ...], list[Cell]] = {}
    for cell in cells:
        measures = tuple(name for name in cell.measures if not name.startswith("memory"))
        parameters = dataclasses.replace(cell, seed=0, measures=measures)
        alike.setdefault(dataclasses.astuple(parameters), []).append(cell)
    return alike


def test_grids() -> None:
    """Every value of both grids is a mean over ten seeds or more."""
    for extent in (FULL, QUICK):
        cells = cells_of(NAMES, extent)
        assert len({(cell.experiment, cell.key) for cell in cells}) == len(cells)
        assert all(len({cell.seed for cell in same}) >= 10 for same in by_parameters(cells).values())
    assert {cell.processes for cell in cells_of(("processes",), FULL) if "reference" in cell.measures} == set(
        range(2, 10)
    )
    assert {cell.hours for cell in cells_of(("processes", "window", "delay", "size"), FULL)} == {100.0}
    assert {cell.hours for cell in cells_of(("processes", "window", "delay", "size"), QUICK)} == {100.0}
    assert QUICK.seeds == FULL.seeds
    quick, full = (
        {(cell.key, name) for cell in cells_of(NAMES, extent) for name in cell.measures} for extent in (QUICK, FULL)
    )
    assert quick < full, "quick measures nothing that the whole grid does not measure in the same way"
    counted = {dataclasses.replace(cell, measures=()) for cell in cells_of(("processes", "window", "size"), FULL)}
    assert counted == {
        dataclasses.replace(cell, measures=()) for cell in cells_of(("processes", "window", "size"), QUICK)
    }
    assert {cell.delay_s for cell in cells_of(("delay",), QUICK)} < {
        cell.delay_s for cell in cells_of(("delay",), FULL)
    }
    assert max(cell.processes for cell in cells_of(("beyond",), FULL)) == 100
    many = cells_of(("offices",), dataclasses.replace(QUICK, offices=10_000))
    assert len({cell.seed for cell in many}) == 10_000
    assert named("table") == ("processes",)
    with pytest.raises(InvalidInput, match="unknown experiment 'tabel'; there are all, beyond, complexity, delay"):
        named("tabel")
