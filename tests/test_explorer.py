"""The explorer's page in a real browser: Debian's Chromium, headless, driven by Playwright.

Screenshots are kept in `build/screenshots`.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from latwin import Monitor, Spec
from latwin.demo import Demo
from latwin.explorer.columns import chunk_of
from latwin.explorer.feed import EventFeed, Feed
from latwin.explorer.outputs import OutputFeed
from latwin.explorer.page import header_of, render_page
from latwin.explorer.recording import COUNTERS, Recorder
from latwin.explorer.server import ExplorerServer
from latwin.formats import Options, read_log

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
SCREENSHOTS = Path(__file__).parent.parent / "build" / "screenshots"
SEED = 7

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on the PATH"),
]


class Case(NamedTuple):
    """A recording, and the page of it."""

    recorder: Recorder
    path: Path

    def cuts(self, slide: int) -> int | None:
        return self.recorder.slides[slide - 1].cuts


class Opened(NamedTuple):
    """A page that is open, with what it complained of and asked for."""

    page: Page
    complaints: list[str]
    requests: list[str]

    @property
    def slide(self) -> int:
        return int(self.page.locator("#app").get_attribute("data-slide") or 0)

    def cuts(self) -> list[str]:
        return [
            str(cut) for cut in self.page.locator(".lattice .cut").evaluate_all("all => all.map(c => c.dataset.cut)")
        ]

    def wait_until(self, expression: str) -> None:
        """Playwright's own waiting evaluates text inside the page, which the page's policy forbids."""
        for _ in range(200):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never came true: {expression}")

    def shoot(self, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")


def make_case(folder: Path, name: str, spec: Spec, rows: list[dict[str, Any]]) -> Case:
    recorder = Recorder(spec).record(rows)
    path = folder / f"{name}.html"
    path.write_text(render_page(header_of(spec, source=name, groups=[""]), [chunk_of(recorder)]), encoding="utf-8")
    return Case(recorder, path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def office(folder: Path) -> Case:
    demo = Demo(seed=1, hours=8)
    return make_case(folder, "smart office", demo.spec, demo.events)


@pytest.fixture(scope="module")
def two(folder: Path) -> Case:
    spec, rows = chatter(["a", "b"], 60, window=4)
    return make_case(folder, "two processes", spec, rows)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Opened]]:
    """Opens a page at a link; afterwards it must have complained of nothing and asked nobody."""
    opened: list[Opened] = []

    def open_one(case: Case, link: str = "", **settings: Any) -> Opened:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce", **settings)
        page = context.new_page()
        made = Opened(page, [], [])
        page.on("console", lambda message: made.complaints.append(message.text))
        page.on("pageerror", lambda error: made.complaints.append(str(error)))
        page.on("request", lambda request: made.requests.append(request.url))
        opened.append(made)
        page.goto(case.path.as_uri() + link)
        page.wait_for_selector("#app[data-slide]")
        return made

    yield open_one
    for made in opened:
        assert made.complaints == []
        assert [url for url in made.requests if not url.startswith(("file:", "data:"))] == []
        made.page.context.close()


def chatter(names: list[str], count: int, *, window: int, talk: float = 0.3) -> tuple[Spec, list[dict[str, Any]]]:
    """Processes that work, and now and then hear of each other."""
    print(f"seed {SEED}")
    draw = random.Random(SEED)
    clocks = {name: dict.fromkeys(names, 0) for name in names}
    rows = []
    for _ in range(count):
        name, other = draw.sample(names, 2)
        if draw.random() < talk:
            clocks[name] = {k: max(v, clocks[other][k]) for k, v in clocks[name].items()}
        clocks[name][name] += 1
        rows.append({"process": name, "clock": dict(clocks[name]), "state": {"busy": draw.random() < 0.5}})
    first, second = names[:2]
    properties = {
        "jam": f"definitely({first}.busy and {second}.busy)",
        "apart": f"possibly({first}.busy != {second}.busy)",
        "order": f"possibly(seq({first}.busy, any*, {second}.busy))",
        "mixed": f"possibly({first}.busy) and not definitely({second}.busy)",
    }
    return Spec.from_dict({"processes": names, "window": window, "properties": properties}), rows


def test_the_smart_office(office: Case, open_page: Callable[..., Opened]) -> None:
    assert office.path.stat().st_size < 1_000_000
    opened = open_page(office, "#slide=20&property=perhaps")
    page = opened.page
    assert page.locator(".spacetime .lane text").all_text_contents() == ["phone", "rfid", "projector"]
    assert page.locator(".spacetime .state.inside").count() == 12
    assert page.locator(".spacetime .windows rect").count() == 3
    assert page.locator(".spacetime .message").count() > 0
    assert len(opened.cuts()) == office.cuts(20)
    assert page.locator(".cut.least").count() == page.locator(".cut.greatest").count() == 1
    assert page.locator(".timeline .strip").count() == 3
    assert "possibly(phone.ap == 'meeting-room'" in page.locator(".detail").inner_text()
    assert "answered from the clocks alone" in page.locator(".detail").inner_text()
    assert page.locator('[data-counter="delivered"] dd').inner_text() == "20"
    size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == [1440, 900]  # one screen, no scrolling
    for area in (".properties", ".spacetime .drawing", ".lattice .drawing", ".timeline .drawing"):
        inside = page.locator(area).evaluate("box => box.scrollHeight <= box.clientHeight + 1")
        assert inside, area
    opened.shoot("office")


def test_cuts_and_labels_are_those_of_the_lattice(office: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(office, "#slide=1&property=hitch")
    for slide in (15, 33, 60, 101):
        notes = office.recorder.slides[slide - 1]
        opened.page.evaluate(f"location.hash = '#slide={slide}'")
        opened.page.wait_for_selector(f'#app[data-slide="{slide}"]')
        assert len(opened.cuts()) == notes.cuts
        filled = opened.page.locator(".cut.filled").count()
        assert f"{filled} filled" in opened.page.locator(".facts").inner_text()
        least = [office.recorder.noted[k][number].index for k, number in enumerate(notes.least or ())]
        assert opened.page.locator(".cut.least").get_attribute("data-cut") == f"({','.join(map(str, least))})"


def test_stepping_moves_the_whole_page(office: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(office, "#slide=20")
    page = opened.page
    before = opened.cuts()
    page.keyboard.press("ArrowRight")
    assert opened.slide == 21
    assert opened.cuts() != before
    delivered = office.recorder.slides[20]
    name = office.recorder.spec.processes[delivered.process]
    index = office.recorder.noted[delivered.process][delivered.newest[delivered.process]].index
    assert page.locator(".state.delivered").get_attribute("data-state") == f"{name}#{index}"
    page.keyboard.press("ArrowLeft")
    assert (opened.slide, opened.cuts()) == (20, before)
    page.keyboard.press("Shift+ArrowRight")
    assert opened.slide == 30
    page.keyboard.press("End")
    assert opened.slide == len(office.recorder.slides)
    page.keyboard.press("ArrowRight")
    assert opened.slide == len(office.recorder.slides)
    page.keyboard.press("Home")
    assert opened.slide == 1
    box = page.locator(".timeline .pad").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    assert abs(opened.slide - len(office.recorder.slides) / 2) <= 1
    page.get_by_label("Slide", exact=True).and_(page.locator("input")).fill("42")
    page.keyboard.press("Enter")
    assert opened.slide == 42


def test_changes_and_playing(office: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(office, "#slide=1&property=mute")
    values = [bool(slide.values[0]) for slide in office.recorder.slides]
    changes = [k + 1 for k, value in enumerate(values) if value != (values[k - 1] if k else False)]
    opened.page.keyboard.press("]")
    assert opened.slide == changes[0]
    opened.page.get_by_role("button", name="Next change of the property").click()
    assert opened.slide == changes[1]
    opened.page.keyboard.press("[")
    assert opened.slide == changes[0]
    opened.page.get_by_label("Slides per second").select_option("60")
    opened.page.get_by_role("button", name="Play").click()
    opened.wait_until(f"Number(document.getElementById('app').dataset.slide) > {changes[0] + 3}")
    opened.page.get_by_role("button", name="Pause").click()
    stopped = opened.slide
    opened.page.wait_for_timeout(100)
    assert opened.slide == stopped


def test_pointing_links_both_drawings(office: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(office, "#slide=33&property=mute")
    page = opened.page
    names = opened.cuts()
    for name in (names[0], names[len(names) // 2], names[-1]):
        page.hover(f'.lattice .cut[data-cut="{name}"] rect')
        assert page.locator(".over .frontier.hovered").get_attribute("data-cut") == name
        assert page.locator(".state.lit").count() == 3
        assert name in page.locator(".tip").inner_text()
    opened.shoot("office-cut")
    page.set_default_timeout(5_000)
    page.hover(".state.delivered rect")
    tip = page.locator(".tip").inner_text()
    state = str(page.locator(".state.delivered").get_attribute("data-state"))
    assert state in tip
    assert "delivered at slide 33" in tip
    lit = page.locator(".lattice .cut.lit").get_attribute("data-cut")
    assert lit == page.locator(".over .frontier.hovered").get_attribute("data-cut")
    through = page.locator(".lattice .cut.through").evaluate_all("all => all.map(c => c.dataset.cut)")
    process = office.recorder.spec.processes.index(state.partition("#")[0])
    index = state.partition("#")[2]
    assert through == [cut for cut in names if cut.strip("()").split(",")[process] == index]
    opened.shoot("office-state")
    page.mouse.move(720, 20)
    assert page.locator(".over .frontier").count() == 0
    assert page.locator(".tip").is_hidden()


def test_a_cut_can_be_kept(office: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(office, "#slide=33")
    name = opened.cuts()[2]
    opened.page.click(f'.lattice .cut[data-cut="{name}"] rect')
    opened.page.mouse.move(720, 20)
    assert opened.page.locator(".over .frontier.pinned").get_attribute("data-cut") == name
    opened.page.keyboard.press("Escape")
    assert opened.page.locator(".over .frontier").count() == 0


def test_witnesses_are_drawn(office: Case, open_page: Callable[..., Opened]) -> None:
    mute, perhaps = ([slide.parts[k] for slide in office.recorder.slides] for k in (0, 1))
    at = next(k for k, note in enumerate(perhaps) if note.cut is not None and not mute[k].value)
    cut = [office.recorder.noted[k][number].index for k, number in enumerate(perhaps[at].cut or ())]
    opened = open_page(office, f"#slide={at + 1}&property=perhaps")
    shown = f"({','.join(map(str, cut))})"
    assert opened.page.locator(".frontier.witness").get_attribute("data-cut") == shown
    assert opened.page.locator(".cut.on-witness").get_attribute("data-cut") == shown
    opened.page.get_by_role("button", name=re.compile("^mute")).click()
    path = mute[at].path
    assert path is not None
    assert opened.page.locator(".witness path").count() == 1
    assert opened.page.locator(".cut.on-witness").count() == len(path) + 1
    assert opened.page.locator(".cut.on-witness.filled").count() == 0  # it avoids the condition
    opened.shoot("office-witness")


def test_links_lead_to_a_slide_and_follow_it(office: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(office, "#slide=57&property=hitch")
    page = opened.page
    assert opened.slide == 57
    assert page.locator(".chip[aria-pressed=true]").get_attribute("data-property") == "hitch"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    opened.wait_until("location.hash === '#slide=58&property=mute'")
    page.evaluate("location.hash = '#slide=12&property=perhaps'")
    page.wait_for_selector('#app[data-slide="12"]')
    assert page.locator(".chip[aria-pressed=true]").get_attribute("data-property") == "perhaps"
    assert open_page(office, "#slide=99999&property=none").slide == len(office.recorder.slides)


def test_everything_can_be_reached_and_read_without_a_mouse(office: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(office, "#slide=33&property=perhaps")
    page = opened.page
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                "(() => { const e = document.activeElement;"
                " return e.getAttribute('aria-label') || e.textContent || e.tagName })()"
            )
        )
    for wanted in (
        "Light or dark",
        "Keys and help",
        "mute: ",
        "Space-time diagram",
        "The lattice: ",
        "Play",
        "Slide",
    ):
        assert any(wanted in label for label in reached), wanted
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button, input, select, svg[tabindex], [role=slider]')]"
        ".filter(e => !e.getAttribute('aria-label') && !e.textContent.trim()).length"
    )
    assert unnamed == 0
    page.locator(".lattice svg").focus()
    page.keyboard.press("ArrowDown")
    least = page.locator(".cut.least").get_attribute("data-cut")
    assert page.locator(".cut.lit").get_attribute("data-cut") == least
    page.keyboard.press("ArrowDown")
    below = page.locator(".cut.lit").get_attribute("data-cut")
    assert below != least
    assert opened.slide == 33
    page.keyboard.press("Enter")
    assert page.locator(".cut.pinned").get_attribute("data-cut") == below
    page.locator(".spacetime svg").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator(".state.focused").count() == 1
    assert page.locator(".tip").is_visible()
    page.locator(".timeline .pad").focus()
    page.keyboard.press("ArrowRight")
    slider = page.get_by_role("slider")
    assert slider.get_attribute("aria-valuenow") == "34"
    opened.wait_until("document.querySelector('[aria-live]').textContent.startsWith('Slide 34 of')")
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").is_hidden()


def test_light_and_dark(office: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(office, "#slide=33&property=perhaps", color_scheme="dark")
    shade = "getComputedStyle(document.body).backgroundColor"
    dark = opened.page.evaluate(shade)
    opened.shoot("office-dark")
    opened.page.get_by_role("button", name="Light or dark").click()
    light = opened.page.evaluate(shade)
    assert dark != light
    assert open_page(office, color_scheme="light").page.evaluate(shade) == light


def test_two_processes_on_a_grid(two: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(two, "#slide=40&property=order")
    notes = two.recorder.slides[39]
    window = [high - low + 1 for low, high in zip(notes.oldest, notes.newest, strict=True)]
    assert notes.cuts is not None
    assert opened.page.locator(".cut").count() == notes.cuts
    assert opened.page.locator(".inconsistent").count() == window[0] * window[1] - notes.cuts
    opened.shoot("grid")
    opened.page.get_by_role("button", name="levels").click()
    assert opened.page.locator(".inconsistent").count() == 0
    assert opened.page.locator(".cut").count() == notes.cuts


def test_a_combined_property_is_shown_by_its_parts(two: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(two, "#slide=40&property=mixed&part=1")
    parts = opened.page.locator(".part")
    assert parts.all_text_contents() == ["possibly(a.busy)", "definitely(b.busy)"]
    assert parts.nth(1).get_attribute("aria-pressed") == "true"
    before = opened.page.locator(".cut.filled").evaluate_all("all => all.map(c => c.dataset.cut)")
    parts.nth(0).click()
    after = opened.page.locator(".cut.filled").evaluate_all("all => all.map(c => c.dataset.cut)")
    assert before != after


def test_a_shiviz_log_of_eight_processes(folder: Path, open_page: Callable[..., Opened]) -> None:
    names = ["client", "gateway", "auth", "orders", "stock", "billing", "mailer", "audit"]
    _, rows = chatter(names, 120, window=3, talk=0.5)
    log = "".join(f"busy={row['state']['busy']}\n{row['process']} {json.dumps(row['clock'])}\n" for row in rows)
    found = read_log(log, "shiviz", Options(parser=r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"))
    events = [{"process": e.process, "clock": e.clock, "state": {"event": e.text}} for e in found]
    text = "possibly(client.event == 'busy=True' and gateway.event == 'busy=False')"
    spec = Spec.from_dict({"processes": names, "window": 3, "properties": {"uneven": text}})
    case = make_case(folder, "shiviz log", spec, events)
    slide = next(k + 1 for k, note in enumerate(case.recorder.slides) if k > 60 and note.parts[0].cut)
    opened = open_page(case, f"#slide={slide}")
    assert opened.page.locator(".spacetime .lane text").all_text_contents() == names
    assert case.cuts(slide) == opened.page.locator(".lattice .cut").count()
    assert opened.page.locator(".frontier.witness").count() == 1
    opened.shoot("shiviz-8")


def test_an_empty_window(folder: Path, open_page: Callable[..., Opened]) -> None:
    spec = Spec.from_dict({"processes": ["a", "b"], "window": 1, "properties": {"p": "possibly(a.x and b.x)"}})
    rows = [
        {"process": "a", "clock": [1, 0], "state": {"x": True}},
        {"process": "b", "clock": [0, 1], "state": {"x": True}},
        {"process": "a", "clock": [2, 2], "state": {"x": True}},  # it knows a state of b that is not there yet
    ]
    case = make_case(folder, "empty", spec, rows)
    opened = open_page(case, "#slide=3")
    assert opened.page.locator(".cut").count() == 0
    assert "No cut" in str(opened.page.locator(".lattice svg").text_content())
    assert opened.page.locator(".facts").inner_text() == "no cut"
    assert opened.page.locator(".state.inside").count() == 2
    opened.shoot("empty")
    opened.page.keyboard.press("ArrowLeft")
    assert opened.page.locator(".cut").count() == 1


def test_a_large_lattice_is_aggregated_by_level(folder: Path, open_page: Callable[..., Opened]) -> None:
    spec, rows = chatter(list("abcdef"), 150, window=6, talk=0.1)
    case = make_case(folder, "large", spec, rows)
    slide = max(range(1, 151), key=lambda at: case.cuts(at) or 0)
    notes = case.recorder.slides[slide - 1]
    assert notes.levels is not None
    opened = open_page(case, f"#slide={slide}&property=apart")
    assert opened.page.locator(".lattice .bar").count() == len(notes.levels)
    assert opened.page.locator(".lattice .cut").count() == 0
    assert f"{notes.cuts:,} cuts" in opened.page.locator(".facts").inner_text()
    opened.shoot("large")
    opened.page.keyboard.press("Home")
    assert opened.page.locator(".lattice .bar").count() == 0


def test_ten_thousand_slides(folder: Path, open_page: Callable[..., Opened]) -> None:
    spec, rows = chatter(["a", "b", "c"], 10_000, window=3)
    few = {name: spec.properties[name] for name in ("jam", "apart")}
    spec = Spec.from_dict({**spec.to_dict(), "properties": few})
    case = make_case(folder, "long", spec, rows)
    assert case.path.stat().st_size < 1_000_000
    opened = open_page(case, "#slide=9000")
    assert len(opened.cuts()) == case.cuts(9000)
    for slide in (1, 2500, 7777, 10_000):
        opened.page.evaluate(f"location.hash = '#slide={slide}'")
        opened.page.wait_for_selector(f'#app[data-slide="{slide}"]')
        assert len(opened.cuts()) == case.cuts(slide)
    opened.shoot("long")


def test_groups_are_found_by_their_name(folder: Path, open_page: Callable[..., Opened]) -> None:
    spec, rows = chatter(["a", "b"], 30, window=3)
    names = [f"office {k}" for k in range(20)]
    recorders = [Recorder(spec).record(rows[: 10 + k]) for k in range(20)]
    path = folder / "groups.html"
    header = header_of(spec, source="groups", groups=names, notes=["20 of 200 groups are shown."])
    path.write_text(render_page(header, [chunk_of(recorder) for recorder in recorders]), encoding="utf-8")
    opened = open_page(Case(recorders[7], path), "#group=office+7&slide=12")
    page = opened.page
    assert page.locator(".total").inner_text() == "of 17"
    assert opened.slide == 12
    assert "20 of 200 groups" in page.locator(".note").inner_text()
    page.get_by_label("Group").fill("19")
    assert page.locator("#groups option").count() == 1
    page.keyboard.press("Enter")
    opened.wait_until("document.querySelector('.total').textContent === 'of 29'")
    opened.wait_until("location.hash.includes('group=office+19')")


def test_nothing_but_the_bundle_may_run(office: Case, browser: Browser) -> None:
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(office.path.as_uri())
    page.wait_for_selector("#app[data-slide]")
    assert complaints == []
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.ran = true';"
        " document.body.append(s); const i = document.createElement('img');"
        " i.src = 'http://127.0.0.1:9/x.png'; document.body.append(i) }"
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.ran") is None
    assert len([text for text in complaints if "Content Security Policy" in text]) == 2
    page.close()


@contextmanager
def served(feed: Feed, spec: Spec) -> Iterator[ExplorerServer]:
    server = ExplorerServer(feed, header_of(spec, source="live", live=True), host="127.0.0.1", port=0)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def open_url(browser: Browser, url: str) -> Opened:
    page = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce").new_page()
    opened = Opened(page, [], [])
    page.on("console", lambda message: opened.complaints.append(message.text))
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    page.on("request", lambda request: opened.requests.append(request.url))
    page.goto(url)
    return opened


def test_a_live_page_follows_what_comes(browser: Browser) -> None:
    demo = Demo(seed=1, hours=8)
    coming: Queue[dict[str, Any] | None] = Queue()
    feed = EventFeed(demo.spec, iter(coming.get, None))
    runner = Thread(target=feed.run, daemon=True)
    runner.start()
    with served(feed, demo.spec) as server:
        opened = open_url(browser, server.url)
        assert "Waiting for the first slide" in opened.page.locator(".waiting").inner_text()
        for event in demo.events[:20]:
            coming.put(event)
        opened.wait_until("document.getElementById('app').dataset.slide === '20'")
        assert opened.page.locator(".live").inner_text() == "live"
        assert len(opened.cuts()) > 0
        opened.page.keyboard.press("ArrowLeft")
        for event in demo.events[20:30]:
            coming.put(event)
        opened.wait_until("document.querySelector('.total').textContent === 'of 30'")
        assert opened.slide == 19  # whoever looks at an earlier slide is left there
        opened.page.keyboard.press("End")
        coming.put(demo.events[30])
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
        opened.wait_until("document.getElementById('app').dataset.slide > 0")
        assert opened.slide == monitor.slide
        last = next(row for row in reversed(verdicts) if row["slide"] <= monitor.slide)
        facts = opened.page.locator(".facts").inner_text()
        assert f"({','.join(map(str, last['least']))})" in facts
        assert "verdicts" in str(opened.page.locator(".lattice svg").text_content())
        assert opened.page.locator(".windows rect").count() == 3
        opened.page.keyboard.press("[")
        assert opened.slide < monitor.slide
        opened.shoot("pipeline")
        assert opened.complaints == []
        opened.page.context.close()


def test_a_smaller_window_is_not_overflowed(office: Case, browser: Browser) -> None:
    for width, height in ((1120, 700), (700, 900)):
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(office.path.as_uri())
        page.wait_for_selector("#app[data-slide]")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.close()
