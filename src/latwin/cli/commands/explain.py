"""`latwin explain`: what a spec asks, and how each question is answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latwin.cli.inputs import SpecArgument, load_spec
from latwin.cli.terminal import print_json, print_page

if TYPE_CHECKING:
    from rich.console import RenderableType

    from latwin.spec import Spec


def explain(
    spec: SpecArgument,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what SPEC asks and which engine answers it, and why."""
    document = _explained(load_spec(spec))
    if as_json:
        print_json(document)
    else:
        print_page(*_page(str(spec), document))


def _explained(spec: Spec) -> dict[str, Any]:
    """The spec's fields, and for each property its parts with engine and reason."""
    from latwin.properties import show
    from latwin.properties.plan import explain_part, parts_of

    fields = spec.to_dict()
    properties = fields.pop("properties")
    never = fields.pop("never")
    fields["properties"] = {
        name: {
            "text": " ".join(text.split()),
            "never": name in never,
            "parts": [
                {"part": show(part, spec.processes), "engine": engine, "why": why}
                for part in parts_of(spec.trees[name])
                for engine, why in (explain_part(part, spec.processes),)
            ],
        }
        for name, text in properties.items()
    }
    return fields


def _page(title: str, document: dict[str, Any]) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    system = Table.grid(padding=(0, 2))
    system.add_column(style="bold")
    system.add_column()
    for label, text in _system(document):
        system.add_row(label, Text(text))
    yield Text(title, style="bold underline")
    yield system
    for name, details in document["properties"].items():
        never = ("  must never come true", "red") if details["never"] else ""
        yield Text.assemble("\n", (name, "bold cyan"), never)
        yield Padding(Text(details["text"]), (0, 0, 0, 2))
        parts = Table.grid(padding=(0, 2))
        parts.add_column(style="green", no_wrap=True)
        parts.add_column(ratio=1)
        for part in details["parts"]:
            about = f"{part['part']}: " if len(details["parts"]) > 1 else ""
            parts.add_row(part["engine"], Text.assemble((about, "dim"), part["why"]))
        yield Padding(parts, (0, 0, 0, 2))
    if not document["properties"]:
        yield Text("\nThe spec has no properties.")


def _system(document: dict[str, Any]) -> list[tuple[str, str]]:
    """What is watched, as labels and texts."""
    processes, given = document["processes"], document["window"]
    is_open = isinstance(processes, dict)
    sizes = [given] if is_open else list(given.values())
    if all(size == sizes[0] for size in sizes):
        window = _window_of_all(sizes[0])
    else:
        window = ", ".join(f"{name} {_window_of_one(size)}" for name, size in given.items())
        window = f"the last states of each process: {window}"
    is_timed = any(isinstance(size, (str, dict)) for size in sizes)
    delivery = {
        "fifo": "fifo: each process's states in their own order",
        "causal": "causal: a state after everything that it depends on",
    }[document["delivery"]]
    beyond = {"fail": "beyond that, fail", "skip": "beyond that, declare the missing ones lost"}
    rows = [
        ("processes", _open(processes) if is_open else ", ".join(processes)),
        ("window", window),
        ("delivery", delivery),
        ("arrival", "as lines come (check); by `arrival`, else `time`, else causally (Spark)"),
        ("waiting", f"at most {_states(document['max_waiting'])}; {beyond[document['waiting_policy']]}"),
        *(
            [("synchrony", f"the devices' clocks are within {document['synchrony']} of each other")]
            if document["synchrony"] is not None
            else []
        ),
        *(_times(document) if is_timed or (is_open and "leave_after" in processes) else []),
        ("lattice", f"at most {document['max_cuts']:,} cuts at a slide"),
    ]
    for position, (name, values) in enumerate(document["initial"].items()):
        listed = ", ".join(f"{key} = {_json(value)}" for key, value in values.items())
        rows.append(("" if position else "initially", f"{name}: {listed}"))
    for position, (name, members) in enumerate(document["roles"].items()):
        rows.append(("" if position else "roles", f"{name}: {', '.join(members)}"))
    for position, (name, text) in enumerate(document["states"].items()):
        rows.append(("" if position else "states", f"{name}: {' '.join(text.split())}"))
    return rows


def _open(processes: dict[str, Any]) -> str:
    """Who may join, and when a process has left."""
    leaves = processes.get("leave_after")
    silent = f", or after {leaves} of silence" if leaves else ""
    names = ", ".join(processes["names"])
    return f"whoever joins as {names}, at most {processes['max']:,} at once, until it says that it leaves{silent}"


def _window_of_all(size: int | str | dict[str, Any] | None) -> str:
    """What the same window of every process holds."""
    match size:
        case None:
            return "all states, forever"
        case int():
            return f"the last {_states(size)} of each process"
        case str():
            return f"the states of the last {size} of each process"
        case _:
            return f"the states of the last {size['time']} of each process, at most {_states(size['states'])}"


def _window_of_one(size: int | str | dict[str, Any] | None) -> str:
    """How many states the window of a process holds, or how long it is."""
    if isinstance(size, dict):
        return f"{size['time']} (at most {_states(size['states'])})"
    return "all" if size is None else str(size)


def _times(document: dict[str, Any]) -> list[tuple[str, str]]:
    """How the windows' time goes on."""
    from latwin.window_fields import DEFAULT_MAX_JUMP

    lateness, jump = document.get("lateness", "0"), document.get("max_jump", DEFAULT_MAX_JUMP)
    behind = f" minus {lateness}" if lateness != "0" else ""
    refused = f"; an event more than {jump} ahead of it is rejected, until another process tells such a time"
    refused = "" if jump == "unlimited" else refused
    return [("time", f"the greatest time of the events so far{behind}{refused}")]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _states(count: int) -> str:
    return f"{count:,} state{'s' * (count != 1)}"
