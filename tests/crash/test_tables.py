"""The same with Delta tables at either end: every row once, whatever is killed.

LATWIN_KILLS sets how many kills for each pair of ends (3 unless given: one of each kind), LATWIN_SEED the seed.
"""

from __future__ import annotations

import json
import os
import random
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

import crash_tables
from crash_traffic import check_rows, kill_at_random_moments
from crashing import rows_in
from delta_log import delta_rows
from kafka_broker import delta_jars
from latwin.spark.packages import JarsMissing

KILLS = int(os.environ.get("LATWIN_KILLS", "3"))
SEED = int(os.environ.get("LATWIN_SEED", "20260131"))


@pytest.mark.soak
@pytest.mark.spark
@pytest.mark.parametrize(("input", "output"), [("delta", "delta"), ("files", "delta"), ("delta", "folder")])
def test_kills_with_tables_at_the_ends(tmp_path: Path, input: str, output: str) -> None:
    try:
        jars = delta_jars()
    except JarsMissing as error:
        pytest.skip(f"no Delta for this pyspark: {error}")
    print(f"{input} to {output}, seed={SEED} kills={KILLS} folder={tmp_path}")
    (tmp_path / "places.json").write_text(json.dumps({"input": input, "output": output, "jars": str(jars)}))
    source = kill_at_random_moments(random.Random(SEED), tmp_path, Path(crash_tables.__file__), KILLS)
    check_rows(partial(delta_rows if output == "delta" else rows_in, tmp_path / "output"), source)
