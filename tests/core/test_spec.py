"""Specifications: what they accept, and how they refuse the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from latwin import PropertyError, Spec, SpecError

OFFICE = """
processes = ["phone", "rfid", "projector"]
window = 4
never = ["crowd"]

[initial.phone]
ap = "office"

[properties]
silent = "definitely(phone.ap == 'meeting-room' and rfid.speaker and projector.on)"
crowd  = "possibly(rfid.people + phone.guests > 20)"
both   = "possibly(rfid.speaker) and not definitely(projector.on or phone.ap == 'x')"
"""


def test_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_text(OFFICE)
    spec = Spec.load(path)
    assert spec.processes == ("phone", "rfid", "projector")
    assert spec.window == (4, 4, 4)
    assert spec.initial == ({"ap": "office"}, None, None)
    assert (spec.delivery, spec.waiting_policy, spec.max_waiting) == ("fifo", "fail", 10_000)
    assert spec.never == ("crowd",)
    assert Spec.from_dict(spec.to_dict()) == spec
    assert hash(Spec.from_dict(spec.to_dict())) == hash(spec)
    assert eval(repr(spec), {"Spec": Spec}) == spec
    assert spec != "spec"


def test_explain() -> None:
    import tomllib

    assert Spec.from_dict(tomllib.loads(OFFICE)).explain() == (
        "silent = definitely(phone.ap == 'meeting-room' and rfid.speaker and projector.on)\n"
        "   conjunctive: a conjunction of per-process conditions (on phone, rfid, projector): answered from the "
        "clocks alone, without the lattice\n"
        "crowd = possibly(rfid.people + phone.guests > 20)\n"
        "   sums: one sum over 2 processes: answered by a flow between the states that raise it and those that lower "
        "it, without the lattice; sums of fractions go to the lattice\n"
        "both = possibly(rfid.speaker) and not definitely(projector.on or phone.ap == 'x')\n"
        "   conjunctive possibly(...): a conjunction of per-process conditions (on rfid): answered from the clocks "
        "alone, without the lattice\n"
        "   conjunctive definitely(...): an `or` of 2 per-process conditions: every observation visits every state, "
        "so `definitely` is `possibly`, answered from the clocks alone, without the lattice"
    )


def test_windows_per_process() -> None:
    spec = Spec.from_dict({"processes": ["a", "b", "c"], "window": {"a": 1, "b": "unlimited", "c": None}})
    assert spec.window == (1, None, None)
    assert Spec.from_dict({"processes": ["a"], "window": None}).window == (None,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"processes": []}, '`processes` must be a list of one or more strings, "open" or a table; got []'),
        ({"processes": ["a", "a"]}, "process 'a' is listed twice"),
        ({"processes": ["a", ""]}, "`processes[1]` must be a string that is not empty"),
        ({"processes": "ab"}, '`processes` must be a list of one or more strings, "open" or a table; got "ab"'),
        (
            {"window": 0},
            '`window` must be a whole number from 1 to 16,384, a duration such as "5m", "unlimited" or a table; '
            "got 0",
        ),
        (
            {"window": "all"},
            '`window` must be a whole number from 1 to 16,384, a duration such as "5m", "unlimited" or a table; '
            'got "all"',
        ),
        ({"window": 2.5}, "`window` must be a whole number"),
        ({"window": {"a": 1}}, "`window` lacks a size for process 'b'"),
        ({"window": {"a": 1, "b": 2, "c": 3}}, "`window` names the unknown process 'c'; processes are 'a', 'b'"),
        ({"initial": {"z": {}}}, "`initial` names the unknown process 'z'"),
        ({"initial": {"a": 3}}, "`initial.a` must be a table; got 3"),
        ({"delivery": "random"}, '`delivery` must be "causal" or "fifo"; got "random"'),
        ({"waiting_policy": "ignore"}, '`waiting_policy` must be "fail" or "skip"; got "ignore"'),
        ({"max_waiting": -1}, "`max_waiting` must be a whole number from 0 to 1,000,000,000; got -1"),
        ({"max_cuts": 0}, "`max_cuts` must be a whole number from 1 to 137,438,953,472; got 0"),
        ({"never": ["q"]}, "`never` names the unknown property 'q'; properties are 'p'"),
        ({"propertys": {}}, "unknown field `propertys`; did you mean `properties`?"),
        ({"properties": {"p": 5}}, "`properties.p` must be a string; got 5"),
    ],
)
def test_mistakes_are_explained(change: dict[str, Any], message: str) -> None:
    base: dict[str, Any] = {"processes": ["a", "b"], "window": 4, "properties": {"p": "possibly(a.x)"}}
    with pytest.raises(SpecError) as raised:
        Spec.from_dict({**base, **change})
    assert message in str(raised.value)


def test_a_property_mistake_shows_its_place() -> None:
    with pytest.raises(PropertyError) as raised:
        Spec.from_dict({"processes": ["phone"], "window": 4, "properties": {"p": "possibly(fone.x)"}})
    assert "possibly(fone.x)\n" in str(raised.value)
    assert "         ^" in str(raised.value)
    assert "phone" in str(raised.value)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read: No such file"):
        Spec.load(tmp_path / "none.toml")
    with pytest.raises(SpecError, match="cannot be read"):
        Spec.load(tmp_path)
    (tmp_path / "bad.toml").write_text("processes = [")
    with pytest.raises(SpecError, match="expected a value or `]`"):
        Spec.load(tmp_path / "bad.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError, match="must be UTF-8 text"):
        Spec.load(tmp_path / "binary.toml")
    with pytest.raises(SpecError, match="must be a table; got list"):
        Spec.from_dict([])  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="`window` is missing"):
        Spec.from_dict({"processes": ["a"]})
    with pytest.raises(SpecError, match="`processes` is missing; give a list"):
        Spec.from_dict({"window": 4})


def spec_with_roles(**roles: Any) -> Spec:
    document = {"processes": ["r2", "r1", "c[1]", "door"], "window": 4, "roles": roles}
    return Spec.from_dict({**document, "properties": {"p": "possibly(count(replica.on) > 1)"}})


@pytest.mark.parametrize(
    ("given", "members"),
    [
        ("r*", ("r2", "r1")),
        (["r1", "r2"], ("r2", "r1")),
        (["door", "r?"], ("r2", "r1", "door")),
        ("*", ("r2", "r1", "c[1]", "door")),
        ("door", ("door",)),
        ("c[1]", ("c[1]",)),  # the name of a process is no pattern
        (["r[!2]", "r1", "r1"], ("r1",)),
    ],
)
def test_roles_are_names_and_patterns_of_processes(given: Any, members: tuple[str, ...]) -> None:
    spec = spec_with_roles(replica=given)
    assert spec.roles == {"replica": members}
    assert Spec.from_dict(spec.to_dict()) == spec


def test_a_role_with_other_members_is_another_question() -> None:
    one, two = spec_with_roles(replica="r*"), spec_with_roles(replica=["r1", "door"])
    assert one.fingerprint != two.fingerprint
    assert one.system_fingerprint == two.system_fingerprint
    assert one.meanings == {"p": "possibly(count(replica.on) > 1); replica: r2, r1"}
    assert two.meanings == {"p": "possibly(count(replica.on) > 1); replica: r1, door"}


def test_named_states_use_roles() -> None:
    document = {"processes": ["a", "b"], "window": 4, "roles": {"every": "*"}, "states": {"up": "all(every.up)"}}
    spec = Spec.from_dict({**document, "properties": {"p": "definitely(up)"}})
    assert spec.meanings == {"p": "definitely(all(every.up)); every: a, b"}
