"""Packed results, as the operators give them, made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from latwin.spark.results import Results
from latwin.spark.schemas import PACKED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def packed(session: SparkSession, **rows: list[dict[str, Any]]) -> DataFrame:
    """Rows as workers pack them: by kind, and without the columns that are usual in all rows."""
    told = Results(rejects=rows.get("reject", []), metrics=rows.get("metric", []))
    for row in rows.get("verdict", []):
        told.told.extend({name: [value] for name, value in row.items()})
    return session.createDataFrame(told.packed(), PACKED)


def a_verdict(slide: int, **fields: Any) -> dict[str, Any]:
    row = {"group": "g", "property": "p", "value": True, "changed": True, "slide": slide}
    return {**row, "kind": "state", "rules": 1, "growing": False, **fields}
