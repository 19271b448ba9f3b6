"""A player's signed act becomes an entry: the order of the checks, once for all acts.

The first failure wins, the player is told, and nothing has changed:

    shape of the JWS and its payload -> the game exists -> this very JWS is logged already: the same answer
    -> the game is not stopped -> signature by a key of that seat -> the game's stage (over, not
    started, ...) -> `prev` is the head -> the place: may this entry follow at this seat now (`engine.record.laws`)
    -> whose account it is, where a seat gets a holder -> the rules decide -> append -> commit -> wake

Writers of one game stand in line at its row, so of two acts upon one head the second finds the head moved on, and the
same act twice at once finds itself. Nothing drawn leaves the process before the commit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from engine.errors import EngineFault, Refused
from engine.record.compose.entries import Composed
from engine.record.encoding import base64url
from engine.record.laws import admission
from engine.record.signed import acts
from engine.record.signed.acts import SignedAct
from server.db.models import Entry
from server.errors import Problem
from server.log.ledger import Ledger, note_of, opened
from server.services import Services
from server.usecases.fault import stop_game

MOST_MISSED = 500

Play = Callable[[Ledger, SignedAct], Composed]


@dataclass(frozen=True, slots=True)
class Answer:
    """What everybody may know of a logged act: its line and the note of that size; `again` if it was logged before."""

    line: bytes
    note: str
    again: bool


def log_act(services: Services, game_id: str, compact: str, act: str, play: Play) -> Answer:
    """Log a signed act, composed by `play` after all checks have passed; or answer as the first time."""
    signed = acts.read_signed(compact)
    if signed.act.act != act:
        raise Problem("wrong-act", found=signed.act.act, expected=act)
    try:
        return _once(services, game_id, signed, play)
    except IntegrityError:  # its bytes were logged meanwhile, by a writer that did not wait at the row
        return _once(services, game_id, signed, play)
    except EngineFault as fault:
        stop_game(services, game_id, fault)
        raise


def _once(services: Services, game_id: str, signed: SignedAct, play: Play) -> Answer:
    with opened(services, game_id) as ledger:
        entry = ledger.logged(signed)
        again = entry is not None
        if entry is None:
            ledger.check_goes_on()
            _check(ledger, signed)
            entry = ledger.append(play(ledger, signed))
    return Answer(entry.line, note_of(services, ledger.game, entry.seq + 1, entry.leaf_hash), again)


def _check(ledger: Ledger, signed: SignedAct) -> None:
    """In the written order; must agree with `door.check_act`."""
    table = ledger.table
    admission.check_signer(table, signed)
    admission.check_stage(table, signed)
    _check_head(ledger, signed)
    admission.check_place(table, signed)


def _check_head(ledger: Ledger, signed: SignedAct) -> None:
    """A head that has moved on is told with what was missed; one that never was is told apart."""
    try:
        admission.check_head(ledger.table, signed.act)
    except Refused as no:
        if no.code == "stale-head" and _was_head(ledger, signed.act.seq, signed.act.prev):
            raise _stale(ledger, signed) from None
        raise Refused("unknown-head", **no.facts) from None


def _was_head(ledger: Ledger, seq: int, prev: bytes) -> bool:
    where = (Entry.game_id == ledger.game.id, Entry.seq == seq - 1)
    return ledger.session.scalar(sa.select(Entry.leaf_hash).where(*where)) == prev


def _stale(ledger: Ledger, signed: SignedAct) -> Refused:
    act = signed.act
    missed = ledger.session.scalars(
        sa.select(Entry.line)
        .where(Entry.game_id == ledger.game.id, Entry.seq >= act.seq)
        .order_by(Entry.seq)
        .limit(MOST_MISSED)
    )
    return Refused(
        "stale-head",
        found=act.seq,
        expected=ledger.table.size,
        head=base64url.encode(ledger.table.head),
        entries=[line.decode("ascii") for line in missed],
        unchanged=ledger.table.unchanged(act.seat, act.seq),
    )
