"""Webhooks: their URLs, their deliveries, and the answers."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.kernel.db.models.base import ONCE, Base, RequestId


class Hook(Base):
    """Where an account's events are sent. Their signing secret is derived from `secret_r` and the master.

    The former one also signs until `former_until`. `cursor` is the last event of the account for which a delivery was
    made or not needed. `failing_since` is the first failure since the last success. `paused` is the reason: `owner`,
    `failing`, or `gone` if the receiver answered so.
    """

    __tablename__ = "hook"
    __table_args__ = ONCE
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    url: Mapped[str] = mapped_column(String(500))
    host: Mapped[str] = mapped_column(String(500))
    kinds: Mapped[str | None] = mapped_column(String(200))
    signature: Mapped[str] = mapped_column(String(3))
    secret_r: Mapped[bytes]
    former_r: Mapped[bytes | None]
    former_until: Mapped[datetime | None]
    cursor: Mapped[int]
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    failing_since: Mapped[datetime | None]
    paused: Mapped[str | None] = mapped_column(String(10))
    paused_at: Mapped[datetime | None]


class HookDelivery(Base):
    """One event for one webhook. `n` is its number in the account; a ping has none.

    Deliveries in a `lane` (a game or `ping`) go one after the other: a `waiting` or `leased` one holds up those after
    it.
    """

    __tablename__ = "hook_delivery"
    __table_args__ = (
        UniqueConstraint("hook_id", "n"),
        Index("ix_hook_delivery_due", "state", "next_at"),
        Index("ix_hook_delivery_lane", "hook_id", "lane", "state", "n"),
        ONCE,
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    hook_id: Mapped[int] = mapped_column(ForeignKey("hook.id"))
    n: Mapped[int | None]
    lane: Mapped[str] = mapped_column(String(36))
    kind: Mapped[str] = mapped_column(String(20))
    seat: Mapped[int | None]
    body: Mapped[str]
    state: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str | None] = mapped_column(String(20))
    attempts: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None] = mapped_column(index=True)
    request_id: Mapped[RequestId]


class HookAnswer(Base):
    """The result of one attempt: the status of the answer, or a word for why there was none."""

    __tablename__ = "hook_answer"
    id: Mapped[int] = mapped_column(primary_key=True)
    delivery_id: Mapped[int] = mapped_column(ForeignKey("hook_delivery.id"), index=True)
    at: Mapped[datetime]
    status: Mapped[int | None]
    error: Mapped[str | None] = mapped_column(String(20))
    ms: Mapped[int]
