r"""Drawings of a lattice, as text and as Graphviz: pure functions of its cuts and single steps.

Time flows downwards: the least cut is at the top, each level is one step further than the one above it.
Two processes span a plane, so their lattice is drawn with its steps (to the left the first process moves,
to the right the second); of more processes the cuts of each level stand in a row. A lattice that does not
fit is drawn as one bar a level.

        (0,0)                   0             (0,0,0)
        /   \                   1     (0,0,1) (0,1,0) (1,0,0)
    (1,0)   [0,1]               2         (0,1,1) (1,0,1)
        \   /
        (1,1)                   [0,1] is marked: it satisfies a condition, say
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from latwin.events.escaping import one_line
from latwin.model import Cut

Edge = tuple[Cut, Cut]

_MARGIN = 2
#: a level of more rows than this makes the drawing one of bars
_MOST_ROWS = 3


def levels(cuts: Sequence[Cut], edges: Collection[Edge]) -> list[list[Cut]]:
    """The cuts by their distance in steps from the least one, each level in lexicographic order.

    >>> levels([(0, 0), (0, 1), (1, 0)], [((0, 0), (0, 1)), ((0, 0), (1, 0))])
    [[(0, 0)], [(0, 1), (1, 0)]]
    """
    depth = dict.fromkeys(cuts, 0)
    for before, after in sorted(edges):  # lexicographic order is topological
        depth[after] = max(depth[after], depth[before] + 1)
    rows: list[list[Cut]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for cut in sorted(cuts):
        rows[depth[cut]].append(cut)
    return rows


def to_text(cuts: Sequence[Cut], edges: Collection[Edge], *, marked: Collection[Cut] = (), width: int = 100) -> str:
    """The lattice in at most `width` columns; cuts that are `marked` stand in square brackets.

    >>> print(to_text([(0, 0), (0, 1), (1, 1)], [((0, 0), (0, 1)), ((0, 1), (1, 1))], marked=[(1, 1)]))
      (0,0)
          \\
          (0,1)
          /
      [1,1]
    """
    if not cuts:
        return f"{'':{_MARGIN}}(no cut)"
    chosen = set(marked)
    rows = levels(cuts, edges)
    if len(cuts[0]) == 2 and (plane := _plane(rows, edges, chosen)) and _widest(plane) <= width:
        return "\n".join(plane)
    listed = _listed(rows, chosen, width)
    if listed is not None:
        return "\n".join(listed)
    return to_bars([len(row) for row in rows], [sum(cut in chosen for cut in row) for row in rows], width=width)


def to_bars(counts: Sequence[int], marked: Sequence[int] | None = None, *, width: int = 100) -> str:
    """One line a level: its number, a bar as long as it has cuts, `=` for the marked among them.

    >>> print(to_bars([1, 30, 20], [0, 15, 20], width=36))
      0  -             1 cut
      1  ======-----  30 cuts, 15 marked
      2  =======      20 cuts, 20 marked
    """
    marks = list(marked) if marked is not None else [0] * len(counts)
    number_width = len(str(max(len(counts) - 1, 0)))
    count_width = max((len(f"{count:,}") for count in counts), default=1)
    texts = [
        f"{count:>{count_width},} cut{'s' * (count != 1)}" + (f", {mark:,} marked" if mark else "")
        for count, mark in zip(counts, marks, strict=True)
    ]
    most = max(counts, default=1)
    room = max(10, width - _MARGIN - number_width - 4 - max(map(len, texts), default=0))
    scale = min(1.0, room / most)
    longest = max(1, round(most * scale))
    lines = []
    for number, (count, mark, text) in enumerate(zip(counts, marks, texts, strict=True)):
        length = max(1, round(count * scale))
        filled = min(length, max(1, round(mark * scale))) if mark else 0
        bar = "=" * filled + "-" * (length - filled)
        lines.append(f"{'':{_MARGIN}}{number:>{number_width}}  {bar:<{longest}}  {text}")
    return "\n".join(lines)


def to_dot(
    cuts: Sequence[Cut],
    edges: Collection[Edge],
    *,
    marked: Collection[Cut] = (),
    names: Sequence[str] | None = None,
) -> str:
    """The lattice for Graphviz's `dot`: marked cuts are filled; with `names`, steps tell who moves.

    >>> print(to_dot([(0, 0), (0, 1)], [((0, 0), (0, 1))], names=["phone", "rfid"]))
    digraph lattice {
      rankdir=TB;
      node [shape=box, style=rounded, fontname="Helvetica"];
      edge [fontname="Helvetica", fontsize=10];
      "0,0";
      "0,1";
      "0,0" -> "0,1" [label="rfid"];
    }
    """
    chosen = set(marked)
    lines = [
        "digraph lattice {",
        "  rankdir=TB;",
        '  node [shape=box, style=rounded, fontname="Helvetica"];',
        '  edge [fontname="Helvetica", fontsize=10];',
    ]
    for cut in sorted(cuts):
        look = ' [style="rounded,filled", fillcolor=palegreen]' if cut in chosen else ""
        lines.append(f"  {_node(cut)}{look};")
    for before, after in sorted(edges):
        label = f" [label={_quoted(names[_mover(before, after)])}]" if names is not None else ""
        lines.append(f"  {_node(before)} -> {_node(after)}{label};")
    return "\n".join([*lines, "}"])


def show_cut(cut: Cut, *, marked: bool = False) -> str:
    """A cut as the drawings write it: `(3,1,4)`, or `[3,1,4]` when it is marked."""
    left, right = "[]" if marked else "()"
    return f"{left}{','.join(map(str, cut))}{right}"


def _plane(rows: Sequence[Sequence[Cut]], edges: Collection[Edge], chosen: set[Cut]) -> list[str]:
    """The lattice of two processes with its steps: the first process leads to the left."""
    texts = {cut: show_cut(cut, marked=cut in chosen) for row in rows for cut in row}
    # Neighbours of a level are two half steps apart; an even half step has a middle for the stroke.
    half = (max(map(len, texts.values())) + 2) // 2
    half += half % 2
    place: dict[Cut, int] = {}
    for before, after in sorted(edges):
        side = -half if _mover(before, after) == 0 else half
        place[after] = place.setdefault(before, 0) + side
    for cut in rows[0]:
        place.setdefault(cut, 0)
    shift = _MARGIN - min(place[cut] - len(text) // 2 for cut, text in texts.items())
    strokes: list[dict[int, str]] = [{} for _ in rows]
    depth = {cut: number for number, row in enumerate(rows) for cut in row}
    for before, after in edges:
        middle = (place[before] + place[after]) // 2 + shift
        strokes[depth[before]][middle] = "/" if place[after] < place[before] else "\\"
    lines = []
    for row, below in zip(rows, strokes, strict=True):
        lines.append(_set({place[cut] + shift - len(texts[cut]) // 2: texts[cut] for cut in row}))
        if below:
            lines.append(_set(below))
    return lines


def _listed(rows: Sequence[Sequence[Cut]], chosen: set[Cut], width: int) -> list[str] | None:
    """The levels' cuts in centred rows, or None when some level needs too many of them."""
    number_width = len(str(len(rows) - 1))
    room = width - _MARGIN - number_width - 2
    blocks = [_wrap([show_cut(cut, marked=cut in chosen) for cut in row], room) for row in rows]
    if any(len(block) > _MOST_ROWS or _widest(block) > room for block in blocks):
        return None
    widest = max(_widest(block) for block in blocks)
    lines = []
    for number, block in enumerate(blocks):
        for part, text in enumerate(block):
            label = str(number) if part == 0 else ""
            lines.append(f"{'':{_MARGIN}}{label:>{number_width}}  {text:^{widest}}".rstrip())
    return lines


def _wrap(words: Sequence[str], room: int) -> list[str]:
    """The words in as few rows as fit, and those about equally long."""
    total = sum(map(len, words)) + len(words) - 1
    rows = max(1, -(-total // max(room, 1)))
    while rows < len(words):
        each = -(-len(words) // rows)
        block = [" ".join(words[first : first + each]) for first in range(0, len(words), each)]
        if _widest(block) <= room:
            return block
        rows += 1
    return list(words)


def _set(pieces: dict[int, str]) -> str:
    """A line with each piece at its column."""
    line = ""
    for column, piece in sorted(pieces.items()):
        line = f"{line:<{column}}{piece}"
    return line


def _mover(before: Cut, after: Cut) -> int:
    """The process that a step moves."""
    return next(k for k, (here, there) in enumerate(zip(before, after, strict=True)) if here != there)


def _widest(lines: Sequence[str]) -> int:
    return max(map(len, lines))


def _node(cut: Cut) -> str:
    return f'"{",".join(map(str, cut))}"'


def _quoted(text: str) -> str:
    escaped = one_line(text.replace("\n", " ")).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
