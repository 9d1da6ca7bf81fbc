"""What specs and monitors show of themselves in notebooks."""

from __future__ import annotations

from html.parser import HTMLParser

from hostile import NAMES
from latwin import Monitor, Spec


class Cells(HTMLParser):
    """The texts of all cells, and the tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_monitor_shows_its_values_and_its_window() -> None:
    spec = Spec.from_dict(
        {
            "processes": ["a", "b"],
            "window": 2,
            "properties": {"both": "possibly(a.on and b.on)", "none": "definitely(not a.on)"},
            "never": ["both"],
        }
    )
    shown = Cells(spec._repr_html_())
    assert "2 processes (a, b), window 2, fifo" in shown.texts
    assert {"both", "possibly(a.on and b.on)", "never"} <= set(shown.texts)
    monitor = Monitor(spec)
    for k in (1, 2, 3):
        monitor.observe({"process": "a", "clock": [k, 0], "state": {"on": k > 1, "term": k}})
    monitor.observe({"process": "b", "clock": [0, 1], "state": {"on": True}})
    html = monitor._repr_html_()
    shown = Cells(html)
    assert "slide 4, 0 waiting" in shown.texts
    assert {"#2 on, term 2", "#3 on, term 3", "#0 ", "#1 on"} <= set(shown.texts)
    assert "violated" in shown.texts
    assert html.count("#c62828") == 1


def test_names_are_shown_and_not_obeyed() -> None:
    names = list(NAMES.values())
    spec = Spec.from_dict({"processes": names, "window": 2, "properties": dict.fromkeys(names, "possibly(true)")})
    monitor = Monitor(spec)
    monitor.observe({"process": names[0], "clock": {names[0]: 1}, "state": {name: name for name in names}})
    for html in (spec._repr_html_(), monitor._repr_html_()):
        assert Cells(html).tags == {"p", "table", "thead", "tbody", "tr", "th", "td"}
