"""What commands share towards the terminal: consoles, errors, JSON lines, and patience with long work."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import Timer, current_thread, main_thread
from types import TracebackType
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from latwin.errors import LatwinError
from latwin.events.escaping import one_line, plain, plain_json
from latwin.events.plain import carried

BAD_INPUT = 2
#: nobody knows whether a property under `never` came true
UNANSWERED = 3
#: an exception that nobody expected
BUG = 70
INTERRUPTED = 130
AllowUnanswered = Annotated[
    bool,
    typer.Option("--allow-unanswered", help="Exit with 0, not 3, if a property under `never` could not be answered."),
]
NotifyOption = Annotated[
    str | None, typer.Option(metavar="URL", help="POST every verdict that changes to this URL, as JSON.")
]
NotifyFinalOption = Annotated[
    bool,
    typer.Option(
        "--notify-final", help="POST a verdict to the URL only when it is final: no later event can overturn it."
    ),
]
#: columns when the output is no terminal
PLAIN_WIDTH = 100


class _Console(Console):
    """Prints no character that a terminal would obey; leaves a closed pipe to the caller, who knows the exit code."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """The pieces of something to print; all that is printed passes here."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=plain(segment.text))

    def on_broken_pipe(self) -> NoReturn:
        """Pass it on."""
        self.quiet = True
        raise BrokenPipeError


def make_console(*, stderr: bool = False) -> Console:
    """A console that prints text as it is: no markup, no guessed highlights."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PLAIN_WIDTH
    return _Console(stderr=stderr, markup=False, highlight=False, emoji=False, width=width)


def print_page(*parts: RenderableType) -> None:
    """Rich things on stdout; without a terminal as plain text, with no blanks at the ends of lines.

    A `Text` with `no_wrap` is printed in full, however long its lines are.
    """
    console = make_console()
    with nullcontext() if console.is_terminal else console.capture() as capture:
        for part in parts:
            console.print(part, soft_wrap=isinstance(part, Text) and part.no_wrap is True)
    if capture is not None:
        for line in capture.get().splitlines():
            sys.stdout.write(line.rstrip() + "\n")


def print_error(message: str) -> None:
    """One message on stderr, unwrapped, so that a caret under a text stays in its place."""
    print_labelled("error: ", "bold red", message)


def print_labelled(label: str, style: str, message: str) -> None:
    """A line on stderr that begins with a coloured word."""
    make_console(stderr=True).print(Text.assemble((one_line(label), style), message), soft_wrap=True)


def print_json(document: Any) -> None:
    """One line of JSON on stdout, which a terminal can show, too."""
    try:
        line = msgspec.json.encode(document)
    except UnicodeEncodeError:  # names of files may be no Unicode
        line = msgspec.json.encode(carried(msgspec.to_builtins(document)))
    sys.stdout.write(plain_json(line.decode()) + "\n")


def describe(error: LatwinError | OSError) -> str:
    """An error's message for the user."""
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return f"{error.filename}: {reason}" if error.filename is not None else reason
    return str(error)


@contextmanager
def ending_on_sigterm() -> Iterator[None]:
    """SIGTERM ends as Ctrl-C does."""
    if current_thread() is not main_thread():  # which alone may take signals
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Patience:
    """A progress bar on stderr that appears only on a terminal, and only when the work takes over a second.

    Without a `total` it is a pulse. What is printed meanwhile appears above it.
    """

    _AFTER_S = 1.0

    def __init__(
        self, task: str, total: int | None = None, *, hidden: bool = False, calls_per_update: int = 64
    ) -> None:
        """Name the task; `total` is what `reach` counts up to, and only some of its calls move the bar."""
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

        columns = [SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()]
        self._progress = Progress(
            *columns,
            console=make_console(stderr=True),
            transient=True,
            redirect_stdout=sys.stdout.isatty(),  # what goes to a file must not end up above the bar
        )
        # Until something is done, it is the compiler that takes its time.
        self._bar = self._progress.add_task("compiling for this machine, only this once", total=total)
        self._task = task
        self._calls = 0
        self._calls_per_update = calls_per_update
        self._timer = None if hidden or not sys.stderr.isatty() else Timer(self._AFTER_S, self._progress.start)

    def __enter__(self) -> Patience:
        """Begin to wait."""
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
            self._progress.stop()

    def reach(self, done: int) -> None:
        """Tell how much of the total is done; cheap enough for every line."""
        if self._timer is not None and self._calls % self._calls_per_update == 0:
            self._progress.update(self._bar, completed=done, description=self._task)
        self._calls += 1
