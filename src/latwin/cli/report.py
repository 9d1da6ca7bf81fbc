"""How a check tells what it finds: as lines for people, or as lines of JSON."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import msgspec
from rich.console import Console
from rich.text import Text

from latwin.cli.doubts import say_empty, say_empty_throughout, way_out_of
from latwin.cli.sightings import Readings, Sighting, observation_of
from latwin.cli.summary import PropertyTally, Tally, Violation
from latwin.cli.terminal import make_console, print_json, print_labelled
from latwin.cli.wording import shorten, show_name, show_steps, show_time
from latwin.drawing.text import show_cut
from latwin.events.escaping import one_line
from latwin.model import Cut, Notice, Verdict
from latwin.spec import Spec

Pieces = list[tuple[str, str]]  # texts with their styles

#: how a value is told, and in which style
VALUES = {True: ("true", "bold green"), False: ("false", "yellow"), None: ("too large", "bold magenta")}
_NOTICE_STYLES = {"rejected": "bold red", "skipped": "bold red", "too_large": "bold magenta"}
#: notices of a kind that are printed for people; the rest is only counted
_MOST_NOTICES = 20
_GROUP_WIDTH = 16


class Report(Protocol):
    """Takes what a check finds, as it comes; `group` is "" for events that have none."""

    def verdict(self, verdict: Verdict, group: str, seen: Sighting | None) -> None:
        """A property's value after a slide; `seen` holds the states of its witness, if that is a cut."""

    def notice(self, notice: Notice, line: int, group: str) -> None:
        """Something about an event that is no verdict; `line` is the event's."""

    def flush(self) -> None:
        """Let the reader see all that came so far."""

    def finish(self, tally: Tally, group: str) -> None:
        """The end of a group, with its summary."""


class JsonReport:
    """Lines of JSON on stdout: `{"verdict": ...}`, `{"notice": ...}`, at the end `{"summary": ...}`.

    Where events have a `group`, so have the lines.
    """

    def verdict(self, verdict: Verdict, group: str, seen: Sighting | None) -> None:
        """All fields of the verdict."""
        del seen  # the summary has the states of violations
        print_json({**_with(group), "verdict": verdict})

    def notice(self, notice: Notice, line: int, group: str) -> None:
        """All fields of the notice, and the line."""
        print_json({**_with(group), "notice": {**msgspec.structs.asdict(notice), "line": line}})

    def flush(self) -> None:
        """Write out what was printed."""
        sys.stdout.flush()

    def finish(self, tally: Tally, group: str) -> None:
        """The summary."""
        print_json({**_with(group), "summary": tally.as_dict()})
        sys.stdout.flush()


class TextReport:
    """One line a verdict on stdout, notices on stderr, and a summary on stdout."""

    def __init__(self, source: str, spec: Spec, *, marks_changes: bool) -> None:
        """Take the widths of the columns from the spec."""
        self._source = source
        self._never = frozenset(spec.never)
        self._processes = spec.processes
        self._readings = Readings(spec)
        self._marks_changes = marks_changes
        self._console = make_console()
        self._state_width = max(len(show_name(name)) for name in spec.processes) + 6
        self._name_width = max(map(len, ["property", *spec.properties]))
        self._notices: Counter[str] = Counter()
        self._began = False
        self._has_groups = False

    def verdict(self, verdict: Verdict, group: str, seen: Sighting | None) -> None:
        """Group if there is one, slide, state, property, value, the lattice's ends, and a witness if there is one."""
        if not self._began or (group and not self._has_groups):
            self._began, self._has_groups = True, self._has_groups or bool(group)
            mark = "  " if self._marks_changes else ""
            header = f"{mark}{'slide':>7}  {'state':<{self._state_width}}  {'property':<{self._name_width}}  value"
            self._print([(self._column("group") + header, "dim")])
        self._print([(self._column(group), "cyan"), *self._pieces(verdict, seen)])

    def _column(self, group: str) -> str:
        return f"{shorten(group, _GROUP_WIDTH):<{_GROUP_WIDTH}}  " if self._has_groups else ""

    def notice(self, notice: Notice, line: int, group: str) -> None:
        """File, line, kind and reason."""
        del group  # the line tells it
        self.flush()
        kind = notice.kind
        self._notices[kind] += 1
        if self._notices[kind] > _MOST_NOTICES:
            return
        label = kind.replace("_", " ")
        print_labelled(
            f"{self._source}:{line}: {label}: ", _NOTICE_STYLES.get(kind, "bold yellow"), one_line(notice.reason)
        )
        if self._notices[kind] == _MOST_NOTICES:
            print_labelled("", "", f"further notices of the kind '{label}' are only counted; --json shows all")

    def flush(self) -> None:
        """Write out what was printed."""
        sys.stdout.flush()

    def finish(self, tally: Tally, group: str) -> None:
        """Events by fate, properties by value, and what never should have been."""
        if self._began:
            self._print([])
        if group:
            self._print([("group ", ""), (group, "bold cyan")])
        for violation in tally.violations.values():
            self._tell_violation(violation)
        self._print(say_fates(tally))
        if tally.counters.empty:
            told = say_empty(tally.counters.empty, tally.counters.slides, way_out_of(tally.order))
            self._print([(f"  {told}", "bold yellow")])
        for name, property_tally in tally.properties.items():
            self._print(
                [
                    (f"  {name:<{self._name_width}}  ", "bold"),
                    *_history(property_tally, tally.counters.slides, forbidden=name in self._never),
                ]
            )
        if not tally.properties:
            self._print([("  the spec has no properties, so there was nothing to check", "yellow")])
        for name, slides in tally.unanswered.items():
            say = say_empty_throughout if tally.is_empty_throughout else say_unanswered
            self._print([("never", "bold magenta"), (f": {say(name, slides)}", "")])
        self.flush()

    def _tell_violation(self, violation: Violation) -> None:
        """What came true that never should, when, and the states in which it was true."""
        verdict, seen = violation.verdict, violation.seen
        when = f", time {show_time(verdict.time)}" if verdict.time is not None else ""
        where = f"{_state_of(verdict)}{when}, {self._source}:{violation.line}"
        told = f": {verdict.property!r} came true first at slide {verdict.slide}, {where}"
        self._print([("never", "bold red"), (told, "red")])
        if seen is not None:
            self._print([(f"  at {self._readings.show(verdict.property, seen)}", "red")])

    def _pieces(self, verdict: Verdict, seen: Sighting | None) -> Pieces:
        value, style = VALUES[verdict.value]
        if verdict.value and verdict.property in self._never:
            style = "bold red"
        fades = "" if verdict.changed else "dim"
        state = _state_of(verdict)
        mark = ("* " if verdict.changed else "  ") if self._marks_changes else ""
        pieces = [
            (f"{mark}{verdict.slide:>7}  {state:<{self._state_width}}  ", fades),
            (f"{verdict.property:<{self._name_width}}  ", fades or "bold"),
            (f"{value:<9}", fades or style),
        ]
        if verdict.least is None or verdict.greatest is None:
            return [*pieces, ("  no cut", "dim")]
        pieces.append((f"  {show_cut(verdict.least)}..{show_cut(verdict.greatest)}", "dim"))
        if verdict.cuts is not None:
            pieces.append((f"  {verdict.cuts:,} cut{'s' * (verdict.cuts != 1)}", "dim"))
        pieces.append((show_final(verdict.value, verdict.final, verdict.because, verdict.witness), "dim"))
        if verdict.time is not None:
            pieces.append((f"  time {show_time(verdict.time)}", "dim"))
        observation = observation_of(verdict.witness)
        if seen is not None:
            pieces.append((f"  at {self._readings.show(verdict.property, seen)}", fades))
        elif observation:
            pieces.append(
                (f"  {say_observation(verdict.value, observation, verdict.members or self._processes)}", fades)
            )
        return pieces

    def _print(self, pieces: Pieces) -> None:
        print_pieces(self._console, pieces)


