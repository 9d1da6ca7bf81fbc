"""Simulated asynchronous processes, for examples, tests and the paper's evaluation.

`simulate_office` runs the smart office of the paper (section 6) and gives two things, kept apart: `events`,
what a checker would see in the order in which it would see it, and `truth`, what physically happened.
`random_computation` gives a computation without any notion of time. Everything is a pure function of its
arguments and its seed.

    engine.py               a time line: the heap of what happens when
    delays.py               how long messages and reports are under way
    streams.py              what is random, each thing on its own
    reports.py              the way of the reports to the checker
    settings.py             what the office is like, and what its network does
    office.py               the scenario and its outcome
    truth.py                what physically happened, and what perfect clocks would say of a window
    offices.py              many offices as groups of events
    random_computation.py   states and messages at random

>>> from latwin.sim import simulate_office
>>> run = simulate_office(3, hours=10, seed=1)
>>> event = run.events[0]
>>> event.name in run.names, event.clock[event.process], event.time < event.arrival
(True, 1, True)
>>> sorted(run.as_dicts()[0])
['arrival', 'clock', 'process', 'state', 'time']
>>> [states[0].on for states in run.truth]
[False, False, False]
"""

from latwin.sim.delays import Delay, Exponential, Fixed, Lognormal, Pareto, Uniform
from latwin.sim.office import Simulation, simulate_office
from latwin.sim.offices import Offices
from latwin.sim.random_computation import random_computation
from latwin.sim.reports import ReportedState
from latwin.sim.settings import Network, Office
from latwin.sim.truth import Interval, Truth, overlap_by_begins, overlap_in_window

__all__ = [
    "Delay",
    "Exponential",
    "Fixed",
    "Interval",
    "Lognormal",
    "Network",
    "Office",
    "Offices",
    "Pareto",
    "ReportedState",
    "Simulation",
    "Truth",
    "Uniform",
    "overlap_by_begins",
    "overlap_in_window",
    "random_computation",
    "simulate_office",
]
