"""The command line: to begin, `latwin init` and `schema`; `check`, `watch`, `explain`, `advise`, `lattice`, `demo`;
to look at, `explore` and `serve`; for logs `inspect`, `convert` and `clocks`; for programs that report `collect`; on
Spark `run`, `compact`, `groups`, `rescale`, `replay`, `jars`, `offices`, `simulate` and `experiment`.

Each command is one function in a module of its own; to add one, write the module and name it in
`_COMMANDS`. Modules of commands import what is heavy inside the function, so that `latwin --help` is quick.

Exit codes: 0 fine; 1 a property that the spec declares `never` came true, or something is wrong with a log; 2 wrong
input or usage; 3 a property under `never` could not be answered; 70 a bug in latwin, or no memory; 130 interrupted;
141 nobody reads the output any more.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from latwin import __version__
from latwin.cli.commands.advise import advise
from latwin.cli.commands.check import check
from latwin.cli.commands.clocks import clocks
from latwin.cli.commands.collect import collect
from latwin.cli.commands.compact import compact
from latwin.cli.commands.convert import convert
from latwin.cli.commands.demo import demo
from latwin.cli.commands.experiment import experiment
from latwin.cli.commands.explain import explain
from latwin.cli.commands.explore import explore
from latwin.cli.commands.groups import groups
from latwin.cli.commands.init import init
from latwin.cli.commands.inspect import inspect
from latwin.cli.commands.jars import jars
from latwin.cli.commands.lattice import lattice
from latwin.cli.commands.offices import offices
from latwin.cli.commands.replay import replay
from latwin.cli.commands.rescale import rescale
from latwin.cli.commands.run import run
from latwin.cli.commands.schema import schema
from latwin.cli.commands.serve import serve
from latwin.cli.commands.simulate import simulate
from latwin.cli.commands.watch import watch
from latwin.cli.option_groups import grouped
from latwin.cli.terminal import BAD_INPUT, BUG, INTERRUPTED, describe, print_error, print_labelled
from latwin.errors import LatwinError
from latwin.events.escaping import plain

_COMMANDS = (
    *(
        init,
        check,
        watch,
        explain,
        advise,
        lattice,
        explore,
        serve,
        demo,
        offices,
        run,
        compact,
        groups,
        rescale,
        jars,
        replay,
    ),
    *(simulate, experiment, inspect, convert, clocks, collect, schema),
)
_CLOSED_PIPE = 141  # what a shell reports of a program that SIGPIPE ended


#: the base of all errors of usage, which typer, or click below it, tells of itself
_WRONG_USAGE: type[Exception] = typer.BadParameter.__mro__[2]
#: shows the traceback of an unexpected exception
TRACEBACK = "LATWIN_TRACEBACK"


class _Commands(TyperGroup):
    """Turns what a user can mend into one message and exit code 2, and anything else into two lines and 70."""

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
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except (typer.Exit, typer.Abort):
            raise
        except _WRONG_USAGE as error:
            error.message = plain(error.message)  # type: ignore[attr-defined] # it may quote a file's name
            raise
        except Exception as error:
            if os.environ.get(TRACEBACK):
                raise
            _tell_bug(error)
            raise typer.Exit(BUG) from None


def _tell_bug(error: Exception) -> None:
    """What happened, and what to do about it."""
    if isinstance(error, MemoryError):
        print_error("there is not enough memory")
    else:
        print_error(f"latwin failed, which is a bug: {type(error).__name__}: {error}".rstrip(": "))
    print_labelled("", "", f"to report it, run the command again with {TRACEBACK}=1, and send what it prints")


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
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
    # The first sentence in full: typer would cut it off in the list of commands.
    app.command(short_help=(_command.__doc__ or "").partition("\n\n")[0])(grouped(_command))


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows a question mark
    try:
        app(prog_name="latwin")
    except Exception:  # noqa: BLE001 - a traceback was asked for, and the exit code 1 means something else
        traceback.print_exc()
        sys.exit(BUG)
