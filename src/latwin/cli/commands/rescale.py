"""`latwin rescale`: another number of shuffle partitions for the state of a checkpoint."""

from __future__ import annotations

from typing import Annotated

import typer

from latwin.cli.spark import SessionOptions, check_installed, spark_session
from latwin.cli.terminal import make_console, print_json


def rescale(
    checkpoint: Annotated[str, typer.Argument(metavar="CHECKPOINT", help="The folder of a pipeline's checkpoint.")],
    partitions: Annotated[
        int, typer.Option(min=1, metavar="N", help="Over how many shuffle partitions the state is spread.")
    ],
    session: SessionOptions,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Spread the state of CHECKPOINT over more or fewer shuffle partitions, so over more or fewer tasks.

    No pipeline may run on it, and its last batch must be finished. The next start goes on as if nothing had happened.
    Needs PySpark 4.2 or later.
    """
    check_installed()
    from latwin.spark.states import rescale as rescale_state

    with spark_session(session) as spark:
        before, after = rescale_state(spark, checkpoint, partitions)
    if as_json:
        print_json({"checkpoint": checkpoint, "before": before, "partitions": after})
    else:
        was = "as before" if before == after else f"{before} before"
        make_console().print(f"the state of {checkpoint} is spread over {after} partitions, {was}", soft_wrap=True)
