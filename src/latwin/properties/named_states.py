"""`[states]` of a spec: conditions with names, which may use each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from latwin.errors import PropertyError
from latwin.properties.parser import parse_predicate
from latwin.properties.tree import Expr

#: how many names may lead from one to the next
LONGEST_CHAIN = 20


class NamedStates(Mapping[str, Expr]):
    """The trees of named conditions, each parsed when it is first asked for, with the names in it written out.

    Asking raises PropertyError for a text that is no condition, and for names that go in a circle.

    >>> states = NamedStates({"busy": "on and a.load > 3", "on": "a.on"}, ["a"])
    >>> states["busy"] == parse_predicate("a.on and a.load > 3", ["a"])
    True
    """

    def __init__(
        self, texts: Mapping[str, str], processes: Sequence[str], roles: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._texts = texts
        self._processes = processes
        self._roles = roles
        self._trees: dict[str, Expr] = {}
        self._chain: list[str] = []

    def __getitem__(self, name: str) -> Expr:
        """The condition's tree; KeyError if nothing has that name."""
        if name not in self._trees:
            text = self._texts[name]
            if name in self._chain:
                raise self._error("is defined by itself", [*self._chain[self._chain.index(name) :], name])
            self._chain.append(name)
            try:
                if len(self._chain) > LONGEST_CHAIN:
                    raise self._error(f"uses a chain of more than {LONGEST_CHAIN} names", self._chain)
                self._trees[name] = parse_predicate(
                    text, self._processes, name=f"state {name}", states=self, roles=self._roles
                )
            finally:
                self._chain.pop()
        return self._trees[name]

    def __iter__(self) -> Iterator[str]:
        """The names, in the spec's order."""
        return iter(self._texts)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._texts)

    def _error(self, message: str, chain: Sequence[str]) -> PropertyError:
        return PropertyError(f"state {chain[0]!r} {message}: {' -> '.join(chain)}")
