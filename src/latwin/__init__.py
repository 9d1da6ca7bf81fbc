"""latwin: what possibly and what definitely held, across processes whose clocks cannot be trusted.

- `LatWin`: the lattice of consistent global states in an n-dimensional sliding window
- `Spec`, `Monitor`: properties as text, events in, verdicts out
- `latwin.reference.PaperLatWin`: the published algorithms, to read and to check against
- `latwin.process`: for programs that report their states
- `latwin.sim`: the paper's smart office and other workloads

The heavy parts (numba) are loaded when they are first used, so that `import latwin` is fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from latwin.errors import (
        InvalidClock,
        InvalidEvent,
        InvalidInput,
        JournalError,
        LatticeTooLarge,
        LatwinError,
        PropertyError,
        SnapshotError,
        SpecError,
        TooManyWaiting,
        UnsentStates,
    )
    from latwin.lattice.latwin import LatWin
    from latwin.model import Counters, Notice, Verdict, Verdicts
    from latwin.monitor import Monitor
    from latwin.slide import Slide
    from latwin.spec import Spec

_HOME = {
    "LatWin": "latwin.lattice.latwin",
    "Monitor": "latwin.monitor",
    "Slide": "latwin.slide",
    "Spec": "latwin.spec",
    "Counters": "latwin.model",
    "Notice": "latwin.model",
    "Verdict": "latwin.model",
    "Verdicts": "latwin.model",
    "InvalidClock": "latwin.errors",
    "InvalidEvent": "latwin.errors",
    "InvalidInput": "latwin.errors",
    "JournalError": "latwin.errors",
    "LatticeTooLarge": "latwin.errors",
    "LatwinError": "latwin.errors",
    "PropertyError": "latwin.errors",
    "SnapshotError": "latwin.errors",
    "SpecError": "latwin.errors",
    "TooManyWaiting": "latwin.errors",
    "UnsentStates": "latwin.errors",
}

__all__ = [
    "Counters",
    "InvalidClock",
    "InvalidEvent",
    "InvalidInput",
    "JournalError",
    "LatWin",
    "LatticeTooLarge",
    "LatwinError",
    "Monitor",
    "Notice",
    "PropertyError",
    "Slide",
    "SnapshotError",
    "Spec",
    "SpecError",
    "TooManyWaiting",
    "UnsentStates",
    "Verdict",
    "Verdicts",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Load a public name's module on first use."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'latwin' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted({*globals(), *__all__})
