"""Delta for a session: its settings, and its jars, found as the Kafka connector's are (`latwin.spark.packages`).

The package delta-spark (`latwin[delta]`) says which version of Delta it is; its jars are made for one minor version
of Spark each. In the user's cache they have a folder of their own beside the connector.
"""

from __future__ import annotations

import os
import shutil
from importlib import metadata
from pathlib import Path
from typing import Any

from py4j.java_gateway import JavaClass  # type: ignore[import-untyped]
from pyspark.sql import SparkSession

from latwin.spark.packages import JarsMissing, cache_folder, copy_with_maven, jars_in, pyspark_version, scala_version
from latwin.spark.private import is_safe

#: what makes a session understand Delta's tables, beside the jars
SETTINGS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}


def delta_of() -> str:
    """Delta's Maven coordinate: for the installed pyspark, of the version of the package delta-spark."""
    spark = ".".join(pyspark_version().split(".")[:2])
    return f"io.delta:delta-spark_{spark}_{scala_version()}:{_delta_version()}"


def delta_settings(folder: str | os.PathLike[str] | None = None) -> dict[str, str]:
    """The settings that give a new Spark session Delta; fetches the jars if they are not there.

    `folder`, or the environment variable LATWIN_JARS, names a folder that has them. Raises JarsMissing with what to
    do if they cannot be had.
    """
    named = folder or os.environ.get("LATWIN_JARS")
    place = Path(named).absolute() if named else _cache()
    jars = jars_in(place)
    if not any(jar.name.startswith("delta-spark_") for jar in jars):
        if named:
            raise JarsMissing(
                f"{place} has no Delta (delta-spark_*.jar); fetch it: latwin jars --delta --out {place}"
            )
        if not shutil.which("mvn"):
            return {**SETTINGS, "spark.jars.packages": delta_of()}
        jars = fetch_delta()
    if not named and not is_safe(place):
        raise JarsMissing(
            f"others can write into {place}, so its jars are not used: make it yours alone (chmod 700), "
            "or name a folder that you trust in LATWIN_JARS"
        )
    return {**SETTINGS, "spark.jars": ",".join(map(str, jars))}


def fetch_delta(to: str | os.PathLike[str] | None = None) -> list[Path]:
    """Let Maven fetch Delta and what it needs beside pyspark's own jars; JarsMissing if that fails."""
    place = Path(to).absolute() if to is not None else _cache()
    copy_with_maven([delta_of()], place, beside_spark=True)
    return jars_in(place)


def require_delta(session: SparkSession) -> None:
    """Raise JarsMissing unless the session has Delta."""
    jvm: Any = session._jvm
    if not isinstance(jvm.io.delta.tables.DeltaTable, JavaClass):
        raise JarsMissing(
            "this Spark session has no Delta, and a running one cannot get it: start it with "
            "latwin.spark.create_session(delta=True)"
        )


def _cache() -> Path:
    return cache_folder() / f"delta-{_delta_version()}"


def _delta_version() -> str:
    try:
        return metadata.version("delta-spark")
    except metadata.PackageNotFoundError:
        raise JarsMissing(
            "Delta tables need the package delta-spark, of a version for the installed pyspark: "
            "pip install 'latwin[delta]'"
        ) from None
