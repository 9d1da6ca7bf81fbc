"""For programs that report to latwin: a vector clock that is kept right, on messages, over crashes.

    process.py     Process: update, stamp, receive
    stamps.py      clocks on messages: dictionaries, headers, CloudEvents
    journal.py     states on disk, until they are reported
    outbox.py      states in memory, bounded, and the thread that reports them
    settings.py    limits, waits, durability
    reporter.py    the seam towards the checker; files.py, http.py, kafka.py go through it
    collector.py   the other side of http.py: `latwin collect`; publisher.py makes its files

>>> from latwin.process import MemoryReporter, Process
>>> phone, projector = (Process(name, MemoryReporter(), group="office-1") for name in ("phone", "projector"))
>>> phone.update(ap="meeting-room")
1
>>> message = phone.stamp({"command": "on"})
>>> projector.receive(message, on=True)
1
>>> projector.clock
{'projector': 1, 'phone': 1}

It imports nothing of the checker, and neither numpy nor Spark.
"""

from latwin.errors import InvalidClock, InvalidEvent, InvalidInput, JournalError, UnsentStates
from latwin.process.files import FileReporter, FolderReporter
from latwin.process.http import HttpReporter
from latwin.process.kafka import KafkaReporter
from latwin.process.process import Process
from latwin.process.reporter import MemoryReporter, Reporter
from latwin.process.settings import Settings
from latwin.process.stamps import ATTRIBUTE, HEADER, Stamp, find_stamp, read_stamp

__all__ = [
    "ATTRIBUTE",
    "HEADER",
    "FileReporter",
    "FolderReporter",
    "HttpReporter",
    "InvalidClock",
    "InvalidEvent",
    "InvalidInput",
    "JournalError",
    "KafkaReporter",
    "MemoryReporter",
    "Process",
    "Reporter",
    "Settings",
    "Stamp",
    "UnsentStates",
    "find_stamp",
    "read_stamp",
]
