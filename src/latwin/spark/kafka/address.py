"""What `kafka://host:port/topic?option=value` means, on either side of a pipeline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.decoding import decode_object

_FORM = "kafka://host:port/topic"
_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
_SERVER = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:\[\]@/]+):(\d{1,5})")
_COUNTS = ("maxOffsetsPerTrigger", "minOffsetsPerTrigger", "minPartitions")
_SOURCE_OPTIONS = ("startingOffsets", *_COUNTS, "maxTriggerDelay", "failOnDataLoss", "groupIdPrefix")
_SINK_OPTIONS = ("rejects", "metrics")


@dataclass(frozen=True)
class SourceAddress:
    """A topic to read. `servers` is `host:port[,host:port...]`; `options` are those of Spark's source."""

    servers: str
    topic: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SinkAddress:
    """The topics to write."""

    servers: str
    verdicts: str
    rejects: str
    metrics: str

    @property
    def topics(self) -> tuple[str, str, str]:
        """All of them: verdicts, rejects, metrics."""
        return self.verdicts, self.rejects, self.metrics


def is_kafka(place: str) -> bool:
    """Whether an input or output is meant to be Kafka's; if not, it is a folder."""
    return place.lower().startswith("kafka:")


def parse_source(uri: str) -> SourceAddress:
    """The topic that an input's URI names.

    Events are read from the topic's beginning unless `startingOffsets` says otherwise: a monitor that does not see
    the first states of a process waits for them. Raises InvalidInput for a URI that cannot be used.
    """
    servers, topic, options = _parse(uri, _SOURCE_OPTIONS)
    for name in _COUNTS:
        if name in options and not re.fullmatch(r"[1-9]\d*", options[name]):
            raise InvalidInput(f"{uri}: {name} must be a number from 1 up; got {options[name]!r}")
    begin = options.setdefault("startingOffsets", "earliest")
    if begin not in ("earliest", "latest") and not _is_object(begin):
        raise InvalidInput(f"{uri}: startingOffsets must be earliest, latest or Spark's JSON; got {begin!r}")
    return SourceAddress(servers, topic, options)


def parse_sink(uri: str) -> SinkAddress:
    """The topics that an output's URI names: `<topic>`, `<topic>.rejects` and `<topic>.metrics` unless given."""
    servers, topic, options = _parse(uri, _SINK_OPTIONS)
    rejects = _topic(uri, options.get("rejects", f"{topic}.rejects"))
    metrics = _topic(uri, options.get("metrics", f"{topic}.metrics"))
    if len({topic, rejects, metrics}) < 3:
        raise InvalidInput(
            f"{uri}: verdicts, rejects and metrics need three topics; they are {topic}, {rejects}, {metrics}"
        )
    return SinkAddress(servers, topic, rejects, metrics)


def _parse(uri: str, known: Iterable[str]) -> tuple[str, str, dict[str, str]]:
    try:
        parts = urlsplit(uri)
    except ValueError as error:  # of brackets that hold no address
        raise InvalidInput(f"a Kafka topic is named as {_FORM}; got {uri!r}: {error}") from None
    if parts.scheme != "kafka" or not parts.netloc or not uri[6:].startswith("//"):
        raise InvalidInput(f"a Kafka topic is named as {_FORM}; got {uri!r}")
    if "@" in parts.netloc:
        raise InvalidInput(
            f"a user and password do not belong into the URI ({_FORM}); give them by --kafka-config FILE"
        )
    for server in parts.netloc.split(","):
        found = _SERVER.fullmatch(server)
        if not found or not 1 <= int(found[2]) <= 65535:
            raise InvalidInput(f"{uri}: the broker must be given as host:port; got {server!r}")
    topic = unquote(parts.path.removeprefix("/"))
    if parts.fragment:
        raise InvalidInput(f"{uri}: what is behind '#' means nothing in {_FORM}")
    options: dict[str, str] = {}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name not in known:
            hint = "; settings of Kafka's client go into a file, --kafka-config FILE" if "." in name else ""
            raise InvalidInput(f"{uri}: unknown option {name!r}; there are {', '.join(known)}{hint}")
        options[name] = value
    return parts.netloc, _topic(uri, topic), options


def _topic(uri: str, name: str) -> str:
    if not name:
        raise InvalidInput(f"{uri}: the topic is missing; the form is {_FORM}")
    if not _TOPIC.fullmatch(name) or name in (".", ".."):
        raise InvalidInput(
            f"{uri}: a topic's name has 1 to 249 letters, digits, dots, underscores and hyphens; got {name!r}"
        )
    return name


def _is_object(text: str) -> bool:
    try:
        decode_object(text)
    except InvalidEvent:
        return False
    return True
