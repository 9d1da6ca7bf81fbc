"""Groups that processes join and leave: which may, and what roles they have."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from latwin.document import SpecSource
from latwin.events.times import read_duration
from latwin.fields import OpenTable
from latwin.properties.tree import EVERYONE


class OpenProcesses(NamedTuple):
    """What `processes` says, if it lists none."""

    max: int
    names: tuple[str, ...]
    leave_after: str | None
    #: after how much silence a process has left, in seconds; None: it never has
    leave_after_s: float | None
    #: role -> the patterns of the names that have it
    roles: Mapping[str, tuple[str, ...]]

    def roles_of(self, name: str) -> tuple[str, ...]:
        """The roles that a process has by its name; another incarnation has those of the first."""
        base, mark, number = name.rpartition("#")
        known = base if mark and number.isdecimal() else name
        found = [role for role, members in self.roles.items() if any(fnmatchcase(known, each) for each in members)]
        return (EVERYONE, *found)

    def as_dict(self) -> dict[str, Any]:
        """The field in plain data."""
        fields: dict[str, Any] = {"open": True, "max": self.max, "names": list(self.names)}
        return fields if self.leave_after is None else {**fields, "leave_after": self.leave_after}


def read_open(
    processes: list[str] | str | OpenTable, roles: Mapping[str, str | list[str]], source: SpecSource
) -> OpenProcesses | None:
    """What `processes` allows, or None if it lists them; raises SpecError."""
    if isinstance(processes, list):
        return None
    table = OpenTable(open=True) if isinstance(processes, str) else processes
    if not table.open:
        raise source.error(
            "`processes.open` must be true; processes that do not join are a list", ("processes", "open")
        )
    names = (table.names,) if isinstance(table.names, str) else tuple(table.names)
    if not all(names) or not names:
        raise source.error("`processes.names` must have a pattern or more; got none", ("processes", "names"))
    seconds = None
    if table.leave_after is not None:
        seconds = read_duration(table.leave_after)
        if not seconds:
            path = ("processes", "leave_after")
            raise source.error(
                f"`processes.leave_after` must be a duration longer than 0, such as '10m'; got {table.leave_after!r}",
                path,
            )
    patterns = {role: (given,) if isinstance(given, str) else tuple(given) for role, given in roles.items()}
    for role, members in patterns.items():
        if not all(members) or not members:
            raise source.error(f"`roles.{role}` must have a name or a pattern; got none", ("roles", role))
    return OpenProcesses(table.max, names, table.leave_after, seconds, patterns)
