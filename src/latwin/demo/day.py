"""The smart office as a demonstration: a simulated day, what latwin says of it, and what really happened.

Bob's phone, an RFID reader at the meeting room's door and the projector share no clock; they tell each other
of their changes and report to a checker, by networks on which messages overtake each other. The question
is the paper's C1: is Bob in the meeting room while a speaker is there and the projector is on?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from latwin.errors import InvalidInput
from latwin.monitor import Monitor
from latwin.sim import Office, Simulation, Truth, overlap_in_window, simulate_office
from latwin.slide import Slide
from latwin.spec import Spec

WINDOW = 4
OPENS_AT_S = 8 * 3600.0
DELAY_S = 30.0
_OFF_MEAN_S = 900.0

SPEC_TEXT = f"""\
# The smart office of `latwin demo`: three devices without a common clock.
processes = ["phone", "rfid", "projector"]
window = {WINDOW}

[initial]
phone = {{ ap = "office" }}
rfid = {{ speaker = false }}
projector = {{ on = false }}

[properties]
# Bob is in the meeting room, a speaker is there, and the projector is on: mute his phone.
mute = "definitely(phone.ap == 'meeting-room' and rfid.speaker and projector.on)"
# The same, as far as anybody can tell: it may have been so, or not.
perhaps = "possibly(phone.ap == 'meeting-room' and rfid.speaker and projector.on)"
# Bob is in the room with a speaker and no projector, or with a projector and no speaker.
hitch = "definitely(phone.ap == 'meeting-room' and rfid.speaker != projector.on)"
"""

QUESTIONS = {
    "mute": "surely Bob in the meeting room, a speaker there, the projector on",
    "perhaps": "the same, but it only may have been so",
    "hitch": "surely Bob in the room with only one of speaker and projector",
}

_STORY = {
    ("phone", True): "Bob enters the meeting room",
    ("phone", False): "Bob goes back to his office",
    ("rfid", True): "a speaker comes in",
    ("rfid", False): "the speaker leaves",
    ("projector", True): "the projector is switched on",
    ("projector", False): "the projector is switched off",
}


@dataclass(frozen=True, slots=True)
class DaySlide:
    """One delivered state, and the value of every property then."""

    number: int
    arrival_s: float
    process: str
    index: int
    values: Mapping[str, bool | None]
    #: the properties that changed
    changed: tuple[str, ...]
    #: the number of cuts
    cuts: int
    #: whether all conditions really held together within the window
    is_physical: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Slides by what latwin said and what perfect clocks would have said of the same windows."""

    slides: int
    physical: int
    definitely: int
    definitely_and_physical: int
    possibly_and_physical: int


