"""Table talk and private notes, and what people do about each other: mutes, blocks, reports."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.kernel.db.models.base import ONCE, Base


class Message(Base):
    """What the holder of a seat said to the others, numbered within its game.

    `head_seq` is the last entry of the log at that time: a former holder reads only what was said before the entry that
    ended their holding. Once `removed_at`, there is no `body`; `removed_by` is the `author`, the `operator`, or the
    `erasure` of the author's account.
    """

    __tablename__ = "message"
    __table_args__ = (Index("ix_message_of_account", "account_id", "at"),)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    seat: Mapped[int]
    head_seq: Mapped[int]
    body: Mapped[str | None] = mapped_column(String(1000))
    via: Mapped[str] = mapped_column(String(4))
    at: Mapped[datetime] = mapped_column(index=True)
    removed_at: Mapped[datetime | None]
    removed_by: Mapped[str | None] = mapped_column(String(8))


class TalkSeen(Base):
    """The last message that an account has seen at a table."""

    __tablename__ = "talk_seen"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True, index=True)
    n: Mapped[int]


class TalkMute(Base):
    """An account reads nothing that account `about_id` says at this table."""

    __tablename__ = "talk_mute"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True, index=True)
    about_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True, index=True)


class OwnNote(Base):
    """An account's private notes on a game. They stay with the account when somebody else takes the seat."""

    __tablename__ = "own_note"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True, index=True)
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]


class Block(Base):
    """An account wants nothing to do with account `about_id`: neither sits down where the other sits or hosts."""

    __tablename__ = "block"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    about_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True, index=True)
    at: Mapped[datetime]


class PlayerReport(Base):
    """A player's report to the operator; `copy` is the reported message as it was, whatever becomes of it."""

    __tablename__ = "report"
    __table_args__ = (UniqueConstraint("by_id", "game_id", "message_n"), ONCE)
    id: Mapped[int] = mapped_column(primary_key=True)
    by_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    about_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("game.id"))
    message_n: Mapped[int | None]
    why: Mapped[str] = mapped_column(String(500))
    copy: Mapped[str | None] = mapped_column(String(1000))
    at: Mapped[datetime] = mapped_column(index=True)
    closed_at: Mapped[datetime | None]
    outcome: Mapped[str | None] = mapped_column(String(500))
