"""Reporters: what was sent is safe, what was not is told, and a torn or refused batch comes again whole."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from latwin.process import (
    FileReporter,
    FolderReporter,
    HttpReporter,
    InvalidInput,
    KafkaReporter,
    Process,
    Reporter,
    Settings,
    UnsentStates,
)

AT_ONCE = Settings(gather_s=0.0, retry_s=(0.001, 0.01))
EVENTS = [b'{"group":"g","process":"a","clock":{"a":%d},"state":{},"time":0.0}' % k for k in (1, 2, 3)]


def numbers(lines: Sequence[bytes]) -> list[int]:
    return [msgspec.json.decode(line)["clock"]["a"] for line in lines]


# -- files ---------------------------------------------------------------------------------------------------------


def test_a_file(tmp_path: Path) -> None:
    reporter = FileReporter(tmp_path / "events.jsonl")
    reporter.send(EVENTS[:2])
    reporter.close()
    reporter.send(EVENTS[2:])
    assert reporter.path.read_bytes() == b"".join(event + b"\n" for event in EVENTS)
    with pytest.raises(InvalidInput, match="use FolderReporter"):
        FileReporter(tmp_path)


@pytest.mark.parametrize("torn", [0, 1, 5, 30, len(EVENTS[1]) - 1])
def test_a_torn_line_is_removed(tmp_path: Path, torn: int) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(EVENTS[0] + b"\n" + EVENTS[1][:torn])
    FileReporter(path).send(EVENTS[1:])
    assert path.read_bytes() == b"".join(event + b"\n" for event in EVENTS)


@pytest.mark.parametrize("last", [b"not ours", EVENTS[0], b'{"process":"b"'])
def test_others_lines_are_kept(tmp_path: Path, last: bytes) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"first\n" + last)
    FileReporter(path).send(EVENTS[1:2])
    assert path.read_bytes() == b"first\n" + last + b"\n" + EVENTS[1] + b"\n"


def test_a_full_disk_leaves_no_half_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(EVENTS[0] + b"\n")
    write = os.write
    left = [20]

    def full(file: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = write(file, bytes(data[: left[0]]))
        left[0] -= written
        return written

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        FileReporter(path).send(EVENTS[1:])
    monkeypatch.undo()
    assert path.read_bytes() == EVENTS[0] + b"\n"


def test_many_writers_of_one_file(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    own = [Process(f"p{k}", FileReporter(path), settings=AT_ONCE) for k in range(4)]

    def work(process: Process) -> None:
        with process:
            for n in range(30):
                process.update(text="x" * 5000, n=n)

    workers = [threading.Thread(target=work, args=(process,)) for process in own]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    events = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    assert len(events) == 4 * 30
    assert len({(event["process"], event["state"]["n"]) for event in events}) == 4 * 30


def test_a_folder(tmp_path: Path) -> None:
    reporter = FolderReporter(tmp_path / "new" / "events")
    reporter.send(EVENTS[:2])
    reporter.send(EVENTS[2:])
    reporter.close()
    files = sorted(reporter.folder.iterdir())
    assert [path.suffix for path in files] == [".jsonl", ".jsonl"]
    assert [numbers(path.read_bytes().splitlines()) for path in files] == [[1, 2], [3]]
    with pytest.raises(InvalidInput, match="use FileReporter"):
        FolderReporter(files[0])


def test_a_file_in_a_folder_appears_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def failing(descriptor: int) -> None:
        seen.append([path.name for path in tmp_path.iterdir()])
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(OSError, match="Input/output"):
        FolderReporter(tmp_path).send(EVENTS)
    assert seen[0][0].startswith(".")  # which Spark does not read
    assert list(tmp_path.iterdir()) == []


# -- HTTP ----------------------------------------------------------------------------------------------------------


class Server:
    """Answers posts by a list of statuses, then with 200; status 0 breaks the connection."""

    def __init__(self, statuses: Sequence[int] = (), *, keeps: bool = True) -> None:
        self.posts: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.connections = 0
        coming = iter(statuses)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(handler) -> None:  # noqa: N805 (self is the server)
                super().setup()
                self.connections += 1

            def do_POST(handler) -> None:  # noqa: N805
                body = handler.rfile.read(int(handler.headers["Content-Length"]))
                status = next(coming, 200)
                if status == 0:
                    handler.close_connection = True
                    return
                self.headers.append(dict(handler.headers.items()))
                if status == 200:
                    self.posts.append(body)
                handler.send_response(status)
                handler.send_header("Content-Length", "4")
                handler.end_headers()
                handler.wfile.write(b"why\n")
                handler.close_connection = not keeps  # without saying so

            def log_message(handler, format: str, *args: Any) -> None:  # noqa: N805
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/events?from=here"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def test_http_keeps_its_connection() -> None:
    with Server() as server:
        reporter = HttpReporter(server.url, headers={"Authorization": "Bearer x"})
        reporter.send(EVENTS[:1])
        reporter.send(EVENTS[1:])
        assert server.connections == 1
        reporter.close()
    assert server.posts == [EVENTS[0] + b"\n", EVENTS[1] + b"\n" + EVENTS[2] + b"\n"]
    assert server.headers[0]["Authorization"] == "Bearer x"
    assert server.headers[0]["Content-Type"] == "application/x-ndjson"


def test_http_connects_again_when_the_other_side_hung_up() -> None:
    with Server(keeps=False) as server:
        reporter = HttpReporter(server.url)
        for event in EVENTS:
            reporter.send([event])
        reporter.close()
    assert len(server.posts) == server.connections == 3


def test_http_tells_what_was_answered() -> None:
    with Server([503]) as server:
        reporter = HttpReporter(server.url)
        with pytest.raises(ConnectionError, match=r"/events\?from=here answered 503: why"):
            reporter.send(EVENTS)
        reporter.send(EVENTS)
        reporter.close()


def test_a_failing_server_gets_everything_in_the_end() -> None:
    with Server([503, 500, 0, 400, 0, 503]) as server:
        with Process("a", HttpReporter(server.url), settings=AT_ONCE) as process:
            for _ in range(5):
                process.update()
        assert numbers(b"".join(server.posts).splitlines()) == [1, 2, 3, 4, 5]


@contextmanager
def taken_port() -> Iterator[int]:
    """A port on which nobody listens, and which nobody else can get meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def test_nobody_listens() -> None:
    with taken_port() as port:
        process = Process("a", HttpReporter(f"http://127.0.0.1:{port}/"), settings=AT_ONCE)
        process.update()
        while process.trouble is None:
            time.sleep(0.001)
        with pytest.raises(UnsentStates, match="ConnectionRefusedError"):
            process.close(0.1)


