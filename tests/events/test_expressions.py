"""Expressions from files: they mean what Python's `re` takes them for, and every search ends."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin import InvalidInput, Monitor, Spec
from latwin.events import expressions
from latwin.events.expressions import Allowance, Expression, size_of, to_python
from latwin.events.variables import Variables
from latwin.formats import LogEvent, Options, to_events
from latwin.formats.readers import parse_log

#: expressions that take exponential time where an engine goes back, each with a text on which they do
EXPLODING = [
    ("(?<x>(a|a)*$)", "a" * 100 + "!"),
    ("(?<x>(a|aa)+$)", "a" * 500 + "!"),
    ("(?<x>(a+)+$)", "a" * 20_000 + "!"),
    ("(?<x>(?=(a|a)*$)b)|(a|aa)+$", "a" * 500 + "!"),
    (r"(?<x>a)(a|\k<x>)*$", "a" * 500 + "!"),
]


@pytest.fixture
def little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "SECONDS", 0.05)
    monkeypatch.setattr(expressions, "SECONDS_PER_CHARACTER", 0.0)


@pytest.mark.usefixtures("little_time")
@pytest.mark.parametrize(("expression", "text"), EXPLODING)
def test_every_search_ends(expression: str, text: str) -> None:
    with pytest.raises(InvalidInput, match="takes too long") as raised:
        Expression(expression).search(text)
    assert expression in str(raised.value)


@pytest.mark.usefixtures("little_time")
@pytest.mark.parametrize(("expression", "text"), EXPLODING)
def test_a_log_gets_the_error(expression: str, text: str) -> None:
    """The same wherever an expression comes from: a log's first line, an option."""
    parser = "(?<host>h)?(?<clock>c)?(?<event>" + expression + ")"
    for log, options in (
        (f"{parser}\n{text}", Options()),
        (text, Options(parser=parser)),
        (f"{text}\n", Options(parser="(?<host>h)(?<clock>c)(?<event>e)", delimiter=expression)),
    ):
        with pytest.raises(InvalidInput, match="takes too long"):
            parse_log(log, "shiviz", options)


@pytest.mark.usefixtures("little_time")
@pytest.mark.parametrize(("expression", "text"), EXPLODING)
def test_an_event_on_which_an_expression_takes_too_long_is_rejected(expression: str, text: str) -> None:
    """By a monitor, and in a log: its text cannot stop what comes after it."""
    table = {"text": expression}
    monitor = Monitor(Spec.from_dict({"processes": ["a", "b"], "window": 1, "variables": table}))
    bad, good = ({"process": name, "clock": {name: 1}, "event": said} for name, said in (("a", text), ("b", "a")))
    out = monitor.observe_many([bad, good])
    (notice,) = out.notices
    assert notice.kind == "rejected"
    assert notice.event == bad
    assert "takes too long" in notice.reason
    assert monitor.counters.delivered == 1
    events = [LogEvent("a", {"a": 1}, text, {}, 1), LogEvent("a", {"a": 2}, "a", {}, 2)]
    problem, event = to_events(events, Variables(table))
    assert "takes too long" in (problem.problem or "")
    assert event.problem is None
    assert event.event["state"]["event"] == "a"


