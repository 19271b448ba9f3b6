"""The game page: the position, whose turn it is, the ranking, the log in sentences, the guide, the checkpoint.

A player sees the view from their seat, in a response that no cache may store; everyone else sees the public view. The
page is complete without a script. The scripts (`static/pages/game.js`) read their facts from `data-` attributes.
"""

from __future__ import annotations

from datetime import datetime
from itertools import accumulate, groupby
from operator import itemgetter
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
from server.http.etags import conditional_ahead
from server.http.page import DRAWING, blueprint, guarded, page, reader, services
from server.kernel import text
from server.kernel.db.models import Entry, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import clean
from server.log import deadlines, seats
from server.play import drafts, log_sentences, read, social  # noqa: F401 - `social` registers its picture
from server.play.analysis import rows as analyses
from server.play.analysis import sentences as analysis
from server.play.guide import guide_of
from server.play.hints import write as hints
from server.play.read import Perspective
from server.tables import house_players
from server.tables.after import consents
from server.tables.calendar import pauses
from server.tables.hosting import page as hosting
from server.tables.read import (
    asks_words,
    free_seats,
    game_row,
    hinted,
    kept_seats,
    lowered,
    options_words,
    reserved_seats,
    rest_words,
    stopped_because,
)
from server.tables.talk import read as talk

LOWERED = (
    "This move is by level {level}. The player's own level is {own}.",
    "This is a default move. The player's own level, {own}, gave no answer.",
)


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
        **_end(at, names),
        log=log_sentences.entries_before(services(), at, at.names, request.args.get("before", type=int)),
        note=services().note_of(at.game, at.table.size, at.table.head),
        stopped=stopped_because(at.game),
        **_terms(at),
        unsigned=_unsigned(at),
        audit=evidence.found_audit(services(), at.game.id),
    )


def _end(at: Perspective, names: tuple[str, ...]) -> dict[str, Any]:
    return {"ended": ended(at, names), "turning": _turning(at)}


def _unindexed(at: Perspective, template: str, **said: Any) -> Response:
    """The page, which search engines must not index if the table is unlisted."""
    answer = page(template, **said)
    if at.game.door != "open":
        answer.headers["X-Robots-Tag"] = "noindex"
    return answer


@blueprint.get("/games/<uuid:game_id>/picture.svg")
def game_picture(game_id: UUID) -> Response:
    """The picture of the position, or of an earlier one, from the reader's seat or for everyone."""
    _, at = positions(services(), str(game_id), _account(), requested_position())
    palette: kit.Palette = "dark" if request.args.get("palette") == "dark" else "light"
    drawn = lambda: Response(read.picture(at, palette), mimetype="image/svg+xml")  # noqa: E731
    answer = conditional_ahead(f"{at.fingerprint} {palette}", drawn)
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Content-Security-Policy"] = DRAWING
    return guarded(answer)


def _reader_facts(at: Perspective, owing: list[dict[str, Any]]) -> dict[str, Any]:
    """The reader's seat, their turn, their draft and hint, the news since their last turn, the talk they may read."""
    mine = at.seat in [one["seat"] for one in owing]
    mailed = mine and drafts.has_draft(services(), at.game.id, _account())
    told = {"since": since_own_turn(services(), at), "talk": talk.section(services(), _account(), at.game.id)}
    told |= {**_wishes(at), **_hints(at)}
    return {"own": at.seat, "mine": mine, "mailed": mailed, "lowered": _lowered(at), **told}


def _hints(at: Perspective) -> dict[str, Any]:
    """The players who had a hint, by entry, and the reader's own hint at this entry."""
    if not at.game.hints:
        return {"hinted": {}, "hint": None}
    with services().database.read() as session:
        given = hinted(session, at.game)
        people = log_sentences.NamesOverTime(at.names, read.past_holders(session, at.game.id))
    by_entry = {seq: [people.at(seq)[one["seat"]] for one in some] for seq, some in groupby(given, itemgetter("seq"))}
    return {"hinted": by_entry, "hint": hints.kept(services(), at)}


