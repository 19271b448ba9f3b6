"""Tables and seats, and what is stored beside their entries."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, SmallInteger, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from engine import registry
from server.kernel.db.models.base import ONCE, Base, few

# Why a game has a fault.
BROKEN, CONTRADICTED, LACKS_RULES = "engine-fault", "checkpoint-contradicts", "rules-missing"


NEWEST = ("created_at", "id")  # the order of lists, which read it from the end
# What lists may ask besides: the index has the answer, so a list that few games fulfil reads the rows of these alone.
# None of these columns changes with a move.
FILTERED = ("door", "seats", "hidden", "bots", "handover", "clock_move", "clock_bank", "clock_increment")


class Stoppable:
    """Facts that follow from the columns of a game, whether the ORM has read them or not."""

    @property
    def is_stopped(self: Any) -> bool:
        return self.faulted_at is not None or self.missing_since is not None or self.lacks_rules

    @property
    def lacks_rules(self: Any) -> bool:
        """Has it not ended, and is its game not installed here, or not in its version?"""
        return self.status in ("lobby", "running") and not registry.has(self.type, self.rules)


class Game(Stoppable, Base):
    """A game: its creator's choices, and the state after its entries. `secret_r` and the master give S.

    `bots` are the bots that may join, `related` says whether the bots of one person may sit together. A house player of
    level `stand_in` takes the seats of absent players. The `door` is `open`, in public lists; `link`, found only by its
    link; or `invited`. Its host (None once their account is erased) invites and removes players and gives time. It
    starts when it is `full`, or when all are `ready`; one that has not started is cancelled at `ends_at`, of which its
    host was warned at `warned_at`, and which they have put off `kept_open` times. `series_id` is the first game of a
    row of rematches. `talk`: whether the `seats` may talk, or it is `off`; `hints`: whether house
    players advise them.
    `rest_days` are the days of the week on which no clock runs, in `rest_zone` (bit 0: Monday). Which `holidays` count:
    `yes`, those announced 48 hours `ahead`, or `no`. Its host may pause it for `host_pause` more days.
    `asks_games` and `asks_clock` are what it asks of those who sit down (`server.tables.asks`); 0 asks nothing.
    `key_number` is the number of the server key that signs its notes. At `missing_since` someone showed such a note on
    more entries than are here; the game is stopped until all `shown_size` entries are. Since `faulted_at` it is stopped
    by a `fault`, until the operator lets it go on. The auditor judges the game at `audit_at`, which is None if nothing
    was logged since it last did.
    """

    __tablename__ = "game"
    __table_args__ = (
        Index("ix_game_key_number", "key_number", "created_at"),
        Index("ix_game_newest", *NEWEST, *FILTERED),
        Index("ix_game_status_newest", "status", *NEWEST, *FILTERED),
        Index("ix_game_type_newest", "type", *NEWEST, *FILTERED),
        few("ix_game_faulted_at", "faulted_at", "faulted_at IS NOT NULL"),
        few("ix_game_missing_since", "missing_since", "missing_since IS NOT NULL"),
        few("ix_game_ends_at", "ends_at", "status = 'lobby'"),
        Index("uq_game_rematch_of", "rematch_of", unique=True),
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
    talk: Mapped[str] = mapped_column(String(5), default="seats")
    hints: Mapped[bool] = mapped_column(default=False)
    door: Mapped[str] = mapped_column(String(7), default="open")
    start: Mapped[str] = mapped_column(String(5), default="full")
    rest_days: Mapped[int] = mapped_column(SmallInteger, default=0)
    rest_zone: Mapped[str | None] = mapped_column(String(40))
    holidays: Mapped[str] = mapped_column(String(5), default="no")
    host_pause: Mapped[int] = mapped_column(SmallInteger, default=0)
    asks_games: Mapped[int] = mapped_column(SmallInteger, default=0)
    asks_clock: Mapped[int] = mapped_column(SmallInteger, default=0)
    head_seq: Mapped[int]
    head_hash: Mapped[bytes]
    creator_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    host_id: Mapped[int | None] = mapped_column(index=True)
    ends_at: Mapped[datetime | None]
    warned_at: Mapped[datetime | None]
    kept_open: Mapped[int] = mapped_column(default=0)
    rematch_of: Mapped[str | None] = mapped_column(String(36))
    series_id: Mapped[str | None] = mapped_column(String(36))
    secret_r: Mapped[bytes]
    key_number: Mapped[int]
    faulted_at: Mapped[datetime | None]
    fault: Mapped[str | None] = mapped_column(String(24))
    shown_size: Mapped[int] = mapped_column(default=0)
    missing_since: Mapped[datetime | None]
    created_at: Mapped[datetime]
    audit_at: Mapped[datetime | None] = mapped_column(index=True)


class ServerKey(Base):
    """A public key of this server that a game names in its entry 0, by its number; never changed or removed."""

    __tablename__ = "server_key"
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    public: Mapped[bytes]


class Seat(Base):
    """The holder of a seat, since which entry, and the seat's state in the log (`server.log.seats`).

    `question_seq` is the entry since which it is active without a break (None after a resignation, whose `deadline` is
    at once), `active_since` is when its time began to run, `free_from` when another player may take the seat.
    `promised` is the deadline of the record, `deadline` the server's, which is not earlier (`server.log.kind`), and
    `own_until` when the seat's own time ends, without the grace period. `deadline_n` counts the deadlines that the seat
    has had, `changed_at` is the date of the present one, `reminded_n` the one for which a reminder was sent. `spare`
    are the seconds that the seat has in its bank beyond those of the record. `resigned`: its holder has.
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
    promised: Mapped[datetime | None]
    own_until: Mapped[datetime | None]
    deadline: Mapped[datetime | None] = mapped_column(index=True)
    deadline_n: Mapped[int] = mapped_column(default=0)
    changed_at: Mapped[datetime | None]
    remind_at: Mapped[datetime | None] = mapped_column(index=True)
    reminded_n: Mapped[int | None]
    bank: Mapped[int | None]
    spare: Mapped[int] = mapped_column(default=0)
    absent: Mapped[bool]
    open: Mapped[bool]
    free_from: Mapped[datetime | None]
    muted: Mapped[bool] = mapped_column(default=False)
    ready: Mapped[bool] = mapped_column(default=False)
    resigned: Mapped[bool] = mapped_column(default=False)


