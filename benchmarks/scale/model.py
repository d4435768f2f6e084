"""A discrete-event model of a sweep on a cluster, as powercut-spark and orchestrator/distribution do it.

A campaign is one unit that records, then batches of its failure points, then one unit that merges. Units wait in one queue
for workers of one slot each. The driver does one thing at a time: it hands out units and takes results, and its link
carries what it sends and gets. A worker fetches a recording once, from the driver or from a worker that has it.
"""
# SPDX-License-Identifier: Apache-2.0

import dataclasses
import functools
import heapq
import random

WANTED, WANTED_FIRST, GUESSED_STATES, MOST_PARTS, MOST_GROWTH = 60, 15, 20, 4096, 4


class BatchPlan:
    """As BatchPlan.java, line by line."""

    def __init__(self, failure_points, recovery_seconds):
        self.count = max(1, min(MOST_PARTS, failure_points))
        guessed = recovery_seconds * GUESSED_STATES * failure_points / self.count
        self.size = max(1, WANTED_FIRST / guessed)
        self.next_part = 1
        self.parts = 0.0
        self.seconds = 0.0

    def next(self):
        if self.next_part > self.count:
            return None
        last = int(min(self.count, self.next_part + round(self.size) - 1))
        if self.count - last < self.size / 2:
            last = self.count
        batch = (self.next_part, last)
        self.next_part = last + 1
        return batch

    def took(self, batch, seconds):
        self.parts += batch[1] - batch[0] + 1
        self.seconds += seconds
        wanted = WANTED * self.parts / max(self.seconds, 1e-3)
        self.size = max(1, min(self.size * MOST_GROWTH, wanted))


@dataclasses.dataclass(frozen=True, eq=False)
class Campaign:
    """What a campaign costs, in seconds and bytes."""

    states: tuple  # judged states, program order included, of each failure point
    recovery: float  # what the plan guesses by
    record: float
    overhead: float  # of a batch: start, replay of the whole trace, report
    state: float  # of each state
    merge: float
    merge_part: float  # more for each batch that is merged
    recording: int  # bytes
    part: int  # bytes that a batch sends back
    unpack: float  # of a recording, once for each worker


@dataclasses.dataclass(frozen=True)
class Machine:
    """What the cluster costs, in seconds and bytes a second."""

    start: float  # until units are taken
    first: float  # once for each worker: is the machine fit?
    unit: float  # of each unit on its worker: folders, archives
    driver: float  # of each unit on the driver
    link: float  # of every machine; infinite where nothing leaves the machine
    slots_together: int = 1  # slots that share what one worker fetched
    slowdown: float = 1  # of each unit, when all slots are busy


