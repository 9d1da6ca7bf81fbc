"""Notes of slides as a chunk: plain data in columns, as `format.py` describes it."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Any

import msgspec

from latwin.explorer.format import Chunk, PartColumns, StateColumns
from latwin.explorer.legend import Part, colour_of
from latwin.explorer.recording import COUNTERS, PartNotes, Recorder, SlideNotes, StateNotes

_VALUES = {True: "1", False: "0", None: "?"}
_REASONS = {"least": "l", "greatest": "g", "inside": "i", None: "-"}
_ENCODER = msgspec.json.Encoder(enc_hook=str)


def chunk_of(recorder: Recorder, *, after: int | None = None) -> Chunk | None:
    """The slides after slide `after`, which the receiver must have; all that are noted if it is None.

    None if there is no such slide, or if slides right after it are no longer noted.
    """
    first = recorder.last_noted - len(recorder.slides) + 1
    begin = first if after is None else after + 1
    if not first <= begin <= recorder.last_noted:
        return None
    slides = list(islice(recorder.slides, begin - first, None))
    return {
        "first": begin,
        "process": [slide.process for slide in slides],
        "states": [_states(recorder, process, slides, whole=after is None) for process in range(len(recorder.noted))],
        "through": _through(recorder, slides, begin),
        "empty": "".join("01"[slide.least is None] for slide in slides) if recorder.has_states else "",
        "held": [
            _changes([slide.newest[k] - slide.oldest[k] + 1 for slide in slides]) for k in range(len(recorder.noted))
        ],
        "least": _offsets([(slide.least, slide.oldest, 1) for slide in slides]),
        "greatest": _offsets([(slide.greatest, slide.newest, -1) for slide in slides]),
        "cuts": [-1 if slide.cuts is None else slide.cuts for slide in slides],
        "levels": [
            (begin + at, slide.levels, [part.labelled for part in slide.parts])
            for at, slide in enumerate(slides)
            if slide.levels is not None
        ],
        "values": [
            "".join(_VALUES[slide.values[k]] for slide in slides) for k in range(len(recorder.spec.properties))
        ],
        "finals": [
            "".join(_VALUES[slide.finals[k]] for slide in slides) for k in range(len(recorder.spec.properties))
        ],
        "parts": [_part([slide.parts[k] for slide in slides], slides, begin) for k in range(len(recorder.parts))],
        "counters": {name: _changes([slide.counters[k] for slide in slides]) for k, name in enumerate(COUNTERS) if k},
        "totals": recorder.totals(),
    }


def encode(document: Any) -> bytes:
    """Plain data as JSON; what JSON does not know is written as text."""
    return _ENCODER.encode(document)


def pack(chunk: Chunk) -> str:
    """A chunk for embedding: JSON, deflated, in base64."""
    return b64encode(zlib.compress(encode(chunk), 9)).decode()


def _states(recorder: Recorder, process: int, slides: Sequence[SlideNotes], *, whole: bool) -> StateColumns:
    """The states of a process up to the last slide's newest one: new ones, or with `whole` all that are noted."""
    number = recorder.first_state(process)
    if not whole:
        number = slides[0].newest[process] + (slides[0].process != process)
    begin = number - recorder.first_state(process)
    end = slides[-1].newest[process] + 1 - recorder.first_state(process)
    states = list(islice(recorder.noted[process], begin, end))
    documents: dict[bytes, tuple[int, StateNotes]] = {}
    places = [documents.setdefault(encode(state.variables), (len(documents), state))[0] for state in states]
    different = [state for _, state in documents.values()]
    return {
        "from": number,
        "index": _changes([state.index for state in states]),
        "clock": [_changes([state.clock[k] for state in states]) for k in range(len(recorder.noted))],
        "variables": [state.variables for state in different],
        "variables_of": places,
        "colours": [_colours(part, process, different) for part in recorder.parts],
        "time": [state.time for state in states],
    }


def _colours(part: Part, process: int, states: Sequence[StateNotes]) -> str:
    return "".join(colour_of(part.condition, process, state.variables) for state in states)


def _through(recorder: Recorder, slides: Sequence[SlideNotes], begin: int) -> list[tuple[int, int, int]]:
    found = []
    for at, slide in enumerate(slides):
        for process, through in enumerate(slide.through):
            newest = recorder.noted[process][slide.newest[process] - recorder.first_state(process)]
            if newest.index != through:
                found.append((begin + at, process, through))
    return found


def _offsets(rows: Sequence[tuple[Sequence[int] | None, Sequence[int], int]]) -> list[list[int]]:
    """Per process the distances of cuts from an end of the windows; 0 where there is no cut."""
    processes = range(len(rows[0][1]))
    return [[sign * (cut[k] - end[k]) if cut else 0 for cut, end, sign in rows] for k in processes]


def _part(notes: Sequence[PartNotes], slides: Sequence[SlideNotes], begin: int) -> PartColumns:
    return {
        "values": "".join(_VALUES[note.value] for note in notes),
        "cut": [
            0 if note.cut is None else [number - slide.oldest[k] for k, number in enumerate(note.cut)]
            for note, slide in zip(notes, slides, strict=True)
        ],
        "path": [0 if note.path is None else note.path for note in notes],
        "stretch": [(begin + at, *note.stretch) for at, note in enumerate(notes) if note.stretch is not None],
        "labels": [note.labels or 0 for note in notes],
        "speak": [note.speak or 0 for note in notes],
        "because": "".join(_REASONS[note.because] for note in notes),
    }


def _changes(values: Sequence[int]) -> list[int]:
    """The first value, then by how much each differs from the one before.

    >>> _changes([5, 6, 6, 9])
    [5, 1, 0, 3]
    """
    return [*values[:1], *(after - before for before, after in pairwise(values))]
