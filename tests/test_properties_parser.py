"""Reading properties: every form of the language, its text and back, and what is said about mistakes."""

from __future__ import annotations

import pickle
import subprocess
import sys
from textwrap import dedent
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expressions import expressions, properties
from latwin.errors import InvalidInput, PropertyError, SpecError
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
    parser,
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


# --- The tree.


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
    | st.text(st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF), min_size=1, max_size=1)
)


@settings(max_examples=300, deadline=None)
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


@settings(max_examples=200, deadline=None)
@given(node=expressions(3))
def test_trees_survive_pickling(node: Expr) -> None:
    again = pickle.loads(pickle.dumps(node))
    assert again == node
    assert again.processes == node.processes


def test_the_grammar_and_the_tree_agree_on_keywords() -> None:
    words = {terminal.pattern.value for terminal in parser._lark().terminals if terminal.pattern.type == "str"}
    between = {"U", "implies"}  # only ever stand where no name can
    assert {word for word in words if word.isalpha()} == tree.KEYWORDS | between
    for name in between:
        text = f"E[{name}.{name} U not {name}.x] implies possibly({name}.{name} implies {name}.x)"
        assert tree.show(parser.parse_property(text, [name]), [name]).count(f"{name}.{name}") == 2


# --- Mistakes. Each example is the whole message, as a user sees it.

