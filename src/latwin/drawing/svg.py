"""A lattice and a space-time diagram as SVG texts, for papers, pages and notebooks; light and dark.

Colours mean what they mean on the explorer's page: what satisfies a condition is dark, and red only if it must never
be; blue is structure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from typing import NamedTuple

from latwin.drawing.figure import Lanes, crossings, messages, place_cuts, place_states
from latwin.drawing.text import Edge, show_cut
from latwin.events.escaping import one_line
from latwin.model import Cut
from latwin.notebook import short_value

_STYLE = """
.latwin { font-family: "Segoe UI", Helvetica, Arial, "DejaVu Sans", sans-serif; font-size: 12px; }
.latwin text { fill: #1f2328; }
.latwin .paper { fill: #ffffff; }
.latwin .soft { fill: #5d6672; font-size: 11px; }
.latwin .name { font-weight: 600; }
.latwin .step { stroke: #c3cad2; stroke-width: 1.2; }
.latwin .cut, .latwin .state { fill: #ffffff; stroke: #5d6672; stroke-width: 1.3; }
.latwin .marked { fill: #3d4b5e; stroke: #3d4b5e; }
.latwin .violated { fill: #c62828; stroke: #c62828; }
.latwin .end { stroke: #0072b2; stroke-width: 2.2; }
.latwin .value { font-size: 11px; }
.latwin .in { fill: #ffffff; }
.latwin .over { paint-order: stroke; stroke: #e6f1f9; stroke-width: 3px; }
.latwin .window { fill: #e6f1f9; stroke: #9fc6e0; }
.latwin .event, .latwin .tip { fill: #1f2328; }
.latwin .message { stroke: #5d6672; stroke-width: 1.2; }
.latwin .frontier { stroke: #0072b2; stroke-width: 1.6; fill: none; stroke-dasharray: 2 4; stroke-linecap: round; }
@media (prefers-color-scheme: dark) {
  .latwin text { fill: #e4e9ef; }
  .latwin .paper { fill: #10151c; }
  .latwin .soft { fill: #98a3af; }
  .latwin .step { stroke: #475059; }
  .latwin .cut, .latwin .state { fill: #151b23; stroke: #98a3af; }
  .latwin .marked { fill: #b7c4d3; stroke: #b7c4d3; }
  .latwin .violated { fill: #ff6b61; stroke: #ff6b61; }
  .latwin .end, .latwin .frontier { stroke: #58b0ec; }
  .latwin .in { fill: #10161d; }
  .latwin .over { stroke: #14293a; }
  .latwin .window { fill: #14293a; stroke: #2f5a7b; }
  .latwin .event, .latwin .tip { fill: #e4e9ef; }
  .latwin .message { stroke: #98a3af; }
}
""".strip()
_PAPER = '<rect class="paper" width="100%" height="100%" rx="8"/>'
_LETTER = 6.9
_ROW = 46
_COLUMN = 44
_MOST_COLUMN = 104
_LANE = 64
_MARGIN = 18
#: a letter of a state's value, about, and what is left free beside it
_SMALL = 6.2
_BESIDE = 14


class Drawing(NamedTuple):
    """Elements in a box of their own."""

    width: float
    height: float
    elements: Sequence[str]


def draw_lattice(
    cuts: Sequence[Cut], edges: Collection[Edge], *, marked: Collection[Cut] = (), violated: bool = False
) -> Drawing:
    """The cuts by level, the least at the top, with their steps; those that are `marked` are filled.

    They are red if they are `violated`: what marks them must never be.
    """
    if not cuts:
        return Drawing(120, 60, ['<text class="soft" x="18" y="34">no cut</text>'])
    chosen = set(marked)
    names = {cut: show_cut(cut) for cut in cuts}
    pill = max(map(len, names.values())) * _LETTER + 16
    places = place_cuts(cuts, edges)
    unit = (pill + 14) * (1.6 if len(cuts[0]) == 2 else 1.0)
    left = min(x for x, _ in places.values())
    at = {
        cut: (_MARGIN + pill / 2 + (x - left) * unit, _MARGIN + 12 + level * _ROW)
        for cut, (x, level) in places.items()
    }
    elements = []
    for before, after in sorted(edges):
        (x1, y1), (x2, y2) = at[before], at[after]
        # From the lower edge of a cut to the upper edge of the next, so that it crosses no other one's name.
        elements.append(f'<path class="step" d="M{x1:.1f} {y1 + 12:.1f}L{x2:.1f} {y2 - 12:.1f}"/>')
    for cut in sorted(cuts):
        x, y = at[cut]
        kind = "cut" + _mark(cut in chosen, violated) + " end" * (cut in (cuts[0], cuts[-1]))
        elements.append(
            f'<rect class="{kind}" x="{x - pill / 2:.1f}" y="{y - 12:.1f}" width="{pill:.1f}" height="24" rx="12"/>'
        )
        inside = ' class="in"' if cut in chosen else ""
        elements.append(f'<text{inside} x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{names[cut]}</text>')
    width = max(x for x, _ in at.values()) + pill / 2 + _MARGIN
    height = max(y for _, y in at.values()) + 12 + _MARGIN
    return Drawing(width, height, elements)


def draw_space_time(
    names: Sequence[str],
    lanes: Lanes,
    *,
    marked: Collection[tuple[int, int]] = (),
    ends: Sequence[Sequence[int]] = (),
    violated: bool = False,
) -> Drawing:
    """A lane for each process with the states in its window, their values, and the messages between them.

    `marked` states, each a process and a position in its lane, are filled, red if they are `violated`; `ends` are
    cuts, by positions, to be drawn as lines through their states: the least and the greatest.
    """
    columns = place_states(lanes)
    column = _column_for(lanes)
    end = max((lane[-1] for lane in columns if lane), default=0) + 1
    left = _MARGIN + max((len(name) for name in names), default=0) * _LETTER + 16

    def x(at: float) -> float:
        return left + at * column

    def y(process: int) -> float:
        return _MARGIN + 14 + _LANE * (process + 0.5)

    elements: list[str] = []
    texts: list[str] = []
    chosen = set(marked)
    for k, (name, lane) in enumerate(zip(names, columns, strict=True)):
        elements.append(
            f'<rect class="window" x="{x(lane[0]) - 6:.1f}" y="{y(k) - 25:.1f}" rx="7" height="44" '
            f'width="{(end - lane[0]) * column + 8:.1f}"/>'
        )
        elements.append(
            f'<text class="name" x="{left - 16:.1f}" y="{y(k) + 4:.1f}" text-anchor="end">{_escaped(name)}</text>'
        )
        for at, begin in enumerate(lane):
            stop = lane[at + 1] if at + 1 < len(lane) else end
            kind = "state" + _mark((k, at) in chosen, violated)
            width = (stop - begin) * column - 5
            elements.append(
                f'<rect class="{kind}" x="{x(begin) + 2.5:.1f}" y="{y(k) - 8:.1f}" rx="5" '
                f'width="{width:.1f}" height="16"/>'
            )
            if lanes[k][at].index > 0:  # an initial state began with nothing
                elements.append(f'<circle class="event" cx="{x(begin):.1f}" cy="{y(k):.1f}" r="3.4"/>')
            middle = f'x="{x((begin + stop) / 2):.1f}" text-anchor="middle"'
            # Above the messages, with a rim, so that none crosses it.
            texts.append(f'<text class="soft over" {middle} y="{y(k) - 12:.1f}">{lanes[k][at].index}</text>')
            if value := _fit(one_line(short_value(lanes[k][at].value)), width):
                inside = "value in" if (k, at) in chosen else "value"
                texts.append(f'<text class="{inside}" {middle} y="{y(k) + 4:.1f}">{escape(value)}</text>')
    for source, target in messages(lanes):
        x1, y1 = x(columns[source[0]][source[1]]), y(source[0])
        x2, y2 = x(columns[target[0]][target[1]]), y(target[0])
        elements.append(_arrow(x1, y1, x2, y2))
    elements += texts
    for cut in ends:
        points = [(x(column), y(k)) for k, column in enumerate(crossings(columns, cut, end))]
        points = [(points[0][0], points[0][1] - 30), *points, (points[-1][0], points[-1][1] + 26)]
        path = "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
        elements.append(f'<path class="frontier" d="M{path}"/>')
    return Drawing(x(end) + _MARGIN, y(len(names) - 1) + 26 + _MARGIN, elements)


def to_svg(*drawings: Drawing, title: str = "A lattice of consistent global states") -> str:
    """The drawings beside each other in one SVG document."""
    height = max(drawing.height for drawing in drawings)
    width, parts = 0.0, []
    for drawing in drawings:
        down = (height - drawing.height) / 2
        parts += [f'<g transform="translate({width:.1f} {down:.1f})">', *drawing.elements, "</g>"]
        width += drawing.width
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
    head += f'height="{height:.0f}" class="latwin" role="img">'
    return (
        "\n".join(
            [
                head,
                f"<title>{_escaped(title)}</title>",
                f"<style>\n{_STYLE}\n</style>",
                _PAPER,
                *parts,
                "</svg>",
            ]
        )
        + "\n"
    )


def _mark(is_marked: bool, violated: bool) -> str:
    return (" marked violated" if violated else " marked") if is_marked else ""


def _column_for(lanes: Lanes) -> float:
    """How wide a column must be for the values of states, within bounds."""
    longest = max((len(short_value(state.value)) for lane in lanes for state in lane), default=0)
    return min(_MOST_COLUMN, max(_COLUMN, longest * _SMALL + _BESIDE))


def _fit(text: str, width: float) -> str:
    """A text that has room in a bar, cut off at its end if it must; nothing where that would say nothing."""
    letters = int((width - _BESIDE / 2) / _SMALL)
    if len(text) <= letters:
        return text
    return f"{text[: letters - 1]}…" if letters >= 4 else ""


def _arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    tx, ty = x2 - 5 * dx, y2 - 5 * dy
    bx, by = tx - 7 * dx, ty - 7 * dy
    tip = f"M{tx:.1f} {ty:.1f}L{bx - 3 * dy:.1f} {by + 3 * dx:.1f}L{bx + 3 * dy:.1f} {by - 3 * dx:.1f}z"
    line = f"M{x1 + 5 * dx:.1f} {y1 + 5 * dy:.1f}L{bx:.1f} {by:.1f}"
    return f'<path class="message" d="{line}"/><path class="tip" d="{tip}"/>'


def _escaped(text: str) -> str:
    """A text for XML, which has no way to write most control characters."""
    return escape(one_line(text))
