"""The collector: what it answers with 200 is in the folder, in whole files; the rest is refused with a reason."""

from __future__ import annotations

import contextlib
import errno
import gzip
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from latwin import Monitor, Spec
from latwin.cli import app
from latwin.process import HttpReporter, InvalidInput, Process, Settings, files
from latwin.process import publisher as publisher_module
from latwin.process.collector import Collector, read_lines
from latwin.process.publisher import Publisher, Refused

GOOD = b'{"process":"a","clock":{"a":1},"state":{"x":1}}'


@pytest.fixture
def collector(tmp_path: Path) -> Iterator[Collector]:
    with Collector(tmp_path / "events", gather_s=0.0) as running:
        yield running


def ask(
    collector: Collector, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", collector.port, timeout=30)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def collected(folder: Path) -> list[dict[str, Any]]:
    files = sorted(folder.glob("*.jsonl"))
    return [msgspec.json.decode(line) for path in files for line in path.read_bytes().splitlines()]


def test_posts_become_files(collector: Collector) -> None:
    assert collector.url == f"http://127.0.0.1:{collector.port}/events"
    assert ask(collector, "POST", "/events", GOOD + b"\n\r\n" + GOOD) == (200, {"events": 2})
    events = collected(collector.folder)
    arrivals = [event.pop("arrival") for event in events]
    assert events == [msgspec.json.decode(GOOD)] * 2
    assert arrivals[0] < arrivals[1] < 2**53
    assert ask(collector, "POST", "/", b"\n") == (200, {"events": 0})
    assert len(list(collector.folder.iterdir())) == 1


def test_no_programs_clock_decides_the_order(collector: Collector) -> None:
    """An `arrival` of the sender's is replaced, however its name is written; one in a state is none."""
    lines = [
        b'{"process":"a","clock":{"a":1},"state":{"n":123456789012345678901234567890},"arrival":9007199254740991}',
        b'{"process":"a","clock":{"a":2},"state":{"arrival":8}}',
        b'{"\\u0061rrival":7,"process":"a","clock":{"a":3},"state":{"x":"\\u00e4"}}',
    ]
    ask(collector, "POST", "/events", b"\n".join(lines))
    (file,) = collector.folder.iterdir()
    assert [line.count(b'"arrival"') for line in file.read_bytes().splitlines()] == [1, 2, 1]
    events = collected(collector.folder)
    arrivals = [event.pop("arrival") for event in events]
    assert 10**15 < arrivals[0] < arrivals[1] < arrivals[2] < 2**53 - 1
    assert [event["clock"]["a"] for event in events] == [1, 2, 3]
    assert [event["state"] for event in events] == [
        {"n": 123456789012345678901234567890},
        {"arrival": 8},
        {"x": "\u00e4"},
    ]


@pytest.mark.parametrize(
    ("headers", "status", "reason"),
    [
        ({"Origin": "https://example.org"}, 403, "requests from web pages are refused"),
        ({"Origin": "null"}, 403, "requests from web pages are refused"),
        ({"Host": "example.org"}, 403, "the request asks for the Host 'example.org'"),
        ({"Host": "localhost.example.org:80"}, 403, "the request asks for the Host"),
        ({"Host": "[::2]:80"}, 403, "the request asks for the Host"),
        ({"Content-Type": "text/plain"}, 415, "application/x-ndjson or application/json, or left out"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415, "got 'application/x-www-form-urlencoded'"),
        ({"Content-Type": "multipart/form-data; boundary=x"}, 415, "the content type must be"),
        ({"Content-Type": ""}, 415, "the content type must be"),
    ],
)
def test_web_pages_cannot_post(collector: Collector, headers: dict[str, str], status: int, reason: str) -> None:
    found, answer = ask(collector, "POST", "/events", GOOD, **headers)
    assert found == status
    assert reason in answer["error"]
    assert collected(collector.folder) == []
    if status == 403:
        assert ask(collector, "GET", "/health", None, **headers)[0] == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Host": "localhost:9"},
        {"Host": "LocalHost"},
        {"Host": "[::1]:8090"},
        {"Host": "::1"},
        {"Host": "127.0.0.1"},
        {"Content-Type": "application/json; charset=utf-8"},
        {"Content-Type": "application/x-ndjson"},
    ],
)
def test_programs_can(collector: Collector, headers: dict[str, str]) -> None:
    assert ask(collector, "POST", "/events", GOOD, **headers) == (200, {"events": 1})


