"""The numbers that Prometheus collects. None of them depends on cards that are not dealt.

Counts, latencies and open rounds are those of this process. Returns are those of the whole database.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from time import monotonic
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from holecard.server.host.hosted_table import HostedTable, TableStep
from holecard.server.money.returns import Returns, Theory

#: Characters of a sheet's hash that are shown.
_SHORT = 12
#: Seconds between two looks at the event loop, and how many looks are kept: those of ten seconds.
_NAP = 0.1
_NAPS = 100
_LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class LoopDelay:
    """Measures how late the event loop wakes a task: as late as everybody is answered whom it serves."""

    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._late: deque[float] = deque([0.0], _NAPS)

    async def measure(self) -> None:
        """Sleep again and again, and keep how late each sleep ended."""
        while True:
            due = self._clock() + _NAP
            await self._sleep(_NAP)
            self._late.append(max(0.0, self._clock() - due))

    @property
    def largest(self) -> float:
        """The longest delay of the last ten seconds."""
        return max(self._late)

    @property
    def mean(self) -> float:
        """The mean delay of the last ten seconds."""
        return sum(self._late) / len(self._late)


def nobody(_sheet: str) -> None:
    """Compute nothing about a sheet."""


class ComputationLane(Protocol):
    """Where computations wait and run."""

    @property
    def name(self) -> str:
        """What the numbers call it."""

    @property
    def waiting(self) -> int:
        """How many wait."""

    @property
    def running(self) -> int:
        """How many run in this process of the server."""


class Metrics:
    """Counts what happens at the tables of this process; `on_sheet` gets the hash of a sheet that has no theory."""

    def __init__(self, on_sheet: Callable[[str], None] = nobody) -> None:
        self.on_sheet = on_sheet
        self._registry = CollectorRegistry()
        self.rounds = Counter("holecard_rounds", "Rounds finished", ["game"], registry=self._registry)
        self.commands = Counter("holecard_commands", "Commands by outcome", ["outcome"], registry=self._registry)
        self.latency = Histogram(
            "holecard_decision_seconds",
            "Seconds from a command to its place in the log",
            buckets=_LATENCIES,
            registry=self._registry,
        )
        lane = ["lane"]
        self.computations_waiting = Gauge(
            "holecard_computations_waiting", "Computations that wait", lane, registry=self._registry
        )
        self.computations_running = Gauge(
            "holecard_computations_running", "Computations that run", lane, registry=self._registry
        )
        self.computations_refused = Counter(
            "holecard_computations_refused", "Computations without room to wait", lane, registry=self._registry
        )
        self.open_tables = Gauge("holecard_open_tables", "Tables of this process", registry=self._registry)
        self.open_rounds = Gauge("holecard_open_rounds", "Rounds that are not over", registry=self._registry)
        self.waiting = Gauge("holecard_waiting_commands", "Commands that wait to be written", registry=self._registry)
        self.delay = Gauge(
            "holecard_loop_delay_seconds",
            "How late the event loop was in the last ten seconds",
            ["of"],
            registry=self._registry,
        )
        self.at_risk = Gauge("holecard_money_at_risk_cents", "Stakes on the tables", registry=self._registry)
        self.connections = Gauge("holecard_connections", "Open connections", ["kind"], registry=self._registry)
        self.most_connections = Gauge(
            "holecard_connections_limit", "How many there may be at a time", registry=self._registry
        )
        self.file_limit = Gauge(
            "holecard_file_limit", "Files that the process may open; 0 if any number", registry=self._registry
        )
        self.closed_connections = Counter(
            "holecard_connections_closed", "Connections that the server closed", ["reason"], registry=self._registry
        )
        self.went_back = Gauge(
            "holecard_log_went_back", "Entries that the logs lack, at least", registry=self._registry
        )
        self.clients_ahead = Counter(
            "holecard_clients_ahead", "Clients that have seen more than the log has", registry=self._registry
        )
        labels = ["game", "sheet", "wager"]
        self.staked = Gauge("holecard_staked_cents", "Settled stakes, whole database", labels, registry=self._registry)
        self.net = Gauge("holecard_players_net_cents", "Players' net win on them", labels, registry=self._registry)
        self.expected = Gauge(
            "holecard_expected_net_cents", "Players' expected net win on them", labels, registry=self._registry
        )
        self.z = Gauge("holecard_return_z", "Actual minus expected, in deviations", labels, registry=self._registry)
        self.bound = Gauge(
            "holecard_return_bound_cents", "How far chance takes it, once in a million", labels, registry=self._registry
        )
        self.alarm = Gauge("holecard_return_alarm", "1 if chance does not explain it", labels, registry=self._registry)
        self.theories: dict[str, Mapping[str, Theory]] = {}
        """By sheet, and by wager."""

    def observe(self, steps: Iterable[TableStep]) -> None:
        """Count the rounds that ended with new entries of a table."""
        for step in steps:
            if step.table.has_just_finished:
                self.rounds.labels(step.table.opened.game).inc()

    def answered(self, outcome: str, seconds: float) -> None:
        """Count a command: done, or the code of its refusal."""
        self.commands.labels(outcome).inc()
        self.latency.observe(seconds)

    def learn(self, sheet: str, theories: Mapping[str, Theory]) -> None:
        """Set what the wagers of a sheet return in theory."""
        self.theories[sheet] = theories

    def count_tables(self, tables: Iterable[HostedTable]) -> None:
        """Count open tables, open rounds and stakes."""
        current = [hosted for hosted in tables if hosted.table.closed is None]
        self.open_tables.set(len(current))
        self.open_rounds.set(sum(not hosted.table.is_between_rounds for hosted in current))
        self.at_risk.set(sum(sum(hosted.money.held.values()) for hosted in current))

    def limit_connections(self, most: int, files: int | None) -> None:
        """Set how many connections there may be, and how many files the process may open."""
        self.most_connections.set(most)
        self.file_limit.set(files or 0)

    def count_connections(self, every: int, sockets: int) -> None:
        """Count open connections, and those of them that are sockets."""
        self.connections.labels("http").set(every - sockets)
        self.connections.labels("socket").set(sockets)

    def closed_connection(self, reason: str) -> None:
        """Count a connection that was closed: it took too long, or there were too many."""
        self.closed_connections.labels(reason).inc()

    def count_work(self, waiting: int, delay: LoopDelay) -> None:
        """Count commands that wait, and show how late the event loop was."""
        self.waiting.set(waiting)
        self.delay.labels("max").set(delay.largest)
        self.delay.labels("mean").set(delay.mean)

    def count_computations(self, lanes: Iterable[ComputationLane]) -> None:
        """Count what waits and runs for people and for designers."""
        for lane in lanes:
            self.computations_waiting.labels(lane.name).set(lane.waiting)
            self.computations_running.labels(lane.name).set(lane.running)

    def refused_computation(self, lane: str) -> None:
        """Count a computation that a lane had no room for."""
        self.computations_refused.labels(lane).inc()

    def text(self, returns: Returns | None) -> bytes:
        """Return all numbers in Prometheus' format; without the returns where they are not known now."""
        self._show(returns or {})
        found: bytes = generate_latest(self._registry)
        return found

    def _show(self, returns: Returns) -> None:
        """Show these returns and no others, and ask for the theories that are missing."""
        for gauge in (self.staked, self.net, self.expected, self.z, self.bound, self.alarm):
            gauge.clear()
        for key, returned in returns.items():
            labels = (key.game, key.sheet[:_SHORT], key.wager)
            self.staked.labels(*labels).set(returned.staked)
            self.net.labels(*labels).set(returned.net)
            if key.sheet not in self.theories:
                self.on_sheet(key.sheet)
            elif theory := self.theories[key.sheet].get(key.wager):
                self.expected.labels(*labels).set(returned.expected(theory))
                self.z.labels(*labels).set(returned.z(theory))
                self.bound.labels(*labels).set(returned.bound(theory))
                self.alarm.labels(*labels).set(returned.is_alarming(theory))
