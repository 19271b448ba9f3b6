"""Invite a person to a table by handle or address, withdraw it, decline it.

Nothing here tells an inviter who has an account. An invitation by address is stored as typed, and no account is looked
up for it: the answer, the rows and the time are the same for every address. The owner of the address finds it among
their invitations, and the worker that mails it finds the account. A person who wants no more invitations keeps the seat
all the same, and gets no mail.

Nobody can be flooded either: an account invites 20 people a day, 5 of them by address; a mailbox gets three
invitations a day from everybody together, and no second one of an inviter whom it has not answered. No text of the
inviter goes along.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.errors import Refused
from engine.record.log.table import Table
from server.kernel import secrets
from server.kernel.db.models import IN_FORCE, Account, Game, Place, Seat, Uninvited
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import clean
from server.log import outbox, places, quotas
from server.log.ledger import Ledger, check_host, moment, open_for_writing
from server.log.outbox import SeatEvent
from server.log.seats import ASKED, keepable
from server.tables import blocks, guests, limits
from server.tables.invitations.read import mailbox, refusals, refused_by
from server.tables.write import check_suspended

A_DAY, KEPT = timedelta(days=1), timedelta(days=14)
MOST_TO_MAILBOX = 3
LIMITED = ("invitations", "invited_addresses")
Never = Literal["host", "anybody"]


def invite(services: Services, game_id: str, account_id: int, to: str, seat: int | None = None) -> Place:
    """Keep a seat for the person with this handle or address; by default the last free one."""
    with open_for_writing(services, game_id) as ledger:
        check_host(ledger, account_id)
        _check_waits(ledger)
        host = ledger.session.get_one(Account, account_id)
        check_suspended(services, host)
        guests.check_is_none(host)
        quotas.lock(services, ledger.session, account_id)
        kept = {"game_id": game_id, "seat": _free_seat(ledger, seat), "by_id": account_id, "kind": "person"}
        place = Place(**kept, until=services.now() + KEPT, **_of(ledger, host, to))
        limits.check(services, ledger.session, account_id, *LIMITED[: 1 + (place.email is not None)])
        places.keep(ledger.session, place, services.now())
        announce(ledger, place)
    return place


def announce(ledger: Ledger, place: Place) -> None:
    """The mail for whoever the place is kept for, and the event if it is an account."""
    at = ledger.services.now()
    ledger.outbox.append(outbox.row_of_table(ledger.session, "invited", ledger.table, at, place.id))
    ledger.others += events_of(ledger.session, ledger.table, place)


def events_of(session: Session, table: Table, place: Place) -> list[tuple[int, SeatEvent]]:
    """The event of the invited account; none if it is not known yet, or refuses the inviter."""
    account = None if place.account_id is None else session.get_one(Account, place.account_id)
    if account is None or is_refused(session, place, account):
        return []
    return [(account.id, places.invited_event(table, place.seat))]


def _check_waits(ledger: Ledger) -> None:
    ledger.check_goes_on()
    if ledger.table.stage != "lobby":
        raise Refused("game-over" if ledger.table.is_over else "already-started")


def _free_seat(ledger: Ledger, wanted: int | None) -> int:
    if wanted is not None and wanted >= ledger.table.seats:
        raise Problem("no-such-seat", seat=wanted, seats=ledger.table.seats)
    here = (Place.game_id == ledger.game.id, ASKED, Place.until > ledger.services.now())
    kept = set(ledger.session.scalars(sa.select(Place.seat).where(*here)))
    free = [seat for seat in keepable(ledger.table) if seat not in kept]
    if wanted is None and not free:
        raise Problem("no-free-seat")
    if wanted is not None and wanted not in free:
        raise Problem("seat-kept" if wanted in kept else "seat-taken", seat=wanted)
    return free[-1] if wanted is None else wanted


def _of(ledger: Ledger, host: Account, to: str) -> dict[str, object]:
    """The columns that name the person. Only an invitation by handle looks for an account."""
    if "@" in to:
        email = to.strip().lower()
        mine = (Place.game_id == ledger.game.id, ASKED, Place.until > ledger.services.now(), Place.email == email)
        if email == host.email or ledger.session.scalar(sa.select(Place.id).where(*mine)) is not None:
            raise Problem("already-here")
        return {"email": email, "box_mac": secrets.box_mac(ledger.services.master, email)}
    named = sa.select(Account).where(Account.handle == to.strip().lower(), Account.guest_since.is_(None), *IN_FORCE)
    account = ledger.session.scalar(named)
    if account is None:
        raise Problem("no-such-player", handle=to)
    _check_new(ledger, host, account)
    return {"account_id": account.id, "box_mac": mailbox(ledger.services, account)}


def _check_new(ledger: Ledger, host: Account, account: Account) -> None:
    sits = sa.select(Seat.seat).where(Seat.game_id == ledger.game.id, Seat.account_id == account.id)
    asked = sa.select(Place.seat).where(Place.game_id == ledger.game.id, Place.account_id == account.id, ASKED)
    asked = asked.where(Place.until > ledger.services.now())
    if account.id == host.id or ledger.session.scalar(sa.union_all(sits, asked).limit(1)) is not None:
        raise Problem("already-here")
    if account.bot and not (ledger.game.bots == "any" or (ledger.game.bots == "house" and account.level is not None)):
        raise Problem("no-bots", bots=ledger.game.bots)


def withdraw(services: Services, game_id: str, account_id: int, number: int) -> None:
    """Let others take the seat; an invitation that has ended stays as it is."""
    with open_for_writing(services, game_id) as ledger:
        check_host(ledger, account_id)
        place = ledger.session.get(Place, number)
        if place is None or place.game_id != game_id or place.kind == "house":
            raise Problem("not-found")
        if place.state == "asked":
            place.state, place.email = "withdrawn", None


# --- By the invited person --------------------------------------------------------------------------------------------


def decline(services: Services, account_id: int, number: int, never: Never | None = None) -> None:
    """Decline one's own invitation; `never` another one from its host, or from anybody."""
    with services.database.read() as session:
        account = session.get_one(Account, account_id)
        place = session.scalar(sa.select(Place).where(Place.id == number, Place.kind != "house"))
        if place is None or not places.belongs_to(place, account):
            raise Problem("not-found")
    _decline(services, number, place.game_id, never, account_id)


