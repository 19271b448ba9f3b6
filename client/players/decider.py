"""One answer at one table: look, think in a process that can be killed, sign, send.

The whole line of a level is sent as one move; if the server refuses it, its first command alone, and if that is
refused too, the first legal one. So the seat always plays, and every failure is reported.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from client.errors import ClientError
from client.game import Player
from client.http import ApiError
from client.players.account import Bot
from client.players.questions import MoveRequest, Reply
from client.players.runner import Runner
from client.players.time_budget import TimeBudget
from engine import registry
from engine.players import LEVELS, levels, players
from engine.players.answering import DEFAULT
from engine.record.log.table import Table

SEARCHES, HURRIED = "strong", "fair"  # a search cut short is weaker than a level that does not search
SHORT = 0.3  # seconds of a processor: most answers of those that search take less (docs/players.md)
PATIENCE = 60.0  # seconds that an answer of a level that searches may wait for its time to think
CHANCE = "chance"  # the level of a game without players of its own
OUTRUN = ("stale-head",)  # others were quicker, and the new position needs a new answer


class LaterError(ClientError):
    """The decider has no time to think now. The answer can wait, and the table wants no weaker one."""


class Decider:
    """Answers for many tables, one after the other. `alone` is the level for tables at which no person is left.

    Without it each keeps its own level there, and its searches wait for their time by the budget `apart`, too.
    """

    def __init__(
        self,
        runner: Runner,
        budget: TimeBudget,
        tell: Callable[..., None],
        alone: str | None = None,
        apart: TimeBudget | None = None,
    ) -> None:
        self._runner = runner
        self._budget = budget
        self._apart = apart or TimeBudget(budget.most, 1.0)
        self._tell = tell
        self.alone = alone
        self._told: set[tuple[str, str]] = set()

    def answer(self, bot: Bot, game: str, waiting: int, waited: float = PATIENCE) -> bool:
        """Play what the seat owes; False if it owes nothing. `waiting` is how many other answers are due.

        LaterError if it has not `waited` long and a search would be cut short.
        """
        player = bot.player(game)
        player.sync()  # unanswered acts are sent again first
        shown = player.view()
        if shown["seat"] not in shown["active"]:
            return False
        begun, size = time.monotonic(), player.table.size
        legal = [item["command"] for item in player.legal()]
        found = self._think(bot, player, shown, legal, waited)
        player.sync()
        if player.has_moved_on(size):
            return True  # the position has changed meanwhile: look again
        seq, refused = _sent(player, found, legal, size)
        key, ms = player.table.game.meta.key, round(1000 * (time.monotonic() - begun))
        self._tell("played", bot=bot.name, game=game, type=key, by=found.by, ms=ms, waiting=waiting)
        for trouble in (*found.troubles, *refused):
            self._tell("trouble", bot=bot.name, game=game, type=key, wanted=bot.held.level, says=trouble)
        if found.by not in (bot.held.level, CHANCE):
            self._tell("lower-level", bot=bot.name, game=game, type=key, wanted=bot.held.level, by=found.by)
            self._show_level(bot, game, seq, found.by)
        return True

    def _show_level(self, bot: Bot, game: str, seq: int, by: str) -> None:
        """Let the table's page name the level that has made this move; the move stands in any case."""
        try:
            bot.api.put(f"/v1/games/{game}/levels/{seq}", {"level": by if by in LEVELS else DEFAULT})
        except ClientError as no:
            self._tell("trouble", bot=bot.name, game=game, error=type(no).__name__, says=f"level not shown: {no}"[:500])

    def _think(self, bot: Bot, player: Player, shown: dict[str, Any], legal: list[Any], waited: float) -> Reply:
        table = player.table
        key = table.game.meta.key
        if players(key) is None:
            return Reply(commands=(random.Random(bot.chance(player.game, table.size)).choice(legal),), by=CHANCE)  # noqa: S311
        seconds = self._seconds(table)
        question = MoveRequest(
            game=key,
            seat=shown["seat"],
            level=self._level(bot, table, seconds, waited),
            view=msgspec.Raw(msgspec.json.encode(shown["view"])),
            legal=tuple(legal),
            options=msgspec.Raw(msgspec.json.encode(dict(table.created["options"]))),
            seed=bot.chance(player.game, table.size),
            seconds=seconds,
        )
        begun, took = time.monotonic(), None
        try:
            found = self._runner.ask(question)
            took = found.seconds or None
            return found
        finally:
            spent = time.monotonic() - begun if took is None else took
            self._budget.spend(spent)
            if not _has_people(table):
                self._apart.spend(spent)

    def _level(self, bot: Bot, table: Table, seconds: float, waited: float) -> str:
        """The account's level, or the next one that the game has (reported once).

        If time is short for a search: LaterError at first, and a level without one in the end.
        """
        key = table.game.meta.key
        wanted = bot.held.level if self.alone is None or _has_people(table) else self.alone
        level = nearest(wanted, tuple(levels(registry.find(key))))
        if level != wanted and (key, wanted) not in self._told:
            self._told.add((key, wanted))
            self._tell("other-level", type=key, wanted=wanted, plays=level)
        if level != SEARCHES or seconds >= SHORT:
            return level
        if waited < PATIENCE:
            raise LaterError
        return nearest(HURRIED, tuple(levels(registry.find(key))))

    def _seconds(self, table: Table) -> float:
        """The time for the next answer at this table."""
        budgets = (self._budget,) if _has_people(table) else (self._budget, self._apart)
        return min(budget.seconds() for budget in budgets)


def nearest(wanted: str, offered: tuple[str, ...]) -> str:
    """The requested level, or the strongest below it, or the weakest. `offered` has the weakest first."""
    if wanted in offered or wanted not in LEVELS:
        return wanted if wanted in offered else offered[0]
    below = [level for level in offered if level in LEVELS[: LEVELS.index(wanted)]]
    return below[-1] if below else offered[0]


def _has_people(table: Table) -> bool:
    """Is there a player left who is not a bot?"""
    seated = enumerate(table.occupants)
    here = [seat for seat, one in seated if one and not one.bot and seat not in table.gone]
    return any(not table.is_absent(seat) for seat in here)


def _sent(player: Player, found: Reply, legal: list[Any], size: int) -> tuple[int, list[str]]:
    """Send the move or the next best: the entry's number, and the refusals on the way, in a hidden game as codes."""
    refused: list[str] = []
    for commands in attempts(found, legal):
        try:
            entry = player.move(commands, seen=size, either=True)
        except ApiError as no:
            if no.code in OUTRUN or no.status in (401, 403):
                raise
            refused.append(f"{found.by}: {no.code if player.table.hidden else no}"[:500])
        else:
            return entry.seq, refused
    raise NotPlayedError("; ".join(refused))


def attempts(found: Reply, legal: list[Any]) -> Iterator[list[Any]]:
    """The whole line, its first command, the first legal one, each at most once."""
    tried: list[list[Any]] = []
    for commands in ([*found.commands], [*found.commands[:1]], legal[:1]):
        if commands not in tried:
            tried.append(commands)
            yield commands


class NotPlayedError(ClientError):
    """The server refuses everything that it lists as legal; it will play a default move in time."""
