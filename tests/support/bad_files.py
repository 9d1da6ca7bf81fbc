"""Files that no command should be given, of every kind, each within a name that tells which.

`TEXTS` are lines that a command may read as far as they go. `make_files` adds what is no text, or no file.
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from commands import SOME_EVENTS, TWO

#: a spec of which nothing is a violation
HARMLESS = TWO.replace('never = ["both"]\n', "")
GOOD = b'{"process":"a","clock":{"a":1},"state":{"x":true}}'
#: what a small compressed file inflates to
BOMB_BYTES = 64 << 20
TEXTS: dict[str, bytes] = {
    "empty": b"",
    "blank": b"\n \r\n\t\n",
    "binary": bytes(range(256)) * 20,
    "not-utf8": b'{"process":"\xff\xfe","clock":{"a":1},"state":{}}\n\xc3\x28\n',
    "utf16": GOOD.decode().encode("utf-16"),
    "mark": b"\xef\xbb\xbf" + GOOD + b"\n",
    "nul": b"\0" * 1000 + b"\n" + GOOD + b"\0\n",
    "long": b'{"process":"' + b"a" * (10 << 20) + b'"}\n',
    "long-without-end": b"x" * (10 << 20),
    "deep": b"[" * 100_000 + b"\n" + b'{"a":' * 100_000 + b"\n",
    "bare-cr": GOOD + b"\r" + GOOD + b"\n",
    "crlf": GOOD + b"\r\n" + GOOD + b"\r\n",
    "next-line": GOOD + "\x85".encode() + GOOD + b"\n",
    "line-separator": GOOD + "\u2028".encode() + GOOD + b"\n",
    "paragraph-separator": GOOD + "\u2029".encode() + GOOD + b"\n",
    "json": b'{"process": 1, "clock": {"a": 1e308, "b": [[]]}, "state": [[]], "group": {}}\n[1]\nnull\n"x"\n',
    "digits": b"a:(" + b"1" * 9000 + b") x\n" + b'{"process":"a","clock":{"a":' + b"1" * 9000 + b"}}\n",
    "regex": b'(?<host>\\S+) (?<clock>{.*}) (?<event>.*)\na {"a": 1} x\n',
    "surrogate": b'{"process":"\\ud800","clock":{"a":1},"state":{"\\udfff":1}}\n',
    "truncated": GOOD + b"\n" + GOOD[:30],
    "spec": HARMLESS.encode(),
    "events": SOME_EVENTS.encode(),
    "escapes": b'{"process":"\\u001b[31m\\u202e\\u009b","clock":{"\\u001b]0;x\\u0007":1},"state":{}}\n\x1b[2J\n',
}
#: of a text whose name must not reach a terminal as it is; a file's name is bytes
NASTY_NAME = b"\xff\x1b[31m\xe2\x80\xaename.jsonl"


def make_texts(folder: Path) -> dict[str, Path]:
    """The texts as files of JSON lines."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in TEXTS.items():
        (folder / f"{name}.jsonl").write_bytes(content)
    return {name: folder / f"{name}.jsonl" for name in TEXTS}


def make_compressed(folder: Path) -> dict[str, Path]:
    """Compressed files that are none, or are much more than they seem to be."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = gzip.compress(GOOD + b"\n" + SOME_EVENTS.encode())
    contents = {
        "truncated": whole[: len(whole) // 2],
        "damaged": whole[:15] + b"\xff" * 10 + whole[25:],
        "no-gzip": GOOD + b"\n",
        "nothing": b"",
        "bomb": _bomb(),
    }
    for name, content in contents.items():
        (folder / f"{name}.jsonl.gz").write_bytes(content)
    return {f"{name}.gz": folder / f"{name}.jsonl.gz" for name in contents}


def _bomb() -> bytes:
    """One line that has no end."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    pieces = [compressor.compress(b"x" * (1 << 20)) for _ in range(BOMB_BYTES >> 20)]
    return b"".join([*pieces, compressor.flush()])


def make_tables(folder: Path) -> dict[str, Path]:
    """Parquet files that are none, are empty, or hold something else."""
    import pyarrow as pa
    from pyarrow import parquet

    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / f"{name}.parquet" for name in ("cut", "hollow", "rowless", "foreign", "nothing", "odd")}
    parquet.write_table(pa.table({"speed": [1.5], "place": [["x"]]}), paths["foreign"])
    whole = paths["foreign"].read_bytes()
    paths["cut"].write_bytes(whole[: len(whole) // 2])
    paths["hollow"].write_bytes(b"PAR1" + b"\xff" * 100 + b"PAR1")
    paths["nothing"].write_bytes(b"")
    columns = {"process": pa.string(), "clock": pa.map_(pa.string(), pa.int64()), "state": pa.string()}
    parquet.write_table(pa.table({name: pa.array([], kind) for name, kind in columns.items()}), paths["rowless"])
    parquet.write_table(pa.table({"process": [b"\xff"], "clock": [[1.5]], "state": [None]}), paths["odd"])
    return {f"{name}.parquet": path for name, path in paths.items()}


def make_files(folder: Path) -> dict[str, Path]:
    """All of them, and what is no file."""
    files = {**make_texts(folder), **make_compressed(folder), **make_tables(folder)}
    files["wrong-ending"] = folder / "events.parquet"
    files["wrong-ending"].write_bytes(SOME_EVENTS.encode())
    files["table-as-lines"] = folder / "table.jsonl"
    files["table-as-lines"].write_bytes(files["foreign.parquet"].read_bytes())
    files["missing"] = folder / "missing.jsonl"
    files["folder"] = folder / "folder.jsonl"
    files["folder"].mkdir()
    files["loop"] = folder / "loop.jsonl"
    files["loop"].symlink_to(files["loop"])
    files["below-a-file"] = files["events"] / "below.jsonl"
    return files
