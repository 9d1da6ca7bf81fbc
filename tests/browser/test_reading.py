"""The explorer's page explains: to those who read it, on a small screen, and by ear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from exploring import MARKS, chatter, chromium
from joining import ROLLING, rolling
from latwin.cli import app
from latwin.demo.day import Demo
from latwin.explorer.columns import chunk_of
from latwin.explorer.page import header_of, render_page
from latwin.explorer.recording import Recorder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
AXE = ROOT / "explorer/node_modules/axe-core/axe.min.js"
WIDTHS = (390, 1440, 1920)

pytestmark = MARKS


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reading")


@pytest.fixture(scope="module")
def day() -> Recorder:
    demo = Demo(seed=1, hours=8)
    return Recorder(demo.spec).record(demo.events)


@pytest.fixture(scope="module")
def office(folder: Path, day: Recorder) -> Path:
    return written(folder / "office.html", day)


@pytest.fixture(scope="module")
def split_brain(folder: Path) -> Path:
    """Two leaders in one term, which must never be."""
    path = folder / "split-brain.html"
    example = ROOT / "examples/election"
    arguments = ["explore", str(example / "spec.toml"), str(example / "split-brain.log"), "--out", str(path)]
    outcome = CliRunner().invoke(app, [*arguments, "--no-open"])
    assert outcome.exit_code == 0, outcome.output
    return path


@pytest.fixture(scope="module")
def thirty(folder: Path) -> Path:
    names = [f"service_number_{k:02}_in_eu" for k in range(30)]
    spec, rows = chatter(names, 150, window=3, talk=0.5)
    return written(folder / "thirty.html", Recorder(spec).record(rows))


def written(path: Path, recorder: Recorder) -> Path:
    header = header_of(recorder.spec, source=path.stem, groups=[""])
    path.write_text(render_page(header, [chunk_of(recorder)]), encoding="utf-8")
    return path


def opened(browser: Browser, path: Path, link: str = "", *, width: int = 1440, scheme: str = "light") -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        reduced_motion="reduce",
        color_scheme="dark" if scheme == "dark" else "light",
        has_touch=width < 500,
    )
    page = context.new_page()
    page.goto(path.as_uri() + link)
    page.wait_for_selector("#app[data-slide]")
    return page


def test_it_begins_at_the_first_violation_and_is_red(browser: Browser, split_brain: Path) -> None:
    page = opened(browser, split_brain)
    assert page.locator("#app").get_attribute("data-slide") == "11"
    assert page.locator(".verdict .word").inner_text() == "Violated"
    said = "In some possible order, s1.role was leader and s1.term was 1 while s3.role was leader and s3.term was 1."
    assert page.locator(".sentence").inner_text() == said
    assert page.title() == "Violated: split_brain · election · latwin"
    assert "C62828" in str(page.locator("link[rel=icon]").get_attribute("href"))
    assert page.locator('.chip[data-tone="violated"]').count() == 1
    assert page.locator(".strip.never.violated").count() == 1
    assert "leader, term 1" in page.locator(".label.holds .value").all_text_contents()
    blamed = page.locator(".state.culprit").evaluate_all("all => all.map(g => g.dataset.state)")
    assert blamed == ["s1#3", "s3#3"]
    assert "violation" in page.locator(".legend").inner_text()
    assert red(page) == {".state.culprit rect", ".cut.filled rect"}
    page.keyboard.press("ArrowLeft")
    assert page.locator(".verdict .word").inner_text() == "Not violated"
    # States still satisfy their part, but nothing is violated, so nothing is red.
    assert page.locator(".state.holds.inside").count() > 0
    assert red(page) == set()
    assert page.title() == "election · latwin"
    page.keyboard.press("}")
    assert page.locator("#app").get_attribute("data-slide") == "11"
    page.context.close()


def red(page: Page) -> set[str]:
    """What is filled with the colour of violations in the two drawings."""
    script = "(all, colour) => all.some(e => getComputedStyle(e).fill === colour)"
    kinds = (".state.culprit rect", ".state:not(.culprit) rect", ".cut.filled rect", ".cut:not(.filled) rect")
    return {kind for kind in kinds if page.locator(kind).evaluate_all(script, "rgb(198, 40, 40)")}


def test_a_true_definitely_shows_what_forces_it(browser: Browser, office: Path, day: Recorder) -> None:
    """The page finds the runs wherever Python says that it is true, and only there."""
    page = opened(browser, office, "#slide=1&property=mute")
    for number, slide in enumerate(day.slides, start=1):
        if number % 3:
            continue
        page.evaluate(f"location.hash = '#slide={number}'")
        page.wait_for_selector(f'#app[data-slide="{number}"]')
        assert page.locator("path.run").count() == (3 if slide.values[0] else 0), number
        assert (page.locator(".cut.forced").count() > 0) == slide.values[0], number
        sentence = page.locator(".sentence").inner_text()
        path = slide.parts[0].path
        if slide.values[0]:
            assert sentence.startswith("Whatever the order, ")
        else:
            assert sentence.startswith("In the order drawn in orange, ")
            assert path is not None
            assert page.locator("text.step").count() == len(path)
            assert page.locator("path.movement").count() == min(len(path) + 1, 40)
    page.context.close()


def test_an_address_that_is_entered_is_followed(browser: Browser, office: Path) -> None:
    """Also if the page writes the address of the slide of before, which it does a little later, just after that."""
    page = opened(browser, office, "#slide=1")
    page.evaluate("() => { window.setTimeout = (later) => { window.later = later; return 0; }; }")
    page.keyboard.press("ArrowRight")
    page.evaluate("() => { location.hash = '#slide=9'; window.later(); }")
    page.wait_for_selector('#app[data-slide="9"]')
    page.context.close()


def test_states_are_found_and_slides_zoomed(browser: Browser, office: Path) -> None:
    page = opened(browser, office, "#slide=1")
    page.keyboard.press("/")
    page.keyboard.type("phone#9")
    page.keyboard.press("Enter")
    assert page.locator(".state.focused").get_attribute("data-state") == "phone#9"
    assert page.locator("g.found path").count() == 1
    page.keyboard.press("Escape")
    shown = page.locator(".timeline .drawing svg")
    assert shown.get_attribute("data-shown") == "1..146"
    page.keyboard.press("+")
    first, last = map(int, str(shown.get_attribute("data-shown")).split(".."))
    assert 70 <= last - first <= 76
    page.keyboard.press("End")
    assert str(shown.get_attribute("data-shown")).endswith("..146")
    page.get_by_role("button", name="Show all slides").click()
    assert shown.get_attribute("data-shown") == "1..146"
    page.context.close()


def test_thirty_processes_scroll_and_can_be_hidden(browser: Browser, thirty: Path) -> None:
    page = opened(browser, thirty, "#slide=100&property=jam")
    drawing = page.locator(".spacetime .drawing")
    assert drawing.evaluate("box => box.scrollHeight > box.clientHeight")
    names = page.locator(".spacetime .lane text").all_text_contents()
    assert len(set(names)) == 30
    above = "all => all.map(t => t.getBBox().y).concat(all.map(t => t.getBBox().x))"
    assert min(page.locator(".spacetime .frontier text").evaluate_all(above)) >= 0, "names of cuts are cut off"
    page.locator(".processes summary").click()
    page.get_by_role("button", name="those that the property reads").click()
    assert page.locator(".spacetime .lane text").count() == 2
    assert drawing.evaluate("box => box.scrollHeight <= box.clientHeight")
    page.get_by_role("button", name="Move service_number_01_in_eu up").click()
    lanes = "all => all.map(g => [g.getBoundingClientRect().y, g.querySelector('title').textContent]).sort()"
    assert [name[-8:] for _, name in page.locator(".spacetime g.lane").evaluate_all(lanes)] == [
        "01_in_eu",
        "00_in_eu",
    ]
    page.context.close()


def test_the_lattice_keeps_its_form_while_stepping(browser: Browser, office: Path) -> None:
    page = opened(browser, office, "#slide=1")
    forms = set()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
        forms.add(page.locator(".cut text").first.text_content() != "")
    assert len(forms) == 1
    page.context.close()


def test_a_telephone(browser: Browser, office: Path) -> None:
    """Nothing sticks out at 390 px, the panels stand below each other, and a swipe steps."""
    page = opened(browser, office, "#slide=33&property=mute", width=390)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    boxes = [page.locator(f".{name}").bounding_box() for name in ("properties", "spacetime", "lattice", "timeline")]
    for above, below in pairwise(boxes):
        assert above is not None
        assert below is not None
        assert above["y"] + above["height"] <= below["y"]
        assert above["x"] >= 0
        assert above["x"] + above["width"] <= 390
    wide = page.evaluate(
        "[...document.querySelectorAll('#app *')]"
        ".filter(e => e.checkVisibility() && !e.closest('.unseen, svg, dialog'))"
        ".map(e => [e.tagName, e.className, e.getBoundingClientRect().right]).filter(([, , right]) => right > 390.5)"
    )
    assert wide == []
    page.evaluate(
        "(() => { const box = document.querySelector('.spacetime .drawing');"
        " const at = x => new Touch({identifier: 1, target: box, clientX: x, clientY: 400});"
        " box.dispatchEvent(new TouchEvent('touchstart', {touches: [at(300)], changedTouches: [at(300)]}));"
        " box.dispatchEvent(new TouchEvent('touchend', {touches: [], changedTouches: [at(180)]})) })()"
    )
    assert page.locator("#app").get_attribute("data-slide") == "34"
    page.context.close()


def test_lanes_come_and_end(browser: Browser, folder: Path) -> None:
    """A rolling restart: a lane for each pod from when it joined, which ends where it left."""
    path = written(folder / "rolling.html", Recorder(ROLLING).record(rolling(3, pods=5)))

    def lanes() -> list[str]:
        return page.locator(".spacetime .labels .lane text").all_text_contents()

    page = opened(browser, path, "#slide=12")
    assert lanes() == ["pod-0", "lb", "pod-1", "pod-2", "pod-3", "pod-4", "pod-5"][: len(lanes())]
    before = len(lanes())
    page.keyboard.press("End")
    page.wait_for_selector("#app[data-slide='40']")
    assert len(lanes()) == 9 > before
    assert page.locator(".state.left").count() == 3
    page.locator(".state.left").first.hover(force=True, position={"x": 14, "y": 4})
    page.wait_for_selector(".tip:not([hidden])")
    assert "left here" in page.locator(".tip").inner_text()
    page.locator("details.processes summary").click()
    assert page.get_by_role("button", name="those that are there").count() == 1


@pytest.mark.skipif(not AXE.exists(), reason="there is no axe-core; `make check` installs it where there is an npm")
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
def test_the_rules_of_axe(browser: Browser, office: Path, split_brain: Path, scheme: str) -> None:
    """No violation at any width, with the help and the details open, too."""
    for path in (office, split_brain):
        page = opened(browser, path, scheme=scheme)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert violations(page) == [], (path.stem, width)
            page.screenshot(path=shot(f"{path.stem}-{width}-{scheme}"))
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert violations(page) == []
        page.keyboard.press("?")
        page.screenshot(path=shot(f"help-{scheme}"))
        assert violations(page) == []
        page.context.close()


def violations(page: Page) -> list[str]:
    found = page.evaluate("axe.run().then(({violations}) => violations.map(v => [v.id, v.nodes[0].html]))")
    return [re.sub(r"\s+", " ", f"{rule}: {html}")[:300] for rule, html in found]


def shot(name: str) -> Path:
    from exploring import SCREENSHOTS

    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS / f"{name}.png"
