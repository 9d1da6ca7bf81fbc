"""The parts of Kafka's ends that need no broker: addresses, records, partitions of groups, jars."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

pytest.importorskip("pyspark")

import pyspark

from latwin.cli import app
from latwin.errors import InvalidInput
from latwin.events import Envelope, EventReader, Origin, Place
from latwin.process import Stamp
from latwin.spark import packages
from latwin.spark.kafka.address import SinkAddress, SourceAddress, is_kafka, parse_sink, parse_source
from latwin.spark.kafka.client import client_config
from latwin.spark.packages import JarsMissing, connector_of, fetch_jars, find_jars, kafka_settings, merged
from latwin.spark.sources.kafka import RecordMapper
from shards import make_worker

ROOT = Path(__file__).parents[2]

# -- addresses ---------------------------------------------------------------------------------------------


def test_a_source() -> None:
    assert parse_source("kafka://a:9092/events") == SourceAddress("a:9092", "events", {"startingOffsets": "earliest"})
    uri = 'kafka://a:1,[::1]:2/my.topic?startingOffsets={"my.topic":{"0":5}}&maxOffsetsPerTrigger=100'
    options = {"startingOffsets": '{"my.topic":{"0":5}}', "maxOffsetsPerTrigger": "100"}
    assert parse_source(uri) == SourceAddress("a:1,[::1]:2", "my.topic", options)


def test_a_sink() -> None:
    assert parse_sink("kafka://a:1/v") == SinkAddress("a:1", "v", "v.rejects", "v.metrics")
    assert parse_sink("kafka://a:1/v?rejects=r&metrics=m").topics == ("v", "r", "m")


@pytest.mark.parametrize("place", ["kafka://a:1/t", "KAFKA://a:1/t", "kafka:t"])
def test_what_is_meant_for_kafka(place: str) -> None:
    assert is_kafka(place)
    assert not is_kafka("folder/kafka")


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("kafka:events", "named as kafka://host:port/topic; got 'kafka:events'"),
        ("kafka:///events", "named as kafka://host:port/topic"),
        ("kafka://a/events", "the broker must be given as host:port; got 'a'"),
        ("kafka://a:1,b/events", "got 'b'"),
        ("kafka://a:99999/events", "host:port; got 'a:99999'"),
        ("kafka://a:x/events", "host:port; got 'a:x'"),
        ("kafka://a:1", "the topic is missing"),
        ("kafka://a:1/", "the topic is missing"),
        ("kafka://a:1/a/b", "letters, digits, dots, underscores and hyphens; got 'a/b'"),
        ("kafka://a:1/..", "got '..'"),
        ("kafka://a:1/x#y", "behind '#'"),
        ("kafka://me:secret@a:1/x", "do not belong into the URI"),
        ("kafka://a:1/x?offset=3", "unknown option 'offset'; there are startingOffsets"),
        ("kafka://a:1/x?sasl.mechanism=PLAIN", "settings of Kafka's client go into a file, --kafka-config"),
        ("kafka://a:1/x?startingOffsets=first", "must be earliest, latest or Spark's JSON; got 'first'"),
        ("kafka://a:1/x?maxOffsetsPerTrigger=0", "must be a number from 1 up; got '0'"),
    ],
)
def test_a_source_that_cannot_be_used(uri: str, reason: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_source(uri)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("kafka://a:1/v?rejects=v", "need three topics; they are v, v, v.metrics"),
        ("kafka://a:1/v?rejects=a b", "got 'a b'"),
        ("kafka://a:1/v?metrics=", "the topic is missing"),
        ("kafka://a:1/v?startingOffsets=latest", "unknown option 'startingOffsets'; there are rejects, metrics"),
    ],
)
def test_a_sink_that_cannot_be_used(uri: str, reason: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_sink(uri)
    assert reason in str(caught.value)


def test_settings_for_one_side_or_both() -> None:
    config = {"security.protocol": "SSL", "output.acks": "1", "input.security.protocol": "PLAINTEXT"}
    assert client_config("a:1", config, "input") == {"bootstrap.servers": "a:1", "security.protocol": "PLAINTEXT"}
    assert client_config("b:1", config, "output") == {
        "bootstrap.servers": "b:1",
        "security.protocol": "SSL",
        "acks": "1",
    }


# -- records -----------------------------------------------------------------------------------------------


def read(value: bytes | None, key: bytes | None = None, clock: bytes | None = None, **names: str) -> tuple[Any, Any]:
    reader = EventReader({ours: theirs for theirs, ours in names.items()})
    envelope = RecordMapper(reader).read(value, key, clock, Origin(2, 5))
    assert envelope.origin == Origin(2, 5)
    return envelope.group, envelope.event if envelope.problem is None else envelope


@pytest.mark.parametrize(
    ("value", "key", "group"),
    [
        (b'{"group":"g"}', None, "g"),
        (b'{"group":"g"}', b"g", "g"),
        (b'{"group":12}', b"12", "12"),
        (b"{}", b"g", "g"),
        (b"{}", b"", ""),
        (b"{}", None, ""),
        (b' {"group":"\xc3\xa4"} ', "ä".encode(), "ä"),
    ],
)
def test_the_group_is_the_events_or_the_key(value: bytes, key: bytes | None, group: str) -> None:
    assert read(value, key)[0] == group
    assert RecordMapper(EventReader()).read(value, key, None, Origin(2, 5)).order == Place(number=5)


@pytest.mark.parametrize(
    ("value", "key", "clock", "reason"),
    [
        (None, b"g", None, "the record has no value"),
        (b"", b"g", None, "not valid JSON"),
        (b"no json", b"g", None, "not valid JSON"),
        (b"[]", b"g", None, "expected a JSON object; it is an array"),
        (b'{"group":"g"}', b"h", None, "the event's group is 'g', but the record's key is 'h'"),
        (b'{"group":null}', b"g", None, "the group must be a string or an integer; it is null"),
        (b'{"group":[]}', b"h", None, "the group must be a string or an integer; it is an array"),
        (b'{"group":"g"}', b"\xff", None, "the record's key is not UTF-8"),
        (b"{}", b"g", b"{", "the header latwin-clock: a stamp must be JSON such as"),
    ],
)
def test_a_record_that_is_no_event_says_why(
    value: bytes | None, key: bytes | None, clock: bytes | None, reason: str
) -> None:
    group, envelope = read(value, key, clock)
    assert group is None
    assert reason in envelope.problem
    assert envelope.shown()["kafka"] == {"partition": 2, "offset": 5}


def test_the_clock_may_be_a_header_and_names_may_differ() -> None:
    stamp = Stamp({"p0": 1}, "g").text.encode()
    assert read(b"{}", b"g", stamp)[1]["clock"] == {"p0": 1}
    assert read(b'{"clock":[3]}', b"g", stamp)[1]["clock"] == [3]
    assert read(b'{"vc":[3],"room":"g"}', b"g", None, vc="clock", room="group")[1]["clock"] == [3]


def test_a_value_may_have_any_fields() -> None:
    value = b'{"order":1,"problem":2,"state_text":"{","origin":"no","x":1}'
    assert read(value, b"g")[1] == msgspec.json.decode(value)


# -- partitions ----------------------------------------------------------------------------------------------


def record(group: str, index: int, partition: int, offset: int) -> str:
    event = {"process": "p0", "clock": [index, 0], "state": {}}
    origin = Origin(partition, offset)
    envelope = Envelope(group=group, event=event, order=Place(number=offset), origin=origin)
    return msgspec.json.encode(envelope).decode()


def test_a_group_stays_in_its_partition() -> None:
    worker = make_worker(every=True)
    state, results = worker.work(None, [record("g", 1, 0, 7), record("g", 3, 1, 1), record("h", 1, 1, 2)])
    assert [row["reason"] for row in results.rejects] == [
        "the record is in partition 1, but its group is in partition 0: all of a group must be in one partition, or "
        "their order is unknown"
    ]
    assert json.loads(results.rejects[0]["event"])["kafka"] == {"partition": 1, "offset": 1}
    state, results = worker.work(state, [record("g", 2, 1, 3), record("h", 2, 1, 4)])
    assert [(row["group"], row["kind"]) for row in results.rejects] == [("g", "rejected")]
    assert [(row["group"], row["events"]) for row in results.metrics] == [("h", 1)]
    _, results = worker.work(state, [record("g", 2, 0, 8)])
    assert results.rejects == []
    assert {row["slide"] for row in results.verdicts} == {2}


def test_which_partition_a_group_in_two_is_of_depends_on_the_batches_and_nothing_disappears() -> None:
    """What the guide says of topics that break the rule; for those that keep it, batches do not matter."""
    later, earlier = record("g", 1, 1, 5), record("g", 1, 0, 9)

    def partitions_rejected(*batches: list[str]) -> list[int]:
        worker, state, rejected, taken = make_worker(every=True), None, [], 0
        for batch in batches:
            state, results = worker.work(state, batch)
            rejected += [json.loads(row["event"])["kafka"]["partition"] for row in results.rejects]
            taken += sum(row["events"] for row in results.metrics)
        assert taken + len(rejected) == 2
        return rejected

    assert partitions_rejected([later, earlier]) == partitions_rejected([earlier, later]) == [1]
    assert partitions_rejected([later], [earlier]) == [0]
    assert partitions_rejected([earlier], [later]) == [1]


def test_offsets_are_the_order() -> None:
    worker = make_worker()
    _, results = worker.work(None, [record("g", 2, 0, 11), record("g", 1, 0, 9), record("g", 3, 0, 10)])
    assert results.metrics[0]["delivered"] == 3
    assert results.metrics[0]["waiting"] == 0


# -- jars ----------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("LATWIN_JARS", raising=False)


def put(folder: Path, version: str = pyspark.__version__) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    jars = [folder / "kafka-clients-3.9.2.jar", folder / f"spark-sql-kafka-0-10_2.13-{version}.jar"]
    for jar in jars:
        jar.touch()
    return jars


def fake_maven(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    folder.mkdir()
    (folder / "mvn").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "mvn").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_jars_of_the_cache_of_a_variable_and_of_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert find_jars() is None
    cached = put(packages.cache_folder())
    assert kafka_settings() == {"spark.jars": ",".join(map(str, cached))}
    named = put(tmp_path / "named")
    monkeypatch.setenv("LATWIN_JARS", str(tmp_path / "named"))
    assert find_jars() == named
    assert find_jars(tmp_path / "cache" / "latwin" / "jars" / pyspark.__version__) == cached


def test_a_connector_of_another_version_is_warned_about(tmp_path: Path) -> None:
    put(tmp_path / "named", "4.0.0")
    with pytest.warns(UserWarning, match=r"the Kafka connector of Spark 4\.0\.0; pyspark is"):
        find_jars(tmp_path / "named")


def test_without_jars_and_maven_spark_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert kafka_settings() == {
        "spark.jars.packages": f"org.apache.spark:spark-sql-kafka-0-10_2.13:{pyspark.__version__}"
    }
    with pytest.raises(JarsMissing, match=r"there is no `mvn`: install it, or where there is a network, run"):
        fetch_jars(tmp_path / "jars")


def test_what_maven_says_and_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = "\\033[0m[ERROR] Failed to execute goal on project jars: Could not resolve dependencies for project "
    said += "latwin:jars:pom:1: Unknown host repo -> [Help 1]\\n[ERROR] more\\n"
    fake_maven(monkeypatch, tmp_path / "bin", f"printf '{said}'; exit 1")
    with pytest.raises(JarsMissing) as caught:
        kafka_settings()
    folder = packages.cache_folder()
    assert str(caught.value) == (
        f"Maven could not fetch {connector_of()}: Unknown host repo; where there is a network, run `latwin jars "
        f"--out {folder}` and set LATWIN_JARS={folder} here"
    )
    assert list(folder.iterdir()) == []


def test_the_command_says_what_it_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = "spark-sql-kafka-0-10_2.13-9.jar kafka-clients-3.9.2.jar scala-library-2.13.1.jar"
    script = 'for a do case "$a" in -DoutputDirectory=*) out="${a#*=}";; esac; done'
    fake_maven(monkeypatch, tmp_path / "bin", f'{script}\nmkdir -p "$out"; cd "$out"; touch {names}')
    outcome = CliRunner().invoke(app, ["jars", "--out", str(tmp_path / "jars")])
    assert outcome.exit_code == 0
    first, *jars, last = outcome.stdout.splitlines()
    assert first == f"{connector_of()} and what it needs:"
    assert [Path(jar.strip()).name for jar in jars] == ["kafka-clients-3.9.2.jar", "spark-sql-kafka-0-10_2.13-9.jar"]
    assert last == f"use them: export LATWIN_JARS={tmp_path / 'jars'}"
    outcome = CliRunner().invoke(app, ["jars", "--out", str(tmp_path / "jars"), "--json"])
    assert json.loads(outcome.stdout) == {"connector": connector_of(), "jars": [jar.strip() for jar in jars]}


def test_a_folder_without_the_connector_is_refused_in_one_line(tmp_path: Path) -> None:
    """A process of its own, as a session that runs already would be used."""
    (tmp_path / "empty").mkdir()
    command = [sys.executable, "-m", "latwin.cli", "run", str(ROOT / "examples/office/spec.toml")]
    command += [
        "--input",
        "kafka://127.0.0.1:1/a",
        "--out",
        "kafka://127.0.0.1:1/b",
        "--checkpoint",
        str(tmp_path),
    ]
    done = subprocess.run(
        [*command, "--jars", str(tmp_path / "empty")], capture_output=True, text=True, check=False, env={**os.environ}
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"fetch it: latwin jars --out {tmp_path / 'empty'}" in done.stderr


def test_a_wrong_address_is_told_before_spark_starts(tmp_path: Path) -> None:
    arguments = ["run", str(ROOT / "examples/office/spec.toml"), "--input", "kafka://a/b", "--out", str(tmp_path)]
    outcome = CliRunner().invoke(app, [*arguments, "--checkpoint", str(tmp_path)])
    assert outcome.exit_code == 2
    assert "the broker must be given as host:port; got 'a'" in outcome.output


@pytest.mark.soak
def test_maven_fetches_a_connector_and_what_it_needs(tmp_path: Path) -> None:
    """With the real Maven, a version that repositories have had for long."""
    jars = fetch_jars(tmp_path / "jars", version="4.0.0")
    names = {packages._name_of(jar) for jar in jars}
    scala = "2.13"
    connector = {f"spark-sql-kafka-0-10_{scala}", f"spark-token-provider-kafka-0-10_{scala}"}
    assert connector | {"kafka-clients", "commons-pool2"} <= names
    assert not names & {"scala-library", "hadoop-client-api", "hadoop-client-runtime", "slf4j-api"}


def test_settings_are_joined() -> None:
    assert merged({"spark.jars": "a", "x": "1"}, {"spark.jars": "b", "x": "2"}) == {"spark.jars": "a,b", "x": "2"}
