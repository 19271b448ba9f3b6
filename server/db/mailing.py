"""The tables of what people chose about mail (`server.mailing`). All of it goes with the account."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from server.db.models import Base


class MailChoice(Base):
    """What an account chose about mail (`server.mailing.choices`), in JSON. `reminds`: at hours of its
    own, and since when they are those: marks before it are not made up for.
    """

    __tablename__ = "mail_choice"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    says: Mapped[str] = mapped_column(Text)
    reminds: Mapped[bool]
    hours_since: Mapped[datetime]


class MailException(Base):
    """What is otherwise at one table; `reminds` is null if nothing is said of it."""

    __tablename__ = "mail_exception"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    says: Mapped[str] = mapped_column(Text)
    reminds: Mapped[bool | None]
    hours_since: Mapped[datetime]


class MailReminder(Base):
    """Of who chose the hours of his reminders: when the next one comes for the deadline that entry `deadline_seq` set.

    Null: none comes any more. It can be made again from the seat's row and what was chosen.
    """

    __tablename__ = "mail_reminder"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    deadline_seq: Mapped[int]
    hours: Mapped[int | None]
    at: Mapped[datetime | None] = mapped_column(index=True)


class CalendarLink(Base):
    """The link by which a calendar fetches an account's deadlines, kept as the SHA-256 of its secret."""

    __tablename__ = "calendar_link"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    hash: Mapped[bytes] = mapped_column(unique=True)
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
