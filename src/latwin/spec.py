"""`Spec`: what is monitored and asked, checked once and frozen."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from copy import copy
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from latwin import notebook
from latwin.document import MAX_LENGTH, SpecSource, parse_toml, plain
from latwin.errors import SpecError
from latwin.events.variables import Variables
from latwin.fields import OpenTable, misplaced, read_fields, unknown_name
from latwin.model import Seats
from latwin.open_processes import OpenProcesses, read_open
from latwin.properties import Expr, Property, parse_property, show
from latwin.properties.expected import Expectations
from latwin.properties.named_states import NamedStates
from latwin.properties.plan import explain_part, name_of, parts_of
from latwin.properties.reading import roles_of
from latwin.properties.tree import KEYWORDS, show_name
from latwin.window_fields import check_duration, check_forget_after, check_known, check_max_jump, check_window

#: what may change while a monitor's state lives on
FREE_FIELDS = (
    "window",
    "lateness",
    "max_jump",
    "roles",
    "states",
    "properties",
    "never",
    "max_cuts",
    "max_waiting",
    "waiting_policy",
    "forget_after",
)
#: what makes the name of a member a pattern
_WILDCARDS = frozenset("*?[")


#: of an open group, until somebody is there: enough to show how its properties are answered
_SOME = Seats(("a process", "another one", "a third one"))


class Spec:
    """A checked, immutable specification of one monitored system.

    ===================  ==================================================================================
    `processes`          names of the event sources; their order is the order of clocks and cuts. Or "open", or a
                         table, if processes join and leave (see `latwin.open_processes`)
    `window`             states kept per process: their number, a duration such as "5m", both as
                         `{"time": "5m", "states": 100}`, a table of these per process, or "unlimited" (None)
    `properties`         name -> text, see `latwin.properties`
    `initial`            variables of a process before its first report (absent: null)
    `delivery`           "fifo" (default): each process in its own order; "causal": also after all that
                         a state depends on
    `states`             name -> condition; properties, `seq(...)` and other states can use the names
    `roles`              name -> the processes that have the role: a list of names and patterns, or one pattern
    `synchrony`          the largest difference between two devices' clocks, such as "500ms"; every event then
                         needs a `time` (default: no bound)
    `lateness`           for windows of time: how far their time stays behind the latest event (default "0")
    `max_jump`           for windows of time: an event whose time is further ahead of all others is rejected,
                         until another process tells such a time (default "7d"; "unlimited": none is)
    `forget_after`       a group that is silent for so long has ended, such as "7d"; its state is forgotten (default:
                         never). By the events' times, or by the wall clock of Spark where they have none
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
    #: which processes may join; None if they are listed
    open: OpenProcesses | None
    #: per process how many states its window holds at most; None: no such bound
    window: tuple[int | None, ...]
    #: per process how many seconds its window is long; None: it is no window of time
    window_time_s: tuple[float | None, ...]
    properties: Mapping[str, str]
    states: Mapping[str, str]
    #: the names of the processes that have each role, in the order of `processes`
    roles: Mapping[str, tuple[str, ...]]
    trees: Mapping[str, Property]
    initial: tuple[Mapping[str, Any] | None, ...]
    delivery: Literal["fifo", "causal"]
    synchrony: str | None
    #: how far the devices' clocks are apart at most, in seconds; None: nothing is known
    synchrony_s: float | None
    lateness: str | None
    #: how far the time of the windows stays behind the latest event, in seconds
    lateness_s: float
    max_jump: str | None
    #: how far ahead of all others an event's time may be, in seconds; None: as far as it likes
    max_jump_s: float | None
    forget_after: str | None
    #: after how much silence a group has ended, in seconds; None: it never has
    forget_after_s: float | None
    max_waiting: int
    waiting_policy: Literal["fail", "skip"]
    max_cuts: int
    never: tuple[str, ...]
    variables: Mapping[str, Any] | None

    def __init__(self, document: Mapping[str, Any], *, source: str = "spec", text: str | None = None) -> None:
        """Check a document; `source` names it in messages, and `text` is the TOML that it was read from, if any."""
        if not isinstance(document, Mapping):
            raise SpecError(f"{source}: a specification must be a table; got {type(document).__name__}")
        checked = plain(document, source)
        told = SpecSource(source, text)
        fields = read_fields(checked, told)
        self.open = read_open(fields.processes, fields.roles, told)
        self.processes = _SOME if isinstance(fields.processes, str | OpenTable) else tuple(fields.processes)
        _check_processes(self.processes, told)
        self._sizes = check_window(fields.window, self.processes, told)
        self.window = tuple(size.states for size in self._sizes)
        self.window_time_s = tuple(size.time_s for size in self._sizes)
        check_known("initial", fields.initial, self.processes, told)
        self.initial = tuple(fields.initial.get(name) for name in self.processes)
        self.delivery = fields.delivery
        self.synchrony = fields.synchrony
        self.synchrony_s = check_duration("synchrony", fields.synchrony, told)
        self.lateness = fields.lateness
        self.lateness_s = check_duration("lateness", fields.lateness, told) or 0.0
        self.max_jump = fields.max_jump
        self.max_jump_s = check_max_jump(fields.max_jump, told)
        self.forget_after = fields.forget_after
        self.forget_after_s = check_forget_after(fields.forget_after, told)
        self.max_waiting = fields.max_waiting
        self.waiting_policy = fields.waiting_policy
        self.max_cuts = fields.max_cuts
        self.variables = checked.get("variables")
        _check_variables(self.variables, told)
        self.properties = dict(fields.properties)
        self.states = dict(fields.states)
        self.roles = _check_roles(fields.roles, self.processes, self.states, told)
        self._named = _check_states(fields.states, self.processes, self.roles, told)
        self.trees = self._parse(self.processes, self.roles, self._named)
        #: of an open group, by the number of seats
        self._trees_of: dict[int, dict[str, Property]] = {}
        for place, name in enumerate(fields.never):
            if name not in self.properties:
                hint = unknown_name(name, self.properties, "properties")
                raise told.error(f"`never` names the unknown property {name!r}{hint}", ("never", place))
        self.never = tuple(fields.never)

    def seated(self, names: Sequence[str]) -> Spec:
        """The spec of an open group while these processes are on its seats; it equals this one."""
        made = copy(self)
        for cached in ("trees", "meanings", "expectations", "fingerprint", "system_fingerprint", "system_fields"):
            made.__dict__.pop(cached, None)
        count = len(names)
        made.processes = Seats(names)
        made.window = self.window[:1] * count
        made.window_time_s = self.window_time_s[:1] * count
        made.initial = (None,) * count
        made.roles = dict.fromkeys(self.roles, made.processes)
        if count not in self._trees_of:
            named = NamedStates(self.states, made.processes, made.roles)
            self._trees_of[count] = self._parse(made.processes, made.roles, named)
        made.trees = self._trees_of[count]
        return made

    @property
    def listed(self) -> tuple[str, ...] | None:
        """The processes; None if they join and leave."""
        return self.processes if self.open is None else None

    def require_listed(self, what: str) -> None:
        """Raise SpecError if processes join and leave, which `what` cannot show."""
        if self.open is not None:
            raise SpecError(f"{what} needs a spec that lists its processes; here they join and leave")

    def roles_of(self, name: str) -> tuple[str, ...]:
        """The roles that a process has which joins under this name."""
        assert self.open is not None, "the spec lists its processes"
        return self.open.roles_of(name)

    def _parse(
        self, processes: Sequence[str], roles: Mapping[str, Sequence[str]], named: Mapping[str, Expr]
    ) -> dict[str, Property]:
        return {
            name: parse_property(text, processes, name=name, states=named, roles=roles)
            for name, text in self.properties.items()
        }

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
        return cls(parse_toml(text, str(path)), source=str(path), text=text)

    @classmethod
    def loads(cls, text: str) -> Spec:
        """Read the text of a TOML file.

        >>> Spec.loads('processes = ["phone"]\\nwindow = 4').window
        (4,)
        """
        return cls(parse_toml(text, "spec"), text=text.replace("\r\n", "\n"))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Spec:
        """Take the same fields from a dictionary."""
        return cls(document)

    def to_dict(self) -> dict[str, Any]:
        """The specification in plain data; `Spec.from_dict` of it equals this one."""
        fields: dict[str, Any] = {
            "processes": list(self.processes) if self.open is None else self.open.as_dict(),
            "window": {name: size.given for name, size in zip(self.processes, self._sizes, strict=True)}
            if self.open is None
            else self._sizes[0].given,
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
            "roles": {
                name: list(members)
                for name, members in (self.roles if self.open is None else self.open.roles).items()
            },
            "states": dict(self.states),
            "properties": dict(self.properties),
            "never": list(self.never),
        }
        if self.variables is not None:
            fields["variables"] = dict(self.variables)
        # Only if given, so that a spec without them keeps its fingerprint.
        times = {"lateness": self.lateness, "max_jump": self.max_jump, "forget_after": self.forget_after}
        fields.update({name: text for name, text in times.items() if text is not None})
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

    def _repr_html_(self) -> str:
        """The system and its properties as a table, for notebooks."""
        sizes = sorted({str(size) for size in self._sizes})
        window = sizes[0] if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        system = f"{len(self.processes)} processes ({', '.join(self.processes)}), window {window}, {self.delivery}"
        rows = [
            [name, " ".join(text.split()), "never" if name in self.never else ""]
            for name, text in self.properties.items()
        ]
        return notebook.paragraph(system) + notebook.table(["property", "", "must be"], rows)

    @cached_property
    def has_time_windows(self) -> bool:
        """Whether some process has a window of time."""
        return any(length is not None for length in self.window_time_s)

    @cached_property
    def keeps_time(self) -> bool:
        """Whether a group has a time of its own: for windows of time, or to tell that a process is silent."""
        return self.has_time_windows or (self.open is not None and self.open.leave_after_s is not None)

    @cached_property
    def needs_times(self) -> bool:
        """Whether every event must have a `time`."""
        return self.synchrony_s is not None or self.keeps_time

    @cached_property
    def fingerprint(self) -> str:
        """A short digest of all fields that a snapshot depends on, the properties' texts included."""
        asked = [sorted(self.properties.items()), sorted(self.states.items())]
        roles = self.roles if self.open is None else self.open.roles
        return _digest([self.system_fingerprint, *asked, *([sorted(roles.items())] if roles else [])])

    @cached_property
    def meanings(self) -> dict[str, str]:
        """Every property's canonical text, with named states written out, and with the members of its roles."""
        if self.open is not None:  # whoever is there
            states = "".join(f"; {name}: {text}" for name, text in sorted(self.states.items()))
            roles = "".join(f"; {role}: {', '.join(names)}" for role, names in sorted(self.open.roles.items()))
            return {name: " ".join((text + states + roles).split()) for name, text in self.properties.items()}
        return {name: show(tree, self.processes) + self._members_told(tree) for name, tree in self.trees.items()}

    def _members_told(self, tree: Property) -> str:
        used = sorted(roles_of(tree) & self.roles.keys())
        return "".join(f"; {role}: {', '.join(map(show_name, self.roles[role]))}" for role in used)

    @cached_property
    def system_fingerprint(self) -> str:
        """The same without the properties: a digest of `system_fields`."""
        return _digest(self.system_fields)

    @cached_property
    def system_fields(self) -> dict[str, Any]:
        """The fields that must not change while a monitor's state lives on."""
        return {name: value for name, value in self.to_dict().items() if name not in FREE_FIELDS}

    @cached_property
    def expectations(self) -> Expectations:
        """What the properties and named states expect of states, to tell what never came up."""
        if self.open is not None:  # nobody must ever be there
            return Expectations([], self.processes)
        return Expectations([*self.trees.values(), *self._named.values()], self.processes)

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


