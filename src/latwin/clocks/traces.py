"""Traces as steps: a span's start and end are states of its service, parents and links are messages.

The spans may be those of OpenTelemetry (OTLP/JSON), Jaeger or Zipkin.

Which messages, and why:

    parent's start -> child's start     a child carries its parent's id, which was made when the parent started
    linked span's start -> start        likewise; whether the linked span had ended by then cannot be known
    server's end -> client's end        a client span ends with the answer, a server span when it was given

The last is an assumption (`responses`). It is not made for a client span that failed without an answer, which may
have timed out while the server went on; nor for producers and consumers, as nobody waits there. No times of different
instances are ever compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from latwin.clocks import jaeger, otlp, zipkin
from latwin.clocks.chains import Chain, Moment, chains_of
from latwin.clocks.moments import iso, state_of
from latwin.clocks.records import Reading, Record, unreadable
from latwin.clocks.spans import Span, SpanOrReason
from latwin.clocks.step import Step, StepProblem
from latwin.errors import InvalidEvent, InvalidInput
from latwin.events.decoding import decode_json, is_json, trimmed
from latwin.events.groups import group_of

#: which answers are messages: of servers to clients; also of children to parents in the same instance, if they end
#: within them; or none
Responses = Literal["rpc", "nested", "none"]
#: what a process is called: by its service, or by service and instance; `#2` and so on where there are more
Naming = Literal["service", "instance"]

#: how traces are written
TraceFormat = Literal["otlp", "jaeger", "zipkin"]
TRACE_FORMATS: tuple[str, ...] = get_args(TraceFormat)

BY_TRACE = "trace"
ALL_TOGETHER = "all"
_ONE_WAY = ("producer", "consumer")
#: set on a client span by an answer and by nothing else
ANSWERED = ("http.response.status_code", "http.status_code")
_READERS: Mapping[str, Callable[[Any], Iterator[SpanOrReason]]] = {
    "otlp": otlp.spans_of,
    "jaeger": jaeger.spans_of,
    "zipkin": zipkin.spans_of,
}
_Key = tuple[str, str]


class _Placed(NamedTuple):
    span: Span
    process: str


@dataclass(frozen=True)
class TraceSpans:
    """Reads the spans of JSON documents: one a line, as OpenTelemetry's collector writes them, or one in a file."""

    #: `trace`, `all`, or the name of an attribute of the resource: a tag of Jaeger's process, a field of Zipkin's
    #: local endpoint
    group_by: str = BY_TRACE
    naming: Naming = "service"
    responses: Responses = "rpc"
    format: TraceFormat = "otlp"

    def __post_init__(self) -> None:
        """Check the options."""
        for name, allowed in (("naming", Naming), ("responses", Responses), ("format", TraceFormat)):
            if getattr(self, name) not in get_args(allowed):
                raise InvalidInput(
                    f"{name} must be one of {', '.join(get_args(allowed))}; got {getattr(self, name)!r}"
                )

    def records(self, line: bytes) -> Iterator[Record]:
        """The spans of a document, each with its group."""
        text = trimmed(line)
        if not text:
            return
        try:
            yield from self.document_records(decode_json(text))
        except InvalidInput as error:
            yield unreadable(str(error), line)

    def document_records(self, document: Any) -> Iterator[Record]:
        """The same of a decoded document; raises InvalidInput if it is none."""
        for found, row, resource in map(msgspec.structs.astuple, _READERS[self.format](document)):
            yield self._record(found, row, resource)

    def read(self, group: str, rows: Sequence[Any]) -> Reading:
        """The steps of a group's spans."""
        return self.read_spans(group, msgspec.convert(rows, list[Span]))

    def read_spans(self, group: str, given: list[Span]) -> Reading:
        """The same, of spans themselves."""
        problems: list[StepProblem] = []
        if self.format == "zipkin":
            given = zipkin.with_halves_apart(given)
        spans = _without_duplicates(group, given, problems)
        chains = self._named_chains(spans)
        placed = {
            moment.span.key: _Placed(moment.span, process)
            for process, chain in chains.items()
            for moment in chain.moments
        }
        ignored: Counter[str] = Counter()
        received = self._messages(spans, placed, ignored)
        steps = [
            self._step(group, process, position, moment, received)
            for process, chain in chains.items()
            for position, moment in enumerate(chain.moments, start=1)
        ]
        return Reading(steps, problems, ignored)

    def _record(self, found: Span | str, row: Any, resource: Mapping[str, Any]) -> Record:
        """A span with its group, or why there is none."""
        if isinstance(found, str):
            return unreadable(found, msgspec.json.encode(row))
        try:
            return Record(self._group(found, resource), msgspec.to_builtins(found))
        except InvalidEvent as error:
            return unreadable(str(error), msgspec.json.encode(row))

    def _group(self, span: Span, resource: Mapping[str, Any]) -> str:
        if self.group_by == BY_TRACE:
            return span.trace
        if self.group_by == ALL_TOGETHER:
            return ""
        return group_of(resource, self.group_by)

    def _named_chains(self, spans: Sequence[Span]) -> dict[str, Chain]:
        """The chains of all instances by the names of their processes."""
        instances: dict[tuple[str, str], list[Span]] = {}
        for span in spans:
            instances.setdefault((span.service, span.instance), []).append(span)
        named: dict[str, Chain] = {}
        for service, instance in sorted(instances):
            base = self.process_of(service, instance)
            number = 1
            for chain in chains_of(instances[service, instance]):
                while (name := base if number == 1 else f"{base}#{number}") in named:
                    number += 1
                named[name] = chain
        return named

    def process_of(self, service: str, instance: str) -> str:
        """What the first chain of an instance is called."""
        return f"{service}@{instance}" if self.naming == "instance" and instance else service

    def _messages(
        self, spans: Sequence[Span], placed: Mapping[_Key, _Placed], ignored: Counter[str]
    ) -> dict[tuple[_Key, bool], list[str]]:
        """The ids of what each start (False) and end (True) received."""
        received: dict[tuple[_Key, bool], list[str]] = {}
        for span in spans:
            process = placed[span.key].process
            parent = (span.trace, span.parent) if span.parent is not None else None
            for cause in self.causes(span, ignored):
                if cause not in placed or placed[cause].process != process:
                    received.setdefault((span.key, False), []).append(self.message(cause, False))
            above = placed.get(parent) if parent is not None else None
            if above is not None and above.process != process and self.answers(span, above.span):
                received.setdefault((above.span.key, True), []).append(self.message(span.key, True))
        return received

    def causes(self, span: Span, ignored: Counter[str]) -> list[tuple[str, str]]:
        """The spans that started before this one, because it names them; links out of the group are ignored."""
        causes = [] if span.parent is None else [(span.trace, span.parent)]
        for link in span.links:
            if self.group_by == BY_TRACE and link[0] != span.trace:
                ignored["links to other traces"] += 1
            else:
                causes.append(link)
        return causes

    def answers(self, child: Span, parent: Span) -> bool:
        """Whether the parent's end comes after the child's."""
        if self.responses == "none" or child.end is None or parent.end is None or child.is_log:
            return False
        if (parent.kind, child.kind) == ("client", "server"):
            return parent.status != "error" or any(name in parent.attributes for name in ANSWERED)
        is_local = (child.service, child.instance) == (parent.service, parent.instance)
        waits = parent.kind not in _ONE_WAY and child.kind not in _ONE_WAY
        return self.responses == "nested" and is_local and waits and child.end <= parent.end

    def message(self, key: _Key, is_end: bool) -> str:
        """The id of the message that a span's start or end sends."""
        trace, span = key
        of_trace = "" if self.group_by == BY_TRACE else f" of trace {trace}"
        return f"{'end' if is_end else 'start'} of span {span}{of_trace}"

    def _step(
        self,
        group: str,
        process: str,
        position: int,
        moment: Moment,
        received: Mapping[tuple[_Key, bool], list[str]],
    ) -> Step:
        key = moment.span.key
        return Step(
            process=process,
            order=position,
            sent=(self.message(key, moment.is_end),),
            received=tuple(received.get((key, moment.is_end), ())),
            state=state_of(moment),
            time=iso(moment.time_ns),
            group=group,
        )


