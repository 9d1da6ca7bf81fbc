"""One pipeline at a time on a checkpoint: who is refused, who takes over, and who finds out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

pytest.importorskip("pyspark")

from latwin.errors import InvalidInput
from latwin.spark import lease
from latwin.spark.files import Files
from latwin.spark.lease import LOCK, Holder, LeaseFiles, hold_lease
from latwin.spark.local_files import LocalFiles
from latwin.spark.run import RunOptions, run
from latwin.spark.sources.files import Reading
from latwin.spec import Spec

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPEC = Spec.from_dict({"processes": ["a", "b"], "window": 3, "properties": {"both": "possibly(a.x and b.x)"}})


@pytest.fixture(params=["by Hadoop", "by Python"])
def files(request: pytest.FixtureRequest, spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> LeaseFiles:
    """Patience of a moment: time does not matter here, only what is renewed meanwhile."""
    monkeypatch.setattr(lease, "PATIENCE_S", 0.2)
    monkeypatch.setattr(lease, "_LOOK_S", 0.05)
    return Files(spark) if request.param == "by Hadoop" else LocalFiles()


@pytest.fixture
def held(files: LeaseFiles, tmp_path: Path) -> Iterator[lease.Lease]:
    with hold_lease(files, str(tmp_path)) as own:
        yield own


def holder(tmp_path: Path) -> Holder:
    return msgspec.json.decode((tmp_path / LOCK).read_bytes(), type=Holder)


def leave(files: LeaseFiles, tmp_path: Path, **fields: Any) -> None:
    """The lease of a pipeline that did not come to give it back."""
    files.write(f"{tmp_path}/{LOCK}", msgspec.json.encode(msgspec.structs.replace(Holder.own(), **fields)))


def test_a_second_pipeline_is_refused_and_does_no_harm(
    spark: SparkSession, held: lease.Lease, tmp_path: Path
) -> None:
    source, options = tmp_path / "in", RunOptions(reading=Reading(format="jsonl"))
    source.mkdir()
    hidden = tmp_path / "out/verdicts/batch-000000000000.parquet"
    hidden.parent.mkdir(parents=True)
    hidden.write_bytes(b"unfinished")
    with pytest.raises(InvalidInput, match=rf"is in use: a pipeline runs on \S+, process {os.getpid()}\. Stop"):
        run(spark, SPEC, input=str(source), output=str(tmp_path / "out"), checkpoint=str(tmp_path), options=options)
    assert hidden.exists()
    held.renew()
    assert not held.is_lost


def test_it_is_given_back(files: LeaseFiles, tmp_path: Path) -> None:
    with hold_lease(files, str(tmp_path)):
        assert holder(tmp_path).pid == os.getpid()
    assert not (tmp_path / LOCK).exists()
    with pytest.raises(KeyError), hold_lease(files, str(tmp_path)):
        raise KeyError
    assert not (tmp_path / LOCK).exists()


def test_that_of_an_ended_process_is_taken_over_at_once(
    files: LeaseFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "PATIENCE_S", 1e9)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    leave(files, tmp_path, id="killed", pid=ended.pid)
    with hold_lease(files, str(tmp_path)):
        assert holder(tmp_path).id != "killed"
    # Its number may be another's by now.
    leave(files, tmp_path, id="killed", started="before the machine was started")
    with hold_lease(files, str(tmp_path)):
        assert holder(tmp_path).id != "killed"


@pytest.mark.parametrize("unseen", [{"host": "elsewhere"}, {"started": None}], ids=["elsewhere", "unknown"])
def test_where_nobody_sees_the_process_its_renewals_tell(
    files: LeaseFiles, tmp_path: Path, unseen: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(files, tmp_path, id="silent", **unseen)
    with hold_lease(files, str(tmp_path)):
        assert holder(tmp_path).id != "silent"
    leave(files, tmp_path, id="alive", **unseen)
    monkeypatch.setattr(lease, "sleep", lambda _: leave(files, tmp_path, id="alive", renewed=1, **unseen))
    with pytest.raises(InvalidInput, match="is in use"), hold_lease(files, str(tmp_path)):
        pass


def test_a_torn_one_is_taken_over(files: LeaseFiles, tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text('{"id": "to')
    with hold_lease(files, str(tmp_path)):
        assert holder(tmp_path).pid == os.getpid()


def test_who_was_silent_for_too_long_finds_out(held: lease.Lease, files: LeaseFiles, tmp_path: Path) -> None:
    leave(files, tmp_path, id="another")
    held.renew()
    assert held.is_lost
    held.release()
    assert holder(tmp_path).id == "another"
