"""Web push: the browsers that asked for notifications, and the notifications that wait for them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.kernel.db.models.base import ONCE, Base, RequestId


class PushSubscription(Base):
    """A browser's address at its push service, with its public key and its secret (RFC 8291).

    It ends with the credential that made it: a browser's session, or the API token of a program. `hash` is of the
    endpoint, which one account has at a time. `clicked_at` is when a notification was last opened: until then nobody
    knows that they arrive. Until `waits_until` its service wants no requests.
    """

    __tablename__ = "push_subscription"
    __table_args__ = ONCE
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    session_id: Mapped[int | None] = mapped_column(index=True)
    token_id: Mapped[int | None]
    endpoint: Mapped[str] = mapped_column(String(500))
    host: Mapped[str] = mapped_column(String(253))
    hash: Mapped[bytes] = mapped_column(unique=True)
    p256dh: Mapped[bytes]
    auth: Mapped[bytes]
    created_at: Mapped[datetime]
    renewed_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    clicked_at: Mapped[datetime | None]
    waits_until: Mapped[datetime | None]


class PushMessage(Base):
    """One notification for one subscription. `dedupe_key` is that of the mail about the same news."""

    __tablename__ = "push_message"
    __table_args__ = (
        UniqueConstraint("subscription_id", "dedupe_key"),
        Index("ix_push_message_due", "state", "next_at"),
        Index("ix_push_message_dedupe_key", "dedupe_key"),
        ONCE,
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    subscription_id: Mapped[int] = mapped_column(ForeignKey("push_subscription.id"))
    dedupe_key: Mapped[str] = mapped_column(String(120))
    kind: Mapped[str] = mapped_column(String(20))
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    seat: Mapped[int | None]
    seq: Mapped[int | None]
    state: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str | None] = mapped_column(String(20))
    attempts: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None] = mapped_column(index=True)
    request_id: Mapped[RequestId]
