"""Traces of Jaeger and Zipkin: the same clocks as OpenTelemetry's, and what is special about each."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin.clocks import ClockMaker, ClockTally, TraceSpans
from latwin.clocks.clocked import event_line, problem_line
from latwin.clocks.traces import TRACE_FORMATS, TraceFormat, documents
from otlp import TRACE, request, span

BEGIN_US = 1_700_000_000_000_000
Found = dict[tuple[str, str], dict[str, int]]


class Call(NamedTuple):
    """A span of a made-up trace; times in microseconds, by the service's own clock."""

    number: int
    service: str
    kind: str
    parent: int | None
    start: int
    duration: int
    error: bool = False

    @property
    def id(self) -> str:
        return f"{self.number:016x}"


def as_otlp(calls: list[Call]) -> Any:
    return [
        request(
            call.service,
            span(
                call.number,
                call.start / 1000,
                (call.start + call.duration) / 1000,
                parent=call.parent,
                kind=call.kind,
                status=2 if call.error else 0,
            ),
        )
        for call in calls
    ]


def as_jaeger(calls: list[Call]) -> Any:
    services = sorted({call.service for call in calls})
    spans = [
        {
            "traceID": TRACE,
            "spanID": call.id,
            "operationName": f"span {call.number}",
            "references": [reference(call.parent)] if call.parent is not None else [],
            "startTime": BEGIN_US + call.start,
            "duration": call.duration,
            "tags": [tag("span.kind", call.kind), *([tag("error", True)] if call.error else [])],
            "processID": f"p{services.index(call.service)}",
        }
        for call in calls
    ]
    processes = {f"p{k}": {"serviceName": name, "tags": []} for k, name in enumerate(services)}
    return {"data": [{"traceID": TRACE, "spans": spans, "processes": processes}]}


def as_zipkin(calls: list[Call]) -> Any:
    return [
        {
            "traceId": TRACE,
            "id": call.id,
            "name": f"span {call.number}",
            **({"parentId": f"{call.parent:016x}"} if call.parent is not None else {}),
            **({"kind": call.kind.upper()} if call.kind != "internal" else {}),
            "timestamp": BEGIN_US + call.start,
            "duration": call.duration,
            "localEndpoint": {"serviceName": call.service},
            "tags": {"error": "no"} if call.error else {},
        }
        for call in calls
    ]


WRITERS = {"otlp": as_otlp, "jaeger": as_jaeger, "zipkin": as_zipkin}


def reference(number: int, kind: str = "CHILD_OF", trace: str = TRACE) -> dict[str, Any]:
    return {"refType": kind, "traceID": trace, "spanID": f"{number:016x}"}


def tag(key: str, value: Any) -> dict[str, Any]:
    return {"key": key, "type": "string", "value": value}


def clocks_of(document: Any, format: TraceFormat, **options: Any) -> tuple[Found, list[str]]:
    """The clock of each start and end, by process and span; and the problems."""
    maker = ClockMaker(TraceSpans(format=format, **options))
    texts = documents(json.dumps(document).encode())
    found: Found = {}
    problems = []
    for group in maker.make((record for text in texts for record in maker.source.records(text)), ClockTally()):
        for event in group.events:
            event_line(event)
            state = event.step.state
            found[event.step.process, f"{state['event']} {state['span_id'].lstrip('0')}"] = event.clock
        for problem in group.problems:
            problem_line(problem)
            problems.append(problem.reason)
    return found, problems


@st.composite
def traces(draw: st.DrawFn) -> list[Call]:
    """Calls of services, each within its parent, whose service is never its child's if one is a client."""
    calls: list[Call] = []
    for number in range(1, draw(st.integers(2, 8))):
        parent = draw(st.sampled_from([None, *calls]))
        if parent is None:
            service, kind = draw(st.sampled_from("abc")), draw(st.sampled_from(["internal", "client", "producer"]))
        elif parent.kind in ("client", "producer"):
            service = draw(st.sampled_from([name for name in "abc" if name != parent.service]))
            kind = "server" if parent.kind == "client" else "consumer"
        else:
            service, kind = parent.service, draw(st.sampled_from(["internal", "client", "producer"]))
        begin = (parent.start if parent is not None else 0) + draw(st.integers(1, 50))
        calls.append(
            Call(
                number,
                service,
                kind,
                parent.number if parent is not None else None,
                begin,
                draw(st.integers(0, 100)),
                draw(st.booleans()),
            )
        )
    return calls


