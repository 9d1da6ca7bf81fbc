"""Options that several commands share, declared once: a dataclass of them, as one parameter of each command.

Typer reads a command's options from its signature. `grouped` writes the fields of every parameter whose type is an
`OptionGroup` into the signature that typer sees, and gives the command the dataclass made of their values. Groups may
hold groups.
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
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        parameters += _options_of(parameter.name, hints[parameter.name], parameter.default)

    @wraps(command)
    def run(**values: Any) -> None:
        command(**{name: _take(name, hints[name], values) for name in signature.parameters})

    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _options_of(name: str, hint: Any, default: Any) -> list[inspect.Parameter]:
    """The options that a parameter stands for: itself, or those of its group and of the groups in it."""
    if not _is_group(hint):
        return [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)]
    hints = get_type_hints(hint, include_extras=True)
    return [
        option
        for field in dataclasses.fields(hint)
        for option in _options_of(field.name, hints[field.name], _default_of(field))
    ]


def _take(name: str, hint: Any, values: dict[str, Any]) -> Any:
    """A parameter's value, from the values of all options."""
    if not _is_group(hint):
        return values[name]
    hints = get_type_hints(hint, include_extras=True)
    return hint(**{field.name: _take(field.name, hints[field.name], values) for field in dataclasses.fields(hint)})


def _is_group(hint: Any) -> bool:
    return inspect.isclass(hint) and issubclass(hint, OptionGroup)


def _default_of(field: dataclasses.Field[Any]) -> Any:
    return inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default
