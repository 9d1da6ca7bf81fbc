"""The explorer's page in a real browser, live."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from envelopes import envelope, envelopes
from exploring import MARKS, chatter, chromium, open_url
from latwin import Monitor, Spec
from latwin.demo.day import Demo
from latwin.events import Envelope
from latwin.explorer.feed import EventFeed, Feed
from latwin.explorer.outputs import OutputFeed
from latwin.explorer.page import header_of
from latwin.explorer.recording import COUNTERS
from latwin.explorer.server import ExplorerServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = MARKS


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@contextmanager
def served(feed: Feed, spec: Spec) -> Iterator[ExplorerServer]:
    header = header_of(spec, source="live", live=True, system=feed.system("") is not None)
    server = ExplorerServer(feed, header, host="127.0.0.1", port=0)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def test_a_live_page_follows_what_comes(browser: Browser) -> None:
    demo = Demo(seed=1, hours=8)
    coming: Queue[Envelope | None] = Queue()
    feed = EventFeed(demo.spec, iter(coming.get, None))
    runner = Thread(target=feed.run, daemon=True)
    runner.start()
    with served(feed, demo.spec) as server:
        opened = open_url(browser, server.url)
        assert "Waiting for the first slide" in opened.page.locator(".waiting").inner_text()
        assert opened.page.locator(".properties").is_hidden()  # the message alone
        for event in demo.events[:20]:
            coming.put(envelope(event))
        opened.wait_until("document.getElementById('app').dataset.slide === '20'")
        assert opened.page.locator(".live").inner_text() == "live"
        assert len(opened.cuts()) > 0
        opened.page.keyboard.press("ArrowLeft")
        for event in demo.events[20:30]:
            coming.put(envelope(event))
        opened.wait_until("document.querySelector('.total').textContent === 'of 30'")
        assert opened.slide == 19  # whoever looks at an earlier slide is left there
        opened.page.keyboard.press("End")
        coming.put(envelope(demo.events[30]))
        opened.wait_until("document.getElementById('app').dataset.slide === '31'")
        opened.shoot("live")
        assert opened.complaints == []
        assert all(url.startswith((server.url, "data:")) for url in opened.requests)
        opened.page.context.close()
    coming.put(None)
    runner.join()


def test_verdicts_of_a_pipeline(browser: Browser, tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    demo = Demo(seed=1, hours=8)
    monitor = Monitor(demo.spec)
    fields = ("property", "value", "slide", "least", "greatest", "cuts")
    verdicts = [
        {"group": "office", **{field: getattr(verdict, field) for field in fields}}
        for event in demo.events
        for verdict in monitor.observe(event)
    ]
    metrics = [{"group": "office", **{name: getattr(monitor.counters, name) for name in COUNTERS}}]
    for table, rows in (("verdicts", verdicts), ("metrics", metrics)):
        place = tmp_path / table / "batch=0"
        place.mkdir(parents=True)
        parquet.write_table(pa.Table.from_pylist(rows), place / "part.parquet")
    feed = OutputFeed(demo.spec, tmp_path)
    feed.look()
    with served(feed, demo.spec) as server:
        opened = open_url(browser, server.url)
        opened.page.get_by_role("button", name="office").click()
        opened.wait_until("document.getElementById('app').dataset.slide > 0")
        assert opened.slide == monitor.slide
        last = next(row for row in reversed(verdicts) if row["slide"] <= monitor.slide)
        facts = opened.page.locator(".facts").inner_text()
        assert f"({','.join(map(str, last['least']))})" in facts
        assert "Verdicts only" in str(opened.page.locator(".lattice svg").text_content())
        assert opened.page.locator(".windows rect").count() == 3
        opened.page.keyboard.press("[")
        assert opened.slide < monitor.slide
        opened.shoot("pipeline")
        opened.page.get_by_role("button", name="All groups").click()
        assert opened.page.locator(".system").is_visible()
        assert opened.complaints == []
        opened.page.context.close()


def test_all_groups_of_a_pipeline(browser: Browser, tmp_path: Path) -> None:
    names = ["eu-1", "eu-2", "us-1"]
    spec = Spec.from_dict(
        {
            "processes": ["a", "b"],
            "window": 2,
            "properties": {"clash": "possibly(a.x and b.x)", "busy": "possibly(a.x)"},
            "never": ["clash"],
        }
    )
    write_output(tmp_path, 0, {name: {"busy": True} for name in names})
    feed = OutputFeed(spec, tmp_path)
    feed.look()
    with served(feed, spec) as server:
        opened = open_url(browser, server.url)
        page = opened.page
        opened.wait_until("document.querySelector('.system .word').textContent.startsWith('In none of 3 groups')")
        write_output(tmp_path, 1, {"us-1": {"clash": True}})
        feed.look()
        opened.wait_until("document.querySelector('.system .word').textContent.startsWith('1 of 3 groups violates')")
        assert page.locator(".system tbody tr").first.inner_text().split() == ["us-1", "clash", "busy", "6", "0"]
        assert page.title() == "Violated: clash · live · latwin"
        assert "C62828" in str(page.locator("link[rel=icon]").get_attribute("href"))
        opened.shoot("system")
        page.get_by_label("Find a group").fill("eu")
        opened.wait_until("document.querySelectorAll('.system tbody tr').length === 2")
        page.get_by_role("button", name="eu-2").click()
        opened.wait_until("location.hash.includes('group=eu-2')")
        assert page.locator(".system").is_hidden()
        page.get_by_role("button", name="All groups").click()
        assert page.locator(".verdict").is_hidden()
        assert opened.complaints == []
        opened.page.context.close()


def write_output(folder: Path, batch: int, values: dict[str, dict[str, bool]]) -> None:
    """A batch of a pipeline's output in which each group has three slides more, with these verdicts at the last."""
    import pyarrow as pa
    from pyarrow import parquet

    slide = 3 * (batch + 1)
    verdicts = [
        {
            "group": group,
            "property": name,
            "value": value,
            "slide": slide,
            "least": [0, 0],
            "greatest": [1, 1],
            "cuts": 4,
        }
        for group, told in values.items()
        for name, value in told.items()
    ]
    metrics = [{"group": group, **dict.fromkeys(COUNTERS, 0), "delivered": slide} for group in values]
    for table, rows in (("verdicts", verdicts), ("metrics", metrics)):
        place = folder / table / f"batch={batch}"
        place.mkdir(parents=True)
        parquet.write_table(pa.Table.from_pylist(rows), place / "part.parquet")


