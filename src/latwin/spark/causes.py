"""Why a query failed, in one line: the innermost cause of what Spark raises."""

from __future__ import annotations

import re

from latwin.errors import LatwinError

_CAUSES = (  # the most telling first
    r"latwin\.[\w.]+: (.+)",
    r"([A-Z]\w*Error: .+)",
    r"Caused by: [\w.$]+: (.+)",
    r": [\w.$]+: (.+)",
    r".* terminated with exception: (.+?)(?: SQLSTATE.*)?$",
)


class QueryFailed(LatwinError):
    """Spark gave up the query; the message is the innermost cause."""


def innermost_cause(error: BaseException) -> str:
    """The line of an error of Spark that says what went wrong; the other lines say where it passed by."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    for pattern in _CAUSES:
        raised = [found[1] for line in lines if (found := re.match(pattern, line))]
        if raised:
            return raised[-1]
    return lines[0] if lines else type(error).__name__
