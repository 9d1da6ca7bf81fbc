"""Groups that processes join and leave, for tests: specs, computations, and the same with everyone listed."""

from __future__ import annotations

from typing import Any

from latwin import Spec

#: each question over the members of an open group, and the same with what is not there told apart
QUESTIONS = {
    "two": ("possibly(count(web.n == 1) >= 2)", "possibly(count(web.there and web.n == 1) >= 2)"),
    "idle": ("definitely(count(not web.n) >= 2)", "definitely(count(web.there and not web.n) >= 2)"),
    "all": ("definitely(all(web.n == 1))", "definitely(all(not web.there or web.n == 1))"),
    "any": ("possibly(any(db.n == 1))", "possibly(any(db.there and db.n == 1))"),
    "sum": ("possibly(sum(*.n) >= 3)", "possibly(sum(*.n) >= 3)"),
    "pair": (
        "possibly(exists(a in web, b in db: a.n == b.n))",
        "possibly(exists(a in web, b in db: a.there and b.there and a.n == b.n))",
    ),
    "every": (
        "definitely(forall(a, b in web: a == b or a.n != b.n))",
        "definitely(forall(a, b in web: a == b or not a.there or not b.there or a.n != b.n))",
    ),
    "order": (
        "possibly(seq(any(web.n == 1), all(web.n == 0)))",
        "possibly(seq(any(web.there and web.n == 1), all(not web.there or web.n == 0)))",
    ),
    "least": ("possibly(min(web.n) == 1)", "possibly(any(web.there) and all(not web.there or web.n == 1))"),
    "most": ("definitely(max(db.n) < 1)", "definitely(any(db.there) and all(not db.there or db.n < 1))"),
    "other": (
        "possibly(max(*.n) != 1)",
        "possibly(any(*.there) and all(not *.there or *.n != 1))",
    ),
    "spread": (
        "possibly(max(web.n) - min(db.n) >= 1)",
        "possibly(any(web.there and web.n == 1) and any(db.there and db.n == 0))",
    ),
    "formula": ("EF(AG(any(web.n == 1)))", "EF(AG(any(web.there and web.n == 1)))"),
}


def an_open_spec(window: int | str = 3, **fields: Any) -> Spec:
    return Spec.from_dict(
        {
            "processes": {"open": True, "max": 12},
            "window": window,
            "roles": {"web": "w*", "db": "d*"},
            "properties": {name: text for name, (text, _) in QUESTIONS.items()},
            **fields,
        }
    )


def a_listed_spec(names: list[str], window: int = 3) -> Spec:
    """Everyone from the beginning; there must be one of each role."""
    return Spec.from_dict(
        {
            "processes": names,
            "window": window,
            "roles": {"web": "w*", "db": "d*"},
            "initial": {name: {"n": 0} for name in names},
            "properties": {name: text for name, (_, text) in QUESTIONS.items()},
        }
    )


def as_listed(event: dict[str, Any]) -> dict[str, Any]:
    state = {"n": 0, "there": False} if event.get("leave") else {**event["state"], "there": True}
    return {**event, "state": state}


def rolling(rounds: int, pods: int = 20) -> list[dict[str, Any]]:
    """Pods behind a balancer, one after the other replaced by a new one that is ready before the old one leaves."""
    there = [f"pod-{k}" for k in range(pods)]
    clocks: dict[str, dict[str, int]] = {"lb": {}}
    events: list[dict[str, Any]] = []

    def report(name: str, heard: dict[str, int], **fields: Any) -> None:
        clock = clocks.setdefault(name, {})
        clock.update({other: max(entry, clock.get(other, 0)) for other, entry in heard.items()})
        clock[name] = clock.get(name, 0) + 1
        events.append({"process": name, "clock": dict(clock), "state": {}, **fields})

    def step(name: str, **fields: Any) -> None:
        """A pod hears the balancer, reports, and is heard by it."""
        report(name, clocks["lb"], **fields)
        report("lb", clocks[name])

    for name in there:
        step(name, state={"ready": True})
    for number in range(rounds):
        old, new = there.pop(0), f"pod-{pods + number}"
        step(new, state={"ready": False})
        step(new, state={"ready": True})
        step(old, state={"ready": False})
        step(old, leave=True)
        there.append(new)
        for name in there[::5]:
            step(name, state={"ready": True})
    return events


ROLLING = Spec.from_dict(
    {
        "processes": {"open": True, "names": ["pod-*", "lb"], "max": 60},
        "window": 3,
        "roles": {"pod": "pod-*"},
        "properties": {"short": "possibly(count(pod.ready) < 19)"},
        "never": ["short"],
    }
)
