"""Outbox rows: what happened that people may have to be told, as plain facts. Whom to tell is the workers' business.

started    the game began (entry `seq`)
turn       after entry `seq` somebody owes a move whose question is that entry, or took a seat that owes one
offered    entry `seq` opened a seat to others
taken      entry `seq` gave a seat to somebody else
absent     after entry `seq` a seat counts as absent
over       entry `seq` ended the game
cancelled  entry `seq` cancelled it
login      somebody asked for a link (`login_link_id`)
waiting    something waits for seven days (`waiting_act_id`)
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.log.table import Table
from server.db.models import Base

_outbox = Base.metadata.tables["outbox"]
INSERT = sa.insert(_outbox).returning(_outbox.c.id)


def of_entry(session: Session, kind: str, before: Table, table: Table, at: datetime) -> list[int]:
    """The rows of the entry that made `table` of the one before, written in its transaction; their ids."""
    row = {"game_id": table.game_id, "seq": table.size - 1, "created_at": at}
    return [_add(session, kind=name, **row) for name in _kinds(kind, before, table)]


def of_position(session: Session, table: Table, at: datetime) -> list[int]:
    """The rows of where a game stands whose lines were missing: what is owed now, or how it ended; their ids.

    Whoever was told of the same before is not told again: a notification has its question's number in its key.
    """
    last = table.size - 1
    ended = {"finished": "over", "cancelled": "cancelled"}.get(table.stage)
    news = [(ended, last)] if ended else [("turn", seq) for seq in _asked(table)]
    return [_add(session, kind=kind, game_id=table.game_id, seq=seq, created_at=at) for kind, seq in news]


def _asked(table: Table) -> list[int]:
    """The entries since which those who sit there owe what is owed, the oldest first."""
    holders = zip(table.questions, table.occupants, strict=True)
    owed = [(question, who) for question, who in holders if table.stage == "running" and question and who]
    return sorted({max(question.seq, who.since) for question, who in owed})


def of_login(session: Session, login_link_id: int, at: datetime) -> int:
    """The row that mails a link; its id."""
    return _add(session, kind="login", login_link_id=login_link_id, created_at=at)


def of_waiting(session: Session, waiting_act_id: int, at: datetime) -> int:
    """The row that tells an account what waits; its id."""
    return _add(session, kind="waiting", waiting_act_id=waiting_act_id, created_at=at)


def _add(session: Session, **row: Any) -> int:
    number: int = session.connection().execute(INSERT, row).scalar_one()
    return number


def _kinds(kind: str, before: Table, table: Table) -> list[str]:
    if kind == "cancelled":
        return ["cancelled"]
    if table.stage == "finished":
        return ["over"]
    asks = any(question is not None and question.seq == table.size - 1 for question in table.questions)
    named = ["started"] * (kind == "started") + ["taken"] * (kind == "taken")
    named += ["offered"] * _is_one_opened(before, table)
    return named + ["absent"] * _is_one_absent(before, table) + ["turn"] * (asks or _owes_taken(kind, table))


def _is_one_opened(before: Table, table: Table) -> bool:
    """Whoever has stolen a key could do it, so the owner of the seat hears of it."""
    return any(table.is_open(seat) and not before.is_open(seat) for seat in range(table.seats))


def _is_one_absent(before: Table, table: Table) -> bool:
    return any(table.is_absent(seat) and not before.is_absent(seat) for seat in range(table.seats))


def _owes_taken(kind: str, table: Table) -> bool:
    """Whoever took a seat that owes a move is asked like everybody else."""
    came = (seat for seat, occupant in enumerate(table.occupants) if occupant and occupant.since == table.size - 1)
    return kind == "taken" and any(table.questions[seat] is not None for seat in came)