@given(traces())
def test_the_formats_agree(calls: list[Call]) -> None:
    expected = clocks_of(as_otlp(calls), "otlp")
    assert clocks_of(as_jaeger(calls), "jaeger") == expected
    assert clocks_of(as_zipkin(calls), "zipkin") == expected


@given(traces(), st.fixed_dictionaries({name: st.integers(0, 10**9) for name in "abc"}))
def test_times_of_services_are_never_compared(calls: list[Call], ahead: dict[str, int]) -> None:
    """However wrong the services' clocks are, each by itself: the vector clocks stay the same."""
    skewed = [call._replace(start=call.start + ahead[call.service]) for call in calls]
    for format in TRACE_FORMATS:
        write = WRITERS[format]
        assert clocks_of(write(skewed), format) == clocks_of(write(calls), format)  # type: ignore[arg-type]


def test_a_call_and_its_answer() -> None:
    calls = [Call(1, "a", "client", None, 0, 90), Call(2, "b", "server", 1, 500, 30)]
    for format in TRACE_FORMATS:
        found, problems = clocks_of(WRITERS[format](calls), format)  # type: ignore[arg-type]
        assert problems == []
        assert found["b", "start 2"] == {"a": 1, "b": 1}
        assert found["a", "end 1"] == {"a": 2, "b": 2}


# -- Jaeger ------------------------------------------------------------------------------------------


def test_following_is_a_link_and_nobody_waits() -> None:
    calls = [Call(1, "a", "client", None, 0, 90), Call(2, "b", "server", None, 0, 10)]
    document = as_jaeger(calls)
    rows = document["data"][0]["spans"]
    rows[1]["references"] = [reference(1, "FOLLOWS_FROM")]
    found, problems = clocks_of(document, "jaeger")
    assert problems == []
    assert found["b", "start 2"] == {"a": 1, "b": 1}
    assert found["a", "end 1"] == {"a": 2}


def test_a_second_parent_is_a_link() -> None:
    calls = [
        Call(1, "a", "internal", None, 0, 5),
        Call(2, "b", "internal", None, 0, 5),
        Call(3, "c", "internal", 1, 0, 5),
    ]
    document = as_jaeger(calls)
    document["data"][0]["spans"][2]["references"].append(reference(2))
    found, _ = clocks_of(document, "jaeger")
    assert found["c", "start 3"] == {"a": 1, "b": 1, "c": 1}


def test_instances_and_status_by_tags() -> None:
    calls = [Call(1, "a", "internal", None, 0, 50), Call(2, "a", "internal", None, 10, 20)]
    document = as_jaeger(calls)
    trace = document["data"][0]
    trace["processes"]["p1"] = {"serviceName": "a", "tags": [tag("hostname", "h2")]}
    trace["processes"]["p0"]["tags"] = [tag("hostname", "h1")]
    trace["spans"][1]["processID"] = "p1"
    trace["spans"][0]["tags"].append(tag("otel.status_code", "OK"))
    maker = ClockMaker(TraceSpans(format="jaeger", naming="instance"))
    (group,) = maker.make(maker.source.records(json.dumps(document).encode()), ClockTally())
    assert {event.step.process for event in group.events} == {"a@h1", "a@h2"}
    assert {event.step.state.get("status") for event in group.events} == {None, "ok", "unset"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"startTime": None}, "the span has no startTime"),
        ({"startTime": "soon"}, "the span's startTime must be a number of microseconds; got 'soon'"),
        ({"duration": -1}, "the span's duration must be a number of microseconds; got -1"),
        ({"spanID": "x"}, "the span's spanID must be hexadecimal and not zero; got 'x'"),
        ({"traceID": 7}, "the span's traceID must be hexadecimal and not zero; got 7"),
        ({"references": [7]}, "reference 1 is left out: it must be an object; got 7"),
        ({"references": [{"spanID": "y"}]}, "reference 1 is left out: its traceID must be hexadecimal"),
        (
            {"parentSpanID": "zz"},
            "its parentSpanID must be hexadecimal and not zero; got 'zz'; taken as a span without",
        ),
        ({"references": [reference(9)]}, "nobody sent the message 'start of span 0000000000000009'"),
    ],
)
def test_what_is_wrong_with_a_span_of_jaeger_is_told(change: dict[str, Any], words: str) -> None:
    document = as_jaeger([Call(1, "a", "internal", None, 0, 5)])
    document["data"][0]["spans"][0].update(change)
    _, (problem,) = clocks_of(document, "jaeger")
    assert words in problem


