"""The demands of a table: games played to their end, and turns ended before the clock does, of anyone who sits down.

They hold for people and their bots, before the start and in a seat that is taken over. Players who are `new` here pass
the demand for turns, since nothing speaks against them, and have to meet the one for games. A table asks nothing of its
host, of house players, and of players for whom a seat is kept.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.kit import count
from server.kernel.db.models import Account, Place
from server.kernel.db.tables import Row
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.log import places, seats
from server.tables import players


def check(services: Services, session: Session, game: Row, account: Account) -> None:
    """Raise Problem with what was found and what the table asks."""
    if not (game.asks_games or game.asks_clock) or account.id == game.host_id or account.level is not None:
        return
    kept = (Place.game_id == game.id, places.is_of(account), seats.is_kept(services.now()))
    if session.scalar(sa.select(Place.id).where(*kept).limit(1)) is not None:
        return
    finished = players.count_finished(session, account) if game.asks_games else 0
    if finished < game.asks_games:
        has, asked = count(finished, "game"), count(game.asks_games, "game")
        says = f"You have finished {has} at public tables with other people. This table asks for {asked}."
        facts = {"found": finished, "expected": game.asks_games}
        raise Problem("too-few-games", detail=f"{says} Finish more of them first{_or_invited(game)}.", **facts)
    turns = players.turns_of(session, account) if game.asks_clock else None
    if turns is not None and not turns.is_new and turns.in_time < game.asks_clock:
        ended = f"You ended {turns.in_time}% of your last {turns.ended} turns in time."
        says = f"{ended} This table asks for {game.asks_clock}%."
        facts = {"found": turns.in_time, "expected": game.asks_clock, "turns": turns.ended}
        detail = f"{says} End more turns in time elsewhere{_or_invited(game)}."
        raise Problem("too-often-by-clock", detail=detail, **facts)


def _or_invited(game: Row) -> str:
    """The advice to ask the host, who can invite before the start alone."""
    return ", or ask the host for an invitation" if game.status == "lobby" and game.host_id is not None else ""