def test_a_collector_for_others_knows_not_by_which_name_it_is_reached(tmp_path: Path) -> None:
    with Collector(tmp_path, host="0.0.0.0", gather_s=0.0) as collector:
        assert ask(collector, "POST", "/events", GOOD, Host="collector.example")[0] == 200
        assert ask(collector, "POST", "/events", GOOD, Origin="http://collector.example")[0] == 403


def test_bad_lines_are_told_and_nothing_is_taken(collector: Collector) -> None:
    bad = [b"{", b"[1]", b"{}", b'{"process":1,"clock":{},"state":{}}', b'{"process":"a","clock":3,"state":{}}']
    bad += [b'{"process":"a","clock":{},"state":3}', b"\xff", b"[" * 5000]
    status, answer = ask(collector, "POST", "/events", b"\n".join([GOOD, *bad, GOOD]))
    assert status == 400
    assert answer["error"] == "8 bad lines; none was taken"
    assert [line["line"] for line in answer["lines"]] == list(range(2, 10))
    assert answer["lines"][2]["reason"] == "the event lacks 'process', 'clock'"
    assert collected(collector.folder) == []
    assert read_lines(b'{"process":"a","clock":[1],"state":null}')[1] == []


def test_requests_that_cannot_be_meant(tmp_path: Path) -> None:
    with Collector(tmp_path, max_post_bytes=1000) as collector:
        assert ask(collector, "POST", "/nowhere", GOOD)[0] == 404
        assert ask(collector, "GET", "/events")[0] == 404
        assert ask(collector, "POST", "/events", b"x" * 1001)[0] == 413
        assert ask(collector, "POST", "/events", None, **{"Content-Length": "many"})[0] == 411
        assert ask(collector, "POST", "/events", None, **{"Content-Length": "-1"})[0] == 411
        with socket.create_connection(("127.0.0.1", collector.port)) as broken:
            broken.sendall(b"POST /events HTTP/1.1\r\nContent-Length: 900\r\n\r\n" + GOOD)
        assert ask(collector, "GET", "/health")[0] == 200
    assert list(tmp_path.iterdir()) == []


def test_too_much_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the disk is slow, posts wait up to a bound; beyond it they are refused, and those that wait are kept."""
    go_on, publish = threading.Event(), files.publish
    begun = threading.Event()

    def slow(folder: Path, lines: list[bytes]) -> Path:
        begun.set()
        go_on.wait(60)
        return publish(folder, lines)

    monkeypatch.setattr(publisher_module, "publish", slow)
    statuses: list[int] = []
    with Collector(tmp_path, gather_s=0.0, max_waiting_bytes=2 * len(GOOD)) as collector:

        def post() -> None:
            statuses.append(ask(collector, "POST", "/events", GOOD)[0])

        workers = [threading.Thread(target=post)]
        workers[0].start()
        begun.wait(60)  # the first is being written; two more may wait
        for _ in range(2):
            workers.append(threading.Thread(target=post))
            workers[-1].start()
        while collector.counts.waiting_bytes < 2 * len(GOOD):
            pass
        status, answer = ask(collector, "POST", "/events", GOOD)
        assert status == 503
        assert "wait to be written already; send it again later" in answer["error"]
        go_on.set()
        for worker in workers:
            worker.join()
    assert statuses == [200, 200, 200]
    assert len(collected(tmp_path)) == 3
    assert len(list(tmp_path.iterdir())) == 2  # those that waited share a file


def test_a_disk_that_refuses(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder: Path, lines: list[bytes]) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(publisher_module, "publish", full)
        status, answer = ask(collector, "POST", "/events", GOOD)
        assert status == 503
        assert "No space left on device" in answer["error"]
        status, answer = ask(collector, "GET", "/health")
        assert (status, answer["status"]) == (503, "cannot write")
    assert ask(collector, "POST", "/events", GOOD)[0] == 200
    status, answer = ask(collector, "GET", "/health")
    told = {"status": "ok", "events": 1, "files": 1, "waiting_bytes": 0, "trouble": None, "refused": 0}
    assert (status, answer) == (200, told)


def test_a_publisher_that_stopped_or_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(publisher_module, "publish", lambda folder, lines: go_on.wait(60))
    publisher = Publisher(tmp_path, gather_s=0.0, max_waiting_bytes=1000)
    with pytest.raises(Refused, match=r"not written within 0.01 s"):
        publisher.take([GOOD], 0.01)
    go_on.set()
    publisher.close()
    with pytest.raises(Refused, match="the collector stops"):
        publisher.take([GOOD], 1)


def test_a_post_during_a_stop_is_answered(tmp_path: Path) -> None:
    """Posts that were taken are published and answered before the collector ends, however long it would gather."""
    collector = Collector(tmp_path, gather_s=15.0)
    assert ask(collector, "POST", "/events", GOOD)[0] == 200  # the next one is gathered
    statuses: list[int] = []
    worker = threading.Thread(target=lambda: statuses.append(ask(collector, "POST", "/events", GOOD)[0]))
    worker.start()
    while not collector.counts.waiting_bytes:
        pass
    collector.close()
    worker.join()
    assert statuses == [200]
    assert len(collected(tmp_path)) == 2


def collector_again(folder: Path, port: int) -> Collector:
    """On the port of one that ended; somebody else's connection may have it for a moment."""
    while True:
        try:
            return Collector(folder, port=port, gather_s=0.0)
        except InvalidInput as error:
            if "in use" not in str(error):
                raise
            time.sleep(0.01)


