"""`latwin jars`: the jars of Spark's Kafka connector or of Delta, fetched beforehand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from latwin.cli.spark import check_installed
from latwin.cli.terminal import make_console, print_json


def jars(
    to: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where to put them; the user's cache folder unless given."),
    ] = None,
    delta: Annotated[
        bool, typer.Option("--delta", help="Those of Delta instead, for delta-spark's version.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Fetch the jars that `latwin run` needs for Kafka or Delta, with Maven; for machines that have no network later.

    They are those of the installed pyspark's version. Copy the folder, and name it by LATWIN_JARS or --jars.
    """
    check_installed()
    from latwin.spark.delta import delta_of, fetch_delta
    from latwin.spark.packages import connector_of, fetch_jars

    fetched = fetch_delta(to) if delta else fetch_jars(to)
    asked = delta_of() if delta else connector_of()
    if as_json:
        print_json({"connector": asked, "jars": [str(jar) for jar in fetched]})
        return
    console = make_console()
    console.print(f"{asked} and what it needs:", soft_wrap=True)
    for jar in fetched:
        console.print(f"  {jar}", soft_wrap=True, highlight=False)
    if to is not None:
        console.print(f"use them: export LATWIN_JARS={to.absolute()}", soft_wrap=True)
