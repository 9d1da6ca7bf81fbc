"""What a property reads."""

from __future__ import annotations

from latwin.properties.tree import Literal, Node, Variable


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
