"""Time that does not count at tables: holidays of accounts, pauses, outages (`server.log.kind`)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from server.kernel.db.models.base import ONCE, Base, few


class Holiday(Base):
    """Days on which an account does not play; the zone's days were made moments at `made_at`.

    It ended early at `ended_at`. At `applied_at` the deadlines of its tables had followed; None: they have not.
    """

    __tablename__ = "holiday"
    __table_args__ = (few("ix_holiday_applied_at", "id", "applied_at IS NULL"), ONCE)
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    made_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    applied_at: Mapped[datetime | None]


class Pause(Base):
    """A pause of a game, by its `host` or agreed by `all`. A stretch that it met keeps all of it if it ends early."""

    __tablename__ = "pause"
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(4))
    by_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    ended_at: Mapped[datetime | None]


class Outage(Base):
    """Time in which no web worker answered. None is played for until `applied_at`."""

    __tablename__ = "outage"
    __table_args__ = (few("ix_outage_applied_at", "id", "applied_at IS NULL"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime] = mapped_column(index=True)
    applied_at: Mapped[datetime | None]


class Beat(Base):
    """The last sign of life of the `web` workers."""

    __tablename__ = "beat"
    kind: Mapped[str] = mapped_column(String(5), primary_key=True)
    at: Mapped[datetime]
