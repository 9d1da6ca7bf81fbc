"""A producer in a process of its own: `python kafka_producer.py SERVER TOPIC FILE GO`.

FILE holds one record a line, `{"key": ..., "value": ..., "partition": ...}` with texts or nulls. The first half is
sent at once, the second when the file GO is there. Prints how many were acknowledged.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from confluent_kafka import Producer


def main(server: str, topic: str, file: Path, go: Path) -> int:
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    producer = Producer({"bootstrap.servers": server, "enable.idempotence": True, "linger.ms": 2})
    acknowledged = []

    def told(error: Any, message: Any) -> None:
        assert error is None, error
        acknowledged.append(message.offset())

    half = len(records) // 2
    for number, record in enumerate(records):
        if number == half:
            producer.flush()
            while not go.exists():
                time.sleep(0.05)
        where = {} if record.get("partition") is None else {"partition": record["partition"]}
        producer.produce(topic, key=record["key"], value=record["value"], on_delivery=told, **where)
        producer.poll(0)
        if number % 20 == 0:
            time.sleep(0.002)  # let the others in between
    producer.flush()
    print(len(acknowledged))
    return 0 if len(acknowledged) == len(records) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])))