def print_pieces(console: Console, pieces: Pieces) -> None:
    """A line on a console, with all escapes of its texts made harmless."""
    shown = [(one_line(text), style) for text, style in pieces]
    if console.is_terminal:
        console.print(Text.assemble(*shown), soft_wrap=True)
    else:  # the same without the cost of layout
        sys.stdout.write("".join(text for text, _ in shown).rstrip() + "\n")


def _state_of(verdict: Verdict) -> str:
    """The delivered state, or what else made the slide."""
    return verdict.kind if verdict.process is None else f"{show_name(verdict.process)}#{verdict.index}"


def say_observation(value: bool | None, observation: Sequence[Cut], processes: Sequence[str]) -> str:
    """The way of an observation from the least cut, as the witness of a value."""
    way = show_steps(observation, processes) or "no step"
    return f"{'seen in' if value else 'avoided by'} {show_cut(observation[0])} then {way}"


def say_unanswered(name: str, slides: int) -> str:
    """That nobody knows whether a property under `never` came true."""
    return (
        f"{name!r} could not be answered at {slides:,} slide{'s' * (slides != 1)}, where it was too large; "
        "use smaller windows or raise max_cuts"
    )


def show_final(value: bool | None, final: bool | None, because: str | None, witness: object) -> str:
    """Whether a later event can overturn a verdict, and why it is true; nothing where that goes without saying.

    It does for a `possibly`, which is final if it is true, and for a false value, which is not.
    """
    why = f" ({because})" if because else ""
    if final and witness is None:
        return f"  final{why}"
    return f"  may change{why}" if value and final is False else ""


def _with(group: str) -> dict[str, str]:
    return {"group": group} if group else {}


def say_fates(tally: Tally) -> Pieces:
    """How many events met which fate."""
    counters = tally.counters
    pieces = [
        (f"{tally.events:,} event{'s' * (tally.events != 1)}", "bold"),
        (f": {counters.delivered:,} delivered", ""),
    ]
    for count, name in (
        (counters.waiting, "waiting for states that did not come"),
        (counters.duplicates, f"duplicate{'s' * (counters.duplicates != 1)}"),
        (tally.rejected, "rejected"),
        (counters.late, "late"),
        (counters.skipped, "skipped"),
    ):
        shown = name if count else name.split()[0]
        pieces += [(", ", ""), (f"{count:,} {shown}", "bold yellow" if count else "dim")]
    return pieces


def _history(tally: PropertyTally, slides: int, *, forbidden: bool) -> Pieces:
    value, style = VALUES[tally.value]
    if tally.value and forbidden:
        style = "bold red"
    if tally.last_changed is None:
        return [("never true", style)]
    since = f", {value} since slide {tally.last_changed:,}"
    times = f"came true {tally.became_true:,} time{'s' * (tally.became_true != 1)}"
    pieces = [(f"true at {tally.true_slides:,} of {slides:,} slides, {times}", ""), (since, style)]
    if tally.too_large_slides:
        pieces.append((f", too large at {tally.too_large_slides:,}", "bold magenta"))
    return pieces
