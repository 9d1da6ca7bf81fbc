"""Nothing but SpecError comes out of a bad specification, whatever is in it, and whatever passes can be used."""

from __future__ import annotations

import contextlib
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin import Spec, SpecError
from latwin.fields import MAX_CUTS, MAX_WAITING
from latwin.lattice.bounds import MAX_WINDOW

BASE: dict[str, Any] = {
    "processes": ["a", "b"],
    "window": {"a": 4, "b": "unlimited"},
    "delivery": "causal",
    "synchrony": "500ms",
    "max_waiting": 100,
    "waiting_policy": "skip",
    "max_cuts": 1000,
    "never": ["p"],
    "initial": {"a": {"x": 1, "deep": {"y": [1.5, None, "z"]}}},
    "states": {"on": "a.x > 3"},
    "roles": {"one": ["b"], "every": "[ab]"},
    "properties": {
        "p": "possibly(a.x == 1 and b.y) and not definitely(on)",
        "q": "EF(a.x > 3 and AG(b.y)) or probability(a.x) >= 0.5",
        "r": "possibly(seq(on, any*, b.y))",
        "s": "possibly(count(every.x) > sum(one.y) or exists(p, q in every: p != q and p.x == q.x))",
    },
    "variables": {"text": ["x=(?<x>\\d+)"], "fields": {"y": "pkt.y"}},
}
TOML = """
processes = ["a", "b"]
max_cuts = 1_000
[window]
a = 4
b = "unlimited"
[initial.a]
x = 1
deep.y = [1.5, "z", 2026-01-01T00:00:00Z]
[states]
on = "a.x > 3"
[roles]
every = ["a", "b*"]
[properties]
p = "possibly(a.x == 1 and b.y) and not definitely(on)"
[variables]
text = ['x=(?<x>[0-9]+)']
"""


def use(spec: Spec) -> None:
    """Everything that others do with a specification."""
    again = Spec.from_dict(spec.to_dict())
    assert again.fingerprint == spec.fingerprint
    assert hash(again) == hash(spec)
    assert (spec.explain(), spec.meanings) == (again.explain(), again.meanings)
    repr(spec).encode()


def nested(levels: int, value: Any) -> Any:
    for _ in range(levels):
        value = [value]
    return value


def laughing(levels: int) -> Any:
    """A list of lists that is small in memory, and endless to walk."""
    value: Any = "ha"
    for _ in range(levels):
        value = [value] * 10
    return value


