"""Properties asked once, about everything: the complete log instead of windows that slide over it.

Nothing is forgotten (the paper's LAT), so a verdict is about the set of states that were delivered, and the order in
which they came does not matter to it. States are delivered causally, whatever the spec's `delivery`, and may wait for
as many others as they need: in a log that lists one host after the other, what a state waits for comes later. What
still waits in the end waits for states that the log does not have. No cut contains it either way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from latwin.detect import Context, Details, KeptStates, PropertyDetector
from latwin.detect.seen import Seen
from latwin.errors import InvalidInput
from latwin.fields import MAX_WAITING
from latwin.lattice.window import Window
from latwin.model import Because, Counters, Cut, Verdicts
from latwin.monitor import Monitor
from latwin.properties import Modal, Property
from latwin.properties.plan import parts_of
from latwin.spec import Spec

#: rings up to this capacity keep a byte for each pair of states; making them takes a call for each pair
_LARGEST_PAIRED = 1024
#: An observation is searched for in lattices of up to so many cuts. The search lists them, with 8 bytes for each
#: process; for a sequence it keeps sets of them.
MOST_TRACED = 10_000_000
MOST_TRACED_BY_SEQUENCES = 1_000_000


class WholeVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The value of a property over a whole log; the fields mean the same as those of a `Verdict`.

    For a false `definitely`, the witness is an observation that avoids the condition. It is None if the lattice
    has more than `MOST_TRACED` cuts (of a sequence, `MOST_TRACED_BY_SEQUENCES`).
    """

    property: str
    #: True, False, or None when the lattice exceeds `max_cuts`
    value: bool | None
    least: Cut | None = None
    greatest: Cut | None = None
    cuts: int | None = None
    witness: Cut | tuple[Cut, ...] | None = None
    stretch: tuple[int, int] | None = None
    because: Because | None = None
    #: of a true property without a witness, such as `definitely`: a cut at which its condition holds
    example: Cut | None = None


class WholeLog:
    """Takes all events of one group, and answers every property once.

    >>> from latwin import Spec
    >>> log = WholeLog(Spec.from_dict({
    ...     "processes": ["phone", "projector"],
    ...     "window": 1,
    ...     "properties": {"both": "possibly(phone.here and projector.on)"},
    ... }))
    >>> _ = log.observe_many([
    ...     {"process": "projector", "clock": [1, 1], "state": {"on": True}},
    ...     {"process": "phone", "clock": [1, 0], "state": {"here": True}},
    ...     {"process": "phone", "clock": [2, 0], "state": {"here": False}},
    ... ])
    >>> [(verdict.value, verdict.witness) for verdict in log.verdicts()]
    [(True, (1, 1))]
    """

    def __init__(self, spec: Spec) -> None:
        if not isinstance(spec, Spec):
            raise InvalidInput(f"spec must be a latwin.Spec; got {type(spec).__name__}")
        self.spec = spec
        system: dict[str, Any] = {
            "window": None,
            "delivery": "causal",
            "max_waiting": MAX_WAITING,
            "properties": {},
            "never": [],
        }
        spec.require_listed("the lattice of a whole log")
        self._monitor = Monitor(Spec.from_dict({**spec.to_dict(), **system}))

    @property
    def counters(self) -> Counters:
        """What became of the events so far."""
        return self._monitor.counters

    def unseen(self) -> dict[str, list[str]]:
        """What the properties expect and no state has shown; see `Monitor.unseen`."""
        seen = Seen(self.spec.expectations)
        for process in range(len(self.spec.processes)):
            for state in self.states(process):
                seen.look(process, state)
        return {**self._monitor.unseen(), **seen.missing()}

    @property
    def window(self) -> Window:
        """All delivered states' clocks: look at them, but push nothing."""
        return self._monitor.window

    def states(self, process: int) -> list[Any]:
        """The variables of the delivered states of a process, the initial one first."""
        return self._monitor.states(process)

    def state(self, process: int, number: int) -> Any:
        """The variables of one of them, by its number."""
        return self._monitor.state(process, number)

    def observe_many(self, events: Iterable[Mapping[str, Any]]) -> Verdicts:
        """Take events, in any order; what did not become a state is in `.notices`."""
        return self._monitor.observe_many(events)

    def close(self) -> Verdicts:
        """End the log: if the spec's `waiting_policy` is "skip", whatever states still wait for is declared lost."""
        return self._monitor.give_up() if self.spec.waiting_policy == "skip" else Verdicts()

    def verdicts(self) -> list[WholeVerdict]:
        """Every property's value on all states delivered so far, in the spec's order."""
        window, trees = self.window, self.spec.trees
        states = [self.states(process) for process in range(window.processes)]
        questions = Questions(window, states, trees.values(), max_cuts=self.spec.max_cuts)
        found = []
        for name, tree in trees.items():
            value, details = questions.ask(tree)
            found.append(
                WholeVerdict(
                    property=name,
                    value=value,
                    least=window.least,
                    greatest=window.greatest,
                    example=questions.satisfying_cut(tree) if value and details.witness is None else None,
                    **details._asdict(),
                )
            )
        return found


class Questions:
    """Properties asked of a window as it is now, by detectors made for that, which look at every state once.

    `states[k]` are the variables of the states in the window of process k, oldest first.
    """

    def __init__(
        self, window: Window, states: Sequence[Sequence[Any]], trees: Iterable[Property], *, max_cuts: int
    ) -> None:
        kept = KeptStates(window)
        keeps_pairs = window.capacity <= _LARGEST_PAIRED
        context = Context(window, kept.atoms, max_cuts, keeps_pairs=keeps_pairs, counts_always=True)
        self._detectors: dict[Property, PropertyDetector] = {}
        for tree in trees:
            parts = [part for part in parts_of(tree) if isinstance(part, Modal)]
            for asked in (tree, *parts, *map(_possibly, parts)):
                if asked not in self._detectors:
                    self._detectors[asked] = PropertyDetector(asked, context)
        kept.atoms.compile()
        for process, own in enumerate(states):
            for number, state in zip(window.states_of(process), own, strict=True):
                kept.add(process, number, state)

    def ask(self, tree: Property) -> tuple[bool | None, Details]:
        """The value of one of the properties, and its details; see `most_traced` for observations."""
        detector = self._detectors[tree]
        value = detector.evaluate()
        details = detector.details(observations=False)
        if (details.cuts or 0) <= most_traced(tree):
            details = detector.details(observations=True)
        return value, details

    def satisfying_cut(self, tree: Property) -> Cut | None:
        """The least cut at which the condition of a true `possibly` or `definitely` of a property holds.

        It belongs to the first such part; None if the property has none.
        """
        for part in parts_of(tree):
            if isinstance(part, Modal) and self._detectors[part].evaluate():
                possible = self._detectors[_possibly(part)]
                possible.evaluate()
                witness = possible.details(observations=False).witness
                return tuple(index for index in witness or () if isinstance(index, int)) or None
        return None


def most_traced(tree: Property) -> int:
    """In lattices of up to so many cuts an observation of a property is searched for."""
    return MOST_TRACED if isinstance(tree, Modal) else MOST_TRACED_BY_SEQUENCES


def _possibly(part: Modal) -> Modal:
    return Modal("possibly", part.predicate)
