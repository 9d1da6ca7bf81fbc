"""Small files that a pipeline keeps in its checkpoint."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession

from latwin.spark.files import Files


def test_a_file_is_replaced_in_one_step_whatever_checksum_lies_beside_it(spark: SparkSession, tmp_path: Path) -> None:
    """Hadoop would rename a file and its checksum one after the other, and a kill in between would damage it."""
    files, path = Files(spark), tmp_path / "latwin.json"
    assert files.create(str(path), b"first")
    assert (tmp_path / ".latwin.json.crc").exists()
    files.write(str(path), b"second")
    assert files.read(str(path)) == b"second"
    assert [each.name for each in tmp_path.iterdir()] == ["latwin.json"], (
        "the file alone, so that nothing can disagree"
    )
    files.write(path.as_uri(), b"third")
    assert files.read(str(path)) == b"third"