class Simulation:
    def __init__(self, machine, campaigns, workers, seed=1):
        self.machine = machine
        self.workers = workers
        self.random = random.Random(seed)
        self.events = []
        self.number = 0
        self.queue = []  # units that wait, in the order in which they were handed out
        self.order = 0
        self.idle = list(range(workers))
        self.fit = set()
        self.driver_free = machine.start
        self.link_free = machine.start
        self.ended = 0.0
        self.batches = 0
        self.shipped = 0
        self.busy = 0.0
        self.runs = [Run(self, campaign) for campaign in campaigns]

    def run(self):
        """Seconds from the start to the last result."""
        for run in self.runs:
            self.hand_out(self.machine.start, run.record())
        while self.events:
            at, _, action, values = heapq.heappop(self.events)
            action(at, *values)
        return self.ended

    def at(self, when, action, *values):
        self.number += 1
        heapq.heappush(self.events, (when, self.number, action, values))

    def on_driver(self, now):
        self.driver_free = max(now, self.driver_free) + self.machine.driver / 2
        return self.driver_free

    def hand_out(self, now, unit):
        self.order += 1
        self.at(self.on_driver(now), self.wait, self.order, unit)

    def wait(self, now, order, unit):
        heapq.heappush(self.queue, (order, unit.label, unit))
        self.start_units(now)

    def start_units(self, now):
        while self.queue and self.idle:
            worker = self.idle.pop(self.random.randrange(len(self.idle)))
            _, _, unit = heapq.heappop(self.queue)
            ready = now
            if worker // self.machine.slots_together not in self.fit:
                self.fit.add(worker // self.machine.slots_together)
                ready += self.machine.first
            ready = unit.run.fetch(ready, worker // self.machine.slots_together, unit.inputs)
            factor = self.machine.slowdown if self.workers > 1 else 1
            seconds = unit.seconds * factor
            self.busy += seconds
            self.at(ready + self.machine.unit + seconds, self.done, worker, unit, seconds)

    def done(self, now, worker, unit, seconds):
        self.idle.append(worker)
        self.start_units(now)
        self.link_free = max(now, self.link_free) + unit.output / self.machine.link
        self.at(max(self.link_free, self.on_driver(now)), self.result, unit, seconds)

    def result(self, now, unit, seconds):
        for following in unit.run.after(now, unit, seconds):
            self.hand_out(now, following)
        self.ended = max(self.ended, now)


@dataclasses.dataclass
class Unit:
    run: "Run"
    label: str
    seconds: float
    inputs: int  # bytes beside the recording
    output: int
    batch: tuple = None


@functools.lru_cache
def parts_of(campaign):
    """The states of each part: a failure point's id determines its part, as a random number would."""
    parts = [0] * BatchPlan(len(campaign.states), campaign.recovery).count
    choice = random.Random(len(campaign.states))
    for states in campaign.states:
        parts[choice.randrange(len(parts))] += states
    return parts


class Run:
    """One campaign: what DistributedRun does."""

    def __init__(self, simulation, campaign):
        self.simulation = simulation
        self.campaign = campaign
        self.plan = BatchPlan(len(campaign.states), campaign.recovery)
        self.parts = parts_of(campaign)
        self.ahead = self.plan.next()
        self.recorded = False
        self.underway = 0
        self.merged = 0
        self.has = {}  # worker: when it has the recording, and when its link is free again

    def record(self):
        return Unit(self, "record", self.campaign.record, 0, self.campaign.recording)

    def fetch(self, now, worker, inputs):
        """When the worker has the recording unpacked, and what else it needs."""
        simulation = self.simulation
        link = simulation.machine.link
        if inputs:
            simulation.link_free = max(now, simulation.link_free) + inputs / link
            now = simulation.link_free
            simulation.shipped += inputs
        if not self.recorded:
            return now
        if worker in self.has:
            return max(now, self.has[worker][0])
        size = self.campaign.recording
        source = min(self.has, key=lambda one: max(self.has[one][0], self.has[one][1]), default=None)
        there = simulation.link_free
        if source is not None and max(self.has[source]) < there:
            begin = max(now, *self.has[source])
            self.has[source] = (self.has[source][0], begin + size / link)
        else:
            begin = max(now, there)
            simulation.link_free = begin + size / link
        simulation.shipped += size
        arrived = begin + size / link
        self.has[worker] = (arrived + self.campaign.unpack, arrived)
        return arrived + self.campaign.unpack

    def after(self, now, unit, seconds):
        if unit.label == "record":
            self.recorded = True
        elif unit.label == "batch":
            self.underway -= 1
            self.merged += 1
            self.plan.took(unit.batch, seconds)
        else:
            return
        while self.ahead and self.underway < self.simulation.workers:
            batch, self.ahead = self.ahead, self.plan.next()
            self.underway += 1
            self.simulation.batches += 1
            yield self.batch(batch)
        self.ahead = self.ahead or self.plan.next()
        if self.underway == 0:
            campaign = self.campaign
            yield Unit(self, "merge", campaign.merge + campaign.merge_part * self.merged, campaign.part * self.merged,
                       campaign.part * self.merged)

    def batch(self, batch):
        states = sum(self.parts[batch[0] - 1:batch[1]])
        return Unit(self, "batch", self.campaign.overhead + self.campaign.state * states, 0, self.campaign.part, batch)


def seconds(machine, campaigns, workers, seed=1):
    """(seconds, the simulation) of a sweep."""
    simulation = Simulation(machine, campaigns, workers, seed)
    return simulation.run(), simulation
