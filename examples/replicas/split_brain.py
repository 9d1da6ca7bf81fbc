"""Fifty replicas elect a leader: first two of them may lead at once, then two of them surely do."""

from pathlib import Path

from latwin import Monitor, Spec

monitor = Monitor(Spec.load(Path(__file__).parent / "spec.toml"))
names = monitor.spec.processes
clocks = {name: dict.fromkeys(names, 0) for name in names}


def report(name, heard_from=None, **state):
    """A replica changes its state, perhaps by a message from another one, and reports it."""
    if heard_from is not None:
        clocks[name] = {other: max(clocks[name][other], clocks[heard_from][other]) for other in names}
    clocks[name][name] += 1
    monitor.observe({"process": name, "clock": clocks[name], "state": state})


def elect(leader, voters, term):
    """A replica asks for votes; each voter answers, and the leader has heard of all answers."""
    report(leader, leader=False, term=term)
    for voter in voters:
        report(voter, heard_from=leader, leader=False, term=term)
        clocks[leader] = {other: max(clocks[leader][other], clocks[voter][other]) for other in names}
    report(leader, leader=True, term=term)


def say(what):
    """What holds after a step."""
    print(f"{what}: {monitor.values()}")


elect("r01", names[1:30], term=1)
say("r01 leads in term 1")

# r01 gives up by itself, when its lease ends. r50 waits for the end of the lease, but hears nothing from r01.
report("r01", leader=False, term=1)
elect("r50", names[20:49], term=2)
say("r50 leads in term 2")

# r02 takes over a lease that it believes to be free. It and r50 tell each other, and both go on leading.
elect("r02", names[2:28], term=3)
report("r50", heard_from="r02", leader=True, term=2)
report("r02", heard_from="r50", leader=True, term=3)
say("r02 leads in term 3, beside r50")

# r50 even takes the new term for its own.
report("r50", heard_from="r02", leader=True, term=3)
say("r50 leads in term 3, too")