CYCLE: dict[str, Any] = {}
CYCLE["again"] = CYCLE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"window": 1_000_000_000},
            '`window` must be a whole number from 1 to 16,384, a duration such as "5m", "unlimited" or a table; '
            "got 1000000000",
        ),
        ({"window": MAX_WINDOW + 1}, "must be a whole number from 1 to 16,384"),
        ({"window": 10**5000}, "`window`: an integer must be from -2**63 to 2**63 - 1; got one of 16,610 bits"),
        ({"window": {"a": -(10**30), "b": 1}}, "`window.a`: an integer must be from -2**63"),
        (
            {"max_waiting": MAX_WAITING + 1},
            "`max_waiting` must be a whole number from 0 to 1,000,000,000; got 1000000001",
        ),
        ({"max_cuts": MAX_CUTS + 1}, "`max_cuts` must be a whole number from 1 to 137,438,953,472; got 137438953473"),
        ({"max_cuts": 2**64}, "`max_cuts`: an integer must be from"),
        ({"processes": [f"p{k}" for k in range(20_000)], "window": 1}, "there must be at most 268,435,456"),
        ({"processes": [f"p{k}" for k in range(300)], "window": 5000}, "clock entries"),
        ({"initial": {"a": {"x": 10**5000}}}, "`initial.a.x`: an integer must be"),
        ({"initial": {"a": {"x": nested(990, 1)}}}, "nested at most 30 levels deep"),
        ({"initial": {"a": {"x": laughing(12)}}}, "at most 1,000,000 values"),
        ({"initial": {"a": CYCLE}}, "nested at most 30 levels deep"),
        (
            {"initial": {"a": {"x": {1, 2}}}},
            "`initial.a.x`: must be plain data (texts, numbers, lists, tables); got set",
        ),
        ({"initial": {"a": {1: 2}}}, "`initial.a`: a name must be a text; got 1"),
        ({"initial": {10**5000: {}}}, "`initial`: a name must be a text; got int"),
        (
            {"initial": {"a": {"\ud800": 2}}},
            "`initial.a`: a text must be valid Unicode; got half of a surrogate pair",
        ),
        ({"processes": ["a", "b", "\udfff"]}, "`processes[2]`: a text must be valid Unicode"),
        ({"properties": {"p": "possibly(a.x == '\ud800')"}}, "`properties.p`: a text must be valid Unicode"),
        ({None: 3}, "a name must be a text; got None"),
        ({"synchrony": "1" + " " * 900_000 + "!"}, "`synchrony` must be a duration"),
        ({"synchrony": "9" * 400 + "s"}, "`synchrony` must be a duration"),
        ({"properties": {"p": "possibly(" + "(" * 5000 + "a.x" + ")" * 5000 + ")"}}, "nested more than 200 levels"),
        ({"properties": {"p": "possibly(" + "not " * 5000 + "a.x)"}}, "nested more than 200 levels"),
        ({"properties": {"p": f"possibly({'c' * 90_000}.x)"}}, "unknown process"),
        ({"variables": {"text": "((?<a>x{1000}){1000}){1000}"}}, "`variables.text`: not a usable regular expression"),
        ({"processes": "x" * 500_000}, 'got "xxx'),
    ],
)
def test_what_is_too_large_or_no_plain_data(change: dict[Any, Any], words: str) -> None:
    with pytest.raises(SpecError) as raised:
        Spec.from_dict({"processes": ["a", "b"], "window": 4, **change})
    assert words in str(raised.value)
    assert len(str(raised.value)) < 1000
    str(raised.value).encode()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("window = " + "9" * 5000, "an integer must be from -2**63 to 2**63 - 1"),
        ("window = " + "9" * 4000, "`window`: an integer must be from -2**63"),
        ("window = 0x" + "f" * 5000, "`window`: an integer must be from -2**63"),
        ("initial.a.x = " + "[" * 990 + "]" * 990, "nested at most 30 levels deep"),
        ("initial.a.x = " + "[" * 40 + "]" * 40, "nested at most 30 levels deep"),
        ("initial" + ".a" * 300_000 + " = 1", "a dotted name must have at most 30 parts"),
        ("initial" + ' . "a.b"' * 30 + " = 1", "a dotted name must have at most 30 parts"),
        ("[initial" + ".a" * 40 + "]", "a dotted name must have at most 30 parts"),
        ("#" * 1_000_001, "at most 1,000,000 characters"),
        ("window =", "a value is missing after `=`"),
        ('x = "\\ud800"', "not valid TOML: "),
    ],
)
def test_texts_that_no_parser_should_see(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as raised:
        Spec.loads(text)
    assert words in str(raised.value)
    path = tmp_path / "spec.toml"
    path.write_text(text)
    with pytest.raises(SpecError) as raised:
        Spec.load(path)
    assert str(raised.value).startswith(f"{path}: ")


def test_a_file_is_read_no_further_than_needed() -> None:
    with pytest.raises(SpecError, match="at most 1,000,000 characters"):
        Spec.load("/dev/zero")


def test_the_largest_that_is_allowed() -> None:
    use(Spec.from_dict({"processes": ["a"], "window": MAX_WINDOW, "max_waiting": MAX_WAITING, "max_cuts": MAX_CUTS}))
    use(Spec.from_dict({"processes": [f"p{k}" for k in range(500)], "window": 1000}))


def test_the_document_is_copied() -> None:
    document = {"processes": ("a",), "window": 1, "initial": {"a": {"x": [1]}}}
    spec = Spec.from_dict(document)
    document["initial"]["a"]["x"].append(2)  # type: ignore[index]
    assert spec.initial == ({"x": [1]},)


# -- random ones -------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        *BASE,
        *BASE["properties"].values(),
        "a",
        "b",
        "p",
        "on",
        "text",
        "fields",
        "unlimited",
        "fifo",
        "skip",
        "any",
        "",
    ]
)
NAMES = WORDS | st.text(max_size=5) | st.sampled_from(["\ud800", "x" * 300])
ODD = st.sampled_from(
    [10**4000, -(10**400), 2**63, 2**64, 1_000_000_000, 0, -1, True, None, math.nan, math.inf, nested(990, 1), CYCLE]
) | st.sampled_from(
    ["\udc00", "(a+)+$", "(?<x>(a+)+$)", "(" * 3000, b"bytes", {1}, object(), datetime(2026, 1, 1, tzinfo=UTC)]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | NAMES | ODD
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(NAMES | st.integers() | st.none(), inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    ),
    max_leaves=8,
)


