"""What can be done with a checkpoint while no pipeline runs on it: look at its groups, forget some, rescale it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from latwin.errors import InvalidInput
from latwin.spark.causes import innermost_cause
from latwin.spark.checkpoint import forget_groups, partitions_of
from latwin.spark.files import Files
from latwin.spark.lease import hold_lease
from latwin.spark.operators import STATE
from latwin.spark.packing import shard_of
from latwin.spark.stored_groups import StoredGroup, groups_in


def read_groups(session: SparkSession, checkpoint: str, only: str | None = None) -> Iterator[StoredGroup]:
    """The groups in the state of a checkpoint, by shard, as of its last finished batch; or `only` one of them.

    A pipeline may run meanwhile. Raises InvalidInput if there is no state that can be read.
    """
    _require(session, checkpoint)
    try:
        reader = session.read.format("statestore").option("path", checkpoint).option("stateVarName", STATE)
        rows = reader.load().selectExpr("key.shard as shard", "value.groups as groups")
        rows = rows if only is None else rows.where(f"shard = {shard_of(only)}")
        for row in rows.orderBy("shard").toLocalIterator():
            found = groups_in(bytes(row["groups"]), row["shard"])
            yield from (group for group in found if only is None or group.group == only)
    except (PySparkException, Py4JJavaError) as error:
        raise InvalidInput(f"{checkpoint}: its state cannot be read: {innermost_cause(error)}") from error


def forget(session: SparkSession, checkpoint: str, groups: Sequence[str]) -> None:
    """Let a pipeline forget groups: each ends before its next event, once, with a notice.

    Raises InvalidInput while a pipeline runs, and for the checkpoint of a query that is not `latwin run`'s.
    """
    _require(session, checkpoint)
    with hold_lease(Files(session), checkpoint):
        forget_groups(session, checkpoint, groups)


def rescale(session: SparkSession, checkpoint: str, partitions: int) -> tuple[int, int]:
    """Spread the state over another number of shuffle partitions; the number of before, and that of now.

    Spark writes the state anew, as a batch without events, so that a crash midway leaves the checkpoint as it was.
    The query goes on as if nothing had happened, with as many tasks for its state as there are partitions. Raises
    InvalidInput while a pipeline runs, after a batch that did not finish, or where Spark cannot do it.
    """
    if partitions < 1:
        raise InvalidInput(f"--partitions must be a whole number from 1 up; got {partitions}")
    _require(session, checkpoint)
    before = partitions_of(session, checkpoint)
    if before == partitions:
        return before, partitions
    if not hasattr(session, "_streamingCheckpointManager"):
        raise InvalidInput(f"PySpark {session.version} cannot repartition a state; 4.2 and later can")
    with hold_lease(Files(session), checkpoint):
        try:
            session._streamingCheckpointManager.repartition(checkpoint, partitions)
        except (PySparkException, Py4JJavaError) as error:
            cause = innermost_cause(error)
            if "LAST_BATCH_FAILED" in cause:
                cause = "its last batch did not finish; let the pipeline finish it first, as with `latwin run --once`"
            raise InvalidInput(f"{checkpoint}: cannot be rescaled: {cause}") from error
    return before, partitions


def _require(session: SparkSession, checkpoint: str) -> None:
    names = Files(session).names(checkpoint)
    if "state" not in names or "offsets" not in names:
        there = f"it has {', '.join(names[:5])}" if names else "it is not there, or empty"
        raise InvalidInput(f"{checkpoint} is no checkpoint with a state: {there}")
    _ = session.streams  # Spark can read states once this is there; its first query would make it, too
