"""What to say about a text that is no property: the place, the line, a caret, and what probably was meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from latwin.errors import PropertyError
from latwin.excerpt import place_of
from latwin.model import Seats
from latwin.properties.tree import KEYWORDS, MODALS, show_name

if TYPE_CHECKING:
    from lark import Token, UnexpectedToken

_BACKTICKS = "a name that is no plain word, or is a keyword, stands in backticks: "

_LONGEST_MESSAGE = 500
#: the words that names are made of
_NAMES = frozenset({"NAME", "QUOTED_NAME", "UNTIL", "SINCE", "IMPLIES", "HOLDS_UNTIL", "WEAK_UNTIL", "HOLDS_SINCE"})

# What other languages write, and what this one writes instead; longer ones first.
_INSTEAD = {
    "&&": "and",
    "||": "or",
    "=>": ">=",
    "=<": "<=",
    "&": "and",
    "|": "or",
    "!": "not",
    "=": "==",
    "∧": "and",
    "∨": "or",  # noqa: RUF001
    "¬": "not",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "×": "*",  # noqa: RUF001
    "÷": "/",
    "−": "-",  # noqa: RUF001
}


class Source:
    """A text with its title and the processes and roles it may name; it turns an offset into a `PropertyError`."""

    def __init__(
        self, text: str, processes: Sequence[str], title: str, roles: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.text = text
        self.processes = tuple(processes)
        #: whether processes join and leave, so that only roles can be named
        self.is_open = isinstance(processes, Seats)
        #: the indexes of the processes that have a role
        self.roles = {
            role: tuple([index for index, process in enumerate(processes) if process in members])
            for role, members in (roles or {}).items()
        }
        self.title = title
        #: where the inside of each `seq(...)` is, by the place of the word
        self.patterns: dict[int, tuple[int, int]] = {}

    def error(self, offset: int, message: str, hint: str | None = None) -> PropertyError:
        """The error to raise: what is wrong at an offset, shown with its line."""
        place = place_of(self.text, offset)
        told = message if len(message) <= _LONGEST_MESSAGE else message[: _LONGEST_MESSAGE - 3] + "..."
        lines = [f"{self.title}, {place}: {told}", place.excerpt]
        if hint:
            lines.append(f"hint: {hint}")
        return PropertyError("\n".join(lines), line=place.line, column=place.column)

    def known_processes(self) -> str:
        """The processes' names for a hint, the first of them if there are many."""
        if self.is_open:
            return f"processes join and leave, so ask about roles: {', '.join(self.roles) or 'none'}, and * for all"
        shown = [show_name(process) for process in self.processes[:20]]
        more = len(self.processes) - len(shown)
        return f"the processes are: {', '.join(shown)}{f' and {more} more' if more else ''}"

    def unquoted_process(self, offset: int) -> str | None:
        """A hint, if a process name that needs backticks stands at the offset without them."""
        for process in self.processes:
            if process and show_name(process) != process and self.text.startswith(process, offset):
                return _BACKTICKS + show_name(process)
        return None


def wrong_character(source: Source, offset: int) -> PropertyError:
    """The error for a place where no word of the language begins."""
    rest = source.text[offset : offset + 2]
    for wrong, right in _INSTEAD.items():
        if rest.startswith(wrong):
            return source.error(offset, f"unexpected {wrong!r}", f"write {right!r} instead of {wrong!r}")
    char = rest[0]
    if char in "'\"`":
        thing = "name" if char == "`" else "string"
        return source.error(offset, f"this {thing} is never closed", f"close it with {char} on the same line")
    if char in "‘’“”„«»":  # noqa: RUF001 (typographic quotes are the point)
        hint: str | None = "write strings in straight quotes: 'text'"
    elif char in "[{":
        hint = "write the options of 'in' within parentheses: in (1, 2)"
    else:
        hint = source.unquoted_process(offset) or _BACKTICKS + "`is-on`"
    return source.error(offset, f"unexpected {char!r}", hint)