class FormerHolder(Base):
    """A former holder of a seat, from which entry to which, and how it ended: `left`, `removed` by the host,
    or taken by `offer` or `absence`.

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


class PlayedTurn(Base):
    """A turn that ended with entry `seq`, by its player or `by_clock`; it took `seconds`, None if that is not known.

    Only turns that count for the figures of a player have a row (`server.log.seats`).
    """

    __tablename__ = "played_turn"
    __table_args__ = (Index("ix_played_turn_account_id", "account_id", "at"),)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    at: Mapped[datetime]
    seconds: Mapped[int | None]
    by_clock: Mapped[bool]


ASKED = text("state = 'asked'")


class Place(Base):
    """A seat that is kept for somebody: an invited `person`, by account or by address; a `house` player, who may also
    take an absent seat; or a player of the game before a `rematch`.

    `state`: `asked` until `declined`, `sat` (they took a seat), `withdrawn` by the host or `over`. After `until` others
    may take the seat. `email` is the invited address while the place is `asked`, `box_mac` names its mailbox for the
    limits of invitations, `mailed_at` is when the mail was made, if one was.
    """

    __tablename__ = "place"
    __table_args__ = (
        Index("uq_place_seat", "game_id", "seat", unique=True, sqlite_where=ASKED, postgresql_where=ASKED),
        Index("uq_place_account", "game_id", "account_id", unique=True, sqlite_where=ASKED, postgresql_where=ASKED),
        Index("ix_place_by_id", "by_id", "made_at"),
        few("ix_place_until", "until", "state = 'asked'"),
        ONCE,
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"))
    seat: Mapped[int]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"), index=True)
    email: Mapped[str | None] = mapped_column(String(254), index=True)
    box_mac: Mapped[bytes | None] = mapped_column(index=True)
    kind: Mapped[str] = mapped_column(String(7))
    by_id: Mapped[int | None]
    until: Mapped[datetime]
    state: Mapped[str] = mapped_column(String(9), default="asked")
    made_at: Mapped[datetime]
    mailed_at: Mapped[datetime | None]


class Uninvited(Base):
    """An account or mailbox that wants no more invitations from the account `by_id`, or from anybody."""

    __tablename__ = "uninvited"
    __table_args__ = ONCE
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(index=True)
    box_mac: Mapped[bytes | None] = mapped_column(index=True)
    by_id: Mapped[int | None]
    at: Mapped[datetime]


class Quota(Base):
    """A row to lock while the tables and seats of an account are counted, so that two requests count in turn.

    Its own table: the rows of accounts are locked last, in order (`server.log.outbox`).
    """

    __tablename__ = "quota"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)


class Consent(Base):
    """A player's wish to `cancel`, `pause` or `resume` a running game, carried out when all who are asked share it.

    It counts while they hold the seat that they took with entry `since_seq`. `about` is what exactly they wish, such as
    the end of a pause.
    """

    __tablename__ = "consent"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    what: Mapped[str] = mapped_column(String(6), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    about: Mapped[str | None] = mapped_column(String(40))
    since_seq: Mapped[int]
    at: Mapped[datetime]


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


UNSOUND = text("verdict IN ('fails', 'unknown')")  # SQLite uses the index only for a query with these very words


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


class Analysis(Base):
    """The analysis of a finished game, requested at `asked_at`; waiting for a worker until `next_at` is None.

    `found` is JSON (`engine.analysis.results.Analysis`), None if the game cannot be analysed.
    """

    __tablename__ = "analysis"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    asked_at: Mapped[datetime]
    next_at: Mapped[datetime | None] = mapped_column(index=True)
    made_at: Mapped[datetime | None]
    found: Mapped[bytes | None]


class Hint(Base):
    """A hint that the seat had when entry `seq` was the last one.

    `found` is JSON (`server.play.hints.write.FoundHint`); None if it was asked for by mail.
    """

    __tablename__ = "hint"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    made_at: Mapped[datetime]
    found: Mapped[bytes | None]


class LoweredMove(Base):
    """A move of a house player of the level `own` that `level` has made in its place."""

    __tablename__ = "lowered_move"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    own: Mapped[str] = mapped_column(String(10))
    level: Mapped[str] = mapped_column(String(10))


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
