"""The committed bundle is the one its sources make."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "explorer"
BUNDLE = ROOT / "src/latwin/explorer/static"
FILES = ("explorer.css", "explorer.js")
NPM = shutil.which("npm")


def test_the_bundle_was_built_from_these_sources() -> None:
    """By the digest that `explorer/vite.config.ts` writes into it, so that it needs no Node."""
    digest = sha256()
    sources = [f"src/{path.name}" for path in SOURCES.joinpath("src").iterdir()]
    for name in sorted(["package-lock.json", "vite.config.ts", *sources]):
        digest.update(f"{name}\n".encode() + SOURCES.joinpath(name).read_bytes())
    mark = BUNDLE.joinpath("explorer.js").read_text(encoding="utf-8").partition("\n")[0]
    built = re.search(r"sources ([0-9a-f]+)", mark)
    assert built is not None
    assert built[1] == digest.hexdigest()[:16], "the bundle is stale: run `npm run build` in explorer/"


def test_the_bundle_is_small_and_names_no_host() -> None:
    total = 0
    for name in FILES:
        text = BUNDLE.joinpath(name).read_text(encoding="utf-8")
        total += len(text)
        assert re.findall(r"https?://(?!www\.w3\.org/)[\w.]+", text) == []
        assert "</script" not in text
    assert total < 200_000


def test_the_lock_file_names_no_host() -> None:
    lock = json.loads(SOURCES.joinpath("package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.skipif(NPM is None, reason="there is no npm on the PATH")
def test_building_again_makes_the_same_bundle(tmp_path: Path) -> None:
    """From the locked versions, beside the work tree; `make check` has the linter, types and unit tests."""
    work = tmp_path / "explorer"
    shutil.copytree(SOURCES, work, ignore=shutil.ignore_patterns("node_modules"))
    for arguments in (
        ["ci", "--prefer-offline", "--loglevel=error"],
        ["run", "build", "--", "--outDir", str(tmp_path / "static")],
    ):
        done = subprocess.run([str(NPM), *arguments], cwd=work, capture_output=True, text=True)
        assert done.returncode == 0, f"npm {' '.join(arguments)}:\n{done.stdout}{done.stderr}"
    for name in FILES:
        built = tmp_path.joinpath("static", name).read_text(encoding="utf-8")
        assert built == BUNDLE.joinpath(name).read_text(encoding="utf-8"), name
