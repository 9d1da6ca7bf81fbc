"""The command line: `latwin check`, `explain`, `lattice`, `demo`; to look at, `explore` and `serve`; for logs
`inspect`, `convert` and `clocks`; for programs that report `collect`; on Spark `run`, `replay`, `jars`, `offices`,
`simulate` and `experiment`.

Each command is one function in a module of its own; to add one, write the module and name it in
`_COMMANDS`. Modules of commands import what is heavy inside the function, so that `latwin --help` is quick.

Exit codes: 0 fine; 1 a property that the spec declares `never` came true, or something is wrong with a log; 2 wrong
input or usage.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from latwin import __version__
from latwin.cli.commands.check import check
from latwin.cli.commands.clocks import clocks
from latwin.cli.commands.collect import collect
from latwin.cli.commands.convert import convert
from latwin.cli.commands.demo import demo
from latwin.cli.commands.experiment import experiment
from latwin.cli.commands.explain import explain
from latwin.cli.commands.explore import explore
from latwin.cli.commands.inspect import inspect
from latwin.cli.commands.jars import jars
from latwin.cli.commands.lattice import lattice
from latwin.cli.commands.offices import offices
from latwin.cli.commands.replay import replay
from latwin.cli.commands.run import run
from latwin.cli.commands.serve import serve
from latwin.cli.commands.simulate import simulate
from latwin.cli.option_groups import grouped
from latwin.cli.terminal import BAD_INPUT, describe, print_error
from latwin.errors import LatwinError

_COMMANDS = (
    *(check, explain, lattice, explore, serve, demo, offices, run, jars, replay, simulate, experiment),
    *(inspect, convert, clocks, collect),
)
_CLOSED_PIPE = 141  # what a shell reports of a program that SIGPIPE ended


class _Commands(TyperGroup):
    """Turns what a user can mend into one message and exit code 2; anything else is a bug, and shows."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever read our output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(_CLOSED_PIPE) from None
        except (LatwinError, OSError) as error:
            print_error(describe(error))
            raise typer.Exit(BAD_INPUT) from None


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"latwin {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """What possibly and what definitely held, across processes whose clocks cannot be trusted."""


for _command in _COMMANDS:
    app.command()(grouped(_command))


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows a question mark
    app(prog_name="latwin")
