"""The explorer's two drawings for papers and notebooks, with matplotlib (`pip install 'latwin[plot]'`).

    import latwin.plot

    latwin.plot.lattice(lattice, where=lambda values: values == ("on", "on"))
    latwin.plot.space_time(monitor, where=lambda state: state["on"])

Both take a `LatWin` or a `Monitor`, draw what its window holds now, and return the matplotlib axes they drew on.
`where` fills what it is true of: cuts by their values, states by their value (of a monitor: their variables). The
fill is dark, which says neither good nor bad; with `never=True` it is red. States bear their values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from latwin.drawing.figure import Lanes, LaneState, crossings, messages, place_cuts, place_states
from latwin.drawing.text import show_cut
from latwin.errors import InvalidInput
from latwin.events.escaping import one_line
from latwin.lattice.bits import BitLattice
from latwin.lattice.latwin import LatWin
from latwin.model import Cut
from latwin.monitor import Monitor
from latwin.notebook import short_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, DARK, RED, GREY, PALE, TINT = "#0072B2", "#3d4b5e", "#c62828", "#5d6672", "#c3cad2", "#e6f1f9"
#: cuts up to this many are drawn one by one
MOST_DRAWN = 2_000
_NAMED = 60
#: half the height of a cut's name with its box, in points
_HALF_NAME_PT = 7.5
#: inches that a cut with its name needs: across for each letter and beside them, and down for a level
_LETTER_IN, _BESIDE_IN, _LEVEL_IN = 0.07, 0.35, 0.5
#: less than this between two levels, and a step would have no way between their names
_LEAST_LEVEL_IN = 0.3
#: letters that a column has room for
_LETTERS = 8


def lattice(
    source: LatWin | Monitor,
    *,
    where: Callable[[tuple[Any, ...]], bool] | None = None,
    never: bool = False,
    axes: Axes | None = None,
) -> Axes:
    """The cuts by level, least at the top, with their steps; raises InvalidInput beyond 2,000 cuts.

    Cuts bear their names if there are at most 60 of them, and if the axes have room for all names.
    """
    cuts, edges = _cuts(source)
    places = place_cuts(cuts, edges)
    is_named = len(cuts) <= _NAMED and (axes is None or _has_room(axes, places))
    drawn = axes if axes is not None else _new_axes(_size_of(places) if is_named else None)
    holding = RED if never else DARK
    _draw_steps(drawn, places, edges, gap_pt=_HALF_NAME_PT if is_named else 0.0)
    values = {(k, state.index): state.value for k, lane in enumerate(_lanes(source)) for state in lane}
    for cut in cuts:
        x, y = places[cut]
        holds = where is not None and where(tuple(values[k, index] for k, index in enumerate(cut)))
        edge = BLUE if cut in (cuts[0], cuts[-1]) else holding if holds else GREY
        fill = holding if holds else "white"
        if is_named:
            box = {"boxstyle": "round,pad=0.35,rounding_size=0.9", "fc": fill, "ec": edge, "lw": 1.4}
            ink = "white" if holds else "black"
            drawn.text(x, -y, show_cut(cut), bbox=box, zorder=2, ha="center", va="center", fontsize=7, color=ink)
        else:
            drawn.plot(x, -y, "o", ms=9, mfc=fill, mec=edge, mew=1.6, zorder=2)
    if places:
        drawn.update_datalim([(x, -y) for x, y in places.values()])
        drawn.autoscale_view()
    drawn.margins(0.12)
    drawn.set_axis_off()
    return drawn


def space_time(
    source: LatWin | Monitor,
    *,
    where: Callable[[Any], bool] | None = None,
    never: bool = False,
    names: Sequence[str] | None = None,
    cut: Sequence[int] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """A lane for each process with the states in its window, their values and messages; `cut`, by indices, as a line.

    `names` are the processes' names; a monitor knows them.
    """
    lanes = _lanes(source)
    labels = list(names) if names is not None else _names(source)
    holding = RED if never else DARK
    drawn = axes if axes is not None else _new_axes()
    columns = place_states(lanes)
    end = max(lane[-1] for lane in columns) + 1
    for k, (lane, states) in enumerate(zip(columns, lanes, strict=True)):
        drawn.barh(-k, end - lane[0] + 0.2, left=lane[0] - 0.1, height=0.62, color=TINT, zorder=0)
        for at, begin in enumerate(lane):
            stop = lane[at + 1] if at + 1 < len(lane) else end
            holds = where is not None and where(states[at].value)
            drawn.barh(
                -k,
                stop - begin - 0.12,
                left=begin + 0.06,
                height=0.2,
                color=holding if holds else "white",
                edgecolor=holding if holds else GREY,
                zorder=1,
            )
            if states[at].index > 0:  # an initial state began with nothing
                drawn.plot(begin, -k, "o", ms=4, color="black", zorder=3)
            drawn.annotate(
                str(states[at].index), ((begin + stop) / 2, -k + 0.16), ha="center", fontsize=8, color=GREY
            )
            _write_value(drawn, ((begin + stop) / 2, -k), states[at].value, stop - begin, holds=holds)
    for origin, target in messages(lanes):
        drawn.annotate(
            "",
            (columns[target[0]][target[1]], -target[0]),
            (columns[origin[0]][origin[1]], -origin[0]),
            arrowprops={"arrowstyle": "-|>", "color": GREY, "lw": 0.9, "shrinkA": 3, "shrinkB": 3},
            zorder=2,
        )
    if cut is not None:
        across = crossings(columns, _positions(lanes, cut), end)
        ys = [0.45, *(-k for k in range(len(lanes))), -len(lanes) + 0.55]
        drawn.plot([across[0], *across, across[-1]], ys, color=BLUE, lw=1.8, ls=":", zorder=4)
    # Names come from anyone: neither formulas between dollar signs nor characters that are obeyed.
    drawn.set_yticks([-k for k in range(len(lanes))], list(map(one_line, labels)), parse_math=False)
    drawn.set_xticks([])
    drawn.spines[:].set_visible(False)
    drawn.tick_params(length=0)
    return drawn


def _draw_steps(
    drawn: Axes, places: Mapping[Cut, tuple[float, int]], edges: Sequence[tuple[Cut, Cut]], *, gap_pt: float
) -> None:
    """Lines between cuts, from so far below one to so far above the next: they cross no other one's name."""
    from matplotlib.transforms import ScaledTranslation

    inches = drawn.figure.dpi_scale_trans
    below = drawn.transData + ScaledTranslation(0, -gap_pt / 72, inches)
    above = drawn.transData + ScaledTranslation(0, gap_pt / 72, inches)
    line = {"arrowstyle": "-", "color": PALE, "lw": 1, "shrinkA": 0, "shrinkB": 0}
    for before, after in edges:
        (x1, y1), (x2, y2) = places[before], places[after]
        drawn.annotate(
            "",
            (x2, -y2),
            (x1, -y1),
            xycoords=above,
            textcoords=below,
            arrowprops=line,
            zorder=1,
            annotation_clip=False,
        )