def test_all_searches_in_a_log_share_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each match may be quick, and all of them together too much, in however many executions."""
    seconds = iter(range(1_000_000))
    monkeypatch.setattr("latwin.events.expressions.time.process_time", lambda: float(next(seconds)))
    monkeypatch.setattr(expressions, "SECONDS", 100.0)
    parser = "(?<host>h)(?<clock>c)(?<event>e)"
    assert len(parse_log("hce\n" * 90, "shiviz", Options(parser=parser)).problems) == 90
    for delimiter in (None, "^", "\n"):
        with pytest.raises(InvalidInput, match="takes too long on a text of"):
            parse_log("hce\n" * 110, "shiviz", Options(parser=parser, delimiter=delimiter))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("((a{1000}){1000}){1000}", "with its repetitions written out"),
        ("a{10001}", "with its repetitions written out"),
        ("(?#)((a{1000})[)]{1,1000}){1000}", "with its repetitions written out"),
        ("(?x)(a{1000} # )\n){1000}", "the flag x is not supported"),
        ("(?i:(?sx:a))", "the flag x is not supported"),
        ("a{99999999999999999999}", "not a regular expression"),
        ("(" * 2000 + ")" * 2000, ""),
        ("a" * 4001, "at most 4,000 characters; got 4,001"),
        ("(?R)", "not a regular expression"),
        ("(?<a>", "not a regular expression"),
        ("(?<a>x)(?<a>y)", "not a regular expression"),
        ("a**", "not a regular expression"),
    ],
)
def test_what_cannot_be_used_is_refused(expression: str, words: str) -> None:
    """Before an engine sees it: some write repetitions out, and need more memory than there is."""
    with pytest.raises(InvalidInput) as raised:
        Expression(expression)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("expression", "size"),
    [
        ("", 0),
        ("abc", 3),
        ("a{3}", 3),
        ("(ab){3}c", 7),
        ("[(]{2}[^]a]{2}", 4),
        (r"\({2}(?#()a{,4}", 7),
        ("a{1,}b{e}", 5),
    ],
)
def test_sizes(expression: str, size: int) -> None:
    assert size_of(expression) == size


@pytest.mark.parametrize(
    ("javascript", "python"),
    [
        (r"(?<q>.)\k<q>", r"(?P<q>.)(?P=q)"),
        (r"\(?<x", r"\(?<x"),
        ("(?<=a)(?<!b)", "(?<=a)(?<!b)"),
        ("[(?<]{2}", "[(?<]{2}"),
        (r"[\](?<]", r"[\](?<]"),
        ("(?<clock>{.*})", r"(?P<clock>\{.*})"),
        (r"\N{DIGIT ONE}{e}", r"\N{DIGIT ONE}\{e}"),
    ],
)
def test_the_spelling_of_javascript(javascript: str, python: str) -> None:
    assert to_python(javascript) == python
    assert to_python(python) == python


def _repeated(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    parts = st.lists(inner, min_size=1, max_size=3).map("".join)
    return st.one_of(
        st.tuples(st.sampled_from(["(%s)", "(?:%s)", "(?=%s)", "(?!%s)", "(?:%s)?"]), parts).map(
            lambda x: x[0] % x[1]
        ),
        st.tuples(inner, inner).map(lambda x: f"(?:{x[0]}|{x[1]})"),
        st.tuples(parts, st.sampled_from(["*", "+", "?", "*?", "{1,2}", "{2}"])).map(lambda x: f"(?:{x[0]}x){x[1]}"),
    )


ATOMS = st.sampled_from(
    ["a", "b", ".", "é", r"\w", r"\d", r"\s", r"\b", "^", "$", "[ab]", "[^a]", "{", "}", "{e}", r"\n"]
)
TEXTS = st.text(alphabet="aabxé1 {}e\n", max_size=12)


@given(st.recursive(ATOMS, _repeated, max_leaves=8), TEXTS, st.booleans())
def test_they_mean_what_python_means(expression: str, text: str, multiline: bool) -> None:
    try:
        pattern = re.compile(expression, re.MULTILINE if multiline else 0)
    except re.error:
        return
    ours, theirs = Expression(expression, multiline=multiline).search(text), pattern.search(text)
    assert (ours and ours.span()) == (theirs and theirs.span())
    if "(?:" not in expression:  # repeated groups with empty matches differ from engine to engine
        assert (ours and ours.groups()) == (theirs and theirs.groups())


@given(st.sampled_from(["a", "a+b?", "(?<=a)b", "^.", ".$", r"\w+\n", "[^a]+"]), TEXTS, st.data())
def test_all_matches_are_those_of_python(expression: str, text: str, data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, len(text)))
    ours = [match.span() for match in Expression(expression, multiline=True).matches(text, begin, end, Allowance(0))]
    assert ours == [match.span() for match in re.compile(expression, re.MULTILINE).finditer(text, begin, end)]


def test_empty_matches_end_too() -> None:
    assert [match.span() for match in Expression("x*").matches("ab", 0, 2, Allowance(0))] == [(0, 0), (1, 1), (2, 2)]


@pytest.mark.filterwarnings("ignore:Possible (nested set|set ):FutureWarning")
@given(st.text(alphabet="ab(?<>=!:|)[]{}0,19*+?.\\kx^$-#", max_size=30))
def test_any_text_is_an_expression_or_a_mistake(text: str) -> None:
    with contextlib.suppress(InvalidInput):
        Expression(text).search("aabx<>(){}" * 3)
