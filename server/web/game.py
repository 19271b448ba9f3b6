"""A game as anybody may see it: the position, whose move it is, the ranking, the log in sentences, the note.

Everything here is the view of seat None and the public bytes of the log. These pages know no signed-in reader, so
there is nothing that a header or a cache could mix up.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import Any
from uuid import UUID

import msgspec
from flask import Response, request

from engine import kit
from engine.game import Outcome
from engine.record import instants
from server.log.ledger import note_of
from server.projections import position
from server.projections.position import Look
from server.web import story
from server.web.house import blueprint, guarded, page, services
from server.wording import clean, span

DRAWING = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"  # an SVG may style itself, no more


@blueprint.get("/games/<uuid:game_id>")
def game_page(game_id: UUID) -> Response:
    """The page; `before` turns to earlier entries of the log."""
    at = position.look(services(), str(game_id), None)
    names = tuple(map(clean, at.names))
    return page(
        "game.html",
        game=at.game,
        table=at.table,
        head=at.head,
        names=names,
        board=position.view(at)["board"],
        awaited=awaited(at, names, services().now()),
        ended=ended(at, names),
        told=story.told(services(), at, names, request.args.get("before", type=int)),
        note=note_of(services(), at.game.id, at.table.size, at.table.head),
        clock=_clock(at),
    )


@blueprint.get("/games/<uuid:game_id>/picture.svg")
def game_picture(game_id: UUID) -> Response:
    """Anybody's picture of the position; its tag is the head."""
    at = position.look(services(), str(game_id), None)
    answer = Response(position.picture(at), mimetype="image/svg+xml")
    answer.set_etag(at.etag)
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Content-Security-Policy"] = DRAWING
    answer.make_conditional(request)
    return guarded(answer)


def awaited(at: Look, names: tuple[str, ...], now: datetime) -> list[dict[str, Any]]:
    """Who owes a move, since when, and for how long yet; `left` is None without a clock."""
    if at.table.stage != "running":
        return []
    seats = position.view(at)["active"]
    return [{"name": names[seat], "seat": seat, **_time(at, seat, now)} for seat in seats]


def _time(at: Look, seat: int, now: datetime) -> dict[str, Any]:
    question, due = at.table.questions[seat], at.table.deadline(seat)
    since = None if question is None else _moment(instants.seconds(question.at))
    if due is None:
        return {"since": since, "deadline": None, "left": None}
    return {"since": since, "deadline": _moment(due), "left": span(_moment(due) - now), "late": _moment(due) <= now}


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def ended(at: Look, names: tuple[str, ...]) -> dict[str, Any] | None:
    """The ranking: places with ties, points by heading, why it ended. None while it goes on."""
    if at.table.outcome is None:
        return None
    outcome = msgspec.convert(dict(at.table.outcome), Outcome)
    firsts = accumulate((len(place) for place in outcome.places), initial=1)
    order = [seat for place in outcome.places for seat in place]
    return {
        "says": kit.ending(at.table.game, outcome) + ("" if outcome.won else " Nobody has won."),
        "won": outcome.won,
        "places": [
            {"place": first, "names": [names[seat] for seat in place], "fate": [_fate(at, outcome, s) for s in place]}
            for first, place in zip(firsts, outcome.places, strict=False)
        ],
        "headings": [heading for heading, _ in outcome.sheet],
        "points": [(names[seat], [got[seat] for _, got in outcome.sheet]) for seat in order],
    }


def _fate(at: Look, outcome: Outcome, seat: int) -> str:
    return "resigned" if seat in at.table.gone else "out" if seat in outcome.out else ""


def _clock(at: Look) -> dict[str, str] | None:
    """The time for a move and its grace, in words; None without a clock."""
    clock = at.table.created["clock"]
    return clock and {name: span(timedelta(seconds=length)) if length else "" for name, length in clock.items()}
