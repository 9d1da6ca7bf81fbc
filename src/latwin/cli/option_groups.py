"""Options that several commands share, declared once: a dataclass of them, as one parameter of each command.

Typer reads a command's options from its signature. `grouped` writes the fields of every parameter whose type is an
`OptionGroup` into the signature that typer sees, and gives the command the dataclass made of their values.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, get_type_hints


class OptionGroup:
    """Base of dataclasses whose fields are options of the command line, annotated as typer wants them."""


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer should see it."""
    hints = get_type_hints(command, include_extras=True)
    signature = inspect.signature(command)
    groups = {name: hint for name, hint in hints.items() if inspect.isclass(hint) and issubclass(hint, OptionGroup)}
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.name in groups:
            parameters += _fields_of(groups[parameter.name])
        else:
            parameters.append(
                parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY)
            )

    @wraps(command)
    def run(**values: Any) -> None:
        for name, group in groups.items():
            fields = [field.name for field in dataclasses.fields(group)]  # type: ignore[arg-type]
            values[name] = group(**{field: values.pop(field) for field in fields})
        command(**values)

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _fields_of(group: type[OptionGroup]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
        for field in dataclasses.fields(group)  # type: ignore[arg-type]
    ]
