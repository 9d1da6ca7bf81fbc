"""From the text of a property to its tree.

Three steps: Lark splits and groups the text by grammar.lark; `_Builder` turns the groups into the nodes
of tree.py and checks what grammar cannot (known processes, which form may stand where); whatever fails
becomes a `PropertyError` with the place, the line, a caret and a hint (mistakes.py). Nothing else escapes, for any
text: length and nesting are bounded.

Lark is imported, and its parser built, at the first parse.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from latwin.errors import PropertyError
from latwin.excerpt import nearest
from latwin.properties.automaton import automaton_of
from latwin.properties.ctl import TEMPORAL_FORMS, as_property
from latwin.properties.formulas import CTL, LINEAR, build_formula, speaks_of_time
from latwin.properties.linear import LINEAR_FORMS, Linear, as_question
from latwin.properties.mistakes import Source, wrong_character, wrong_token
from latwin.properties.patterns import find_patterns, parse_pattern
from latwin.properties.probability import Likely
from latwin.properties.role_forms import ROLE_FORMS, RoleForms
from latwin.properties.sequences import Matching
from latwin.properties.tree import (
    EACH_KINDS,
    MAX_DIGITS,
    MIRRORED,
    MODALS,
    And,
    Arithmetic,
    ArithmeticOp,
    Compare,
    ComparisonOp,
    Expr,
    Literal,
    Member,
    Modal,
    ModalKind,
    Negate,
    Not,
    Or,
    Property,
    PropertyAnd,
    PropertyNot,
    PropertyOr,
    Variable,
    measure,
    show_name,
)

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    ParseTree: TypeAlias = Tree[Token]

T = TypeVar("T")

MAX_LENGTH = 100_000
MAX_DEPTH = 200
#: what the named states in a text may come to when they are written out, in nodes of the tree
MAX_WRITTEN_OUT = 10_000

_OUTER = "at the outer level, combine possibly(...) and definitely(...) with and, or, not"
_WRAP = "wrap it in possibly(...) or definitely(...)"
_ALONG = "it speaks of one observation: write possibly({0}) or definitely({0})"
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"} | {c: c for c in "\\'\"`/"}
#: the surrogate pairs of JSON stand before single characters
_ESCAPE = re.compile(
    r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|.)",
    re.DOTALL,
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_HALF = "half of a surrogate pair, "
_PAIR = r"write the whole pair, such as \ud83d\ude00, or \U and eight digits"


def parse_property(
    text: str,
    processes: Sequence[str],
    *,
    name: str = "property",
    states: Mapping[str, Expr] | None = None,
    roles: Mapping[str, Sequence[str]] | None = None,
) -> Property:
    """The tree of a property, such as `possibly(a.x > 3) and not definitely(b.on)`.

    `processes` are the names of the group's processes in the spec's order; `name` is the property's
    name, for messages; `states` are named conditions, and `roles` the names of the processes that have each role.
    Raises `PropertyError` for any text that is not a property.

    >>> parse_property("possibly(tv.on)", ["pc", "tv"])
    Modal(kind='possibly', predicate=Variable(process=1, path=('on',)))
    """
    source = Source(text, processes, name if name == "property" else f"property {name!r}", roles)
    return _parse(source, "property", _Builder(source, states or {}).property)


def parse_predicate(
    text: str,
    processes: Sequence[str],
    *,
    name: str = "predicate",
    states: Mapping[str, Expr] | None = None,
    roles: Mapping[str, Sequence[str]] | None = None,
) -> Expr:
    """The tree of a bare condition on states, what stands inside `possibly(...)`.

    `states` are named conditions, and `roles` the names of the processes that have each role.

    >>> parse_predicate("tv.on", ["pc", "tv"])
    Variable(process=1, path=('on',))
    """
    source = Source(text, processes, name if name == "predicate" else f"predicate {name!r}", roles)
    return _parse(source, "predicate", _Builder(source, states or {}).expr)


def _is_probability(tree: object) -> bool:
    return getattr(tree, "data", None) == "call" and str(tree.children[0]) == "probability"  # type: ignore[attr-defined]


def _parse(source: Source, kind: str, build: Callable[[ParseTree, int], T]) -> T:
    text = source.text
    if not isinstance(text, str):
        raise PropertyError(f"{source.title}: must be a text; got {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise PropertyError(f"{source.title}: must have at most {MAX_LENGTH:,} characters; got {len(text):,}")
    half = _SURROGATE.search(text)
    if half is not None:
        raise source.error(half.start(), f"{_HALF}{half[0]!a}", _PAIR)
    masked, source.patterns = find_patterns(text)
    return _parse_text(source, kind, masked, build)


def _parse_text(source: Source, kind: str, text: str, build: Callable[[ParseTree, int], T]) -> T:
    """Parse the source's text, or what was made of it without moving anything."""
    lark = _lark()
    from lark import UnexpectedCharacters, UnexpectedToken  # already loaded by _lark()

    try:
        return build(lark.parse(text), 0)
    except UnexpectedCharacters as error:
        raise wrong_character(source, error.pos_in_stream or 0) from None
    except UnexpectedToken as error:
        raise wrong_token(source, kind, error, lark.lex(text)) from None
    except RecursionError:
        raise source.error(0, "nested too deeply for the stack that is left") from None


