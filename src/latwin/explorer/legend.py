"""The legend of the page: the parts of properties, which cuts they label, and how they colour states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from latwin.detect.states import as_member
from latwin.properties import (
    And,
    Expr,
    Modal,
    Not,
    Or,
    Property,
    PropertyNot,
    Question,
    compile_condition,
    compile_local_condition,
    linear,
    show,
)
from latwin.properties.ctl import Temporal, conditions_in
from latwin.properties.linear import Linear
from latwin.properties.patterns import steps_in
from latwin.properties.plan import explain_part, name_of
from latwin.properties.plan import parts_of as nodes_of
from latwin.properties.probability import Likely
from latwin.properties.sequences import Matching
from latwin.properties.shape import disjuncts_of, normal_form
from latwin.properties.tree import TRUE, Compare, Each, Node, Variable
from latwin.properties.tree import Literal as Constant
from latwin.spec import Spec

#: What one state alone says about a condition. ".": the condition does not read the process. "0": the state rules the
#: condition out. "2": it makes the condition true. "1": it satisfies the process's own part, and the others decide
#: the rest. "-": it merely does not rule the condition out.
Colour = Literal[".", "0", "-", "1", "2"]


@dataclass(frozen=True)
class Part:
    """One part of a property."""

    #: the property's name
    name: str
    node: Modal | Question
    text: str
    engine: str
    why: str
    #: the condition that colours states
    condition: Expr
    #: what it means that a cut is labelled
    meaning: str
    #: per process its roles, in a group that processes join: its states are read as `latwin.model.Seats` says
    roles: tuple[tuple[str, ...], ...] | None = None

    @property
    def labelling(self) -> Expr | Temporal:
        """The condition or formula that labels cuts; a formula of CTL is more than its conditions."""
        return self.node if isinstance(self.node, Temporal) else self.condition

    @property
    def _kind(self) -> str:
        """What the page words its explanation by."""
        if isinstance(self.node, Matching | Linear):
            return f"{self.node.name} {'sequence' if isinstance(self.node, Matching) else 'formula'}"
        looks_back = isinstance(self.node, Temporal) and self.node.looks_back
        return f"past {name_of(self.node)}" if looks_back else name_of(self.node)

    @cached_property
    def reads(self) -> dict[int, tuple[tuple[str, ...], ...]]:
        """Per process that the condition reads, the paths of the variables in its states."""
        found = variables_in(self.condition)
        if self.roles is None:
            return found
        own = {k: [path[1:] for path in found.get(k, ()) if path[0] in roles] for k, roles in enumerate(self.roles)}
        return {k: tuple(dict.fromkeys(paths)) for k, paths in own.items() if paths}

    def colour(self, process: int, state: Any) -> Colour:
        """What a state of a process says about the condition."""
        if self.roles is None:
            return colour_of(self.condition, process, state)
        if process not in self.reads:  # others have the role that is asked for
            return "."
        return colour_of(self.condition, process, as_member(state, self.roles[process]))

    def to_dict(self, processes: Sequence[str], shown: int) -> dict[str, Any]:
        """What the page says about the part, and about the first processes, which it shows."""
        own = [k in self.reads and _own_part(self.condition, k, None) is not None for k in range(shown)]
        return {
            "text": self.text,
            "kind": self._kind,
            "condition": show(self.condition, processes),
            "reads": [[list(path) for path in self.reads.get(k, ())] for k in range(shown)],
            "own": own,
            "conjunctive": isinstance(self.node, Modal) and len(disjuncts_of(self.condition) or ()) == 1,
            "engine": self.engine,
            "why": self.why,
            "meaning": self.meaning,
        }


def parts_of(spec: Spec) -> list[Part]:
    """The parts of all properties, in order; equal parts of one property are listed once."""
    return [
        _part(spec, name, node, is_opposite=without_nots(tree) == (node, True))
        for name, tree in spec.trees.items()
        for node in dict.fromkeys(nodes_of(tree))  # in the order of `Slide.answers`
    ]


def describe_spec(spec: Spec, lanes: Sequence[str] = ()) -> dict[str, Any]:
    """What the page says about a spec: the system, and every property with its parts.

    Processes that join and leave are not known beforehand; `lanes` names those that joined.
    """
    processes = lanes if spec.listed is None else spec.listed
    if lanes:
        spec = spec.seated(lanes)
    parts = parts_of(spec)
    return {
        "processes": list(processes),
        "roles": _roles_in(spec, processes),
        **({} if spec.open is None else {"open": True}),
        "window": list(spec.window[: len(processes)]),
        "delivery": spec.delivery,
        "synchrony": spec.synchrony,
        "properties": [
            {
                "name": name,
                "text": " ".join(text.split()),
                "expanded": spec.meanings[name] if spec.states else " ".join(text.split()),
                "never": name in spec.never,
                "single": _is_single(spec.trees[name]),
                "parts": [part.to_dict(spec.processes, len(processes)) for part in parts if part.name == name],
            }
            for name, text in spec.properties.items()
        ],
    }


def _roles_in(spec: Spec, processes: Sequence[str]) -> dict[str, list[int]]:
    """The positions of the processes that have each role."""
    if spec.open is None:
        return {name: [processes.index(member) for member in members] for name, members in spec.roles.items()}
    return {role: [k for k, name in enumerate(processes) if role in spec.roles_of(name)] for role in spec.open.roles}


def without_nots(tree: Property) -> tuple[Property, bool]:
    """A property without the `not`s in front of it, and whether it is the opposite of what is left."""
    is_opposite = False
    while isinstance(tree, PropertyNot):
        tree, is_opposite = tree.operand, not is_opposite
    return tree, is_opposite


def _is_single(tree: Property) -> bool:
    """Whether a property is one question, or the opposite of one: what is said of the question then is why."""
    return isinstance(without_nots(tree)[0], Modal | Question)


def _part(spec: Spec, name: str, node: Modal | Question, *, is_opposite: bool) -> Part:
    engine, why = explain_part(node, spec.processes)
    condition, meaning = _condition_of(node)
    if isinstance(node, Temporal) and is_opposite:
        meaning = meaning.replace("holds", "does not hold")
    roles = None if spec.open is None else tuple(map(spec.roles_of, spec.processes))
    return Part(name, node, show(node, spec.processes), engine, why, normal_form(condition), meaning, roles)


def _condition_of(node: Modal | Question) -> tuple[Expr, str]:
    """The condition that colours a part's states, and what a labelled cut means."""
    if isinstance(node, (Modal, Likely)):
        return node.predicate, "the condition holds"
    if isinstance(node, Temporal):
        where = "the formula holds up to here" if node.looks_back else "the formula holds from here on"
        return _any_of(list(conditions_in(node.formula))), where
    if isinstance(node, Linear):
        return _any_of(list(linear.conditions_in(node.formula))), "a condition of the formula holds here"
    assert isinstance(node, Matching)
    return _any_of(list(steps_in(node.pattern))), "a step of the sequence fits here"