@given(VALUES | st.dictionaries(st.sampled_from(sorted(BASE)), VALUES, max_size=5))
def test_any_structure(document: Any) -> None:
    with contextlib.suppress(SpecError):
        use(Spec.from_dict(document))


@st.composite
def mutated(draw: st.DrawFn) -> dict[Any, Any]:
    """A good specification with some values replaced, taken away or added, at any depth."""

    def change(value: Any, depth: int) -> Any:
        if isinstance(value, dict) and value:
            place = draw(st.sampled_from(list(value)))
            if depth and draw(st.integers(0, 3)):
                return {**value, place: change(value[place], depth - 1)}
            how = draw(st.integers(0, 2))
            if how == 0:
                return {name: inner for name, inner in value.items() if name != place}
            return {**value, (place if how == 1 else draw(NAMES)): draw(VALUES)}
        if isinstance(value, list) and draw(st.booleans()):
            return [*value, draw(VALUES)]
        if isinstance(value, str) and draw(st.booleans()):
            begin = draw(st.integers(0, len(value)))
            end = draw(st.integers(begin, len(value)))
            return value[:begin] + draw(NAMES) + value[end:]
        return draw(VALUES)

    document: Any = BASE
    for _ in range(draw(st.integers(1, 2))):
        document = change(document, 4)
    return document  # type: ignore[no-any-return]


def test_the_good_one_is_good() -> None:
    use(Spec.from_dict(BASE))
    use(Spec.loads(TOML))


@given(mutated())
def test_a_mutated_specification(document: dict[Any, Any]) -> None:
    with contextlib.suppress(SpecError):
        use(Spec.from_dict(document))


PIECES = st.sampled_from(
    [
        "[",
        "]",
        "[[",
        "]]",
        "=",
        ".",
        "\n",
        '"',
        "'",
        "{",
        "}",
        ",",
        "a.",
        "9" * 5000,
        "[" * 990,
        "0x",
        "inf",
        "\\",
        "#",
        "\x00",
    ]
)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), PIECES | NAMES), min_size=1, max_size=3))
def test_a_mutated_text(changes: list[tuple[float, int, str]]) -> None:
    text = TOML
    for where, length, piece in changes:
        begin = int(where * len(text))
        text = text[:begin] + piece + text[begin + length :]
    with contextlib.suppress(SpecError):
        use(Spec.loads(text))


@given(st.text(max_size=60) | st.text(alphabet="[]{}=.,\"'\\\n a1-_:#+eTZ", max_size=60))
def test_any_text(text: str) -> None:
    with contextlib.suppress(SpecError):
        use(Spec.loads(text))