def wrong_token(source: Source, kind: str, error: UnexpectedToken, tokens: Iterable[Token]) -> PropertyError:
    """The error for a word that cannot follow the words before it; `tokens` are all the words of the text."""
    token = error.token
    offset = cast(int, token.start_pos)
    before: list[Token] = []
    opened: list[int] = []
    for other in tokens:
        start = cast(int, other.start_pos)
        if start >= offset and token.type != "$END":
            break
        before.append(other)
        if other.type == "LPAR":
            opened.append(start)
        elif other.type == "RPAR" and opened:
            opened.pop()

    if token.type == "$END":
        if not before:
            example = "possibly(process.variable)" if kind == "property" else "process.variable > 3"
            return source.error(0, f"the {kind} is empty", f"write, for example, {example}")
        offset = cast(int, before[-1].end_pos)
        if opened and "RPAR" in error.accepts:
            return source.error(opened[-1], "this '(' is never closed", "add the missing ')'")
    if token.type == "RPAR" and not opened and "NAME" not in error.accepts:
        return source.error(offset, "this ')' closes nothing", "remove it, or add the missing '('")
    if error.accepts == {"DOT"}:
        return _lone_star(source, before)
    message = f"expected {_expected(error.accepts)}, found {_found(token)}"
    hint = _until_hint(token, error.accepts) or _hint(source, token, before[-1] if before else None)
    return source.error(offset, message, hint)


def _lone_star(source: Source, before: Sequence[Token]) -> PropertyError:
    """The error for a `*` where a value must stand, and that no variable follows."""
    is_power = len(before) > 1 and before[-2].type == "TIMES"
    hint = "there is no power operator" if is_power else "of every process: write, for example, count(*.variable)"
    return source.error(cast(int, before[-1].start_pos), "expected a value, found '*'", hint)


def _expected(accepts: set[str]) -> str:
    """The accepted words in a few words."""
    if "NAME" in accepts and accepts <= _NAMES:
        return "a name"
    if accepts == {"LPAR", "TIMES", *_NAMES}:
        return "'(' and a list of values"
    if "NAME" in accepts:
        return "a condition" if "NOT" in accepts else "a value"
    if accepts == {"IN"}:
        return "'in'"
    words = ["an operator"] if accepts & {"AND", "PLUS"} else []
    if "COMMA" in accepts and "AND" not in accepts:  # between options of `in`; no modal form takes several
        words.append("','")
    words += [
        word
        for name, word in (("UNTIL", "'U' or 'S'"), ("RSQB", "']'"), ("RPAR", "')'"), ("$END", "the end"))
        if name in accepts
    ]
    return " or ".join(words)


def _found(token: Token) -> str:
    if token.type == "$END":
        return "the end"
    text = str(token) if len(token) <= 30 else f"{token[:27]}..."
    return text if token.type in ("STRING", "QUOTED_NAME") else f"'{text}'"


def _until_hint(token: Token, accepts: set[str]) -> str | None:
    """What probably was meant by a `U` in the wrong place, or where one is missing."""
    if token.type in ("UNTIL", "SINCE") and "RSQB" in accepts:
        return "E[...] and A[...] take one U or S; nest them: E[a U E[b U c]], or E[E[a U b] U c]"
    if token.type in ("UNTIL", "SINCE") or ("UNTIL" in accepts and "NAME" not in accepts):
        word, sign = ("since", "S") if token.type == "SINCE" else ("until", "U")
        return f"p {word} q is written E[p {sign} q] or A[p {sign} q]; along one observation, p {word} q"
    return None


def _hint(source: Source, token: Token, before: Token | None) -> str | None:
    """What probably was meant by a word in the wrong place, if a guess is good."""
    text, previous = str(token), str(before or "")
    after = source.text[token.end_pos : cast(int, token.end_pos) + 1]
    if previous in MODALS:
        return f"write {previous}(...)"
    if text.lower() in KEYWORDS and text not in KEYWORDS:
        return f"write {text.lower()!r}: keywords are lower case"
    if text in KEYWORDS and (previous == "." or after == "."):
        return _BACKTICKS + show_name(text)
    if text == "." and after.isdigit() and token.type != "$END":
        return "a number needs a digit before the point: 0.5"
    if token.type == "NUMBER" and previous == ".":
        return _BACKTICKS + show_name(text)
    if text == "not":
        return "a negation inside a comparison stands in parentheses: (not ...)"
    if text == "is":
        return "write '==' instead of 'is'"
    joined = {
        "<>": "write '!=' instead of '<>'",
        "//": "there is no floor division",
    }
    if previous + text in joined:
        return joined[previous + text]
    if before is not None and before.type in ("NAME", "NUMBER"):
        return source.unquoted_process(cast(int, before.start_pos))
    return None
