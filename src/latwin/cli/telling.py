"""Telling others what a check finds, while it goes on: an application by HTTP, or a command that is run."""

from __future__ import annotations

import shlex
import subprocess
import sys

import msgspec

from latwin.cli.report import Report
from latwin.cli.sightings import Sighting
from latwin.cli.summary import Tally
from latwin.cli.terminal import print_labelled
from latwin.errors import InvalidInput
from latwin.model import Notice, Verdict
from latwin.notify import Message, Messenger, NotifyFailed, message_of
from latwin.spec import Spec

#: how long a command may take
COMMAND_S = 30.0
_TRIES = 3


class ViolationCommand:
    """A command that is run with a message, as one line of JSON, on its standard input; no shell reads it.

    What it prints goes to standard error. It may take COMMAND_S seconds; then it is killed.
    """

    def __init__(self, command: str, *, limit_s: float = COMMAND_S) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise InvalidInput(f"--on-violation: {command!r} is no command: {error}") from None
        if not self._words:
            raise InvalidInput("--on-violation: the command is empty")
        self._limit_s = limit_s

    def run(self, message: Message) -> str | None:
        """Run it to its end; what went wrong, or None."""
        text = msgspec.json.encode(message) + b"\n"
        try:
            done = subprocess.run(self._words, input=text, stdout=sys.__stderr__, timeout=self._limit_s, check=False)
        except subprocess.TimeoutExpired:
            return f"it took more than {self._limit_s:g} seconds, and was killed"
        except OSError as error:
            return f"it cannot be run: {error.strerror or error}"
        return None if done.returncode == 0 else f"it ended with {done.returncode}"


class TellingReport:
    """Another report, which also tells a messenger of the verdicts that it asks for, and a command of violations.

    Whoever cannot be told is no reason to end: it is said on standard error.
    """

    def __init__(
        self, report: Report, spec: Spec, messenger: Messenger | None, command: ViolationCommand | None
    ) -> None:
        self._report = report
        self._never = frozenset(spec.never)
        self._messenger = messenger
        self._command = command

    def verdict(self, verdict: Verdict, group: str, seen: Sighting | None) -> None:
        """Report it, then tell others."""
        self._report.verdict(verdict, group, seen)
        self._report.flush()
        message = message_of({"group": group, **msgspec.structs.asdict(verdict)})
        if self._messenger is not None and message[self._messenger.column]:
            try:
                self._messenger.tell(message)
            except NotifyFailed as error:
                print_labelled("notify: ", "bold red", str(error))
        is_violation = verdict.changed and verdict.value and verdict.property in self._never
        if self._command is not None and is_violation:
            problem = self._command.run(message)
            if problem is not None:
                print_labelled("on violation: ", "bold red", problem)

    def notice(self, notice: Notice, line: int, group: str) -> None:
        """Report it."""
        self._report.notice(notice, line, group)

    def flush(self) -> None:
        """Let the reader see all that came so far."""
        self._report.flush()

    def finish(self, tally: Tally, group: str) -> None:
        """Report the end of a group."""
        self._report.finish(tally, group)


def messenger_to(url: str | None, *, final: bool) -> Messenger | None:
    """Who tells a URL of verdicts, of final ones alone if asked; with few tries: the next verdicts wait meanwhile."""
    if url is None and final:
        raise InvalidInput("--notify-final needs --notify URL, where final verdicts are posted")
    return None if url is None else Messenger(url, final=final, tries=_TRIES)
