"""Outbox rows: what happened that people may have to be told, as plain facts. Whom to tell is the workers' business.

started    the game began (entry `seq`)
turn       after entry `seq` somebody owes a move whose question is that entry
over       entry `seq` ended the game
cancelled  entry `seq` cancelled it
login      somebody asked for a link (`login_link_id`)
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.record.table import Table
from server.db.models import Base

_outbox = Base.metadata.tables["outbox"]
INSERT = sa.insert(_outbox).returning(_outbox.c.id)


def of_entry(session: Session, game_id: str, kind: str, table: Table, at: datetime) -> list[int]:
    """The rows of the entry that made `table`, written in its transaction; their ids."""
    seq = table.size - 1
    return [_add(session, kind=name, game_id=game_id, seq=seq, created_at=at) for name in _kinds(kind, table, seq)]


def of_login(session: Session, login_link_id: int, at: datetime) -> int:
    """The row that mails a link; its id."""
    return _add(session, kind="login", login_link_id=login_link_id, created_at=at)


def _add(session: Session, **row: Any) -> int:
    number: int = session.connection().execute(INSERT, row).scalar_one()
    return number


def _kinds(kind: str, table: Table, seq: int) -> list[str]:
    if kind == "cancelled":
        return ["cancelled"]
    if table.stage == "finished":
        return ["over"]
    asks = any(question is not None and question.seq == seq for question in table.questions)
    return ["started"] * (kind == "started") + ["turn"] * asks
