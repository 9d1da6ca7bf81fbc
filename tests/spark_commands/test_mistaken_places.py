"""Places that cannot be used, for real: no permission, a full disk, a damaged checkpoint, one of a newer Spark.

Each is met with one sentence that says which file or folder it is, or what to do.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

import mistaken_places

#: by the name of the trial: what must be said
SAID = {
    **dict.fromkeys(
        [
            *("new output", "new checkpoint", "input folder", "input file", "old output", "old manifest"),
            *("old checkpoint", "old offsets", "old state", "old commit"),
        ],
        "ermission",
    ),
    **dict.fromkeys(["full output", "full checkpoint"], "disk is full|No space left on device"),
    **dict.fromkeys(
        [
            *("damaged offsets", "damaged commits", "damaged metadata", "damaged changes", "lost changes"),
            *("damaged schema", "damaged operator"),
        ],
        "damaged",
    ),
    **dict.fromkeys(["newer offsets", "newer commits", "newer operator"], "another version of Spark"),
}


@pytest.mark.soak
@pytest.mark.spark
def test_each_is_met_with_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, mistaken_places.__file__, str(tmp_path)]
    if os.geteuid() == 0:  # root is above permissions, unless it gives that up
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
    with small_disk(tmp_path / "small") as is_there:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-5000:]
    found = json.loads((tmp_path / "found.json").read_text())
    expected = {name for name in SAID if is_there or not name.startswith("full")}
    assert found.keys() == expected
    for name, (_, said) in found.items():
        print(f"{name}: {said}")
    for name, (_, said) in found.items():
        assert any(words in said for words in SAID[name].split("|")), (name, said)
        assert "\n" not in said, (name, said)


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A disk with room for some files there, where this user may mount one; `test_full_disk.py` needs none."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    is_there = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    if not is_there:
        folder.rmdir()
    try:
        yield is_there
    finally:
        if is_there:
            subprocess.run(["umount", str(folder)], check=True)
