"""The jars of Spark's Kafka connector: PySpark does not bring them, and they must be of its version.

They are looked for, in this order,

1. in a folder that the caller, `--jars` or the environment variable `LATWIN_JARS` names,
2. in the user's cache, `~/.cache/latwin/jars/<version of pyspark>/`,
3. with Maven, if `mvn` is there, which fills that cache (and obeys the user's `~/.m2/settings.xml`),
4. where there is no `mvn`, by Spark itself when the session starts (`spark.jars.packages`, which uses Ivy).

If Maven fails, that is told, and the search ends: Spark would look in vain as well, and say less of why. `latwin
jars` does the third step beforehand, for machines without a network.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from latwin.errors import InvalidInput
from latwin.spark.private import cache_root, is_safe

_GROUP = "org.apache.spark"
_ARTIFACT = "spark-sql-kafka-0-10"
_DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
_PATIENCE_S = 900.0
#: a jar's artifact, which may end in the version of Scala, and its own version
_JAR = re.compile(r"(.*_\d+\.\d+|.*?)-(\d[\w.+-]*)\.jar")

# Poms of Spark name a mirror of the central repository to be asked first; where only the central one (or the mirror
# in the user's settings) can be reached, that would fail. A repository of the root pom hides those of its id.
_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>latwin</groupId>
  <artifactId>jars</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <repositories>
    <repository>
      <id>gcs-maven-central-mirror</id>
      <url>file:///dev/null</url>
      <releases><enabled>false</enabled></releases>
      <snapshots><enabled>false</enabled></snapshots>
    </repository>
  </repositories>
  <dependencies>{dependencies}
  </dependencies>
</project>
"""
_DEPENDENCY = """
    <dependency>
      <groupId>{group}</groupId>
      <artifactId>{artifact}</artifactId>
      <version>{version}</version>
      <exclusions>{exclusions}</exclusions>
    </dependency>"""
_NO_HADOOP = "<exclusion><groupId>org.apache.hadoop</groupId><artifactId>*</artifactId></exclusion>"


class JarsMissing(InvalidInput):
    """The Kafka connector's jars are not there and could not be fetched; the message says how to get them."""


def connector_of(version: str | None = None) -> str:
    """The connector's Maven coordinate for a version of Spark: the installed pyspark's, unless given."""
    return f"{_GROUP}:{_ARTIFACT}_{scala_version()}:{version or pyspark_version()}"


def cache_folder(version: str | None = None) -> Path:
    """Where the jars for a version of Spark are kept: the installed pyspark's, unless given."""
    return cache_root() / "jars" / (version or pyspark_version())


def kafka_settings(folder: str | os.PathLike[str] | None = None) -> dict[str, str]:
    """The settings that give a new Spark session the Kafka connector; fetches the jars if they are not there.

    `folder` holds the jars and is taken as it is; unless given, the module's docstring tells where they come
    from. Raises JarsMissing with what to do if they cannot be had.
    """
    jars = find_jars(folder)
    if jars is None and shutil.which("mvn"):
        jars = fetch_jars()
    if jars is not None:
        return {"spark.jars": ",".join(map(str, jars))}
    return {"spark.jars.packages": connector_of()}


def find_jars(folder: str | os.PathLike[str] | None = None) -> list[Path] | None:
    """The jars in the named folder, or in `LATWIN_JARS`, or in the cache; None if no folder is named or cached."""
    named = folder or os.environ.get("LATWIN_JARS")
    if not named:
        jars = jars_in(cache_folder())
        if not _connectors(jars):
            return None
        if not is_safe(cache_folder()):
            raise JarsMissing(
                f"others can write into {cache_folder()}, so its jars are not used: make it yours alone (chmod 700), "
                "or name a folder that you trust in LATWIN_JARS"
            )
        return jars
    place = Path(named).absolute()
    jars = jars_in(place)
    found = _connectors(jars)
    if not found:
        raise JarsMissing(f"{place} has no Kafka connector ({_ARTIFACT}_*.jar); fetch it: latwin jars --out {place}")
    if pyspark_version() not in found:
        warnings.warn(
            f"latwin: {place} has the Kafka connector of Spark {', '.join(found)}; pyspark is {pyspark_version()}",
            stacklevel=3,
        )
    return jars


