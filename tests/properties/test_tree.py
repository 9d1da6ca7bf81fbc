"""The trees of properties: what they refuse, their text, and from the text back."""

from __future__ import annotations

import pickle
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from expressions import expressions, properties
from latwin.errors import InvalidInput
from latwin.properties import (
    And,
    Expr,
    Literal,
    Member,
    Modal,
    Or,
    Property,
    PropertyOr,
    Variable,
    parse_predicate,
    parse_property,
    parser,
    show,
    tree,
)

PROCESSES = ["phone", "rfid", "projector", "meeting-room", "in"]
A, B = Variable(0, ("a",)), Variable(1, ("b",))


def predicate(text: str) -> Expr:
    return parse_predicate(text, PROCESSES)


def question(text: str) -> Property:
    return parse_property(text, PROCESSES)


def test_nodes_know_their_processes() -> None:
    assert predicate("phone.a + 1 < 2 and not `in`.x").processes == {0, 4}
    assert predicate("phone.a in (1, -rfid.b)").processes == {0, 1}
    assert predicate("1 < 2").processes == frozenset()
    assert question("possibly(phone.a) or not possibly(rfid.b)").processes == {0, 1}


def test_equality_is_by_structure_and_type() -> None:
    assert predicate("phone.a == 1 and rfid.b") == predicate("  (phone.a) == 1\nand rfid.b")
    assert len({predicate("phone.a == 1"), predicate("phone.a==1"), predicate("phone.a != 1")}) == 2
    assert len({Literal(1), Literal(1.0), Literal(True), Literal("1"), Literal(None)}) == 5
    assert Literal(1) != 1
    assert len({And((A, B)), Or((A, B))}) == 2
    assert Modal("possibly", A) != Modal("definitely", A)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: And((A,)), "And must have at least two operands; got 1"),
        (lambda: PropertyOr(()), "PropertyOr must have at least two operands; got 0"),
        (lambda: Member(A, ()), r"at least one option; got \(\)"),
        (lambda: Variable(0, ()), r"at least one name; got \(\)"),
        (lambda: Literal(float("nan")), "must be finite; got nan"),
        (lambda: Literal(10**600), "at most 600 digits"),
        (lambda: Literal(cast(Any, [1])), r"must be a bool, int, float, str or None; got \[1\]"),
    ],
)
def test_nodes_refuse_what_the_language_cannot_say(build: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        build()


@pytest.mark.parametrize(
    "text",
    [
        "possibly(phone.a + 1 < -2 and not (rfid.b or projector.c))",
        "definitely(`meeting-room`.`is-on` in ('it\\'s', 2.5, null)) or not possibly(-(1) == --5)",
        "not (possibly(true) and possibly(phone.a not in (1)))",
        "possibly(phone.a - (rfid.b - 1) * (2 + 3) % 4 == 1e-07)",
        "possibly((phone.a == 1) == (phone.a in (1)) and (not phone.a) + 1)",
        "possibly(phone.`\\u000a`.b)",
    ],
)
def test_show_gives_canonical_text_back(text: str) -> None:
    assert show(question(text), PROCESSES) == text


ANY_NAMES = st.text() | st.sampled_from(sorted(tree.KEYWORDS)) | st.sampled_from(["x", "possibly", "a.b", "`"])
ANY_LITERALS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.text(st.characters(min_codepoint=0x10000), min_size=1, max_size=1)
)


@settings(max_examples=examples(300), deadline=None)
@given(
    node=properties(3, names=ANY_NAMES, literals=ANY_LITERALS),
    names=st.lists(ANY_NAMES, min_size=3, max_size=3, unique=True),
)
def test_show_then_parse_gives_the_tree_back(node: Property, names: list[str]) -> None:
    text = show(node, names)
    again = parse_property(text, names)
    assert again == node
    assert hash(again) == hash(node)
    assert again.processes == node.processes
    assert show(again, names) == text


@settings(max_examples=examples(200), deadline=None)
@given(node=expressions(3))
def test_trees_survive_pickling(node: Expr) -> None:
    again = pickle.loads(pickle.dumps(node))
    assert again == node
    assert again.processes == node.processes


def test_the_grammar_and_the_tree_agree_on_keywords() -> None:
    words = {terminal.pattern.value for terminal in parser._lark().terminals if terminal.pattern.type == "str"}
    between = {"U", "S", "implies", "until", "weak_until", "since"}  # only ever stand where no name can
    assert {word for word in words if word.replace("_", "").isalpha()} == tree.KEYWORDS | between
    for name in between:
        text = f"E[{name}.{name} U not {name}.x] implies possibly({name}.{name} implies {name}.x)"
        assert tree.show(parser.parse_property(text, [name]), [name]).count(f"{name}.{name}") == 2
