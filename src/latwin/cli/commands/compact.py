"""`latwin compact`: few large files instead of many small ones in the output of a pipeline."""

from __future__ import annotations

from time import sleep, time
from typing import Annotated

import typer

from latwin.cli.spark import JsonOption, SessionOptions, spark_session
from latwin.cli.terminal import make_console, print_json
from latwin.errors import InvalidInput


def compact(
    output: Annotated[str, typer.Argument(metavar="OUTPUT", help="The output folder of `latwin run`.")],
    keep: Annotated[
        str | None,
        typer.Option(metavar="DURATION", help="Remove results that were written longer ago than this, such as 30d."),
    ] = None,
    grace: Annotated[
        str,
        typer.Option(metavar="DURATION", help="So long readers that have begun may still read the files of before."),
    ] = "60s",
    only_count: Annotated[bool, typer.Option("--count", help="Change nothing; tell how much there is.")] = False,
    *,
    spark: SessionOptions,
    as_json: JsonOption = False,
) -> None:
    """Merge the small files of an output folder into few large ones, also while the pipeline runs.

    Readers that go by the output's records (`latwin serve`, `latwin.spark.read_output`) see every row once all the
    time; a plain reader of Parquet may see rows twice until the files of before are removed.
    """
    keep_s = None if keep is None else _read("--keep", keep)
    grace_s = _read("--grace", grace)
    with spark_session(spark) as session:
        from latwin.outputs.compaction import compact as merge
        from latwin.outputs.manifest import HOME, Manifest
        from latwin.spark.files import Files, store_of
        from latwin.spark.lease import hold_lease

        files = Files(session)
        home = f"{output.rstrip('/')}/{HOME}"
        if not files.exists(home):
            raise InvalidInput(f"{output} is no output of latwin, or has no results yet: it has no folder {HOME!r}")
        store = store_of(files, output)
        told: dict[str, object] = {}
        if not only_count:
            with hold_lease(files, home, busy=f"another compaction of {output}"):
                told = vars(merge(store, now_s=time(), keep_s=keep_s, pause=lambda: sleep(grace_s)))
        manifest = Manifest(store)
        told = {**told, "files": len(manifest.files), "batches": manifest.last + 1, "rows": manifest.rows()}
    if as_json:
        print_json(told)
        return
    console = make_console()
    if not only_count:
        console.print(
            f"merged: {told['before']:,} files are {told['after']:,} now, {told['expired']:,} rows were old"
        )
    rows = ", ".join(f"{count:,} {table}" for table, count in manifest.rows().items())
    console.print(f"{rows}; {told['files']:,} files, {told['batches']:,} batches", soft_wrap=True)


def _read(option: str, text: str) -> float:
    from latwin.events.times import read_duration

    seconds = read_duration(text)
    if seconds is None:
        raise InvalidInput(
            f"{option} must be a duration with its unit (s, min, h, d), such as 30d or 60s; got {text!r}"
        )
    return seconds
