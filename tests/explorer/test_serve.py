"""The explorer served live: feeds, the server's answers, and a pipeline's output folder."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from envelopes import envelopes
from latwin import InvalidInput, Monitor, Spec
from latwin.cli import app
from latwin.cli.following import Following
from latwin.demo.day import Demo
from latwin.events.reading import not_an_event
from latwin.explorer.feed import EventFeed, find
from latwin.explorer.outputs import OutputFeed
from latwin.explorer.page import header_of
from latwin.explorer.recording import COUNTERS
from latwin.explorer.server import ExplorerServer
from serving import SPEC, serving

OFFICE = Path(__file__).parents[2] / "examples" / "office"


def rows(count: int, group: str = "g") -> list[dict[str, Any]]:
    return [{"group": group, "process": "a", "clock": [k], "state": {"x": k % 3 == 0}} for k in range(1, count + 1)]


def ask(
    server: ExplorerServer, path: str, method: str = "GET", **headers: str
) -> tuple[http.client.HTTPResponse, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    return answer, answer.read().decode()


def test_events_come_out_as_chunks() -> None:
    events = rows(10)
    feed = EventFeed(SPEC, [*envelopes(events[:4]), not_an_event(b"no", "not valid JSON")])
    assert feed.read("g", None).chunk is None
    feed.run()
    first = feed.read("g", None)
    assert first.chunk is not None
    assert (first.chunk["first"], first.chunk["values"], first.restart) == (1, ["0011"], False)
    assert feed.read("g", 4) == (None, False, 5)
    assert feed.read("nobody", None).chunk is None
    assert feed.names("G") == ["g"]
    assert feed.names("x") == []


def test_a_reader_that_is_too_slow_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latwin.explorer.groups.MOST_SLIDES", 5)
    feed = EventFeed(SPEC, envelopes(rows(12)))
    feed.run()
    news = feed.read("g", 3)
    assert news.restart
    assert news.chunk is not None
    assert news.chunk["first"] == 8
    last = feed.read("g", 10)
    assert not last.restart
    assert last.chunk is not None
    assert last.chunk["first"] == 11


def test_only_one_group_if_it_is_named() -> None:
    feed = EventFeed(SPEC, envelopes(rows(3, "x") + rows(3, "y")), only="y")
    feed.run()
    assert feed.names("") == ["y"]


def test_the_server_answers_and_changes_nothing() -> None:
    feed = EventFeed(SPEC, envelopes(rows(4)))
    feed.run()
    with serving(feed) as server:
        assert server.url == f"http://127.0.0.1:{server.port}/"
        page, text = ask(server, "/")
        assert page.status == 200
        assert '"live":true' in text
        policy = str(page.headers["Content-Security-Policy"])
        assert policy.startswith("default-src 'none'; script-src 'sha256-")
        assert "connect-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert json.loads(ask(server, "/groups?search=G")[1]) == ["g"]
        assert ask(server, "/", "HEAD")[1] == ""
        assert ask(server, "/secret")[0].status == 404
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            answer, _ = ask(server, "/", method)
            assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")
        assert ask(server, "/", Host="evil.example")[0].status == 421
        assert ask(server, "/", Host=f"localhost:{server.port}")[0].status == 200


def test_slides_are_streamed() -> None:
    feed = EventFeed(SPEC, envelopes(rows(4)))
    feed.run()
    with serving(feed) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("GET", "/slides?group=g")
        answer = connection.getresponse()
        assert answer.headers["Content-Type"] == "text/event-stream"
        assert answer.fp is not None
        lines = iter(answer.fp.readline, b"")
        data = next(line for line in lines if line.startswith(b"data: "))
        assert json.loads(data.removeprefix(b"data: "))["process"] == [0, 0, 0, 0]
        feed._envelopes = envelopes([{"group": "g", "process": "a", "clock": [5], "state": {"x": True}}])
        feed.run()
        data = next(line for line in lines if line.startswith(b"data: "))
        assert json.loads(data.removeprefix(b"data: "))["first"] == 5
        connection.close()


def next_data(lines: Iterator[bytes]) -> Any:
    return json.loads(next(line for line in lines if line.startswith(b"data: ")).removeprefix(b"data: "))


def test_slides_that_come_fast_are_sent_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that come while the stream pauses after a send, one by one, come out as one chunk."""
    events = rows(9)
    feed = EventFeed(SPEC, envelopes(events[:2]))
    feed.run()
    coming = [events[2:7], events[7:]]

    def pause() -> None:
        feed._envelopes = envelopes(coming.pop(0) if coming else [])
        feed.run()

    with serving(feed) as server:
        monkeypatch.setattr(server, "pause", pause)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("GET", "/slides?group=g")
        answer = connection.getresponse()
        assert answer.fp is not None
        lines = list(islice(iter(answer.fp.readline, b""), 2 + 3 * 3))
        connection.close()
    assert not [line for line in lines if line.startswith(b":")]  # nothing was silent
    stream = iter(lines)
    chunks = [next_data(stream) for _ in range(3)]
    assert [(chunk["first"], len(chunk["process"])) for chunk in chunks] == [(1, 2), (3, 5), (8, 2)]


