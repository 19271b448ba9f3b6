"""What a mail of a seat's holder does, in the transaction in which it is read: a move, a plan, or the end of mail."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.kit import Step, dump_steps, format_steps
from engine.record.compose.entries import Composed, compose_unsigned
from engine.record.signed.moves import move_text
from server.db.models import Plan, Seat
from server.log.ledger import Ledger


def play(ledger: Ledger, seat: int, steps: Sequence[Step]) -> Composed:
    """Log a move that nobody has signed, where the table takes such; sealed like any other in a hidden game."""
    ledger.check_goes_on()
    commands, table = dump_steps(steps), ledger.table
    move = move_text(commands, ledger.services.random(32)) if table.hidden else commands
    composed = compose_unsigned(table, ledger.secret, ledger.at, seat, "mail", move)
    ledger.append(composed)
    return composed


def keep_plan(ledger: Ledger, seat: int, steps: Sequence[Step]) -> None:
    """In place of the one before."""
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
    drop_plan(ledger.session, ledger.game.id, seat)
    ledger.session.add(made)


def stop_mail(ledger: Ledger, seat: int) -> None:
    """No more mail of this table for whoever holds the seat."""
    where = (Seat.game_id == ledger.game.id, Seat.seat == seat)
    ledger.session.execute(sa.update(Seat).where(*where).values(muted=True))


def drop_plan(session: Session, game_id: str, seat: int) -> bool:
    """Was there one?"""
    gone = sa.delete(Plan).where(Plan.game_id == game_id, Plan.seat == seat).returning(Plan.seat)
    return session.scalar(gone) is not None
