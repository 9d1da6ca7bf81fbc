"""Why a query failed, in one line, and whether it may succeed if it is started again."""

from __future__ import annotations

import re
from urllib.parse import unquote

from latwin.errors import LatwinError

_CAUSES = (  # the most telling first
    r"latwin\.[\w.]+: (.+)",
    r"([A-Z]\w*Error: .+)",
    r"Caused by: [\w.$]+: (.+)",
    r": [\w.$]+: (.+)",
    r".* terminated with exception: (.+?)(?: SQLSTATE.*)?$",
)
#: how Spark tells of a file that it could not read
_READ = re.compile(r"while reading file (\S+?)\.?(?=\s|$)")
#: failures of machines, processes and networks, as Spark words them; the query is not to blame
_PASSING = (
    "Python worker failed to connect back",
    "Python worker exited unexpectedly",
    "Python worker keeps failing",
    "ExecutorLostFailure",
    "ExecutorDeadException",
    "FetchFailed",
    "MetadataFetchFailed",
    "Connection reset",
    "Broken pipe",
)


class QueryFailed(LatwinError):
    """Spark gave up the query; the message is the innermost cause.

    `may_pass` says that machines or processes failed, so that the query may succeed if it is started again.
    """

    def __init__(self, message: str, *, may_pass: bool = False) -> None:
        """Keep beside the message whether it may pass."""
        super().__init__(message)
        self.may_pass = may_pass


def may_pass(error: BaseException) -> bool:
    """Whether an error of Spark tells of a lost process or connection, and of nothing that will repeat itself.

    What latwin raised in a worker (damaged state, another spec) repeats itself, whatever was lost because of it.
    """
    text = str(error)
    return not re.search(_CAUSES[0], text) and any(sign in text for sign in _PASSING)


def innermost_cause(error: BaseException) -> str:
    """The line of an error of Spark that says what went wrong; the other lines say where it passed by.

    If a file could not be read, its name comes first.
    """
    cause, file = _innermost(error), _READ.search(str(error))
    if file is None:
        return cause
    place = unquote(file[1].removeprefix("file://"))
    return cause if place in cause else f"{place}: cannot be read: {cause}"


def _innermost(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    for pattern in _CAUSES:
        raised = [found[1] for line in lines if (found := re.match(pattern, line))]
        if raised:
            return raised[-1]
    return lines[0] if lines else type(error).__name__
