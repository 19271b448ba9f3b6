"""The draft move of a seat holder's mail, kept in the transaction that reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.kit import Step, dump_steps, format_steps
from server.kernel import secrets
from server.kernel.db.models import Plan, Seat
from server.kernel.errors import Problem
from server.kernel.services import Services
from server.kernel.text import iso
from server.log.ledger import Ledger
from server.tables.read import game_row


def keep_draft(ledger: Ledger, seat: int, steps: Sequence[Step]) -> None:
    """Store it in place of the one before."""
    held = ledger.session.get_one(Seat, (ledger.game.id, seat))
    made = Plan(
        game_id=ledger.game.id,
        seat=seat,
        account_id=held.account_id,
        since_seq=held.since_seq,
        size=ledger.table.size,
        commands=msgspec.json.encode(dump_steps(steps)).decode(),
        notation=format_steps(steps),
        created_at=ledger.services.now(),
    )
    drop_draft(ledger.session, ledger.game.id, seat)
    ledger.session.add(made)


def code_of(services: Services, plan: Plan) -> str:
    """The code that the subject of a mail must contain to confirm it."""
    who = plan.game_id, plan.seat, plan.account_id or 0
    return secrets.draft_code(services.master, *who, plan.size, plan.commands)


def mailed_draft(session: Session, game_id: str, account_id: int) -> Plan | None:
    """The draft of the seat that this account holds, if there is one."""
    seat = _seat_of(session, game_id, account_id)
    return None if seat is None else _draft_at(session, seat)


def drop_draft(session: Session, game_id: str, seat: int) -> bool:
    """Delete the draft; whether there was one."""
    gone = sa.delete(Plan).where(Plan.game_id == game_id, Plan.seat == seat).returning(Plan.seat)
    return session.scalar(gone) is not None


# --- Deleting a mailed draft: it was signed and sent, or its holder has changed their mind ----------------------------


def drop_own_draft(services: Services, game_id: str, account_id: int) -> None:
    """The same for the seat's holder."""
    with services.database.write() as session:
        game_row(session, game_id)
        session.delete(draft_of_holder(session, game_id, account_id))


# --- Reading a mailed draft -------------------------------------------------------------------------------------------
# only that holder may read it, and only while they hold the seat.


def draft(services: Services, game_id: str, account_id: int) -> dict[str, Any]:
    """The draft as it was mailed; `fresh` if nothing has been logged since."""
    with services.database.read() as session:
        game = game_row(session, game_id)
        found = draft_of_holder(session, game_id, account_id)
    return {
        "type": game.type,
        "seat": found.seat,
        "via": "mail",
        "commands": msgspec.json.decode(found.commands),
        "notation": found.notation,
        "size": found.size,
        "fresh": game.head_seq + 1 == found.size,
        "at": iso(found.created_at),
    }


def has_draft(services: Services, game_id: str, account_id: int | None) -> bool:
    """Does the account have a mailed draft here? A page fetches it if so."""
    if account_id is None:
        return False
    with services.database.read() as session:
        seat = _seat_of(session, game_id, account_id)
        return seat is not None and _draft_at(session, seat) is not None


def draft_of_holder(session: Session, game_id: str, account_id: int) -> Plan:
    """The draft of the seat that this account holds; Problem if it holds none, or there is no draft."""
    seat = _seat_of(session, game_id, account_id)
    if seat is None:
        raise Problem("no-seat")
    found = _draft_at(session, seat)
    if found is None:
        raise Problem("not-found")
    return found


def _seat_of(session: Session, game_id: str, account_id: int) -> Seat | None:
    return session.scalar(sa.select(Seat).where(Seat.game_id == game_id, Seat.account_id == account_id))


def _draft_at(session: Session, seat: Seat) -> Plan | None:
    """The draft that the present holder mailed, never one of a former holder."""
    found = session.get(Plan, (seat.game_id, seat.seat))
    return found if found and (found.account_id, found.since_seq) == (seat.account_id, seat.since_seq) else None
