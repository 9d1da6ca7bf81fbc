"""A Hadoop file system without a rename in one step: it copies, and keeps its files in a local folder.

Its few lines of Java are compiled by the compiler that Spark brings, when a test asks for them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SCHEME = "copying"
_NAME = "CopyingFileSystem"
_SOURCE = """
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.*;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

public class CopyingFileSystem extends FileSystem {
  private final RawLocalFileSystem local = new RawLocalFileSystem();
  public String getScheme() { return "copying"; }
  public URI getUri() { return URI.create("copying:///"); }
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    setConf(conf);
    local.initialize(URI.create("file:///"), conf);
  }
  private Path in(Path path) { return new Path("file", null, path.toUri().getPath()); }
  private FileStatus out(FileStatus s) {
    return new FileStatus(s.getLen(), s.isDirectory(), 1, s.getBlockSize(), s.getModificationTime(),
        new Path("copying", null, s.getPath().toUri().getPath()));
  }
  public FSDataInputStream open(Path path, int size) throws IOException { return local.open(in(path), size); }
  public FSDataOutputStream create(Path path, FsPermission p, boolean overwrite, int size, short r, long block,
      Progressable progress) throws IOException {
    return local.create(in(path), overwrite, size, r, block, progress);
  }
  public FSDataOutputStream append(Path path, int size, Progressable progress) throws IOException {
    throw new UnsupportedOperationException("append");
  }
  public boolean rename(Path old, Path fresh) throws IOException {
    if (!exists(old)) return false;
    Path target = exists(fresh) && getFileStatus(fresh).isDirectory() ? new Path(fresh, old.getName()) : fresh;
    return FileUtil.copy(local, in(old), local, in(target), true, getConf());
  }
  public boolean delete(Path path, boolean all) throws IOException { return local.delete(in(path), all); }
  public FileStatus[] listStatus(Path path) throws IOException {
    FileStatus[] found = local.listStatus(in(path));
    for (int k = 0; k < found.length; k++) found[k] = out(found[k]);
    return found;
  }
  public void setWorkingDirectory(Path path) { }
  public Path getWorkingDirectory() { return new Path("copying:///"); }
  public boolean mkdirs(Path path, FsPermission p) throws IOException { return local.mkdirs(in(path)); }
  public FileStatus getFileStatus(Path path) throws IOException { return out(local.getFileStatus(in(path))); }
}
"""


def copying_scheme(session: SparkSession) -> str:
    """The scheme of the file system, which the session knows from now on."""
    conf: Any = session.sparkContext._jsc.hadoopConfiguration()
    if conf.get(f"fs.{_SCHEME}.impl") is None:
        jvm: Any = session._jvm
        folder = Path(tempfile.mkdtemp(prefix="latwin-copying-"))
        (folder / f"{_NAME}.java").write_text(_SOURCE)
        factory = jvm.org.codehaus.janino.CompilerFactory()
        compiler = factory.newCompiler()
        compiler.setDestinationDirectory(jvm.java.io.File(str(folder)), False)
        sources = jvm.java.lang.reflect.Array.newInstance(jvm.java.io.File(str(folder)).getClass(), 1)
        sources[0] = jvm.java.io.File(str(folder / f"{_NAME}.java"))
        compiler.compile(sources)
        jar = folder / "copying.jar"
        _pack(folder, jar)
        session.sparkContext._jsc.addJar(str(jar))
        loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
        loader.addURL(jvm.java.io.File(str(jar)).toURI().toURL())
        conf.set(f"fs.{_SCHEME}.impl", _NAME)
        conf.setClassLoader(loader)
    return _SCHEME


def _pack(folder: Path, jar: Path) -> None:
    from zipfile import ZipFile

    with ZipFile(jar, "w") as archive:
        for path in folder.glob("*.class"):
            archive.write(path, path.name)
