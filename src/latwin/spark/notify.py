"""Telling an application what changed, or what became final, in a stream of verdicts."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin.notify import Message, Messenger, message_of
from latwin.spark.schemas import as_record


class Notifier(Messenger):
    """For `foreachBatch` on a DataFrame of verdicts: tells an application of each *changed* verdict.

        latwin.spark.detect(events, spec).writeStream.foreachBatch(Notifier("http://phone/mute")).start()

    `target` is a URL, to which a message is POSTed as JSON, or a function that takes it as a dictionary. A message
    is a verdict's fields and an `id`, which is the same whenever the same verdict is told again.

    With `final` it is told of each *final* verdict instead, one that no later event can overturn: of a value that
    changed and is final at once, or of a true one that became final at a later slide. (Where verdicts are asked for
    at every slide, these are the verdicts of all slides at which the value is final.)

    The application is told at least once: a message that cannot be handed over is tried `tries` times, after
    `backoff_s` seconds, then twice as long, and so on; then the batch fails, and Spark replays it at the next
    start. Whoever acts on a message remembers its `id` and ignores it the second time. Messages of a
    group come in the order of its slides.
    """

    def __call__(self, verdicts: DataFrame, batch_id: int) -> None:
        """Tell of a batch; raises NotifyFailed as soon as a message cannot be handed over."""
        del batch_id
        self.tell_all(as_record(row) for row in verdicts.where(F.col(self.column)).collect())

    def tell_all(self, verdicts: Iterable[Message]) -> None:
        """Tell of verdicts; raises NotifyFailed as soon as a message cannot be handed over."""
        for verdict in verdicts:
            self.tell(message_of(verdict))
