"""The page: recordings and the bundle as one HTML file that needs nothing else, or as a page served live."""

from __future__ import annotations

import html
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from latwin import __version__
from latwin.events.escaping import plain
from latwin.explorer.columns import encode, pack
from latwin.explorer.format import Chunk, Header, SpecOutline
from latwin.explorer.legend import describe_spec
from latwin.explorer.recording import MOST_DRAWN, MOST_SLIDES
from latwin.spec import Spec

_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Cpath d='M8 2 13 8 8 14 3 8z' fill='none' stroke='%230072B2' stroke-width='2'/%3E%3C/svg%3E"
)

_OPEN = "Processes join and leave here: the page shows verdicts and counters, but no states."


def header_of(
    spec: Spec,
    *,
    source: str,
    title: str = "",
    groups: Sequence[str] = (),
    notes: Sequence[str] = (),
    live: bool = False,
    system: bool = False,
) -> Header:
    """What the page must know before any slide: the spec, the groups there are, and what to tell the reader.

    `title` is what the spec is called; without one, the source stands for it. With `system` the page begins with a
    view of all groups.
    """
    return {
        "version": __version__,
        "title": title or source,
        "source": source,
        "live": live,
        "system": system,
        "groups": list(groups),
        "notes": [*notes, *([_OPEN] if spec.open is not None else [])],
        "drawn": MOST_DRAWN,
        #: a live page keeps no more slides than its server
        "slides": MOST_SLIDES if live else None,
        # checked: the page relies on all of it
        "spec": msgspec.convert(describe_spec(spec), SpecOutline),
    }


def title_of(path: str) -> str:
    """What the spec in a file is called: by the file, or by its folder if the file is just called `spec`.

    >>> title_of("examples/office/spec.toml"), title_of("checkout.toml")
    ('office', 'checkout')
    """
    file = Path(path)
    is_telling = file.stem.casefold() != "spec"
    return plain(file.stem if is_telling else file.absolute().parent.name or file.stem)


def render_page(header: Header, chunks: Sequence[Chunk | None] = ()) -> str:
    """The whole page, with one chunk for each of the header's groups (none of them if the page is live).

    Its content-security policy allows the bundle, by its hash, and nothing else; a live page may also ask
    the server it came from.
    """
    script, style = _bundle("explorer.js"), _bundle("explorer.css")
    data = "\n".join(
        f'<script type="text/plain" class="chunk">{"" if chunk is None else pack(chunk)}</script>' for chunk in chunks
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{content_security_policy(live=header["live"])}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{html.escape(header["title"])} · latwin</title>
<link rel="icon" href="{_ICON}">
<style>{style}</style>
</head>
<body>
<main id="app"></main>
<noscript>This page draws with JavaScript, which is switched off.</noscript>
<script type="application/json" id="header">{_as_text(header)}</script>
{data}
<script type="module">{script}</script>
</body>
</html>
"""


def content_security_policy(*, live: bool) -> str:
    """What the page may load: its own script and style, and if live from the server it came from."""
    rules = {
        "default-src": "'none'",
        "script-src": _hash(_bundle("explorer.js")),
        "style-src": _hash(_bundle("explorer.css")),
        "img-src": "data:",
        "connect-src": "'self'" if live else "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _bundle(name: str) -> str:
    """A built file, as it stands between tags."""
    return "\n" + files("latwin.explorer").joinpath("static", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _as_text(document: Any) -> str:
    """JSON that cannot end the element it stands in."""
    return encode(document).decode().replace("<", "\\u003c")
