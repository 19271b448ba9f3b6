"""The consequences of recovering missing entries: the seats get their holders again, and the game continues.

Entries do not contain accounts. Accounts and key registrations may have been lost with the entries, so a seat may come
back without an account. It plays on by its key, and whichever account registers that key gets the seat (`adopt`).
"""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.compose.entries import compose_granted, compose_started
from engine.record.encoding.members import MOST_SECONDS
from engine.record.log.entry import OUTAGE
from engine.record.log.entry import Entry as Line
from engine.record.signed import keys
from server.kernel.db.models import AccountKey, Entry, FormerHolder, Game, HandedText, Notification, Seat, ShownNote
from server.log import outbox, places, seats
from server.log.ledger import EntryColumns, Ledger
from server.log.note_check import AWAITED

STOPPED = ("lines-missing", "game-stopped")  # why a mail about the game was not sent
LEAST_GRANT = 60  # seconds: a shorter outage has cost nobody anything


def restore_holder(ledger: Ledger, line: Line) -> None:
    """The row of a seat whose holder the entry changes; written before the entry itself, as joining and leaving do."""
    if line.kind == "left":
        ledger.seat_left(line.body["seat"], "left" if line.body["jws"] else "removed")
    elif line.kind in ("joined", "taken"):
        kid = keys.kid_of(line.body["jws"]) or ""
        seat, account = line.body["seat"], _account(ledger.session, ledger.game.id, kid)
        if line.kind == "joined":
            ledger.seat_joined(seat, account)
        else:
            ledger.seat_taken(seat, account, line.time)


def _account(session: Session, game_id: str, kid: str) -> int | None:
    """The account of the key; None if it is unknown, or if the account has another seat in the game."""
    found = session.scalar(sa.select(AccountKey.account_id).where(AccountKey.kid == kid))
    return None if found is None or _sits(session, game_id, found) else found


def _sits(session: Session, game_id: str, account_id: int) -> bool:
    where = (Seat.game_id == game_id, Seat.account_id == account_id)
    return session.scalar(sa.select(Seat.seat).where(*where)) is not None


def assign_seats(session: Session, account_id: int, kid: str) -> None:
    """Give seats that came back without an account, and were taken with this key, to the account that registers it."""
    for seat, line in _unclaimed(session, Seat):
        if _signer(line) == kid and not _sits(session, seat.game_id, account_id):
            seat.account_id = account_id
            session.flush()
    for held, line in _unclaimed(session, FormerHolder):
        if _signer(line) == kid:
            held.account_id = account_id


def _unclaimed(session: Session, kind: type[Any]) -> list[tuple[Any, bytes]]:
    """Rows of holders whose account is not known, each with the entry that seated them."""
    since = sa.and_(Entry.game_id == kind.game_id, Entry.seq == kind.since_seq)
    found = session.execute(sa.select(kind, Entry.line).join(Entry, since).where(kind.account_id.is_(None)))
    return [(row, line) for row, line in found]


def _signer(line: bytes) -> str | None:
    return keys.kid_of(msgspec.json.decode(line, type=EntryColumns).jws or "")


def resume(ledger: Ledger) -> None:
    """Continue a game that is complete again: give the lost time back, and notify the players who owe a move.

    A game that is also stopped by a fault stays stopped.
    """
    end_waiting(ledger)
    if ledger.is_faulted:
        return
    _release_mails(ledger)
    is_full = ledger.table.stage == "lobby" and ledger.table.is_full  # only the note on the last join was kept
    if is_full and not seats.waits_for_people(ledger.session, ledger.game):
        ledger.append(compose_started(ledger.table, ledger.secret, ledger.at))
        return
    _grant(ledger)
    ledger.events += outbox.events_of_position(ledger.table)
    ledger.outbox += outbox.rows_of_position(ledger.session, ledger.table, ledger.services.now())


def _release_mails(ledger: Ledger) -> None:
    """Try the mails that waited for the game now: the next try of one that waited long is up to a day away."""
    theirs = (Notification.game_id == ledger.game.id, Notification.last_error.in_(STOPPED))
    waiting = sa.update(Notification).where(*theirs, Notification.state.in_(("pending", "failed")))
    ledger.session.execute(waiting.values(next_at=ledger.services.now()))


def end_waiting(ledger: Ledger) -> None:
    """Stop waiting for missing entries, so that new ones may follow."""
    session, game_id = ledger.session, ledger.game.id
    session.execute(sa.update(Game).where(Game.id == game_id).values(shown_size=0, missing_since=None))
    session.execute(sa.delete(ShownNote).where(ShownNote.game_id == game_id, ShownNote.relation == AWAITED))
    session.execute(sa.delete(HandedText).where(HandedText.game_id == game_id))
    places.end(session, ledger.table)  # recovered entries have taken some of these seats
    ledger.is_whole = True


def clear_fault(ledger: Ledger) -> None:
    """Clear a fault: the operator has confirmed that it is fixed."""
    ledger.session.execute(sa.update(Game).where(Game.id == ledger.game.id).values(faulted_at=None, fault=None))
    ledger.is_faulted = False


def _grant(ledger: Ledger) -> None:
    """Give every seat that owes a move the time in which nobody could move."""
    table = ledger.table
    since = min(filter(None, (ledger.game.missing_since, ledger.game.faulted_at)))
    owing = [seat for seat in table.active if seat not in table.gone]
    seconds = min(int((ledger.services.now() - since).total_seconds()), MOST_SECONDS)
    if table.created["clock"] is not None and owing and seconds >= LEAST_GRANT:
        ledger.append(compose_granted(table, ledger.at, owing, seconds, OUTAGE))
