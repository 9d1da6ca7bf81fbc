"""How long a step of the explorer's page takes, in Debian's Chromium: only the page's script, not the painting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exploring import CHROMIUM, chatter, chromium
from figures import Figure
from latwin import Spec
from latwin.explorer.columns import chunk_of
from latwin.explorer.page import header_of, render_page
from latwin.explorer.recording import Recorder

STEPS = 200
_STEP = """count => {
  const key = name => document.body.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true}));
  const times = [];
  for (let k = 0; k < count; k++) {
    const begin = performance.now();
    key("ArrowRight");
    times.push(performance.now() - begin);
  }
  return times;
}"""


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on the PATH")
def test_a_step(benchmark: Any, figure: Figure, tmp_path: Path) -> None:
    """Ten thousand slides of five processes, from the middle on."""
    names = ["api", "auth", "cart", "mail", "stock"]
    spec, rows = chatter(names, 10_000, window=4)
    few = {name: spec.properties[name] for name in ("jam", "apart", "order")}
    recorder = Recorder(Spec.from_dict({**spec.to_dict(), "properties": few})).record(rows)
    path = tmp_path / "long.html"
    path.write_text(render_page(header_of(recorder.spec, source="long", groups=[""]), [chunk_of(recorder)]))
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{path.as_uri()}#slide=5000")
        page.wait_for_selector("#app[data-slide]")
        times = sorted(benchmark.pedantic(lambda: page.evaluate(_STEP, STEPS), rounds=3))
        figure("a step of the page among 10,000 slides of five processes, median", times[STEPS // 2], "ms", 50)
        figure("the same, 98 of 100 steps", times[STEPS * 98 // 100], "ms", 50)