def test_a_span_without_a_process_has_a_service_nobody_knows() -> None:
    document = as_jaeger([Call(1, "a", "internal", None, 0, 5)])
    document["data"][0]["processes"] = None
    found, _ = clocks_of(document, "jaeger")
    assert {process for process, _ in found} == {"unknown_service"}


# -- Zipkin ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_said", [True, False])
def test_the_two_halves_of_a_shared_span(is_said: bool) -> None:
    """A server that reports under its client's id; a child belongs to the half of its own service."""
    calls = [
        Call(1, "a", "client", None, 0, 90),
        Call(1, "b", "server", None, 500, 60),
        Call(2, "b", "internal", 1, 510, 20),
        Call(3, "a", "internal", 1, 5, 10),
    ]
    document = as_zipkin(calls)
    if is_said:
        document[1]["shared"] = True
    found, problems = clocks_of(document, "zipkin")
    assert problems == []
    assert found["b", "start 1/server"] == {"a": 1, "b": 1}
    assert found["b", "start 2"] == {"a": 1, "b": 2}
    assert found["a", "end 1"] == {"a": 4, "b": 4}
    assert found["a", "start 3"] == {"a": 2}
    assert clocks_of(document[::-1], "zipkin") == (found, problems)


def test_half_of_a_shared_span_is_a_span() -> None:
    document = as_zipkin([Call(1, "b", "server", None, 0, 5), Call(2, "b", "client", 1, 1, 2)])
    document[0]["shared"] = True
    found, problems = clocks_of(document, "zipkin")
    assert problems == []
    assert found["b", "start 2"] == {"b": 2}


def test_a_span_that_came_again_is_no_half() -> None:
    document = as_zipkin([Call(1, "b", "server", None, 0, 5)] * 2)
    found, problems = clocks_of(document, "zipkin")
    assert len(found) == 2
    assert problems == ["the span 0000000000000001 came before, with the same content"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"timestamp": 0}, "the span has no timestamp"),
        ({"timestamp": 1.5}, "the span's timestamp must be a number of microseconds; got 1.5"),
        ({"id": "0"}, "the span's id must be hexadecimal and not zero; got '0'"),
        ({"parentId": []}, None),
        ({"parentId": 7}, "its parentId must be hexadecimal and not zero; got 7; taken as a span without a parent"),
    ],
)
def test_what_is_wrong_with_a_span_of_zipkin_is_told(change: dict[str, Any], words: str | None) -> None:
    document = as_zipkin([Call(1, "a", "internal", None, 0, 5)])
    document[0].update(change)
    _, problems = clocks_of(document, "zipkin")
    assert len(problems) == (words is not None)
    assert all(str(words) in problem for problem in problems)


@pytest.mark.parametrize(
    ("document", "format", "words"),
    [
        ({"x": 1}, "jaeger", "not Jaeger JSON: expected an object with `data`, or a trace with `spans`"),
        ([1], "jaeger", "not Jaeger JSON"),
        ({"x": 1}, "zipkin", "not Zipkin JSON: expected a list of spans with `traceId` and `id`"),
        ([7], "zipkin", "a span must be an object; got 7"),
        ({"data": [{"spans": [7]}]}, "jaeger", "a span must be an object; got 7"),
    ],
)
def test_what_is_no_trace_is_told(document: Any, format: TraceFormat, words: str) -> None:
    _, (problem,) = clocks_of(document, format)
    assert words in problem
