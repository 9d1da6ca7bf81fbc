"""Where a running pipeline finds new rules: the file of its spec, or a control topic of Kafka.

    SpecFile, SpecTopic ── look ──► a spec, or why there is none ──► ChangingRules ── take ──► the checkpoint

A wrong spec is refused and told once, and the rules of before go on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Protocol

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as every Spark program calls it

from latwin.document import parse_toml
from latwin.errors import InvalidEvent, InvalidInput, SpecError
from latwin.events.decoding import decode_object
from latwin.spark.causes import innermost_cause
from latwin.spark.checkpoint import Checkpoint, change_rules, known_rules, refuse_another_system
from latwin.spark.kafka.address import parse_source
from latwin.spark.kafka.client import Brokers, KafkaFailed, client_config
from latwin.spark.rules import Rules
from latwin.spec import Spec

#: seconds between two looks at a topic
_LOOK_EVERY_S = 2.0


@dataclass(frozen=True)
class Refused:
    """A spec that cannot be used, and why, in one line."""

    reason: str


class RulesSource(Protocol):
    """A place where new rules appear."""

    def look(self) -> Spec | Refused | None:
        """What appeared since the last look, if anything did; at the first look, what is there."""


class SpecFile:
    """A spec's file. A content counts once two looks in a row found it: an editor may write it in pieces."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._taken: bytes | None = None
        self._seen: bytes | None = None

    def look(self) -> Spec | Refused | None:
        """The spec in the file, if it is another than before."""
        try:
            text = self._path.read_bytes()
        except OSError:  # as while an editor replaces it; a file that stays away changes nothing
            return None
        is_settled, self._seen = self._taken is None or text == self._seen, text
        if text == self._taken or not is_settled:
            return None
        self._taken = text
        return read_spec(text, str(self._path))


class SpecTopic:
    """A control topic of one partition: the value of its last record is the spec, as TOML or JSON."""

    def __init__(
        self,
        session: SparkSession,
        uri: str,
        config: dict[str, str] | None = None,
        *,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Raises InvalidInput if the topic does not exist or has several partitions."""
        address = parse_source(uri)
        self._session, self._topic = session, address.topic
        settings = client_config(address.servers, config or {}, "input")
        self._options = {f"kafka.{name}": value for name, value in settings.items()}
        self._brokers = Brokers(session, settings)
        partitions = self._brokers.partitions([self._topic])[self._topic]
        if len(partitions) > 1:
            raise InvalidInput(
                f"{uri}: a topic of rules must have one partition, so that its last record is known; it has "
                f"{len(partitions)}"
            )
        self._clock = clock
        self._next_look = -1.0
        self._end = 0
        self._is_silent = False

    def look(self) -> Spec | Refused | None:
        """The spec in the last record, if there is a new one; it asks the brokers every few seconds only."""
        if self._clock() < self._next_look:
            return None
        self._next_look = self._clock() + _LOOK_EVERY_S
        try:
            (end,) = self._brokers.ends([self._topic])[self._topic].values()
            if end <= self._end:
                self._is_silent = False
                return None
            value = self._last_value()
        except (KafkaFailed, PySparkException) as error:  # it may pass, and the rules of before go on meanwhile
            was_silent, self._is_silent = self._is_silent, True
            reason = str(error) if isinstance(error, KafkaFailed) else innermost_cause(error)
            return None if was_silent else Refused(f"the topic {self._topic} cannot be read: {reason}")
        self._end, self._is_silent = end, False
        return None if value is None else read_spec(value, f"the last record of {self._topic}")

    def _last_value(self) -> bytes | None:
        """The value of the last record; None if there are none, as where all of them have expired."""
        records = self._session.read.format("kafka").options(**self._options).option("subscribe", self._topic).load()
        # Not simply the one before the end: markers of transactions take offsets, too.
        last = records.orderBy(F.desc("offset")).select("value").limit(1).collect()
        return bytes(last[0]["value"] or b"") if last else None


def read_spec(content: bytes, source: str) -> Spec | Refused:
    """The spec in a text of TOML, or of JSON, which begins with a brace."""
    try:
        text = content.decode("utf-8-sig")
        if text.lstrip().startswith("{"):
            return Spec(decode_object(text), source=source)
        return Spec(parse_toml(text, source), source=source, text=text.replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        return Refused(f"{source}: must be UTF-8 text: {error}")
    except (InvalidEvent, SpecError) as error:
        reason = str(error).splitlines()[0]
        return Refused(reason if reason.startswith(source) else f"{source}: {reason}")


class ChangingRules:
    """The rules of a running pipeline: those in its checkpoint, and what its source offers instead."""

    def __init__(
        self,
        session: SparkSession,
        directory: str,
        source: RulesSource | None,
        on_refused: Callable[[Refused], object],
    ) -> None:
        self._session = session
        self._directory = directory
        self._source = source
        self._on_refused = on_refused
        #: why rules were refused so far
        self.refused: list[str] = []
        self._check: Callable[[Spec], None] = lambda _: None
        self._offered: Spec | None = None
        self._current: Rules | None = None

    @property
    def rules(self) -> Rules:
        """The rules that batches follow."""
        assert self._current is not None, "`first` and `follow` come first"
        return self._current

    def number_of(self, batch: int) -> int:
        """The version that a batch follows."""
        return self.rules.at(batch).number

    def never_of(self, batch: int) -> tuple[str, ...]:
        """The properties that must not come true in a batch."""
        return self.rules.at(batch).checked().never

    def first(self, spec: Spec) -> Spec:
        """The spec to begin with: what the source offers, if it can be used.

        If that is wrong, the latest rules of the checkpoint go on; `spec` counts where there is neither.
        """
        offered = self._source.look() if self._source is not None else None
        if offered is None:
            return spec
        self._current = known_rules(self._session, self._directory) or Rules.of(spec)
        return self._usable(offered) or self.rules.latest.checked()

    def follow(self, checkpoint: Checkpoint) -> None:
        """Compare what is offered with these rules from now on."""
        self._current, self._offered = checkpoint.rules, None

    def require(self, check: Callable[[Spec], None]) -> None:
        """From now on refuse what this check raises InvalidInput for, too."""
        self._check = check

    def are_offered(self) -> bool:
        """Whether there are other rules that can be used; asked a few times a second."""
        found = self._source.look() if self._source is not None else None
        if found is not None:
            usable = self._usable(found)
            if usable is not None:  # a wrong one leaves what was offered before
                self._offered = None if usable == self.rules.latest.checked() else usable
        return self._offered is not None

    def take(self) -> Checkpoint:
        """Let the next batch follow the offered rules: write them into the checkpoint, on which no query may run."""
        assert self._offered is not None
        changed = change_rules(self._session, self._directory, self._offered)
        self.follow(changed)
        return changed

    def _usable(self, found: Spec | Refused) -> Spec | None:
        if isinstance(found, Spec):
            try:
                refuse_another_system("new rules", self.rules, found)
                self._check(found)
            except InvalidInput as error:
                found = Refused(str(error))
        if isinstance(found, Refused):
            self.refused.append(found.reason)
            self._on_refused(found)
            return None
        return found
