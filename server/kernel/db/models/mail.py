"""Mail in both directions: outgoing, incoming, delivery reports, and mail settings (`server.mailbox`)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from server.kernel.db.models.base import ONCE, Base, RequestId, few


class Notification(Base):
    """One mail to one person. `dedupe_key` prevents duplicates.

    `hook_id` may outlive its hook, and `inbound_id` the mail that is answered. `said` is the mail server's answer to
    the last attempt, or why it was not reached, and `said_at` when; `last_error` is the same until an attempt succeeds.
    A `held` one goes with the next digest, the row `digest_id`; `waited` is what it waited for, if anything.
    """

    __tablename__ = "notification"
    __table_args__ = (
        Index("ix_notification_due", "state", "next_at"),
        Index("ix_notification_kind", "state", "kind", "next_at"),
        few("ix_notification_login_link_id", "login_link_id", "login_link_id IS NOT NULL"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    dedupe_key: Mapped[str] = mapped_column(String(120), unique=True)
    kind: Mapped[str] = mapped_column(String(20))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"), index=True)
    email: Mapped[str | None] = mapped_column(String(254))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("game.id"), index=True)
    login_link_id: Mapped[int | None] = mapped_column(ForeignKey("login_link.id"))
    hook_id: Mapped[int | None]
    waiting_act_id: Mapped[int | None]
    place_id: Mapped[int | None]
    holiday_id: Mapped[int | None]
    inbound_id: Mapped[int | None]
    seat: Mapped[int | None]
    seq: Mapped[int | None]
    message_id: Mapped[str | None] = mapped_column(String(250), index=True)
    state: Mapped[str] = mapped_column(String(10))
    attempts: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    last_error: Mapped[str | None] = mapped_column(String(500))
    said: Mapped[str | None] = mapped_column(String(500))
    said_at: Mapped[datetime | None]
    reason: Mapped[str | None] = mapped_column(String(200))
    waited: Mapped[str | None] = mapped_column(String(10))
    digest_id: Mapped[int | None] = mapped_column(index=True)
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    request_id: Mapped[RequestId]


class MailReport(Base):
    """A report from a mail server, a relay or the recipient about a sent mail (`server.mailbox.delivery_reports`).

    A `spent` report no longer counts: since then the account has shown that mail arrives, or wants it again.
    """

    __tablename__ = "mail_report"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    notification_id: Mapped[int] = mapped_column(index=True)
    kind: Mapped[str] = mapped_column(String(9))
    says: Mapped[str] = mapped_column(String(500))
    via: Mapped[str] = mapped_column(String(8))
    at: Mapped[datetime] = mapped_column(index=True)
    spent: Mapped[bool]


class MailStop(Base):
    """Mail to this account's address is stopped: `gone`, `failing` for a week, or its reader's `complaint`."""

    __tablename__ = "mail_stop"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    why: Mapped[str] = mapped_column(String(9))
    says: Mapped[str] = mapped_column(String(500))
    since: Mapped[datetime]


class MailOff(Base):
    """A `reply` that was not proven, or a `link`, has switched off mail about a game, or about all (`game_id` is "").

    It stays until the reader has decided on a page (`server.mailbox.switched_off`).
    """

    __tablename__ = "mail_off"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    game_id: Mapped[str] = mapped_column(String(36), primary_key=True)
    how: Mapped[str] = mapped_column(String(5))
    at: Mapped[datetime]


class InboundMail(Base):
    """A mail to one of our addresses: an answer to notification `notification_id`, or a report on it.

    `kind`: `move`; `bounce` for a report that came as a mail, `report` for one that a relay sent by HTTP, `letter` to
    the operator, about no notification. `room`: which limit it counts against (`server.mailbox.inbound`).

    `raw` is deleted once it was read; of a long mail it is only the beginning, and `body_hashes` are those of the
    whole body (`server.mailbox.arriving`).
    `relayed`: by the relay that is trusted about signatures. `once` is a relay's one-time value, `name` identifies the
    mail for good: a second one with the same value is not read. `state`: `waiting`, `leased`, `done`, `quarantined`.
    `outcome` is the result of an answer.
    """

    __tablename__ = "inbound_mail"
    __table_args__ = (Index("ix_inbound_mail_due", "state", "next_at"), ONCE)
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(6))
    token: Mapped[str] = mapped_column(String(24))
    notification_id: Mapped[int] = mapped_column(index=True)
    raw: Mapped[bytes | None]
    body_hashes: Mapped[bytes | None]
    via: Mapped[str] = mapped_column(String(8))
    relayed: Mapped[bool]
    room: Mapped[str] = mapped_column(String(6))
    once: Mapped[str | None] = mapped_column(String(100), unique=True)
    name: Mapped[bytes | None] = mapped_column(unique=True)
    state: Mapped[str] = mapped_column(String(11))
    reason: Mapped[str | None] = mapped_column(String(200))
    outcome: Mapped[str | None] = mapped_column(Text)
    attempts: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    received_at: Mapped[datetime]
    ended_at: Mapped[datetime | None] = mapped_column(index=True)
    request_id: Mapped[RequestId]


class MailChoice(Base):
    """An account's mail settings (`server.mailbox.choices`), in JSON.

    `reminds`: its own reminder times, and since when; times before that are not made up for.
    """

    __tablename__ = "mail_choice"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    says: Mapped[str] = mapped_column(Text)
    reminds: Mapped[bool]
    hours_since: Mapped[datetime]


class MailException(Base):
    """Mail settings that differ at one table; `reminds` is null if it has no setting of its own."""

    __tablename__ = "mail_exception"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    says: Mapped[str] = mapped_column(Text)
    reminds: Mapped[bool | None]
    hours_since: Mapped[datetime]


class MailReminder(Base):
    """The next reminder, at a time of the player's choice, for the seat's deadline number `deadline_n`.

    Null: there are no more. It can be made again from the seat's row and the settings.
    """

    __tablename__ = "mail_reminder"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    deadline_n: Mapped[int]
    hours: Mapped[int | None]
    at: Mapped[datetime | None] = mapped_column(index=True)
