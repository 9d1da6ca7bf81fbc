"""Options of commands that derive clocks while steps and spans come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from latwin.cli.option_groups import OptionGroup

if TYPE_CHECKING:
    from latwin.clocks import StepSource
    from latwin.clocks.traces import TraceFormat
    from latwin.clocks.waits import Waits


@dataclass(frozen=True)
class ClockOptions(OptionGroup):
    """What the steps and spans of a stream are, and how long they are waited for."""

    group_by: Annotated[
        str, typer.Option(metavar="WHAT", help="For traces: group by `trace`, `all` or a resource attribute.")
    ] = "trace"
    naming: Annotated[
        Literal["service", "instance"],
        typer.Option("--process", help="For traces: name processes after the service or the instance."),
    ] = "service"
    responses: Annotated[
        Literal["rpc", "nested", "none"],
        typer.Option(help="For traces: which span ends count as responses to their parents."),
    ] = "rpc"
    max_wait: Annotated[
        str,
        typer.Option(
            metavar="DURATION",
            help="With --clocks: how long to wait for a missing cause; for spans, longer than the longest one.",
        ),
    ] = "30s"
    keep: Annotated[
        str, typer.Option(metavar="DURATION", help="With --clocks: how long finished traces are remembered.")
    ] = "10min"
    first_order: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="With --clocks: steps are counted from N on without gaps, and wait for no others."
        ),
    ] = None

    def source(self, kind: str, names: Mapping[str, str] | None = None) -> StepSource:
        """What reads steps, or the spans of a format."""
        from latwin.clocks import JsonSteps, TraceSpans
        from latwin.clocks.live import check_source
        from latwin.clocks.steps import FIELDS

        if kind in ("steps", "jsonl"):
            return JsonSteps({ours: theirs for ours, theirs in (names or {}).items() if ours in FIELDS})
        spans = TraceSpans(self.group_by, self.naming, self.responses, cast("TraceFormat", kind))
        check_source(spans)
        return spans

    def waits(self) -> Waits:
        """How long to wait."""
        from latwin.clocks.waits import Waits

        return Waits.of_texts(self.max_wait, self.keep, self.first_order)