@pytest.mark.parametrize(("answer", "reason"), [(b"what?\r\n\r\n", "no answer of HTTP"), (b"", "timed out")])
def test_answers_that_are_none(answer: bytes, reason: str) -> None:
    """Something that does not speak HTTP, and something that does not speak at all."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        reporter = HttpReporter(
            f"http://127.0.0.1:{listening.getsockname()[1]}/", timeout_s=0.2 if not answer else 30
        )

        def speak() -> None:
            client, _ = listening.accept()
            with client:
                client.recv(1 << 16)
                client.sendall(answer)
                while client.recv(1 << 16):  # until the reporter hangs up; headers and body may come apart
                    pass

        speaking = threading.Thread(target=speak)
        speaking.start()
        with pytest.raises(ConnectionError, match=reason):
            reporter.send(EVENTS)
        speaking.join()


def test_who_does_not_answer_is_not_asked_again_at_once() -> None:
    """Also over a kept connection: it timed out, it did not end."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        reporter = HttpReporter(f"http://127.0.0.1:{listening.getsockname()[1]}/", timeout_s=30)
        received: list[bytes] = []

        def speak() -> None:
            client, _ = listening.accept()
            with client:
                while EVENTS[0] not in b"".join(received):
                    received.append(client.recv(1 << 16))
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                while data := client.recv(1 << 16):  # no answer any more
                    received.append(data)

        speaking = threading.Thread(target=speak)
        speaking.start()
        reporter.send(EVENTS[:1])
        assert reporter._connection is not None
        assert reporter._connection.sock is not None
        reporter._connection.sock.settimeout(0.2)
        with pytest.raises(ConnectionError, match="timed out"):
            reporter.send(EVENTS[1:2])
        speaking.join()
        listening.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody connected again
            listening.accept()
    assert b"".join(received).count(EVENTS[1]) == 1


