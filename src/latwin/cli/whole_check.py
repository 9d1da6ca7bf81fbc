"""`latwin check --whole`: one verdict for each property over the complete log."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from latwin.cli.doubts import print_warnings
from latwin.cli.inputs import Line
from latwin.cli.report import VALUES, JsonReport, Pieces, TextReport, print_pieces, say_fates, say_observation
from latwin.cli.sightings import Readings, Sighting, cut_of, observation_of, sight
from latwin.cli.summary import Tally
from latwin.cli.terminal import Patience, make_console, print_json
from latwin.detect.unseen import Unseen
from latwin.drawing.text import show_cut
from latwin.model import Notice, Verdicts
from latwin.properties import Modal
from latwin.properties.linear import Linear
from latwin.properties.sequences import Matching
from latwin.spec import Spec
from latwin.whole import WholeLog, WholeVerdict, most_traced

if TYPE_CHECKING:
    from latwin.cli.report import Report
    from latwin.order_choice import Order

#: so many lines are looked at together
_TOGETHER = 1024


class _Group(NamedTuple):
    """One system, and the last line that was read of it."""

    log: WholeLog
    tally: Tally
    lines: list[int]


class _Answer(NamedTuple):
    """A verdict, and the states of its cut."""

    verdict: WholeVerdict
    seen: Sighting | None


class WholeCheck:
    """Gives every line to the log of its group, and at the end reports each property's value."""

    def __init__(self, spec: Spec, *, as_json: bool) -> None:
        self._spec = spec
        self._as_json = as_json
        self._groups: dict[str, _Group] = {}
        self.interrupted = self.violated = self.unanswered = False
        self.lines = self.unreadable = 0

    @property
    def rejected(self) -> int:
        """Events that were refused, and lines that were none."""
        return sum(group.tally.rejected for group in self._groups.values())

    def run(self, name: str, lines: Iterable[Line], *, size: int | None, order: Order | None = None) -> None:
        """Read all lines, then answer; `size` is their bytes, None or 0 where that is not known."""
        del order  # it does not matter
        report: Report = JsonReport() if self._as_json else TextReport(name, self._spec, marks_changes=False)
        try:
            with Patience("reading", size, hidden=not size) as patience:
                remaining = iter(lines)
                while some := list(islice(remaining, _TOGETHER)):
                    self._take(some, report)
                    patience.reach(some[-1].position)
        except KeyboardInterrupt:  # a part of the log is no whole
            self.interrupted = True
            return
        if not self._groups:
            self._group("")
        with Patience("answering", len(self._groups), calls_per_update=1) as patience:
            answers = {}
            for done, (of_group, (log, tally, last)) in enumerate(self._groups.items()):
                self._note(log.close(), last[-1:], of_group, report)
                tally.finish(log.counters)
                answers[of_group] = self._answers(log)
                patience.reach(done + 1)
        warnings = self._warnings()
        for group in self._groups.values():
            group.tally.warnings = warnings
        self._tell(answers)
        if not self._as_json:
            print_warnings(warnings)

    def _warnings(self) -> list[str]:
        """What no group has seen."""
        unseen = Unseen()
        for group in self._groups.values():
            unseen.add(group.log.unseen())
        return unseen.warnings(self._spec.expectations)

    def _take(self, lines: list[Line], report: Report) -> None:
        """Give some lines to the logs of their groups; what did not become a state is reported group by group."""
        taken: dict[str, list[Line]] = {}
        for line in lines:
            envelope = line.envelope
            group = envelope.group or ""
            self._group(group).tally.count(readable=envelope.problem is None)
            if envelope.problem is None:
                taken.setdefault(group, []).append(line)
            else:
                self.unreadable += 1
                rejected = Notice(kind="rejected", reason=envelope.problem, event=envelope.event)
                report.notice(rejected, envelope.line or 0, group)
        self.lines += len(lines)
        for group, own in taken.items():
            numbers = [line.envelope.line or 0 for line in own]
            out = self._group(group).log.observe_many(line.envelope.event for line in own)
            self._note(out, numbers, group, report)
            self._group(group).lines[:] = numbers[-1:]

    def _note(self, out: Verdicts, lines: list[int], group: str, report: Report) -> None:
        for position, notice in zip(out.notice_positions, out.notices, strict=True):
            report.notice(notice, lines[position] if position < len(lines) else 0, group)

    def _answers(self, log: WholeLog) -> list[_Answer]:
        """Every property's verdict, with the states of its witness or example."""
        found = []
        for verdict in log.verdicts():
            cut = cut_of(verdict.witness) or verdict.example
            seen = None if cut is None else sight(self._spec, verdict.property, cut, log)
            found.append(_Answer(verdict, seen))
            if verdict.property in self._spec.never:
                self.violated |= verdict.value is True
                self.unanswered |= verdict.value is None
        return found

    def _tell(self, answers: dict[str, list[_Answer]]) -> None:
        """All groups; for people, those with something that never should be first."""
        if self._as_json:
            for group, own in answers.items():
                _print_documents(group, own, self._groups[group].tally, frozenset(self._spec.never))
        else:
            page = _Page(self._spec)
            for group, own in sorted(answers.items(), key=lambda item: not page.violations(item[1])):
                page.show(group, own, self._groups[group].tally)
        sys.stdout.flush()

    def _group(self, name: str) -> _Group:
        """The group of that name, begun if it is new."""
        if name not in self._groups:
            self._groups[name] = _Group(WholeLog(self._spec), Tally(self._spec), [0])
        return self._groups[name]


