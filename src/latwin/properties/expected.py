"""What properties expect of the states of single processes, so that a run can tell what never came up.

A misspelt variable is null for ever, and a misspelt constant equals nothing: every property still has a value, and it
is the wrong one. So each property implies some expectations, which one state at least should meet:

    phone.ap                      the variable has a value
    phone.ap == 'office'          it equals the constant; also if the property says `!=` or `in`
    phone.load < 3                the two sides can be compared: two numbers, or two texts
    phone.used / phone.size > 3   the sides of a longer comparison have values

A form over a role expects as much of one of its members at least: that a replica never leads is no mistake.

They are a function of the properties alone; `latwin.detect.seen` looks for them in the states.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any, Literal, TypeAlias

from latwin.errors import InvalidInput
from latwin.properties.closures import equal
from latwin.properties.constants import fold
from latwin.properties.evaluate import compile_local
from latwin.properties.tree import EVERYONE, MIRRORED, Compare, Each, Exists, Expr, Member, Node, Variable, show
from latwin.properties.tree import Literal as Constant

#: More are not looked for: enough for any spec that people write.
MOST_EXPECTATIONS = 1_000

Kind: TypeAlias = Literal["variable", "constant", "order", "condition"]


@dataclass(frozen=True)
class Expectation:
    """Something that should be true of one state of a process at least.

    `text` names it: the variable, or the comparison. `is_met` takes the value at `path`, which is not null; that of a
    condition, which has no path, takes the whole state.
    """

    kind: Kind
    process: int
    text: str
    is_met: Callable[[Any], bool]
    path: tuple[str, ...] = ()
    #: the constant, as a property writes it
    constant: str = ""
    #: the texts of the variables without which it cannot be met
    needs: tuple[str, ...] = ()
    #: in a form over a role, the texts of the same expectation of all members: one of them suffices
    of_members: tuple[str, ...] = ()


class Expectations(Sequence[Expectation]):
    """What some properties and conditions over `processes` expect, each once, in a fixed order.

    >>> from latwin.properties import parse_property
    >>> tree = parse_property("possibly(a.x == 'on' and b.n > 3)", ["a", "b"])
    >>> [expectation.text for expectation in Expectations([tree], ["a", "b"])]
    ['a.x', "a.x == 'on'", 'b.n', 'b.n > 3']
    """

    def __init__(self, trees: Iterable[Node], processes: Sequence[str]) -> None:
        self.processes = tuple(processes)
        found: dict[str, Expectation] = {}
        for tree in trees:
            for expectation in _expected(tree, self.processes):
                if expectation.text not in found or not expectation.of_members:
                    found[expectation.text] = expectation
        # What concerns a variable stands together, after the variable itself: it is looked at once.
        about: dict[tuple[int, tuple[str, ...]], list[Expectation]] = {}
        for expectation in found.values():
            about.setdefault((expectation.process, expectation.path), []).append(expectation)
        ordered = [each for some in about.values() for each in sorted(some, key=lambda each: each.kind != "variable")]
        self._all = tuple(ordered[:MOST_EXPECTATIONS])

    def __len__(self) -> int:
        """How many there are."""
        return len(self._all)

    def __getitem__(self, at: Any) -> Any:
        """One of them, or some."""
        return self._all[at]

    @cached_property
    def by_text(self) -> Mapping[str, Expectation]:
        """Each by its text."""
        return {expectation.text: expectation for expectation in self._all}

    @cached_property
    def groups(self) -> Mapping[int, Mapping[int, Expectation]]:
        """Each by its number, those of one variable together, by the number of the first; conditions stand alone."""
        groups: dict[int, dict[int, Expectation]] = {}
        for (_, path), some in groupby(enumerate(self._all), key=lambda pair: (pair[1].process, pair[1].path)):
            members = dict(some)
            for part in [members] if path else [{number: each} for number, each in members.items()]:
                groups[next(iter(part))] = part
        return groups

    @cached_property
    def digest(self) -> int:
        """A checksum of their texts: what was kept of others does not fit."""
        return zlib.crc32("\n".join(self.by_text).encode())


def _expected(tree: Node, names: Sequence[str]) -> Iterator[Expectation]:
    for node in _nodes(tree):
        match node:
            case Each() | Exists():
                yield from _of_members(node, names)
            case Variable(process, path):
                yield Expectation("variable", process, show(node, names), lambda _: True, path)
            case Compare(op, Variable() as operand, other) if not other.processes:
                yield from _of_constant(node, op in ("==", "!="), operand, fold(other), names)
            case Compare(op, other, Variable() as operand) if not other.processes:
                yield from _of_constant(node, MIRRORED[op] in ("==", "!="), operand, fold(other), names)
            case Compare(op, left, right) if len(node.processes) == 1:
                yield _of_condition(node, (left, right), names, are_ordered=op not in ("==", "!="))
            case Member(Variable() as operand, options):
                for option in options:
                    if not option.processes:
                        yield from _of_constant(node, True, operand, fold(option), names)
            case Member(operand) if len(node.processes) == 1 and operand.processes:
                yield _of_condition(node, (operand,), names, are_ordered=False)


def _of_members(form: Each | Exists, names: Sequence[str]) -> Iterator[Expectation]:
    """What a form over a role expects of its members; the texts of one expectation differ in the members' names."""
    local = dict.fromkeys(node for operand in form.operands for node in _nodes(operand) if len(node.processes) == 1)
    nameless = [EVERYONE] * len(names)
    alike: dict[str, dict[str, Expectation]] = {}
    for node in local:
        for expectation, without in zip(_expected(node, names), _expected(node, nameless), strict=True):
            alike.setdefault(without.text, {}).setdefault(expectation.text, expectation)
    for same in alike.values():
        for expectation in same.values():
            yield replace(expectation, of_members=tuple(same))


