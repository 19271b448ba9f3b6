"""Cancelling or pausing a running game by consent of the people who play it.

Asked are the people who hold a seat and have not resigned; bots are not. The wish is carried out as soon as all of them
have agreed. An absent player holds nobody up: they are mailed like everybody else, and if all others have agreed for
seven days without an objection, it is carried out. Two people who are not absent are needed. Anybody who is asked
may end the wish, and a seat that changes hands ends it; moves do not. An agreement to a pause names its end, so that
nobody agrees to another one: a different end is a new wish, which takes the place of the old one. A wish for a pause
ends once it would be shorter than an hour.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.errors import Refused
from engine.record.compose.entries import compose_cancelled
from server.kernel.db.models import Account, Consent, Pause, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import iso
from server.log import outbox
from server.log.ledger import Ledger, moment, open_for_writing
from server.log.outbox import SeatEvent
from server.tables.calendar import pauses

CANCEL, PAUSE = "cancel", "pause"
MAILS = {CANCEL: "wish", PAUSE: "wish-pause"}  # the mail about the first wish
LONGEST = timedelta(days=60)  # of a pause
LASTS = timedelta(days=7)
AGREED = "agreed"  # the reason in the entry


class Participant(NamedTuple):
    """A person who is asked: their seat, their account, the entry since which they hold it, and two of their marks."""

    seat: int
    account_id: int
    since: int
    absent: bool
    agreed: bool


def agree(services: Services, game_id: str, account_id: int, until: datetime | None = None) -> dict[str, Any]:
    """Wish to cancel the game, or to pause it `until` then, or agree with that; a repeated request changes nothing."""
    what = CANCEL if until is None else PAUSE
    with open_for_writing(services, game_id) as ledger:
        people = _asked(ledger, what)
        mine = _own(people, account_id)
        if sum(not one.absent for one in people) < 2:
            raise Problem("need-two")
        if until is not None:
            if _is_paused(ledger, until):
                return _shown(ledger, what, people) | {"carried_out": True}
            _check_pause(ledger, until)
            if _about(ledger) not in (None, iso(until)):
                _forget(ledger, PAUSE)
                people = _asked(ledger, what)
                mine = _own(people, account_id)
        if not mine.agreed:
            _add(ledger, what, people, mine, until)
            people = _asked(ledger, what)
        if is_agreed := all(one.agreed for one in people):
            _carry_out(ledger, what)
        return _shown(ledger, what, people) | {"carried_out": is_agreed}


def end_wish(services: Services, game_id: str, account_id: int, what: str = CANCEL) -> None:
    """Object, or withdraw one's own wish: it ends for all."""
    with open_for_writing(services, game_id) as ledger:
        _own(_asked(ledger, what), account_id)
        _forget(ledger, what)


def wish(services: Services, game_id: str, account_id: int, what: str = CANCEL) -> dict[str, Any]:
    """The wish as it stands, for those who are asked."""
    with open_for_writing(services, game_id) as ledger:
        people = _asked(ledger, what)
        _own(people, account_id)
        return _shown(ledger, what, people) | {"carried_out": False}


def wished_pause(services: Services, game_id: str) -> datetime | None:
    """The end of the pause that players wish for."""
    where = (Consent.game_id == game_id, Consent.what == PAUSE)
    with services.database.read() as session:
        about = session.scalar(sa.select(Consent.about).where(*where).limit(1))
    return None if about is None else datetime.fromisoformat(about)


def wishing(services: Services, game_id: str, what: str = CANCEL) -> list[int]:
    """The seats whose players have agreed to cancel or pause the game."""
    held = sa.and_(Seat.game_id == Consent.game_id, Seat.account_id == Consent.account_id)
    query = sa.select(Seat.seat).join(Consent, sa.and_(held, Seat.since_seq == Consent.since_seq))
    with services.database.read() as session:
        where = (Consent.game_id == game_id, Consent.what == what)
        return list(session.scalars(query.where(*where).order_by(Seat.seat)))


def due(now: datetime) -> sa.Select[str]:
    """Games in which a wish has lasted for seven days, or is for a pause that would be too short now."""
    late = sa.and_(Consent.what == PAUSE, Consent.about < iso(now + pauses.SHORTEST))
    return sa.select(Consent.game_id).where(sa.or_(Consent.at <= now - LASTS, late)).distinct()


def settle(services: Services, game_id: str) -> None:
    """After seven days: carry a wish out if only absent players have not agreed, otherwise forget it.

    A wish for a pause that would be too short now is forgotten before.
    """
    with open_for_writing(services, game_id) as ledger:
        now, about = services.now(), _about(ledger)
        for what in (PAUSE, CANCEL):
            began = _began(ledger, what)
            if began is not None and began <= now - LASTS:
                _settle(ledger, what)
            elif what == PAUSE and about is not None and about < iso(now + pauses.SHORTEST):
                _forget(ledger, PAUSE)