def test_a_silent_stream_says_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latwin.explorer.server._KEEP_ALIVE_S", 0.02)
    feed = EventFeed(SPEC, [])
    with serving(feed) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("GET", "/slides?group=g")
        answer = connection.getresponse()
        assert answer.fp is not None
        lines = iter(answer.fp.readline, b"")
        assert [next(lines) for _ in range(4)] == [b"retry: 1000\n", b"\n", b": still here\n", b"\n"]
        connection.close()


def test_what_came_before_the_wait_is_not_waited_for() -> None:
    feed = EventFeed(SPEC, envelopes(rows(1)))
    assert not feed.wait(0, 0.0)
    feed.run()
    assert feed.wait(0, 600.0)
    assert not feed.wait(feed.read("g", None).changes, 0.0)


def test_the_page_is_told_that_groups_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latwin.explorer.groups.MOST_GROUPS", 1)
    feed = EventFeed(SPEC, envelopes(rows(1, "g") + rows(1, "h")))
    assert feed.notes() == []
    feed.run()
    with serving(feed) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.request("GET", "/slides?group=g")
        answer = connection.getresponse()
        assert answer.fp is not None
        lines = iter(answer.fp.readline, b"")
        assert b"event: notes\n" in islice(lines, 3)
        assert next_data(lines) == ["1 of 2 groups are shown; --group NAME shows another."]
        connection.close()


def test_hosts_that_cannot_be_read_are_refused() -> None:
    with serving(EventFeed(SPEC, [])) as server:
        assert ask(server, "/", Host="[::1")[0].status == 421
        assert ask(server, "/", Host="[::1]:80")[0].status == 200
        assert ask(server, "http://[::1/", Host="localhost")[0].status == 400


def test_the_loopback_of_ipv6() -> None:
    header = header_of(SPEC, source="test", live=True)
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:  # a machine without it
        with pytest.raises(OSError, match=r".+"):
            ExplorerServer(EventFeed(SPEC, []), header, host="::1", port=0)
        return
    with serving(EventFeed(SPEC, []), host="::1") as server:
        assert server.url == f"http://[::1]:{server.port}/"
        connection = http.client.HTTPConnection("::1", server.port, timeout=20)
        connection.request("GET", "/groups")
        assert connection.getresponse().read() == b"[]"


def test_the_very_name_is_found_first() -> None:
    names = [f"office 1{k}" for k in range(60)] + ["office 1"]
    assert find(names, "office 1")[:2] == ["office 1", "office 10"]
    assert len(find(names, "office 1")) == len(find(names, "")) == 50
    assert find(["b", ""], "") == ["b", ""]


def test_an_event_that_too_many_wait_before_is_rejected() -> None:
    spec = Spec.from_dict({"processes": ["a"], "window": 2, "properties": {}, "max_waiting": 1})
    told: list[str] = []
    events = envelopes({"process": "a", "clock": [k], "state": {}} for k in (2, 3, 1, 4, 3))
    feed = EventFeed(spec, events, tell=lambda _, why: told.append(why))
    feed.run()
    chunk = feed.read("", None).chunk
    assert chunk is not None
    assert (chunk["totals"]["rejected"], chunk["totals"]["delivered"]) == (1, 4)
    assert len(told) == 1
    assert told[0].startswith("state 3 of process 'a' would have to wait")


def write_batch(folder: Path, batch: int, verdicts: list[dict[str, Any]], metrics: list[dict[str, Any]]) -> None:
    """A batch as a pipeline leaves it; nothing for a table without rows."""
    for table, found in (("verdicts", verdicts), ("metrics", metrics)):
        folder.joinpath(table).mkdir(parents=True, exist_ok=True)
        if found:
            place = folder / table / f"batch={batch}"
            place.mkdir()
            parquet.write_table(pa.Table.from_pylist(found), place / "part-0.parquet")