def _any_of(conditions: list[Expr]) -> Expr:
    """Any of them, but for constants, which say nothing of states: EF p is E[true U p]."""
    unique = tuple(dict.fromkeys(condition for condition in conditions if condition.processes))
    if not unique:  # a sequence of nothing but `any`
        return TRUE
    return unique[0] if len(unique) == 1 else Or(unique)


def colour_of(condition: Expr, process: int, state: Any) -> Colour:
    """What a state of a process says about a condition while the other processes are unknown.

    >>> from latwin.properties import parse_predicate
    >>> both = parse_predicate("a.x and b.y", ["a", "b", "c"])
    >>> colour_of(both, 0, {"x": True}), colour_of(both, 0, {"x": False}), colour_of(both, 2, {})
    ('1', '0', '.')
    >>> colour_of(parse_predicate("a.x != b.x", ["a", "b"]), 0, {"x": True})
    '-'
    """
    if process not in condition.processes:
        return "."
    value = _known(condition, process, state)
    if value is not None:
        return "2" if value else "0"
    return "1" if _own_part(condition, process, state) else "-"


def variables_in(condition: Expr) -> dict[int, tuple[tuple[str, ...], ...]]:
    """Per process the paths of the variables that a condition reads, in the order of its text, each once.

    >>> from latwin.properties import parse_predicate
    >>> variables_in(parse_predicate("a.x and b.y.z > a.n and a.x != 3", ["a", "b"]))
    {0: (('x',), ('n',)), 1: (('y', 'z'),)}
    """
    found: dict[int, dict[tuple[str, ...], None]] = {}

    def look(node: Node) -> None:
        if isinstance(node, Variable):
            found.setdefault(node.process, {})[node.path] = None
        elif not isinstance(node, Constant):
            for child in node._children():
                look(child)

    look(condition)
    return {process: tuple(paths) for process, paths in sorted(found.items())}


def _own_part(expr: Expr, process: int, state: Any) -> bool | None:
    """Whether the conditions on this process alone hold, in some case of an `or`; None if there are none."""
    if expr.processes == {process}:
        return compile_local_condition(expr, process)(state)
    if isinstance(expr, Compare):
        return _counted_part(expr, process, state)
    parts: Sequence[Expr]
    if isinstance(expr, (And, Or)) or (isinstance(expr, Each) and expr.kind == "count"):
        parts = expr.operands
    else:
        return None
    own = [value for part in parts if (value := _own_part(part, process, state)) is not None]
    if not own:
        return None
    return all(own) if isinstance(expr, And) else any(own)


def _counted_part(expr: Compare, process: int, state: Any) -> bool | None:
    """Whether a state is counted or, where few are wanted, is not; None if nothing is counted."""
    is_left = isinstance(expr.left, Each)
    count = expr.left if is_left else expr.right
    is_counted = _own_part(count, process, state) if isinstance(count, Each) else None
    wants_few = expr.op in (("<", "<=") if is_left else (">", ">="))
    return not is_counted if wants_few and is_counted is not None else is_counted


def _known(expr: Expr, process: int, state: Any) -> bool | None:
    """The condition's value if one process's state decides it (Kleene's logic)."""
    if isinstance(expr, Not):
        value = _known(expr.operand, process, state)
        return None if value is None else not value
    if isinstance(expr, (And, Or)):
        deciding = isinstance(expr, Or)
        values = {_known(operand, process, state) for operand in expr.operands}
        if deciding in values:
            return deciding
        return None if None in values else not deciding
    if not expr.processes:
        return compile_condition(expr)([])
    return compile_local_condition(expr, process)(state) if expr.processes == {process} else None
