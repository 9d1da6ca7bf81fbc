"""`latwin compact`: few large files instead of many small ones in the output of a pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep, time
from typing import TYPE_CHECKING, Annotated

import typer

from latwin.cli.spark import JsonOption, SessionOptions, check_installed, spark_session
from latwin.cli.terminal import make_console, print_json
from latwin.errors import InvalidInput

if TYPE_CHECKING:
    from latwin.outputs.store import Store
    from latwin.spark.lease import LeaseFiles


def compact(
    output: Annotated[str, typer.Argument(metavar="OUTPUT", help="The output folder of `latwin run`.")],
    keep: Annotated[
        str | None,
        typer.Option(metavar="DURATION", help="Remove results that were written longer ago than this, such as 30d."),
    ] = None,
    grace: Annotated[
        str,
        typer.Option(metavar="DURATION", help="How long replaced files stay, for readers that have begun."),
    ] = "60s",
    only_count: Annotated[bool, typer.Option("--count", help="Change nothing; tell how much there is.")] = False,
    *,
    spark: SessionOptions,
    as_json: JsonOption = False,
) -> None:
    """Merge the small files of an output folder into few large ones, also while the pipeline runs.

    Readers that go by the output's records (`latwin serve`, `latwin.spark.read_output`) see every row once all the
    time; a plain reader of Parquet may see rows twice until the replaced files are removed. Spark is only started
    if the output is not on this machine.
    """
    keep_s = None if keep is None else _read("--keep", keep)
    grace_s = _read("--grace", grace)

    def wait_for_readers() -> None:
        console = make_console(stderr=True)
        console.print(f"merged; the replaced files are removed in {grace} (--grace)", soft_wrap=True, highlight=False)
        sleep(grace_s)

    with _opened(output, spark) as (files, home, store):
        from latwin.outputs.compaction import compact as merge
        from latwin.outputs.manifest import Manifest
        from latwin.spark.lease import hold_lease

        told: dict[str, object] = {}
        if not only_count:
            with hold_lease(files, home, busy=f"another compaction of {output}"):
                pause = wait_for_readers if grace_s > 0 else lambda: None
                told = vars(merge(store, now_s=time(), keep_s=keep_s, pause=pause))
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
    merged = f"{told['files']:,} {'file' if told['files'] == 1 else 'files'}"
    batches = f"{told['batches']:,} {'batch' if told['batches'] == 1 else 'batches'}"
    console.print(f"{rows}; {merged}, {batches}", soft_wrap=True)


@contextmanager
def _opened(output: str, options: SessionOptions) -> Iterator[tuple[LeaseFiles, str, Store]]:
    """Files, the folder of the output's records, and its store; by Python alone if it is on this machine."""
    check_installed()
    from latwin.outputs.manifest import HOME
    from latwin.outputs.store import LocalStore
    from latwin.spark.local_files import LocalFiles, local_folder

    here = local_folder(output)
    nothing = InvalidInput(f"{output} is no output of latwin, or has no results yet: it has no folder {HOME!r}")
    if here.is_dir():
        if not (here / HOME).is_dir():
            raise nothing
        yield LocalFiles(), str(here / HOME), LocalStore(here)
        return
    with spark_session(options) as session:
        from latwin.spark.files import Files, store_of

        files = Files(session)
        home = f"{output.rstrip('/')}/{HOME}"
        if not files.exists(home):
            raise nothing
        yield files, home, store_of(files, output)


def _read(option: str, text: str) -> float:
    from latwin.events.times import read_duration

    seconds = read_duration(text)
    if seconds is None:
        raise InvalidInput(
            f"{option} must be a duration with its unit (s, min, h, d), such as 30d or 60s; got {text!r}"
        )
    return seconds
