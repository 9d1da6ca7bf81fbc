"""For the site alone.

Links to files of the repository, which the site does not hold, become plain words. Examples and tables of docstrings
are shown as they are written.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
_TABLE = re.compile(r"=+( +=+)+")
_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def on_page_markdown(markdown: str, *, page: Any, files: Any, **_: Any) -> str:
    """A page's text, as the site shows it."""
    folder = posixpath.dirname(page.file.src_uri)

    def plain(match: re.Match[str]) -> str:
        aim = posixpath.normpath(posixpath.join(folder, match[2]))
        file = files.get_file_from_path(aim)
        return match[1] if file is None or file.inclusion.is_excluded() else match[0]

    parts, place = [], 0
    for fence in _FENCE.finditer(markdown):  # code stays as it is
        parts += [_LINK.sub(plain, markdown[place : fence.start()]), fence[0]]
        place = fence.end()
    return "".join([*parts, _LINK.sub(plain, markdown[place:])])


def on_config(config: Any) -> Any:
    """Docstrings show examples as doctests and small tables as text: both are code on the page."""
    config.markdown_extensions.append(_ShownAsWritten())
    return config


class _Fences(Preprocessor):
    """Puts fences around examples (`>>> ...` up to a blank line) and around tables drawn with `====  ====`."""

    def run(self, lines: list[str]) -> list[str]:
        """The lines, with fences."""
        out: list[str] = []
        is_ours = is_fenced = False
        for line in lines:
            if is_ours:
                if not line.strip():
                    out.append("```")
                    is_ours = False
            elif line.startswith("```"):
                is_fenced = not is_fenced
            elif not is_fenced and (line.startswith(">>> ") or _TABLE.fullmatch(line)):
                out += ["", "```pycon" if line.startswith(">") else "```text"]
                is_ours = True
            out.append(line)
        return [*out, "```"] if is_ours else out


class _ShownAsWritten(Extension):
    def extendMarkdown(self, md: Any) -> None:  # noqa: N802 - as Markdown calls it
        """Come before the fences are read."""
        md.preprocessors.register(_Fences(md), "shown_as_written", 60)
