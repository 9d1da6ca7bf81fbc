"""What tests of the explorer's page in a browser share: Debian's Chromium, headless, driven by Playwright.

Screenshots are kept in `build/screenshots`.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from latwin import Spec

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
SEED = 7
MARKS = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on the PATH"),
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser, for a fixture to give to the tests of a module."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


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
        self.poll(lambda: bool(self.page.evaluate(expression)), expression)

    def poll(self, is_true: Callable[[], bool], what: str) -> None:
        """Wait until something is true, while the page goes on."""
        for _ in range(200):
            if is_true():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never came true: {what}")

    def shoot(self, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")


def open_url(browser: Browser, url: str) -> Opened:
    page = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce").new_page()
    opened = Opened(page, [], [])
    page.on("console", lambda message: opened.complaints.append(message.text))
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    page.on("request", lambda request: opened.requests.append(request.url))
    page.goto(url)
    return opened


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
