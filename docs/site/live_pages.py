"""For the site alone: the explorer's pages that the home page shows, made from the examples as the site is built."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mkdocs.structure.files import File
from typer.testing import CliRunner

from latwin.cli import app

_EXAMPLES = Path(__file__).parents[2] / "examples"
#: the page's name on the site, the spec, the events
_PAGES = [
    ("split-brain", "election/spec.toml", "election/split-brain.log"),
    ("office", "office/spec.toml", "office/events.jsonl"),
]


def on_files(files: Any, *, config: Any) -> Any:
    """Adds `live/NAME.html` for each; every one is a file that needs nothing else."""
    with TemporaryDirectory() as folder:
        for name, spec, events in _PAGES:
            path = Path(folder) / f"{name}.html"
            arguments = ["explore", str(_EXAMPLES / spec), str(_EXAMPLES / events), "--out", str(path), "--no-open"]
            outcome = CliRunner().invoke(app, arguments, catch_exceptions=False)
            assert outcome.exit_code == 0, outcome.output
            files.append(File.generated(config, f"live/{name}.html", content=path.read_text(encoding="utf-8")))
    return files
