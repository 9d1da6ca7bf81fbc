"""Groups that processes join and leave, in a shard: the same as local monitors; no Spark here."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from latwin import Spec
from open_computations import an_open_computation
from shards import Event, Row, by_group, local_rows, make_worker, payload

SPEC = Spec.from_dict(
    {
        "processes": {"open": True, "max": 8, "leave_after": "60s"},
        "window": {"time": "40s", "states": 4},
        "roles": {"web": "w*"},
        "properties": {
            "two": "possibly(count(web.n == 1) >= 2)",
            "all": "definitely(all(*.n == 1))",
        },
    }
)


@given(st.integers(0, 2**32), st.booleans())
def test_a_shard_says_what_local_monitors_say(seed: int, every: bool) -> None:
    """Several groups in batches cut anywhere; silences let processes leave, and some are one too many."""
    rng = random.Random(seed)
    names = [f"{'wd'[k % 2]}{k}" for k in range(rng.choice([3, 10]))]
    groups = {f"g{k}": an_open_computation(rng, names, 30) for k in range(3)}
    events: list[Event] = []
    order = 0
    while any(groups.values()):
        group = rng.choice([name for name, left in groups.items() if left])
        order += rng.choice([1, 1, 5, 30])
        events.append({"group": group, "order": order, "time": float(order), **groups[group].pop(0)})
    places = sorted(rng.randint(0, len(events)) for _ in range(3))
    batches = [events[a:b] for a, b in zip([0, *places], [*places, len(events)], strict=True)]
    stored: bytes | None = None
    rows: list[Row] = []
    for batch in batches:
        worker = make_worker(SPEC, every=every)
        worker.warm_up()
        stored, results = worker.work(stored, [payload(*batch)])
        rows += results.verdicts
    expected = local_rows(SPEC, batches, every=every)
    assert by_group(rows) == {group: told for group, told in expected.items() if told}
