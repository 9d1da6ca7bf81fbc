"""Reading properties: every form of the language, its limits, and that nothing but a PropertyError comes out."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from expressions import properties
from latwin.errors import PropertyError
from latwin.properties import (
    And,
    Arithmetic,
    Compare,
    Expr,
    Literal,
    Member,
    Modal,
    Negate,
    Not,
    Or,
    Property,
    PropertyAnd,
    PropertyNot,
    PropertyOr,
    Variable,
    parse_predicate,
    parse_property,
    show,
    tree,
)

PROCESSES = ["phone", "rfid", "projector", "meeting-room", "in"]
A, B, C = Variable(0, ("a",)), Variable(1, ("b",)), Variable(2, ("c",))
ONE, TWO, THREE = Literal(1), Literal(2), Literal(3)


def predicate(text: str) -> Expr:
    return parse_predicate(text, PROCESSES)


def question(text: str) -> Property:
    return parse_property(text, PROCESSES)


# --- Every form.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", ONE),
        ("007", Literal(7)),
        ("1.0", Literal(1.0)),
        ("2.5e3", Literal(2500.0)),
        ("1E-3", Literal(0.001)),
        ("1e3", Literal(1000.0)),
        ("-1", Literal(-1)),
        ("- 1.5", Literal(-1.5)),
        ("-(1)", Negate(ONE)),
        ("--1", Negate(Literal(-1))),
        ("-true", Negate(Literal(True))),
        ("9" * 600, Literal(int("9" * 600))),
        ("true", Literal(True)),
        ("True", Literal(True)),
        ("false", Literal(False)),
        ("False", Literal(False)),
        ("null", Literal(None)),
        ("'it'", Literal("it")),
        ('"it"', Literal("it")),
        ("''", Literal("")),
        ("'say \"it\"'", Literal('say "it"')),
        (r"'it\'s'", Literal("it's")),
        (r'"\"\\\/\n\t\r\b\f\0\`"', Literal('"\\/\n\t\r\b\f\0`')),
        (r"'\x41\u00e9\U0001F600'", Literal("Aé\N{GRINNING FACE}")),
        ("'# no comment'", Literal("# no comment")),
        ("'and'", Literal("and")),
    ],
)
def test_literals(text: str, expected: Expr) -> None:
    assert predicate(text) == expected


@pytest.mark.parametrize(
    ("text", "process", "path"),
    [
        ("phone.a", 0, ("a",)),
        ("rfid.a.b.c", 1, ("a", "b", "c")),
        ("phone . a", 0, ("a",)),
        ("`phone`.`a`", 0, ("a",)),
        ("`meeting-room`.`is-on`", 3, ("is-on",)),
        ("`in`.`not`.`true`", 4, ("not", "true")),
        ("phone.`a.b`", 0, ("a.b",)),
        ("phone.``", 0, ("",)),
        (r"phone.`\`\\\u00e9`", 0, ("`\\é",)),
        ("phone.Zähler_2", 0, ("Zähler_2",)),
        ("phone.android", 0, ("android",)),
        ("phone.nothing", 0, ("nothing",)),
        ("phone.possibly", 0, ("possibly",)),
        ("phone.trueish.inner", 0, ("trueish", "inner")),
        ("phone.Android.Null", 0, ("Android", "Null")),
    ],
)
def test_variables(text: str, process: int, path: tuple[str, ...]) -> None:
    assert predicate(text) == Variable(process, path)


def test_a_process_may_be_called_like_a_modal_form() -> None:
    expected = Modal("possibly", Variable(0, ("definitely",)))
    assert parse_property("possibly(possibly.definitely)", ["possibly"]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # binding, loosest first
        ("phone.a or rfid.b and projector.c", Or((A, And((B, C))))),
        ("(phone.a or rfid.b) and projector.c", And((Or((A, B)), C))),
        ("not phone.a and rfid.b", And((Not(A), B))),
        ("not (phone.a and rfid.b)", Not(And((A, B)))),
        ("not phone.a == 1", Not(Compare("==", A, ONE))),
        ("(not phone.a) == 1", Compare("==", Not(A), ONE)),
        ("not not phone.a", Not(Not(A))),
        ("phone.a + 1 < rfid.b", Compare("<", Arithmetic("+", A, ONE), B)),
        ("1 + 2 * 3", Arithmetic("+", ONE, Arithmetic("*", TWO, THREE))),
        ("(1 + 2) * 3", Arithmetic("*", Arithmetic("+", ONE, TWO), THREE)),
        ("1 - 2 - 3", Arithmetic("-", Arithmetic("-", ONE, TWO), THREE)),
        ("1 - (2 - 3)", Arithmetic("-", ONE, Arithmetic("-", TWO, THREE))),
        ("1 / 2 % 3", Arithmetic("%", Arithmetic("/", ONE, TWO), THREE)),
        ("-phone.a * 2", Arithmetic("*", Negate(A), TWO)),
        ("1 - -2", Arithmetic("-", ONE, Literal(-2))),
        ("1-2", Arithmetic("-", ONE, TWO)),
        # and, or absorb their own kind
        ("phone.a and (rfid.b and projector.c)", And((A, B, C))),
        ("(phone.a or rfid.b) or projector.c", Or((A, B, C))),
        # comparisons and chains
        *[(f"phone.a {op} 1", Compare(op, A, ONE)) for op in ("==", "!=", "<", "<=", ">", ">=")],
        ("1 < phone.a <= 3", And((Compare("<", ONE, A), Compare("<=", A, THREE)))),
        ("rfid.b and 1 < phone.a <= 3", And((B, Compare("<", ONE, A), Compare("<=", A, THREE)))),
        ("(1 < phone.a) < 3", Compare("<", Compare("<", ONE, A), THREE)),
        # membership
        ("phone.a in (1, 2)", Member(A, (ONE, TWO))),
        ("phone.a in (1, 2,)", Member(A, (ONE, TWO))),
        ("phone.a in (1)", Member(A, (ONE,))),
        ("phone.a not in (rfid.b + 1,)", Member(A, (Arithmetic("+", B, ONE),), negated=True)),
        ("not phone.a in (1,)", Not(Member(A, (ONE,)))),
        ("phone.a + 1 in ((1), (phone.a or rfid.b))", Member(Arithmetic("+", A, ONE), (ONE, Or((A, B))))),
        # space, lines and comments
        ("phone.a#comment ' ( \nand\r\n\trfid.b # and more", And((A, B))),
        ("\n\nphone.a\n", A),
    ],
)
def test_expressions(text: str, expected: Expr) -> None:
    assert predicate(text) == expected
    assert question(f"definitely({text}\n)") == Modal("definitely", expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("possibly(phone.a)", Modal("possibly", A)),
        ("(definitely (phone.a))", Modal("definitely", A)),
        (
            "possibly(phone.a) and not definitely(rfid.b and projector.c)",
            PropertyAnd((Modal("possibly", A), PropertyNot(Modal("definitely", And((B, C)))))),
        ),
        (
            "possibly(phone.a) or (possibly(rfid.b) or possibly(projector.c))",
            PropertyOr((Modal("possibly", A), Modal("possibly", B), Modal("possibly", C))),
        ),
    ],
)
def test_properties(text: str, expected: Property) -> None:
    assert question(text) == expected


# --- Size and depth.


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "phone.a" + ")" * 10_000,
        "possibly(" + "(" * 10_000 + "phone.a" + ")" * 10_000 + ")",
        "possibly(" * 3_000 + "phone.a" + ")" * 3_000,
        "possibly(" + "not " * 10_000 + "phone.a)",
        "not " * 10_000 + "possibly(phone.a)",
        "possibly(" + "-" * 10_000 + "phone.a)",
        "possibly(" + "phone.a + " * 5_000 + "1 > 2)",
        "possibly(" + "(phone.a + 1) * " * 1_000 + "1 > 2)",
        "possibly(" + "1 - (" * 1_000 + "1" + ")" * 1_000 + ")",
    ],
    ids=lambda text: text[:20],
)
def test_deep_nesting_is_a_property_error(text: str) -> None:
    with pytest.raises(PropertyError, match=r"nested more than 200 levels deep|cannot stand"):
        question(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "(" * 198 + "phone.a" + ")" * 198,
        "not " * 199 + "phone.a",
        "-" * 199 + "phone.a",
        "phone.a + " * 199 + "1",
        "phone.a and " * 5_000 + "rfid.b",
        "phone.a or " * 5_000 + "rfid.b",
        "phone.a < " * 4_000 + "rfid.b",
        "phone.a in (" + "1, " * 5_000 + ")",
        "phone." + "a." * 5_000 + "b",
    ],
    ids=lambda text: text[:20],
)
def test_what_is_within_the_limits_works(text: str) -> None:
    node = question(f"possibly({text})")
    assert pickle.loads(pickle.dumps(node)) == node
    assert question(show(node, PROCESSES)) == node


def test_a_deep_stack_is_a_property_error() -> None:
    text = "possibly(" + "not " * 150 + "phone.a)"

    def descend(levels: int) -> Property:
        return descend(levels - 1) if levels else question(text)

    with pytest.raises(PropertyError, match="nested too deeply for the stack that is left"):
        descend(sys.getrecursionlimit() - 200)


def test_length_is_bounded() -> None:
    with pytest.raises(PropertyError, match="property: must have at most 100,000 characters; got 100,001"):
        question(" " * 100_001)


# --- No other exception, whatever the text.

WORDS = [
    *sorted(tree.KEYWORDS),
    *["possibly", "definitely", "phone", "rfid", "on", "`in`", "`", "None"],
    *["(", ")", ",", ".", "==", "!=", "<", "<=", ">", ">=", "=", "+", "-", "*", "/", "%", "&&", "!", "["],
    *["1", "2.5", "1e999", "'x'", '"x"', "'", '"', "'\\q'", "#", "\n", "phone.a", "rfid.b"],
    *["possibly(", "definitely(", "phone.a == 1", "in (1, 2)"],
]


def read(text: str) -> None:
    for parse in (parse_property, parse_predicate):
        mistake = None
        try:
            node = parse(text, PROCESSES)
        except PropertyError as error:
            mistake = error
        if mistake is None:
            assert parse(show(node, PROCESSES), PROCESSES) == node
        else:
            assert mistake.line is not None
            assert mistake.column is not None
            assert f"line {mistake.line}, column {mistake.column}: " in str(mistake)


@settings(max_examples=examples(400), deadline=None)
@given(text=st.text())
def test_any_text_gives_a_tree_or_a_property_error(text: str) -> None:
    read(text)


@settings(max_examples=examples(700), deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=15), space=st.sampled_from(["", " "]))
def test_any_words_give_a_tree_or_a_property_error(words: list[str], space: str) -> None:
    read(space.join(words))


@settings(max_examples=examples(300), deadline=None)
@given(node=properties(3), data=st.data())
def test_a_damaged_property_gives_a_tree_or_a_property_error(node: Property, data: st.DataObject) -> None:
    text = show(node, PROCESSES)
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, min(len(text), begin + 3)))
    read(text[:begin] + data.draw(st.sampled_from(["", *WORDS])) + text[end:])


# --- Cost.


def test_importing_does_not_load_the_parser_generator() -> None:
    code = """
import sys
import latwin.properties
assert "lark" not in sys.modules
latwin.properties.parse_predicate("a.x", ["a"])
assert "lark" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