MISTAKES = [
    """
    property 'demo', line 1, column 1: this is a condition on states, not yet a property
        phone.ap == 'hall'
        ^
    hint: wrap it in possibly(...) or definitely(...)
    """,
    """
    property 'demo', line 1, column 23: this is a condition on states, not yet a property
        possibly(phone.a) and rfid.b
                              ^
    hint: wrap it in possibly(...) or definitely(...)
    """,
    """
    property 'demo', line 1, column 1: this is a condition on states, not yet a property
        phone.a
        ^
    hint: wrap it in possibly(...) or definitely(...)
    """,
    """
    property 'demo', line 1, column 19: unexpected '='
        possibly(phone.ap = 'hall')
                          ^
    hint: write '==' instead of '='
    """,
    """
    property 'demo', line 1, column 18: unexpected '&&'
        possibly(phone.a && rfid.b)
                         ^
    hint: write 'and' instead of '&&'
    """,
    """
    property 'demo', line 1, column 18: unexpected '||'
        possibly(phone.a || rfid.b)
                         ^
    hint: write 'or' instead of '||'
    """,
    """
    property 'demo', line 1, column 10: unexpected '!'
        possibly(!phone.a)
                 ^
    hint: write 'not' instead of '!'
    """,
    """
    property 'demo', line 1, column 18: unexpected '=>'
        possibly(phone.a => 3)
                         ^
    hint: write '>=' instead of '=>'
    """,
    """
    property 'demo', line 1, column 18: unexpected '≤'
        possibly(phone.a ≤ 3)
                         ^
    hint: write '<=' instead of '≤'
    """,
    """
    property 'demo', line 1, column 9: this '(' is never closed
        possibly((phone.a and rfid.b)
                ^
    hint: add the missing ')'
    """,
    """
    property 'demo', line 1, column 18: this ')' closes nothing
        possibly(phone.a))
                         ^
    hint: remove it, or add the missing '('
    """,
    """
    property 'demo', line 1, column 10: unknown process 'rfd'
        possibly(rfd.on)
                 ^
    hint: did you mean rfid? the processes are: phone, rfid, projector, `meeting-room`, `in`
    """,
    """
    property 'demo', line 1, column 10: unknown process 'door'
        possibly(door.on)
                 ^
    hint: the processes are: phone, rfid, projector, `meeting-room`, `in`
    """,
    """
    property 'demo', line 1, column 10: variable 'on' without a process
        possibly(on)
                 ^
    hint: write process.on; the processes are: phone, rfid, projector, `meeting-room`, `in`
    """,
    """
    property 'demo', line 1, column 10: process 'phone' without a variable
        possibly(phone)
                 ^
    hint: write phone.variable
    """,
    """
    property 'demo', line 1, column 21: variable 'None' without a process
        possibly(phone.a == None)
                            ^
    hint: write null
    """,
    """
    property 'demo', line 1, column 22: this string is never closed
        possibly(phone.ap == 'hall)
                             ^
    hint: close it with ' on the same line
    """,
    """
    property 'demo', line 1, column 16: this name is never closed
        possibly(phone.`is-on)
                       ^
    hint: close it with ` on the same line
    """,
    """
    property 'demo', line 1, column 22: unexpected '“'
        possibly(phone.ap == “hall”)
                             ^
    hint: write strings in straight quotes: 'text'
    """,
    r"""
    property 'demo', line 1, column 24: unknown escape \d
        possibly(phone.a == 'C:\dir')
                               ^
    hint: write a backslash as \\; known: \n \t \r \b \f \0 \\ \' \" \` \/ \xhh \uhhhh \Uhhhhhhhh
    """,
    r"""
    property 'demo', line 1, column 22: unknown escape \u
        possibly(phone.a == '\uD')
                             ^
    hint: write a backslash as \\; known: \n \t \r \b \f \0 \\ \' \" \` \/ \xhh \uhhhh \Uhhhhhhhh
    """,
    """
    property 'demo', line 1, column 22: definitely(...) cannot stand inside an expression
        possibly(phone.a and definitely(rfid.b))
                             ^
    hint: at the outer level, combine possibly(...) and definitely(...) with and, or, not
    """,
    """
    property 'demo', line 1, column 1: possibly(...) cannot stand inside an expression
        possibly(phone.a) > 3
        ^
    hint: at the outer level, combine possibly(...) and definitely(...) with and, or, not
    """,
    """
    property 'demo', line 1, column 10: unknown function 'abs'
        possibly(abs(phone.a) > 3)
                 ^
    hint: expressions have no functions
    """,
    """
    property 'demo', line 1, column 1: unknown form maybe(...)
        maybe(phone.a)
        ^
    hint: the forms are: possibly, definitely
    """,
    """
    property 'demo', line 1, column 1: unknown form Definitly(...)
        Definitly(phone.a)
        ^
    hint: did you mean definitely(...)?
    """,
    """
    property 'demo', line 1, column 1: possibly(...) takes one condition; got 0
        possibly()
        ^
    hint: write possibly(process.variable)
    """,
    """
    property 'demo', line 1, column 1: possibly(...) takes one condition; got 2
        possibly(phone.a, rfid.b)
        ^
    hint: combine them with and, or
    """,
    """
    property 'demo', line 1, column 10: expected an operator or the end, found 'phone'
        possibly phone.a
                 ^
    hint: write possibly(...)
    """,
    """
    property 'demo', line 1, column 1: definitely without a condition
        definitely
        ^
    hint: write definitely(process.variable)
    """,
    """
    property 'demo', line 1, column 10: variable 'meeting' without a process
        possibly(meeting-room.on)
                 ^
    hint: a name that is no plain word, or is a keyword, stands in backticks: `meeting-room`
    """,
    """
    property 'demo', line 1, column 16: expected a name, found 'in'
        possibly(phone.in)
                       ^
    hint: a name that is no plain word, or is a keyword, stands in backticks: `in`
    """,
    """
    property 'demo', line 1, column 10: expected a condition, found 'in'
        possibly(in.on)
                 ^
    hint: a name that is no plain word, or is a keyword, stands in backticks: `in`
    """,
    """
    property 'demo', line 1, column 16: expected a name, found '5'
        possibly(phone.5)
                       ^
    hint: a name that is no plain word, or is a keyword, stands in backticks: `5`
    """,
    """
    property 'demo', line 1, column 18: expected an operator or ')', found 'AND'
        possibly(phone.a AND rfid.b)
                         ^
    hint: write 'and': keywords are lower case
    """,
    """
    property 'demo', line 1, column 18: expected an operator or ')', found 'is'
        possibly(phone.a is 3)
                         ^
    hint: write '==' instead of 'is'
    """,
    """
    property 'demo', line 1, column 21: unexpected '['
        possibly(phone.a in [1, 2])
                            ^
    hint: write the options of 'in' within parentheses: in (1, 2)
    """,
    """
    property 'demo', line 1, column 21: expected '(' and a list of values, found '3'
        possibly(phone.a in 3)
                            ^
    """,
    """
    property 'demo', line 1, column 24: expected an operator or ',' or ')', found '2'
        possibly(phone.a in (1 2))
                               ^
    """,
    """
    property 'demo', line 1, column 25: expected an operator or ')', found '2'
        possibly(phone.a in (1) 2)
                                ^
    """,
    """
    property 'demo', line 1, column 22: expected 'in', found '3'
        possibly(phone.a not 3)
                             ^
    """,
    """
    property 'demo', line 1, column 20: expected a value, found ')'
        possibly(phone.a ==)
                           ^
    """,
    """
    property 'demo', line 1, column 21: expected a condition, found the end
        possibly(phone.a and
                            ^
    """,
    """
    property 'demo', line 1, column 16: expected a name, found ')'
        possibly(phone.)
                       ^
    """,
    """
    property 'demo', line 1, column 19: expected a value, found '>'
        possibly(phone.a <> 3)
                          ^
    hint: write '!=' instead of '<>'
    """,
    """
    property 'demo', line 1, column 19: expected a value, found '*'
        possibly(phone.a ** 2)
                          ^
    hint: there is no power operator
    """,
    """
    property 'demo', line 1, column 19: expected a value, found '/'
        possibly(phone.a // 2)
                          ^
    hint: there is no floor division
    """,
    """
    property 'demo', line 1, column 21: expected a value, found 'not'
        possibly(phone.a == not rfid.b)
                            ^
    hint: a negation inside a comparison stands in parentheses: (not ...)
    """,
    """
    property 'demo', line 1, column 21: a number too large for floating point
        possibly(phone.a == 1e999)
                            ^
    hint: the largest is about 1.8e308
    """,
    """
    property 'demo', line 1, column 21: expected a value, found '.'
        possibly(phone.a == .5)
                            ^
    hint: a number needs a digit before the point: 0.5
    """,
    """
    property 'demo', line 1, column 18: unexpected '@'
        possibly(phone.a @ 3)
                         ^
    hint: a name that is no plain word, or is a keyword, stands in backticks: `is-on`
    """,
    """
    property 'demo', line 1, column 1: expected a condition, found ')'
        )
        ^
    """,
]


