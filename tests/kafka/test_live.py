"""The live office through Kafka: its devices produce to a real broker, and the pipeline reads from there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark")

from latwin.demo.live import Happening, LiveOffice

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from kafka_broker import Broker

SEED = 15


@pytest.mark.soak
def test_the_pipeline_mutes_the_phone(spark: SparkSession, broker: Broker, tmp_path: Path) -> None:
    """Twice over one topic: the second office is not disturbed by the first one's events."""
    topic = broker.create("office", 2)
    for number in range(2):
        heard: list[Happening] = []
        where = f"{broker.server}/{topic}"
        office = LiveOffice(tmp_path / str(number), seconds=4, seed=SEED, kafka=where, on_happening=heard.append)
        done = office.run(spark)
        assert done.is_equal
        assert done.states == sum(said.text for said in heard if said.kind == "rests") > 0
