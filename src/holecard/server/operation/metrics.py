"""The numbers that Prometheus collects. None of them depends on cards that are not dealt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from holecard.server.host.hosted_table import HostedTable, Step
from holecard.server.operation.returns import Returned, Theory

_LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Counts what happens at the tables of this process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.rounds = Counter("holecard_rounds", "Rounds finished", ["game"], registry=self._registry)
        self.commands = Counter("holecard_commands", "Commands by outcome", ["outcome"], registry=self._registry)
        self.latency = Histogram(
            "holecard_decision_seconds",
            "Seconds from a command to its place in the log",
            buckets=_LATENCIES,
            registry=self._registry,
        )
        self.open_tables = Gauge("holecard_open_tables", "Tables of this process", registry=self._registry)
        self.open_rounds = Gauge("holecard_open_rounds", "Rounds that are not over", registry=self._registry)
        self.at_risk = Gauge("holecard_money_at_risk_cents", "Stakes on the tables", registry=self._registry)
        labels = ["game", "wager"]
        self.staked = Gauge("holecard_staked_cents", "Settled stakes", labels, registry=self._registry)
        self.net = Gauge("holecard_players_net_cents", "Players' net win", labels, registry=self._registry)
        self.expected = Gauge(
            "holecard_expected_net_cents", "Players' expected net win", labels, registry=self._registry
        )
        self.z = Gauge("holecard_return_z", "Actual minus expected, in deviations", labels, registry=self._registry)
        self.alarm = Gauge("holecard_return_alarm", "1 if chance does not explain it", labels, registry=self._registry)
        self.returns: dict[tuple[str, str], Returned] = {}
        self.theories: dict[tuple[str, str], Theory] = {}

    def observe(self, hosted: HostedTable, steps: Iterable[Step]) -> None:
        """Count what new entries of a table did."""
        game = hosted.table.opened.game
        for step in steps:
            for result in step.table.new_results:
                key = (game, result.wager)
                self.returns.setdefault(key, Returned()).add(int(result.stake), int(result.net))
            if step.table.new_results and step.table.state.phase == "done":
                self.rounds.labels(game).inc()

    def learn(self, game: str, theories: Mapping[str, Theory]) -> None:
        """Set what the wagers of a game return in theory."""
        self.theories.update({(game, wager): theory for wager, theory in theories.items()})

    def count_tables(self, tables: Iterable[HostedTable]) -> None:
        """Count open tables, open rounds and stakes."""
        current = [hosted for hosted in tables if hosted.table.closed is None]
        self.open_tables.set(len(current))
        self.open_rounds.set(sum(not hosted.table.is_between_rounds for hosted in current))
        self.at_risk.set(sum(sum(hosted.money.held.values()) for hosted in current))

    def text(self) -> bytes:
        """Return all numbers in Prometheus' format."""
        for (game, wager), returned in self.returns.items():
            self.staked.labels(game, wager).set(returned.staked)
            self.net.labels(game, wager).set(returned.net)
            if theory := self.theories.get((game, wager)):
                self.expected.labels(game, wager).set(theory.ev * returned.staked)
                self.z.labels(game, wager).set(returned.z(theory))
                self.alarm.labels(game, wager).set(returned.is_alarming(theory))
        found: bytes = generate_latest(self._registry)
        return found
