"""`Spec`: what is monitored and asked, checked once and frozen."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from latwin.document import MAX_LENGTH, parse_toml, plain, shorten
from latwin.errors import SpecError
from latwin.events.times import read_duration
from latwin.events.variables import Variables
from latwin.lattice.bounds import FIRST_ROOM, MAX_ENTRIES, MAX_WINDOW, entries_of
from latwin.properties import Expr, Property, parse_property, show
from latwin.properties.named_states import NamedStates
from latwin.properties.plan import explain_part, name_of, parts_of
from latwin.properties.tree import KEYWORDS

_UNLIMITED = "unlimited"
#: A waiting state is an object of Python: far more than these fit in no memory.
MAX_WAITING = 10**9
#: Beyond this the leaves of a lattice, of 64 cuts each, could not be numbered by 32 bits.
MAX_CUTS = 2**37
_LONGEST_DURATION = 50
#: what may change while a monitor's state lives on
FREE_FIELDS = ("states", "properties", "never", "max_cuts")


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    """The specification as it is written: the fields, their types and defaults."""

    processes: list[str]
    window: int | str | dict[str, int | str | None] | None
    properties: dict[str, str] = {}
    states: dict[str, str] = {}
    initial: dict[str, dict[str, Any]] = {}
    delivery: Literal["fifo", "causal"] = "fifo"
    synchrony: str | None = None
    max_waiting: int = 10_000
    waiting_policy: Literal["fail", "skip"] = "fail"
    max_cuts: int = 10_000_000
    never: list[str] = []
    variables: dict[str, Any] | None = None


class Spec:
    """A checked, immutable specification of one monitored system.

    ===================  ==================================================================================
    `processes`          names of the event sources; their order is the order of clocks and cuts
    `window`             states kept per process: one size, a table per process, or "unlimited" (None)
    `properties`         name -> text, see `latwin.properties`
    `initial`            variables of a process before its first report (absent: null)
    `delivery`           "fifo" (default): each process in its own order; "causal": also after all that
                         a state depends on
    `states`             name -> condition; properties, `seq(...)` and other states can use the names
    `synchrony`          the largest difference between two devices' clocks, such as "500ms"; every event then
                         needs a `time` (default: no bound)
    `max_waiting`        how many states may wait for missing ones (default 10,000)
    `waiting_policy`     beyond that: "fail" (default) raises TooManyWaiting; "skip" declares the gap lost
    `max_cuts`           how many cuts may be enumerated at a slide (default 10 million)
    `never`              properties that must never come true; `latwin check` exits with 1 if one does
    `variables`          how a log's events become states (see `latwin.events.variables`); with it, an event's state
                         holds what changed, and all else keeps its value
    ===================  ==================================================================================

    >>> spec = Spec.from_dict({
    ...     "processes": ["phone", "projector"],
    ...     "window": 4,
    ...     "properties": {"silent": "definitely(phone.ap == 'meeting-room' and projector.on)"},
    ... })
    >>> spec.window
    (4, 4)
    """

    processes: tuple[str, ...]
    window: tuple[int | None, ...]
    properties: Mapping[str, str]
    states: Mapping[str, str]
    trees: Mapping[str, Property]
    initial: tuple[Mapping[str, Any] | None, ...]
    delivery: Literal["fifo", "causal"]
    synchrony: str | None
    #: how far the devices' clocks are apart at most, in seconds; None: nothing is known
    synchrony_s: float | None
    max_waiting: int
    waiting_policy: Literal["fail", "skip"]
    max_cuts: int
    never: tuple[str, ...]
    variables: Mapping[str, Any] | None

    def __init__(self, document: Mapping[str, Any], *, source: str = "spec") -> None:
        if not isinstance(document, Mapping):
            raise SpecError(f"{source}: a specification must be a table; got {type(document).__name__}")
        checked = plain(document, source)
        if "window" not in checked:
            raise SpecError(f"{source}: `window` is missing; give one size, a table per process, or 'unlimited'")
        try:
            fields = msgspec.convert(checked, _Document)
        except msgspec.ValidationError as error:
            raise SpecError(f"{source}: {_explain(str(error), checked)}") from None
        self._source = source
        self.processes = self._check_processes(fields.processes)
        self.window = self._check_window(fields.window)
        self._check_memory()
        self.initial = self._check_initial(fields.initial)
        self.delivery = fields.delivery
        self.synchrony = fields.synchrony
        self.synchrony_s = self._check_synchrony(fields.synchrony)
        self.max_waiting = self._check_between("max_waiting", fields.max_waiting, 0, MAX_WAITING)
        self.waiting_policy = fields.waiting_policy
        self.max_cuts = self._check_between("max_cuts", fields.max_cuts, 1, MAX_CUTS)
        self.variables = fields.variables
        if fields.variables is not None:
            Variables(fields.variables, source=source)
        self.properties = dict(fields.properties)
        self.states = dict(fields.states)
        named = self._check_states(fields.states)
        self.trees = {
            name: parse_property(text, self.processes, name=name, states=named)
            for name, text in self.properties.items()
        }
        unknown = [name for name in fields.never if name not in self.properties]
        if unknown:
            raise SpecError(
                f"{source}: `never` names the unknown property {unknown[0]!r}; "
                f"properties are {', '.join(map(repr, self.properties)) or 'none'}"
            )
        self.never = tuple(fields.never)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Spec:
        """Read a TOML file."""
        path = Path(path)
        try:
            # A carriage return alone ends no line, neither here nor in a text that is given to `loads`.
            with path.open(encoding="utf-8-sig", newline="") as file:
                text = file.read(MAX_LENGTH + 1)
        except OSError as error:
            raise SpecError(f"{path}: cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError as error:
            raise SpecError(f"{path}: must be UTF-8 text: {error}") from None
        return cls(parse_toml(text, str(path)), source=str(path))

    @classmethod
    def loads(cls, text: str) -> Spec:
        """Read the text of a TOML file.

        >>> Spec.loads('processes = ["phone"]\\nwindow = 4').window
        (4,)
        """
        return cls(parse_toml(text, "spec"))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Spec:
        """Take the same fields from a dictionary."""
        return cls(document)

    def to_dict(self) -> dict[str, Any]:
        """The specification in plain data; `Spec.from_dict` of it equals this one."""
        fields: dict[str, Any] = {
            "processes": list(self.processes),
            "window": dict(zip(self.processes, self.window, strict=True)),
            "initial": {
                name: dict(values)
                for name, values in zip(self.processes, self.initial, strict=True)
                if values is not None
            },
            "delivery": self.delivery,
            "synchrony": self.synchrony,
            "max_waiting": self.max_waiting,
            "waiting_policy": self.waiting_policy,
            "max_cuts": self.max_cuts,
            "states": dict(self.states),
            "properties": dict(self.properties),
            "never": list(self.never),
        }
        if self.variables is not None:
            fields["variables"] = dict(self.variables)
        return fields

    def __eq__(self, other: object) -> bool:
        """Same fields."""
        return self.to_dict() == other.to_dict() if isinstance(other, Spec) else NotImplemented

    def __hash__(self) -> int:
        """Hash of the fields' fingerprint."""
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        """The fields."""
        return f"Spec.from_dict({self.to_dict()!r})"

    @cached_property
    def fingerprint(self) -> str:
        """A short digest of all fields that a snapshot depends on, the properties' texts included."""
        return _digest([self.system_fingerprint, sorted(self.properties.items()), sorted(self.states.items())])

    @cached_property
    def meanings(self) -> dict[str, str]:
        """Every property's canonical text, with named states written out."""
        return {name: show(tree, self.processes) for name, tree in self.trees.items()}

    @cached_property
    def system_fingerprint(self) -> str:
        """The same without the properties: a digest of `system_fields`."""
        return _digest(self.system_fields)

    @cached_property
    def system_fields(self) -> dict[str, Any]:
        """The fields that must not change while a monitor's state lives on."""
        return {name: value for name, value in self.to_dict().items() if name not in FREE_FIELDS}

    def explain(self) -> str:
        """Per property: its text, which engine answers each part, and why."""
        lines = []
        for name, tree in self.trees.items():
            lines.append(f"{name} = {' '.join(self.properties[name].split())}")
            for part in parts_of(tree):
                engine, why = explain_part(part, self.processes)
                shown = "" if part is tree else f" {name_of(part)}(...)"
                lines.append(f"   {engine}{shown}: {why}")
        return "\n".join(lines)

    def _check_processes(self, names: list[str]) -> tuple[str, ...]:
        if not names:
            raise SpecError(f"{self._source}: `processes` must name at least one process; got an empty list")
        seen: set[str] = set()
        for position, name in enumerate(names):
            if not name:
                raise SpecError(f"{self._source}: process {position} has an empty name")
            if name in seen:
                raise SpecError(f"{self._source}: process {name!r} is listed twice in `processes`")
            seen.add(name)
        return tuple(names)

    def _check_states(self, states: Mapping[str, str]) -> dict[str, Expr]:
        """The named conditions as trees, with the names in them written out."""
        for name in states:
            if not name.isidentifier() or name in ("any", *KEYWORDS):
                raise SpecError(
                    f"{self._source}: `states`: {name!r} must be an identifier, and no keyword of properties"
                )
            if name in self.processes:
                raise SpecError(f"{self._source}: `states`: {name!r} is the name of a process")
        return dict(NamedStates(states, self.processes))

    def _check_window(self, window: int | str | dict[str, int | str | None] | None) -> tuple[int | None, ...]:
        if not isinstance(window, dict):
            return tuple(self._check_size(name, window) for name in self.processes)
        self._check_known("window", window)
        missing = [name for name in self.processes if name not in window]
        if missing:
            raise SpecError(f"{self._source}: `window` lacks a size for process {missing[0]!r}")
        return tuple(self._check_size(name, window[name]) for name in self.processes)

    def _check_size(self, name: str, size: int | str | None) -> int | None:
        if size is None or size == _UNLIMITED:
            return None
        if isinstance(size, str) or size < 1:
            raise SpecError(
                f"{self._source}: window of process {name!r} must be at least 1, or {_UNLIMITED!r}; got {size!r}"
            )
        if size > MAX_WINDOW:
            raise SpecError(
                f"{self._source}: window of process {name!r} must be at most {MAX_WINDOW:,}, or {_UNLIMITED!r}; "
                f"got {size:,}"
            )
        return size

    def _check_memory(self) -> None:
        """Every process keeps as many clocks as the largest window holds, each with an entry per process."""
        count, largest = len(self.processes), max(size or FIRST_ROOM for size in self.window)
        if entries_of(self.window) > MAX_ENTRIES:
            raise SpecError(
                f"{self._source}: {count:,} processes with windows of up to {largest:,} states need {count:,} * "
                f"{count:,} * {largest:,} clock entries; there must be at most {MAX_ENTRIES:,}"
            )

    def _check_initial(self, initial: dict[str, dict[str, Any]]) -> tuple[Mapping[str, Any] | None, ...]:
        self._check_known("initial", initial)
        return tuple(initial.get(name) for name in self.processes)

    def _check_known(self, field: str, table: Mapping[str, Any]) -> None:
        for name in table:
            if name not in self.processes:
                raise SpecError(
                    f"{self._source}: `{field}` names the unknown process {name!r}; "
                    f"processes are {', '.join(map(repr, self.processes))}"
                )

    def _check_synchrony(self, text: str | None) -> float | None:
        if text is None:
            return None
        seconds = read_duration(text) if len(text) <= _LONGEST_DURATION else None
        if seconds is None:
            raise SpecError(
                f"{self._source}: `synchrony` must be a duration with its unit (us, ms, s, min, h, d), such as "
                f"'500ms', or '0'; got {shorten(text)}"
            )
        return seconds

    def _check_between(self, field: str, value: int, least: int, largest: int) -> int:
        if value < least:
            raise SpecError(f"{self._source}: `{field}` must be at least {least}; got {value}")
        if value > largest:
            raise SpecError(f"{self._source}: `{field}` must be at most {largest:,}; got {value:,}")
        return value


def _digest(fields: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(fields, order="deterministic")).hexdigest()[:16]


def _explain(message: str, document: Mapping[str, Any]) -> str:
    """msgspec's message in our words: the field's path first, then expected and got."""
    problem, _, path = message.partition(" - at `$.")
    field = path.rstrip("`")
    if not field:
        return problem[:1].lower() + problem[1:]
    value = document.get(field.split("[")[0].split(".")[0])
    return f"`{field}`: {problem[:1].lower() + problem[1:]}; the field is {shorten(value)}"


def differences_of(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Each field that differs as `field: old -> new`; tables entry by entry."""
    found = []
    for name in dict.fromkeys([*old, *new]):
        before, after = old.get(name), new.get(name)
        if isinstance(before, dict) and isinstance(after, dict):
            found += [f"{name}.{inner}" for inner in differences_of(before, after)]
        elif before != after or (name in old) != (name in new):
            found.append(f"{name}: {_show(name, old)} -> {_show(name, new)}")
    return found


def _show(name: str, fields: Mapping[str, Any]) -> str:
    # Stored fields may hold what only MessagePack has.
    return msgspec.json.encode(fields[name], enc_hook=repr).decode() if name in fields else "none"
