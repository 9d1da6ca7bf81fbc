"""The fields of a specification: their names, types, bounds and meanings, stated once.

From this one table come the check of a document (`read_fields`), its messages, and the JSON Schema for editors
(`json_schema`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta, inspect

from latwin.document import SpecSource
from latwin.excerpt import nearest
from latwin.lattice.bounds import MAX_WINDOW
from latwin.toml_places import Path, show_path

UNLIMITED = "unlimited"
#: A waiting state is an object of Python: far more than these fit in no memory.
MAX_WAITING = 10**9
#: Beyond this the leaves of a lattice, of 64 cuts each, could not be numbered by 32 bits.
MAX_CUTS = 2**37
_LONGEST_VALUE = 200
_DURATION = r"^\s*\d+(\.\d+)?\s*(us|ms|s|m|min|h|d)\s*$"
_DURATION_OR_UNLIMITED = f"^{UNLIMITED}$|{_DURATION}"

States = Annotated[int, Meta(ge=1, le=MAX_WINDOW)]
# As additions to the schema: patterns of msgspec 0.22 corrupt memory at the interpreter's end.
Duration = Annotated[str, Meta(extra_json_schema={"pattern": _DURATION})]
DurationOrUnlimited = Annotated[str, Meta(extra_json_schema={"pattern": _DURATION_OR_UNLIMITED})]


class TimeWindow(msgspec.Struct, forbid_unknown_fields=True):
    """A window of time, with a bound on the states in it or without."""

    time: Annotated[Duration, Meta(description='How long states are kept, such as "5m".')]
    states: Annotated[States | None, Meta(description="How many states are kept at most; no bound unless given.")] = (
        None
    )


Size = States | DurationOrUnlimited | TimeWindow | None
Policy = Literal["fail", "skip"]
Delivery = Literal["fifo", "causal"]


class VariablesTable(msgspec.Struct, forbid_unknown_fields=True):
    """How the events of a log become states: each variable keeps its value until an event changes it."""

    text: Annotated[
        str | list[str],
        Meta(description="Regular expressions; their named groups, (?<name>...), become variables."),
    ] = []
    fields: Annotated[
        list[str] | dict[str, str],
        Meta(description="Fields of an event that are variables: a list, or a table from variables to fields."),
    ] = []


class OpenTable(msgspec.Struct, forbid_unknown_fields=True):
    """Processes that join with their first event, and leave."""

    open: Annotated[bool, Meta(description="true: any process may join whose name matches `names`.")]
    max: Annotated[int, Meta(ge=1, le=10_000, description="How many processes may be there at once.")] = 500
    names: Annotated[
        str | list[str], Meta(description='Patterns, one of which the name of a process must match, such as "pod-*".')
    ] = "*"
    leave_after: Annotated[
        str | None,
        Meta(description='A process that is silent for so long has left, such as "10m"; needs times in events.'),
    ] = None


class Fields(msgspec.Struct, forbid_unknown_fields=True):
    """What latwin monitors, and what it asks."""

    processes: Annotated[
        Annotated[list[Annotated[str, Meta(min_length=1)]], Meta(min_length=1)] | Literal["open"] | OpenTable,
        Meta(
            description="The event sources, each once; their order is that of clocks and cuts. Or, if processes join "
            'and leave: "open", or a table that says which may.'
        ),
    ]
    window: Annotated[
        States | DurationOrUnlimited | dict[str, Size] | None,
        Meta(
            description='The states kept of each process: their number, a duration such as "5m", both in a table '
            '{ time = "5m", states = 100 }, a table of these by process, or "unlimited".'
        ),
    ]
    properties: Annotated[
        dict[str, str],
        Meta(description="Properties by name, such as possibly(phone.muted and projector.on)."),
    ] = {}
    states: Annotated[
        dict[str, str],
        Meta(description="Conditions by name; properties, seq(...) and other states can use the names."),
    ] = {}
    roles: Annotated[
        dict[str, str | list[str]],
        Meta(description='Processes by role: their names, or patterns such as "r*"; see count(role.variable).'),
    ] = {}
    initial: Annotated[
        dict[str, dict[str, Any]],
        Meta(description="For each process, its variables before its first report; null unless given."),
    ] = {}
    delivery: Annotated[
        Delivery,
        Meta(description="fifo: a state after all earlier ones of its process; causal: after all that it knows of."),
    ] = "fifo"
    synchrony: Annotated[
        str | None,
        Meta(description='The largest difference between two devices\' clocks, such as "500ms".'),
    ] = None
    lateness: Annotated[
        str | None,
        Meta(description='For windows of time: how far their time stays behind the latest event, such as "10s".'),
    ] = None
    max_jump: Annotated[
        str | None,
        Meta(
            description="For windows of time: an event whose time is further ahead of all others is rejected, until "
            'another process tells such a time, too; a duration such as "1h", or "unlimited".'
        ),
    ] = None
    forget_after: Annotated[
        str | None,
        Meta(description='A group that is silent for so long has ended, and its state is forgotten; such as "7d".'),
    ] = None
    max_waiting: Annotated[
        int, Meta(ge=0, le=MAX_WAITING, description="How many states of a group may wait for missing ones.")
    ] = 10_000
    waiting_policy: Annotated[
        Policy,
        Meta(description="Beyond max_waiting: fail, or skip, which declares the missing states lost."),
    ] = "fail"
    max_cuts: Annotated[
        int, Meta(ge=1, le=MAX_CUTS, description="How many cuts may be enumerated at a slide; else: too large.")
    ] = 10_000_000
    never: Annotated[
        list[str], Meta(description="Properties that must never come true; if one does, commands exit with 1.")
    ] = []
    variables: Annotated[
        VariablesTable | None, Meta(description="How events become states; without it, each has its whole state.")
    ] = None


def read_fields(document: Mapping[str, Any], source: SpecSource) -> Fields:
    """The fields of a document of plain data; raises SpecError for the first that is not as it must be."""
    mistake = _find(document, inspect.type_info(Fields), ())
    if mistake is not None:
        raise source.error(mistake.message + misplaced(mistake.path), mistake.path)
    return msgspec.convert(document, Fields)


def json_schema() -> dict[str, Any]:
    """The JSON Schema, draft 2020-12, of a specification."""
    made = msgspec.json.schema(Fields)
    definitions = made["$defs"]
    fields = definitions.pop(Fields.__name__)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **fields,
        "title": "A specification of latwin",
        "$defs": definitions,
    }


def unknown_name(name: str, known: Mapping[str, Any] | tuple[str, ...], what: str) -> str:
    """That a name is not known, and which one was meant, or which there are."""
    near = nearest(name, known)
    if near is not None:
        return f"; did you mean {near!r}?"
    shown = ", ".join(map(repr, list(known)[:20])) or "none"
    return f"; {what} are {shown}{', ...' if len(known) > 20 else ''}"


class _Mistake(NamedTuple):
    path: Path
    message: str


def _find(value: Any, kind: inspect.Type, path: Path) -> _Mistake | None:
    """The first mistake in a value, or in one inside it."""
    match kind:
        case inspect.Metadata():
            mistake = _find(value, kind.type, path)
            return mistake if mistake is not None or _is_within(value, kind) else _wrong(value, kind, path)
        case inspect.UnionType():
            own = next((member for member in kind.types if _is_of(value, member)), None)
            if own is None:
                return _wrong(value, kind, path)
            mistake = _find(value, own, path)
            # Of the value itself, say all that it may be; what is inside it has its own kind.
            return _wrong(value, kind, path) if mistake is not None and mistake.path == path else mistake
        case inspect.StructType() if isinstance(value, dict):
            return _find_in_struct(value, kind, path)
        case inspect.DictType() if isinstance(value, dict):
            inside = (_find(inner, kind.value_type, (*path, name)) for name, inner in value.items())
        case inspect.ListType() if isinstance(value, list) and len(value) >= (kind.min_length or 0):
            inside = (_find(inner, kind.item_type, (*path, place)) for place, inner in enumerate(value))
        case _:
            return None if _is_of(value, kind) and _is_within(value, kind) else _wrong(value, kind, path)
    return next((mistake for mistake in inside if mistake is not None), None)


def _find_in_struct(table: dict[str, Any], kind: inspect.StructType, path: Path) -> _Mistake | None:
    fields = {field.name: field for field in kind.fields}
    for name in table:
        if name not in fields:
            near = nearest(name, fields)
            hint = f"did you mean `{near}`?" if near is not None else f"the fields are {', '.join(fields)}"
            return _Mistake((*path, name), f"unknown field `{show_path((*path, name))}`; {hint}")
    for name, field in fields.items():
        if field.required and name not in table:
            return _Mistake((*path, name), f"`{show_path((*path, name))}` is missing; give {_words(field.type)}")
    inside = (_find(table[name], field.type, (*path, name)) for name, field in fields.items() if name in table)
    return next((mistake for mistake in inside if mistake is not None), None)


def _wrong(value: Any, kind: inspect.Type, path: Path) -> _Mistake:
    shown = show_value(value)
    known = [str(choice) for choice in kind.values] if isinstance(kind, inspect.LiteralType) else []
    near = nearest(value, known) if isinstance(value, str) else None
    hint = f"; did you mean {show_value(near)}?" if near is not None else ""
    return _Mistake(path, f"`{show_path(path)}` must be {_words(kind)}; got {shown}{hint}")


def misplaced(path: Path) -> str:
    """In TOML everything below a [table] belongs to it, also a field that was meant for the specification."""
    is_field = len(path) == 2 and path[1] in Fields.__struct_fields__
    return f"; to be the field `{path[1]}`, it must stand above the first [table]" if is_field else ""


def _is_of(value: Any, kind: inspect.Type) -> bool:
    """Whether a value has the kind, whatever is in it and however large it is."""
    match kind:
        case inspect.Metadata():
            return _is_of(value, kind.type)
        case inspect.StrType() | inspect.LiteralType():
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case inspect.DictType() | inspect.StructType():
            return isinstance(value, dict)
        case inspect.ListType():
            return isinstance(value, list)
        case inspect.NoneType():
            return value is None
        case _:
            return True


def _is_within(value: Any, kind: inspect.Type) -> bool:
    """Whether a value of the kind keeps its bounds."""
    match kind:
        case inspect.Metadata(extra_json_schema={"pattern": str(pattern)}):
            return re.search(pattern, value) is not None
        case inspect.IntType(ge=least, le=largest):
            return (least is None or value >= least) and (largest is None or value <= largest)
        case inspect.StrType(min_length=least) | inspect.ListType(min_length=least):
            return len(value) >= (least or 0)
        case inspect.LiteralType(values=values):
            return value in values
        case _:
            return True


def _words(kind: inspect.Type) -> str:
    """What a value must be, as a user would say it."""
    match kind:
        case inspect.Metadata(extra_json_schema={"pattern": pattern}):
            return 'a duration such as "5m"' + (f', "{UNLIMITED}"' if pattern == _DURATION_OR_UNLIMITED else "")
        case inspect.Metadata():
            return _words(kind.type)
        case inspect.UnionType():
            *some, last = [_words(member) for member in kind.types if not isinstance(member, inspect.NoneType)]
            return f"{', '.join(some)} or {last}" if some else last
        case inspect.LiteralType():
            return " or ".join(map(show_value, kind.values))
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"a whole number from {kind.ge:,} to {kind.le:,}"
        case inspect.StrType():
            return "a string that is not empty" if kind.min_length else "a string"
        case inspect.ListType():
            return f"a list of {'one or more ' if kind.min_length else ''}strings"
        case inspect.DictType(value_type=inspect.StrType()):
            return "a table of strings"
        case inspect.DictType(value_type=inspect.DictType()):
            return "a table of tables"
        case _:
            return "a table"


def show_value(value: Any) -> str:
    """A value as TOML writes it, not all of it if it is long."""
    if isinstance(value, dict):
        return "a table"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."
