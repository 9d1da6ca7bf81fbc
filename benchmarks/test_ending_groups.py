"""`make soak`: a million groups that come and go; with `forget_after` the state does not grow with them.

Shards do not know each other, so some of them stand for all: the groups of the first `SHARDS_TRIED` shards are worked
through, and the bytes are multiplied. 10,000 groups begin each day, live for some minutes, and are silent then.
"""

from __future__ import annotations

import os
from typing import Any

import msgspec

from figures import Figure
from latwin import Spec
from latwin.events import Envelope
from latwin.spark.packing import SHARDS, shard_of
from latwin.spark.shard import ShardWorker
from workloads import all_on, office, spec

GROUPS = int(os.environ.get("LATWIN_SOAK_GROUPS", "1000000"))
SHARDS_TRIED = 32
A_DAY = 10_000
DAY_S = 86_400.0


def state_by_day(checked: Spec) -> list[int]:
    """The bytes of all tried shards together, at the end of each day."""
    worker = ShardWorker(checked, every=False, observations=False)
    worker.warm_up()
    events = office(3, 40, 0)[:6]
    stored: dict[int, bytes] = {}
    sizes = []
    for first in range(0, GROUPS, A_DAY):
        for k in range(first, min(first + A_DAY, GROUPS)):
            group = f"order-{k}"
            shard = shard_of(group)
            if shard >= SHARDS_TRIED:
                continue
            begin = k / A_DAY * DAY_S
            rows = [
                Envelope(group=group, event={**event, "arrival": None, "time": begin + 60 * n})
                for n, event in enumerate(events)
            ]
            payload = ",".join(msgspec.json.encode(row).decode() for row in rows)
            stored[shard], _ = worker.work(stored.get(shard), [payload], shard=shard)
        sizes.append(sum(map(len, stored.values())))
    return sizes


def test_a_million_groups_that_end(benchmark: Any, figure: Figure) -> None:
    plain = spec(3, 4, all_on(3))
    ending = Spec.from_dict({**plain.to_dict(), "forget_after": "1d"})
    sizes = benchmark.pedantic(lambda: state_by_day(ending), rounds=1)
    kept = state_by_day(plain)
    factor = SHARDS / SHARDS_TRIED / 2**20
    print(f"{GROUPS:,} groups: {sizes[-1] * factor:,.0f} MiB of state, {kept[-1] * factor:,.0f} MiB if none ends")
    settled = len(sizes) // 4
    figure(
        f"{GROUPS:,} groups that end: state at the end, against a quarter of the way",
        sizes[-1] / sizes[settled],
        "times",
        1.2,
    )
    figure(
        f"{GROUPS:,} groups that end: state, against that of groups that never do", sizes[-1] / kept[-1], "times", 0.3
    )
