"""Shared settings of the tests: deterministic examples, and a compile cache that follows the kernels."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

from effort import examples
from short_lived import SETTINGS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from kafka_broker import Broker

ROOT = Path(__file__).parents[1]

# A shell starts what runs in its background deaf to SIGINT, and programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Numba renews a cached kernel when its own file changes, but not when a kernel it calls does. A cache folder
# named after the content of all kernels cannot be stale.
_kernels = sorted((ROOT / "src/latwin/lattice/kernels").glob("*.py"))
_digest = hashlib.sha256(b"".join(path.read_bytes() for path in _kernels)).hexdigest()[:12]
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / "build" / f"numba-{_digest}"))

# The same examples in every run: a failure can be repeated, a pass says the same everywhere.
# `HYPOTHESIS_PROFILE=thorough` tries eight times as many; `explore` draws new ones and prints how to repeat a
# failure; `quick` does not shrink.
_common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("fixed", derandomize=True, max_examples=examples(100), **_common)  # type: ignore[arg-type]
settings.register_profile("thorough", derandomize=True, max_examples=100, **_common)  # type: ignore[arg-type]
settings.register_profile("explore", print_blob=True, max_examples=1000, **_common)  # type: ignore[arg-type]
settings.register_profile("quick", derandomize=True, phases=[Phase.generate], **_common)  # type: ignore[arg-type]
# `cover` tries few examples: with the kernels interpreted each takes long, and only the lines count then.
settings.register_profile("cover", derandomize=True, phases=[Phase.generate], max_examples=examples(100), **_common)  # type: ignore[arg-type]
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels once before the workers start, each of which would otherwise compile them for itself."""
    is_controller = getattr(session.config.option, "numprocesses", None) and not hasattr(
        session.config, "workerinput"
    )
    if is_controller and "NUMBA_DISABLE_JIT" not in os.environ:
        warming = [sys.executable, str(ROOT / "tests/support/warming.py")]
        parts = [subprocess.Popen([*warming, part]) for part in ("slides", "questions")]
        codes = [part.wait() for part in parts]
        if any(codes):
            raise pytest.UsageError("the kernels cannot be compiled")


#: folders whose tests share a worker, with its Spark session and broker, or browser; of `spark` those that use one
_TOGETHER = {"spark": "spark", "spark_commands": "more spark", "kafka": "more spark", "browser": "browser"}
#: files of the first of them that share the session of others, so that both take equally long
_APART = ("test_run", "test_rows")


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need Spark, so that they can be left out; put those that share it together, and first."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)
        folder = item.path.relative_to(ROOT / "tests").parts[0]
        is_alone = folder == "spark" and item.get_closest_marker("spark") is None
        if folder in _TOGETHER and not is_alone:
            is_apart = folder == "spark" and item.path.stem in _APART
            item.add_marker(pytest.mark.xdist_group("more spark" if is_apart else _TOGETHER[folder]))
    # The longest first, as each of these is done by one worker; the many short tests fill the gaps.
    items.sort(key=lambda item: not _is_long(item))


def _is_long(item: pytest.Item) -> bool:
    marks = {mark.name for mark in item.iter_markers()}
    return bool(marks & {"xdist_group", "slow"}) or "crash" in item.path.parts


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One local Spark for the whole run: two cores, two partitions, no pages, Kafka if it can be had."""
    from kafka_broker import connector_jars
    from latwin.spark import create_session
    from latwin.spark.packages import JarsMissing

    try:
        jars = connector_jars()
    except JarsMissing as error:
        print(f"Kafka's tests will fail: {error}")
        session = create_session("local[2]", SETTINGS)
    else:
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # of another version, where it must be
            session = create_session("local[2]", SETTINGS, kafka=True, jars=jars)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker]:
    """One Kafka broker on this machine for the whole run."""
    from kafka_broker import Broker

    with Broker() as started:
        yield started


# -- the command line ----------------------------------------------------------------------------------


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wishes about colours and widths from outside."""
    for name in ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def two(tmp_path: Path) -> str:
    """A file with a small spec."""
    from commands import TWO, write

    return write(tmp_path / "two.toml", TWO)


@pytest.fixture
def some(tmp_path: Path) -> str:
    """A file with events for it: one is repeated, and one comes too early."""
    from commands import SOME_EVENTS, write

    return write(tmp_path / "some.jsonl", SOME_EVENTS)