@cache
def _lark() -> Lark:
    from lark import Lark

    grammar = resources.files("latwin.properties").joinpath("grammar.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", propagate_positions=True, maybe_placeholders=False)


class _Builder:
    """Builds nodes from Lark's tree. `depth` counts the levels above, so recursion stays bounded."""

    def __init__(self, source: Source, states: Mapping[str, Expr]) -> None:
        self.source = source
        self.states = states
        self.written_out = 0
        named = () if source.is_open else source.processes
        self.process_index = {process: index for index, process in enumerate(named)}
        self.forms = RoleForms(self)

    def error(self, tree: ParseTree, message: str, hint: str | None = None) -> PropertyError:
        return self.source.error(tree.meta.start_pos, message, hint)

    def property(self, tree: ParseTree, depth: int) -> Property:
        """Outside of any modal form."""
        self.check_depth(tree, depth)
        children = cast("list[ParseTree]", tree.children)
        match tree.data:
            case "group":
                return self.property(children[0], depth + 1)
            case "disjunction":
                return PropertyOr(tuple([self.property(child, depth + 1) for child in children]))
            case "conjunction":
                return PropertyAnd(tuple([self.property(child, depth + 1) for child in children]))
            case "negation":
                return PropertyNot(self.property(children[0], depth + 1))
            case "implication":
                before, after = [self.property(child, depth + 1) for child in children]
                return PropertyOr((PropertyNot(before), after))
            case "call" if str(children[0]) not in (*TEMPORAL_FORMS, *ROLE_FORMS):
                return self.modal(tree, depth)
            case "call" | "until" | "since" if str(children[0]) not in ROLE_FORMS:
                return as_property(build_formula(CTL, self, tree, depth))
            case "comparison" if any(_is_probability(child) for child in children[::2]):
                return self.likely(tree, depth)
        calls = [call for call in tree.find_data("call") if str(call.children[0]) not in ROLE_FORMS]
        if calls:
            raise self.misplaced_call(min(calls, key=lambda call: call.meta.start_pos))
        if tree.data == "variable" and len(children) == 1 and (word := str(children[0])) in MODALS:
            raise self.error(tree, f"{word} without a condition", f"write {word}(process.variable)")
        raise self.error(tree, "this is a condition on states, not yet a property", _WRAP)

    def modal(self, tree: ParseTree, depth: int) -> Property:
        name = str(tree.children[0])
        arguments = cast("list[ParseTree]", tree.children[1:])
        kind = MODALS.get(name)
        if name in LINEAR_FORMS:
            raise self.misplaced_call(tree)
        if kind is None:
            near = nearest(name, MODALS)
            hint = f"did you mean {near}(...)?" if near is not None else f"the forms are: {', '.join(MODALS)}"
            raise self.error(tree, f"unknown form {name}(...)", hint)
        if len(arguments) != 1:
            hint = "combine them with and, or" if arguments else f"write {name}(process.variable)"
            raise self.error(tree, f"{name}(...) takes one condition; got {len(arguments)}", hint)
        if arguments[0].data == "call" and str(arguments[0].children[0]) == "seq":
            return self.matching(kind, arguments[0])
        if speaks_of_time(arguments[0]):
            return self.linear(kind, arguments[0], depth + 1)
        return Modal(kind, self.expr(arguments[0], depth + 1))

    def linear(self, kind: ModalKind, tree: ParseTree, depth: int) -> Property:
        """A formula over observations."""
        question = as_question(kind, build_formula(LINEAR, self, tree, depth))
        if isinstance(question, Linear):
            self.check_automaton(tree, question.automaton)
        return question

    def matching(self, kind: ModalKind, tree: ParseTree) -> Property:
        """`seq(...)`: its inside was blanked out, and is parsed here."""
        source = self.source
        place = source.patterns.get(tree.meta.start_pos)
        if place is None:
            raise self.error(tree, "seq(...) without a pattern", "write, for example, seq(a.x, any*, b.y)")

        def condition(begin: int, end: int) -> Expr:
            blank = re.sub(r"[^\n]", " ", source.text[:begin])
            return _parse_text(source, "condition", blank + source.text[begin:end], self.expr)

        question = Matching(kind, *parse_pattern(source.text, *place, condition, source.error))
        self.check_automaton(tree, lambda: automaton_of(question))
        return question

    def check_automaton(self, tree: ParseTree, make: Callable[[], object]) -> None:
        """Refuse, at its place, what no automaton of a bounded size can read."""
        try:
            make()
        except PropertyError as error:
            raise self.error(tree, str(error)) from None

    def likely(self, tree: ParseTree, depth: int) -> Property:
        """`probability(p) >= 0.9`, or a chain such as `0.2 < probability(p) <= 0.9`."""
        operands = cast("list[ParseTree]", tree.children[::2])
        ops = cast("list[ComparisonOp]", [str(op) for op in tree.children[1::2]])
        parts: list[Property] = []
        for left, op, right in zip(operands, ops, operands[1:], strict=False):
            question, number, sign = (left, right, op) if _is_probability(left) else (right, left, MIRRORED[op])
            if not _is_probability(question) or number.data != "number":
                raise self.error(tree, "a probability is compared with a number", "write probability(...) >= 0.9")
            arguments = cast("list[ParseTree]", question.children[1:])
            if len(arguments) != 1:
                raise self.error(question, f"probability(...) takes one condition; got {len(arguments)}")
            parts.append(Likely(self.expr(arguments[0], depth + 1), sign, float(self.number(number))))
        return parts[0] if len(parts) == 1 else PropertyAnd(tuple(parts))

    def expr(self, tree: ParseTree, depth: int) -> Expr:
        """Inside a modal form, or of a bare predicate."""
        self.check_depth(tree, depth)
        children = cast("list[ParseTree]", tree.children)
        match tree.data:
            case "group":
                return self.expr(children[0], depth + 1)
            case "disjunction":
                return Or(self.exprs(children, depth))
            case "conjunction":
                return And(self.exprs(children, depth))
            case "negation":
                return Not(self.expr(children[0], depth + 1))
            case "implication":
                before, after = self.exprs(children, depth)
                return Or((Not(before), after))
            case "comparison":
                return self.comparison(tree, depth)
            case "member" | "not_member":
                operand, *options = self.exprs(children, depth)
                return Member(operand, tuple(options), tree.data == "not_member")
            case "sum" | "product":
                return self.arithmetic(tree, depth)
            case "negate":
                operand = self.expr(children[0], depth + 1)
                if children[0].data == "number":  # `-5` is a literal, `-(5)` is not
                    return Literal(-cast("int | float", cast(Literal, operand).value))
                return Negate(operand)
            case "variable" if len(children) == 1 and (state := self.states.get(str(children[0]))) is not None:
                self.check_room(tree, depth, state)
                return state
            case "variable" | "everyone":
                return self.variable(tree)
            case "call" if str(children[0]) in EACH_KINDS:
                return self.forms.each(tree, depth)
            case "quantified":
                return self.forms.exists(tree, depth)
            case "within":
                raise self.forms.unknown(tree)
            case "call":
                raise self.misplaced_call(tree)
            case "until" | "since":
                raise self.error(tree, "E[...] and A[...] cannot stand inside an expression", _OUTER)
            case "infix":
                word = str(children[1])
                raise self.error(tree, f"{word!r} cannot stand inside an expression", _ALONG.format(f"p {word} q"))
            case _:
                return self.literal(tree)

    def exprs(self, trees: Sequence[ParseTree], depth: int) -> tuple[Expr, ...]:
        return tuple([self.expr(tree, depth + 1) for tree in trees])

    def comparison(self, tree: ParseTree, depth: int) -> Expr:
        """A comparison, or a chain of them."""
        sides = cast("list[ParseTree]", tree.children[::2])
        ops = cast("list[ComparisonOp]", [str(op) for op in tree.children[1::2]])
        if len(ops) == 1 and (same := self.forms.same_member(sides[0], ops[0], sides[1])) is not None:
            return same
        operands = self.exprs(sides, depth)
        links = [Compare(op, left, right) for op, left, right in zip(ops, operands, operands[1:], strict=False)]
        return And(tuple(links)) if len(links) > 1 else links[0]

    def arithmetic(self, tree: ParseTree, depth: int) -> Expr:
        """A chain such as `a + b - c`, grouped to the left: as many levels as operators."""
        operands = cast("list[ParseTree]", tree.children[::2])
        ops = cast("list[ArithmeticOp]", [str(op) for op in tree.children[1::2]])
        self.check_depth(tree, depth + len(ops))
        result = self.expr(operands[0], depth + len(ops))
        for done, (op, operand) in enumerate(zip(ops, operands[1:], strict=True), start=1):
            result = Arithmetic(op, result, self.expr(operand, depth + len(ops) - done + 1))
        return result

    def variable(self, tree: ParseTree) -> Expr:
        process, *path = [self.name(token) for token in cast("list[Token]", tree.children)]
        source = self.source
        if (of_member := self.forms.variable(tree, process, tuple(path))) is not None:
            return of_member
        index = self.process_index.get(process)
        if path and index is not None:
            return Variable(index, tuple(path))
        hint = source.unquoted_process(tree.meta.start_pos)
        shown = show_name(process)
        if path:
            near = nearest(process, [*source.processes, *self.forms.scope])
            did_you_mean = f"did you mean {show_name(near)}? " if near is not None else ""
            raise self.error(tree, f"unknown process {process!r}", hint or did_you_mean + source.known_processes())
        if index is not None:
            raise self.error(tree, f"process {process!r} without a variable", f"write {shown}.variable")
        if process in ("None", "nil", "NULL", "Null"):
            hint = "write null"
        raise self.error(
            tree,
            f"variable {process!r} without a process",
            hint or f"write process.{shown}; {source.known_processes()}",
        )

    def name(self, token: Token) -> str:
        return self.unquote(token) if token.type == "QUOTED_NAME" else str(token)

    def literal(self, tree: ParseTree) -> Literal:
        match tree.data:
            case "number":
                return Literal(self.number(tree))
            case "string":
                return Literal(self.unquote(cast("Token", tree.children[0])))
            case "true":
                return Literal(True)
            case "false":
                return Literal(False)
            case "null":
                return Literal(None)
            case _:
                raise AssertionError(f"a rule without a case: {tree.data}")

    def number(self, tree: ParseTree) -> int | float:
        text = str(tree.children[0])
        if not text.isdigit():
            value = float(text)
            if math.isinf(value):
                raise self.error(tree, "a number too large for floating point", "the largest is about 1.8e308")
            return value
        if len(text.lstrip("0")) > MAX_DIGITS:
            raise self.error(tree, f"an integer of more than {MAX_DIGITS} digits")
        return int(text.lstrip("0") or "0")

    def unquote(self, token: Token) -> str:
        """What stands between the quotes or backticks, escapes replaced."""

        def replace(match: re.Match[str]) -> str:
            digits = match[3] or match[4] or match[5]
            if match[1]:
                return chr(0x10000 + (int(match[1], 16) - 0xD800) * 0x400 + int(match[2], 16) - 0xDC00)
            char = chr(int(digits, 16)) if digits and int(digits, 16) <= 0x10FFFF else _ESCAPES.get(match[0][1:])
            if char is not None and _SURROGATE.match(char):
                raise self.source.error(cast(int, token.start_pos) + 1 + match.start(), _HALF + match[0], _PAIR)
            if char is None:
                hint = r"write a backslash as \\; known: \n \t \r \b \f \0 \\ \' \" \` \/ \xhh \uhhhh \Uhhhhhhhh"
                offset = cast(int, token.start_pos) + 1 + match.start()
                raise self.source.error(offset, f"unknown escape {match[0]}", hint)
            return char

        text = str(token)[1:-1]
        return _ESCAPE.sub(replace, text) if "\\" in text else text

    def misplaced_call(self, tree: ParseTree) -> PropertyError:
        name = str(tree.children[0])
        if name in MODALS or name in TEMPORAL_FORMS or name == "probability":
            return self.error(tree, f"{name}(...) cannot stand inside an expression", _OUTER)
        if name in LINEAR_FORMS:
            return self.error(tree, f"{name}(...) cannot stand here", _ALONG.format(f"{name}(p)"))
        if name == "seq":
            return self.error(tree, "seq(...) stands alone", "write possibly(seq(...)) or definitely(seq(...))")
        if name in ROLE_FORMS:
            hint = f"write {name}(a, b in role: ...)"
            return self.error(tree, f"{name}(...) without members", hint)
        near = nearest(name, ROLE_FORMS)
        hint = f"did you mean {near}(...)?" if near is not None else f"the functions are: {', '.join(ROLE_FORMS)}"
        return self.error(tree, f"unknown function {name!r}", hint)

    def check_room(self, tree: ParseTree, depth: int, state: Expr) -> None:
        """A named state is written out where it is used, and names in names grow like powers."""
        size, height = measure(state)
        self.written_out += size
        if self.written_out > MAX_WRITTEN_OUT:
            hint = "use fewer named states, or smaller ones"
            raise self.error(tree, f"named states that come to more than {MAX_WRITTEN_OUT:,} conditions", hint)
        self.forms.check_room(tree, state)
        self.check_depth(tree, depth + height)

    def check_depth(self, tree: ParseTree, depth: int) -> None:
        if depth > MAX_DEPTH:
            hint = "a chain of + - * / % counts one level per operator"
            raise self.error(tree, f"nested more than {MAX_DEPTH} levels deep", hint)
