"""For the site alone: links to files of the repository, which the site does not hold, become plain words."""

from __future__ import annotations

import posixpath
import re
from typing import Any

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def on_page_markdown(markdown: str, *, page: Any, files: Any, **_: Any) -> str:
    """A page's text, as the site shows it."""
    folder = posixpath.dirname(page.file.src_uri)

    def plain(match: re.Match[str]) -> str:
        aim = posixpath.normpath(posixpath.join(folder, match[2]))
        return match[0] if files.get_file_from_path(aim) is not None else match[1]

    parts, place = [], 0
    for fence in _FENCE.finditer(markdown):  # code stays as it is
        parts += [_LINK.sub(plain, markdown[place : fence.start()]), fence[0]]
        place = fence.end()
    return "".join([*parts, _LINK.sub(plain, markdown[place:])])
