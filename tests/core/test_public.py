"""The public surface: what is exported, that importing is light, and that memory stays flat."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

import pytest

import latwin
from latwin import LatWin, Monitor, Spec


def test_exported_members() -> None:
    assert latwin.__all__ == sorted(latwin.__all__)
    assert set(latwin.__all__) <= set(dir(latwin))
    for name in latwin.__all__:
        assert getattr(latwin, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = latwin.nothing


def test_every_exception_is_ours() -> None:
    from latwin import errors

    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, Exception):
            assert issubclass(value, latwin.LatwinError), name
            assert getattr(latwin, name) is value


def test_importing_is_light() -> None:
    """Neither the compiler nor the parser is loaded before they are needed."""
    code = "import sys, latwin, latwin.errors; print(sorted({'numba', 'lark', 'numpy', 'rich'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_runtime_of_programs_is_light() -> None:
    """What a phone carries: its exports, and neither arrays nor servers nor a loop until they are used."""
    from latwin import process

    assert sorted(process.__all__) == [
        "ATTRIBUTE",
        "FileReporter",
        "FolderReporter",
        "HEADER",
        "HttpReporter",
        "InvalidClock",
        "InvalidEvent",
        "InvalidInput",
        "JournalError",
        "KafkaReporter",
        "MemoryReporter",
        "Process",
        "Reporter",
        "Settings",
        "Stamp",
        "UnsentStates",
        "find_stamp",
        "read_stamp",
    ]
    for name in process.__all__:
        assert getattr(process, name) is not None
    heavy = {"numpy", "numba", "lark", "rich", "pyspark", "asyncio", "http.client", "http.server", "confluent_kafka"}
    code = f"import sys, latwin.process; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_memory_stays_flat() -> None:
    """Fewer states than the benchmark's ten million; every allocation is counted here."""
    spec = Spec.from_dict(
        {
            "processes": ["a", "b"],
            "window": 4,
            "properties": {"c": "definitely(a.x and b.x)", "s": "possibly(a.x + b.x == 1)"},
        }
    )
    lattice, monitor = LatWin(2, 4), Monitor(spec)

    def feed(begin: int, end: int) -> None:
        rows = []
        for i in range(begin, end):
            for k, name in enumerate("ab"):
                clock = [i, i - 1 + k]
                clock[k] = i
                lattice.push(k, clock, {"i": i})
                rows.append({"process": name, "clock": clock, "state": {"x": i % 3 == 0}})
        monitor.observe_many(rows)

    feed(1, 2000)
    tracemalloc.start()
    try:
        feed(2000, 2500)
        before = tracemalloc.get_traced_memory()[0]
        for begin in range(2500, 12500, 500):
            feed(begin, begin + 500)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 200_000  # free lists of the interpreter; 20,000 states kept would be ten times that
    assert monitor.slide == 2 * 12499