@pytest.mark.parametrize("expected", MISTAKES)
def test_what_is_said_about_a_mistake(expected: str) -> None:
    text = dedent(expected).strip("\n")
    offending = text.split("\n")[1][4:]
    with pytest.raises(PropertyError) as caught:
        parse_property(offending, PROCESSES, name="demo")
    assert str(caught.value) == text


def test_an_error_carries_its_place() -> None:
    text = "possibly(\n  # who\n  phone.a and\n  rfd.b\n)"
    with pytest.raises(SpecError) as caught:
        parse_property(text, PROCESSES)
    error = caught.value
    assert isinstance(error, PropertyError)
    assert (error.line, error.column) == (4, 3)
    assert str(error).split("\n")[:3] == [
        "property, line 4, column 3: unknown process 'rfd'",
        "      rfd.b",
        "      ^",
    ]
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line, again.column) == (str(error), 4, 3)
    assert (PropertyError("plain").line, PropertyError("plain").column) == (None, None)


@pytest.mark.parametrize("text", ["", " \n", "# nothing"])
def test_an_empty_text(text: str) -> None:
    with pytest.raises(PropertyError, match=r"property 'demo', line 1, column 1: the property is empty"):
        parse_property(text, PROCESSES, name="demo")
    with pytest.raises(PropertyError, match=r"predicate, line 1, column 1: the predicate is empty"):
        parse_predicate(text, PROCESSES)


def test_a_predicate_holds_no_modal_form() -> None:
    with pytest.raises(PropertyError, match=r"^predicate 'p', line 1, column 5: possibly\(...\) cannot stand"):
        parse_predicate("not possibly(phone.a)", PROCESSES, name="p")


def test_an_integer_has_at_most_600_digits() -> None:
    with pytest.raises(PropertyError, match=r"line 1, column 12: an integer of more than 600 digits"):
        parse_predicate("phone.a == " + "9" * 601, PROCESSES)


def test_a_text_must_be_a_text() -> None:
    with pytest.raises(PropertyError, match="property 'demo': must be a text; got int"):
        parse_property(5, PROCESSES, name="demo")  # type: ignore[arg-type]


def test_a_long_line_is_shown_in_part_and_tabs_keep_the_caret_in_place() -> None:
    text = "possibly(\tphone.a == 1 " + "and phone.a == 1 " * 30 + "= 2 " + "and phone.a == 1 " * 30 + ")"
    with pytest.raises(PropertyError) as caught:
        parse_property(text, PROCESSES)
    _, line, caret, hint = str(caught.value).split("\n")
    assert len(line) < 120
    assert line.startswith("    ...")
    assert line.endswith("...")
    assert line[len(caret) - 1 :].startswith("= 2 and")
    assert hint == "hint: write '==' instead of '='"

    with pytest.raises(PropertyError) as caught:
        parse_property("\tpossibly(\tphone.a = 1)", PROCESSES)
    assert str(caught.value).split("\n")[1:3] == [
        "    \tpossibly(\tphone.a = 1)",
        "    \t         \t        ^",
    ]


def test_many_processes_are_not_all_listed() -> None:
    with pytest.raises(PropertyError, match=r"the processes are: p0, p1, .*, p19 and 280 more$"):
        parse_property("possibly(nobody.x)", [f"p{i}" for i in range(300)])


def test_control_characters_are_not_printed() -> None:
    with pytest.raises(PropertyError) as caught:
        parse_property("possibly(\x1b[31m", PROCESSES)
    assert str(caught.value).replace("\n", "").isprintable()


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
)
def test_deep_nesting_is_a_property_error(text: str) -> None:
    with pytest.raises(PropertyError, match=r"nested more than 200 levels deep|cannot stand"):
        question(text)


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


@settings(max_examples=400, deadline=None)
@given(text=st.text())
def test_any_text_gives_a_tree_or_a_property_error(text: str) -> None:
    read(text)


@settings(max_examples=700, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=15), space=st.sampled_from(["", " "]))
def test_any_words_give_a_tree_or_a_property_error(words: list[str], space: str) -> None:
    read(space.join(words))


@settings(max_examples=300, deadline=None)
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
