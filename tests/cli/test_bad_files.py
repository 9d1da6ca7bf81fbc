"""Bad files of every kind through every command that reads one and needs no Spark.

Each outcome is a message that names the file and exit code 2, or rejects; never a traceback, a bug (70), a violated
`never` (1), or a command that does not end. `tests/spark_commands/test_bad_files.py` does the same on Spark.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import Result

from bad_files import HARMLESS, NASTY_NAME, TEXTS, make_files
from commands import SOME_EVENTS, run, write
from effort import share
from fuzzing import within
from hostile import CONTROLS
from impatience import interrupt_waits
from latwin import cli
from latwin.events.escaping import plain
from latwin.formats.endings import FORMAT_NAMES

#: the place of the file is named; 1 says for two of them that something is wrong with a log
READERS = [
    ["check", "FILE", "EVENTS"],
    ["lattice", "FILE", "EVENTS"],
    ["explain", "FILE"],
    ["explore", "FILE", "EVENTS", "--no-open", "--output", "OUT"],
    ["serve", "FILE", "EVENTS", "--no-open", "--port", "0"],
    ["convert", "EVENTS", "--format", "jsonl", "--lenient", "--spec", "FILE", "--out", "OUT"],
    *(["check", "SPEC", "FILE", "--format", kind] for kind in ("jsonl", "parquet", "shiviz")),
    ["check", "SPEC", "FILE", "--order", "arrival", "--json"],
    ["check", "SPEC", "FILE", "--lenient"],
    ["lattice", "SPEC", "FILE"],
    ["lattice", "SPEC", "FILE", "--format", "shiviz"],
    ["explore", "SPEC", "FILE", "--no-open", "--output", "OUT"],
    ["serve", "SPEC", "FILE", "--no-open", "--port", "0"],
    *(["inspect", "FILE", "--format", kind] for kind in FORMAT_NAMES),
    *(["convert", "FILE", "--format", kind, "--out", "OUT"] for kind in ("jsonl", "parquet", "govector", "tla")),
    ["convert", "FILE", "--format", "jsonl", "--lenient", "--out", "OUT.parquet"],
    *(["clocks", "FILE", "--out", "OUT", "--no-spark", *chosen] for chosen in ([], ["--format", "otlp"])),
]
TELLS_BY_1 = ("inspect", "clocks")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return make_files(tmp_path_factory.mktemp("files"))


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cli.TRACEBACK, raising=False)
    interrupt_waits(monkeypatch)


def call(arguments: list[str], file: Path, folder: Path) -> Result:
    """Run a command with the file in its place."""
    spec, events = write(folder / "two.toml", HARMLESS), write(folder / "some.jsonl", SOME_EVENTS)
    out = str(folder / "out" / f"{len(list(folder.joinpath('out').iterdir()))}")
    places = {"SPEC": spec, "EVENTS": events, "FILE": str(file), "OUT": out, "OUT.parquet": f"{out}.parquet"}
    with within():
        return run(*(places.get(word, word) for word in arguments))


@pytest.mark.usefixtures("_impatient", "plain")
@pytest.mark.parametrize("arguments", READERS, ids=" ".join)
def test_every_command_says_what_is_wrong(arguments: list[str], files: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    allowed = {0, 1, 2} if arguments[0] in TELLS_BY_1 else {0, 2}
    for name, file in share(files.items(), READERS.index(arguments)):
        result = call(arguments, file, tmp_path)
        assert result.exit_code in allowed, (name, result.exit_code, result.stderr)
        assert "Traceback" not in result.stderr, name
        assert not CONTROLS.search(result.stdout + result.stderr), (name, result.stdout, result.stderr)
        if result.exit_code == 2 or (result.exit_code and arguments[0] == "inspect"):
            assert str(file) in result.stderr, (name, result.stderr)
            assert len(result.stderr) < 100_000, name


@pytest.mark.usefixtures("_impatient", "plain")
@pytest.mark.parametrize("arguments", READERS, ids=" ".join)
def test_a_name_that_is_no_text(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    file = tmp_path / os.fsdecode(NASTY_NAME)
    for content in (TEXTS["json"], TEXTS["events"], TEXTS["spec"]):
        file.write_bytes(content)
        result = call(arguments, file, tmp_path)
        assert result.exit_code in (0, 1, 2), result.stderr
        assert not CONTROLS.search(result.stdout + result.stderr)
        if result.exit_code == 2:
            assert plain(file.name) in result.stderr


@pytest.mark.usefixtures("_impatient", "plain")
def test_an_input_folder_of_nothing_but_bad_files(files: dict[str, Path], tmp_path: Path) -> None:
    """`serve` goes on with the next file; each bad one is named, and compressed ones are read as streams.

    The first bytes of a file tell whether it is compressed: one that is only called so is read.
    """
    (tmp_path / "out").mkdir()
    result = call(["serve", "SPEC", "FILE", "--no-open", "--port", "0"], files["empty"].parent, tmp_path)
    assert result.exit_code == 0, result.stderr
    assert not CONTROLS.search(result.stdout + result.stderr)
    for name in (
        "binary",
        "long",
        "bare-cr",
        "truncated.gz",
        "damaged.gz",
        "bomb.gz",
        "folder",
        "loop",
    ):
        assert files[name].name in result.stderr, name


@pytest.mark.usefixtures("_impatient", "plain")
def test_an_output_folder_of_bad_tables(files: dict[str, Path], tmp_path: Path) -> None:
    """What pretends to be a pipeline's output is refused with the name of the file."""
    (tmp_path / "out").mkdir()
    for name, file in files.items():
        if not name.endswith(".parquet") or name == "rowless.parquet":  # which says nothing, whatever it is
            continue
        for table in ("metrics", "verdicts"):
            output = tmp_path / f"{name}-{table}"
            (output / "metrics" / "batch=0").mkdir(parents=True)
            (output / table / "batch=0").mkdir(parents=True, exist_ok=True)
            (output / table / "batch=0" / file.name).write_bytes(file.read_bytes())
            result = call(["serve", "SPEC", "FILE", "--no-open", "--port", "0"], output, tmp_path)
            assert result.exit_code == 2, (name, result.stderr)
            assert f"{table}/batch=0/{file.name}: is no table of a pipeline's output" in result.stderr


TIMES = [10**400, -(2**70), 2**63, 2**53 + 1, 2**53, 1.5, -0.0, True, None, "noon", [1, {"a": 2}], {"q": 1}]


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("ending", [".parquet", ".jsonl"])
def test_any_times_can_be_converted(tmp_path: Path, ending: str) -> None:
    """Alone and together: what a column of numbers cannot hold becomes a column of texts, and it is read again."""
    for times in [*([time] for time in TIMES), TIMES, TIMES[:6]]:
        rows = [{"process": "a", "clock": {"a": k}, "state": {"x": 2**80}, "time": t} for k, t in enumerate(times, 1)]
        log = write(tmp_path / "log.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        target = str(tmp_path / f"out{ending}")
        result = run("convert", log, "--format", "jsonl", "--out", target)
        assert result.exit_code == 0, (times, result.stderr)
        kind = "parquet" if ending == ".parquet" else "jsonl"
        checked = run("check", write(tmp_path / "spec.toml", HARMLESS), target, "--format", kind)
        assert f"{len(times)} delivered" in checked.stdout, (times, checked.stderr)
