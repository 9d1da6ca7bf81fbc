"""Results to Kafka's topics, and back from there.

A record's key is the group, its value the row as JSON; its headers name the checkpoint and the batch. All records
of a group are in one partition, verdicts in the order of slides.

Spark replays a batch that was not committed before a crash, and its Kafka writer would write it again. So the sink
notes in the checkpoint, before it writes a batch, where the topics end; the first batch of a start, and one that is
repeated, reads from there what of the batch is in the topics already, and writes what is missing:

    note (from batch 7, ends)  ->  records of 7  ->  Spark commits 7  ->  records of 8  ->  crash
                               a new start: the note counts from 7 on, so 8 is read back from its ends

The note is renewed after some batches, so that little is read back. A small batch is written by the driver, a large
one by Spark; both write the same rows, which are compared by what they say, not letter by letter.

What this cannot see is a writer that still writes when its successor has read back: a Spark that lost its driver, or
a task that is tried again within a batch. Then records can be repeated, with the same content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import NoneType
from typing import Any, get_args

import msgspec
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it
from pyspark.sql.types import StringType

from latwin.errors import InvalidInput
from latwin.spark.checkpoint_logs import REMEDY
from latwin.spark.files import Files
from latwin.spark.kafka.address import SinkAddress, parse_sink
from latwin.spark.kafka.client import Brokers, Offsets, client_config
from latwin.spark.kafka.producer import Producer, Record
from latwin.spark.pipeline import Outputs
from latwin.spark.schemas import RECORDED, SCHEMAS, TABLES, Table, stored_schema, with_added_columns
from latwin.spark.sinks.batch import Batch, FewRows
from latwin.spark.sinks.sink import Sink
from latwin.spark.sinks.summary import BatchSummary, Never

NOTE = "latwin-kafka.json"
CHECKPOINT_HEADER = "latwin-checkpoint"
BATCH_HEADER = "latwin-batch"
_RECORD = ("topic", "key", "value")
#: so many records at most are written by the driver; each costs it a few calls of Java
_FEW_RECORDS = 300
#: after so many batches the note is renewed
_RENEW_AFTER = 20
#: brokers take records of up to 1 MB unless told otherwise; a rejected event's text is cut off beyond this
_LONGEST_EVENT = 500_000
_SHOWN_EVENT = 10_000
#: what names a row, so that a repeated one is known; a reject is named by all that it says
_IDENTITIES = {
    "verdicts": ["group", "property", "slide"],
    "metrics": ["batch", "group"],
    "rejects": ["batch", "text"],
}


class _Note(msgspec.Struct):
    """From which batch on it counts, and where the topics ended before that one."""

    batch: int
    ends: Offsets


class KafkaSink(Sink):
    """For `foreachBatch` on `Outputs.packed`: writes each batch into the topics of a `kafka://` address.

    `checkpoint` is the query's checkpoint folder, where the sink keeps its note; `owner`, the checkpoint's id, goes
    with every record. `config` are settings of Kafka's client. `last` is the summary of the latest batch. Raises
    InvalidInput if a topic is missing, KafkaFailed if the brokers do not answer.
    """

    def __init__(
        self,
        address: SinkAddress,
        outputs: Outputs,
        *,
        checkpoint: str,
        owner: str,
        never: Never = (),
        config: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(outputs, never)
        self._address = address
        self._session = outputs.packed.sparkSession
        self._owner = owner
        settings = {"acks": "all", **client_config(address.servers, config or {}, "output")}
        self._options = {f"kafka.{name}": value for name, value in settings.items()}
        self._brokers = Brokers(self._session, settings)
        self._producer = Producer(self._session, settings)
        self._brokers.partitions(address.topics)
        self._files = Files(self._session)
        self._path = f"{checkpoint.rstrip('/')}/{NOTE}"
        self._note = self._read_note()
        #: the latest batch that was begun by this sink
        self._begun: int | None = None

    def write(self, batch: Batch, summary: BatchSummary) -> None:
        """Write what of a batch the topics do not have."""
        count = summary.verdicts + summary.rejects + summary.groups
        if not count:
            return
        is_new = self._begin(batch.number)
        if batch.rows is not None and count <= _FEW_RECORDS and isinstance(batch.outputs.time, NoneType | StringType):
            few = self._few_records(batch.rows)
            self._send(few if is_new else self._few_missing(few, batch.number), batch.number)
            return
        records = self._records(batch.outputs)
        self._write(records if is_new else self._missing(records, batch.number), batch.number)

    def close(self) -> None:
        """Close the connections for small batches."""
        self._producer.close()

    def _few_records(self, rows: FewRows) -> list[Record]:
        """The records of rows that are here, a group's verdicts in their order."""
        records = []
        recorded = [RECORDED.get(name, name) for name in rows.verdicts.column_names]
        tables = (rows.verdicts.rename_columns(recorded).to_pylist(), rows.rejects.rows(), rows.metrics.rows())
        for topic, schema, table in zip(self._address.topics, SCHEMAS.values(), tables, strict=True):
            for row in table:
                names = (RECORDED.get(name, name) for name in schema.names)
                value = {name: row.get(name) for name in names}
                event = value.get("event")
                if event is not None and len(msgspec.json.encode({"event": event})) > _LONGEST_EVENT:
                    value["event"] = event[:_SHOWN_EVENT]
                records.append(Record(topic, row.get("group"), msgspec.json.encode(value).decode()))
        return records

    def _few_missing(self, records: list[Record], batch_id: int) -> list[Record]:
        """Those of few records that the topics do not have; the same row may be there twice by right."""
        there = Counter(
            Record(row["topic"], row["key"], _meaning(row["value"])) for row in self._written(batch_id).collect()
        )
        missing = []
        for record in records:
            asked = record._replace(value=_meaning(record.value))
            if there[asked]:
                there[asked] -= 1
            else:
                missing.append(record)
        return missing

    def _send(self, records: list[Record], batch_id: int) -> None:
        if records:
            self._producer.send(records, {CHECKPOINT_HEADER: self._owner, BATCH_HEADER: str(batch_id)})

    def _records(self, rows: Outputs) -> DataFrame:
        """(topic, key, value) of all results; a group's verdicts stay in one partition, in their order."""
        event = F.col("event")
        is_long = F.octet_length(F.to_json(F.struct(event))) > _LONGEST_EVENT
        rejects = rows.rejects.withColumn(
            "event", F.when(is_long, F.substring(event, 1, _SHOWN_EVENT)).otherwise(event)
        )
        tables = zip(self._address.topics, (rows.verdicts, rejects, rows.metrics), strict=True)
        verdicts, rejects, metrics = (_as_records(topic, table) for topic, table in tables)
        return verdicts.unionAll(rejects).unionAll(metrics)

    def _begin(self, batch_id: int) -> bool:
        """See to it that a note counts for the batch; False if some of it may be written already."""
        note, before = self._note, self._begun
        self._begun = batch_id
        is_known = note is not None and note.batch <= batch_id and set(note.ends) == set(self._address.topics)
        if is_known and (before is None or before >= batch_id):
            return False
        if note is None or not is_known or batch_id >= note.batch + _RENEW_AFTER:
            self._note = _Note(batch_id, self._brokers.ends(self._address.topics))
            self._files.write(self._path, msgspec.json.encode(self._note))
        return True

    def _written(self, batch_id: int) -> DataFrame:
        """What of a batch is in the topics, with its place there."""
        assert self._note is not None
        begins = dict(self._note.ends)
        for topic, partitions in self._brokers.partitions(begins).items():
            begins[topic] = {number: begins[topic].get(number, 0) for number in partitions}
        return (
            self._session.read.format("kafka")
            .options(**self._options)
            .option("subscribe", ",".join(begins))
            .option("startingOffsets", msgspec.json.encode(begins).decode())
            .option("failOnDataLoss", "false")
            .option("includeHeaders", "true")
            .load()
            .where(_has_header(CHECKPOINT_HEADER, self._owner) & _has_header(BATCH_HEADER, str(batch_id)))
            .select(
                "topic", F.col("key").cast("string"), F.col("value").cast("string"), F.col("offset").alias("place")
            )
        )

    def _missing(self, records: DataFrame, batch_id: int) -> DataFrame:
        """The records of the batch that the topics do not have, a group's in the order they had."""
        # The same row may be there twice by right: the n-th of the batch is the n-th in the topic.
        asked = _numbered(records.withColumn("place", F.monotonically_increasing_id())).alias("asked")
        there = _numbered(self._written(batch_id)).alias("there")
        is_there = [F.col(f"asked.{name}").eqNullSafe(F.col(f"there.{name}")) for name in (*_RECORD, "number")]
        missing = asked.join(there, is_there, "left_anti")
        return missing.repartition("key").sortWithinPartitions("place").select(*_RECORD)

    def _write(self, records: DataFrame, batch_id: int) -> None:
        header = [_header(CHECKPOINT_HEADER, self._owner), _header(BATCH_HEADER, str(batch_id))]
        marked = records.withColumn("headers", F.array(*header))
        marked.write.format("kafka").options(**self._options).save()

    def _read_note(self) -> _Note | None:
        if not self._files.exists(self._path):
            return None
        try:
            return msgspec.json.decode(self._files.read(self._path), type=_Note)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise InvalidInput(f"{self._path}: this file is damaged; {REMEDY}") from None