def _write_value(drawn: Axes, place: tuple[float, float], value: Any, columns: float, *, holds: bool) -> None:
    """A state's value in its bar, as far as it has room."""
    text = one_line(short_value(value))
    room = max(4, int(columns * _LETTERS))
    shown = text if len(text) <= room else f"{text[: room - 1]}…"
    color = "white" if holds else "black"
    drawn.annotate(shown, place, ha="center", va="center", fontsize=7, color=color, zorder=2, parse_math=False)


def _size_of(places: Mapping[Cut, tuple[float, int]]) -> tuple[float, float] | None:
    """Inches for a lattice whose cuts bear names: room enough for those beside each other, and for the levels."""
    if not places:
        return None
    across, down = _extent(places)
    return max(3.0, (across + 1.4) * _name_in(places)), max(2.4, (down + 1.4) * _LEVEL_IN)


def _has_room(drawn: Axes, places: Mapping[Cut, tuple[float, int]]) -> bool:
    """Whether names beside each other do not overlap, and steps have a way between those of two levels."""
    if not places:
        return True
    across, down = _extent(places)
    box = drawn.get_window_extent().transformed(drawn.figure.dpi_scale_trans.inverted())
    # `margins` leaves an eighth of the extent free at each side.
    return box.width >= 1.24 * across * _name_in(places) * 0.9 and box.height >= 1.24 * down * _LEAST_LEVEL_IN