def fetch_jars(to: str | os.PathLike[str] | None = None, *, version: str | None = None) -> list[Path]:
    """Let Maven fetch the connector and what it needs beside pyspark's own jars, into the cache or a folder.

    The versions of what it needs are those that the connector's own pom asks for. Raises JarsMissing if there is
    no Maven, or if it does not find them.
    """
    place = Path(to).absolute() if to is not None else cache_folder(version)
    copy_with_maven([connector_of(version)], place, beside_spark=True)
    return jars_in(place)


def copy_with_maven(coordinates: Iterable[str], to: Path, *, beside_spark: bool = False) -> None:
    """Copy artifacts (`group:artifact:version`) and all that they need at run time into a folder.

    With `beside_spark`, what pyspark brings itself is left out. The artifacts themselves appear last in the folder,
    so that whoever finds them finds the rest. Raises JarsMissing.
    """
    coordinates = list(coordinates)
    remedy = f"where there is a network, run `latwin jars --out {to}` and set LATWIN_JARS={to} here"
    maven = shutil.which("mvn")
    if maven is None:
        raise JarsMissing(
            f"fetching {', '.join(coordinates)} needs Maven, and there is no `mvn`: install it, or {remedy}"
        )
    exclusions = _NO_HADOOP if beside_spark else ""  # not to fetch it saves most of the download
    own = {_name_of(jar) for jar in _own_jars()} if beside_spark else set()
    asked = {coordinate.split(":")[1] for coordinate in coordinates}
    dependencies = ""
    for coordinate in coordinates:
        group, artifact, version = map(escape, coordinate.split(":"))
        dependencies += _DEPENDENCY.format(group=group, artifact=artifact, version=version, exclusions=exclusions)
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=to) as scratch:
        pom, copies = Path(scratch) / "pom.xml", Path(scratch) / "jars"
        pom.write_text(_POM.format(dependencies=dependencies), encoding="utf-8")
        command = [maven, "-B", "-q", "-U", "-f", str(pom), f"{_DEPENDENCY_PLUGIN}:copy-dependencies"]
        command += ["-DincludeScope=runtime", f"-DoutputDirectory={copies}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
        except subprocess.TimeoutExpired:
            raise JarsMissing(f"Maven did not end within {_PATIENCE_S:.0f} s; {remedy}") from None
        if done.returncode:
            raise JarsMissing(f"Maven could not fetch {', '.join(coordinates)}: {_complaint(done.stdout)}; {remedy}")
        for jar in sorted(copies.glob("*.jar"), key=lambda jar: (_name_of(jar) in asked, jar.name)):
            if _name_of(jar) not in own:
                jar.replace(to / jar.name)


def _complaint(output: str) -> str:
    """What Maven says went wrong, without the colours and its hints."""
    plain = re.sub(r"\x1b\[[\d;]*m", "", output)
    for line in plain.splitlines():
        if line.startswith("[ERROR]"):
            # The cause stands between the name of our pom and a link for help.
            return line.removeprefix("[ERROR] ").partition(" -> [Help")[0].rpartition(":pom:1: ")[2].strip()
    return plain.strip().splitlines()[-1] if plain.strip() else "it said nothing"


def jars_in(folder: Path) -> list[Path]:
    """All jars of a folder."""
    return sorted(folder.glob("*.jar"))


def _connectors(jars: Iterable[Path]) -> list[str]:
    """The versions of the connector among some jars."""
    named = (jar for jar in jars if jar.name.startswith(f"{_ARTIFACT}_"))
    return [found[2] for jar in named if (found := _JAR.fullmatch(jar.name))]


def _name_of(jar: Path) -> str:
    found = _JAR.fullmatch(jar.name)
    return found[1] if found else jar.name


def _own_jars() -> list[Path]:
    """What pyspark brings."""
    import pyspark

    return jars_in(Path(pyspark.__file__).parent / "jars")


def pyspark_version() -> str:
    """The installed one."""
    import pyspark

    return str(pyspark.__version__)


def scala_version() -> str:
    """The Scala that pyspark's Spark is built with, such as 2.13."""
    for jar in _own_jars():
        found = re.match(r"spark-sql_(\d+\.\d+)-", jar.name)
        if found:
            return found[1]
    return "2.13"


def merged(settings: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Settings of Spark with more of them; lists of jars and packages are joined, everything else is replaced."""
    result = dict(settings)
    for name, value in more.items():
        is_list = name in ("spark.jars", "spark.jars.packages") and result.get(name)
        result[name] = f"{result[name]},{value}" if is_list else value
    return result
