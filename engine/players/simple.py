"""Policies without a search: any legal command, the best at a glance, and another policy with slips."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.game import Command
from engine.players.contract import Facts, Policy, Rng

Likes = Callable[[Any, int, Command], float]  # the weight of a command for a seat that sees this view


class Anything(Policy):
    """Any legal command, each equally likely."""

    def choose(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> Command:  # noqa: ARG002 - a policy
        return legal[rng.randrange(len(legal))]


class Sensible(Policy):
    """A legal command by weights: one without a weight is chosen only if none has any."""

    def __init__(self, weight: Likes) -> None:
        self.weight = weight

    def choose(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> Command:
        weights = [max(0.0, self.weight(view, facts.seat, command)) for command in legal]
        at = rng.random() * sum(weights)
        for command, weight in zip(legal, weights, strict=True):
            at -= weight
            if weight and at < 0:
                return command
        return legal[rng.randrange(len(legal))]


class Best(Policy):
    """The command with the largest weight; the first of equals."""

    def __init__(self, likes: Likes) -> None:
        self.likes = likes

    def choose(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> Command:  # noqa: ARG002 - a policy
        return max(legal, key=lambda command: self.likes(view, facts.seat, command))


class Noisy(Policy):
    """A policy with slips: in a share of its moves it plays like a simpler one."""

    def __init__(self, policy: Policy, share: float, simpler: Policy | None = None) -> None:
        self.policy = policy
        self.share = share
        self.simpler = simpler or Anything()

    def choose(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> Command:
        return self._now(rng).choose(facts, view, legal, rng)

    def line(self, facts: Facts, view: Any, legal: tuple[Command, ...], rng: Rng) -> tuple[Command, ...]:
        return self._now(rng).line(facts, view, legal, rng)

    def _now(self, rng: Rng) -> Policy:
        return self.simpler if rng.random() < self.share else self.policy
