"""The types of games that this server serves: their facts, and JSON Schemas of their options and commands."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine import registry
from engine.game import Game as Rules
from engine.kit import choices, unfilled
from engine.kit.play import ENDINGS, REFUSALS
from server.kernel.db.models import Game


def without_rules(session: Session) -> dict[tuple[str, int], int]:
    """How many games cannot go on because their rules are not installed here, by type and version."""
    query = sa.select(Game.type, Game.rules, sa.func.count()).where(Game.status.in_(("lobby", "running")))
    found = session.execute(query.group_by(Game.type, Game.rules))
    return {(key, version): count for key, version, count in found if not registry.has(key, version)}


def installed_rules() -> list[tuple[str, tuple[int, int]]]:
    """Each game with the first and the last version of its rules."""
    return [(key, game.meta.rules) for key, game in registry.games().items()]


def type_facts(game: Rules[Any]) -> dict[str, Any]:
    """A type in a list."""
    meta = game.meta
    return {
        "key": meta.key,
        "title": meta.title,
        "designers": list(meta.designers),
        "year": meta.year,
        "seats": {"fewest": meta.seats[0], "most": meta.seats[1]},
        "rules": {"first": meta.rules[0], "current": meta.rules[1]},
        "stage": meta.stage,
        "hidden": game.hidden(meta.options()),
        "package": package_of(meta.key),
    }


def package_of(key: str) -> dict[str, str] | None:
    """The installed package that brings a game, with its version; None if it comes with the server."""
    found = registry.source(key)
    return {"name": found.package, "version": found.version} if found.package else None


def type_in_full(game: Rules[Any]) -> dict[str, Any]:
    """A type with the schemas of what players send, and its refusals."""
    return type_facts(game) | {
        "options": choices.options_schema(game.meta.options),
        "commands": [
            {"notation": kind.notation, "sealed": list(kind.sealed), "schema": choices.whole_schema(kind)}
            for kind in game.commands
        ],
        "refusals": {code: unfilled(told) for code, told in {**REFUSALS, **game.refusals}.items()},
        "endings": {**ENDINGS, **game.endings},
        "guide": registry.guide(game.meta.key),
    }