def read_topic(
    session: SparkSession, output: str, table: Table, *, config: Mapping[str, str] | None = None
) -> DataFrame:
    """The rows of a Kafka output's table, each once, with their `checkpoint` and `batch`.

    What a consumer that must not act twice does too: verdicts that repeat (checkpoint, group, property, slide)
    are dropped.
    """
    if table not in get_args(Table):
        raise InvalidInput(f"table must be one of {', '.join(get_args(Table))}; got {table!r}")
    address = parse_sink(output)
    topic = dict(zip(get_args(Table), address.topics, strict=True))[table]
    settings = client_config(address.servers, config or {}, "output")
    Brokers(session, settings).partitions([topic])
    options = {f"kafka.{name}": value for name, value in settings.items()}
    records = (
        session.read.format("kafka")
        .options(**options)
        .option("subscribe", topic)
        .option("includeHeaders", "true")
        .load()
    )
    rows = records.select(
        F.col("value").cast("string").alias("text"),
        _header_value(CHECKPOINT_HEADER).alias("checkpoint"),
        _header_value(BATCH_HEADER).cast("bigint").alias("batch"),
        F.from_json(F.col("value").cast("string"), stored_schema(table)).alias("row"),
    ).where(F.col("checkpoint").isNotNull())
    flat = rows.select("text", "checkpoint", "batch", "row.*")
    once = flat.dropDuplicates(["checkpoint", *_IDENTITIES[table]])
    return with_added_columns(once, table).select(*TABLES[table].names, "checkpoint", "batch")