def test_a_live_page_keeps_no_more_slides_than_its_server(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latwin.explorer.page.MOST_SLIDES", 20)
    spec, rows = chatter(["a", "b"], 60, window=3)
    coming: Queue[Envelope | None] = Queue()
    feed = EventFeed(spec, iter(coming.get, None))
    runner = Thread(target=feed.run, daemon=True)
    runner.start()
    with served(feed, spec) as server:
        for row in rows[:15]:
            coming.put(envelope(row))
        opened = open_url(browser, server.url)
        opened.wait_until("document.getElementById('app').dataset.slide === '15'")
        opened.page.keyboard.press("ArrowLeft")
        for row in rows[15:50]:
            coming.put(envelope(row))
        opened.wait_until("document.querySelector('.total').textContent === 'of 50'")
        assert opened.slide == 31  # the earliest that is left; the one looked at is dropped
        opened.page.keyboard.press("End")
        assert opened.slide == 50
        drawn = opened.page.locator(".timeline .drawing svg").get_attribute("data-slides")
        assert drawn == "31..50"
        coming.put(envelope(rows[50]))
        opened.wait_until("document.querySelector('.timeline .drawing svg').dataset.slides === '32..51'")
        recorder = feed._groups.recorders[""]
        assert len(opened.cuts()) == recorder.slides[-1].cuts
        assert opened.complaints == []
        opened.page.context.close()
    coming.put(None)
    runner.join()


def test_a_live_page_opens_the_very_name_and_tells_of_others(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("latwin.explorer.groups.MOST_GROUPS", 61)
    spec, rows = chatter(["a", "b"], 3, window=3)
    names = [*(f"office 1{k}" for k in range(60)), "office 1", "one too many"]
    feed = EventFeed(spec, envelopes({**row, "group": name} for name in names for row in rows))
    feed.run()
    with served(feed, spec) as server:
        opened = open_url(browser, server.url)
        opened.wait_until("document.getElementById('app').dataset.slide === '3'")
        opened.wait_until("document.querySelector('.note')?.textContent.startsWith('61 of 62 groups are shown')")
        opened.page.get_by_label("Group").fill("office 1")
        opened.page.keyboard.press("Enter")
        opened.wait_until("location.hash.endsWith('group=office+1')")
        assert opened.page.get_by_label("Group").input_value() == "office 1"
        assert opened.complaints == []
        opened.page.context.close()
