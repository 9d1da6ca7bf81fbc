"""Events from tables: Delta tables by path, and tables of a catalog that Spark can stream."""

from __future__ import annotations

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from latwin.errors import InvalidInput
from latwin.spark.delta import require_delta
from latwin.spark.sources.columns import ColumnSource
from latwin.spark.sources.files import Reading
from latwin.spark.tables import TableAddress


def table_source(session: SparkSession, address: TableAddress, reading: Reading) -> ColumnSource:
    """A table's rows as they are appended; InvalidInput if there is no such table, or it cannot be streamed.

    Its columns are events as `latwin.spark.outputs` takes them. A row that is changed or removed in the table ends
    the query, as Delta has it: an event that was observed cannot be taken back.
    """
    try:
        return ColumnSource.of(_stream(session, address, reading.limit), reading.columns)
    except AnalysisException as error:
        reason = str(error).partition("\n")[0].partition(" SQLSTATE")[0]
        raise InvalidInput(f"{address.kind}:{address.name} cannot be read as a stream: {reason}") from None


def _stream(session: SparkSession, address: TableAddress, limit: dict[str, int]) -> DataFrame:
    reader = session.readStream.options(**limit)
    if address.kind == "table":
        return reader.table(address.name)
    require_delta(session)
    return reader.format("delta").load(address.name)
