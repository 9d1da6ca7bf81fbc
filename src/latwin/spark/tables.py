"""What `delta:PATH` and `table:NAME` mean, on either side of a pipeline."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pyspark.sql import SparkSession

from latwin.errors import InvalidInput
from latwin.outputs.manifest import Table
from latwin.spark.kafka.address import is_kafka

_PREFIXES = ("delta:", "table:")
_NAME = re.compile(r"[^\s.`;]+(\.[^\s.`;]+){0,2}")


@dataclass(frozen=True)
class TableAddress:
    """A Delta table by its path, or a table by its name in a catalog."""

    kind: Literal["delta", "table"]
    name: str

    def of(self, table: Table) -> str:
        """Where one of the three results goes: a folder below the path, or a table of its own."""
        if self.kind == "delta":
            return f"{self.name.rstrip('/')}/{table}"
        return self.name if table == "verdicts" else f"{self.name}_{table}"


def is_table(place: str) -> bool:
    """Whether an input or output is meant to be a table."""
    return place.startswith(_PREFIXES)


def is_named(place: str) -> bool:
    """Whether an input or output is something else than a folder: a topic or a table."""
    return is_kafka(place) or is_table(place)


def parse_table(place: str) -> TableAddress:
    """The table that an input or output names; InvalidInput if it names none."""
    kind, _, name = place.partition(":")
    if kind == "delta" and name:
        return TableAddress("delta", name)
    if kind == "table" and _NAME.fullmatch(name):
        return TableAddress("table", name)
    raise InvalidInput(f"a table is named as delta:PATH or table:NAME (or table:CATALOG.SCHEMA.NAME); got {place!r}")


def provider_of(session: SparkSession, name: str) -> str:
    """Which format a table of the catalog has, such as delta, iceberg or parquet."""
    for row in session.sql(f"DESCRIBE TABLE EXTENDED {name}").collect():
        if row["col_name"] == "Provider":
            return str(row["data_type"]).lower()
    return "unknown"
