"""Damaged state of a shard: it is refused with the names of shard and group, or set aside with all that it had."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from latwin.errors import SnapshotError
from latwin.spark.container import VERSION, Container
from shards import Row, make_event, make_worker, payload

NAMES = [f"group {number}" for number in range(4)]
GROUPS, ASIDE, DAMAGED = 4, 6, 7


def make_state() -> bytes:
    """The state of shard 3, with four groups of two states each."""
    events = [make_event(name, k, 1, order=k) for name in NAMES for k in range(2)]
    return make_worker().work(None, [payload(*events)], shard=3)[0]


def with_damaged(stored: bytes, group: str) -> bytes:
    """The state with one bit of a group's snapshot flipped."""
    snapshot = msgspec.msgpack.decode(stored)[GROUPS][group]
    assert stored.count(snapshot[40:]) >= 1
    fields = msgspec.msgpack.decode(stored)
    fields[GROUPS][group] = snapshot[:-1] + bytes([snapshot[-1] ^ 1])
    return msgspec.msgpack.encode(fields)


def next_events() -> str:
    return payload(*(make_event(name, 0, 2, False) for name in NAMES))


def group_rows(rows: list[Row], group: str) -> list[Row]:
    return [row for row in rows if row["group"] == group]


def test_a_damaged_group_is_named() -> None:
    stored = with_damaged(make_state(), "group 2")
    with pytest.raises(
        SnapshotError,
        match=r"^group 'group 2' in shard 3: the snapshot is damaged: its checksum is wrong\. Restore the checkpoint",
    ):
        make_worker().work(stored, [next_events()], shard=3)


def test_a_damaged_group_that_has_no_events_disturbs_nobody() -> None:
    stored = with_damaged(make_state(), "group 2")
    _, results = make_worker().work(stored, [payload(make_event("group 1", 0, 2))], shard=3)
    assert results.rejects == []


def test_a_damaged_group_is_set_aside_and_the_others_go_on() -> None:
    whole = make_state()
    damaged = with_damaged(whole, "group 2")
    expected = make_worker().work(whole, [next_events()], shard=3)[1]
    worker = make_worker(quarantine_damaged=True)
    stored, results = worker.work(damaged, [next_events()], shard=3)
    for name in NAMES:
        if name != "group 2":
            assert group_rows(results.verdicts, name) == group_rows(expected.verdicts, name)
            assert group_rows(results.metrics, name) == group_rows(expected.metrics, name)
    told, event = results.rejects
    for row in (told, event):
        assert (row["group"], row["kind"]) == ("group 2", "rejected")
        assert row["reason"].startswith("group 'group 2' in shard 3: the snapshot is damaged: its checksum is wrong")
        assert "set aside: its events are rejected, its" in row["reason"]
    assert told["event"] is None
    assert event["event"] is not None
    # Nothing is lost: the bytes are as they were found.
    fields = msgspec.msgpack.decode(stored)
    assert fields[ASIDE]["group 2"][1] == msgspec.msgpack.decode(damaged)[GROUPS]["group 2"]
    assert "group 2" not in fields[GROUPS]
    # Later events of the group are rejected too, whether or not damage is still to be set aside.
    for later in (worker, make_worker()):
        again, results = later.work(
            stored, [payload(make_event("group 2", 0, 3), make_event("group 1", 0, 3))], shard=3
        )
        assert [(row["group"], row["reason"]) for row in results.rejects] == [("group 2", event["reason"])]
        assert [row["group"] for row in results.metrics] == ["group 1"]
        assert msgspec.msgpack.decode(again)[ASIDE] == fields[ASIDE]


