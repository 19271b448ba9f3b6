"""Cancelling a running game by consent of the people who play it.

Asked are the people who hold a seat and have not resigned; bots are not. The game is cancelled as soon as all of them
have agreed. An absent player holds nobody up: they are mailed like everybody else, and if all others have agreed for
seven days without an objection, the game is cancelled. Two people who are not absent are needed. Anybody who is asked
may end the wish, and a seat that changes hands ends it; moves do not.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.errors import Refused
from engine.record.compose.entries import compose_cancelled
from server.kernel.db.models import Account, Consent, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import iso
from server.log import outbox
from server.log.ledger import Ledger, moment, open_for_writing
from server.log.outbox import SeatEvent

CANCEL = "cancel"
LASTS = timedelta(days=7)
AGREED = "agreed"  # the reason in the entry


class Asked(NamedTuple):
    """A person who is asked: their seat, their account, the entry since which they hold it, and two of their marks."""

    seat: int
    account_id: int
    since: int
    absent: bool
    agreed: bool


def agree(services: Services, game_id: str, account_id: int) -> dict[str, Any]:
    """Wish to cancel the game, or agree with that; a repeated request changes nothing."""
    with open_for_writing(services, game_id) as ledger:
        people = _asked(ledger)
        mine = _own(people, account_id)
        if sum(not one.absent for one in people) < 2:
            raise Problem("need-two")
        if not mine.agreed:
            _add(ledger, people, mine)
            people = _asked(ledger)
        if all(one.agreed for one in people):
            _cancel(ledger)
        return _shown(ledger, people)


def end_wish(services: Services, game_id: str, account_id: int) -> None:
    """Object, or withdraw one's own wish: it ends for all."""
    with open_for_writing(services, game_id) as ledger:
        _own(_asked(ledger), account_id)
        _forget(ledger)


def wish(services: Services, game_id: str, account_id: int) -> dict[str, Any]:
    """The wish as it stands, for those who are asked."""
    with open_for_writing(services, game_id) as ledger:
        people = _asked(ledger)
        _own(people, account_id)
        return _shown(ledger, people)


def wishing(services: Services, game_id: str) -> list[int]:
    """The seats whose players have agreed to cancel the game."""
    held = sa.and_(Seat.game_id == Consent.game_id, Seat.account_id == Consent.account_id)
    query = sa.select(Seat.seat).join(Consent, sa.and_(held, Seat.since_seq == Consent.since_seq))
    with services.database.read() as session:
        where = (Consent.game_id == game_id, Consent.what == CANCEL)
        return list(session.scalars(query.where(*where).order_by(Seat.seat)))


def due(now: datetime) -> sa.Select[str]:
    """Games in which a wish has lasted for seven days."""
    return sa.select(Consent.game_id).where(Consent.what == CANCEL, Consent.at <= now - LASTS).distinct()


def settle(services: Services, game_id: str) -> None:
    """After seven days: cancel the game if only absent players have not agreed, otherwise forget the wish."""
    with open_for_writing(services, game_id) as ledger:
        began = _began(ledger)
        if began is None or began > services.now() - LASTS:
            return
        people = [] if ledger.table.stage != "running" else _asked(ledger)
        here = [one for one in people if not one.absent]
        if len(here) >= 2 and all(one.agreed for one in here) and ledger.is_whole and not ledger.is_faulted:
            _cancel(ledger)
        else:
            _forget(ledger)


def _asked(ledger: Ledger) -> list[Asked]:
    table = ledger.table
    if table.stage != "running":
        raise Refused("game-over" if table.is_over else "not-started")
    ledger.check_goes_on()
    same = sa.and_(Consent.game_id == Seat.game_id, Consent.account_id == Seat.account_id, Consent.what == CANCEL)
    query = sa.select(Seat.seat, Seat.account_id, Seat.since_seq, Consent.since_seq)
    query = query.join(Account, Account.id == Seat.account_id).join(Consent, same, isouter=True)
    held = query.where(Seat.game_id == ledger.game.id, Account.bot.is_(False), Account.erased_at.is_(None))
    return [
        Asked(seat, account, since, table.is_absent(seat), agreed=wished == since)
        for seat, account, since, wished in ledger.session.execute(held.order_by(Seat.seat))
        if seat not in table.gone and account is not None
    ]


def _own(people: list[Asked], account_id: int) -> Asked:
    mine = next((one for one in people if one.account_id == account_id), None)
    if mine is None:
        raise Problem("no-seat")
    return mine


def _add(ledger: Ledger, people: list[Asked], mine: Asked) -> None:
    """The first wish is mailed to all others, and is an event for them."""
    now = ledger.services.now()
    row = Consent(game_id=ledger.game.id, what=CANCEL, account_id=mine.account_id, since_seq=mine.since, at=now)
    ledger.session.merge(row)
    ledger.session.flush()
    if any(one.agreed for one in people):
        return
    ledger.outbox.append(outbox.row_of_table(ledger.session, "wish", ledger.table, now))
    at, seq = moment(ledger.table.at), ledger.table.size - 1
    others = (one for one in people if one.account_id != mine.account_id)
    ledger.others += [(one.account_id, SeatEvent("wish", ledger.game.id, one.seat, seq, at, None)) for one in others]


def _cancel(ledger: Ledger) -> None:
    _forget(ledger)
    ledger.append(compose_cancelled(ledger.table, ledger.secret, ledger.at, AGREED))


def _forget(ledger: Ledger) -> None:
    ledger.session.execute(sa.delete(Consent).where(Consent.game_id == ledger.game.id, Consent.what == CANCEL))


def _began(ledger: Ledger) -> datetime | None:
    mine = (Consent.game_id == ledger.game.id, Consent.what == CANCEL)
    return ledger.session.scalar(sa.select(sa.func.min(Consent.at)).where(*mine))


def _shown(ledger: Ledger, people: list[Asked]) -> dict[str, Any]:
    began = _began(ledger)
    return {
        "asked": [one.seat for one in people],
        "agreed": [one.seat for one in people if one.agreed],
        "until": None if began is None else iso(began + LASTS),
        "cancelled": ledger.table.stage == "cancelled",
    }
