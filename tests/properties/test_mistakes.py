"""What is said about mistakes in a property. Each example is the whole message, as a user sees it."""

from __future__ import annotations

import pickle
from textwrap import dedent

import pytest

from latwin.errors import PropertyError, SpecError
from latwin.properties import parse_predicate, parse_property

PROCESSES = ["phone", "rfid", "projector", "meeting-room", "in"]


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
    r"""
    property 'demo', line 1, column 24: half of a surrogate pair, \ud83d
        possibly(phone.a == 'ab\ud83dx')
                               ^
    hint: write the whole pair, such as \ud83d\ude00, or \U and eight digits
    """,
    r"""
    property 'demo', line 1, column 17: half of a surrogate pair, \uDE00
        possibly(phone.`\uDE00\uD83D`)
                        ^
    hint: write the whole pair, such as \ud83d\ude00, or \U and eight digits
    """,
    """
    property 'demo', line 1, column 20: expected ']', found 'U'
        E[phone.a U rfid.b U phone.c]
                           ^
    hint: E[...] and A[...] take one U or S; nest them: E[a U E[b U c]], or E[E[a U b] U c]
    """,
    """
    property 'demo', line 1, column 10: expected 'U' or 'S', found ']'
        A[phone.a]
                 ^
    hint: p until q is written E[p U q] or A[p U q]; along one observation, p until q
    """,
    """
    property 'demo', line 1, column 11: expected ',' or ')', found 'U'
        E(phone.a U rfid.b)
                  ^
    hint: p until q is written E[p U q] or A[p U q]; along one observation, p until q
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
    hint: the functions are: count, sum, min, max, all, any, exists, forall
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
    property 'demo', line 1, column 16: expected a value, found '*'
        possibly(count(*) > 2)
                       ^
    hint: of every process: write, for example, count(*.variable)
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


def test_half_of_a_pair_in_the_text_itself() -> None:
    with pytest.raises(PropertyError, match=r"line 2, column 12: half of a surrogate pair, '\\ud83d'") as caught:
        parse_property("possibly(\nphone.a == \ud83d)", PROCESSES)
    str(caught.value).encode()
