"""Who held which seat when, by name: the log names keys, and whose they were is known beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.db.models import Account, FormerHolder
from server.wording import badged


class Former(NamedTuple):
    """Who held a seat until entry `until`: he `left` before the start, or it was taken by his `offer` or `absence`."""

    seat: int
    until: int
    ended: str
    name: str


def former(session: Session, game_id: str) -> list[Former]:
    """Everybody who held a seat before, the first one first; a person who was erased has no name of his own."""
    found = session.execute(
        sa.select(FormerHolder.seat, FormerHolder.until_seq, FormerHolder.ended, Account.name, Account.bot)
        .join(Account, FormerHolder.account_id == Account.id, isouter=True)
        .where(FormerHolder.game_id == game_id)
        .order_by(FormerHolder.until_seq)
    )
    return [
        Former(seat, until, ended, badged(name or f"Seat {seat + 1}", bot=bool(bot)))
        for seat, until, ended, name, bot in found
    ]


def names_at(names: Sequence[str], before: Sequence[Former], seq: int) -> tuple[str, ...]:
    """The names of those who sat there when entry `seq` was logged; `names` are those of now."""
    then = list(names)
    for one in reversed(before):
        if seq < one.until:
            then[one.seat] = one.name
    return tuple(then)