def _settle(ledger: Ledger, what: str) -> None:
    goes_on = ledger.table.stage == "running" and ledger.is_whole and not ledger.is_faulted
    here = [one for one in (_asked(ledger, what) if goes_on else ()) if not one.absent]
    if len(here) >= 2 and all(one.agreed for one in here):
        _carry_out(ledger, what)
    else:
        _forget(ledger, what)


def _asked(ledger: Ledger, what: str) -> list[Participant]:
    table = ledger.table
    if table.stage != "running":
        raise Refused("game-over" if table.is_over else "not-started")
    ledger.check_goes_on()
    same = sa.and_(Consent.game_id == Seat.game_id, Consent.account_id == Seat.account_id, Consent.what == what)
    query = sa.select(Seat.seat, Seat.account_id, Seat.since_seq, Consent.since_seq)
    query = query.join(Account, Account.id == Seat.account_id).join(Consent, same, isouter=True)
    held = query.where(Seat.game_id == ledger.game.id, Account.bot.is_(False), Account.erased_at.is_(None))
    return [
        Participant(seat, account, since, table.is_absent(seat), agreed=wished == since)
        for seat, account, since, wished in ledger.session.execute(held.order_by(Seat.seat))
        if seat not in table.gone and account is not None
    ]


def _own(people: list[Participant], account_id: int) -> Participant:
    mine = next((one for one in people if one.account_id == account_id), None)
    if mine is None:
        raise Problem("no-seat")
    return mine


def _check_pause(ledger: Ledger, until: datetime) -> None:
    pauses.check_runs(ledger)
    if not pauses.SHORTEST <= until - ledger.services.now() <= LONGEST:
        raise Problem("bad-pause")


def _is_paused(ledger: Ledger, until: datetime) -> bool:
    """Have all agreed to this pause before?"""
    same = (Pause.game_id == ledger.game.id, Pause.kind == pauses.BY_ALL, Pause.ends_at == until)
    return ledger.session.scalar(sa.select(Pause.id).where(*same).limit(1)) is not None


def _about(ledger: Ledger) -> str | None:
    """The end of the pause that is wished for."""
    where = (Consent.game_id == ledger.game.id, Consent.what == PAUSE)
    return ledger.session.scalar(sa.select(Consent.about).where(*where).limit(1))


def _add(ledger: Ledger, what: str, people: list[Participant], mine: Participant, until: datetime | None) -> None:
    """The first wish is mailed to all others, and is an event for them."""
    now, about = ledger.services.now(), None if until is None else iso(until)
    whose = {"account_id": mine.account_id, "since_seq": mine.since}
    row = Consent(game_id=ledger.game.id, what=what, about=about, at=now, **whose)
    ledger.session.merge(row)
    ledger.session.flush()
    if any(one.agreed for one in people):
        return
    ledger.outbox.append(outbox.row_of_table(ledger.session, MAILS[what], ledger.table, now))
    at, seq = moment(ledger.table.at), ledger.table.size - 1
    others = (one for one in people if one.account_id != mine.account_id)
    ledger.others += [(one.account_id, SeatEvent("wish", ledger.game.id, one.seat, seq, at, None)) for one in others]


def _carry_out(ledger: Ledger, what: str) -> None:
    about = _about(ledger)
    _forget(ledger, what)
    if what == CANCEL:
        ledger.append(compose_cancelled(ledger.table, ledger.secret, ledger.at, AGREED))
    elif about is not None and (until := datetime.fromisoformat(about)) > ledger.services.now():
        pauses.agreed(ledger, until)


def _forget(ledger: Ledger, what: str) -> None:
    ledger.session.execute(sa.delete(Consent).where(Consent.game_id == ledger.game.id, Consent.what == what))


def _began(ledger: Ledger, what: str) -> datetime | None:
    mine = (Consent.game_id == ledger.game.id, Consent.what == what)
    return ledger.session.scalar(sa.select(sa.func.min(Consent.at)).where(*mine))


def _shown(ledger: Ledger, what: str, people: list[Participant]) -> dict[str, Any]:
    began = _began(ledger, what)
    return {
        "asked": [one.seat for one in people],
        "agreed": [one.seat for one in people if one.agreed],
        "until": None if began is None else iso(began + LASTS),
        "cancelled": ledger.table.stage == "cancelled",
        "pause_until": _about(ledger) if what == PAUSE else None,
    }
