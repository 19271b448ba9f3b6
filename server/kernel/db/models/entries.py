"""The log: entries, append-only (triggers say so too), and the rows of what follows from them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.kernel.db.models.base import Base, RequestId, few


class Entry(Base):
    """One line of a game's log, identified by its number. Nothing changes or removes it.

    Its keys begin with the game, so that the table can be partitioned by it (docs/scale.md).
    """

    __tablename__ = "entry"
    __table_args__ = (UniqueConstraint("game_id", "jws_sha256"),)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(12))
    at: Mapped[datetime]
    line: Mapped[bytes]
    leaf_hash: Mapped[bytes]
    jws_sha256: Mapped[bytes | None]


class EntryRow(NamedTuple):
    """The same row without the ORM, column by column."""

    game_id: str
    seq: int
    kind: str
    at: datetime
    line: bytes
    leaf_hash: bytes
    jws_sha256: bytes | None


class EntryPrivate(Base):
    """The part of an entry hidden until the end: all events, the move text of a hidden game, and how a move stopped."""

    __tablename__ = "entry_private"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    opening: Mapped[bytes | None]
    done: Mapped[int | None]
    refusal: Mapped[str | None]
    hidden_next: Mapped[int | None]


class Outbox(Base):
    """An event that people may need to hear of; written in the transaction in which it happened."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_waiting", "dispatched_at", "id"),
        few("ix_outbox_login_link_id", "login_link_id", "login_link_id IS NOT NULL"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("game.id"))
    seq: Mapped[int | None]
    login_link_id: Mapped[int | None] = mapped_column(ForeignKey("login_link.id"))
    waiting_act_id: Mapped[int | None]
    place_id: Mapped[int | None]
    holiday_id: Mapped[int | None]
    account_id: Mapped[int | None]
    seat: Mapped[int | None]
    created_at: Mapped[datetime]
    dispatched_at: Mapped[datetime | None]
    request_id: Mapped[RequestId]


class EventColumns:
    """The columns of an event, with or without its number."""

    kind: Mapped[str] = mapped_column(String(12))
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"))
    seat: Mapped[int]
    seq: Mapped[int]
    at: Mapped[datetime]
    deadline: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(index=True)
    request_id: Mapped[RequestId]


class UnnumberedEvent(EventColumns, Base):
    """News of an entry for one seat holder (`server.log.outbox`), written in the entry's transaction.

    It becomes an `AccountEvent` before anybody reads it (`server.hooks.numbering`). It has no content of the game.
    """

    __tablename__ = "unnumbered_event"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)


class AccountEvent(EventColumns, Base):
    """An event of an account, with its number; numbers have no gap. Kept for some weeks."""

    __tablename__ = "account_event"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True)
