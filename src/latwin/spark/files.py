"""Files by path or URI, on the file systems that Spark reaches."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.sql import SparkSession

from latwin.errors import InvalidInput
from latwin.outputs.store import LocalStore, Store
from latwin.spark.session import require_classic

#: where a renamed file appears in one step, and a file that is being written can be seen
_RENAMING = ("hdfs:", "webhdfs:", "swebhdfs:")


class Files:
    """Files by path or URI, through the Hadoop file systems that the session knows: local, HDFS and the like."""

    def __init__(self, session: SparkSession) -> None:
        require_classic(session, "what latwin reads and writes by itself")
        self._jvm: Any = session._jvm
        self._conf: Any = session.sparkContext._jsc.hadoopConfiguration()

    def qualified(self, path: str) -> str:
        """The path with its file system, the same from wherever it is named."""
        where, system = self._open(path)
        return str(system.makeQualified(where).toString())

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder."""
        where, system = self._open(path)
        return bool(system.exists(where))

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder."""
        where, system = self._open(path)
        return bool(system.exists(where) and system.getFileStatus(where).isDirectory())

    def make_folder(self, path: str) -> None:
        """Make sure that the folder is there, and those above it; InvalidInput if that cannot be."""
        where, system = self._open(path)
        if not system.mkdirs(where):  # which is how the local file system tells of a missing permission
            raise InvalidInput(f"the folder {path} cannot be made: this user has no permission there")

    def names(self, path: str) -> list[str]:
        """The names in a folder; of a file, its own; of nothing, none."""
        where, system = self._open(path)
        if not system.exists(where):
            return []
        return sorted(status.getPath().getName() for status in system.listStatus(where))

    def local_path(self, path: str) -> Path | None:
        """Where a path is on this machine; None if it is elsewhere."""
        where, system = self._open(path)
        qualified = system.makeQualified(where)
        is_here = str(qualified.toUri().getScheme()) == "file"
        return Path(str(qualified.toUri().getPath())) if is_here else None

    def delete(self, path: str) -> None:
        """Remove a file, or a folder with all in it."""
        where, system = self._open(path)
        system.delete(where, True)

    def move(self, old: str, new: str) -> None:
        """Give a file another path, replacing what is there; this may be a copy."""
        source, system = self._open(old)
        target, _ = self._open(new)
        system.mkdirs(target.getParent())
        system.delete(target, False)
        if not system.rename(source, target):
            raise OSError(f"{old} cannot be moved to {new}")

    def rename(self, old: str, new: str, *, replace: bool = False) -> None:
        """Rename in one step, where the file system can; fails if `new` is there, unless it is to be replaced."""
        fs = self._jvm.org.apache.hadoop.fs
        mode = fs.Options.Rename.OVERWRITE if replace else fs.Options.Rename.NONE
        modes = self._jvm.java.lang.reflect.Array.newInstance(mode.getClass(), 1)
        modes[0] = mode
        source, target = fs.Path(old), fs.Path(new)
        fs.FileContext.getFileContext(source.getFileSystem(self._conf).getUri(), self._conf).rename(
            source, target, modes
        )

    def read(self, path: str) -> bytes:
        """A small file's content."""
        where, system = self._open(path)
        stream = system.open(where)
        try:
            return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
        finally:
            stream.close()

    def size(self, path: str) -> int:
        """How many bytes a file has."""
        where, system = self._open(path)
        return int(system.getFileStatus(where).getLen())

    def parquet_rows(self, path: str) -> int:
        """How many rows a Parquet file has, by its footer."""
        where, _ = self._open(path)
        parquet = self._jvm.org.apache.parquet.hadoop
        reader = parquet.ParquetFileReader.open(parquet.util.HadoopInputFile.fromPath(where, self._conf))
        try:
            return int(reader.getRecordCount())
        finally:
            reader.close()

    def create(self, path: str, content: bytes) -> bool:
        """Write a small file unless there is one; False if there is."""
        where, system = self._open(path)
        if system.exists(where):
            return False
        try:
            stream = system.create(where, False)
        except Py4JJavaError:
            if system.exists(where):  # somebody was quicker
                return False
            raise
        try:
            stream.write(bytearray(content))
        finally:
            stream.close()
        return True

    def upload(self, path: str, content: bytes) -> None:
        """Write a file, or replace it: on an object store it appears when it is complete."""
        where, system = self._open(path)
        stream = system.create(where, True)
        try:
            stream.write(bytearray(content))
        finally:
            stream.close()

    def write(self, path: str, content: bytes) -> None:
        """Put a small file in its place in one step: a reader sees the old one or the new one.

        Hadoop keeps a checksum beside a file on a local disk, and renames one after the other: killed in between, the
        file would count as damaged. So there Python writes it, and no checksum is kept.
        """
        folder, _, name = path.rpartition("/")
        local = self.local_path(path)
        if local is not None:
            local.with_name(f".{local.name}.crc").unlink(missing_ok=True)
            LocalStore(local.parent).put(local.name, content)
            return
        fresh = f"{folder}/.{name}.{uuid4().hex[:8]}"
        where, system = self._open(fresh)
        stream = system.create(where, True)
        try:
            stream.write(bytearray(content))
        finally:
            stream.close()
        self.rename(fresh, path, replace=True)

    def _open(self, path: str) -> tuple[Any, Any]:
        where = self._jvm.org.apache.hadoop.fs.Path(path)
        return where, where.getFileSystem(self._conf)


class HadoopStore:
    """An output on a file system of Hadoop's, such as an object store; see `latwin.outputs.store.Store`.

    A file is put by one upload, which appears when it is complete, as object stores do it; on HDFS by a rename.
    """

    def __init__(self, files: Files, root: str) -> None:
        self._files = files
        self._root = root.rstrip("/") or "/"
        self._renames = files.qualified(root).startswith(_RENAMING)

    def names(self, folder: str) -> list[str]:
        """The names in a folder; none if there is no such folder."""
        return self._files.names(self._at(folder))

    def read(self, path: str) -> bytes:
        """A file's content."""
        try:
            return self._files.read(self._at(path))
        except Py4JJavaError as error:
            if error.java_exception.getClass().getSimpleName() == "FileNotFoundException":
                raise FileNotFoundError(self._at(path)) from None
            raise

    def put(self, path: str, content: bytes) -> None:
        """Write a file."""
        if self._renames:
            self._files.make_folder(self._at(path).rpartition("/")[0])
            self._files.write(self._at(path), content)
        else:
            self._files.upload(self._at(path), content)

    def move(self, old: str, new: str) -> None:
        """Give a file another path."""
        self._files.move(self._at(old), self._at(new))

    def delete(self, path: str) -> None:
        """Remove a file or a folder, if it is there."""
        self._files.delete(self._at(path))

    def _at(self, path: str) -> str:
        return f"{self._root}/{path}"


def store_of(files: Files, output: str) -> Store:
    """The files of an output: by Python on this machine, by Hadoop elsewhere."""
    local = files.local_path(output)
    return LocalStore(local) if local is not None else HadoopStore(files, output)