class Demo:
    """A simulated day, observed."""

    def __init__(self, *, seed: int, hours: float) -> None:
        """Let the day pass; nothing is observed before it is asked for."""
        self.seed = seed
        self.hours = hours
        self.simulation: Simulation = simulate_office(
            3, hours=hours, seed=seed, delay_s=DELAY_S, office=Office(off_mean_s=_OFF_MEAN_S)
        )
        self.spec = Spec.from_dict(_spec_fields())
        self.events = _speaking_events(self.simulation)

    @cached_property
    def slides(self) -> tuple[DaySlide, ...]:
        """Every slide of the day, observed by a monitor."""
        slides: list[DaySlide] = []
        arrival_s = 0.0

        def note(slide: Slide) -> None:
            assert slide.process is not None, "each slide of the day is a state's"
            assert slide.index is not None
            before = slides[-1].values if slides else dict.fromkeys(slide.values, False)
            slides.append(
                DaySlide(
                    number=slide.number,
                    arrival_s=arrival_s,
                    process=slide.process,
                    index=slide.index,
                    values=slide.values,
                    changed=tuple(name for name, value in slide.values.items() if value is not before[name]),
                    cuts=slide.count_cuts() or 0,
                    is_physical=overlap_in_window(self.simulation.truth, slide.oldest, slide.newest),
                )
            )

        monitor = Monitor(self.spec, on_slide=note)
        for event, reported in zip(self.events, self.simulation.events, strict=True):
            arrival_s = reported.arrival
            monitor.observe(event)
        return tuple(slides)

    @property
    def changes(self) -> list[DaySlide]:
        """The slides at which some property changed."""
        return [slide for slide in self.slides if slide.changed]

    def story(self, slide: DaySlide) -> str:
        """What happened in the office that made this state."""
        states = self.simulation.truth[self.simulation.names.index(slide.process)]
        now = states[slide.index].on
        if now == states[slide.index - 1].on:
            return f"{slide.process} hears of another device"
        return _STORY[slide.process, now]

    def compare(self) -> Comparison:
        """latwin's answers beside those of an observer with perfect clocks (the paper's section 6.2)."""
        physical = [slide for slide in self.slides if slide.is_physical]
        return Comparison(
            slides=len(self.slides),
            physical=len(physical),
            definitely=sum(slide.values["mute"] is True for slide in self.slides),
            definitely_and_physical=sum(slide.values["mute"] is True for slide in physical),
            possibly_and_physical=sum(slide.values["perhaps"] is True for slide in physical),
        )

    def meetings(self) -> list[tuple[float, float]]:
        """When all three conditions really held together: begin and end, in seconds."""
        return list(_together(self.simulation.truth))

    def interesting_slide(self) -> int:
        """A slide worth a look: perhaps it held, but not surely, and the lattice can be drawn."""
        unsure = [slide for slide in self.slides if slide.values["perhaps"] and not slide.values["mute"]]
        drawable = [slide for slide in unsure if 1 < slide.cuts <= 40]
        choice = max(drawable or unsure or self.slides, key=lambda slide: slide.cuts, default=None)
        return choice.number if choice is not None else 0

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Put spec and events into `folder`, for the other commands; returns their paths.

        Never overwrites a spec that is not the demo's.
        """
        spec, events = folder / "spec.toml", folder / "events.jsonl"
        mark = SPEC_TEXT.splitlines()[0]
        if spec.exists() and not spec.read_text(encoding="utf-8", errors="replace").startswith(mark):
            raise InvalidInput(f"{spec} is not the demo's and is left as it is; choose another folder with --out")
        folder.mkdir(parents=True, exist_ok=True)
        spec.write_text(SPEC_TEXT, encoding="utf-8")
        encode = msgspec.json.Encoder().encode
        events.write_bytes(b"".join(encode(event) + b"\n" for event in self.events))
        return spec, events


def clock_time(time_s: float, *, seconds: bool = False) -> str:
    """Seconds since the office opened as a time of day; from the second day on with the day's number."""
    total = int(OPENS_AT_S + time_s)
    day, rest = divmod(total, 86_400)
    text = f"{rest // 3600:02}:{rest // 60 % 60:02}" + (f":{rest % 60:02}" if seconds else "")
    return f"day {day + 1} {text}" if day else text


def _spec_fields() -> dict[str, Any]:
    import tomllib

    return tomllib.loads(SPEC_TEXT)


def _speaking_events(simulation: Simulation) -> list[dict[str, Any]]:
    """The reports in order of arrival, with variables that speak for themselves."""
    return [
        {
            "process": event["process"],
            "clock": event["clock"],
            "state": _variables(event["process"], event["state"]["on"]),
            "time": clock_time(event["time"], seconds=True),
        }
        for event in simulation.as_dicts()
    ]


def _variables(process: str, on: bool) -> dict[str, Any]:
    if process == "phone":
        return {"ap": "meeting-room" if on else "office"}
    return {"speaker" if process == "rfid" else "on": on}


def _together(truth: Truth) -> Iterator[tuple[float, float]]:
    """The maximal spans in which all processes are true."""
    spans = [list(_true_spans(states)) for states in truth]
    at = [0] * len(spans)
    while all(position < len(list_) for position, list_ in zip(at, spans, strict=True)):
        present = [list_[position] for position, list_ in zip(at, spans, strict=True)]
        begin, end = max(span[0] for span in present), min(span[1] for span in present)
        if begin < end:
            yield begin, end
        at[min(range(len(spans)), key=lambda k: present[k][1])] += 1


def _true_spans(states: Sequence[Any]) -> Iterator[tuple[float, float]]:
    """The maximal spans in which one process is true; neighbouring states are joined."""
    begin: float | None = None
    for state in states:
        if state.on and begin is None:
            begin = state.start_s
        elif not state.on and begin is not None:
            yield begin, state.start_s
            begin = None
    if begin is not None:
        yield begin, states[-1].end_s
