"""The row that was asked for, locked until the transaction ends; what is another's is not there."""

from __future__ import annotations

from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.errors import Problem

Row = TypeVar("Row")


def locked(session: Session, asked: sa.Select[Row]) -> Row:
    """Or Problem `not-found`. `asked` names whose row it may be."""
    row = session.scalar(asked.with_for_update())
    if row is None:
        raise Problem("not-found")
    return row