def documents(content: bytes) -> list[bytes]:
    """A file's documents: its lines if the first is a JSON value by itself, else the file as a whole."""
    lines = content.split(b"\n")
    first = next(filter(None, map(trimmed, lines)), b"")
    return lines if is_json(first) else [content]


def _without_duplicates(group: str, spans: Sequence[Span], problems: list[StepProblem]) -> list[Span]:
    """One span for each id, whatever order they come in; ends are not before starts, and flaws are told."""
    by_key: dict[_Key, list[tuple[bytes, Span]]] = {}
    for span in spans:
        by_key.setdefault(span.key, []).append((msgspec.json.encode(span, order="deterministic"), span))
    kept = []
    for _, same in sorted(by_key.items()):
        same.sort(key=lambda each: each[0])
        span = same[0][1]
        for (before, _), (content, again) in pairwise(same):
            kind: Literal["duplicate", "tie"] = "duplicate" if content == before else "tie"
            reason = (
                f"the span {span.id} came before, with the same content"
                if content == before
                else f"another span has the id {span.id}, too; one of them was kept"
            )
            row = msgspec.to_builtins(again)
            problems.append(StepProblem(kind, reason, group=group, row=row, is_rejected=True))
        kept.append(mended(group, span, problems))
    return kept


def mended(group: str, span: Span, problems: list[StepProblem]) -> Span:
    """The span, not ending before it starts; its flaws are told."""
    for flaw in span.flaws:
        row = msgspec.to_builtins(span)
        problems.append(StepProblem("span", f"the span {span.id}: {flaw}", group=group, row=row))
    if span.end is not None and span.end < span.start:
        reason = f"the span {span.id} ends before it starts; taken as if it ended where it starts"
        problems.append(StepProblem("span", reason, group=group, row=msgspec.to_builtins(span)))
        span = msgspec.structs.replace(span, end=span.start)
    return span
