"""One device of the live office, as a program: `python -m latwin.demo.device SETTINGS`.

It behaves as those of the paper's scenario: its variable alternates between false and true, and when it becomes
true the device tells all others, by messages that carry its clock and take their time. Every change and every
receipt is a state, reported by `latwin.process`. The phone also listens for verdicts, and mutes itself.

It speaks with whoever started it over standard input and output, a JSON object a line: first it says where it
listens, then it is told where the others do, then it tells what happens. At the next line it comes to rest: no state
begins any more, all are reported, and it tells how many there were. It ends when its input does, in whatever way
whoever started it ended.
"""

from __future__ import annotations

import random
import socket
import sys
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Event, Lock, Thread, Timer
from typing import Any

import msgspec

from latwin.errors import LatwinError
from latwin.process import HttpReporter, KafkaReporter, Process, Reporter

#: What a device's variable is called, its values for false and true, and how a person would say it.
ROLES: dict[str, tuple[str, Any, Any, str, str]] = {
    "phone": ("ap", "office", "meeting-room", "Bob goes back to his office", "Bob enters the meeting room"),
    "rfid": ("speaker", False, True, "the speaker leaves", "a speaker comes in"),
    "projector": ("on", False, True, "is switched off", "is switched on"),
}
_LARGEST_MESSAGE = 65_536
_LOOPBACK = "127.0.0.1"


class Settings(msgspec.Struct, kw_only=True):
    """What a device is told at its start."""

    name: str
    group: str
    #: a collector's URL, or kafka://host:port/topic
    report_to: str
    journal: str
    seed: int
    false_mean_s: float
    true_mean_s: float
    delay_mean_s: float


class Device:
    """The program's parts: what happens here, messages that come, verdicts that come."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._random = random.Random(f"{settings.seed} {settings.name}")
        variable, false = ROLES[settings.name][:2]
        self._process = Process(
            settings.name,
            make_reporter(settings.report_to),
            group=settings.group,
            variables={variable: false},
            journal=settings.journal,
        )
        self._stop = Event()
        self._beginning = Lock()
        self._peers: dict[str, int] = {}
        self._known_verdicts: set[str] = set()
        self._messages = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._messages.bind((_LOOPBACK, 0))
        self._verdicts = HTTPServer((_LOOPBACK, 0), _verdict_handler(self)) if settings.name == "phone" else None

    def run(self) -> None:
        """Live until standard input ends."""
        verdict_port = self._verdicts.server_port if self._verdicts is not None else None
        say(listens=self._messages.getsockname()[1], verdicts=verdict_port)
        line = sys.stdin.readline()
        if line:
            self._peers = msgspec.json.decode(line, type=dict[str, int])
            for work in (self._receive_messages, self._change, self._receive_verdicts):
                Thread(target=work, daemon=True).start()
            if sys.stdin.readline():
                self._rest()
                say(rests=self._process.index)
                sys.stdin.read()
        self._rest()
        self._process.close()

    def _rest(self) -> None:
        """Begin no more states, and report those that there are."""
        with self._beginning:
            self._stop.set()
        self._process.flush()

    def take_verdict(self, message: dict[str, Any]) -> None:
        """Act on a verdict, once; at rest too, as Bob's phone must not ring, but then no state comes of it."""
        if message["id"] in self._known_verdicts:
            return
        self._known_verdicts.add(message["id"])
        if message["property"] == "mute":
            began = self._begin(lambda: self._process.update(muted=message["value"]))
            act = "mutes itself" if message["value"] else "rings again"
            say(acts=act if began else f"{act}, at rest: without a state")

    def _begin(self, event: Callable[[], object]) -> bool:
        """Let a state begin, unless the device has come to rest."""
        with self._beginning:
            if self._stop.is_set():
                return False
            event()
            return True

    def _change(self) -> None:
        """Alternate between false and true; tell the others of each change to true."""
        variable, false, true, goes_false, goes_true = ROLES[self._settings.name]
        while not self._stop.wait(self._random.expovariate(1 / self._settings.false_mean_s)):
            if self._begin(lambda: self._process.update({variable: true})):
                say(happens=goes_true)
                for peer in self._peers:
                    self._send(peer, {"from": self._settings.name, variable: true})
            self._stop.wait(self._random.expovariate(1 / self._settings.true_mean_s))
            if self._begin(lambda: self._process.update({variable: false})):
                say(happens=goes_false)

    def _send(self, peer: str, message: dict[str, Any]) -> None:
        """Stamp the message now, and let the network take its time."""
        data = msgspec.json.encode(self._process.stamp(message))
        delay_s = self._random.expovariate(1 / self._settings.delay_mean_s)
        timer = Timer(delay_s, self._messages.sendto, (data, (_LOOPBACK, self._peers[peer])))
        timer.daemon = True
        timer.start()

    def _receive_messages(self) -> None:
        while not self._stop.is_set():
            data, _ = self._messages.recvfrom(_LARGEST_MESSAGE)
            message = msgspec.json.decode(data)
            if self._begin(partial(self._process.receive, message)):
                say(hears=message["from"])

    def _receive_verdicts(self) -> None:
        if self._verdicts is not None:
            self._verdicts.serve_forever()


def make_reporter(target: str) -> Reporter:
    """To a collector, or to a topic of Kafka."""
    if not target.startswith("kafka://"):
        return HttpReporter(target)
    bootstrap, _, topic = target.removeprefix("kafka://").partition("/")
    return KafkaReporter(bootstrap, topic)


def say(**fields: Any) -> None:
    """Tell whoever started this."""
    sys.stdout.write(msgspec.json.encode(fields).decode() + "\n")
    sys.stdout.flush()


def _verdict_handler(device: Device) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Verdicts come as POSTs, as the pipeline's `notify` sends them."""

        def do_POST(self) -> None:
            """Take one."""
            size = int(self.headers.get("Content-Length", "0"))
            device.take_verdict(msgspec.json.decode(self.rfile.read(size)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """No line a request."""

    return Handler


def main() -> None:
    """Run the device that the one argument describes."""
    try:
        Device(msgspec.json.decode(sys.argv[1], type=Settings)).run()
    except LatwinError as error:
        say(fails=str(error))
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