def _lowered(at: Perspective) -> dict[int, str]:
    """A sentence for each entry whose move another level than the house player's own has made."""
    with services().database.read() as session:
        found = lowered(session, at.game)
    return {one["seq"]: LOWERED[one["level"] == "default"].format(**one) for one in found}


def _wishes(at: Perspective) -> dict[str, Any]:
    """Whether the reader is asked if the game is cancelled or paused, the seats that wish it, and the pause's end."""
    is_asked = at.seat is not None and at.seat not in at.table.gone and at.table.stage == "running"
    may_pause = is_asked and at.table.created["clock"] is not None
    until = consents.wished_pause(services(), at.game.id) if may_pause else None
    return {
        "is_asked": is_asked,
        "wishing": consents.wishing(services(), at.game.id) if is_asked else [],
        "may_pause": may_pause,
        "pausing": consents.wishing(services(), at.game.id, consents.PAUSE) if until else [],
        "pause_until": until,
    }


def _account() -> int | None:
    principal = reader()
    return None if principal is None else principal.account_id


def _pause(at: Perspective) -> dict[str, Any]:
    """Until when the game is paused, for its players and its host; `own`: until when by the host alone."""
    account, clock = _account(), at.table.created["clock"]
    is_host = account is not None and account == at.game.host_id
    if at.table.stage != "running" or clock is None or not (is_host or at.seat is not None):
        return {"until": None, "own": None, "days": 0, "is_host": False}
    with services().database.read() as session:
        until = pauses.current(session, at.game.id, services().now())
        own = pauses.current(session, at.game.id, services().now(), pauses.BY_HOST) if is_host and until else None
    return {"until": until, "own": own, "days": at.game.host_pause if is_host else 0, "is_host": is_host}


def _terms(at: Perspective) -> dict[str, Any]:
    """The terms of the table: its options, its clock, and when a seat may change hands."""
    clock = at.table.created["clock"]
    return {
        "options": options_words(at.game),
        "clock": text.clock(clock),
        "clock_words": text.clock_course(clock),
        "rests": _rests(at),
        "site": services().settings.public_url,
        "asks": asks_words(at.game),
        "pause": _pause(at),
        "absence": text.absence(clock["missed"] if clock else 0),
        "handover": text.handover(at.game.handover),
        "offer_wait": text.offer_wait(at.game.offer_wait),
    }


def _rests(at: Perspective) -> str:
    """When no clock of the table runs, in words."""
    with services().database.read() as session:
        return rest_words(session, at.game)


def _unsigned(at: Perspective) -> list[str]:
    """At a table that accepts unsigned moves: what that means, and how many there were."""
    if not at.table.created["unsigned"]:
        return []
    with services().database.read() as session:
        before = read.past_holders(session, at.game.id)
        moves = evidence.unsigned(session, at.table)
    made = text.unsigned(read.names_at(at.names, before, seq)[seat] for seq, seat in moves)
    return [says for says in (text.UNSIGNED, made) if says]


def awaited(at: Perspective, names: tuple[str, ...], now: datetime) -> list[dict[str, Any]]:
    """The players who owe a move, since when, and the time left; `deadline` is None without a clock."""
    if at.table.stage != "running":
        return []
    with services().database.read() as session:
        due = deadlines.due(session, at.game, at.table, now, is_seated=at.seat is not None)
    may_be_later, active = at.seat is None and _rests(at) != "", read.view(at)["active"]
    return [
        {"name": names[seat], "seat": seat, "or_later": may_be_later, **_time(at, seat, due.get(seat), now)}
        for seat in active
    ]


def _time(at: Perspective, seat: int, due: deadlines.Due | None, now: datetime) -> dict[str, Any]:
    if due is None:
        return {"since": seats.since(at.table, seat), "deadline": None, "says": ""}
    return {
        "since": due.since,
        "deadline": due.deadline,
        "says": f"{text.span(due.deadline - now)} left" if now < due.deadline else "time is up",
        "why": text.extended(due.why),
        "bank": text.seconds(due.bank) if due.bank and now < due.deadline else None,
    }


