"""Folders that this user may not use end `latwin run` with one sentence; once they may be used, it goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

import denied_places
from unusable import check_sentence, without_privileges


@pytest.mark.soak
@pytest.mark.spark
def test_what_is_denied_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    command = [*without_privileges(), sys.executable, denied_places.__file__, str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-5000:]
    outcomes = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [outcome["case"] for outcome in outcomes] == list(denied_places.CASES)
    for number, outcome in enumerate(outcomes):
        print(f"{outcome['case']}: {outcome['said']}")
        denied = denied_places.CASES[outcome["case"]].denied.partition("*")[0].partition("[")[0]
        check_sentence(outcome["code"], outcome["said"], f"{tmp_path / str(number)}/{denied}", "ermission")
        assert "restore" not in outcome["said"], "what is there is not damaged"
        assert outcome["permitted"] == 0, outcome["after"]
