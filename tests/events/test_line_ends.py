"""One definition of a line: the same bytes are the same number of events for whoever reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from latwin import Spec, SpecError
from latwin.events.decoding import MAX_EVENT_BYTES
from line_ends import EVENT, PIECES, READERS, SEPARATORS, Found, by_definition

Reader = Callable[[bytes, Path], Found]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lines")


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@settings(max_examples=examples(200))
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=20))
@example(pieces=[PIECES[0], b"\r", PIECES[0]])
@example(pieces=[PIECES[0], "\u2028".encode(), PIECES[0], b"\n"])
def test_every_reader_finds_the_same(folder: Path, reader: Reader, pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    assert reader(data, folder) == by_definition(data)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@pytest.mark.parametrize("separator", ["\r", "\r\n", *SEPARATORS])
def test_only_a_line_feed_ends_a_line(folder: Path, reader: Reader, separator: str) -> None:
    data = f"{EVENT % 'on'}{separator}{EVENT % 'off'}\n".encode()
    assert reader(data, folder) == (Found(2, 0) if separator.endswith("\n") else Found(0, 1))


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
def test_a_line_has_as_many_bytes_as_an_event_may_have(folder: Path, reader: Reader, ending: bytes) -> None:
    """Its carriage return is one of them; one byte more is too long for everybody."""
    room = MAX_EVENT_BYTES - len(EVENT % "") - ending.count(b"\r")
    just, over = ((EVENT % ("x" * length)).encode() + ending for length in (room, room + 1))
    assert reader(just, folder) == Found(1, 0)
    assert reader(over, folder) == Found(0, 1)


@pytest.mark.parametrize("separator", ["\r", *SEPARATORS])
def test_a_spec_says_the_same_as_a_file_and_as_a_text(tmp_path: Path, separator: str) -> None:
    """In TOML no other character ends a line either; as a comment goes on to the end of its line, it shows."""
    text = f'processes = ["a"]\nwindow = 4\n# {separator}delivery = "causal"\n'
    (tmp_path / "spec.toml").write_bytes(text.encode())
    outcomes: list[object] = []
    for load, source in ((Spec.load, str(tmp_path / "spec.toml")), (Spec.loads, text)):
        try:
            outcomes.append(load(source).delivery)
        except SpecError as error:
            outcomes.append(str(error).partition(": ")[2])
    assert outcomes[0] == outcomes[1]
    assert outcomes[0] != "causal"


def test_a_spec_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_bytes(b'\xef\xbb\xbfprocesses = ["a"]\r\nwindow = 4\r\n')
    assert Spec.load(tmp_path / "spec.toml").window == (4,)
