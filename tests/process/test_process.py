"""Processes keep canonical clocks: on their own, in threads, in asyncio, and whatever is sent when."""

from __future__ import annotations

import asyncio
import doctest
import os
import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise, product
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import latwin.process.process
from latwin import Monitor, Spec
from latwin.formats import read_log, validate
from latwin.process import (
    InvalidClock,
    InvalidEvent,
    InvalidInput,
    MemoryReporter,
    Process,
    Settings,
    Stamp,
    UnsentStates,
    stamps,
)
from latwin.process import reporter as reporter_module

AT_ONCE = Settings(gather_s=0.0, retry_s=(0.001, 0.01))


class StuckReporter:
    """Takes nothing until it is let go."""

    def __init__(self) -> None:
        self.may_send = threading.Event()
        self.sent: list[bytes] = []

    def send(self, events: Sequence[bytes]) -> None:
        if not self.may_send.is_set():
            raise ConnectionError("nobody listens")
        self.sent.extend(events)

    def close(self) -> None:
        pass


def process_trouble(process: Process) -> str | None:
    """Asked anew: it changes meanwhile."""
    return process.trouble


def wait_for_trouble(process: Process) -> None:
    """Until it has tried to report, in vain: however slow the machine is."""
    while process_trouble(process) is None:
        time.sleep(0.001)


# -- clocks against happened-before, computed from the graph of events --------------------------------------------


class Step(NamedTuple):
    """`process` updates; or sends to `other`; or receives the `number`-th message that is on its way to it."""

    kind: str
    process: int
    other: int
    number: int


@st.composite
def runs(draw: st.DrawFn) -> tuple[int, list[Step]]:
    processes = draw(st.integers(2, 4))
    one = st.integers(0, processes - 1)
    step = st.builds(
        Step, st.sampled_from(["update", "send", "send", "receive", "receive"]), one, one, st.integers(0, 9)
    )
    return processes, draw(st.lists(step, max_size=25))


State = tuple[int, int]


class Run:
    """What some steps make of real processes, and, beside it, each state's causal past by definition."""

    def __init__(self, processes: int, steps: list[Step]) -> None:
        self.names = [f"p{k}" for k in range(processes)]
        self.past: dict[State, frozenset[State]] = {}
        reporter = MemoryReporter()
        on_the_way: list[list[tuple[dict[str, Any], State]]] = [[] for _ in self.names]
        current: list[State] = [(k, 0) for k in range(processes)]
        with ExitStack() as stack:
            own = [stack.enter_context(Process(name, reporter, group="g", settings=AT_ONCE)) for name in self.names]
            for number, (kind, k, other, choice) in enumerate(steps):
                if kind == "send":
                    on_the_way[other].append((own[k].stamp({"number": number}), current[k]))
                    continue
                causes = [current[k]]
                if kind == "update":
                    index = own[k].update(x=number)
                elif not on_the_way[k]:
                    continue
                else:
                    message, sender = on_the_way[k].pop(choice % len(on_the_way[k]))
                    causes.append(sender)
                    index = own[k].receive(message, x=number)
                assert index == current[k][1] + 1
                current[k] = (k, index)
                self.past[k, index] = frozenset({(k, index)}.union(*(self.past.get(c, ()) for c in causes)))
        self.lines = reporter.lines
        self.events = reporter.events


@given(runs())
def test_clocks_are_those_of_happened_before(run: tuple[int, list[Step]]) -> None:
    """Entry j is the latest state of j in the past of the state; `validate` finds nothing wrong."""
    done = Run(*run)
    assert len(done.events) == len(done.past)
    for event in done.events:
        k = done.names.index(event["process"])
        expected: dict[str, int] = {}
        for process, index in done.past[k, event["clock"][event["process"]]]:
            name = done.names[process]
            expected[name] = max(expected.get(name, 0), index)
        assert event["clock"] == expected
    assert validate(read_log(b"\n".join(done.lines).decode(), "jsonl")) == []


@given(runs())
def test_consistent_cuts_are_those_closed_under_happened_before(run: tuple[int, list[Step]]) -> None:
    """By clocks a cut is consistent iff with every state it holds all that state's past, so no send needs a state."""
    done = Run(run[0], run[1][:14])
    clocks = {(done.names.index(e["process"]), e["clock"][e["process"]]): e["clock"] for e in done.events}
    heights = [max((index for p, index in clocks if p == k), default=0) for k in range(run[0])]
    for cut in product(*(range(height + 1) for height in heights)):
        chosen = [state for state in enumerate(cut) if state[1]]
        by_clocks = all(clocks[s].get(name, 0) <= cut[j] for s in chosen for j, name in enumerate(done.names))
        by_definition = all(index <= cut[j] for s in chosen for j, index in done.past[s])
        assert by_clocks == by_definition


