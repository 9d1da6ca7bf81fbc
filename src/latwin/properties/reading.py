"""What a property reads."""

from __future__ import annotations

from latwin.properties.tree import Bound, Each, Exists, Literal, Node, Variable


def variables_of(node: Node) -> tuple[Variable, ...]:
    """The variables in a property or condition, each once, in the order in which they first occur.

    >>> from latwin.properties import parse_property, show
    >>> names = ["phone", "door"]
    >>> tree = parse_property("possibly(phone.guests > 2 and door.open and phone.guests < 9)", names)
    >>> [show(variable, names) for variable in variables_of(tree)]
    ['phone.guests', 'door.open']
    """
    if isinstance(node, Variable):
        return (node,)
    if isinstance(node, Literal):
        return ()
    return tuple(dict.fromkeys(variable for child in node._children() for variable in variables_of(child)))


def roles_of(node: Node) -> frozenset[str]:
    """The roles over whose members a property or condition has forms.

    >>> from latwin.properties import parse_property
    >>> roles = {"replica": ["a", "b"], "client": ["c"]}
    >>> tree = parse_property("possibly(count(replica.on) > 1 and all(*.up))", ["a", "b", "c"], roles=roles)
    >>> sorted(roles_of(tree))
    ['*', 'replica']
    """
    found: set[str] = set()
    pending: list[Node] = [node]
    while pending:
        match pending.pop():
            case Literal() | Variable():
                pass
            case Exists(_, members, body):  # the body alone: its operands have the same forms
                found.update(role for _, role in members)
                pending.append(body)
            case Each(_, body):
                found.update(_members_in(body))
            case other:
                pending += other._children()
    return frozenset(found)


def _members_in(body: Node) -> set[str]:
    """The names of members that the body of a form speaks of; of an `Each` that is its role."""
    if isinstance(body, Bound):
        return {body.member}
    if isinstance(body, Literal | Variable):
        return set()
    return set().union(*map(_members_in, body._children()))
