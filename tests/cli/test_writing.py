"""Files that commands write appear whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from latwin.cli.writing import writing_whole


@pytest.mark.parametrize("before", [None, b"of before"])
def test_an_error_leaves_what_was_there(before: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(TypeError), writing_whole(path) as file:
        file.writelines([b"half", "no bytes"])  # type: ignore[list-item]
    assert [one.read_bytes() for one in tmp_path.iterdir()] == ([] if before is None else [before])
    with writing_whole(path) as file:
        file.write(b"all")
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"all"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with writing_whole(tmp_path / "link") as file:
        file.write(b"all")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"all"


def test_what_is_no_plain_file_is_written_to() -> None:
    with writing_whole(Path("/dev/null")) as file:
        file.write(b"all")
    assert not Path("/dev/null").is_file()


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), writing_whole(tmp_path / "none" / "file"):
        pass
