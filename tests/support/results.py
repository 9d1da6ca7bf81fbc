"""Packed results, as the operators give them, made by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from latwin.spark.schemas import PACKED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def packed(session: SparkSession, **rows: list[dict[str, Any]]) -> DataFrame:
    return session.createDataFrame([(kind, len(some), json.dumps(some)) for kind, some in rows.items()], PACKED)


def a_verdict(slide: int, **fields: Any) -> dict[str, Any]:
    return {"group": "g", "property": "p", "value": True, "changed": True, "slide": slide, **fields}
