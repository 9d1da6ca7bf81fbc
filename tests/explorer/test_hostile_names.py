"""The explorer's page with names and values of strangers: no element of it is theirs."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from html.parser import HTMLParser
from typing import Any

import pytest

from envelopes import envelopes
from hostile import NAMES, events_of, spec_of
from latwin import Spec
from latwin.events.escaping import plain
from latwin.explorer.columns import encode
from latwin.explorer.feed import EventFeed
from latwin.explorer.groups import Groups
from latwin.explorer.page import header_of, render_page


class Elements(HTMLParser):
    """All elements with their attributes, and the texts of scripts."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.comments = 0
        self.texts: dict[int, str] = {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attributes)))

    def handle_comment(self, data: str) -> None:
        self.comments += 1

    def handle_data(self, data: str) -> None:
        at = len(self.tags) - 1
        self.texts[at] = self.texts.get(at, "") + data

    def text_of(self, tag: str, number: int = 0) -> str:
        return self.texts[[at for at, (name, _) in enumerate(self.tags) if name == tag][number]]


def page_of(name: str) -> str:
    spec = Spec.from_dict(spec_of(name))
    groups = Groups(spec)
    for envelope in envelopes(events_of(name)):
        groups.observe(envelope)
    header = header_of(spec, source=plain(name), groups=groups.names, notes=[*groups.notes(), name])
    return render_page(header, groups.chunks())


@pytest.mark.parametrize("kind", NAMES)
def test_no_element_is_made_of_data(kind: str) -> None:
    name = NAMES[kind]
    found, expected = Elements(page_of(name)), Elements(page_of("harmless"))
    assert found.tags == expected.tags
    assert found.comments == expected.comments
    assert found.text_of("title").rstrip("\n") == f"{plain(name)} · latwin"
    header: dict[str, Any] = json.loads(found.text_of("script"))
    assert header["groups"] == [name]
    assert header["spec"]["processes"][0] == name
    assert header["notes"][-1] == name
    chunk = json.loads(zlib.decompress(b64decode(found.text_of("script", 1))))
    assert chunk["states"][0]["variables"] == [{name: name}, {name: name, "x": name}]


@pytest.mark.parametrize("kind", NAMES)
def test_a_stream_of_slides_cannot_be_broken(kind: str) -> None:
    """A line of an event stream ends at a line feed or a carriage return, so the data must have none."""
    name = NAMES[kind]
    feed = EventFeed(Spec.from_dict(spec_of(name)), envelopes(events_of(name)))
    feed.run()
    for data in (encode(feed.read(name, None).chunk), encode(feed.names("")), encode([name])):
        assert not {*b"\r\n\0"} & {*data}
        json.loads(data)