def test_processes_report_through_it(tmp_path: Path) -> None:
    """Back-pressure all the way: a small outbox, a collector that is stopped and started again on the same port."""
    settings = Settings(gather_s=0.0, max_unsent=5, max_batch=2, retry_s=(0.001, 0.02))
    first = Collector(tmp_path, gather_s=0.0)
    port = first.port
    with (
        Process("a", HttpReporter(first.url), settings=settings) as a,
        Process("b", HttpReporter(first.url), settings=settings) as b,
    ):
        for n in range(20):
            a.update(n=n)
            b.receive(a.stamp({}))
        a.flush()  # there is room for five; those of `b` may still be on their way when it stops
        first.close()
        for n in range(5):
            a.update(n=n)
        second = collector_again(tmp_path, port)
        for _ in range(20):
            a.receive(b.stamp({}))
            b.update()
    second.close()
    monitor = Monitor(
        Spec.from_dict({"processes": ["a", "b"], "window": 4, "properties": {"p": "possibly(a.n == 3)"}})
    )
    for event in collected(tmp_path):
        monitor.observe(event)
    assert (monitor.counters.delivered, monitor.counters.waiting, monitor.counters.rejected) == (45 + 40, 0, 0)


def test_settings_are_checked(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="max_post_bytes"):
        Collector(tmp_path, max_post_bytes=0)
    with pytest.raises(InvalidInput, match="gather_s"):
        Collector(tmp_path, gather_s=-1)
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match="is no folder"):
        Collector(tmp_path / "file")
    with Collector(tmp_path) as running, pytest.raises(InvalidInput, match=r"cannot listen on 127\.0\.0\.1 port"):
        Collector(tmp_path, port=running.port)


