"""Packed results, as the operators give them, made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from latwin.spark.results import Results, VerdictRow
from latwin.spark.schemas import PACKED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def packed(session: SparkSession, **rows: list[dict[str, Any]]) -> DataFrame:
    """Rows as workers pack them: by kind, and without their nulls."""
    told = Results(msgspec.convert(rows.get("verdict", []), list[VerdictRow]), rows.get("reject", []))
    told.metrics = rows.get("metric", [])
    return session.createDataFrame(told.packed(), PACKED)


def a_verdict(slide: int, **fields: Any) -> dict[str, Any]:
    row = {"group": "g", "property": "p", "value": True, "changed": True, "slide": slide}
    return {**row, "kind": "state", "rules": 1, "growing": False, **fields}
