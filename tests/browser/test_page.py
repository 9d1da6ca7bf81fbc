"""The explorer's page in a real browser, as it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from exploring import MARKS, Opened, chatter, chromium, open_url
from hostile import NAMES
from latwin import Spec
from latwin.demo.day import Demo
from latwin.explorer.columns import chunk_of
from latwin.explorer.page import header_of, render_page
from latwin.explorer.recording import Recorder
from latwin.formats import Options, read_log

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = MARKS


class Case(NamedTuple):
    """A recording, and the page of it."""

    recorder: Recorder
    path: Path

    def cuts(self, slide: int) -> int | None:
        return self.recorder.slides[slide - 1].cuts


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
    with chromium() as started:
        yield started


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
    assert "possibly(phone.ap == 'meeting-room'" in page.locator(".asked").inner_text()
    page.locator(".more summary").click()
    assert "answered from the clocks alone" in page.locator(".detail").inner_text()
    page.locator(".more summary").click()
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
        "Words and keys",
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
    said = str(opened.page.locator(".lattice svg").text_content())
    assert "No consistent global state" in said
    assert "a#2 already knows of b#2" in said
    assert opened.page.locator(".facts").inner_text() == "no cut"
    assert opened.page.locator(".state.inside").count() == 2
    opened.shoot("empty")
    opened.page.keyboard.press("ArrowLeft")
    assert opened.page.locator(".cut").count() == 1


def test_a_large_lattice_is_aggregated_by_level(folder: Path, open_page: Callable[..., Opened]) -> None:
    spec, rows = chatter(list("abcdef"), 60, window=6, talk=0.1)
    case = make_case(folder, "large", spec, rows)
    slide = max(range(1, 61), key=lambda at: case.cuts(at) or 0)
    notes = case.recorder.slides[slide - 1]
    assert notes.levels is not None
    opened = open_page(case, f"#slide={slide}&property=apart")
    assert opened.page.locator(".lattice .bar").count() == len(notes.levels)
    assert opened.page.locator(".lattice .cut").count() == 0
    assert f"{notes.cuts:,} cuts" in opened.page.locator(".facts").inner_text()
    opened.shoot("large")
    opened.page.keyboard.press("Home")
    assert opened.page.locator(".lattice .bar").count() == 0


@pytest.mark.soak
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


def test_an_unknown_group_is_ignored(folder: Path, open_page: Callable[..., Opened]) -> None:
    spec, rows = chatter(["a", "b"], 30, window=3)
    recorders = [Recorder(spec).record(rows[:count]) for count in (10, 20)]
    path = folder / "two groups.html"
    header = header_of(spec, source="groups", groups=["first", "second"])
    path.write_text(render_page(header, [chunk_of(recorder) for recorder in recorders]), encoding="utf-8")
    opened = open_page(Case(recorders[0], path), "#group=typo&slide=5")
    assert opened.page.get_by_label("Group").input_value() == "first"
    opened.wait_until("location.hash.endsWith('group=first')")
    opened.page.evaluate("location.hash = '#group=second&slide=7'")
    opened.wait_until("document.querySelector('.total').textContent === 'of 20'")
    opened.page.evaluate("location.hash = '#group=typo&slide=8'")
    opened.page.wait_for_selector('#app[data-slide="8"]')
    opened.wait_until("location.hash.endsWith('group=second')")
    assert opened.page.get_by_label("Group").input_value() == "second"
    assert opened.page.locator(".total").inner_text() == "of 20"


def test_a_click_on_its_name_chooses_a_property(two: Case, open_page: Callable[..., Opened]) -> None:
    opened = open_page(two, "#slide=40&property=jam")
    opened.page.locator(".strip .name").nth(2).click()
    assert opened.page.locator(".chip[aria-pressed=true]").get_attribute("data-property") == "order"


def test_nothing_but_the_bundle_may_run(office: Case, browser: Browser) -> None:
    opened = open_url(browser, office.path.as_uri())
    opened.page.wait_for_selector("#app[data-slide]")
    assert opened.complaints == []
    opened.page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.ran = true';"
        " document.body.append(s); const i = document.createElement('img');"
        " i.src = 'http://127.0.0.1:9/x.png'; document.body.append(i) }"
    )
    opened.poll(lambda: len(opened.complaints) >= 2, "two complaints")
    assert all("Content Security Policy" in text for text in opened.complaints)
    assert opened.page.evaluate("window.ran") is None
    opened.page.context.close()


def test_a_smaller_window_is_not_overflowed(office: Case, browser: Browser) -> None:
    for width, height in ((1120, 700), (700, 900)):
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(office.path.as_uri())
        page.wait_for_selector("#app[data-slide]")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.close()


def test_names_are_shown_and_not_obeyed(folder: Path, open_page: Callable[..., Opened]) -> None:
    """Markup in processes, properties, variables, values, times and groups makes no element and runs nothing."""
    names = [NAMES[kind] for kind in ("script", "image", "svg", "comment", "quotes")]
    properties = {name: f"possibly(p.x == {json.dumps(name)})" for name in names}
    spec = Spec.from_dict({"processes": [*names, "p"], "window": 2, "properties": properties})
    rows: list[dict[str, Any]] = [
        {"process": name, "clock": {name: 1}, "state": {name: name, "x": name}, "time": name}
        for name in [*names, "p"]
    ]
    case = make_case(folder, "hostile", spec, rows)
    opened = open_page(case, f"#slide={len(rows)}")
    page = opened.page
    assert page.locator(".spacetime .lane title").all_text_contents() == [*names, "p"]
    shown = page.locator(".spacetime .lane text").all_text_contents()  # long names are shortened in the middle
    assert [text[:3] for text in shown] == [name[:3] for name in [*names, "p"]]
    assert page.evaluate("document.querySelectorAll('img, iframe, [onload], [onerror], #app script').length") == 0
    for state in page.locator(".spacetime .state").all()[-2:]:
        state.hover(force=True)
    assert page.evaluate("document.querySelectorAll('img, iframe, [onload], [onerror], #app script').length") == 0
