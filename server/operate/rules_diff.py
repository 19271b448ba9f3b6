"""The effect of another rules version on the games that are stored: each is decided again under it. Nothing is written.

Both versions decide every entry from the same position, so the first entry that differs is the effect itself and not
what follows from it. After it a game is not looked at: its moves were made for the other position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from engine.errors import SealedMoveError
from engine.record.compose.decision import Decision, decide, lanes
from engine.record.judge.restore import commands_of
from engine.record.log.entry import EVENTFUL, Entry
from engine.record.log.table import Table
from server.kernel import secrets
from server.kernel.db.models import Game
from server.kernel.services import Services
from server.operate.games import logged_entries, next_table

Effect = Literal["same", "events", "outcome", "refused", "unknown"]


class GameDifference(msgspec.Struct, frozen=True):
    """The effect on a game: at `entry` the events or the outcome differ, or the move is refused with the code `says`.

    `rules` is the version of the game. With `unknown` the entry cannot be decided under the game's own version either.
    """

    game: str
    rules: int
    status: str
    effect: Effect
    entry: int | None = None
    says: Any = None


def games(services: Services, key: str, versions: Iterable[int]) -> Sequence[str]:
    """The started games of this title that began under these versions, the oldest first."""
    asked = sa.select(Game.id).where(Game.type == key, Game.rules.in_(versions))
    asked = asked.where(Game.status.in_(("running", "finished")))
    with services.database.read() as session:
        return session.scalars(asked.order_by(Game.created_at, Game.id)).all()


def compared(services: Services, game_id: str, version: int) -> GameDifference:
    """The effect of this version on one game."""
    with services.database.read() as session:
        game = session.get_one(Game, game_id)
        rows = list(logged_entries(session, game_id))
    secret = secrets.game_secret(services.master, game.secret_r)
    table: Table | None = None
    for entry, opening in rows:
        try:
            found = None if table is None else _effect(table, entry, secret, opening, version)
            if found is not None:
                return GameDifference(game_id, game.rules, game.status, found[0], entry.seq, found[1])
            table = next_table(game, table, entry, secret, opening)
        except SealedMoveError as no:
            return GameDifference(game_id, game.rules, game.status, "unknown", entry.seq, no.code)
    return GameDifference(game_id, game.rules, game.status, "same")


def _effect(
    table: Table, entry: Entry, secret: bytes, opening: dict[str, Any], version: int
) -> tuple[Effect, Any] | None:
    if entry.kind not in EVENTFUL:
        return None
    now = _decided(table, entry, secret, opening, table.rules)
    try:
        then = _decided(table, entry, secret, opening, version)
    except SealedMoveError as no:
        return "refused", no.code
    if now.events != then.events:
        return "events", None
    if now.outcome != then.outcome:
        return "outcome", {"now": now.outcome, "then": then.outcome}
    return None


def _decided(table: Table, entry: Entry, secret: bytes, opening: dict[str, Any], version: int) -> Decision:
    """The decision under a version; the events name the game's own."""
    created = {**table.created, "rules": {**table.created["rules"], "version": version}}
    state = table.state if table.state is None else replace(table.state, rules=version)
    commands = commands_of(entry, opening.get("move")) if entry.kind == "moved" else None
    decided = decide(
        replace(table, created=created, state=state),
        entry.kind,
        entry.body.get("seat"),
        commands,
        *lanes(table, secret),
    )
    if entry.kind != "started":
        return decided
    started, *others = decided.events
    return replace(decided, events=(replace(started, rules=table.rules), *others))