def _name_in(places: Mapping[Cut, tuple[float, int]]) -> float:
    """Inches from one cut to the next beside it."""
    return _LETTER_IN * max(len(show_cut(cut)) for cut in places) + _BESIDE_IN


def _extent(places: Mapping[Cut, tuple[float, int]]) -> tuple[float, int]:
    """Units from the leftmost to the rightmost cut, and from the first level to the last."""
    across = [x for x, _ in places.values()]
    return max(across) - min(across), max(y for _, y in places.values())


def _new_axes(size: tuple[float, float] | None = None) -> Axes:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise InvalidInput("to plot, matplotlib is needed: pip install 'latwin[plot]'") from None
    _, axes = pyplot.subplots(layout="constrained", figsize=size)
    return axes


def _cuts(source: LatWin | Monitor) -> tuple[list[Cut], list[tuple[Cut, Cut]]]:
    """The cuts in lexicographic order, and the single steps."""
    if isinstance(source, LatWin):
        cuts = len(source)
    else:
        found = BitLattice(_checked(source).window, source.spec.max_cuts)
        cuts = found.count()
    if cuts > MOST_DRAWN:
        raise InvalidInput(f"the lattice has {cuts:,} cuts; at most {MOST_DRAWN:,} can be drawn")
    if isinstance(source, LatWin):
        return list(source), source.edges()
    if cuts == 0:
        return [], []
    found.build()
    # States are numbered by delivery, so that a step adds one even where indices were lost.
    indices = {tuple(cut.tolist()): source.window.to_indices(cut) for cut in found.cut_numbers()}
    steps = [
        (indices[cut], indices[step])
        for cut in indices
        for k in range(len(cut))
        if (step := (*cut[:k], cut[k] + 1, *cut[k + 1 :])) in indices
    ]
    return list(indices.values()), steps


def _lanes(source: LatWin | Monitor) -> Lanes:
    """The states in the windows."""
    if isinstance(source, LatWin):
        return [[LaneState(*state) for state in source.states(k)] for k in range(source.processes)]
    window = _checked(source).window
    return [
        [
            LaneState(window.index_of(k, number), window.clock_of(k, number), value)
            for number, value in zip(window.states_of(k), source.states(k), strict=True)
        ]
        for k in range(window.processes)
    ]


def _checked(source: Monitor) -> Monitor:
    if not isinstance(source, Monitor):
        raise InvalidInput(f"source must be a LatWin or a Monitor; got {type(source).__name__}")
    return source


def _names(source: LatWin | Monitor) -> list[str]:
    if isinstance(source, Monitor):
        return list(source.spec.processes)
    return [f"P{k}" for k in range(source.processes)]


def _positions(lanes: Lanes, cut: Sequence[int]) -> list[int]:
    """A cut's positions in the lanes."""
    if len(cut) != len(lanes):
        raise InvalidInput(f"cut must have one index per process ({len(lanes)}); got {len(cut)}")
    found = []
    for k, (lane, index) in enumerate(zip(lanes, cut, strict=True)):
        indices = [state.index for state in lane]
        if index not in indices:
            raise InvalidInput(f"cut: process {k} has the states {indices[0]} to {indices[-1]}; got {index!r}")
        found.append(indices.index(index))
    return found