def _as_records(topic: str, rows: DataFrame) -> DataFrame:
    fields = (F.col(f"`{name}`").alias(RECORDED.get(name, name)) for name in rows.columns)
    value = F.to_json(F.struct(*fields), {"ignoreNullFields": "false"})
    return rows.select(F.lit(topic).alias("topic"), F.col("group").alias("key"), value.alias("value"))


def _meaning(value: str | None) -> str:
    """A JSON text as it is written here, whoever wrote it."""
    return msgspec.json.encode(msgspec.json.decode(value or "null"), order="deterministic").decode()


def _numbered(records: DataFrame) -> DataFrame:
    """Records with the `number` of each among those that are alike, by their place."""
    alike = Window.partitionBy(*_RECORD).orderBy("place")
    return records.withColumn("number", F.row_number().over(alike))


def _header(name: str, value: str) -> Column:
    return F.struct(F.lit(name).alias("key"), F.lit(value).cast("binary").alias("value"))


def _has_header(name: str, value: str) -> Column:
    def is_it(header: Column) -> Column:
        return (header["key"] == name) & (header["value"].cast("string") == value)

    return F.coalesce(F.exists("headers", is_it), F.lit(False))


def _header_value(name: str) -> Column:
    found: Any = F.filter("headers", lambda header: header["key"] == name)
    return F.try_element_at(found, F.lit(1))["value"].cast("string")
