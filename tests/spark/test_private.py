"""Folders of the user's alone: what somebody else made, owns or can write into is not used."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import Any

import pytest

from latwin.spark import packages, private
from latwin.spark.packages import JarsMissing, find_jars
from latwin.spark.private import cache_root, is_safe, private_cache, private_folder

SOMEBODY_ELSE = os.getuid() + 1


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "latwin"


def owned_by_somebody_else(monkeypatch: pytest.MonkeyPatch, owned: Path) -> None:
    for name in ("stat", "lstat"):
        real = getattr(os, name)

        def pretend(path: Any, *arguments: Any, real: Any = real, **options: Any) -> Any:
            found = real(path, *arguments, **options)
            if Path(str(path)) != owned:
                return found
            return os.stat_result((*found[:4], SOMEBODY_ELSE, *found[5:10]))

        monkeypatch.setattr(os, name, pretend)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_is_made_and_found_again(cache: Path) -> None:
    assert cache_root() == cache
    assert private_cache("tools") == cache / "tools"
    assert (mode_of(cache), mode_of(cache / "tools")) == (0o700, 0o700)
    assert private_cache("tools") == private_folder("tools") == cache / "tools"


def test_without_the_variable_it_is_in_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert private_cache("tools") == tmp_path / ".cache" / "latwin" / "tools"


@pytest.mark.parametrize("mode", [0o701, 0o710, 0o750, 0o755, 0o770, 0o777, 0o1777])
def test_another_mode_is_refused(cache: Path, mode: int) -> None:
    (cache / "tools").mkdir(parents=True)
    (cache / "tools").chmod(mode)
    assert private_cache("tools") is None
    assert mode_of(cache / "tools") == mode


@pytest.mark.parametrize("mode", [0o770, 0o777, 0o1777, 0o702])
def test_a_root_into_which_others_write_is_refused(cache: Path, mode: int) -> None:
    assert private_cache("tools") is not None
    cache.chmod(mode)
    assert private_cache("tools") is None


@pytest.mark.parametrize("part", [".", "tools"])
def test_another_owner_is_refused(cache: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    assert private_cache("tools") is not None
    owned_by_somebody_else(monkeypatch, cache / part)
    assert private_cache("tools") is None


def test_a_link_and_a_file_are_refused(cache: Path, tmp_path: Path) -> None:
    cache.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (cache / "link").symlink_to(tmp_path / "elsewhere")
    (cache / "file").write_text("")
    assert private_cache("link") is None
    assert private_cache("file") is None
    assert private_cache("file/inside") is None


def test_what_is_refused_is_replaced_by_a_fresh_one(cache: Path, tmp_path: Path) -> None:
    (cache / "tools").mkdir(parents=True)
    (cache / "tools").chmod(0o777)
    first, second = private_folder("tools"), private_folder("tools")
    assert first != second
    for fresh in (first, second):
        assert fresh.parent == tmp_path / "temporary"
        assert mode_of(fresh) == 0o700
        assert list(fresh.iterdir()) == []


def test_a_fresh_one_goes_with_the_program_that_made_it(tmp_path: Path) -> None:
    private._remove(tmp_path, os.getpid() + 1)
    assert tmp_path.exists()
    private._remove(tmp_path, os.getpid())
    assert not tmp_path.exists()


def test_jars_that_others_can_exchange_are_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LATWIN_JARS", raising=False)
    folder = packages.cache_folder()
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    jar = folder / (packages.connector_of().split(":")[1] + f"-{folder.name}.jar")
    jar.write_text("")
    assert find_jars() == [jar]
    folder.chmod(0o777)
    with pytest.raises(JarsMissing, match="others can write into"):
        find_jars()
    assert find_jars(folder) == [jar]  # a folder that is named is trusted
    assert not is_safe(cache / "nothing")
