"""The game page: the position, whose turn it is, the ranking, the log in sentences, the guide, the checkpoint.

A player sees the view from their seat, in a response that no cache may store; everyone else sees the public view. The
page is complete without a script. The scripts (`static/pages/game.js`) read their facts from `data-` attributes.
"""

from __future__ import annotations

from datetime import datetime
from itertools import accumulate
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import sqlalchemy as sa
from flask import Response, request

from engine import kit
from engine.game import Outcome
from server.evidence import read as evidence
from server.hooks.read import EntryAuthor
from server.http.credentials import Principal
from server.http.page import DRAWING, blueprint, guarded, page, reader, services
from server.http.resource import conditional_ahead
from server.kernel import text
from server.kernel.db.models import Entry, Seat
from server.kernel.db.session import moment_of
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import clean
from server.log import seats
from server.play import drafts, log_sentences, read
from server.play.guide import guide_of
from server.play.read import Perspective
from server.tables import house_players
from server.tables.read import free_seats, options_words, reserved_seats, stopped_because


@blueprint.get("/games/<uuid:game_id>")
def game_page(game_id: UUID) -> Response:
    """The page. `before` pages back in the log, `at` and `seat` select an earlier position."""
    requested, now = requested_position(), services().now()
    at, then = positions(services(), str(game_id), _account(), requested)
    names = tuple(map(clean, at.names))
    owing = awaited(at, names, now)
    return _unindexed(
        at,
        "game.html",
        choices=seat_offers(services(), at, reader()),
        **_reader_facts(at, owing),
        now=now,
        names=names,
        guide=guide_of(at.game.type, below=2),
        game=at.game,
        table=at.table,
        head=at.head,
        board=read.view(then)["board"],
        query=f"{at.head[:8]}&{requested.query}" if then is not at else at.head[:8],
        **past_context(services(), at, then),
        seats=[_seat(at, seat, names[seat], now) for seat in range(at.table.seats)],
        awaited=owing,
        ended=ended(at, names),
        log=log_sentences.entries_before(services(), at, at.names, request.args.get("before", type=int)),
        note=services().note_of(at.game, at.table.size, at.table.head),
        stopped=stopped_because(at.game),
        **_terms(at),
        unsigned=_unsigned(at),
        audit=_audit(at),
    )


def _unindexed(at: Perspective, template: str, **said: Any) -> Response:
    """The page, which search engines must not index if the table is unlisted."""
    answer = page(template, **said)
    if not at.game.listed:
        answer.headers["X-Robots-Tag"] = "noindex"
    return answer


@blueprint.get("/games/<uuid:game_id>/picture.svg")
def game_picture(game_id: UUID) -> Response:
    """The picture of the position, or of an earlier one, from the reader's seat or for everyone."""
    _, at = positions(services(), str(game_id), _account(), requested_position())
    answer = conditional_ahead(at.fingerprint, lambda: Response(read.picture(at), mimetype="image/svg+xml"))
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Content-Security-Policy"] = DRAWING
    return guarded(answer)


def _reader_facts(at: Perspective, owing: list[dict[str, Any]]) -> dict[str, Any]:
    """The reader's seat, whether it is their turn, and whether they mailed a draft move."""
    mine = at.seat in [one["seat"] for one in owing]
    return {"own": at.seat, "mine": mine, "mailed": mine and drafts.has_draft(services(), at.game.id, _account())}


def _account() -> int | None:
    principal = reader()
    return None if principal is None else principal.account_id


def _terms(at: Perspective) -> dict[str, Any]:
    """The terms of the table: its options, its clock, and when a seat may change hands."""
    clock = at.table.created["clock"]
    return {
        "options": options_words(at.game),
        "clock": text.clock(clock),
        "clock_words": text.clock_course(clock),
        "absence": text.absence(clock["missed"] if clock else 0),
        "handover": text.handover(at.game.handover),
        "offer_wait": text.offer_wait(at.game.offer_wait),
    }


def _unsigned(at: Perspective) -> list[str]:
    """At a table that accepts unsigned moves: what that means, and how many there were."""
    if not at.table.created["unsigned"]:
        return []
    with services().database.read() as session:
        made = text.unsigned(at.names, evidence.unsigned(session, at.table))
    return [says for says in (text.UNSIGNED, made) if says]


def awaited(at: Perspective, names: tuple[str, ...], now: datetime) -> list[dict[str, Any]]:
    """The players who owe a move, since when, and the time left; `deadline` is None without a clock."""
    if at.table.stage != "running":
        return []
    active = read.view(at)["active"]
    return [{"name": names[seat], "seat": seat, **_time(at, seat, now)} for seat in active]


def _time(at: Perspective, seat: int, now: datetime) -> dict[str, Any]:
    since, seconds = seats.since(at.table, seat), at.table.deadline(seat)
    if seconds is None:
        return {"since": since, "deadline": None, "says": ""}
    due = moment_of(seconds)
    bank = None if seats.is_absent(at.table, seat) else seats.bank_left(at.table, seat, now)
    return {
        "since": since,
        "deadline": due,
        "says": f"{text.span(due - now)} left" if now < due else "time is up",
        "bank": text.seconds(bank) if bank and now < due else None,
    }


def _seat(at: Perspective, seat: int, name: str, now: datetime) -> dict[str, Any]:
    """One seat at the table: its player, its standing and its time bank."""
    table, occupant = at.table, at.table.occupants[seat]
    bank = seats.bank(table, seat) if table.stage == "running" and seat not in table.gone else None
    return {
        "name": name if occupant else None,
        "says": seats.standing(table, seat),
        "free": seats.free_says(table, seat, now),
        "offered": seats.is_open(table, seat),
        "waits": seats.waits_until(seats.free_from(table, seat), now),
        "bank": text.seconds(bank) if bank else None,
    }