@pytest.mark.parametrize("url", ["127.0.0.1:80", "ftp://x/", "http:///events", "http://x:port/", ""])
def test_urls(url: str) -> None:
    with pytest.raises(InvalidInput, match="the URL must be like http://"):
        HttpReporter(url)


# -- Kafka: the real client against librdkafka's own mock of a broker ----------------------------------------------


@pytest.fixture
def kafka() -> Iterator[KafkaReporter]:
    reporter = KafkaReporter("ignored:1", "events", config={"test.mock.num.brokers": 1}, timeout_s=30)
    yield reporter
    reporter.close()


@pytest.mark.slow
def test_kafka_delivers(kafka: KafkaReporter) -> None:
    from confluent_kafka import Consumer

    with Process("a", kafka, group="office-1", settings=AT_ONCE) as process:
        for n in range(20):
            process.update(n=n)
        process.flush()
        assert kafka._producer is not None
        (broker,) = kafka._producer.list_topics(timeout=10).brokers.values()
        config: dict[str, Any] = {"group.id": "test", "auto.offset.reset": "earliest"}
        consumer = Consumer({"bootstrap.servers": f"{broker.host}:{broker.port}", **config})
        try:
            consumer.subscribe(["events"])
            messages = [consumer.poll(30) for _ in range(20)]
        finally:
            consumer.close()
    found = [message for message in messages if message is not None and message.error() is None]
    assert [message.key() for message in found] == [b"office-1"] * 20
    assert len({message.partition() for message in found}) == 1
    assert numbers([message.value() or b"" for message in found]) == list(range(1, 21))


def test_kafka_waits_for_room_in_its_queue() -> None:
    config = {"test.mock.num.brokers": 1, "queue.buffering.max.messages": 2}
    reporter = KafkaReporter("ignored:1", "events", config=config)
    reporter.send(EVENTS * 5)
    reporter.close()


def test_kafka_that_does_not_answer() -> None:
    with taken_port() as port:
        reporter = KafkaReporter(f"127.0.0.1:{port}", "events", config={"log_level": 0}, timeout_s=0.3)
        with pytest.raises(ConnectionError, match="topic 'events': 3 of 3 events not delivered"):
            reporter.send(EVENTS)
        with pytest.raises(ConnectionError, match="not delivered"):
            reporter.send(EVENTS[:1])  # by a fresh producer
        reporter.close()


@pytest.mark.parametrize(
    ("bootstrap", "topic", "config", "reason"),
    [
        ("", "events", {}, "bootstrap must be a text"),
        ("x:1", "", {}, "topic must be a text"),
        ("x:1", "events", {"no.such.setting": 1}, "refuses the settings.*no.such.setting"),
    ],
)
def test_kafka_that_cannot_be_meant(bootstrap: str, topic: str, config: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        KafkaReporter(bootstrap, topic, config=config)


def test_kafka_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "confluent_kafka", None)
    with pytest.raises(InvalidInput, match=r"confluent-kafka .*pip install 'latwin\[kafka\]'"):
        KafkaReporter("x:1", "events")


def test_all_are_reporters(tmp_path: Path, kafka: KafkaReporter) -> None:
    reporters: list[Reporter] = [
        FileReporter(tmp_path / "x"),
        FolderReporter(tmp_path),
        HttpReporter("http://127.0.0.1:1/"),
        kafka,
    ]
    for reporter in reporters:
        reporter.close()
        reporter.close()
