"""How forms over roles are written: `count(replica.leader)`, `exists(a, b in replica: a != b and a.on and b.on)`.

A name followed by parentheses is a form, so `count`, `sum` and the others reserve no word: processes, variables and
named states may have these names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from latwin.excerpt import nearest
from latwin.properties.members import choices_of, each, exists, size_of
from latwin.properties.tree import EACH_KINDS, EVERYONE, EXISTS_KINDS, Bound, Expr, Node, SameMember, show_name

if TYPE_CHECKING:
    from lark import Token

    from latwin.errors import PropertyError
    from latwin.properties.parser import ParseTree, _Builder

#: what the forms over roles in a text may come to when they are written out, in nodes of the tree
MAX_EXPANDED = 300_000

ROLE_FORMS = (*EACH_KINDS, *EXISTS_KINDS)
_ONE_MEMBER = "it takes an expression of one member's variables; exists(a, b in role: ...) compares members"


class RoleForms:
    """The part of a builder that knows roles, and which members' names are in scope."""

    def __init__(self, builder: _Builder) -> None:
        self.builder = builder
        source = builder.source
        self.roles = {EVERYONE: tuple(range(len(source.processes))), **source.roles}
        #: the members' names in scope, each with its role
        self.scope: dict[str, str] = {}
        #: the form of which the inside is built, if it takes one member's variables alone
        self.form: str | None = None
        self.expanded = 0

    def each(self, tree: ParseTree, depth: int) -> Expr:
        """`count(replica.leader)`, and the like."""
        builder = self.builder
        name, *arguments = cast("list[ParseTree]", tree.children)
        if len(arguments) != 1:
            raise builder.error(
                tree, f"{name}(...) takes one expression; got {len(arguments)}", self._example(str(name))
            )
        if self.form is not None:
            raise builder.error(tree, f"{name}(...) inside {self.form}(...)", _ONE_MEMBER)
        role = self._role_in(tree, arguments[0])
        before = self.scope, self.form
        self.scope, self.form = {role: role}, str(name)
        try:
            body = builder.expr(arguments[0], depth + 1)
        finally:
            self.scope, self.form = before
        processes = self.roles[role]
        self._check_room(tree, body, len(processes))
        return each(EACH_KINDS[str(name)], body, role, processes, is_open=builder.source.is_open)

    def exists(self, tree: ParseTree, depth: int) -> Expr:
        """`exists(a, b in replica: ...)`, and `forall`."""
        builder = self.builder
        name, *bindings, inside = cast("list[ParseTree]", tree.children)
        kind = EXISTS_KINDS.get(str(name))
        if kind is None:
            hint = f"write {' or '.join(f'{word}(a, b in role: ...)' for word in EXISTS_KINDS)}"
            raise builder.error(tree, f"{name}(...) takes no members", hint)
        if self.form is not None:
            raise builder.error(tree, f"{name}(...) inside {self.form}(...)", _ONE_MEMBER)
        members = self._members(tree, bindings)
        before = self.scope
        self.scope = before | members
        try:
            body = builder.expr(inside, depth + 1)
        finally:
            self.scope = before
        self._check_room(tree, body, choices_of(members, self.roles))
        return exists(kind, members, body, self.roles, is_open=builder.source.is_open)

    def variable(self, tree: ParseTree, name: str, path: tuple[str, ...]) -> Expr | None:
        """The variable of a member in scope; None if the name is none of a member, and may be a process."""
        if name in self.scope:
            if path:
                return Bound(name, path)
            hint = f"write {_shown(name)}.variable, or compare two members: a != b"
            raise self.builder.error(tree, f"member {name!r} without a variable", hint)
        if name in self.roles:
            rest = ".".join(map(show_name, path or ("variable",)))
            hint = f"write any({_shown(name)}.{rest}), all(...), count(...) or exists(a in {_shown(name)}: a.{rest})"
            thing = "all processes" if name == EVERYONE else f"role {name!r}"
            raise self.builder.error(tree, f"variables of {thing} stand inside a form over its members", hint)
        if self.form is not None:
            raise self.builder.error(tree, f"{name!r} inside {self.form}(...) of other members", _ONE_MEMBER)
        return None

    def same_member(self, left: ParseTree, op: str, right: ParseTree) -> Expr | None:
        """`a == b` or `a != b` of two members; None if it is another comparison."""
        sides = [self._bare_member(side) for side in (left, right)]
        if None in sides or op not in ("==", "!="):
            return None
        one, other = cast("list[str]", sides)
        return SameMember(one, other, op == "!=")

    def check_room(self, tree: ParseTree, node: Node) -> None:
        """Take a named state, which is about certain processes, and count what it comes to."""
        if self.form is not None:
            raise self.builder.error(tree, f"a named state inside {self.form}(...)", _ONE_MEMBER)
        self._count(tree, size_of(node, MAX_EXPANDED))

    def unknown(self, tree: ParseTree) -> PropertyError:
        """The error for an `in` without parentheses, outside of `exists` and `forall`."""
        word = str(tree.children[1])
        return self.builder.source.error(
            cast("Token", tree.children[1]).start_pos or 0,
            f"expected '(' and a list of values, found {word!r}",
            "members of a role have names in exists(a in role: ...) and forall(a in role: ...)",
        )

    def names(self) -> Iterable[str]:
        """The names of roles, without that of all processes."""
        return [name for name in self.roles if name != EVERYONE]

    def _role_in(self, tree: ParseTree, argument: ParseTree) -> str:
        """The one role whose members an expression speaks of."""
        found: dict[str, ParseTree] = {}
        others: list[ParseTree] = []
        parts = argument.find_pred(lambda part: part.data in ("variable", "everyone"))
        for part in sorted(parts, key=lambda part: part.meta.start_pos):
            name = self.builder.name(cast("Token", part.children[0]))
            if name in self.roles and name not in self.scope:
                found.setdefault(name, part)
            else:
                others.append(part)
        form = str(tree.children[0])
        if len(found) == 1:
            return next(iter(found))
        if found:
            one, other = list(found)[:2]
            raise self.builder.error(found[other], f"{form}(...) of two roles, {one!r} and {other!r}", _ONE_MEMBER)
        roles = ", ".join(map(show_name, list(self.names())[:20]))
        known = f"the roles are: {roles}, and * for all processes" if roles else "* stands for all processes"
        if others:
            name = self.builder.name(cast("Token", others[0].children[0]))
            near = nearest(name, list(self.names()))
            hint = f"did you mean {show_name(near)}? " if near is not None else ""
            thing = "a process" if name in self.builder.process_index else "no role"
            raise self.builder.error(others[0], f"{form}(...) needs a role; {name!r} is {thing}", hint + known)
        raise self.builder.error(
            tree, f"{form}(...) needs the variables of a role", f"{self._example(form)}; {known}"
        )

    def _members(self, tree: ParseTree, bindings: list[ParseTree]) -> dict[str, str]:
        """The names before the colon, each with its role."""
        members: dict[str, str] = {}
        waiting: list[str] = []
        form = str(tree.children[0])
        how = f"write {form}(a, b in role: ...)"
        for binding in bindings:
            is_last = binding.data == "within"
            name_tree = cast("ParseTree", binding.children[0]) if is_last else binding
            if name_tree.data != "variable" or len(name_tree.children) != 1:
                raise self.builder.error(binding, "expected the name of a member", how)
            name = self.builder.name(cast("Token", name_tree.children[0]))
            self._check_new(name_tree, name, (*members, *waiting))
            waiting.append(name)
            if is_last:
                role = self._role_named(binding)
                members |= dict.fromkeys(waiting, role)
                waiting = []
        if waiting:
            raise self.builder.error(bindings[-1], f"member {waiting[-1]!r} without a role", how)
        return members

    def _check_new(self, tree: ParseTree, name: str, others: tuple[str, ...]) -> None:
        thing = None
        if name in others or name in self.scope:
            thing = "another member"
        elif name in self.builder.process_index:
            thing = "a process"
        elif name in self.roles:
            thing = "a role"
        elif name in self.builder.states:
            thing = "a named state"
        if thing is not None:
            raise self.builder.error(tree, f"{name!r} is the name of {thing} already", "choose another name")

    def _role_named(self, binding: ParseTree) -> str:
        tokens = cast("list[Token]", binding.children[1:])
        names = [self.builder.name(token) for token in tokens]
        if len(names) == 1 and names[0] in self.roles:
            return names[0]
        near = nearest(names[0], list(self.names()))
        hint = f"did you mean {show_name(near)}? " if near is not None else ""
        roles = ", ".join(map(show_name, list(self.names())[:20])) or "none but * for all processes"
        raise self.builder.source.error(
            tokens[0].start_pos or 0, f"unknown role {'.'.join(names)!r}", f"{hint}the roles are: {roles}"
        )

    def _bare_member(self, tree: ParseTree) -> str | None:
        if tree.data == "variable" and len(tree.children) == 1:
            name = self.builder.name(cast("Token", tree.children[0]))
            return name if name in self.scope else None
        return None

    def _check_room(self, tree: ParseTree, body: Expr, choices: int) -> None:
        self._count(tree, choices * size_of(body, MAX_EXPANDED))

    def _count(self, tree: ParseTree, size: int) -> None:
        self.expanded += size
        if self.expanded > MAX_EXPANDED:
            raise self.builder.error(
                tree,
                f"forms over roles that come to more than {MAX_EXPANDED:,} conditions",
                "name fewer members in one exists(...), or choose smaller roles",
            )

    def _example(self, form: str) -> str:
        role = next(iter(self.names()), EVERYONE)
        return f"write, for example, {form}({_shown(role)}.variable)"


def _shown(name: str) -> str:
    return name if name == EVERYONE else show_name(name)
