"""The counters of a pipeline for Prometheus."""

from __future__ import annotations

from http.client import HTTPConnection
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latwin import Spec
from latwin.explorer.feed import EventFeed
from latwin.explorer.metrics import Told, metrics_text
from latwin.explorer.outputs import OutputFeed
from latwin.explorer.recording import COUNTERS
from latwin.explorer.system import GroupNow, History
from latwin.explorer.tables import VerdictRow
from latwin.prometheus import CONTENT_TYPE
from prometheus import read_metrics
from serving import serving

SPEC = Spec.from_dict(
    {
        "processes": ["a"],
        "window": 2,
        "properties": {"bad": "possibly(a.x)", 'a "fine"\n\\ one': "possibly(a.y)"},
        "never": ["bad"],
    }
)
FINE = 'a "fine"\n\\ one'


def row(name: str, value: bool | None, slide: int = 1) -> VerdictRow:
    return VerdictRow(None, name, value, slide, None, None, None)


def group(values: str, **counters: int) -> GroupNow:
    return GroupNow(values, 1, tuple(counters.get(name, 0) for name in COUNTERS))


def test_what_is_told_of_groups_and_batches() -> None:
    told = Told()
    told.note(3, 1700000000.25, [row("bad", True), row("bad", True), row(FINE, None), row("gone", True)])
    told.note(4, 1700000010.5, [row("bad", False)])
    groups = [
        group("10", delivered=5, rejected=2, late=1),
        group("11", delivered=7, skipped=3),
        group("0?", waiting=4),
    ]
    found = read_metrics(metrics_text(SPEC, groups, told))
    assert found["latwin_groups"].value == 3
    assert found["latwin_groups_violating"].value == 2
    assert found["latwin_violations"].samples == {(("property", "bad"),): 2}
    assert found["latwin_groups_true"].samples == {(("property", "bad"),): 2, (("property", FINE),): 1}
    verdicts = found["latwin_verdicts_total"].samples
    assert verdicts[("property", "bad"), ("value", "true")] == 2
    assert verdicts[("property", "bad"), ("value", "false")] == 1
    assert verdicts[("property", FINE), ("value", "too_large")] == 1
    assert len(verdicts) == 2 * 3
    rejects = {labels[0][1]: count for labels, count in found["latwin_rejects_total"].samples.items()}
    assert rejects == {"rejected": 2, "late": 1, "skipped": 3}
    assert found["latwin_states_delivered_total"].value == 12
    assert found["latwin_waiting"].value == 4
    assert found["latwin_batches_total"].value == 2
    assert found["latwin_last_batch"].value == 4
    assert found["latwin_last_batch_timestamp_seconds"].value == 1700000010.5


def test_before_the_first_batch_there_is_none() -> None:
    found = read_metrics(metrics_text(SPEC, [], Told()))
    assert found["latwin_groups"].value == 0
    assert "latwin_last_batch" not in found


@given(st.dictionaries(st.text(max_size=3), st.text("01?", min_size=2, max_size=2), max_size=8))
def test_it_says_what_the_view_of_all_groups_says(values: dict[str, str]) -> None:
    groups = {name: group(letters, delivered=k) for k, (name, letters) in enumerate(values.items())}
    history = History(SPEC)
    history.note(groups)
    view = history.view(groups, "")
    found = read_metrics(metrics_text(SPEC, list(groups.values()), Told()))
    assert found["latwin_groups"].value == view["groups"]
    assert found["latwin_groups_violating"].value == view["violating"]
    assert list(found["latwin_groups_true"].samples.values()) == [counts[-1] for counts in view["true_in"]]
    assert found["latwin_states_delivered_total"].value == view["totals"]["delivered"]
    series = sum(len(family.samples) for family in found.values())
    assert series == sum(len(family.samples) for family in read_metrics(metrics_text(SPEC, [], Told())).values())


def written(folder: Path) -> OutputFeed:
    """An output folder with one batch."""
    import pyarrow as pa
    from pyarrow import parquet

    verdict = {"group": "g", "property": "p", "value": True, "slide": 2, "least": [0], "greatest": [1], "cuts": 2}
    metric = {"group": "g", **dict.fromkeys(COUNTERS, 0), "delivered": 2}
    for table, line in (("verdicts", verdict), ("metrics", metric)):
        place = folder / table / "batch=7"
        place.mkdir(parents=True)
        parquet.write_table(pa.Table.from_pylist([line]), place / "part.parquet")
    spec = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {"p": "possibly(a.x)"}})
    feed = OutputFeed(spec, folder)
    feed.look()
    return feed


def get(port: int) -> tuple[int, str | None, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/metrics")
    answer = connection.getresponse()
    found = answer.status, answer.getheader("Content-Type"), answer.read().decode()
    connection.close()
    return found


def test_the_server_offers_it_over_an_output_only(tmp_path: Path) -> None:
    with serving(written(tmp_path)) as server:
        status, kind, text = get(server.port)
    assert (status, kind) == (200, CONTENT_TYPE)
    found = read_metrics(text)
    assert found["latwin_last_batch"].value == 7
    assert found["latwin_verdicts_total"].samples[("property", "p"), ("value", "true")] == 1
    with serving(EventFeed(SPEC, [])) as server:
        assert get(server.port)[0] == 404


@pytest.mark.parametrize(
    "text",
    ["a 1", "# HELP a x\n# TYPE a gauge\na 1\na 2\n", "# HELP a x\n# TYPE a gauge\nb 1\n", "# TYPE a gauge\na 1\n"],
)
def test_the_reader_is_strict(text: str) -> None:
    with pytest.raises(AssertionError):
        read_metrics(text)
