"""Why a query failed, in one line, and whether it may succeed if it is started again."""

from __future__ import annotations

import re
from urllib.parse import unquote

from latwin.errors import LatwinError
from latwin.spark.checkpoint_logs import REMEDY

_CAUSES = (  # the most telling first
    r"latwin\.[\w.]+: (.+)",
    r"([A-Z]\w*Error: .+)",
    r"Caused by: [\w.$]+: (.+)",
    r": [\w.$]+: (.+)",
    r".* terminated with exception: (.+?)(?: SQLSTATE.*)?$",
)
#: how Spark tells of a file that it could not read
_READ = re.compile(r"while reading file (\S+?)\.?(?=\s|$)")
#: how Spark and Hadoop word what users can mend, and what to say instead, with the named groups of the first
_EXPLANATIONS = tuple(
    (re.compile(pattern), sentence)
    for pattern, sentence in (
        (
            r"No space left on device|There is not enough space|Disk quota exceeded",
            "a disk is full, of the output, the checkpoint or the folder for temporary files; nothing is lost: make "
            "room, and start again",
        ),
        (
            r"Permission denied: user=\S+, access=\S+, inode=\"(?P<file>[^\"]+)\"|"
            r"(?:[Ee]xception|Error): (?P<local>/[^\n]+?) \(Permission denied\)|"
            r"Exception: (?P<listed>/[^\n:]+): Permission denied|AccessDeniedException: (?P<denied>/[^\s:]+)|"
            r"PermissionError: \[Errno \d+\] [^\n:]+: '(?P<python>[^'\n]+)'",
            "{file}{local}{listed}{denied}{python}: this user has no permission; nothing is lost: grant it, and "
            "start again",
        ),
        (
            r"(?:[Ee]xception|Error): (?P<local>/[^\n]+?) \(Read-only file system\)|"
            r"Read-only file system: '(?P<python>[^'\n]+)'",
            "{local}{python}: its file system is read-only; nothing is lost: let it be written, and start again",
        ),
        (
            r"Failed to read log file (?P<file>[^\n]+?)\. .*INVALID_LOG_VERSION.*version is (?P<known>\w+), but "
            r"encountered (?P<there>\w+)",
            "{file}: another version of Spark wrote this checkpoint (its form is {there}, this Spark reads up to "
            "{known}); go on with that version of Spark, or begin with a new checkpoint and output",
        ),
        (
            r"NOT_MATCH_IN_STATE_METADATA[^\n]*\n[^\n]*metadata: \[[^\]]*transformWithStateInPandasExec",
            "the checkpoint was begun on PySpark 4.0, and Spark does not let a later version go on with it; go on "
            "with PySpark 4.0, or begin with a new checkpoint and output",
        ),
        (
            r"NOT_MATCH_IN_STATE_METADATA[^\n]*\n[^\n]*batch: \[[^\]]*transformWithStateInPandasExec",
            "the checkpoint was begun on PySpark 4.1 or later, and Spark does not let 4.0 go on with it; go on with "
            "the version of before, or begin with a new checkpoint and output",
        ),
        (
            r"Failed to read log file (?P<file>[^\n]+?)\. ",
            "{file}: this file of the checkpoint is damaged; " + REMEDY,
        ),
        (
            r"\[MALFORMED_LOG_FILE\]|\[INCOMPLETE_LOG_FILE\]",
            "a file below `state` in the checkpoint is damaged ({cause}); " + REMEDY,
        ),
        (
            r"File (?P<file>\S+/state/\d+/_stateSchema/\S+) does not exist",
            "{file}: the checkpoint needs this file, which is not there; a checkpoint that was moved must go back to "
            "where it began, and of one that is damaged " + REMEDY,
        ),
        (
            r"terminated with exception: (?:Unexpected (?:end-of-input|character)|Unrecognized token|Invalid UTF-)",
            "a file of the checkpoint, or of the log of a table, is damaged ({cause}); " + REMEDY,
        ),
        (
            r"CANNOT_LOAD_STATE_STORE|MISSING_STATE_DIRECTORY|FAILED_READ_DELTA_FILE|FAILED_READ_SNAPSHOT_FILE|INVALID_CHANGE_LOG",
            "the state in the checkpoint is damaged or incomplete ({cause}); " + REMEDY,
        ),
        (
            r"Wrong basePath (?P<now>\S+) for the root path: (?P<file>\S+)",
            "the checkpoint was begun with another input than {now}: it has read {file}. Use the old input, or a new "
            "checkpoint and output",
        ),
        (r"Checksum error: (?P<file>\S+)", "{file}: this file is damaged, its checksum is wrong; " + REMEDY),
        (r"Destination exists and is not a directory: (?P<file>\S+)", "{file} is a file; it must be a folder"),
    )
)
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
    "org.apache.kafka.common.errors.TimeoutException",
    "org.apache.kafka.common.errors.DisconnectException",
    "org.apache.kafka.common.errors.NetworkException",
)
#: what latwin itself says of brokers that are away
_BROKERS_AWAY = re.compile(r"\bKafkaFailed: .*no answer within")


class QueryFailed(LatwinError):
    """Spark gave up the query; the message is the innermost cause.

    `may_pass` says that machines or processes failed, so that the query may succeed if it is started again.
    """

    def __init__(self, message: str, *, may_pass: bool = False) -> None:
        """Keep beside the message whether it may pass."""
        super().__init__(message)
        self.may_pass = may_pass


class Explained(QueryFailed):
    """A failure that a user can mend; the message says what is wrong and what to do, and Spark's log adds nothing."""


def failure_of(error: BaseException) -> QueryFailed:
    """What to raise for an error of Spark: explained if we know it, else its innermost cause."""
    text = str(error)
    if not re.search(_CAUSES[0], text):  # what latwin raised says by itself what is wrong
        for pattern, sentence in _EXPLANATIONS:
            if found := pattern.search(text):
                parts = {name: _place(part or "") for name, part in found.groupdict().items()}
                return Explained(sentence.format(cause=_plainly(innermost_cause(error)), **parts))
    return QueryFailed(innermost_cause(error), may_pass=may_pass(error))


def may_pass(error: BaseException) -> bool:
    """Whether an error of Spark tells of a lost process or connection, and of nothing that will repeat itself.

    What latwin raised in a worker (damaged state, another spec) repeats itself, whatever was lost because of it;
    only brokers that did not answer may answer again.
    """
    text = str(error)
    if _BROKERS_AWAY.search(text):
        return True
    return not re.search(_CAUSES[0], text) and any(sign in text for sign in _PASSING)


def innermost_cause(error: BaseException) -> str:
    """The line of an error of Spark that says what went wrong; the other lines say where it passed by.

    If a file could not be read, its name comes first.
    """
    cause, file = _innermost(error), _READ.search(str(error))
    if file is None:
        return cause
    place = _place(file[1])
    return cause if place in cause else f"{place}: cannot be read: {cause}"


def _plainly(cause: str) -> str:
    """Without the names that Spark gives to errors."""
    return re.sub(r"^\[[\w.]+\]\s*|\s*SQLSTATE: \w+|\.\s*$", "", cause).strip().rstrip(".")


def _place(uri: str) -> str:
    """A file as a user would write it."""
    return unquote(re.sub(r"^file:(//)?(?=/)", "", uri)).rstrip(".")


def _innermost(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    for pattern in _CAUSES:
        raised = [found[1] for line in lines if (found := re.match(pattern, line))]
        if raised:
            return raised[-1]
    return lines[0] if lines else type(error).__name__