def decline_by_link(services: Services, token: str, never: Never | None = None) -> None:
    """The same for whoever got the mail."""
    found = linked(services, token)
    account_id = None if found.account is None else found.account.id
    _decline(services, found.place.id, found.place.game_id, never, account_id)


def _decline(services: Services, number: int, game_id: str, never: Never | None, account_id: int | None) -> None:
    with open_for_writing(services, game_id) as ledger:
        place = ledger.session.get_one(Place, number, populate_existing=True)
        if place.state == "asked":
            place.state, place.email = "declined", None
            if place.by_id is not None:
                at = moment(ledger.table.at)
                event = SeatEvent("declined", game_id, place.seat, ledger.table.size - 1, at, None)
                ledger.others.append((place.by_id, event))
        if never is not None:
            _refuse_later(services, ledger.session, place, never, account_id)


def _refuse_later(services: Services, session: Session, place: Place, never: Never, account_id: int | None) -> None:
    by = place.by_id if never == "host" else None
    whose = {"account_id": account_id, "box_mac": place.box_mac, "by_id": by}
    same = sa.select(Uninvited.id).where(
        *(getattr(Uninvited, name).is_not_distinct_from(v) for name, v in whose.items())
    )
    if session.scalar(same.limit(1)) is None:
        session.add(Uninvited(**whose, at=services.now()))


def allow(services: Services, account_id: int, number: int) -> None:
    """Take back a refusal, with all others of the same inviter, for this account and its mailbox alone.

    A row may also stand for an account that had this mailbox before, or for a mailbox that this account had.
    """
    with services.database.write() as session:
        account = session.get_one(Account, account_id)
        box_mac = mailbox(services, account)
        own = session.scalars(sa.select(Uninvited).where(refused_by(box_mac, account))).all()
        named = next((one for one in own if one.id == number), None)
        if named is None:
            raise Problem("not-found")
        for one in own:
            if one.by_id == named.by_id:
                _lift(session, one, account_id, box_mac)


def _lift(session: Session, refusal: Uninvited, account_id: int, box_mac: bytes | None) -> None:
    if refusal.account_id == account_id:
        refusal.account_id = None
    if refusal.box_mac == box_mac:
        refusal.box_mac = None
    if refusal.account_id is None and refusal.box_mac is None:
        session.delete(refusal)


class LinkedPlace(NamedTuple):
    """The place that a link in a mail is about, its game, the inviter, and the account of the mailbox, if it is known.

    An account that took the place by the link has another mailbox: anyone to whom the link was forwarded may have.
    """

    place: Place
    game: Game
    host: Account | None
    account: Account | None


