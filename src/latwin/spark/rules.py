"""Which version of the rules a batch follows: the log of versions that a checkpoint keeps.

Rules are the fields of a spec that may change while groups live on (`latwin.spec.FREE_FIELDS`). Every version says
from which batch on it counts, and that is written before the batch begins. So a batch that is repeated after a crash
follows the same version as before, and every row is written once under one version:

    version 1, from batch 0     0 1 2 3
    version 2, from batch 4             4 5          a batch that has offsets in the checkpoint keeps its version
    version 3, from batch 6                 6 ...

Plain data, sent to the workers with the query. They learn from Spark which batch they work on.
"""

from __future__ import annotations

from typing import Any

import msgspec

from latwin.spec import Spec

FIRST = 1
#: under this name Spark tells every task of a streaming query the number of its batch
_BATCH_ID = "streaming.sql.batchId"


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A spec, the number of its version, and the batch from which on it counts."""

    number: int
    from_batch: int
    #: `Spec.to_dict`
    spec: dict[str, Any]

    def checked(self) -> Spec:
        """The spec itself."""
        return Spec.from_dict(self.spec)


class Rules(msgspec.Struct, frozen=True):
    """The versions that batches may still need, oldest first: at least one."""

    versions: tuple[Version, ...]

    @classmethod
    def of(cls, spec: Spec, number: int = FIRST) -> Rules:
        """One version for all batches."""
        return cls((Version(number=number, from_batch=0, spec=spec.to_dict()),))

    @property
    def latest(self) -> Version:
        """The version that counts from now on."""
        return self.versions[-1]

    def at(self, batch: int) -> Version:
        """The version that a batch follows: the latest that counts by then."""
        # What was pruned is never asked for; should it be, the oldest version is the nearest.
        return next((each for each in reversed(self.versions) if each.from_batch <= batch), self.versions[0])

    def followed_by(self, spec: Spec, from_batch: int) -> Rules:
        """The same with one more version, and without all that no batch can need any more.

        `from_batch` is the first batch without offsets: of those before, only the last one may be repeated.
        """
        latest = Version(number=self.latest.number + 1, from_batch=from_batch, spec=spec.to_dict())
        repeatable = self.at(from_batch - 1)
        return Rules((repeatable, latest) if repeatable.from_batch < from_batch else (latest,))


def running_batch() -> int:
    """In a Spark task: the number of the micro-batch that it works on; 0 where there is none, as in a batch query."""
    return streaming_batch() or 0


def streaming_batch() -> int | None:
    """The same; None where there is none."""
    from pyspark import TaskContext

    context = TaskContext.get()
    told = None if context is None else context.getLocalProperty(_BATCH_ID)
    return None if told is None else int(told)
