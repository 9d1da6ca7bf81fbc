"""Steps that carry another clock than a vector clock: each kind becomes what latwin needs, at the border.

    {"process": "a", "stamp": ..., "state": {...}}

- `dotted` and `itc` (see `stamps`): the vector clock, by comparison.
- `hlc` (see `hlc`): a process's own order, and `time`, which means something with the spec's `synchrony`.

Every reported state must be an event of its own: states of two processes with the same stamp count as concurrent.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from latwin.clocks.hlc import read_hlc
from latwin.clocks.records import Reading, Record
from latwin.clocks.stamps import ComparedStamp, read_dotted, read_interval_tree
from latwin.clocks.step import Step, StepProblem
from latwin.clocks.steps import JsonSteps
from latwin.errors import InvalidInput

StampKind = Literal["hlc", "dotted", "itc"]
_READERS: Mapping[str, Callable[[Any], ComparedStamp]] = {"dotted": read_dotted, "itc": read_interval_tree}
STAMP = "stamp"


@dataclass(frozen=True)
class StampedSteps:
    """Reads lines with a `stamp`; `names` maps our names to the lines' where they differ, as for `JsonSteps`."""

    kind: StampKind
    names: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the kind."""
        if self.kind not in get_args(StampKind):
            raise InvalidInput(
                f"the kind of a stamp must be one of {', '.join(get_args(StampKind))}; got {self.kind!r}"
            )

    def records(self, line: bytes) -> Iterator[Record]:
        """The line's object with its group."""
        return self._lines.records(line)

    def read(self, group: str, rows: Sequence[Any]) -> Reading:
        """The steps of a group's rows: what they know of each other as messages."""
        problems: list[StepProblem] = []
        found: dict[str, list[tuple[Any, Step]]] = {}
        for row in rows:
            try:
                stamp = self._stamp(row)
            except InvalidInput as error:
                problems.append(StepProblem("unreadable", str(error), group=group, row=row, is_rejected=True))
                continue
            plain = {name: value for name, value in row.items() if name != self._name}
            # The stamp orders; an order of the line's own would have to agree with it.
            step = self._lines.step(group, {**plain, self._lines.names.get("order", "order"): 0})
            if isinstance(step, StepProblem):
                problems.append(step)
            else:
                found.setdefault(step.process, []).append((stamp, step))
        return Reading(self._by_time(found) if self.kind == "hlc" else _by_comparison(found), problems)

    @property
    def _lines(self) -> JsonSteps:
        return JsonSteps({ours: theirs for ours, theirs in self.names.items() if ours != STAMP})

    @property
    def _name(self) -> str:
        return self.names.get(STAMP, STAMP)

    def _stamp(self, row: Mapping[str, Any]) -> Any:
        value = row.get(self._name)
        return read_hlc(value) if self.kind == "hlc" else _READERS[self.kind](value)

    def _by_time(self, found: Mapping[str, list[tuple[Any, Step]]]) -> list[Step]:
        """Steps in the order of their clocks, with the physical part as their time."""
        return [
            step._replace(order=f"{stamp.wall_ns:020}.{stamp.counter:010}", time=stamp.seconds, received=(), sent=())
            for given in found.values()
            for stamp, step in given
        ]


def _by_comparison(found: Mapping[str, list[tuple[Any, Step]]]) -> list[Step]:
    """Steps that each receive a message of the latest state before them of every other process.

    The states of a process happened one after the other, so those before a state are its first ones: halving finds
    the last of them.
    """
    chains = {
        process: sorted(given, key=lambda each: (each[0].weight, each[1].content()))
        for process, given in found.items()
    }
    steps = []
    for process, chain in chains.items():
        for index, (stamp, step) in enumerate(chain, start=1):
            received = []
            for other, states in chains.items():
                known = 0 if other == process else _first(states, stamp)
                if known:
                    received.append(f"{other} {known}")
            steps.append(step._replace(order=index, sent=(f"{process} {index}",), received=tuple(received)))
    return steps


def _first(states: list[tuple[Any, Step]], stamp: Any) -> int:
    """How many states of a process happened before the one with this stamp."""

    def is_not_before(state: tuple[Any, Step]) -> bool:
        return not state[0].is_before(stamp)

    return bisect_left(states, True, key=is_not_before)
