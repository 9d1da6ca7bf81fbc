"""Nothing lost and nothing twice when the driver, its JVM or a Python worker is killed at random moments.

LATWIN_KILLS sets how many kills (1 unless given), LATWIN_SEED the seed.
"""

from __future__ import annotations

import os
import random
from functools import partial
from pathlib import Path

import pytest

import crash_pipeline
from crash_traffic import check_rows, kill_at_random_moments
from crashing import rows_in

KILLS = int(os.environ.get("LATWIN_KILLS", "1"))
SEED = int(os.environ.get("LATWIN_SEED", "20260131"))


@pytest.mark.spark
def test_kills_at_random_moments(tmp_path: Path) -> None:
    print(f"seed={SEED} kills={KILLS} folder={tmp_path}")
    source = kill_at_random_moments(random.Random(SEED), tmp_path, Path(crash_pipeline.__file__), KILLS)
    check_rows(partial(rows_in, tmp_path / "output"), source)
