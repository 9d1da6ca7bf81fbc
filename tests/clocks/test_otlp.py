"""OpenTelemetry traces as steps: which processes, which states, which messages."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin import InvalidInput
from latwin.clocks import ClockMaker, ClockTally, GroupClocks, TraceSpans
from latwin.clocks.chains import chains_of
from latwin.clocks.derive import Missing
from latwin.clocks.spans import Span
from latwin.clocks.traces import documents
from latwin.events.times import read_time
from otlp import BEGIN_NS, OTHER, TRACE, lines, request, span


def clocks_of(
    text: str, source: TraceSpans | None = None, missing: Missing = "report"
) -> tuple[list[GroupClocks], ClockTally]:
    maker, tally = ClockMaker(source or TraceSpans(), missing), ClockTally()
    records = [record for each in documents(text.encode()) for record in maker.source.records(each)]
    return list(maker.make(records, tally)), tally


def events_of(text: str, source: TraceSpans | None = None) -> dict[tuple[str, str], dict[str, int]]:
    """Clocks of a trace by process and what it was, such as ("a", "start x")."""
    found, tally = clocks_of(text, source)
    assert tally.problems == {}
    (group,) = found
    return {
        (event.step.process, f"{event.step.state['event']} {_name(event.step.state)}"): event.clock
        for event in group.events
    }


def _name(state: Any) -> str:
    return str(state["ended"] if state["event"] == "end" else state["span"])


def call(**more: Any) -> str:
    """A client that calls a server, whose clock is an hour behind."""
    hour = 3_600_000
    return lines(
        request("server", span(3, 5 - hour, 15 - hour, "work", parent=2, kind="server")),
        request("client", span(1, 0, 30, "main"), span(2, 1, 20, "call", parent=1, kind="client", **more)),
    )


def test_a_call_and_its_answer() -> None:
    assert events_of(call()) == {
        ("client", "start main"): {"client": 1},
        ("client", "start call"): {"client": 2},
        ("server", "start work"): {"client": 2, "server": 1},
        ("server", "end work"): {"client": 2, "server": 2},
        ("client", "end call"): {"client": 3, "server": 2},
        ("client", "end main"): {"client": 4, "server": 2},
    }


@pytest.mark.parametrize(
    ("more", "responses", "waits"),
    [
        ({}, "rpc", True),
        ({}, "none", False),
        ({"status": 2}, "rpc", False),  # perhaps it gave up, and the server went on
        ({"status": 2, "http__response__status_code": 500}, "rpc", True),  # it failed with an answer
    ],
)
def test_who_waits_for_an_answer(more: dict[str, Any], responses: Any, waits: bool) -> None:
    clock = events_of(call(**more), TraceSpans(responses=responses))["client", "end call"]
    assert ("server" in clock) is waits


@pytest.mark.parametrize(
    ("kind", "of_child"), [("producer", "consumer"), ("internal", "server"), ("client", "client")]
)
def test_nobody_waits_for_others(kind: str, of_child: str) -> None:
    text = lines(
        request("a", span(1, 0, 30, "out", kind=kind)), request("b", span(2, 5, 15, "in", parent=1, kind=of_child))
    )
    clocks = events_of(text)
    assert clocks["b", "start in"] == {"a": 1, "b": 1}
    assert clocks["a", "end out"] == {"a": 2}


def test_children_in_the_same_instance() -> None:
    """Two at a time inside one parent: the second is a chain of its own, and joins only if that is asked for."""
    text = lines(
        request("a", span(1, 0, 50, "all"), span(2, 10, 30, "one", parent=1), span(3, 20, 40, "two", parent=1))
    )
    clocks = events_of(text)
    assert clocks["a", "start one"] == {"a": 2}
    assert clocks["a#2", "start two"] == {"a": 1, "a#2": 1}
    assert clocks["a", "end all"] == {"a": 4}
    assert events_of(text, TraceSpans(responses="nested"))["a", "end all"] == {"a": 4, "a#2": 2}


def test_chains_without_threads() -> None:
    def chains(*spans: dict[str, Any]) -> list[list[str]]:
        found, _ = clocks_of(lines(request("a", *spans)))
        shown: dict[str, list[str]] = {}
        for event in sorted(found[0].events, key=lambda event: event.clock[event.step.process]):
            shown.setdefault(event.step.process, []).append(_name(event.step.state))
        return [shown[name] for name in sorted(shown)]

    one, two, three = span(1, 0, 10, "1"), span(2, 5, 15, "2"), span(3, 15, 20, "3")
    assert chains(one, two) == [["1", "1"], ["2", "2"]]
    assert chains(one, two, three) == [["1", "1", "3", "3"], ["2", "2"]]  # the first one that is idle
    assert chains(one, span(2, 5, 15, "2", parent=1)) == [["1", "1"], ["2", "2"]]  # it outlasts its parent
    assert chains(span(1, 0, 10, "1"), span(2, 0, 10, "2", parent=1)) == [["1", "2", "2", "1"]]
    assert chains(span(1, 0, 10, "1"), span(2, 3, 4, "2")) == [["1", "1"], ["2", "2"]]  # inside, but no child
    assert chains(span(1, 0, 10, "1"), span(2, 10, 10, "2", parent=1)) == [["1", "1", "2", "2"]]
    assert chains(span(1, 0, None, "1"), span(2, 10, 20, "2", parent=1)) == [["1", "2", "2"]]  # it never ends


def test_threads_are_processes_however_spans_overlap() -> None:
    text = lines(
        request(
            "a",
            span(1, 0, 10, "x", thread__id=7),
            span(2, 5, 15, "y", thread__id=7),
            span(3, 6, 7, "z", parent=1, thread__id=8),
            span(4, 20, 21, "named", thread__name="main"),
        )
    )
    assert list(events_of(text)) == [
        ("a", "start x"),
        ("a", "start y"),
        ("a#2", "start z"),
        ("a#2", "end z"),
        ("a", "end x"),
        ("a", "end y"),
        ("a#3", "start named"),
        ("a#3", "end named"),
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 9), st.integers(0, 8), st.sampled_from([None, "t", "u"])),
        max_size=9,
    ),
    st.randoms(use_true_random=False),
)
def test_chains_hold_every_moment_in_the_order_of_time(
    spans: list[tuple[int, int, int, str | None]], rng: Any
) -> None:
    made = [
        Span(
            trace="1",
            id=f"{number}",
            name=f"{number}",
            start=start,
            end=start + length,
            service="a",
            parent=f"{parent}",
            attributes={} if thread is None else {"thread.id": thread},
        )
        for number, (start, length, parent, thread) in enumerate(spans)
    ]
    chains = chains_of(made)
    moments = [(moment.span.id, moment.is_end) for chain in chains for moment in chain.moments]
    assert sorted(moments) == sorted((each.id, is_end) for each in made for is_end in (False, True))
    for chain in chains:
        times = [moment.time_ns for moment in chain.moments]
        assert times == sorted(times)
        for moment in chain.moments:
            starts = [m.span.id for m in chain.moments]
            assert starts.index(moment.span.id) <= chain.moments.index(moment)
            if chain.thread is None:  # only children lie inside
                for outer, inner in pairwise(moment.open):
                    assert inner.parent == outer.id
                    assert (inner.end or 0) <= (outer.end or 0)
    shuffled = made.copy()
    rng.shuffle(shuffled)
    assert [chain.moments for chain in chains_of(shuffled)] == [chain.moments for chain in chains]


@pytest.mark.parametrize("none", ["0000000000000000", "", None])
def test_a_parent_of_zeros_is_none(none: str | None) -> None:
    root = span(1, 0, 10, "x")
    assert events_of(lines(request("a", {**root, "parentSpanId": none}))) == events_of(lines(request("a", root)))


def test_a_bad_link_or_parent_costs_no_more_than_itself() -> None:
    cause = span(1, 0, 10, "cause")
    flawed: dict[str, Any] = span(2, 5, 6, "x", links=[(TRACE, 1)]) | {"parentSpanId": "W47/95gDgQM="}
    good = flawed["links"][0]
    flawed["links"] = [{"traceId": TRACE}, 3, good, {"traceId": "0" * 32, "spanId": "0" * 16}]
    found, tally = clocks_of(lines(request("a", cause), request("b", flawed), request("b", flawed)))
    (group,) = found
    assert [problem.reason for problem in group.problems if problem.kind == "span"] == [
        f"the span {2:016x}: its parentSpanId must be hexadecimal and not zero; got 'W47/95gDgQM='; taken as a span "
        "without a parent",
        f"the span {2:016x}: link 1 is left out: its spanId must be hexadecimal and not zero; got None",
        f"the span {2:016x}: link 2 is left out: it must be an object; got 3",
        f"the span {2:016x}: link 4 is left out: its traceId must be hexadecimal and not zero; got '{'0' * 32}'",
    ]
    assert (tally.problems, tally.rejected) == ({"span": 4, "duplicate": 1}, 1)
    clocks = {(event.step.process, event.step.state["event"]): event.clock for event in group.events}
    assert clocks["b", "start"] == {"a": 1, "b": 1}  # by the good link
    assert len(clocks) == 4


def test_links_are_messages() -> None:
    text = lines(
        request("a", span(1, 0, 10, "publish", kind="producer"), span(2, 20, 30, "again", kind="producer")),
        request("b", span(3, 5, 6, "batch", kind="consumer", links=[(TRACE, 1), (TRACE, 2), (OTHER, 9)])),
        request("c", span(9, 0, 1, "elsewhere", trace=OTHER)),
    )
    found, tally = clocks_of(text)
    clocks = {(e.step.process, e.step.state["event"]): e.clock for g in found for e in g.events}
    assert clocks["b", "start"] == {"a": 3, "b": 1}  # after both starts, whether or not they had ended
    assert (tally.groups, tally.messages, tally.ignored) == (2, 2, {"links to other traces": 1})
    assert tally.problems == {}
    found, tally = clocks_of(text, TraceSpans(group_by="all"))
    assert (tally.groups, tally.messages, tally.ignored) == (1, 3, {})
    assert {e.step.process: e.clock for e in found[0].events}["b"] == {"a": 3, "b": 2, "c": 1}


def test_parents_that_are_not_there() -> None:
    text = lines(request("a", span(2, 0, 10, "x", parent=1, links=[(TRACE, 5)])))
    (group,), tally = clocks_of(text)
    assert (len(group.events), tally.problems, tally.rejected) == (2, {"missing_send": 2}, 0)
    assert group.problems[0].reason == (
        "nobody sent the message 'start of span 0000000000000001', which it received; taken as if it had not"
    )
    assert group.problems[0].row["state"]["span_id"] == f"{2:016x}"
    _, ignoring = clocks_of(text, missing="ignore")
    assert (ignoring.problems, ignoring.ignored) == ({}, {"messages that nobody sent": 2})
    (rejecting,), _ = clocks_of(text, missing="reject")
    assert rejecting.events == []


def test_groups_and_names() -> None:
    text = lines(
        request("a", span(1, 0, 10), span(2, 5, 15), instance="i2", **{"deployment.environment": "test"}),
        request("a", span(3, 100, 110), instance="i1", **{"deployment.environment": "live"}),
        request("a#2", span(4, 0, 1), instance="i9", **{"deployment.environment": "live"}),
        request("b", span(5, 0, 1, trace=OTHER)),
    )
    _, by_trace = clocks_of(text)
    assert (by_trace.groups, sorted(by_trace.processes)) == (2, ["a", "a#2", "a#2#2", "a#3", "b"])
    _, instances = clocks_of(text, TraceSpans(naming="instance"))
    assert sorted(instances.processes) == ["a#2@i9", "a@i1", "a@i2", "a@i2#2", "b"]
    found, _ = clocks_of(text, TraceSpans(group_by="deployment.environment"))
    assert [(group.group, len(group.events)) for group in found] == [("", 2), ("live", 4), ("test", 4)]
    with pytest.raises(InvalidInput, match="responses must be one of rpc, nested, none; got 'all'"):
        TraceSpans(responses="all")  # type: ignore[arg-type]


def test_states() -> None:
    values: dict[str, Any] = {
        "http__request__method": "POST",
        "retries": 2,
        "share": 0.5,
        "is_new": True,
        "tags": ["a", 1],
        "deep": {"x": 1},
        "deep__x__y": 3,
    }
    text = lines(
        request("a", span(1, 0, 10, "outer", kind="server"), span(2, 2, 3, "inner", parent=1, status=2, **values))
    )
    (group,), _ = clocks_of(text)
    outer, inner, after, idle = (event.step for event in group.events)
    assert inner.state == {
        "event": "start",
        "open": 2,
        "span": "inner",
        "kind": "internal",
        "attributes": {
            "http": {"request": {"method": "POST"}},
            "retries": 2,
            "share": 0.5,
            "is_new": True,
            "tags": ["a", 1],
            "deep": {"x": 1},
            "deep.x.y": 3,
        },
        "span_id": f"{2:016x}",
        "trace_id": TRACE,
    }
    assert (after.state["ended"], after.state["status"]) == ("inner", "error")
    assert (after.state["span"], after.state["kind"], after.state["open"]) == ("outer", "server", 1)
    assert (idle.state["ended"], idle.state["status"], idle.state["span"]) == ("outer", "unset", None)
    assert "status" not in outer.state
    assert outer.time == "2023-11-14T22:13:20.000000000Z"
    assert read_time(outer.time) == BEGIN_NS / 1e9


def test_duplicates_and_spans_that_end_too_early() -> None:
    once = request("a", span(1, 10, 20, "x"), span(2, 30, 25, "back"))
    text = lines(once, once, request("a", span(1, 10, 99, "other")))
    (group,), tally = clocks_of(text)
    assert tally.problems == {"duplicate": 2, "tie": 1, "span": 1}
    assert sorted(problem.reason for problem in group.problems) == [
        f"another span has the id {1:016x}, too; one of them was kept",
        f"the span {1:016x} came before, with the same content",
        f"the span {2:016x} came before, with the same content",
        f"the span {2:016x} ends before it starts; taken as if it ended where it starts",
    ]
    assert tally.rejected == 3
    assert tally.events == 4


def test_a_file_that_is_one_document() -> None:
    whole = {"resourceSpans": [r for line in call().splitlines() for r in json.loads(line)["resourceSpans"]]}
    assert events_of(json.dumps(whole, indent=2)) == events_of(call())
    several = [json.loads(line) for line in call().splitlines()]
    assert events_of(json.dumps(several, indent=2)) == events_of(call())
    assert events_of("\n\n" + call()) == events_of(call())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"traceId": ""}, "the span's traceId must be hexadecimal and not zero; got ''"),
        ({"spanId": "0000000000000000"}, "the span's spanId must be hexadecimal and not zero"),
        ({"spanId": "W47/95gDgQPSabYzgT/GDA=="}, "the span's spanId must be hexadecimal"),
        ({"startTimeUnixNano": None}, "the span's startTimeUnixNano must be a number of nanoseconds; got None"),
        ({"startTimeUnixNano": 0}, "the span has no startTimeUnixNano"),
        ({"endTimeUnixNano": "soon"}, "the span's endTimeUnixNano must be a number of nanoseconds; got 'soon'"),
    ],
)
def test_spans_that_cannot_be_used(change: dict[str, Any], reason: str) -> None:
    text = lines(request("a", span(1, 0, 1) | change, span(2, 0, 1)))
    (unread, group), tally = clocks_of(text)
    assert reason in unread.problems[0].reason
    assert (unread.group, len(group.events), tally.rejected) == (None, 2, 1)


def test_lines_that_are_no_traces() -> None:
    text = (
        '{"resourceMetrics": []}\n{"resourceSpans": \n' + lines(request("a", span(1, 0, 1), "no span")) + '"text"\n'
    )
    (unread, group), tally = clocks_of(text)
    assert sorted(problem.reason for problem in unread.problems) == [
        "a span must be an object; got 'no span'",
        "not OTLP/JSON traces: expected an object with `resourceSpans`",
        "not OTLP/JSON traces: expected an object with `resourceSpans`",
        "not valid JSON: Input data was truncated",
    ]
    assert (len(group.events), tally.events) == (2, 2)


def test_what_the_protocol_lets_be_written_otherwise() -> None:
    """Ids in capitals, times as numbers, names of enums, unknown fields, no resource."""
    row = span(1, 0, 1) | {
        "spanId": "00000000000000AB",
        "startTimeUnixNano": BEGIN_NS,
        "kind": "SPAN_KIND_CLIENT",
        "status": {"code": "STATUS_CODE_OK", "message": "fine"},
        "news": [1],
        "flags": 257,
    }
    strange = span(2, 5, 6, parent=0xAB) | {
        "kind": 77,
        "status": None,
        "attributes": [1, {"key": "x"}, {"key": "y", "value": {"intValue": "z"}}],
    }
    text = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [row, strange]}]}, 5]})
    (group,), tally = clocks_of(text)
    assert (tally.problems, tally.processes) == ({}, {"unknown_service"})
    first, second = group.events[0].step.state, group.events[2].step.state
    assert (first["kind"], first["span_id"]) == ("client", "00000000000000ab")
    assert (second["kind"], second["attributes"]) == ("unspecified", {"x": None, "y": "z"})
