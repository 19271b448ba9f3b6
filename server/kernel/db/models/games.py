"""Tables and seats, and what is stored beside their entries."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from engine import registry
from server.kernel.db.models.base import Base, few

BROKEN, CONTRADICTED = "engine-fault", "checkpoint-contradicts"  # why a game has a fault


NEWEST = ("created_at", "id")  # the order of lists, which read it from the end


class Game(Base):
    """A game: its creator's choices, and the state after its entries. `secret_r` and the master give S.

    `bots` are the bots that may join, `related` says whether the bots of one person may sit together. A house player of
    level `stand_in` takes the seats of absent players. A game that is not `listed` is found only by its link.
    `key_number` is the number of the server key that signs its notes. At `missing_since` someone showed such a note on
    more entries than are here; the game is stopped until all `shown_size` entries are. Since `faulted_at` it is stopped
    by a `fault`, until the operator lets it go on. The auditor judges the game at `audit_at`, which is None if nothing
    was logged since it last did.
    """

    __tablename__ = "game"
    __table_args__ = (
        Index("ix_game_key_number", "key_number", "created_at"),
        Index("ix_game_newest", *NEWEST),
        Index("ix_game_status_newest", "status", *NEWEST),
        Index("ix_game_type_newest", "type", *NEWEST),
        few("ix_game_faulted_at", "faulted_at", "faulted_at IS NOT NULL"),
        few("ix_game_missing_since", "missing_since", "missing_since IS NOT NULL"),
    )
    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    type: Mapped[str] = mapped_column(String(40))
    rules: Mapped[int]
    options: Mapped[str]
    edition: Mapped[bytes | None]
    status: Mapped[str] = mapped_column(String(10))
    seats: Mapped[int]
    hidden: Mapped[bool]
    clock_move: Mapped[int | None]
    clock_bank: Mapped[int | None]
    clock_increment: Mapped[int | None]
    clock_cap: Mapped[int | None]
    clock_grace: Mapped[int | None]
    clock_missed: Mapped[int | None]
    clock_grants: Mapped[int | None]
    handover: Mapped[str] = mapped_column(String(6))
    offer_wait: Mapped[int]
    terms: Mapped[str | None] = mapped_column(String(43))
    bots: Mapped[str] = mapped_column(String(5), default="any")
    related: Mapped[bool] = mapped_column(default=False)
    stand_in: Mapped[str | None] = mapped_column(String(10))
    listed: Mapped[bool] = mapped_column(default=True)
    head_seq: Mapped[int]
    head_hash: Mapped[bytes]
    creator_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    secret_r: Mapped[bytes]
    key_number: Mapped[int]
    faulted_at: Mapped[datetime | None]
    fault: Mapped[str | None] = mapped_column(String(24))
    shown_size: Mapped[int] = mapped_column(default=0)
    missing_since: Mapped[datetime | None]
    created_at: Mapped[datetime]
    audit_at: Mapped[datetime | None] = mapped_column(index=True)

    @property
    def is_stopped(self) -> bool:
        return self.faulted_at is not None or self.missing_since is not None or self.lacks_rules

    @property
    def lacks_rules(self) -> bool:
        """Has it not ended, and is its game not installed here, or not in its version?"""
        return self.status in ("lobby", "running") and not registry.has(self.type, self.rules)


class ServerKey(Base):
    """A public key of this server that a game names in its entry 0, by its number; never changed or removed."""

    __tablename__ = "server_key"
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    public: Mapped[bytes]


class Seat(Base):
    """The holder of a seat, since which entry, and the seat's state in the log (`server.log.seats`).

    `question_seq` is the entry since which it is active without a break (None after a resignation, whose `deadline` is
    at once), `active_since` is when its time began to run, `deadline_seq` the entry that set the present deadline,
    `reminded_seq` the one for which a reminder was sent, `free_from` when another player may take the seat.
    """

    __tablename__ = "seat"
    __table_args__ = (
        UniqueConstraint("game_id", "account_id"),
        few("ix_seat_owes", "account_id", "question_seq IS NOT NULL"),
        few("ix_seat_open", "account_id", "open IS 1", "open IS true"),
    )
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"), index=True)
    since_seq: Mapped[int]
    question_seq: Mapped[int | None]
    active_since: Mapped[datetime | None]
    deadline: Mapped[datetime | None] = mapped_column(index=True)
    deadline_seq: Mapped[int | None]
    remind_at: Mapped[datetime | None] = mapped_column(index=True)
    reminded_seq: Mapped[int | None]
    bank: Mapped[int | None]
    absent: Mapped[bool]
    open: Mapped[bool]
    free_from: Mapped[datetime | None]
    muted: Mapped[bool] = mapped_column(default=False)


class FormerHolder(Base):
    """A former holder of a seat, from which entry to which, and how it ended: `left`, or taken by `offer` or `absence`.

    The record names only keys, so only this table knows the accounts.
    """

    __tablename__ = "former_holder"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    until_seq: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"), index=True)
    since_seq: Mapped[int]
    ended: Mapped[str] = mapped_column(String(7))
    muted: Mapped[bool]


class Invitation(Base):
    """A seat that is reserved for a house player, until it joins or the invitation is withdrawn."""

    __tablename__ = "invitation"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    created_at: Mapped[datetime]


class ShownNote(Base):
    """Evidence: a valid note of this server that does not match its log: `newer` than it, or from a `fork`."""

    __tablename__ = "shown_note"
    __table_args__ = (UniqueConstraint("game_id", "size", "hash"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"))
    size: Mapped[int]
    hash: Mapped[bytes]
    note: Mapped[str]
    relation: Mapped[str] = mapped_column(String(10))
    shown_at: Mapped[datetime]


UNSOUND = text("verdict IN ('fails', 'unknown')")


class Audit(Base):
    """The findings of the last audit of a game's bundle, taken at `size` entries and the head `head_hash`.

    `entry` is the first that fails a check, if it has a number.
    """

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_unsound", "verdict", sqlite_where=UNSOUND, postgresql_where=UNSOUND),)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    size: Mapped[int]
    head_hash: Mapped[bytes]
    verdict: Mapped[str] = mapped_column(String(10))
    entry: Mapped[int | None]
    says: Mapped[str]
    made_at: Mapped[datetime]


class HandedText(Base):
    """The text of a sealed move in a missing entry, kept until the entries before it are submitted."""

    __tablename__ = "handed_text"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    sealed: Mapped[str] = mapped_column(String(43), primary_key=True)
    text: Mapped[str]


class Plan(Base):
    """Commands mailed by a seat's holder when the log had `size` entries: a draft until they sign it."""

    __tablename__ = "plan"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    since_seq: Mapped[int]
    size: Mapped[int]
    commands: Mapped[str] = mapped_column(Text)
    notation: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]


class IdempotencyKey(Base):
    """A repeatable request of a client: the same key returns the same game, or the same entry `seq` of it."""

    __tablename__ = "idempotency_key"
    __table_args__ = (UniqueConstraint("account_id", "key"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    key: Mapped[str] = mapped_column(String(100))
    request_hash: Mapped[bytes]
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"))
    seq: Mapped[int | None]
    created_at: Mapped[datetime] = mapped_column(index=True)
