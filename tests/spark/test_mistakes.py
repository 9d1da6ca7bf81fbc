"""Mistakes that users can mend are met with one sentence: what is wrong, where, and what to do; without Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from latwin.errors import InvalidInput
from latwin.spark.causes import Explained, QueryFailed, failure_of
from latwin.spark.checkpoint_logs import check_logs

_FAILED = "[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: "
_OPERATOR = (
    "[STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA] Streaming stateful operator name does not match with "
    "the operator in state metadata. This likely to happen when user adds/removes/changes stateful operator of "
    "existing streaming query.\n"
)
#: what Spark 4.3 said, shortened, and what is said instead
EXPLAINED = [
    (
        f"{_FAILED}Failed to read log file file:/ck/offsets/2. [MALFORMED_LOG_FILE] Log file was malformed: failed "
        "to read correct log version from garbage. SQLSTATE: XXKST",
        "/ck/offsets/2: this file of the checkpoint is damaged; restore",
    ),
    (
        f"{_FAILED}Failed to read log file file:/ck/sources/0/2. Incomplete log file SQLSTATE: XXKST",
        "/ck/sources/0/2: this file of the checkpoint is damaged; restore",
    ),
    (
        f"{_FAILED}Failed to read log file file:/a b/commits/2. [INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION] "
        "UnsupportedLogVersion. The maximum supported log version is v3, but encountered v99. The log file was "
        "produced by a newer version of Spark and cannot be read by this version. You need to upgrade.",
        "/a b/commits/2: another version of Spark wrote this checkpoint (its form is v99, this Spark reads up to v3)",
    ),
    (
        f"{_FAILED}{_OPERATOR}Stateful operators in the metadata: [(OperatorId: 0 -> OperatorName: "
        "transformWithStateInPandasExec)]; Stateful operators in current batch: [(OperatorId: 0 -> OperatorName: "
        "transformWithStateInPySparkExec)]. SQLSTATE: 42K03",
        "the checkpoint was begun on PySpark 4.0, and Spark does not let a later version go on with it; go on with",
    ),
    (
        f"{_FAILED}{_OPERATOR}Stateful operators in the metadata: [(OperatorId: 0 -> OperatorName: "
        "transformWithStateInPySparkExec)]; Stateful operators in current batch: [(OperatorId: 0 -> OperatorName: "
        "transformWithStateInPandasExec)]. SQLSTATE: 42K03",
        "the checkpoint was begun on PySpark 4.1 or later, and Spark does not let 4.0 go on with it; go on with",
    ),
    (
        f"{_FAILED}[MALFORMED_LOG_FILE] Log file was malformed: failed to read correct log version from x. SQLSTATE",
        "a file below `state` in the checkpoint is damaged (Log file was malformed: failed to read",
    ),
    (
        ": org.apache.spark.SparkException: [CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] An error occurred during loading "
        "state.  SQLSTATE: 58030",
        "the state in the checkpoint is damaged or incomplete (An error occurred during loading state); restore",
    ),
    (
        "[CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] An error occurred during loading state.\n"
        "Caused by: org.rocksdb.RocksDBException: block checksum mismatch: stored = 1",
        "the state in the checkpoint is damaged or incomplete (block checksum mismatch: stored = 1); restore",
    ),
    (
        f"{_FAILED}Wrong basePath /new/in for the root path: file:/old/in/0.jsonl",
        "the checkpoint was begun with another input than /new/in: it has read /old/in/0.jsonl.",
    ),
    (
        "An error occurred while calling o7.mkdirs.\n: org.apache.hadoop.fs.FileAlreadyExistsException: Destination "
        "exists and is not a directory: /tmp/a file\n\tat org.apache",
        "/tmp/a is a file; it must be a folder",
    ),
    (
        "An error occurred while calling o7.create.\n: java.io.FileNotFoundException: /ck/.latwin.lock.crc "
        "(Permission denied)\n\tat java.base",
        "/ck/.latwin.lock.crc: this user has no permission",
    ),
    (
        f"{_FAILED}/ck/offsets/.1.29b7e0be.tmp (Permission denied)",
        "/ck/offsets/.1.29b7e0be.tmp: this user has no permission",
    ),
    (  # which is not damage, though the state cannot be loaded
        "[CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] An error occurred during loading state.\n"
        "Caused by: java.io.FileNotFoundException: /ck/state/0/0/.2.changelog.tmp (Permission denied)",
        "/ck/state/0/0/.2.changelog.tmp: this user has no permission; nothing is lost: grant it, and start again",
    ),
    (
        "[CANNOT_LOAD_STATE_STORE.UNCATEGORIZED] An error occurred during loading state.\n"
        "Caused by: org.apache.hadoop.util.Shell$ExitCodeException: /ck/state/0/1: Permission denied",
        "/ck/state/0/1: this user has no permission",
    ),
    (
        ": java.nio.file.AccessDeniedException: /my/in: denied\n\tat java.base",
        "/my/in: this user has no permission",
    ),
    (
        f"{_FAILED}File file:/old/ck/state/0/_stateSchema/default/0_c155f2ff does not exist",
        "/old/ck/state/0/_stateSchema/default/0_c155f2ff: the checkpoint needs this file, which is not there; a",
    ),
    (
        f"{_FAILED}Unexpected end-of-input: was expecting closing quote for a string value\n at [Source: REDACTED]",
        "a file of the checkpoint, or of the log of a table, is damaged (Unexpected end-of-input: was expecting",
    ),
    (
        "org.apache.hadoop.security.AccessControlException: Permission denied: user=ann, access=WRITE, "
        'inode="/data":hdfs',
        "/data: this user has no permission",
    ),
    (
        "An error occurred while calling o7.create.\n: java.io.FileNotFoundException: /my data/.latwin.lock.crc "
        "(Permission denied)\n\tat java.base",
        "/my data/.latwin.lock.crc: this user has no permission",
    ),
    (
        f"{_FAILED}An exception was raised by the Python Proxy. Return Message: Traceback (most recent call last):\n"
        "PermissionError: [Errno 13] Permission denied: '/out/verdicts/.0.parquet.1'\n",
        "/out/verdicts/.0.parquet.1: this user has no permission",
    ),
    (
        ": java.io.FileNotFoundException: /ck/.latwin.lock.crc (Read-only file system)\n\tat java.base",
        "/ck/.latwin.lock.crc: its file system is read-only",
    ),
    (
        f"{_FAILED}Traceback\nOSError: [Errno 30] Read-only file system: '/out/verdicts'\n",
        "/out/verdicts: its file system is read-only",
    ),
    (
        f"{_FAILED}Job aborted\nCaused by: java.io.IOException: No space left on device\n\tat java.base",
        "a disk is full",
    ),
    (
        "org.apache.hadoop.fs.ChecksumException: Checksum error: file:/ck/latwin.json at 0 exp: 1 got: 2",
        "/ck/latwin.json: this file is damaged, its checksum is wrong; restore",
    ),
]


@pytest.mark.parametrize(("said", "sentence"), EXPLAINED, ids=[sentence[:40] for _, sentence in EXPLAINED])
def test_what_spark_says_is_explained(said: str, sentence: str) -> None:
    failed = failure_of(RuntimeError(said))
    assert isinstance(failed, Explained)
    assert not failed.may_pass
    assert str(failed).startswith(sentence)
    assert "\n" not in str(failed)


def test_what_latwin_raised_in_a_worker_explains_itself() -> None:
    failed = failure_of(RuntimeError("latwin.errors.SnapshotError: group 'g': damaged\nNo space left on device"))
    assert type(failed) is QueryFailed
    assert str(failed) == "group 'g': damaged"


# -- the files of a checkpoint ---------------------------------------------------------------------------


class Folder:
    """As `Files`, of this machine."""

    def exists(self, path: str) -> bool:
        return Path(path).exists()

    def names(self, path: str) -> list[str]:
        return sorted(one.name for one in Path(path).iterdir()) if Path(path).exists() else []

    def read(self, path: str) -> bytes:
        return Path(path).read_bytes()


def checkpoint(folder: Path) -> Path:
    """As Spark leaves one after two batches and in the middle of a third."""
    for log in ("offsets", "commits"):
        (folder / log).mkdir(parents=True)
    (folder / "metadata").write_text('{"id":"a2be2b55"}')
    for number in range(3):
        (folder / "offsets" / str(number)).write_text(f'v1\n{{"batchWatermarkMs":0}}\n{{"logOffset":{number}}}\n-')
    for number in range(2):
        (folder / "commits" / str(number)).write_text('v1\n{"nextBatchWatermarkMs":0}')
    for log in ("sources/0", "sources/1", "state/0/_metadata/v2"):
        (folder / log).mkdir(parents=True)
    (folder / "sources/0/2").write_text(
        'v1\n{"path":"file:///in/0","batchId":2}\n{"path":"file:///in/1","batchId":2}'
    )
    (folder / "sources/1/0").write_bytes(b'\x00v1\n{"events":{"0":0}}')  # as Kafka's source writes it
    (folder / "state/0/_metadata/v2/0").write_text('v2\n{"operatorInfo":{"operatorId":0}}')
    (folder / "offsets" / ".2.crc").write_bytes(b"\x00")
    return folder


def check(folder: Path) -> None:
    check_logs(Folder(), str(folder))  # type: ignore[arg-type]


def test_a_checkpoint_of_spark_is_fine_and_so_is_none(tmp_path: Path) -> None:
    check(tmp_path)
    check(checkpoint(tmp_path / "ck"))


@pytest.mark.parametrize("content", [b"", b"garbage", b"v1\n{", b'v1\n{}\n{"logOff', b"\xff\xfe", b"v1\n\xff"])
@pytest.mark.parametrize("name", ["metadata", "offsets/2", "offsets/1", "commits/1", "state/0/_metadata/v2/0"])
def test_a_damaged_file_is_named(tmp_path: Path, name: str, content: bytes) -> None:
    folder = checkpoint(tmp_path / "ck")
    (folder / name).write_bytes(content)
    with pytest.raises(InvalidInput, match=rf"ck/{name}: this file of the checkpoint is damaged; restore"):
        check(folder)


@pytest.mark.parametrize("content", [b"v1\n{", b'v1\n{"path":"file:///in/0"}\n{"path":"fi', b"v1\n\xff"])
def test_a_damaged_list_of_files_is_named(tmp_path: Path, content: bytes) -> None:
    folder = checkpoint(tmp_path / "ck")
    (folder / "sources/0/2").write_bytes(content)
    with pytest.raises(InvalidInput, match=r"ck/sources/0/2: this file of the checkpoint is damaged; restore"):
        check(folder)


def test_offsets_that_are_gone_are_missed(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "ck")
    for path in (folder / "offsets").glob("[0-9]"):
        path.unlink()
    with pytest.raises(InvalidInput, match=r"offsets: the offsets of batch 1 are missing"):
        check(folder)
