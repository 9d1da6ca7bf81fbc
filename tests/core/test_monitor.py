"""The checker process: delivery, duplicates, gaps, restarts, and whatever else arrives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from computations import arrival_orders, computations, windows
from effort import examples
from expressions import properties, states
from latwin import InvalidInput, LatwinError, Monitor, SnapshotError, Spec, TooManyWaiting, Verdict
from monitoring import deliver_fifo, events, expected_value, make_spec
from oracle import BruteForce


def spec_of(**fields: Any) -> Spec:
    base: dict[str, Any] = {
        "processes": ["a", "b"],
        "window": 4,
        "properties": {"both": "possibly(a.x and b.x)"},
    }
    return Spec.from_dict({**base, **fields})


def report(process: str, clock: Any, **state: Any) -> dict[str, Any]:
    return {"process": process, "clock": clock, "state": state}


@settings(max_examples=examples(150))
@given(st.data(), st.booleans())
def test_any_order_of_arrival(data: st.DataObject, causal: bool) -> None:
    """Slides follow the delivered states, whatever the order of arrival and however often a state is repeated."""
    computation = data.draw(computations(max_states=10, values=states()))
    n = computation.processes
    window = data.draw(windows(n))
    tree = data.draw(properties(n, max_leaves=5))
    spec = make_spec(computation, window, {"p": tree}, delivery="causal" if causal else "fifo")
    arrivals = data.draw(arrival_orders(computation, duplicates=True))
    monitor = Monitor(spec)
    out = monitor.observe_many(events(arrivals), every=True)
    slow = BruteForce(n, window)
    delivered = deliver_fifo(arrivals, n, causal=causal)
    assert len(delivered) == len(computation.states)
    for slide, (state, verdict) in enumerate(zip(delivered, out, strict=True), start=1):
        slow.push(state.process, state.clock, state.value)
        assert (verdict.slide, verdict.process, verdict.index) == (slide, f"p{state.process}", state.index)
        assert verdict.value == expected_value(tree, slow)
        if causal:
            assert verdict.greatest == tuple(window_[-1].index for window_ in slow.windows)
    assert all(notice.kind == "duplicate" for notice in out.notices)
    assert monitor.counters.duplicates == len(arrivals) - len(computation.states)
    assert monitor.counters.waiting == 0


@settings(max_examples=examples(100))
@given(st.data(), st.booleans())
def test_a_restart_at_any_point_changes_nothing(data: st.DataObject, every: bool) -> None:
    """Whole records are compared; `every` also those of slides that change nothing."""
    computation = data.draw(computations(max_states=12, values=states()))
    n = computation.processes
    trees = {f"q{k}": data.draw(properties(n, max_leaves=5)) for k in range(2)}
    fields: dict[str, Any] = {
        "delivery": data.draw(st.sampled_from(["fifo", "causal"])),
        "max_waiting": data.draw(st.integers(0, 4)),
        "waiting_policy": "skip",
    }
    spec = make_spec(computation, data.draw(windows(n)), trees, **fields)
    rows = events(data.draw(arrival_orders(computation, duplicates=True)))
    through = Monitor(spec)
    whole = through.observe_many(rows, every=every)
    cut = data.draw(st.integers(0, len(rows)))
    first = Monitor(spec)
    before = first.observe_many(rows[:cut], every=every)
    second = Monitor.restore(spec, first.snapshot())
    assert second.values() == first.values()
    after = second.observe_many(rows[cut:], every=every)
    # NaN is not equal to itself; compare what is told as text.
    assert repr(list(before) + list(after)) == repr(list(whole))
    assert repr(before.notices + after.notices) == repr(whole.notices)
    assert second.counters == through.counters
    assert repr(second.snapshot()) == repr(through.snapshot())


@settings(max_examples=examples(100))
@given(st.data(), st.booleans())
def test_batches_do_not_matter(data: st.DataObject, every: bool) -> None:
    """One at a time equals in batches, with lost, repeated and malformed events among them; whole records."""
    computation = data.draw(computations(max_states=14, values=states()))
    n = computation.processes
    trees = {"q": data.draw(properties(n, max_leaves=6))}
    spec = make_spec(
        computation,
        data.draw(windows(n)),
        trees,
        max_waiting=data.draw(st.integers(0, 3)),
        waiting_policy="skip",
    )
    rows: list[Any] = events(computation.states)
    for _ in range(data.draw(st.integers(0, 3))):
        position = data.draw(st.integers(0, len(rows)))
        wrong = data.draw(
            st.sampled_from(
                [
                    None,
                    {},
                    {"process": "p0", "clock": [1] * (n + 1), "state": {}},
                    {"process": "p0", "clock": [1] + [10**6] * (n - 1), "state": {"x": 1}},
                    {"process": "p0", "clock": [2] + [0] * (n - 1), "state": {"x": 2**70}},
                ]
            )
        )
        rows.insert(position, wrong)
    if rows:
        del rows[data.draw(st.integers(0, len(rows) - 1))]
    single = Monitor(spec)
    verdicts: list[Any] = []
    notices: list[Any] = []
    for row in rows:
        out = single.observe(row, every=every)
        verdicts += out
        notices += out.notices
    batched = Monitor(spec).observe_many(rows, every=every)
    assert repr(list(batched)) == repr(verdicts)
    assert repr(batched.notices) == repr(notices)


@settings(max_examples=examples(100))
@given(st.data(), st.booleans(), st.booleans())
def test_positions_name_the_event_that_caused_a_verdict(data: st.DataObject, every: bool, causal: bool) -> None:
    """As told by observing one event at a time, with repeated, lost, bad and refused events among them."""
    computation = data.draw(computations(max_states=24, values=states()))
    n = computation.processes
    spec = make_spec(
        computation,
        data.draw(windows(n)),
        {"q": data.draw(properties(n, max_leaves=4)), "r": data.draw(properties(n, max_leaves=2))},
        delivery="causal" if causal else "fifo",
        max_waiting=data.draw(st.integers(0, 4)),
        waiting_policy=data.draw(st.sampled_from(["skip", "fail"])),
        max_cuts=data.draw(st.sampled_from([4, 10_000])),
    )
    in_order = st.just(computation.states)
    rows: list[Any] = events(data.draw(in_order | arrival_orders(computation, duplicates=True)))
    for _ in range(data.draw(st.integers(0, 3))):
        bad = data.draw(st.sampled_from([None, {}, {"process": "p0", "clock": [1] + [9] * (n - 1), "state": {}}]))
        rows.insert(data.draw(st.integers(0, len(rows))), bad)
    if rows:
        lost = data.draw(st.none() | st.integers(0, len(rows) - 1))
        rows = [row for at, row in enumerate(rows) if at != lost]
    single = Monitor(spec)
    expected: list[tuple[int, Any]] = []
    noted: list[tuple[int, Any]] = []
    refused = None
    for position, row in enumerate(rows):
        try:
            out = single.observe(row, every=every)
        except TooManyWaiting:
            refused = position
            break
        assert out.positions == [0] * len(out)
        assert out.notice_positions == [0] * len(out.notices)
        expected += [(position, verdict) for verdict in out]
        noted += [(position, notice) for notice in out.notices]
    batched: Any
    if refused is None:
        batched = Monitor(spec).observe_many(rows, every=every)
    else:
        with pytest.raises(TooManyWaiting) as raised:
            Monitor(spec).observe_many(rows, every=every)
        batched = raised.value.verdicts
        assert raised.value.position == refused
    assert repr(list(zip(batched.positions, batched, strict=True))) == repr(expected)
    assert repr(list(zip(batched.notice_positions, batched.notices, strict=True))) == repr(noted)


@pytest.mark.parametrize("largest", [1, 2**70], ids=["in compiled runs", "too large for them"])
def test_positions_go_on_from_chunk_to_chunk(largest: int) -> None:
    """Events are read a thousand at a time; the positions count from the first of all."""
    rows = [report("a", [k, 0], x=largest if k % 500 == 0 else 0) for k in range(1, 3001)]
    rows[1700:1700] = [report("a", [1, 0], x=0), report("z", [1, 0])]
    spec = spec_of(window=1, initial={"b": {"x": 0}}, properties={"p": "possibly(a.x + b.x > 0)"})
    out = Monitor(spec).observe_many(rows)
    on = [k - 1 + 2 * (k > 1700) for k in range(500, 3001, 500)]
    assert [at for at, verdict in zip(out.positions, out, strict=True) if verdict.value] == on
    assert [at - 1 for at, verdict in zip(out.positions, out, strict=True) if not verdict.value] == on[:-1]
    assert out.notice_positions == [1700, 1701]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (None, "an event must be a map; got NoneType"),
        ("text", "an event must be a map; got str"),
        ([1, 2], "an event must be a map; got list"),
        ({}, "the event lacks 'process', 'clock'"),
        (report("c", [1, 0]), "unknown process 'c'; processes are 'a', 'b'"),
        (report(["a"], [1, 0]), "unknown process ['a']"),  # type: ignore[arg-type]
        (report("a", [1]), "the clock must have 2 entries; got 1: [1]"),
        (report("a", {"a": 1, "z": 2}), "the clock names the unknown process 'z'; processes are 'a', 'b'"),
        (report("a", "11"), "the clock must be a list of 2 integers or a map from process names; got '11'"),
        (report("a", [1.0, 0]), "clock entries must be integers from 0 to 2**62; got 1.0 in [1.0, 0]"),
        (report("a", [True, 0]), "clock entries must be integers"),
        (report("a", [1, -1]), "got -1 in [1, -1]"),
        (report("a", [2**64, 0]), "clock entries must be integers from 0 to 2**62"),
        (report("a", {"a": None}), "clock entries must be integers"),
        (
            report("a", {"b": 1}),
            "process 'a': the clock's own entry is the state's index, 1 for the first; got 0",
        ),
        ({"process": "a", "clock": [1, 0], "state": 5}, "process 'a': the state must be a map; got int"),
    ],
)
def test_bad_events_come_back_with_their_reason(wrong: Any, reason: str) -> None:
    monitor = Monitor(spec_of())
    for observe in (monitor.observe, lambda e: monitor.observe_many([e])):
        out = observe(wrong)
        assert out == []
        (notice,) = out.notices
        assert notice.kind == "rejected"
        assert reason in notice.reason
        assert notice.event is wrong
    assert monitor.counters.rejected == 2
    (verdict,) = monitor.observe_many([report("a", [1, 0], x=1), report("b", (0, 1), x=1)])
    assert verdict.value is True


def test_a_clock_that_cannot_be_right_is_rejected_at_delivery() -> None:
    monitor = Monitor(spec_of(processes=["a", "b", "c"]))
    monitor.observe_many([report("a", [1, 0, 0]), report("b", [1, 1, 0])])
    out = monitor.observe(report("c", [0, 1, 1]))  # knows b's state, not what it knew
    (notice,) = out.notices
    assert (notice.kind, notice.process, notice.index) == ("rejected", "c", 1)
    assert "process 'c', state 1: the clock knows state 1 of process 'b'" in notice.reason
    assert notice.event == report("c", [0, 1, 1])
    # The right one may still come.
    assert not monitor.observe(report("c", [1, 1, 1])).notices
    assert monitor.slide == 3


def test_states_that_know_each_other_are_not_delivered() -> None:
    """The second one is rejected, in either order, and every answer still ends."""
    both = [report("a", [1, 1], x=1), report("b", [1, 1], x=1)]
    for rows in (both, both[::-1]):
        monitor = Monitor(spec_of(properties={"sure": "definitely(a.x and not b.x)"}), observations=True)
        out = monitor.observe_many(rows, every=True)
        (notice,) = out.notices
        assert (notice.kind, notice.process) == ("rejected", rows[1]["process"])
        assert "knows this one already" in notice.reason
        assert Monitor.restore(monitor.spec, monitor.snapshot()).slide == 1


def test_repeated_states() -> None:
    monitor = Monitor(spec_of(window=2))
    rows = [report("a", [1, 0], x=1), report("a", [2, 0], x=2), report("a", [3, 0], x=3)]
    monitor.observe_many(rows)
    assert [n.kind for n in monitor.observe_many(rows).notices] == ["duplicate"] * 3
    (notice,) = monitor.observe(report("a", [3, 0], x=4)).notices
    assert notice.kind == "rejected"
    assert notice.reason == (
        "process 'a', state 3: came before with other content: "
        "clock [3, 0] and state {'x': 3}; now clock [3, 0] and state {'x': 4}"
    )
    # Waiting ones are compared too; those that left the window cannot be.
    monitor.observe(report("a", [5, 0], x=5))
    assert [n.kind for n in monitor.observe(report("a", [5, 0], x=5)).notices] == ["duplicate"]
    assert [n.kind for n in monitor.observe(report("a", [5, 0], x=6)).notices] == ["rejected"]
    assert [n.kind for n in monitor.observe(report("a", [1, 0], x=9)).notices] == ["duplicate"]
    assert monitor.counters.duplicates == 5
    assert monitor.counters.rejected == 2
    assert monitor.counters.waiting == 1


@pytest.mark.parametrize("later", [{}, {"y": 5}], ids=["the newest", "one that another followed"])
@pytest.mark.parametrize("variables", [None, {"fields": ["x"]}], ids=["whole states", "with variables"])
def test_not_a_number_repeats_itself(later: dict[str, Any], variables: Any) -> None:
    """A state that comes again is a duplicate, whichever objects hold it, and before and after a restart."""

    def odd() -> dict[str, Any]:
        nan = float("nan")
        return report("a", [1, 0], x=nan, deep=[{"y": nan}, -nan])

    spec = spec_of(variables=variables)
    monitor = Monitor(spec)
    same = odd()
    monitor.observe_many([same, *([report("a", [2, 0], **later)] if later else [])])
    for going_on in (monitor, Monitor.restore(spec, monitor.snapshot())):
        assert [n.kind for n in going_on.observe_many([same, odd()]).notices] == ["duplicate", "duplicate"]
        (notice,) = going_on.observe(report("a", [1, 0], x=float("nan"), deep=[{"y": 1.0}, 0.0])).notices
        assert notice.kind == "rejected"


@pytest.mark.parametrize(
    ("text", "cuts"), [("possibly(a.x * b.x > 1) or possibly(a.x)", 0), ("not possibly(a.x)", None)]
)
def test_an_empty_lattice_has_no_cuts_whatever_was_before(text: str, cuts: int | None) -> None:
    spec = spec_of(window=1, properties={"p": text})
    rows = [report("a", [1, 0], x=2), report("a", [2, 2], x=2)]
    whole = Monitor(spec).observe_many(rows, every=True)
    assert (whole[-1].least, whole[-1].value, whole[-1].cuts) == (None, False, cuts)
    first = Monitor(spec)
    first.observe(rows[0])
    assert Monitor.restore(spec, first.snapshot()).observe(rows[1], every=True) == whole[-1:]


def test_too_many_waiting_fails_and_leaves_the_monitor_as_it_was() -> None:
    monitor = Monitor(spec_of(max_waiting=2))
    rows = [report("a", [1, 0], x=1), report("b", [0, 1], x=1), *(report("a", [k, 0]) for k in (3, 4, 5))]
    with pytest.raises(TooManyWaiting) as raised:
        monitor.observe_many(rows)
    assert str(raised.value) == (
        "state 5 of process 'a' would have to wait, and max_waiting=2 states wait already; "
        "first missing: state 2 of process 'a'; raise max_waiting, or set waiting_policy = \"skip\" "
        "to give up missing states"
    )
    assert [v.value for v in raised.value.verdicts if isinstance(v, Verdict)] == [True]
    assert monitor.counters.waiting == 2
    monitor.observe(report("a", [2, 0]))
    assert monitor.slide == 5
    monitor.observe(report("a", [5, 0]))
    assert monitor.slide == 6


def test_skip_gives_up_the_gap_and_says_so() -> None:
    monitor = Monitor(spec_of(max_waiting=1, waiting_policy="skip"))
    out = monitor.observe_many([report("a", [1, 0]), report("a", [4, 0], x=1), report("a", [6, 0], x=1)])
    (notice,) = out.notices
    assert (notice.kind, notice.process, notice.index, notice.through) == ("skipped", "a", 2, 3)
    assert "states 2 to 3 declared lost: more than max_waiting=1 states waited" in notice.reason
    assert monitor.counters.skipped == 2
    assert monitor.counters.waiting == 1
    assert monitor.slide == 2
    (late,) = monitor.observe(report("a", [3, 0])).notices
    assert late.kind == "late"
    assert "came after it had been declared lost" in late.reason
    assert monitor.counters.late == 1
    monitor.observe(report("a", [5, 0], x=1))
    assert monitor.window.greatest == (6, 0)


def test_skip_under_causal_delivery_gives_up_what_is_waited_for() -> None:
    monitor = Monitor(spec_of(delivery="causal", max_waiting=0, waiting_policy="skip"))
    out = monitor.observe(report("b", [2, 1], x=1))  # waits for a's states 1 and 2
    (notice,) = out.notices
    assert (notice.kind, notice.process, notice.index, notice.through) == ("skipped", "a", 1, 2)
    assert monitor.slide == 1
    assert [n.kind for n in monitor.observe(report("a", [2, 0])).notices] == ["late"]
    monitor.observe(report("a", [3, 0], x=1))
    assert monitor.window.greatest == (3, 1)


def test_states_that_wait_for_each_other_do_not_wait_forever() -> None:
    monitor = Monitor(spec_of(delivery="causal", max_waiting=1, waiting_policy="skip"))
    out = monitor.observe_many([report("a", [1, 1]), report("b", [1, 1])])  # no computation has these
    (notice,) = out.notices
    assert notice.kind == "rejected"
    assert "it waits for states that wait for it" in notice.reason
    assert monitor.counters.waiting == 1


def test_too_large_is_an_outcome() -> None:
    spec = spec_of(
        processes=["a", "b", "c"],
        window="unlimited",
        max_cuts=4,  # and as many steps of decision diagrams
        properties={
            "sum": "EX(a.x + b.x + c.x == 3)",
            "some": "EX(a.x == b.x)",
            "both": "possibly(a.x and b.x)",
            "or": "possibly(a.x and b.x) or EX(a.x + b.x + c.x == 3)",
            "and": "not EX(a.x + b.x + c.x == 3) and not possibly(a.x)",
        },
    )
    monitor = Monitor(spec)
    rows = [
        report(name, [k if j == p else 0 for j in range(3)], x=1) for k in range(1, 8) for p, name in enumerate("abc")
    ]
    out = monitor.observe_many(rows)
    last = monitor.values()
    assert last == {"sum": None, "some": None, "both": True, "or": True, "and": False}
    too_large = [verdict for verdict in out if verdict.value is None]
    assert {verdict.property for verdict in too_large} == {"sum", "some"}
    assert all(verdict.changed and verdict.cuts is None and verdict.witness is None for verdict in too_large)
    notice = out.notices[-1]
    assert notice.kind == "too_large"
    assert {notice.property for notice in out.notices} == {"sum", "some"}
    assert "needs more than max_cuts=4 cuts (window product 512)" in notice.reason
    assert monitor.counters.too_large == len(out.notices) > 0
    every = monitor.observe(report("a", [8, 0, 0], x=1), every=True)
    assert [verdict.value for verdict in every] == [None, None, True, True, False]


def test_snapshots_are_refused_with_the_difference() -> None:
    spec = spec_of()
    monitor = Monitor(spec)
    monitor.observe(report("a", [1, 0], x=1))
    data = monitor.snapshot()
    assert isinstance(data, bytes)
    assert data[:2] == b"\x93\x06"  # an array, the version first
    assert len(data) < 250
    cases: list[tuple[Spec, Any, str]] = [
        (spec_of(window=5), data, r"other windows \(\[4, 4\]; the spec has \[5, 5\]\)"),
        (spec_of(properties={"both": "possibly(a.x)"}), data, r"other properties \(both differ\)"),
        (spec_of(properties={}), data, r"other properties \(both differ\)"),
        (spec, b"", "no snapshot of a monitor"),
        (spec, b"\x00", "no snapshot of a monitor"),
        (spec, b"\x90", "no snapshot of a monitor"),
        (spec, b"\x91\x63", "has version 99; this latwin reads version 6"),
        (spec, b"\x97\x02" + data[2:], "has version 2; this latwin reads version 6"),
        (spec, b"\x93\x03" + data[2:], "has version 3; this latwin reads version 6"),
        (spec, data[:-3], "damaged: its checksum is wrong"),
        (spec, b"\x93\x06", "no snapshot of a monitor"),
        (spec, "text", "must be bytes; got str"),
    ]
    for other, bad, message in cases:
        with pytest.raises(SnapshotError, match=message):
            Monitor.restore(other, bad)
    going_on = Monitor.restore(
        spec_of(properties={"both": "possibly(a.x and b.x)", "new": "possibly(b.x)"}),
        data,
        allow_other_rules=True,
    )
    (verdict, new) = going_on.observe(report("b", [0, 1], x=1))
    assert verdict.property == "both"
    assert new.property == "new"


def test_states_of_any_plain_data_survive_a_snapshot() -> None:
    spec = spec_of()
    odd = {"x": 10**40, "list": [1, {"k": None}], "nan": float("inf"), "text": "ü"}
    monitor = Monitor(spec)
    monitor.observe_many([report("a", [1, 0], **odd), report("a", [3, 0], **odd)])
    restored = Monitor.restore(spec, monitor.snapshot())
    assert restored.states(0) == [None, odd]
    assert [n.kind for n in restored.observe(report("a", [3, 0], **odd)).notices] == ["duplicate"]
    (notice,) = monitor.observe(report("b", [0, 1], x=object())).notices
    assert "the state must be plain data" in notice.reason
    assert Monitor.restore(spec, monitor.snapshot()).states(1) == [None]


def test_a_monitor_wants_a_spec() -> None:
    with pytest.raises(InvalidInput, match=r"spec must be a latwin\.Spec; got dict"):
        Monitor({})  # type: ignore[arg-type]


def test_time_is_passed_through_and_null_states_are_fine() -> None:
    monitor = Monitor(spec_of(properties={"q": "possibly(not a.x)"}))
    (verdict,) = monitor.observe({"process": "a", "clock": {"a": 1}, "state": None, "time": "noon"})
    assert (verdict.time, verdict.value, verdict.witness) == ("noon", True, (0, 0))


def test_initial_values_count() -> None:
    spec = spec_of(initial={"a": {"x": True}}, properties={"q": "possibly(a.x and b.x)"})
    assert [v.value for v in Monitor(spec).observe(report("b", [0, 1], x=True))] == [True]


# -- fuzz ----------------------------------------------------------------------------------------

junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.binary(max_size=3),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=3), part, max_size=3),
    max_leaves=6,
)
near = st.fixed_dictionaries(
    {
        "process": st.sampled_from(["a", "b", "c", 0, None]) | junk,
        "clock": st.lists(st.integers(-1, 3) | junk, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "x"]), st.integers(-1, 3) | junk, max_size=3),
        "state": st.dictionaries(st.sampled_from(["x", "y"]), junk, max_size=2) | junk,
    },
    optional={"time": junk},
)


@settings(max_examples=examples(300))
@given(st.lists(near | junk, max_size=12), st.sampled_from(["fifo", "causal"]), st.sampled_from(["fail", "skip"]))
def test_only_our_exceptions_come_out(rows: list[Any], delivery: str, policy: str) -> None:
    spec = spec_of(
        delivery=delivery,
        max_waiting=2,
        waiting_policy=policy,
        properties={
            "c": "definitely(a.x and b.x)",
            "s": "possibly(a.x + b.x > 1)",
            "p": "definitely(a.x == b.x or a.y < b.y)",
            "g": "possibly(a.x * b.x / a.y % b.y > 1)",
        },
    )
    monitor = Monitor(spec)
    for row in rows:
        try:
            monitor.observe(row)
            Monitor.restore(spec, monitor.snapshot())
        except LatwinError:
            pass


@settings(max_examples=examples(200))
@given(st.binary(max_size=40))
def test_restoring_junk_raises_only_our_exceptions(data: bytes) -> None:
    with pytest.raises(SnapshotError):
        Monitor.restore(spec_of(), data)


def test_a_missing_state_is_null() -> None:
    """Both mean that nothing is known of the variables; also where events are read together."""
    events = [{"process": "a", "clock": [k, 0], "state": None} for k in range(1, 40)]
    bare = [{name: value for name, value in event.items() if name != "state"} for event in events]
    one, other = Monitor(spec_of()), Monitor(spec_of())
    assert one.observe_many(events).notices == other.observe_many(bare).notices == []
    assert one.snapshot() == other.snapshot()
    assert Monitor(spec_of()).observe(bare[0]).notices == []