def _seat(at: Perspective, seat: int, name: str, now: datetime) -> dict[str, Any]:
    """One seat at the table: its player, its standing and its time bank."""
    table, occupant = at.table, at.table.occupants[seat]
    bank = seats.bank(table, seat) if table.stage == "running" and seat not in table.gone else None
    return {
        "name": name if occupant else None,
        "handle": at.handles[seat],
        "says": seats.seat_marks(table, seat),
        "free": seats.free_says(table, seat, now),
        "offered": seats.is_open(table, seat),
        "offerable": seats.may_be_offered(table, seat),
        "absent": seats.is_absent(table, seat),
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
        "winners": outcome.places[0],
        "places": [
            {"place": first, "names": [names[seat] for seat in place], "fate": [_fate(at, outcome, s) for s in place]}
            for first, place in zip(firsts, outcome.places, strict=False)
        ],
        "headings": [heading for heading, _ in outcome.sheet],
        "points": [(names[seat], [got[seat] for _, got in outcome.sheet]) for seat in order],
    }


def _turning(at: Perspective) -> dict[str, Any]:
    """The turning points of a finished game, if its analysis was made, and whether it can be requested."""
    if at.table.stage != "finished":
        return {"state": "none", "points": []}
    answer = analyses.answer(services(), str(at.game.id))
    if answer.found is None:
        return {"state": answer.state, "points": []}
    return {"state": answer.state, "points": analysis.points(answer.found, analysis.people(services(), at))}


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
        own = principal and levels and kept_seats(session, at.game.id, principal.account_id, services.now())
        seat = None if principal is None else session.scalar(sa.select(Seat.seat).where(*_of(at, principal)))
    free = [seat for seat in free_seats(at.table, services.now()) if seat not in levels or seat in (own or ())]
    is_host = principal is not None and principal.account_id == at.game.host_id
    is_shut = is_open and at.game.door == "invited" and not (own or is_host or principal is None)
    if not is_open and (seat is not None or not free):
        return None
    return {
        "is_open": is_open,
        "seat": seat,
        "free": [] if is_shut else free,
        "shut": is_shut,
        "hosting": _hosting(services, at, principal) if is_open else None,
        "kept": levels,
        "is_host": is_open and is_host,
        "levels": _levels(services) if is_open and is_host and at.game.bots != "none" else [],
        "link": f"{services.settings.public_url}/games/{at.game.id}",
        "door": at.game.door,
    }


def _hosting(services: Services, at: Perspective, principal: Principal | None) -> dict[str, Any] | None:
    with services.database.read() as session:
        game = game_row(session, at.game.id)
    return hosting.facts(services, game, None if principal is None else principal.account_id)


def _of(at: Perspective, principal: Principal) -> tuple[sa.ColumnElement[bool], ...]:
    return Seat.game_id == at.game.id, Seat.account_id == principal.account_id


def _levels(services: Services) -> list[str]:
    return [one["level"] for one in house_players.overview(services)["levels"]]


# --- Looking back through a game --------------------------------------------------------------------------------------
# what the game page shows of an earlier position, and where its links lead.


def since_own_turn(services: Services, at: Perspective) -> dict[str, Any]:
    """The sentences of the reader's last turn, and the turns of others after it, or after the reader took the seat."""
    occupant = None if at.seat is None else at.table.occupants[at.seat]
    if occupant is None or at.table.stage != "running":
        return {"own": [], "turns": [], "has_moved": False}
    made = _turns(services, at)
    moved = (seq for seq, kind, seat in made if kind == "moved" and seat == at.seat)
    own = max((seq for seq in moved if seq > occupant.since), default=-1)
    begun = max((seq for seq, _, seat in made if seq < own and seat != at.seat), default=-1)
    start = own if own >= 0 else max(begun_at(made), occupant.since)
    mine = log_sentences.turns_between(services, at, at.names, begun + 1, own) if own >= 0 else []
    turns = log_sentences.turns_between(services, at, at.names, start + 1, at.seq)
    return {"own": mine[-1]["says"] if mine else [], "turns": turns, "has_moved": own >= 0}


def begun_at(made: list[tuple[int, str, int | None]]) -> int:
    """The entry that starts the game."""
    return min((seq for seq, kind, _ in made if kind == "started"), default=0)


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
    first = begun_at(turns)
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