DAMAGES: list[Any] = [
    b"",
    b"\x90",
    b"\x00",
    b"\x91\x06",
    b"\xc1",
    b"\x91" * 5000,
    b"\x94\x05\x81\x80\x01\xa1\xff\x01",
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_shard_is_named(damage: bytes) -> None:
    with pytest.raises(
        SnapshotError, match=r"^shard 3: its state is damaged: .*This concerns all groups of the shard"
    ):
        make_worker().work(damage, [next_events()], shard=3)


def test_a_changed_name_of_a_group_is_noticed() -> None:
    """No snapshot would tell."""
    damaged = make_state().replace(b"group 1", b"group 9")
    with pytest.raises(SnapshotError, match="shard 3: its state is damaged: its checksum is wrong"):
        make_worker().work(damaged, [next_events()], shard=3)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_shard_is_set_aside_and_begins_again(damage: bytes) -> None:
    worker = make_worker(quarantine_damaged=True)
    events = [make_event("new", k, 1, order=k) for k in range(2)]
    stored, results = worker.work(damage, [payload(*events)], shard=3)
    (told,) = results.rejects
    assert (told["group"], told["kind"], told["event"]) == (None, "rejected", None)
    assert told["reason"].startswith("shard 3: its state is damaged: ")
    assert "This concerns all groups of the shard: they begin again" in told["reason"]
    assert [row["value"] for row in results.verdicts] == [True, True]
    assert msgspec.msgpack.decode(stored)[DAMAGED] == [damage]
    again, results = worker.work(stored, [payload(make_event("new", 0, 2))], shard=3)
    assert results.rejects == []
    assert msgspec.msgpack.decode(again)[DAMAGED] == [damage]


@pytest.mark.parametrize("version", [1, VERSION - 1, VERSION + 1, 1000])
def test_state_of_another_version_is_never_set_aside(version: int) -> None:
    """It is not damaged: another latwin reads it. Its checksum is another, whether or not its fields are the same."""
    fields = msgspec.msgpack.decode(make_state())
    others = [[version, fields[1] ^ 1, *fields[2:]], [version, "other", "fields"]]
    for other in others:
        with pytest.raises(SnapshotError, match=f"the state has version {version}; this latwin reads version "):
            make_worker(quarantine_damaged=True).work(msgspec.msgpack.encode(other), [next_events()], shard=3)


@pytest.mark.parametrize("byte", [byte for byte in range(256) if byte != VERSION])
def test_a_damaged_version_is_no_other_version(byte: int) -> None:
    """Whatever its byte becomes, also another number: the checksum covers it."""
    state = make_state()
    damaged = state[:1] + bytes([byte]) + state[2:]
    with pytest.raises(SnapshotError, match="shard 3: its state is damaged: "):
        make_worker().work(damaged, [next_events()], shard=3)
    stored, results = make_worker(quarantine_damaged=True).work(damaged, [next_events()], shard=3)
    assert msgspec.msgpack.decode(stored)[DAMAGED] == [damaged]
    assert results.rejects[0]["reason"].startswith("shard 3: its state is damaged: ")


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 1 << 40), st.booleans())
def test_damage_anywhere(seed: int, quarantine: bool) -> None:
    """Whatever bytes change: SnapshotError, or, set aside, nothing that the state had is lost."""
    print(f"seed={seed}")
    rng = random.Random(seed)
    changed = bytearray(make_state())
    places = rng.choice([1, 1, 1, 5])
    for _ in range(places):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    damaged = bytes(changed[: rng.choice([len(changed), len(changed), rng.randrange(len(changed))])])
    try:
        stored, results = make_worker(quarantine_damaged=quarantine).work(damaged, [next_events()], shard=3)
    except SnapshotError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        # Only together with other damage can a damaged version pass as another one.
        assert not quarantine or ("version" in refused and (places > 1 or len(damaged) < len(changed)))
        return
    fields = msgspec.msgpack.decode(stored)
    is_whole = damaged == make_state()
    assert is_whole or quarantine
    assert is_whole == (results.rejects == [])
    assert fields[DAMAGED] in ([], [damaged])
    kept = {*fields[GROUPS], *fields[ASIDE]}
    assert kept == set(NAMES)


@pytest.mark.parametrize(
    "odd", [msgspec.msgpack.Ext(5, b"x"), b"\xff", {"1": msgspec.msgpack.Ext(1, b"")}, None, [[]]]
)
def test_a_wrong_writer_of_the_system(odd: Any) -> None:
    """Whatever the state says it was begun with, the difference is told."""
    container = msgspec.msgpack.decode(make_state(), type=Container)
    container.system = {**container.system, "delivery": odd}
    with pytest.raises(SnapshotError, match="begun with another spec: delivery: "):
        make_worker().work(container.encoded(), [next_events()], shard=3)