def _check_processes(names: tuple[str, ...], source: SpecSource) -> None:
    seen: set[str] = set()
    for place, name in enumerate(names):
        if name in seen:
            raise source.error(f"process {name!r} is listed twice in `processes`", ("processes", place))
        seen.add(name)


def _check_roles(
    roles: Mapping[str, str | list[str]], processes: tuple[str, ...], states: Mapping[str, str], source: SpecSource
) -> dict[str, tuple[str, ...]]:
    """The processes that have each role."""
    found = {}
    for name, given in roles.items():
        path = ("roles", name)
        if not name.isidentifier() or name in KEYWORDS:
            raise source.error(f"`roles`: {name!r} must be an identifier, and no keyword of properties", path)
        for others, thing in ((processes, "process"), (states, "named state")):
            if name in others:
                raise source.error(f"`roles`: {name!r} is the name of a {thing}", path)
        if isinstance(processes, Seats):  # whoever sits there may have the role
            found[name] = tuple(processes)
            continue
        listed = [(path, given)] if isinstance(given, str) else [((*path, k), each) for k, each in enumerate(given)]
        members: set[str] = set()
        for place, each in listed:
            matching = [each] if each in processes else [p for p in processes if fnmatchcase(p, each)]
            if not matching and _WILDCARDS.isdisjoint(each):
                hint = misplaced(path) or unknown_name(each, processes, "processes")
                raise source.error(f"`roles.{name}` names the unknown process {each!r}{hint}", place)
            if not matching:
                raise source.error(f"`roles.{name}`: no process matches {each!r}", place)
            members.update(matching)
        if not members:
            raise source.error(f"`roles.{name}` must name one or more processes; got none", path)
        found[name] = tuple(process for process in processes if process in members)
    return found


def _check_states(
    states: Mapping[str, str], processes: tuple[str, ...], roles: Mapping[str, tuple[str, ...]], source: SpecSource
) -> dict[str, Expr]:
    """The named conditions as trees, with the names in them written out."""
    for name in states:
        if not name.isidentifier() or name in ("any", *KEYWORDS):
            raise source.error(
                f"`states`: {name!r} must be an identifier, and no keyword of properties", ("states", name)
            )
        if name in processes:
            raise source.error(f"`states`: {name!r} is the name of a process", ("states", name))
    return dict(NamedStates(states, processes, roles))


def _check_variables(table: Mapping[str, Any] | None, source: SpecSource) -> None:
    """Raise SpecError for expressions and fields that cannot be used."""
    try:
        Variables(table, source=source.name)
    except SpecError as error:
        message = str(error).removeprefix(f"{source.name}: ")
        path = message.removeprefix("`").partition("`")[0]
        raise source.error(message, path.split(".")) from None


def _digest(fields: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(fields, order="deterministic")).hexdigest()[:16]


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