def linked(services: Services, token: str) -> LinkedPlace:
    """Problem if the token is invalid."""
    number = secrets.link_number(token)
    with services.database.read() as session:
        place = None if number is None else session.get(Place, number)
        if place is None or not secrets.is_good_link(token, secrets.invitation_token(services.master, place)):
            raise Problem("bad-link")
        host = None if place.by_id is None else session.get(Account, place.by_id)
        account = None if place.account_id is None else session.get(Account, place.account_id)
        if account is not None and mailbox(services, account) != place.box_mac:
            account = None
        return LinkedPlace(place, session.get_one(Game, place.game_id), host, account)


def claim(services: Services, token: str, account_id: int) -> str:
    """Keep the seat for the account of whoever got the mail, although it has another address; returns the game."""
    place = linked(services, token).place
    with open_for_writing(services, place.game_id) as ledger:
        account = ledger.session.get_one(Account, account_id)
        held = ledger.session.get_one(Place, place.id, populate_existing=True)
        is_free = held.state == "asked" and held.account_id is None and not places.belongs_to(held, account)
        if is_free and _may_claim(ledger, account):
            held.account_id, held.email = account_id, None
    return place.game_id


def _may_claim(ledger: Ledger, account: Account) -> bool:
    """Not a guest, who may have an account elsewhere, nor an account that has a seat or an invitation here."""
    asked = sa.select(Place.seat).where(Place.game_id == ledger.game.id, ASKED, Place.account_id == account.id)
    sits = sa.select(Seat.seat).where(Seat.game_id == ledger.game.id, Seat.account_id == account.id)
    return account.guest_since is None and ledger.session.scalar(sa.union_all(asked, sits).limit(1)) is None


# --- The mail ---------------------------------------------------------------------------------------------------------


class Recipient(NamedTuple):
    """The reader of the mail about a place: an account, or only an address."""

    account_id: int | None


def to_mail(services: Services, session: Session, place: Place) -> Recipient | None:
    """Mark the place as mailed and return its recipient; None if nobody should get a mail."""
    if place.state != "asked" or place.until <= services.now():
        return None
    whose = Account.id == place.account_id if place.account_id is not None else Account.email == place.email
    account = session.scalar(sa.select(Account).where(whose))
    if account is not None and (account.blocked_at or account.erased_at or account.bot):
        return None
    if is_refused(session, place, account) or not _may_mail(services, session, place):
        return None
    place.mailed_at = services.now()
    return Recipient(None if account is None else account.id)


def is_refused(session: Session, place: Place, account: Account | None) -> bool:
    """Does this person want no invitations from the inviter, or from anybody, or do the two stay apart?"""
    if account is not None and place.by_id in session.scalars(blocks.apart_with_bots(account)).all():
        return True
    return (
        session.scalar(sa.select(Uninvited.id).where(refusals(place.box_mac, account, place.by_id)).limit(1))
        is not None
    )


def _may_mail(services: Services, session: Session, place: Place) -> bool:
    """Three a day to a mailbox; none from an inviter whose last one to it is unanswered."""
    mailed = (Place.box_mac == place.box_mac, Place.mailed_at.is_not(None), Place.id != place.id)
    lately = sa.select(sa.func.count()).select_from(Place).where(*mailed, Place.mailed_at > services.now() - A_DAY)
    if place.box_mac is None or (session.scalar(lately) or 0) >= MOST_TO_MAILBOX:
        return False
    before = sa.select(Place.state).where(*mailed, Place.by_id == place.by_id).order_by(Place.id.desc()).limit(1)
    return place.kind != "person" or session.scalar(before) in (None, "sat", "declined")


def close_old(services: Services) -> None:
    """End the places of people that have run out, and forget their addresses."""
    old = (ASKED, Place.kind != "house", Place.until <= services.now())
    with services.database.read() as session:  # an idle server writes nothing
        if session.scalar(sa.select(Place.id).where(*old).limit(1)) is None:
            return
    with services.database.write() as session:
        session.execute(sa.update(Place).where(*old).values(state="over", email=None))


def public_name(account: Account | None) -> str:
    """The inviter's name in a mail: nothing in it can be taken for an address or a link."""
    return plain("" if account is None or account.erased_at is not None else account.name) or "A player"


def plain(name: str) -> str:
    """The name without what could make a mail program see a link or an address in it."""
    return " ".join(re.sub(r"[./:@\\]", " ", clean(name)).split())


def is_over(place: Place, game: Game, now: datetime) -> bool:
    """Can the place not be taken any more?"""
    return place.state != "asked" or place.until <= now or game.status != "lobby"