def test_addresses_of_version_6(tmp_path: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:  # a machine without them
        with pytest.raises(InvalidInput, match="cannot listen on ::1"):
            Collector(tmp_path, host="::1")
        return
    with Collector(tmp_path, host="::1") as running:
        assert running.url == f"http://[::1]:{running.port}/events"
        HttpReporter(running.url).send([GOOD])
    assert len(collected(tmp_path)) == 1


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_command(tmp_path: Path, how: signal.Signals) -> None:
    command = [sys.executable, "-m", "latwin.cli", "collect", "--out", str(tmp_path / "events"), "--gather", "10"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        words = running.stdout.readline().split()
        assert words[:2] == ["collecting", "on"]
        HttpReporter(words[2]).send([GOOD])

        def post() -> None:
            with contextlib.suppress(ConnectionError):  # it may come too late
                HttpReporter(words[2]).send([GOOD])

        worker = threading.Thread(target=post)
        worker.start()
        running.send_signal(how)
        out, errors = running.communicate(timeout=60)
        worker.join()
    assert (running.returncode, errors) == (0, "")
    events = collected(tmp_path / "events")
    files = len(list((tmp_path / "events").iterdir()))
    assert out == f"stopped: {len(events):,} events in {files:,} files\n"


def test_the_commands_mistakes(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    outcome = CliRunner().invoke(app, ["collect", "--out", str(tmp_path / "file")])
    assert outcome.exit_code == 2
    assert "is no folder" in outcome.stderr


def test_the_command_in_json(tmp_path: Path) -> None:
    folder = tmp_path / "events"

    def stop() -> None:
        while not folder.exists():  # it listens to signals before it makes the folder
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    stopper = threading.Thread(target=stop)
    stopper.start()
    outcome = CliRunner().invoke(app, ["collect", "--out", str(folder), "--host", "0.0.0.0", "--json"])
    stopper.join()
    assert outcome.exit_code == 0, outcome.output
    assert "anyone who reaches 0.0.0.0 can report" in outcome.stderr
    begin, end = map(json.loads, outcome.stdout.splitlines())
    assert begin["folder"] == str(folder)
    assert end == {"events": 0, "files": 0, "refused": 0}
    assert signal.getsignal(signal.SIGTERM) == before


# -- bounds ------------------------------------------------------------------------------------------


def test_a_post_of_bad_lines_costs_little(collector: Collector) -> None:
    """Only the first bad lines are looked for, in memory that does not grow with their number."""
    body = b"1\n" * (8 << 20)
    assert len(body) == 16 << 20
    tracemalloc.start()
    try:
        lines, bad = read_lines(body)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (lines, [line["line"] for line in bad]) == ([], list(range(1, 21)))
    assert peak < 1 << 20
    status, answer = ask(collector, "POST", "/events", body)
    assert status == 400
    assert answer["error"] == "20 bad lines or more; none was taken"
    assert collected(collector.folder) == []


def test_a_line_longer_than_an_event_is_refused(collector: Collector) -> None:
    long = b'{"process":"a","clock":{"a":1},"state":{"x":"' + b"x" * 300_000 + b'"}}'
    status, answer = ask(collector, "POST", "/events", GOOD + b"\n" + long + b"\n")
    assert status == 400
    (line,) = answer["lines"]
    assert line["line"] == 2
    assert f"the event has {len(long):,} bytes" in line["reason"]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "identity, gzip", ""])
def test_compressed_posts_are_refused(collector: Collector, encoding: str) -> None:
    headers = {"Content-Encoding": encoding}
    assert ask(collector, "POST", "/events", gzip.compress(GOOD), **headers)[0] == 415
    assert ask(collector, "POST", "/events", GOOD, **{"Content-Encoding": "identity"})[0] == 200


def test_connections_are_bounded(collector: Collector) -> None:
    """A connection too many is refused at once; when others end, there is room again."""
    collector._server.max_connections = 3
    others = set(threading.enumerate())  # of other tests' servers, perhaps
    begun = b"POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"
    with contextlib.ExitStack() as stack:
        for _ in range(3):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", collector.port), 30))
            slow.sendall(begun)
        _wait_until(lambda: len(collector._server._since) == 3)
        refused = stack.enter_context(socket.create_connection(("127.0.0.1", collector.port), 30))
        assert refused.recv(1000).startswith(b"HTTP/1.1 503 ")
        assert sum("process_request_thread" in thread.name for thread in set(threading.enumerate()) - others) <= 3
    _wait_until(lambda: not collector._server._since)
    assert ask(collector, "POST", "/events", GOOD)[0] == 200


@pytest.mark.parametrize("sent", [b"", b"POST /ev", b"POST /events HTTP/1.1\r\nContent-Length: 10\r\n\r\n1"])
def test_a_request_that_takes_too_long_is_ended(collector: Collector, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", collector.port), 30) as slow:
        slow.sendall(sent)
        _wait_until(lambda: len(collector._server._since) == 1)
        collector._server.max_request_s = 0.0
        while slow.recv(1000):
            pass
    assert collected(collector.folder) == []


def _wait_until(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(0.01)
