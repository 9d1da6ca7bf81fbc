"""A checkpoint whose files were damaged ends `latwin run` with one sentence; on real checkpoints of a real Spark."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("pyspark")

from unusable import add_events, check_sentence, run_once

pytestmark = pytest.mark.usefixtures("plain")

REMEDY = "restore the checkpoint and the output from a copy of the same moment, or begin with new ones"
FILES = 3


class Places(NamedTuple):
    """The folders of a pipeline."""

    source: Path
    output: Path
    checkpoint: Path


@pytest.fixture(scope="module")
def before(spark: object, tmp_path_factory: pytest.TempPathFactory) -> Places:
    """A pipeline that has read some files, and has one more to read."""
    folder = tmp_path_factory.mktemp("before")
    places = Places(folder / "in", folder / "out", folder / "checkpoint")
    for number in range(FILES):
        add_events(places.source, number)
    ran = run_once(*places)
    assert ran.exit_code == 0, ran.stderr
    add_events(places.source, FILES)
    return places


@pytest.fixture
def places(before: Places, tmp_path: Path) -> Places:
    """A copy of it: Spark keeps the state of a checkpoint that it knows in memory."""
    copy = Places(before.source, tmp_path / "out", tmp_path / "checkpoint")
    shutil.copytree(before.output, copy.output)
    shutil.copytree(before.checkpoint, copy.checkpoint)
    return copy


def garble(path: Path) -> None:
    """Other bytes of the same number."""
    path.write_bytes(bytes(byte ^ 0x5A for byte in path.read_bytes()))


def cut(path: Path) -> None:
    """As a copy that was broken off."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def cut_without_checksum(path: Path) -> None:
    """As a copy that was broken off, made by a program that leaves Hadoop's hidden files behind."""
    cut(path)
    path.with_name(f".{path.name}.crc").unlink(missing_ok=True)


def remove(path: Path) -> None:
    path.unlink()
    path.with_name(f".{path.name}.crc").unlink(missing_ok=True)


@pytest.mark.soak
def test_the_copy_can_be_gone_on_with(places: Places) -> None:
    """Without damage; so the damage alone is what the other tests tell of."""
    ran = run_once(*places)
    assert ran.exit_code == 0, ran.stderr


@pytest.mark.soak
@pytest.mark.parametrize("damage", [garble, cut, cut_without_checksum, remove])
@pytest.mark.parametrize("name", ["1.zip", f"{FILES}.changelog", "SSTs/*.sst"])
def test_damaged_state(places: Places, name: str, damage: Callable[[Path], None]) -> None:
    paths = list((places.checkpoint / "state" / "0").glob(f"[0-9]/{name}"))
    assert paths
    for path in paths:
        damage(path)
    ran = run_once(*places)
    check_sentence(ran.exit_code, ran.stderr, "state", REMEDY)


@pytest.mark.parametrize("damage", [garble, cut, cut_without_checksum])
@pytest.mark.parametrize(
    "name",
    [
        "metadata",
        f"offsets/{FILES - 1}",
        f"commits/{FILES - 1}",
        f"sources/0/{FILES - 1}",
        "state/0/_metadata/v2/0",
        "latwin.json",
    ],
)
def test_damaged_progress(places: Places, name: str, damage: Callable[[Path], None]) -> None:
    damage(places.checkpoint / name)
    ran = run_once(*places)
    check_sentence(ran.exit_code, ran.stderr, f"checkpoint/{name}", REMEDY)


def test_a_checkpoint_that_was_moved(before: Places, places: Places) -> None:
    """Spark keeps the whole path of one file; so it must go back to where it began."""
    (schema,) = (before.checkpoint / "state" / "0" / "_stateSchema" / "default").glob("0_*")
    away = schema.rename(before.checkpoint.with_name("away"))  # all else of where it began is not looked at
    try:
        ran = run_once(*places)
    finally:
        away.replace(schema)
    check_sentence(ran.exit_code, ran.stderr, str(schema), "must go back to where it began")
