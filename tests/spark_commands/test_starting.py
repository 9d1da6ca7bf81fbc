"""A command that is stopped while Spark is still starting ends at once, and leaves no Java behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from commands import TWO, write
from killing import PATIENCE_S, kill, wait_until

#: stands for a Spark whose Java is still starting; it is to be found by its number
_SUBMIT = """#!/bin/sh
echo $$ > "$SPARK_HOME/number.new"
mv "$SPARK_HOME/number.new" "$SPARK_HOME/number"
exec sleep 600
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.soak), signal.SIGTERM], ids=["SIGINT", "SIGTERM"]
)
def test_a_signal_while_spark_starts(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "events").mkdir()
    submit = Path(write(tmp_path / "bin" / "spark-submit", _SUBMIT))
    submit.chmod(0o755)
    places = ["--input", "events", "--out", "out", "--checkpoint", "state"]
    process = subprocess.Popen(
        [sys.executable, "-m", "latwin", "run", write(tmp_path / "two.toml", TWO), *places],
        cwd=tmp_path,
        env={**os.environ, "SPARK_HOME": str(tmp_path)},
        stderr=subprocess.PIPE,
    )
    found = tmp_path / "number"
    try:
        wait_until(lambda: found.exists() or process.poll() is not None)
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
        was_left = found.exists() and kill(int(found.read_text()))
    assert (process.returncode, said) == (130, b"")
    assert not was_left
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin", "events", "number", "two.toml"]
