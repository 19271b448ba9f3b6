"""Which news becomes a notification: mails about a game that a person may want on a device, by the same decision."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.kernel.db.models import PushMessage, PushSubscription
from server.mailbox.choices import REPLACED, ProposedMail, verdict
from workers.queues import WorkerContext

PUSHED = (*REPLACED, "reminder", "offered", "taken")


def notify(
    session: Session, ctx: WorkerContext, values: Mapping[str, Any], proposed: ProposedMail, now: datetime
) -> None:
    """Insert a row for each device of the mail's reader, unless it has one already. `values` are those of the mail."""
    if values["kind"] not in PUSHED or values["game_id"] is None or not ctx.services.settings.push_hosts:
        return
    mine = PushSubscription.account_id == proposed.account_id
    devices = list(session.scalars(sa.select(PushSubscription.id).where(mine).order_by(PushSubscription.id)))
    if not devices:
        return
    found = verdict(session, proposed, now, is_push=True)
    if found.do == "not":
        return
    about = {name: values[name] for name in ("dedupe_key", "kind", "game_id", "seat", "seq")}
    row = about | {"state": "waiting", "attempts": 0, "next_at": found.at or now, "created_at": now}
    made = ctx.services.database.insert(PushMessage).values([row | {"subscription_id": device} for device in devices])
    session.execute(made.on_conflict_do_nothing(index_elements=["subscription_id", "dedupe_key"]))
