"""Whether the small files in which Spark keeps a checkpoint's progress can be read, before Spark reads them.

    <checkpoint>/metadata       the query's id, as JSON
    <checkpoint>/offsets/N      what batch N reads: a version, then a line of JSON each for the query and its sources
    <checkpoint>/commits/N      that batch N is done: a version, then a line of JSON
    <checkpoint>/sources/S/N    which files source S gave to batch N: a version, then a line of JSON for each
    <checkpoint>/state/O/_metadata/v2/N    what stateful operator O is, from batch N on: in the same form

Spark names the damaged file of some of these, and of others only a column in it.
"""

from __future__ import annotations

import re

import msgspec
from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]

from latwin.errors import InvalidInput
from latwin.spark.files import Files

#: what to do about a damaged checkpoint
REMEDY = "restore the checkpoint and the output from a copy of the same moment, or begin with new ones"
#: how Spark writes that a source has no offset yet
_NONE = b"-"
#: how many files of a source are looked at: Spark puts ten together into one, which can be large
_RECENT = 10


def check_logs(files: Files, directory: str) -> None:
    """Raise InvalidInput if the latest of Spark's files in a checkpoint are damaged; one without any is fine."""
    folder = directory.rstrip("/")
    if files.exists(f"{folder}/metadata") and not _is_json(_read(files, f"{folder}/metadata")):
        raise _damaged(f"{folder}/metadata")
    offsets, commits = (_numbers(files, f"{folder}/{log}") for log in ("offsets", "commits"))
    if commits and (not offsets or offsets[-1] < commits[-1]):
        raise InvalidInput(
            f"{folder}/offsets: the offsets of batch {commits[-1]} are missing, which {folder}/commits has; {REMEDY}"
        )
    # Spark also reads the batch before the latest one, which may not be committed.
    paths = [f"{folder}/offsets/{number}" for number in offsets[-2:]]
    paths += [f"{folder}/commits/{number}" for number in commits[-1:]]
    for operator in files.names(f"{folder}/state"):
        log = f"{folder}/state/{operator}/_metadata/v2"
        paths += [f"{log}/{number}" for number in _numbers(files, log)[-1:]]
    for path in paths:
        if not _is_log(_read(files, path)):
            raise _damaged(path)
    for source in files.names(f"{folder}/sources"):
        log = f"{folder}/sources/{source}"
        for path in [f"{log}/{number}" for number in _numbers(files, log)[-_RECENT:]]:
            content = _read(files, path)
            if _has_version(content) and not _is_log(content):  # other forms than that of files are left to Spark
                raise _damaged(path)


def _numbers(files: Files, folder: str) -> list[int]:
    return sorted(int(name) for name in files.names(folder) if name.isdigit())


def _read(files: Files, path: str) -> bytes:
    try:
        return files.read(path)
    except Py4JJavaError as error:
        if "ChecksumException" in str(error):
            raise _damaged(path) from None
        raise


def _is_log(content: bytes) -> bool:
    _, *lines = content.rstrip(b"\n").split(b"\n")
    return _has_version(content) and all(line == _NONE or _is_json(line) for line in lines)


def _has_version(content: bytes) -> bool:
    return re.fullmatch(rb"v\d+", content.partition(b"\n")[0]) is not None


def _is_json(content: bytes) -> bool:
    try:
        msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def _damaged(path: str) -> InvalidInput:
    return InvalidInput(f"{path}: this file of the checkpoint is damaged; {REMEDY}")