def _print_documents(group: str, answers: list[_Answer], tally: Tally, never: frozenset[str]) -> None:
    """A line `{"whole": ...}` for each property, and one `{"summary": ...}`."""
    label = {"group": group} if group else {}
    documents = {answer.verdict.property: _document(answer) for answer in answers}
    for document in documents.values():
        print_json({**label, "whole": document})
    forbidden = {name: document for name, document in documents.items() if name in never}
    summary = {
        "events": tally.events,
        **msgspec.structs.asdict(tally.counters),
        "rejected": tally.rejected,
        "properties": {name: document["value"] for name, document in documents.items()},
        "violations": [document for document in forbidden.values() if document["value"]],
        "unanswered": [name for name, document in forbidden.items() if document["value"] is None],
    }
    print_json({**label, "summary": summary})


def _document(answer: _Answer) -> dict[str, Any]:
    seen = {} if answer.seen is None else answer.seen.as_dict()["states"]
    return {**msgspec.structs.asdict(answer.verdict), "states": seen}


class _Page:
    """Groups as people read them."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._readings = Readings(spec)
        self._console = make_console()
        self._width = max(map(len, spec.properties), default=0)
        self._shown = 0

    def violations(self, answers: list[_Answer]) -> list[_Answer]:
        """What is true and never should be."""
        return [answer for answer in answers if answer.verdict.value and answer.verdict.property in self._spec.never]

    def show(self, group: str, answers: list[_Answer], tally: Tally) -> None:
        """A group: what never should be, its events by fate, its properties by value."""
        if self._shown:
            self._print([])
        self._shown += 1
        if group:
            self._print([("group ", ""), (group, "bold cyan")])
        for answer in self.violations(answers):
            witness = self._witness(answer)
            self._print([("never", "bold red"), (f": {answer.verdict.property!r} is true", "red")])
            if witness:
                self._print([(f"  {witness}", "red")])
        self._print(say_fates(tally))
        for answer in answers:
            self._print(self._line(answer))
        if not answers:
            self._print([("  the spec has no properties, so there was nothing to check", "yellow")])
        for answer in answers:
            if answer.verdict.value is None and answer.verdict.property in self._spec.never:
                unknown = f": whether {answer.verdict.property!r} is true was not answered: the lattice is too large"
                self._print([("never", "bold magenta"), (unknown, "")])

    def _line(self, answer: _Answer) -> Pieces:
        verdict = answer.verdict
        value, style = VALUES[verdict.value]
        if verdict.value and verdict.property in self._spec.never:
            style = "bold red"
        pieces = [(f"  {verdict.property:<{self._width}}  ", "bold"), (f"{value:<9}", style)]
        if verdict.value is None:
            budget = (
                f"  more than max_cuts = {self._spec.max_cuts:,} cuts; raise it, or check windows (without --whole)"
            )
            return [*pieces, (budget, "")]
        if verdict.least is not None and verdict.greatest is not None:
            pieces.append((f"  {show_cut(verdict.least)}..{show_cut(verdict.greatest)}", "dim"))
        if verdict.cuts is not None:
            pieces.append((f"  {verdict.cuts:,} cut{'s' * (verdict.cuts != 1)}", "dim"))
        witness = self._witness(answer)
        return [*pieces, (f"  {witness}" if witness else "", "")]

    def _witness(self, answer: _Answer) -> str:
        verdict, seen = answer.verdict, answer.seen
        observation = observation_of(verdict.witness)
        if observation:
            return say_observation(verdict.value, observation, self._spec.processes)
        if seen is not None:
            how = "at" if verdict.witness is not None else "for example at"
            return f"{how} {self._readings.show(verdict.property, seen)}"
        tree = self._spec.trees[verdict.property]
        most = most_traced(tree)
        is_definitely = isinstance(tree, (Modal, Matching, Linear)) and tree.kind == "definitely"
        if is_definitely and verdict.value is False and (verdict.cuts or 0) > most:
            return f"the lattice is too large to search it for an observation (over {most:,} cuts)"
        return ""

    def _print(self, pieces: Pieces) -> None:
        print_pieces(self._console, pieces)