def test_an_output_folder_tells_what_the_monitors_said(tmp_path: Path) -> None:
    demo = Demo(seed=5, hours=4)
    finals: dict[str, list[list[bool | None]]] = {f"office {k}": [] for k in range(3)}

    def watched(name: str) -> Monitor:
        properties = demo.spec.properties
        return Monitor(
            demo.spec, on_slide=lambda slide: finals[name].append([slide.is_final(known) for known in properties])
        )

    groups = {name: watched(name) for name in finals}
    expected: dict[str, list[list[bool | None]]] = {name: [] for name in groups}
    feed = None
    for batch, begin in enumerate(range(0, len(demo.events), 17)):
        verdicts, metrics = [], []
        for shift, (name, monitor) in enumerate(groups.items()):
            for event in demo.events[begin + shift : begin + 17 + shift]:
                for verdict in monitor.observe(event):
                    columns = ("property", "value", "slide", "least", "greatest", "cuts", "final")
                    verdicts.append({"group": name, **{field: getattr(verdict, field) for field in columns}})
                if monitor.slide > len(expected[name]):
                    expected[name] += [list(monitor.values().values())] * (monitor.slide - len(expected[name]))
            counters = {counter: getattr(monitor.counters, counter) for counter in COUNTERS}
            metrics.append({"group": name, **counters})
        write_batch(tmp_path, batch, verdicts[::-1], metrics)
        if feed is None:
            feed = OutputFeed(demo.spec, tmp_path, sleep=lambda _: False)
        feed.run()
    assert feed is not None
    assert feed.names("office") == list(groups)
    shown = set()
    for name, monitor in groups.items():
        chunk = feed.read(name, None).chunk
        assert chunk is not None
        assert (chunk["first"], len(chunk["process"]), chunk["states"]) == (1, monitor.slide, [])
        for k in range(len(demo.spec.properties)):
            assert chunk["values"][k] == "".join("01"[bool(values[k])] for values in expected[name])
            for letter, final in zip(chunk["finals"][k], finals[name], strict=True):
                assert letter == "?" or letter == "01"[bool(final[k])]
                shown.add(letter)
        assert chunk["totals"] == {counter: getattr(monitor.counters, counter) for counter in COUNTERS}
        tail = feed.read(name, 10).chunk
        assert tail is not None
        assert tail["values"] == [letters[10:] for letters in chunk["values"]]
        assert tail["finals"] == [letters[10:] for letters in chunk["finals"]]
        assert [found for found in chunk["told"] if found[0] > 10] == tail["told"]
        assert feed.read(name, monitor.slide).chunk is None
    assert shown == set("01?")
    assert feed.read("nobody", None).chunk is None


def test_feeds_tell_what_may_mislead(tmp_path: Path) -> None:
    """Slides without a cut and what was never seen: the same from events and from a pipeline's output."""
    spec = Spec.from_dict(
        {"processes": ["a", "b"], "window": 1, "properties": {"p": "possibly(a.x == 'on' and a.y)"}}
    )
    seen = [{"x": "off", "yy": 1}, {"x": "of"}]
    events = [
        {"group": group, "process": "a", "clock": [k, 1], "state": state}
        for group in ("north", "south")
        for k, state in enumerate(seen, start=1)
    ]
    feed = EventFeed(spec, envelopes(events))
    assert feed.doubts() == []
    feed.run()
    expected = [
        "no cut at 4 of 4 slides, where every property is false",
        "warning: b reported nothing: no state of it was delivered",
        "warning: a.x never equalled 'on'; values seen: 'off', 'of'",
        "warning: `a.y` was in no state of a; did you mean `a.yy`?",
    ]
    assert feed.doubts() == expected
    metrics, unseen = [], []
    for group in ("north", "south"):
        monitor = Monitor(spec)
        monitor.observe_many([event for event in events if event["group"] == group])
        counters = {counter: getattr(monitor.counters, counter) for counter in COUNTERS}
        metrics.append({"group": group, **counters})
        unseen.append(list(monitor.unseen().items()))
    column = pa.array(unseen, pa.map_(pa.string(), pa.list_(pa.string())))
    tmp_path.joinpath("metrics/batch=0").mkdir(parents=True)
    table = pa.Table.from_pylist(metrics).append_column("unseen", column)
    parquet.write_table(table, tmp_path / "metrics/batch=0/0.parquet")
    output = OutputFeed(spec, tmp_path, sleep=lambda _: False)
    output.run()
    assert output.doubts() == expected


