"""Regular expressions that come from files: a log's own, those of a spec, those of the command line.

Whoever writes a log also writes the expression on its first line, and an innocent one can take years on an unlucky
text. Here every expression is checked before it is used, and every search ends: after a limited computing time it
is given up with an error that names the expression. No search gives another answer because of the limit.

An expression may be spelled as in JavaScript, `(?<name>...)` and `\\k<name>`, or as in Python.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import cached_property

import regex

from latwin.errors import InvalidInput

MAX_LENGTH = 4_000
#: what an expression may come to when its counted repetitions are written out, in characters
MAX_SIZE = 10_000
#: computing time that a search may take in any case, and what each character of the text adds to it
SECONDS = 5.0
SECONDS_PER_CHARACTER = 20e-6

_TOKEN = re.compile(
    r"""
      \\k<(?P<reference>\w+)>                             # as JavaScript refers to a named group
    | \\N\{[^}]*\} | \\.                                  # an escaped character
    | \[\^?\]?(?:\\.|[^\]\\])*\]                          # a set of characters
    | \(\?\#[^)]*\)                                       # a comment
    | (?P<verbose>\(\?[a-zA-Z]*x)                         # the beginning of a part with comments and free spaces
    | (?P<named>\(\?<(?![=!]))                            # the beginning of a named group, as JavaScript writes it
    | (?P<open>\()
    | (?P<close>\))
    | \{(?:(?P<least>\d+)(?:,(?P<most>\d*))?|,(?P<only_most>\d*))\}   # how often to repeat
    | (?P<brace>\{)                                       # a brace that counts nothing
    | .
    """,
    re.VERBOSE | re.DOTALL,
)


class Expression:
    """A checked regular expression, all of whose searches end.

    It means what Python's `re` takes it for. Raises InvalidInput for a text that is no expression, or one that is
    too large.

    >>> found = Expression(r"term=(?<term>\\d+)").search("follower, term=7")
    >>> found["term"]
    '7'
    >>> Expression("(?<a>")
    Traceback (most recent call last):
    latwin.errors.InvalidInput: not a regular expression: missing ), unterminated subpattern at position 0: (?<a>
    """

    def __init__(self, text: str, *, multiline: bool = False) -> None:
        if len(text) > MAX_LENGTH:
            raise InvalidInput(
                f"a regular expression must have at most {MAX_LENGTH:,} characters; got {len(text):,}: "
                + _shorten(text)
            )
        self.text = text
        python = to_python(text)
        try:
            re.compile(python)  # the other engine knows more than is asked for: recursion, fuzziness
        except (re.error, RecursionError, OverflowError) as error:
            raise InvalidInput(f"not a regular expression: {error}: {text}") from None
        if size_of(text) > MAX_SIZE:
            raise InvalidInput(
                "not a usable regular expression: with its repetitions written out it has more than "
                f"{MAX_SIZE:,} characters; repeat less, or with * or +: {text}"
            )
        try:
            self._pattern = regex.compile(python, regex.MULTILINE if multiline else 0)
        except (regex.error, RecursionError, OverflowError) as error:
            raise InvalidInput(f"not a regular expression: {error}: {text}") from None

    @cached_property
    def groups(self) -> frozenset[str]:
        """The names of its groups."""
        return frozenset(self._pattern.groupindex)

    def search(self, text: str) -> regex.Match[str] | None:
        """The first match. Raises InvalidInput if looking for it takes too long."""
        return self._search(text, 0, len(text), Allowance(len(text)))

    def matches(self, text: str, begin: int, end: int, allowance: Allowance) -> Iterator[regex.Match[str]]:
        """All matches between two places, one behind the other. Raises InvalidInput if the allowance is used up."""
        while begin <= end and (match := self._search(text, begin, end, allowance)) is not None:
            yield match
            begin = match.end() + (match.end() == match.start())

    def _search(self, text: str, begin: int, end: int, allowance: Allowance) -> regex.Match[str] | None:
        started = time.process_time()
        try:
            if allowance.seconds > 0:
                return self._pattern.search(text, begin, end, timeout=allowance.seconds)
        except (TimeoutError, MemoryError):
            pass
        finally:
            allowance.seconds -= time.process_time() - started
        raise InvalidInput(
            f"the regular expression takes too long on a text of {end - begin:,} characters, or too much memory; "
            f"repetitions inside repetitions, as in (a+)+, are the usual reason: {self.text}: "
            f"{_shorten(text[begin:end])!r}"
        )


class Allowance:
    """The computing time that is left for all searches in a text of so many characters."""

    def __init__(self, characters: int) -> None:
        self.seconds = SECONDS + SECONDS_PER_CHARACTER * characters


def to_python(expression: str) -> str:
    """An expression in the spelling of JavaScript, or of Python, in that of Python.

    >>> to_python("(?<quote>['\\"]).*\\\\k<quote> {x}")
    '(?P<quote>[\\'"]).*(?P=quote) \\\\{x}'
    """

    def translate(token: re.Match[str]) -> str:
        if token["reference"] is not None:
            return f"(?P={token['reference']})"
        if token["named"] is not None:
            return "(?P<"
        # Some engines see an instruction in `{e}`; to Python and JavaScript it is what is written.
        return r"\{" if token["brace"] is not None else token[0]

    return _TOKEN.sub(translate, expression)


def size_of(expression: str) -> int:
    """How many characters an expression has if its counted repetitions are written out, roughly.

    >>> size_of("(a{10}b){20}")
    220
    """
    sizes = [0]
    last = 0
    for token in _TOKEN.finditer(expression):
        if token["verbose"] is not None:
            raise InvalidInput(f"not a usable regular expression: the flag x is not supported: {expression}")
        counts = [int(count) for count in token.group("least", "most", "only_most") if count]
        if token["open"] is not None or token["named"] is not None:
            sizes.append(0)
        elif token["close"] is not None and len(sizes) > 1:
            last = sizes.pop()
            sizes[-1] += last
        elif counts:
            sizes[-1] += last * (max(counts) - 1)
            last *= max(counts)
        else:
            last = 1
            sizes[-1] += 1
    return sum(sizes)


def _shorten(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
