"""The answers of an independent brute-force oracle, through `LatWin` and through `Monitor`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from latwin import LatWin, Monitor, Spec
from latwin.delivery import ReorderBuffer
from latwin.events import Arrival
from monitoring import told_of

CASES = sorted((Path(__file__).parent / "conformance").glob("*.jsonl"))


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    arrivals = [line["arrival"] for line in lines if "arrival" in line]
    return lines[0], arrivals, [line["expect"] for line in lines if "expect" in line]


def two(values: tuple[bool, ...]) -> bool:
    return sum(values) >= 2


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_latwin(path: Path) -> None:
    header, arrivals, expected = read(path)
    n = header["processes"]
    lattice = LatWin(n, header["window"], initial=[False] * n)
    buffer = ReorderBuffer(n, causal=False)
    answers = []
    for position, arrival in enumerate(arrivals):
        process, clock = arrival["process"], arrival["clock"]
        buffer.add(Arrival(process, clock[process], clock, arrival["on"], None))
        for state in buffer.release(process):
            lattice.push(process, state.clock, state.state)
            buffer.through[process] = state.index
            answers.append(
                {
                    "after": position,
                    "process": process,
                    "index": state.index,
                    "size": len(lattice),
                    "least": list(lattice.least) if lattice.least else None,
                    "greatest": list(lattice.greatest) if lattice.greatest else None,
                    "possibly_all": lattice.possibly_all(bool),
                    "definitely_all": lattice.definitely_all(bool),
                    "possibly_two": lattice.possibly(two),
                    "definitely_two": lattice.definitely(two),
                }
            )
    assert answers == expected


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_monitor(path: Path) -> None:
    header, arrivals, expected = read(path)
    processes = [f"p{k}" for k in range(header["processes"])]
    window = header["window"]
    every = " and ".join(f"{name}.on" for name in processes)
    at_least_two = " + ".join(f"{name}.on" for name in processes) + " >= 2"
    spec = Spec.from_dict(
        {
            "processes": processes,
            "window": window if isinstance(window, int) else dict(zip(processes, window, strict=True)),
            "initial": {name: {"on": False} for name in processes},
            "properties": {
                "possibly_all": f"possibly({every})",
                "definitely_all": f"definitely({every})",
                "possibly_two": f"possibly({at_least_two})",
                "definitely_two": f"definitely({at_least_two})",
            },
        }
    )
    events = [{"process": processes[a["process"]], "clock": a["clock"], "state": {"on": a["on"]}} for a in arrivals]
    monitor = Monitor(spec)
    verdicts = monitor.observe_many(events, every=True)
    assert not verdicts.notices
    assert len(verdicts) == 4 * len(expected)
    for slide, answer in enumerate(expected):
        for verdict in verdicts[4 * slide : 4 * slide + 4]:
            assert verdict.slide == slide + 1
            assert (verdict.process, verdict.index) == (processes[answer["process"]], answer["index"])
            assert verdict.value == answer[verdict.property]
            assert verdict.least == (answer["least"] and tuple(answer["least"]))
            assert verdict.greatest == (answer["greatest"] and tuple(answer["greatest"]))
            assert verdict.cuts in (None, answer["size"])
    # Only what is told, in runs: the same, thinned out.
    assert Monitor(spec).observe_many(events) == told_of(verdicts)


def test_all_cases_are_here() -> None:
    assert len(CASES) == 8