def ended(at: Perspective, names: tuple[str, ...]) -> dict[str, Any] | None:
    """The ranking: places with ties, points by heading, why the game ended. None while it goes on."""
    if at.table.outcome is None:
        return None
    outcome = msgspec.convert(dict(at.table.outcome), Outcome)
    firsts = accumulate((len(place) for place in outcome.places), initial=1)
    order = [seat for place in outcome.places for seat in place]
    return {
        "says": kit.ending(at.table.game, outcome),
        "won": outcome.won,
        "places": [
            {"place": first, "names": [names[seat] for seat in place], "fate": [_fate(at, outcome, s) for s in place]}
            for first, place in zip(firsts, outcome.places, strict=False)
        ],
        "headings": [heading for heading, _ in outcome.sheet],
        "points": [(names[seat], [got[seat] for _, got in outcome.sheet]) for seat in order],
    }


def _audit(at: Perspective) -> dict[str, Any]:
    """The result of the server's own audit, and when it was made."""
    found = evidence.found_audit(services(), at.game.id)
    return found | {"at": found["made_at"] and datetime.fromisoformat(found["made_at"])}


def _fate(at: Perspective, outcome: Outcome, seat: int) -> str:
    return "resigned" if seat in at.table.gone else "out" if seat in outcome.out else ""


# --- Joining and leaving ----------------------------------------------------------------------------------------------
# before the start: joining, leaving, cancelling, and the link to invite others; in a running game: taking a seat.


def seat_offers(services: Services, at: Perspective, principal: Principal | None) -> dict[str, Any] | None:
    """The seat actions open to the reader; None if nobody has any."""
    if at.table.stage not in ("lobby", "running") or at.game.is_stopped:
        return None
    is_open = at.table.stage == "lobby"
    with services.database.read() as session:
        levels = reserved_seats(session, [at.game.id], services.now()).get(at.game.id, {})
        seat = None if principal is None else session.scalar(sa.select(Seat.seat).where(*_of(at, principal)))
    free = [seat for seat in free_seats(at.table, services.now()) if seat not in levels]
    is_creator = principal is not None and principal.account_id == at.game.creator_id
    if not is_open and (seat is not None or not free):
        return None
    return {
        "is_open": is_open,
        "seat": seat,
        "free": free,
        "kept": levels,
        "is_creator": is_open and is_creator,
        "levels": _levels(services) if is_open and is_creator and at.game.bots != "none" else [],
        "link": f"{services.settings.public_url}/games/{at.game.id}",
        "listed": at.game.listed,
    }


def _of(at: Perspective, principal: Principal) -> tuple[sa.ColumnElement[bool], ...]:
    return Seat.game_id == at.game.id, Seat.account_id == principal.account_id


def _levels(services: Services) -> list[str]:
    return [one["level"] for one in house_players.overview(services)["levels"]]


# --- Looking back through a game --------------------------------------------------------------------------------------
# what the game page shows of an earlier position, and where its links lead.


class PastPosition(NamedTuple):
    """The position to show: after entry `at` (None: the newest), seen from `seat`."""

    at: int | None
    seat: int | None

    @property
    def query(self) -> str:
        """As a query string."""
        return "&".join(f"{name}={value}" for name, value in self._asdict().items() if value is not None)


def requested_position() -> PastPosition:
    """Read from the URL; a value that is not a number is ignored."""
    return PastPosition(*(_number(name) for name in PastPosition._fields))


def _number(name: str) -> int | None:
    value = request.args.get(name, type=int)
    return value if value is not None and 0 <= value < 2**31 else None


def positions(
    services: Services, game_id: str, account_id: int | None, requested: PastPosition
) -> tuple[Perspective, Perspective]:
    """The present game, and the position to show, which is the present one if the requested one does not exist."""
    now = read.perspective(services, game_id, account_id)
    try:
        then = read.perspective(services, game_id, account_id, seq=requested.at, seat=requested.seat)
    except Problem:
        return now, now
    same = (then.seq, then.seat) == (now.seq, now.seat)
    return (now, now) if same or then.table.state is None else (now, then)


def past_context(services: Services, now: Perspective, then: Perspective) -> dict[str, Any]:
    """The template's data for stepping through the entries, and the sentences of the entry shown."""
    turns = _turns(services, now)
    first = min((seq for seq, kind, _ in turns if kind == "started"), default=0)
    last, at = now.table.size - 1, then.seq
    steps = (("First", first), ("Previous", at - 1), ("Next", at + 1), ("Latest", last))
    return {
        "first": first,
        "past": {"at": at, "sentences": read.sentences(services, then)} if then is not now else None,
        "turns": " ".join(f"{seq}:{seat}" for seq, kind, seat in turns if kind == "moved"),
        "steps": [(says, to if first <= to <= last and to != at else None) for says, to in steps],
        "eyes": then.seat,
    }


def _turns(services: Services, now: Perspective) -> list[tuple[int, str, int | None]]:
    """The entries that start the game or contain a move: number, kind, seat."""
    where = (Entry.game_id == now.game.id, Entry.seq < now.table.size, Entry.kind.in_(("started", "moved", "expired")))
    with services.database.read() as session:
        rows = session.execute(sa.select(Entry.seq, Entry.kind, Entry.line).where(*where).order_by(Entry.seq)).all()
    return [(seq, kind, msgspec.json.decode(line, type=EntryAuthor).seat) for seq, kind, line in rows]
