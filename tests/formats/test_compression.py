"""Compressed files: told by their first bytes, read piece by piece, given up in time."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from latwin import InvalidInput
from latwin.cli import app
from latwin.formats import compression
from latwin.formats.compression import PlainStream


def zstd(content: bytes) -> bytes:
    return bytes(pa.compress(content, codec="zstd", asbytes=True))


PACKED: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "zstd": zstd}


@given(st.binary(max_size=2000), st.sampled_from([None, *PACKED]), st.integers(1, 3000))
def test_what_was_packed_comes_out(content: bytes, name: str | None, most: int) -> None:
    packed = PACKED[name](content) if name is not None else content
    if name is None and compression.compression_of(content) is not None:
        return
    stream = PlainStream(io.BytesIO(packed))
    assert stream.compression == name
    assert stream.beginning(most) == content[:most]
    assert stream.open().read() == content
    again = PlainStream(io.BytesIO(packed))
    assert again.beginning(most, lambda _: True) == content[: len(again.beginning(most, lambda _: True))]
    assert again.read_whole() == content


@pytest.mark.parametrize("name", PACKED)
def test_files_that_were_put_together(name: str) -> None:
    pack = PACKED[name]
    assert PlainStream(io.BytesIO(pack(b"one\n") + pack(b"two\n"))).read_whole() == b"one\ntwo\n"


@pytest.mark.parametrize("name", PACKED)
def test_damaged_data_are_told(name: str) -> None:
    whole = PACKED[name](b"".join(b"line %d\n" % k for k in range(20_000)))
    for damaged in (whole[: len(whole) // 2], whole[:-1], whole[:12], whole[:4] + b"\xff" * 30):
        with pytest.raises(InvalidInput, match=f"its {name} data are damaged or cut off"):
            PlainStream(io.BytesIO(damaged)).read_whole()


@pytest.mark.parametrize("name", PACKED)
def test_a_small_file_cannot_fill_the_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "MAX_WHOLE_BYTES", 1_000_000)
    packed = PACKED[name](bytes(50_000_000))
    assert len(packed) < 100_000
    stream = PlainStream(io.BytesIO(packed))
    with pytest.raises(InvalidInput, match="expand to more than 1,000,000 bytes; decompress it first"):
        stream.read_whole()
    assert len(PlainStream(io.BytesIO(packed)).open().read(3_000_000)) == 3_000_000


def test_without_pyarrow_zstd_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    if sys.version_info >= (3, 14):
        assert PlainStream(io.BytesIO(zstd(b"x"))).read_whole() == b"x"
    else:
        with pytest.raises(InvalidInput, match=r"zstd needs Python 3\.14, or pyarrow"):
            PlainStream(io.BytesIO(zstd(b"x")))


@pytest.mark.slow
def test_a_log_that_is_cut_off_is_named(tmp_path: Path) -> None:
    """Also one of JSON lines, which is read as a stream."""
    spec, log = tmp_path / "spec.toml", tmp_path / "cut.log"
    spec.write_text('processes = ["a"]\nwindow = 2\n')
    lines = b"".join(b'{"process":"a","clock":{"a":%d},"state":{}}\n' % k for k in range(1, 30_000))
    log.write_bytes(gzip.compress(lines)[:-100])
    for options in ([], ["--lenient"]):
        result = CliRunner().invoke(app, ["check", str(spec), str(log), *options])
        assert (result.exit_code, f"{log}: its gzip data are damaged or cut off" in result.stderr) == (2, True)


def test_a_pipe_is_answered_line_by_line(tmp_path: Path) -> None:
    """The format is told by the first line, without waiting for more."""
    spec = tmp_path / "spec.toml"
    spec.write_text('processes = ["a"]\nwindow = 2\n[properties]\nx = "possibly(a.x)"\n')
    command = [sys.executable, "-m", "latwin.cli", "check", str(spec), "-", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        event = {"process": "a", "clock": {"a": 1}, "state": {"x": True}}
        process.stdin.write(json.dumps(event).encode() + b"\n")
        process.stdin.flush()
        found: list[bytes] = []
        reader = Thread(target=lambda: found.append(process.stdout.readline()))  # type: ignore[union-attr]
        reader.start()
        reader.join(timeout=120)
        assert json.loads(found[0])["verdict"]["value"] is True
        process.stdin.close()
