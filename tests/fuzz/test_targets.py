"""Nothing that strangers can send hangs or crashes anything: mutations of right inputs, each within a time limit.

`make fuzz` tries many more, guided by coverage where atheris is installed.
"""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

pytest.importorskip("pyspark")

from effort import examples
from fuzz_targets import targets
from fuzzing import mutations, within

SEED = 20261117
NAMES = list(targets())


@pytest.mark.parametrize("name", NAMES)
def test_mutations_of_right_inputs(name: str) -> None:
    target = targets()[name]
    print(f"seed {SEED}")
    for number, data in enumerate(islice(mutations(target.seeds, random.Random(f"{SEED} {name}")), examples(400))):
        try:
            with within():
                target.run(data)
        except BaseException:
            print(f"input {number} of {name}: {data!r}")
            raise


@pytest.mark.parametrize("name", NAMES)
@given(data=st.binary(max_size=200))
@example(data=b"")
def test_any_bytes(name: str, data: bytes) -> None:
    with within():
        targets()[name].run(data)
