"""The log of operators: each act with its time, actor and reason, recorded in the transaction that carries it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import OperatorAct
from server.kernel.services import Services


@dataclass(frozen=True, slots=True)
class Operator:
    """The person at the command line, and the reason for what they do."""

    who: str
    why: str


def record(services: Services, session: Session, by: Operator, act: str, about: str = "") -> None:
    """Add an act to the transaction; `about` is the kind and number of its subject, such as `account 7`."""
    session.add(OperatorAct(at=services.now(), who=by.who, act=act, about=about, why=by.why))


def listed(services: Services, about: str | None, last: int) -> list[dict[str, Any]]:
    """The last acts, all or those about one subject, oldest first."""
    query = sa.select(OperatorAct).order_by(OperatorAct.id.desc()).limit(last)
    names = ("at", "who", "act", "about", "why")
    with services.database.read() as session:
        rows = session.scalars(query if about is None else query.where(OperatorAct.about == about)).all()
    return [{name: getattr(row, name) for name in names} for row in reversed(rows)]
