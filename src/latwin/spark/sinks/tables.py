"""Results to Delta tables, by path or by name.

Delta keeps, with each commit, the number of the latest batch that an application has written (`txnAppId`,
`txnVersion`), and leaves out a write with a number that is not higher. So a batch that Spark replays after a crash is
written once to each of the three tables. Spark offers nothing like it for other formats of a catalog's tables, so an
append to them could not be told from its repetition; they are refused.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin.errors import InvalidInput
from latwin.outputs.manifest import TABLES
from latwin.spark.delta import require_delta
from latwin.spark.pipeline import Outputs
from latwin.spark.sinks.batch import Batch
from latwin.spark.sinks.sink import Sink
from latwin.spark.sinks.summary import BatchSummary, Never
from latwin.spark.tables import TableAddress, provider_of


class TableSink(Sink):
    """For `foreachBatch` on `Outputs.packed`: appends each batch to three Delta tables, which it makes if need be.

    `owner`, the checkpoint's id, is the application in Delta's sense: batches are numbered anew with each checkpoint.
    """

    def __init__(self, address: TableAddress, outputs: Outputs, *, owner: str, never: Never = ()) -> None:
        super().__init__(outputs, never)
        self._address = address
        self._owner = owner
        session = outputs.packed.sparkSession
        require_delta(session)
        for table in TABLES if address.kind == "table" else ():
            name = address.of(table)
            if session.catalog.tableExists(name) and (there := provider_of(session, name)) != "delta":
                raise InvalidInput(
                    f"the table {name} is a table of {there}: Spark can append to it, but not so that a batch "
                    "that is repeated after a crash appears once. Use a Delta table, a folder or a Kafka topic"
                )

    def write(self, batch: Batch, summary: BatchSummary) -> None:
        """Append the rows of a batch to each table, unless they are there."""
        for table, count in zip(TABLES, (summary.verdicts, summary.rejects, summary.groups), strict=True):
            if not count:
                continue
            rows = batch.table(table)
            session = batch.outputs.packed.sparkSession
            marked: DataFrame = (
                session.createDataFrame(rows).coalesce(1)
                if rows is not None
                else getattr(batch.outputs, table).withColumn("batch", F.lit(batch.number).cast("bigint"))
            )
            options: dict[str, Any] = {"txnAppId": f"{self._owner}-{table}", "txnVersion": batch.number}
            writer = marked.write.format("delta").mode("append").options(**options)
            place = self._address.of(table)
            if self._address.kind == "delta":
                writer.save(place)
            else:
                writer.saveAsTable(place)
