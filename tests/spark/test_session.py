"""What a new session gets, and what it needs."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

from latwin.errors import InvalidInput
from latwin.spark.session import quiet_logging, require_own_address, with_attempts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize(
    ("given", "got"),
    [
        ("local", "local[1,4]"),
        ("local[*]", "local[*,4]"),
        ("local[2]", "local[2,4]"),
        ("local[ 2 ]", "local[2,4]"),
        ("local[2,1]", "local[2,1]"),
        ("local[*, 8]", "local[*, 8]"),
        ("local-cluster[2,1,1024]", "local-cluster[2,1,1024]"),
        ("spark://host:7077", "spark://host:7077"),
        ("yarn", "yarn"),
        ("k8s://https://host", "k8s://https://host"),
    ],
)
def test_local_masters_get_attempts(given: str, got: str) -> None:
    assert with_attempts(given) == got
    assert with_attempts(got) == got


OPTIONS = "spark.driver.extraJavaOptions"


def test_spark_is_quiet_unless_logging_is_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPARK_CONF_DIR", "SPARK_HOME"):
        monkeypatch.delenv(name, raising=False)
    quiet = quiet_logging("-Xss4m")[OPTIONS]
    assert quiet.startswith("-Xss4m -Dlog4j2.configurationFile=file:///")
    assert quiet.endswith("/log4j2.properties")
    assert quiet_logging("-Dlog4j2.configurationFile=mine.properties") == {}
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert quiet_logging() != {}
    (tmp_path / "log4j2.xml").touch()
    assert quiet_logging() == {}


def test_a_machine_whose_name_has_no_address_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARK_LOCAL_IP", raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", _unknown)
    with pytest.raises(InvalidInput, match=r"the name of this machine, '.+', has no address; add it to"):
        require_own_address()
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    require_own_address()


def _unknown(*_: object) -> None:
    raise socket.gaierror("Name or service not known")


def test_the_session_of_the_tests_has_them(spark: SparkSession) -> None:
    """A task that fails at first, as one whose worker does not start in time, is tried again."""
    assert spark.sparkContext.master == "local[2,4]"
    assert spark.conf.get("spark.python.authenticate.socketTimeout") == "120s"

    def fail_at_first(_: int) -> int:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        if context.attemptNumber() < 3:
            raise OSError("a hiccup")
        return context.attemptNumber()

    assert spark.sparkContext.parallelize([0], 1).map(fail_at_first).collect() == [3]


def test_what_shares_a_session_shares_a_worker(request: pytest.FixtureRequest, spark: SparkSession) -> None:
    """Where tests run side by side, by the marks of conftest.py; some versions of pytest ignore them silently."""
    del spark
    if request.config.getoption("loadgroup", False):
        assert request.node.nodeid.endswith("@spark")
