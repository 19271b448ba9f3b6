"""An analysis in sentences, with the names that the players had at each entry."""

from __future__ import annotations

from typing import Any

from engine.analysis import words
from engine.analysis.results import Analysis, Point
from server.kernel.services import Services
from server.play import read
from server.play.log_sentences import NamesOverTime


def people(services: Services, at: read.Perspective) -> NamesOverTime:
    """The players of each seat over time."""
    with services.database.read() as session:
        return NamesOverTime(at.names, read.past_holders(session, at.game.id))


def points(found: Analysis, players: NamesOverTime) -> list[dict[str, Any]]:
    """The turning points, each with its better lines."""
    return [_point(point, players.at(point.seq)) for point in found.points]


def _point(point: Point, names: tuple[str, ...]) -> dict[str, Any]:
    best, *others = point.better
    return {
        "seq": point.seq,
        "says": words.sentence(point, names),
        "brings": words.brings(best, names),
        "others": [words.also(one) for one in others],
    }


def table(found: Analysis, players: NamesOverTime) -> list[dict[str, Any]]:
    """The chances in 100 after each turn, for readers who cannot see the curve."""
    return [
        {
            "seq": one.seq,
            "turn": one.turn,
            "after": words.after(one, found, players.at(one.seq)),
            "chances": [words.per_hundred(chance) for chance in one.chances],
        }
        for one in found.curve
    ]