@given(runs(), st.randoms(use_true_random=False), st.sampled_from(["fifo", "causal"]))
def test_a_monitor_delivers_all_in_any_order(
    run: tuple[int, list[Step]], shuffle: random.Random, delivery: str
) -> None:
    done = Run(*run)
    events = done.events + done.events[: len(done.events) // 3]  # some come twice
    shuffle.shuffle(events)
    spec = Spec.from_dict(
        {"processes": done.names, "window": 4, "delivery": delivery, "properties": {"p": "possibly(p0.x == 1)"}}
    )
    monitor = Monitor(spec)
    notices = [notice for event in events for notice in monitor.observe(event).notices]
    assert {notice.kind for notice in notices} <= {"duplicate"}
    assert monitor.counters.delivered == len(done.events)
    assert monitor.counters.waiting == 0


@pytest.mark.parametrize("module", [latwin.process, latwin.process.process, stamps, reporter_module])
def test_examples_in_docstrings(module: ModuleType) -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted
    assert not outcome.failed


# -- one process ---------------------------------------------------------------------------------------------------


@pytest.fixture
def reporter() -> MemoryReporter:
    return MemoryReporter()


@pytest.fixture
def phone(reporter: MemoryReporter) -> Iterator[Process]:
    with Process("phone", reporter, group="g", variables={"ap": "office"}, clock_source=lambda: 5.0) as process:
        yield process


def test_events_as_they_are_written(phone: Process, reporter: MemoryReporter) -> None:
    assert (phone.index, phone.clock, phone.variables) == (0, {}, {"ap": "office"})
    assert phone.update(battery=1) == 1
    assert phone.receive(Stamp({"door": 2, "lamp": 0}, "g"), {"room temperature": 21.5}) == 2
    phone.close()
    first, second = (msgspec.json.decode(line) for line in reporter.lines)
    state = {"ap": "office", "battery": 1}
    assert first == {"group": "g", "process": "phone", "clock": {"phone": 1}, "state": state, "time": 5.0}
    assert second["clock"] == {"phone": 2, "door": 2}
    assert second["state"] == {**state, "room temperature": 21.5}
    assert repr(phone) == "Process('phone', group='g', index=2)"


def test_any_name_can_be_a_variable(phone: Process) -> None:
    phone.update(self=1, variables=2, message=3, timeout_s=4)
    phone.receive(phone.stamp({}), message=5)
    assert phone.variables == {"ap": "office", "self": 1, "variables": 2, "message": 5, "timeout_s": 4}


def test_a_state_cannot_be_changed_from_outside(phone: Process, reporter: MemoryReporter) -> None:
    people = ["ann"]
    phone.update(people=people)
    people.append("bob")
    phone.variables["people"].append("eve")
    phone.clock["phone"] = 9
    phone.update(ap="hall")
    phone.close()
    assert reporter.events[-1]["state"]["people"] == ["ann"]
    assert reporter.events[-1]["clock"] == {"phone": 2}


class Unfit:
    """Nothing that JSON knows."""


@pytest.mark.parametrize("value", [Unfit(), {1j: 2}, "\ud800"])
def test_what_json_cannot_carry_is_refused(phone: Process, value: object) -> None:
    with pytest.raises(InvalidEvent, match="fit for JSON"):
        phone.update(x=value)
    assert phone.index == 0


def test_nested_without_end(phone: Process) -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(InvalidEvent, match="fit for JSON"):
        phone.update(x=endless)


def test_a_state_that_no_pipeline_would_take(phone: Process) -> None:
    with pytest.raises(InvalidEvent, match=r"would take 300,\d+ bytes"):
        phone.update(x="a" * 300_000)
    assert phone.index == 0
    assert phone.update(x="a") == 1


def test_wrong_messages_begin_no_state(phone: Process) -> None:
    phone.update()
    with pytest.raises(InvalidEvent, match="carries no clock"):
        phone.receive({"command": "on"})
    with pytest.raises(InvalidEvent, match="a stamp must be JSON"):
        phone.receive({"latwin-clock": "phone=3"})
    with pytest.raises(InvalidEvent, match="from group 'other', this process is in 'g'"):
        phone.receive(Stamp({"door": 1}, "other"))
    with pytest.raises(InvalidClock, match="knows its state 2, but only 1 began"):
        phone.receive(Stamp({"phone": 2}, "g"))
    with pytest.raises(InvalidInput, match="cannot receive a str"):
        phone.receive("on")
    assert (phone.index, phone.clock) == (1, {"phone": 1})
    assert phone.receive(Stamp({"phone": 1}, "g")) == 2


def test_senders_that_cannot_stamp(reporter: MemoryReporter) -> None:
    with Process("phone", reporter, settings=Settings(unstamped="accept")) as phone:
        assert phone.receive({"command": "on"}, on=True) == 1
        assert phone.receive(None) == 2
        with pytest.raises(InvalidEvent, match="a stamp must be JSON"):
            phone.receive({"latwin-clock": ""})
    assert phone.clock == {"phone": 2}


@pytest.mark.parametrize(("name", "group"), [("", ""), (3, ""), ("a", None), ("\ud800", ""), ("a", "\ud800")])
def test_names(name: Any, group: Any, reporter: MemoryReporter) -> None:
    with pytest.raises(InvalidInput, match="must be a text"):
        Process(name, reporter, group=group)


@pytest.mark.parametrize(
    "wrong",
    [
        {"durability": "none"},
        {"unstamped": True},
        {"max_unsent": 0},
        {"max_batch": 1.5},
        {"timeout_s": -1},
        {"gather_s": float("nan")},
        {"retry_s": 3},
        {"retry_s": (1, "2")},
    ],
)
def test_settings_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        Settings(**wrong)


# -- threads and asyncio -------------------------------------------------------------------------------------------


def test_threads(reporter: MemoryReporter) -> None:
    """Many threads update, stamp and receive: no index is missing or double, clocks only grow, nothing hangs."""
    seed, threads, steps = 7, 8, 60
    print(f"seed={seed}")
    settings = Settings(gather_s=0.0, max_unsent=20, max_batch=7)
    with ExitStack() as stack:
        own = [stack.enter_context(Process(name, reporter, settings=settings)) for name in ("a", "b", "c")]
        returned: list[tuple[str, int]] = []
        failures: list[BaseException] = []

        def work(number: int) -> None:
            choose = random.Random(seed * 1000 + number)
            try:
                for step in range(steps):
                    sender, receiver = choose.choice(own), choose.choice(own)
                    if choose.random() < 0.5:
                        returned.append((sender.name, sender.update({f"t{number}": step})))
                    else:
                        returned.append((receiver.name, receiver.receive(sender.stamp({}))))
            except BaseException as error:  # noqa: BLE001 (told below)
                failures.append(error)

        workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    assert failures == []
    assert len(set(returned)) == len(returned) == threads * steps
    for process in own:
        events = [event for event in reporter.events if event["process"] == process.name]
        assert [event["clock"][process.name] for event in events] == list(range(1, len(events) + 1))
        for before, after in pairwise(events):
            assert all(entry <= after["clock"][name] for name, entry in before["clock"].items())
            assert before["state"].keys() <= after["state"].keys()
    assert validate(read_log(b"\n".join(reporter.lines).decode(), "jsonl")) == []


def test_asyncio(reporter: MemoryReporter) -> None:
    async def main() -> list[int]:
        async with Process("a", reporter, settings=AT_ONCE) as a, Process("b", reporter, settings=AT_ONCE) as b:
            first = await asyncio.gather(*(a.aupdate(n=n) for n in range(20)))
            await b.areceive(a.stamp({}), x=1)
            await b.aflush()
            assert b.unsent == 0
            await b.aclose()
            return first

    assert asyncio.run(main()) == list(range(1, 21))
    states = {(event["process"], event["clock"][event["process"]]): event for event in reporter.events}
    assert [states["a", n]["state"]["n"] for n in range(1, 21)] == list(range(20))  # in the order of the calls
    assert states["b", 1]["clock"] == {"b": 1, "a": 20}


def test_asyncio_is_not_blocked_by_back_pressure() -> None:
    stuck = StuckReporter()

    async def main() -> None:
        async with Process("a", stuck, settings=Settings(max_unsent=1, gather_s=0.0, retry_s=(0.001, 0.01))) as a:
            await a.aupdate()
            blocked = [asyncio.create_task(a.aupdate(n=n)) for n in range(50)]  # more than a default executor holds
            done, _ = await asyncio.wait(blocked, timeout=0.05)
            assert not done
            assert await asyncio.to_thread(lambda: "free") == "free"
            stuck.may_send.set()
            assert await asyncio.gather(*blocked) == list(range(2, 52))

    asyncio.run(main())
    assert len(stuck.sent) == 51


# -- back-pressure and the end -------------------------------------------------------------------------------------


def test_too_many_unsent() -> None:
    stuck = StuckReporter()
    settings = Settings(max_unsent=3, timeout_s=0.05, gather_s=0.0, retry_s=(0.001, 0.01))
    phone = Process("phone", stuck, settings=settings)
    for _ in range(3):
        phone.update()
    wait_for_trouble(phone)
    with pytest.raises(UnsentStates, match=r"max_unsent=3 .* timeout_s=0.05 .*nobody listens") as caught:
        phone.update()
    assert (caught.value.unsent, phone.index, phone.unsent) == (3, 3, 3)
    assert phone.trouble == "ConnectionError: nobody listens"
    with pytest.raises(UnsentStates, match="3 states are not acknowledged"):
        phone.flush()
    stuck.may_send.set()
    phone.flush(30)
    assert phone.unsent == 0
    assert process_trouble(phone) is None
    assert phone.update() == 4
    phone.close()
    assert len(stuck.sent) == 4


def test_close_tells_what_is_lost() -> None:
    phone = Process("phone", StuckReporter(), settings=AT_ONCE)
    phone.update()
    phone.update()
    wait_for_trouble(phone)
    with pytest.raises(UnsentStates, match=r"2 states .*nobody listens.*; they are lost .* no journal") as caught:
        phone.close(0.05)
    assert caught.value.unsent == 2
    phone.close()
    with pytest.raises(InvalidInput, match="is closed"):
        phone.update()


def test_close_frees_those_who_wait() -> None:
    phone = Process("phone", StuckReporter(), settings=Settings(max_unsent=1, timeout_s=None))
    phone.update()
    outcome: list[Exception] = []

    def wait() -> None:
        try:
            phone.update()
        except InvalidInput as error:
            outcome.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    with pytest.raises(UnsentStates):
        phone.close(0.05)
    waiting.join()
    assert "is closed" in str(outcome[0])


def test_an_error_in_the_block_is_not_hidden() -> None:
    def fail() -> None:
        with Process("phone", StuckReporter(), settings=Settings(timeout_s=0.05)) as phone:
            phone.update()
            raise KeyError("mine")

    with pytest.raises(KeyError) as caught:
        fail()
    assert "1 states are not acknowledged" in caught.value.__notes__[0]


def test_a_reporter_that_fails_now_and_then() -> None:
    seed = 3
    print(f"seed={seed}")
    choose = random.Random(seed)

    class Flaky(MemoryReporter):
        def send(self, events: Sequence[bytes]) -> None:
            if choose.random() < 0.5:
                raise RuntimeError("not now")
            super().send(events)
            if choose.random() < 0.5:
                raise TimeoutError("the answer got lost")

        def close(self) -> None:
            raise RuntimeError("not even this")

    flaky = Flaky()
    with Process("a", flaky, settings=Settings(gather_s=0.0, retry_s=(0.0, 0.001), max_batch=3)) as a:
        for n in range(40):
            a.update(n=n)
    assert list(dict.fromkeys(event["clock"]["a"] for event in flaky.events)) == list(range(1, 41))


def test_states_are_gathered() -> None:
    """What comes before a batch is due goes together; a flush waits for no more."""
    batches: list[int] = []

    class Counting(MemoryReporter):
        def send(self, events: Sequence[bytes]) -> None:
            batches.append(len(events))

    with Process("a", Counting(), settings=Settings(gather_s=600.0, max_batch=4, timeout_s=None)) as a:
        for _ in range(3):
            a.update()
        a.flush()
        for _ in range(6):
            a.update()
    assert batches == [3, 4, 2]


def test_batches_are_bounded_in_bytes() -> None:
    sizes: list[int] = []

    class Counting(MemoryReporter):
        def send(self, events: Sequence[bytes]) -> None:
            sizes.append(sum(map(len, events)))

    with Process("a", Counting(), settings=Settings(gather_s=600.0, max_batch_bytes=1000)) as a:
        for size in (300, 300, 300, 2000, 10):
            a.update(x="y" * size)
    assert len(sizes) == 4  # two of 300, one, the one that is too large for any batch, the last
    assert [size > 1000 for size in sizes] == [False, False, True, False]


def test_a_fork_does_not_go_on_with_the_clock(reporter: MemoryReporter) -> None:
    with Process("phone", reporter) as phone:
        phone.update()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                phone.update()
            except InvalidInput as error:
                phone.close()  # its parent's, so nothing happens
                code = 0 if "forked" in str(error) else 1
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert phone.update() == 2
