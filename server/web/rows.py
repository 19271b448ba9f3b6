"""Games as lines of a page: what stands in a list, in words (pure but for the games that are here)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from engine import registry
from server.projections.types import title_of
from server.wording import badged, span, told_apart

Row = dict[str, Any]


def rows(games: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Games of a list, with names and badges as people read them."""
    return [_row(game) for game in games]


def _row(game: Mapping[str, Any]) -> Row:
    return {
        **game,
        "title": title_of(game["type"]),
        "number": game["id"][:4],
        "names": _names(game["seats"]),
        "kept": [seat["kept"] for seat in game["seats"] if seat["kept"] and seat["name"] is None],
    }


def _names(seats: Sequence[Mapping[str, Any]], but: int | None = None) -> list[str]:
    """Who sits there, but for one seat; names that look alike show theirs."""
    named = told_apart([seat["name"] and badged(seat["name"], bot=seat["bot"]) for seat in seats])
    return [name for seat, name in zip(seats, named, strict=True) if name is not None and seat["seat"] != but]


def own_rows(games: Sequence[Mapping[str, Any]], now: datetime) -> list[Row]:
    """The same for one's own, with what time is left; the others at the table instead of all."""
    return [_row(game) | {"others": _names(game["seats"], game["seat"]), "left": _left(game, now)} for game in games]


def _left(game: Mapping[str, Any], now: datetime) -> str | None:
    if not game["owes"] or game["deadline"] is None or game["stopped"]:
        return None
    due = datetime.fromisoformat(game["deadline"])
    return f"{span(due - now)} left" if now < due else "the time is over"


def kinds() -> list[dict[str, Any]]:
    """The games that can be played here."""
    return [_kind(game.meta) for game in registry.games().values()]


def _kind(meta: Any) -> dict[str, Any]:
    fewest, most = meta.seats
    return {
        "key": meta.key,
        "title": meta.title,
        "players": f"{fewest} players" if fewest == most else f"{fewest} to {most} players",
        "fewest": fewest,
        "most": most,
        "year": meta.year,
        "designers": meta.designers,
    }
