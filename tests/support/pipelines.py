"""A pipeline run as the tests write it: all options in one call."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from latwin import Spec
from latwin.spark import Detection, Hooks, Reading, RunOptions
from latwin.spark import run as run_pipeline

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from latwin.spark.loop import RunSummary


def run(
    session: SparkSession,
    spec: Spec,
    *,
    input: str,
    output: str,
    checkpoint: str,
    once: bool = False,
    max_restarts: int = 3,
    **others: Any,
) -> RunSummary:
    """`latwin.spark.run` with the fields of its options by their names."""
    groups: dict[type[Any], dict[str, Any]] = {Reading: {}, Detection: {}, Hooks: {}}
    rules = others.pop("rules", None)
    for name, value in others.items():
        (group,) = (kind for kind in groups if name in {field.name for field in fields(kind)})
        groups[group][name] = value
    return run_pipeline(
        session,
        spec,
        input=input,
        output=output,
        checkpoint=checkpoint,
        options=RunOptions(
            once=once,
            max_restarts=max_restarts,
            reading=Reading(**groups[Reading]),
            detection=Detection(**groups[Detection]),
            rules=rules,
        ),
        hooks=Hooks(**groups[Hooks]),
    )