def test_an_output_folder_is_forgotten_from_its_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latwin.explorer.outputs.MOST_SLIDES", 10)
    (tmp_path / "metrics").mkdir()
    feed = OutputFeed(SPEC, tmp_path)
    nothing = dict.fromkeys(COUNTERS, 0)
    for batch in range(8):
        verdict: dict[str, Any] = {"group": None, "property": "p", "value": batch % 2 == 0, "slide": 5 * batch + 2}
        verdict |= {"least": [1], "greatest": [2], "cuts": 2}
        metric = {"group": None, **nothing, "delivered": 5 * (batch + 1), "duplicates": batch}
        write_batch(tmp_path, batch, [verdict], [metric])
        feed.look()
    news = feed.read("", 3)
    assert news.restart
    assert news.chunk is not None
    first = news.chunk["first"]
    assert 40 - 20 < first <= 40 - 10 + 1
    assert news.chunk["values"][0] == "".join("10"[(slide - 2) // 5 % 2] for slide in range(first, 41))
    assert sum(news.chunk["counters"]["duplicates"]) == 7


def test_a_folder_that_is_no_output_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is no output of latwin"):
        OutputFeed(SPEC, tmp_path)
    (tmp_path / "events.parquet").touch()
    outcome = CliRunner().invoke(app, ["serve", str(OFFICE / "spec.toml"), str(tmp_path), "--no-open"])
    assert outcome.exit_code == 2
    assert "has no JSON lines (.jsonl, .ndjson, .json, also with .gz or .zst)" in outcome.output


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with serving(EventFeed(SPEC, [])) as server:
        arguments = [str(OFFICE / "spec.toml"), str(OFFICE / "events.jsonl"), "--no-open", "--port", str(server.port)]
        outcome = CliRunner().invoke(app, ["serve", *arguments])
    assert outcome.exit_code == 2
    assert "--port 0 takes a free one" in outcome.output


def test_what_came_can_be_looked_at_until_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[dict[str, Any]] = []
    opened: list[str] = []

    class Interrupted:
        """Stands for a user who looks at the page, then presses Ctrl-C."""

        def wait(self) -> None:
            for path in ("groups", "slides"):
                connection = http.client.HTTPConnection(
                    "127.0.0.1", int(opened[0].split(":")[2].strip("/")), timeout=20
                )
                connection.request("GET", f"/{path}?group=")
                answer = connection.getresponse()
                if path == "groups":
                    assert json.loads(answer.read()) == [""]
                else:
                    assert answer.fp is not None
                    data = next(line for line in iter(answer.fp.readline, b"") if line.startswith(b"data: "))
                    served.append(json.loads(data.removeprefix(b"data: ")))
            raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["latwin.cli.commands.serve"], "Event", Interrupted)
    monkeypatch.setattr("webbrowser.open", opened.append)
    events = (OFFICE / "events.jsonl").read_text(encoding="utf-8")
    arguments = ["serve", str(OFFICE / "spec.toml"), "--port", "0"]
    outcome = CliRunner().invoke(app, arguments, input=f"no event\n{events}")
    assert outcome.exit_code == 0, outcome.output
    assert len(served[0]["process"]) == 204
    assert "stdin:1: not valid JSON" in outcome.output


def test_serving_goes_on_where_too_many_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        """Stands for a user who presses Ctrl-C when the input has ended."""

        def wait(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["latwin.cli.commands.serve"], "Event", Interrupted)
    spec = tmp_path / "spec.toml"
    spec.write_text('processes = ["a"]\nwindow = 2\nmax_waiting = 0\n', encoding="utf-8")
    early = '{"process": "a", "clock": [2], "state": {}}\n'
    outcome = CliRunner().invoke(app, ["serve", str(spec), "--port", "0", "--no-open"], input=early * 2)
    assert outcome.exit_code == 0, outcome.output
    for line in (1, 2):
        assert f"note: stdin:{line}: state 2 of process 'a' would have to wait" in outcome.output


def test_a_file_is_followed_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "growing"
    path.write_bytes(b"one\ntw")
    pieces = [b"", b"o\nthr", b"ee\n"]

    def write_more(_: float) -> None:
        if not pieces:
            raise KeyboardInterrupt
        with path.open("ab") as file:
            file.write(pieces.pop(0))

    monkeypatch.setattr("time.sleep", write_more)
    with path.open("rb") as stream:
        following = Following(stream)
        assert [following.readline(9) for _ in range(3)] == [b"one\n", b"two\n", b"three\n"]
        with pytest.raises(KeyboardInterrupt):
            following.readline(9)


@pytest.mark.slow
def test_serving_a_file_that_grows(tmp_path: Path) -> None:
    lines = (OFFICE / "events.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    events = tmp_path / "events.jsonl"
    events.write_text("".join(lines[:30]) + "no event\n" + lines[30][:10], encoding="utf-8")
    command = [sys.executable, "-m", "latwin.cli", "serve", str(OFFICE / "spec.toml"), str(events)]
    process = subprocess.Popen(
        [*command, "--no-open", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    try:
        port = int(process.stdout.readline().partition("127.0.0.1:")[2].partition("/")[0])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/slides?group=")
        answer = connection.getresponse()
        assert answer.fp is not None
        found: list[int] = []
        stream = iter(answer.fp.readline, b"")
        while len(found) < 30:
            data = next(line for line in stream if line.startswith(b"data: "))
            found += json.loads(data.removeprefix(b"data: "))["process"]
        with events.open("a", encoding="utf-8") as more:
            more.write(lines[30][10:] + lines[31])
        while len(found) < 32:
            data = next(line for line in stream if line.startswith(b"data: "))
            found += json.loads(data.removeprefix(b"data: "))["process"]
        assert len(found) == 32
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "events.jsonl:31: not valid JSON" in errors