def _of_constant(
    node: Expr, is_equality: bool, operand: Variable, constant: Any, names: Sequence[str]
) -> Iterator[Expectation]:
    """That a variable equals a constant, or can be compared with it; with null, nothing can."""
    try:
        shown = show(Constant(constant), names)
    except InvalidInput:  # a product of constants that is too long to be shown
        return
    if constant is None:
        return
    variable = show(operand, names)
    process, path = operand.process, operand.path
    if is_equality:
        text = f"{variable} == {shown}"
        yield Expectation("constant", process, text, lambda value: equal(value, constant), path, shown, (variable,))
    else:
        text = show(node, names)
        fits = lambda value: _are_comparable(value, constant)  # noqa: E731
        yield Expectation("order", process, text, fits, path, shown, (variable,))


def _of_condition(node: Expr, sides: Sequence[Expr], names: Sequence[str], *, are_ordered: bool) -> Expectation:
    """That all sides of a comparison have values at once, which can be compared."""
    (process,) = node.processes
    values_of = [compile_local(side, process) for side in sides]

    def is_met(state: Any) -> bool:
        values = [value_of(state) for value_of in values_of]
        return None not in values and (not are_ordered or _are_comparable(*values))

    needs = tuple(dict.fromkeys(show(inner, names) for inner in _nodes(node) if isinstance(inner, Variable)))
    return Expectation("condition", process, show(node, names), is_met, needs=needs)


def _are_comparable(left: Any, right: Any) -> bool:
    """Whether an ordering of two values means something: two texts, or two numbers, booleans among them."""
    if isinstance(left, str):
        return isinstance(right, str)
    return isinstance(left, int | float) and isinstance(right, int | float)


def _nodes(node: Node) -> Iterator[Node]:
    """All nodes of a tree, from left to right; one that stands in several places once."""
    pending: list[Node] = [node]
    met: set[int] = set()
    while pending:
        latest = pending.pop()
        if id(latest) in met:
            continue
        met.add(id(latest))
        yield latest
        if not isinstance(latest, Constant | Variable | Each | Exists):
            pending += reversed(latest._children())
