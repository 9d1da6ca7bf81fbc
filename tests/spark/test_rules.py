"""Rules that change while a pipeline runs: the log of versions, shards under it, and where new rules come from."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyspark")

from latwin import Spec
from latwin.errors import InvalidInput, SnapshotError
from latwin.spark.checkpoint import change_rules, known_rules, prepare_checkpoint
from latwin.spark.rules import Rules
from latwin.spark.sinks.folder import read_output
from latwin.spark.watching import ChangingRules, Refused, SpecFile, read_spec
from shards import SPEC, Event, Row, by_group, local_rows_under, make_event, make_worker, payload
from traffic import put_in_order, random_arrivals

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAMES = ["p0", "p1"]
PROPERTIES = {
    "both": "possibly(p0.x and p1.x)",
    "sure": "definitely(p0.x and p1.x)",
    "general": "definitely((p0.x or p1.y) and not (p0.y and p1.x))",
    "order": "possibly(seq(p0.x, any*, p1.x))",
}


def other_rules(rng: random.Random) -> Spec:
    asked = rng.sample(sorted(PROPERTIES), rng.randint(0, len(PROPERTIES)))
    return Spec.from_dict(
        {
            "processes": NAMES,
            "window": {name: rng.choice([1, 2, 4, None]) for name in NAMES},
            "properties": {name: PROPERTIES[name] for name in asked},
            "max_cuts": rng.choice([2, 1000]),
            "max_waiting": rng.choice([2, 1000]),
            "waiting_policy": "skip",
        }
    )


# -- the log of versions ---------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 3), max_size=8))
def test_every_batch_that_may_run_finds_its_version(steps: list[int]) -> None:
    """Versions are pruned, but none that a batch can still need: the last one with offsets, and all later ones."""
    specs = [Spec.from_dict({**SPEC.to_dict(), "max_cuts": number + 1}) for number in range(len(steps) + 1)]
    rules = Rules.of(specs[0])
    followed: dict[int, int] = {}  # by every batch that has offsets
    for number, step in enumerate(steps, start=1):
        for batch in range(len(followed), len(followed) + step):
            followed[batch] = rules.at(batch).number
        begun = len(followed)
        rules = rules.followed_by(specs[number], begun)
        assert len(rules.versions) <= 2
        assert rules.latest.number == number + 1
        if begun:
            assert rules.at(begun - 1).number == followed[begun - 1]
        for batch in range(begun, begun + 3):
            assert rules.at(batch).number == number + 1
            assert rules.at(batch).checked() == specs[number]


# -- shards ------------------------------------------------------------------------------------------------


def cut(rng: random.Random, events: list[Event], most: int) -> Iterator[list[Event]]:
    places = sorted(rng.randint(0, len(events)) for _ in range(rng.randint(0, most)))
    for begin, end in zip([0, *places], [*places, len(events)], strict=True):
        yield events[begin:end]


@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_a_shard_under_changing_rules_says_what_local_monitors_say(
    seed: int, every: bool, observations: bool
) -> None:
    """Rules change between batches; a new worker each time, which knows nothing but the stored bytes."""
    rng = random.Random(seed)
    versions = [other_rules(rng)]
    events = random_arrivals(rng, versions[0], groups=4)
    put_in_order(versions[0], events, "arrival")
    batches = []
    stored: bytes | None = None
    rows: list[Row] = []
    for batch in cut(rng, events, 6):
        versions += [other_rules(rng) for _ in range(rng.choice([0, 0, 1, 2]))]
        number, spec = len(versions), versions[-1]
        batches.append((number, spec, batch))
        worker = make_worker(spec, every=every, observations=observations, rules=number)
        stored, results = worker.work(stored, [payload(*batch)])
        rows += results.verdicts
        assert all(row["slides"] >= row["events"] - row["waiting"] - row["duplicates"] for row in results.metrics)
    expected = local_rows_under(batches, every=every, observations=observations)
    assert by_group(rows) == {group: told for group, told in expected.items() if told}


def test_a_group_takes_new_rules_before_its_next_event_and_not_earlier() -> None:
    asked = Spec.from_dict({**SPEC.to_dict(), "properties": {"one": "possibly(p0.x)"}, "window": 2})
    stored, _ = make_worker().work(None, [payload(make_event("a", 0, 1), make_event("b", 0, 1))])
    stored, results = make_worker(asked, rules=2).work(stored, [payload(make_event("a", 1, 1))])
    assert [(row["group"], row["kind"], row["slide"], row["rules"]) for row in results.verdicts] == [
        ("a", "rules", 2, 2)
    ]
    assert [(row["group"], row["slides"], row["ticks"], row["delivered"]) for row in results.metrics] == [
        ("a", 2, 1, 2)
    ]
    stored, results = make_worker(asked, rules=2).work(stored, [payload(make_event("a", 1, 2))])
    assert results.verdicts == []
    # `b` was left under version 1, and goes to 3 in one step; a group that begins now has nothing to change.
    _, results = make_worker(rules=3).work(stored, [payload(*(make_event(group, 1, 1) for group in "bc"))])
    assert [(row["group"], row["kind"], row["property"], row["rules"]) for row in results.verdicts] == [
        ("b", "state", "both", 3),
        ("b", "state", "sure", 3),
    ]
    assert [(row["group"], row["ticks"]) for row in results.metrics] == [("b", 1), ("c", 0)]


def test_a_version_that_was_used_is_not_used_again() -> None:
    stored, _ = make_worker(rules=3).work(None, [payload(make_event("g", 0, 1))])
    with pytest.raises(
        SnapshotError, match="group 'g' follows version 3 of the rules already; the query has version 2"
    ):
        make_worker(rules=2).work(stored, [payload(make_event("g", 0, 2))])


def test_older_outputs_stay_readable(spark: SparkSession, tmp_path: Path) -> None:
    """Those of a latwin without versions of rules; what they do not say was so."""
    columns = "`group` string, property string, value boolean, changed boolean, slide bigint"
    rows = spark.createDataFrame([("g", "p", True, True, 1)], columns).coalesce(1)
    rows.write.parquet(str(tmp_path / "verdicts/batch=0"))
    (row,) = read_output(spark, str(tmp_path), "verdicts").collect()
    assert (row["kind"], row["rules"], row["growing"], row["members"], row["batch"]) == ("state", 1, False, None, 0)


# -- where new rules come from -----------------------------------------------------------------------------


def test_a_file_counts_once_it_has_settled_and_once_only(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_text('processes = ["p0"]\nwindow = 1')
    file = SpecFile(path)
    first = file.look()
    assert isinstance(first, Spec)
    assert first.window == (1,)
    assert file.look() is None
    path.write_text('processes = ["p0"]\nwindow = 2')
    assert file.look() is None  # it may still be written
    second = file.look()
    assert isinstance(second, Spec)
    assert second.window == (2,)
    path.write_text('processes = ["p0"]\nwindow = ')
    assert file.look() is None
    path.write_text('processes = ["p0"]\nwindow = 0')
    looks = [file.look() for _ in range(4)]
    assert looks == [None, looks[1], None, None]
    assert isinstance(looks[1], Refused)
    assert looks[1].reason.startswith(f"{path}: line 2, column 1: `window`")
    assert "\n" not in looks[1].reason
    path.unlink()
    assert file.look() is None
    path.write_text('processes = ["p0"]\nwindow = 2')
    assert [file.look(), file.look()] == [None, second]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff", "here: must be UTF-8 text: "),
        (b"", "here: "),
        (b"{", "here: not valid JSON"),
        (b'{"processes": []}', "here: "),
        (b'processes = ["a"]\nwindow = 1\n[properties]\np = "possibly(a.x"', "here: "),
        (b'processes = ["a"', "here: line 1"),
    ],
)
def test_what_is_no_spec_is_refused_in_one_line(content: bytes, reason: str) -> None:
    refused = read_spec(content, "here")
    assert isinstance(refused, Refused)
    assert refused.reason.startswith(reason)
    assert "\n" not in refused.reason


def test_specs_come_as_toml_and_as_json() -> None:
    toml = b'\n\nprocesses = ["p0", "p1"]\r\nwindow = 3\r\n'
    assert read_spec(toml, "here") == read_spec(b' {"processes": ["p0", "p1"], "window": 3}', "here")


class Offers:
    """A source of rules from a list."""

    def __init__(self, *offers: Spec | Refused | None) -> None:
        self._offers = list(offers)

    def look(self) -> Spec | Refused | None:
        return self._offers.pop(0) if self._offers else None


def renamed(**fields: Any) -> Spec:
    return Spec.from_dict({**SPEC.to_dict(), **fields})


def test_wrong_rules_are_told_once_and_those_of_before_go_on(spark: SparkSession, tmp_path: Path) -> None:
    place, told = str(tmp_path / "checkpoint"), list[Refused]()
    small, smaller = renamed(window=2), renamed(window=1)
    offers = Offers(None, None, Refused("half"), renamed(delivery="causal"), small, SPEC, smaller, Refused("late"))
    changing = ChangingRules(spark, place, offers, told.append)
    assert changing.first(SPEC) is SPEC
    changing.follow(prepare_checkpoint(spark, place, SPEC))
    looks = [changing.are_offered() for _ in range(3)]
    assert (looks, len(told)) == ([False] * 3, 2)
    assert told[0].reason == "half"
    assert told[1].reason.startswith(
        'new rules: the checkpoint was begun with another spec: delivery: "fifo" -> "causal"'
    )
    assert changing.are_offered()
    assert not changing.are_offered()  # they were taken back before anybody took them
    assert changing.are_offered()
    assert changing.are_offered()  # although a wrong one came after
    assert len(told) == 3
    changed = changing.take()
    assert changed.changes == ("window.p0: 3 -> 1", "window.p1: 3 -> 1")
    assert (changed.rules.latest.number, changed.rules.latest.from_batch) == (2, 0)
    assert not changing.are_offered()
    assert (changing.number_of(0), changing.never_of(0)) == (2, ())


def test_at_a_start_the_source_counts_and_else_the_checkpoint(spark: SparkSession, tmp_path: Path) -> None:
    place, told = str(tmp_path / "checkpoint"), list[Refused]()
    small = renamed(window=2)
    assert ChangingRules(spark, place, Offers(small), told.append).first(SPEC) == small
    assert ChangingRules(spark, place, Offers(Refused("x")), told.append).first(SPEC) == SPEC
    prepare_checkpoint(spark, place, small)
    assert ChangingRules(spark, place, Offers(None), told.append).first(SPEC) == SPEC
    assert ChangingRules(spark, place, Offers(Refused("x")), told.append).first(SPEC) == small
    other = renamed(delivery="causal")
    assert ChangingRules(spark, place, Offers(other), told.append).first(SPEC) == small
    assert len(told) == 3


def test_a_checkpoint_keeps_the_rules_of_the_batches_that_were_begun(spark: SparkSession, tmp_path: Path) -> None:
    place, offsets = tmp_path / "checkpoint", tmp_path / "checkpoint/offsets"
    assert known_rules(spark, str(place)) is None
    prepare_checkpoint(spark, str(place), SPEC)
    offsets.mkdir()
    for name in ("0", "1", ".1.crc", ".2.0815.tmp"):
        (offsets / name).write_text("v1\n{}\n{}")
    changed = change_rules(spark, str(place), renamed(window=2))
    assert [(each.number, each.from_batch) for each in changed.rules.versions] == [(1, 0), (2, 2)]
    again = prepare_checkpoint(spark, str(place), renamed(window=1))  # a restart is the same thing
    assert [(each.number, each.from_batch) for each in again.rules.versions] == [(1, 0), (3, 2)]
    assert again.changes == ("window.p0: 2 -> 1", "window.p1: 2 -> 1")
    (offsets / "2").write_text("v1\n{}\n{}")
    assert change_rules(spark, str(place), renamed(window=1)).rules == again.rules
    last = change_rules(spark, str(place), SPEC)
    assert [(each.number, each.from_batch) for each in last.rules.versions] == [(3, 2), (4, 3)]
    assert known_rules(spark, str(place)) == last.rules
    record = json.loads((place / "latwin.json").read_text())
    (place / "latwin.json").write_text(json.dumps({**record, "rules": []}))
    with pytest.raises(InvalidInput, match="is damaged"):
        known_rules(spark, str(place))
    (place / "latwin.json").write_text(json.dumps({"id": "x", "version": 2, "spec": {}}))
    with pytest.raises(InvalidInput, match="another version: 2 -> 4"):
        prepare_checkpoint(spark, str(place), SPEC)
