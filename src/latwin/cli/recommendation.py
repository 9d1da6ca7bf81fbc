"""Which of the windows that were tried to take, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from latwin.cli.window_trials import Trial
from latwin.properties import Modal
from latwin.properties.plan import parts_of
from latwin.spec import Spec

#: shares that differ by no more are equal
_CLOSE = 0.01
#: lattices beyond this on average are not recommended while there are smaller ones
_LARGE = 100_000


class Recommendation(NamedTuple):
    """A window size, and one sentence on why."""

    window: int
    why: str


def recommend(spec: Spec, trials: Sequence[Trial]) -> Recommendation:
    """The smallest window that loses nothing against the best one; `trials` must not be empty.

    Windows at which some property was too large are left out, and windows whose lattices have more than 100,000 cuts
    on average. Of the others the smallest is taken that agrees as often as the best one, and that leaves the lattice
    empty as seldom, both within one percentage point. The property that agrees least counts; of the properties, only
    those with a `definitely`, if there are any.
    """
    smallest = min(trials, key=lambda trial: trial.window)
    usable = [
        trial for trial in trials if not trial.too_large and not trial.beyond and (trial.mean_cuts or 0) <= _LARGE
    ]
    if not usable:
        why = f"even windows of {smallest.window} make lattices that are too large; monitor fewer processes together"
        return Recommendation(smallest.window, why)
    judged = _judged(spec)
    best = max(_agreement(trial, judged) for trial in usable)
    least_empty = min(_empty(trial) for trial in usable)
    chosen = min(
        (
            trial
            for trial in usable
            if _agreement(trial, judged) >= best - _CLOSE and _empty(trial) <= least_empty + _CLOSE
        ),
        key=lambda trial: trial.window,
        default=max(usable, key=lambda trial: (_agreement(trial, judged), -_empty(trial))),
    )
    return Recommendation(chosen.window, _why(chosen, usable, judged))


def _judged(spec: Spec) -> list[str]:
    """The properties that count."""
    definite = [
        name
        for name, tree in spec.trees.items()
        if any(isinstance(part, Modal) and part.kind == "definitely" for part in parts_of(tree))
    ]
    return definite or list(spec.properties)


def _agreement(trial: Trial, judged: Sequence[str]) -> float:
    """How often the property that agrees least agrees."""
    shares = [trial.agreements[name].share for name in judged if name in trial.agreements]
    return min((share for share in shares if share is not None), default=1.0)


def _empty(trial: Trial) -> float:
    return trial.empty / trial.counted if trial.counted else 0.0


def _why(chosen: Trial, usable: Sequence[Trial], judged: Sequence[str]) -> str:
    cuts = f"{chosen.mean_cuts or 0:,.0f} cuts on average"
    if _empty(chosen) > 0.5:
        return (
            f"at {_empty(chosen):.0%} of the slides there is no cut, whatever the window; try --order causal, "
            "as a file that lists one host after the other is no order of arrival"
        )
    compared = [chosen.agreements[name] for name in judged if name in chosen.agreements]
    if not compared:
        return (
            f"nothing could be compared, and it is the smallest that leaves no lattice empty that others fill; {cuts}"
        )
    against = "whole log" if compared[0].against == "whole log" else f"largest window tried ({compared[0].against})"
    is_largest = chosen.window == max(trial.window for trial in usable)
    larger = "; larger ones may agree more often" if is_largest and _agreement(chosen, judged) < 1 - _CLOSE else ""
    only = "it is the only one that is not too large, and it" if len(usable) == 1 else "it is the smallest that"
    return (
        f"{only} agrees with the {against} as often as any other tried, at {_agreement(chosen, judged):.1%} of the "
        f"slides, and it has {cuts}{larger}"
    )
