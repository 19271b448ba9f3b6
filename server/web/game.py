"""The turn page: the position, whose move it is, the ranking, the log in sentences, the guide, the note.

Who has a seat sees his own view, in an answer that nobody keeps; everybody else sees what anybody may. All of it reads
without a script: those that play and watch (`static/pages/game.js`) find their facts in `data-` attributes.
"""

from __future__ import annotations

from datetime import datetime
from itertools import accumulate
from typing import Any
from uuid import UUID

import msgspec
from flask import Response, request

from engine import kit
from engine.game import Outcome
from server import wording
from server.log import seats
from server.log.ledger import note_of
from server.projections import attested, audit, plans, position
from server.projections.games import options_words, stopped_because
from server.projections.position import Look
from server.tags import conditional
from server.web import back, story
from server.web.door import door
from server.web.guide import guide_of
from server.web.house import DRAWING, blueprint, guarded, page, reader, services
from server.wording import clean


@blueprint.get("/games/<uuid:game_id>")
def game_page(game_id: UUID) -> Response:
    """The page; `before` turns to earlier entries of the log, `at` and `seat` look back."""
    wish, now = back.asked(), services().now()
    at, then = back.looked(services(), str(game_id), _account(), wish)
    names = tuple(map(clean, at.names))
    owing = awaited(at, names, now)
    return _kept_out(
        at,
        "game.html",
        door=door(services(), at, reader()),
        **_own(at, owing),
        now=now,
        names=names,
        guide=guide_of(at.game.type, below=2),
        game=at.game,
        table=at.table,
        head=at.head,
        board=position.view(then)["board"],
        query=f"{at.head[:8]}&{wish.query}" if then is not at else at.head[:8],
        **back.past(services(), at, then),
        seats=[_seat(at, seat, names[seat]) for seat in range(at.table.seats)],
        awaited=owing,
        ended=ended(at, names),
        told=story.told(services(), at, at.names, request.args.get("before", type=int)),
        note=note_of(services(), at.game, at.table.size, at.table.head),
        stopped=stopped_because(at.game),
        **_agreed(at),
        unsigned=_unsigned(at),
        judged=_judged(at),
    )


def _kept_out(at: Look, template: str, **said: Any) -> Response:
    """A page; that of a table by link is for no index of pages."""
    answer = page(template, **said)
    if not at.game.listed:
        answer.headers["X-Robots-Tag"] = "noindex"
    return answer


@blueprint.get("/games/<uuid:game_id>/picture.svg")
def game_picture(game_id: UUID) -> Response:
    """The picture of the position, or of an earlier one, as the reader's seat or anybody sees it."""
    _, at = back.looked(services(), str(game_id), _account(), back.asked())
    answer = Response(position.picture(at), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Content-Security-Policy"] = DRAWING
    return guarded(conditional(answer))


def _own(at: Look, owing: list[dict[str, Any]]) -> dict[str, Any]:
    """What is the reader's: his seat, the turn, a plan that he has mailed."""
    mine = at.seat in [one["seat"] for one in owing]
    return {"own": at.seat, "mine": mine, "mailed": mine and plans.is_there(services(), at.game.id, _account())}


def _account() -> int | None:
    who = reader()
    return None if who is None else who.account_id


def _agreed(at: Look) -> dict[str, Any]:
    """What was agreed on when the game was made: its options, its clock, and when a seat changes hands."""
    clock = at.table.created["clock"]
    return {
        "options": options_words(at.game),
        "clock": wording.clock(clock),
        "absence": wording.absence(clock["missed"] if clock else 0),
        "handover": wording.handover(at.game.handover),
    }


def _unsigned(at: Look) -> list[str]:
    """What is to be known where mails are moves, and how many were."""
    if not at.table.created["unsigned"]:
        return []
    with services().database.read() as session:
        made = wording.unsigned(at.names, attested.unsigned(session, at.table))
    return [says for says in (wording.UNSIGNED, made) if says]


def awaited(at: Look, names: tuple[str, ...], now: datetime) -> list[dict[str, Any]]:
    """Who owes a move, since when, and for how long yet; `deadline` is None without a clock."""
    if at.table.stage != "running":
        return []
    active = position.view(at)["active"]
    return [{"name": names[seat], "seat": seat, **_time(at, seat, now)} for seat in active]


def _time(at: Look, seat: int, now: datetime) -> dict[str, Any]:
    since, seconds = seats.since(at.table, seat), at.table.deadline(seat)
    if seconds is None:
        return {"since": since, "deadline": None, "says": ""}
    due = seats.moment(seconds)
    bank = None if seats.is_absent(at.table, seat) else seats.bank_left(at.table, seat, now)
    return {
        "since": since,
        "deadline": due,
        "says": f"{wording.span(due - now)} left" if now < due else "the time is over",
        "bank": wording.seconds(bank) if bank and now < due else None,
    }


def _seat(at: Look, seat: int, name: str) -> dict[str, Any]:
    """One seat at the table: whose it is, how it stands, and what is in its bank."""
    table, occupant = at.table, at.table.occupants[seat]
    bank = seats.bank(table, seat) if table.stage == "running" and seat not in table.gone else None
    return {
        "name": name if occupant else None,
        "says": seats.standing(table, seat),
        "free": seats.free_says(table, seat),
        "bank": wording.seconds(bank) if bank else None,
    }


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


def _judged(at: Look) -> dict[str, Any]:
    """What our own audit found, and when."""
    found = audit.found(services(), at.game.id)
    return found | {"at": found["made_at"] and datetime.fromisoformat(found["made_at"])}


def _fate(at: Look, outcome: Outcome, seat: int) -> str:
    return "resigned" if seat in at.table.gone else "out" if seat in outcome.out else ""
