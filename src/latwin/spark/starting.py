"""Starting Java so that an interrupt at that moment leaves none behind."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyspark import SparkContext, java_gateway


@contextmanager
def leaving_no_java() -> Iterator[None]:
    """End the Java that pyspark has begun to start, if this is interrupted before the two are connected.

    Later on, Java ends by itself when this process does. But until then it waits to write down where it listens, in
    a folder that pyspark removes at an interrupt: Java's first thread fails, and the others go on for ever. Only
    pyspark knows the process, so its way to start one is watched.
    """
    gateway: Any = java_gateway
    original = gateway.Popen
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(original(*arguments, **options))
        return started[-1]

    gateway.Popen = start
    try:
        yield
    except BaseException:
        if SparkContext._gateway is None:
            for process in started:
                process.kill()
                process.wait()
        raise
    finally:
        gateway.Popen = original
