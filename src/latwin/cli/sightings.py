"""The states that a verdict speaks of: looked up while the verdict is made, told by name and value.

A monitor takes events in runs, and its window has moved on when a run's verdicts are reported. So the states of each
verdict are looked up by the monitor's `on_verdict`, at the slide of the verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from latwin.cli.wording import show_name, show_value
from latwin.drawing.text import show_cut
from latwin.model import Cut, Verdict
from latwin.monitor import Monitor
from latwin.properties import Variable, compile_local
from latwin.properties.members import THERE
from latwin.properties.reading import variables_of
from latwin.spec import Spec
from latwin.whole import Questions, WholeLog

#: of a cut, so many processes are told, and so many variables of each
_MOST_PROCESSES = 8
_MOST_VARIABLES = 4


@dataclass(frozen=True, slots=True)
class LocalState:
    """A state of a process, by its index, and its variables."""

    index: int
    state: Any


class Sighting(NamedTuple):
    """A cut at which a condition holds, and the states in it of the processes that the property reads."""

    cut: Cut
    states: Mapping[str, LocalState]

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"witness": self.cut, "states": dict(self.states)}


class Readings:
    """How people are told of states: by the variables that each property of a spec reads."""

    def __init__(self, spec: Spec) -> None:
        self._numbers = {name: number for number, name in enumerate(spec.listed or ())}
        self._variables = {name: variables_of(tree) for name, tree in spec.trees.items()}
        if spec.open is not None:  # every member may be asked for the same
            self._variables = {
                name: tuple(dict.fromkeys(Variable(0, each.path[1:]) for each in read if each.path[0] != THERE))
                for name, read in self._variables.items()
            }

    def show(self, name: str, seen: Sighting) -> str:
        """`(4,3): phone in state 4 (ap="meeting-room"), rfid in state 3 (speaker=true)`."""
        cut = show_cut(seen.cut)
        if not seen.states:
            return cut
        told = [self._show_local(name, *entry) for entry in list(seen.states.items())[:_MOST_PROCESSES]]
        if len(seen.states) > _MOST_PROCESSES:
            told.append(f"and {len(seen.states) - _MOST_PROCESSES:,} more")
        return f"{cut}: {', '.join(told)}"

    def _show_local(self, name: str, process: str, local: LocalState) -> str:
        number = self._numbers.get(process, 0)
        read = [variable for variable in self._variables[name] if variable.process == number]
        values = [
            f"{show_name('.'.join(variable.path))}={show_value(_value_of(variable, local.state))}"
            for variable in read[:_MOST_VARIABLES]
        ]
        if len(read) > _MOST_VARIABLES:
            values.append(f"{len(read) - _MOST_VARIABLES:,} more")
        return f"{show_name(process)} in state {local.index} ({', '.join(values)})"


def sight(spec: Spec, name: str, cut: Cut, system: Monitor | WholeLog) -> Sighting:
    """The states that a property reads, in a cut of a monitor's window or of a whole log."""
    if spec.open is not None and isinstance(system, Monitor):
        return _sight_members(cut, system)
    found = {}
    for process in sorted(spec.trees[name].processes):
        number = system.window.find(process, cut[process])
        assert number is not None, "a verdict speaks of states in the window"
        found[spec.processes[process]] = LocalState(cut[process], system.state(process, number))
    return Sighting(cut, found)


def _sight_members(cut: Cut, monitor: Monitor) -> Sighting:
    """The states of the processes that are there, in a cut of them."""
    window, found = monitor.window, {}
    for name, index in zip(monitor.members(), cut, strict=True):
        seat = monitor.spec.processes.index(name)
        number = window.find(seat, index)
        state = None if number is None else monitor.state(seat, number)
        if state is not None:
            found[name] = LocalState(index, state)
    return Sighting(cut, found)


class Lookout:
    """Keeps, for each verdict of a monitor, the states of its witness, in the order of the outcome.

    `group` is the monitor's. The first time a property of a group under `never` comes true and its verdict has no cut
    as witness, as with `definitely`, a cut at which its condition holds is searched for.
    """

    def __init__(self, spec: Spec, *, all_verdicts: bool) -> None:
        self._spec = spec
        self._all_verdicts = all_verdicts
        self.group = ""
        self._violated: set[tuple[str, str]] = set()
        self._seen: list[Sighting | None] = []

    def __call__(self, verdict: Verdict, monitor: Monitor) -> None:
        """Look up the states of a verdict that was just made."""
        self._seen.append(self._look(verdict, monitor))

    def take(self) -> list[Sighting | None]:
        """What was seen since the last time, one entry for each verdict."""
        seen, self._seen = self._seen, []
        return seen

    def _look(self, verdict: Verdict, monitor: Monitor) -> Sighting | None:
        name = verdict.property
        is_violation = verdict.value is True and name in self._spec.never and (self.group, name) not in self._violated
        if is_violation:
            self._violated.add((self.group, name))
        elif not self._all_verdicts or verdict.witness is None:
            return None
        cut = cut_of(verdict.witness)
        if cut is None and not is_violation:
            return None
        if cut is None and self._spec.open is not None:
            return None  # there is no cut without a lattice of all seats
        if cut is None:
            states = [monitor.states(process) for process in range(len(self._spec.processes))]
            tree = self._spec.trees[name]
            cut = Questions(monitor.window, states, [tree], max_cuts=self._spec.max_cuts).satisfying_cut(tree)
        return None if cut is None else sight(self._spec, name, cut, monitor)


def cut_of(witness: Cut | tuple[Cut, ...] | None) -> Cut | None:
    """The witness if it is a single cut."""
    return tuple(index for index in witness or () if isinstance(index, int)) or None


def observation_of(witness: Cut | tuple[Cut, ...] | None) -> tuple[Cut, ...]:
    """The cuts of the witness if it is an observation."""
    return tuple(step for step in witness or () if isinstance(step, tuple))


def _value_of(variable: Variable, state: Any) -> Any:
    return compile_local(variable, variable.process)(state)
