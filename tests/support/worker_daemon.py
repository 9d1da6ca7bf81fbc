"""Spark's daemon for Python workers, with what latwin's workers import already imported.

Each worker is a fork of it, and then starts in no time; tests start hundreds of them.
"""

from __future__ import annotations

import pandas  # type: ignore[import-untyped]  # noqa: F401
import pyarrow  # noqa: F401
import pyspark.worker  # noqa: F401
from pyspark.daemon import manager

import latwin.spark.operators
import latwin.spark.shard  # noqa: F401

if __name__ == "__main__":
    manager()
