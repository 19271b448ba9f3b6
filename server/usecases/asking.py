"""Asked for without a signature: what cannot be undone, to happen in seven days, and only to what there is."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.auth.statements import Act
from server.db.models import AccountKey, KeyBox
from server.errors import Problem
from server.services import Services
from server.usecases import waiting


def ask(services: Services, due: Act) -> int:
    """The number of the act that waits now."""
    with services.database.write() as session:
        if not _is_there(session, due):
            raise Problem("not-found")
        made = waiting.ask(services, session, due)
    return waiting.asked(services, made)


def _is_there(session: Session, due: Act) -> bool:
    match due.act:
        case "drop-key":
            mine = (AccountKey.account_id == due.account_id, AccountKey.kid == due.about)
            return session.scalar(sa.select(AccountKey.id).where(*mine)) is not None
        case "drop-box":
            box = session.get(KeyBox, due.account_id)
            return box is not None and box.kid == due.about
        case _:
            return due.about == ""
