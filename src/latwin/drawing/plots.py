"""The explorer's two drawings for papers and notebooks, with matplotlib (`pip install 'latwin[plot]'`).

    import latwin.plot

    latwin.plot.lattice(lattice, where=lambda values: values == ("on", "on"))
    latwin.plot.space_time(monitor, where=lambda state: state["on"])

Both take a `LatWin` or a `Monitor`, draw what its window holds now, and return the matplotlib axes they drew on.
`where` fills what it is true of: cuts by their values, states by their value (of a monitor: their variables).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from latwin.drawing.figure import Lanes, LaneState, crossings, messages, place_cuts, place_states
from latwin.drawing.text import show_cut
from latwin.errors import InvalidInput
from latwin.events.escaping import one_line
from latwin.lattice.bits import BitLattice
from latwin.lattice.latwin import LatWin
from latwin.model import Cut
from latwin.monitor import Monitor

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, GREEN, GREY, PALE, TINT = "#0072B2", "#009E73", "#5d6672", "#c3cad2", "#e6f1f9"
#: cuts up to this many are drawn one by one
MOST_DRAWN = 2_000
_NAMED = 60


def lattice(
    source: LatWin | Monitor,
    *,
    where: Callable[[tuple[Any, ...]], bool] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """The cuts by level, least at the top, with their steps; raises InvalidInput beyond 2,000 cuts."""
    cuts, edges = _cuts(source)
    drawn = axes if axes is not None else _new_axes()
    places = place_cuts(cuts, edges)
    for before, after in edges:
        (x1, y1), (x2, y2) = places[before], places[after]
        drawn.plot([x1, x2], [-y1, -y2], color=PALE, lw=1, zorder=1)
    values = {(k, state.index): state.value for k, lane in enumerate(_lanes(source)) for state in lane}
    for cut in cuts:
        x, y = places[cut]
        holds = where is not None and where(tuple(values[k, index] for k, index in enumerate(cut)))
        edge = BLUE if cut in (cuts[0], cuts[-1]) else GREEN if holds else GREY
        drawn.plot(x, -y, "o", ms=9, mfc=GREEN if holds else "white", mec=edge, mew=1.6, zorder=2)
        if len(cuts) <= _NAMED:
            drawn.annotate(show_cut(cut), (x, -y), (7, 0), textcoords="offset points", va="center", fontsize=7)
    drawn.margins(0.12)
    drawn.set_axis_off()
    return drawn


def space_time(
    source: LatWin | Monitor,
    *,
    where: Callable[[Any], bool] | None = None,
    names: Sequence[str] | None = None,
    cut: Sequence[int] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """A lane for each process with the states in its window and their messages; `cut`, by indices, as a line.

    `names` are the processes' names; a monitor knows them.
    """
    lanes = _lanes(source)
    labels = list(names) if names is not None else _names(source)
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
                color=GREEN if holds else "white",
                edgecolor=GREEN if holds else GREY,
                zorder=1,
            )
            if states[at].index > 0:  # an initial state began with nothing
                drawn.plot(begin, -k, "o", ms=4, color="black", zorder=3)
            drawn.annotate(
                str(states[at].index), ((begin + stop) / 2, -k + 0.16), ha="center", fontsize=8, color=GREY
            )
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


def _new_axes() -> Axes:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise InvalidInput("to plot, matplotlib is needed: pip install 'latwin[plot]'") from None
    _, axes = pyplot.subplots(layout="constrained")
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
