"""The tables. `entry` and `entry_private` are append-only (triggers say so too); all else can be rebuilt or expires.

An entry's line is kept as the bytes that were hashed. What a game row repeats of its entries (status, head) and what a
seat row says of its clock is written in the entry's transaction and read by everybody who must be quick.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, MetaData, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from server.db.types import Moment

NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {datetime: Moment, bytes: LargeBinary}  # noqa: RUF012 - SQLAlchemy reads it so


class Account(Base):
    """A person, or a bot. When it is erased, address, name and keys go; entries hold none of them.

    `events` is the number of the last `AccountEvent` that was written for it. A bot has no address; `owner_id` is the
    person who answers for it, and if that is nobody but the operator, it is a house player of a `level`. `zone` is
    where it keeps its hours, by its IANA name.
    """

    __tablename__ = "account"
    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str | None] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[datetime]
    erased_at: Mapped[datetime | None]
    events: Mapped[int] = mapped_column(default=0)
    zone: Mapped[str | None] = mapped_column(String(40))
    bot: Mapped[bool] = mapped_column(default=False)
    owner_id: Mapped[int | None] = mapped_column(index=True)
    level: Mapped[str | None] = mapped_column(String(10), index=True)


class LoginLink(Base):
    """A mailed link: its token is derived from its id and the master, so nothing here signs anybody in.

    `leads_to` is the page on which its sender wants to go on; `box` what it is counted by (`server.auth.boxes`).
    """

    __tablename__ = "login_link"
    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(String(254), index=True)
    box: Mapped[str] = mapped_column(String(254), index=True)
    account_name: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    leads_to: Mapped[str | None] = mapped_column(String(200))


class WebSession(Base):
    """A browser's session, kept as the SHA-256 of what its cookie holds; ending it deletes the row."""

    __tablename__ = "web_session"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    hash: Mapped[bytes] = mapped_column(unique=True)
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime]


class ApiToken(Base):
    """An opaque token, kept as its SHA-256. Until `account_until` it has the scope `account` too."""

    __tablename__ = "api_token"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    hash: Mapped[bytes] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(String(40))
    scopes: Mapped[str] = mapped_column(String(60))
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    account_until: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]


class AccountKey(Base):
    """Whose key a thumbprint is: known here only, never in the record.

    One that `counts` signs for the account too; what was registered by whoever reads the mail alone does not yet. At
    `asked_at` its device asked last to be let in, by the browser's session `session_id` if it was one.
    """

    __tablename__ = "account_key"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    kid: Mapped[str] = mapped_column(String(43), unique=True)
    x: Mapped[str] = mapped_column(String(43))
    counts: Mapped[bool] = mapped_column(default=True)
    asked_at: Mapped[datetime | None]
    session_id: Mapped[int | None]
    created_at: Mapped[datetime]


class KeyChallenge(Base):
    """A nonce that a new key, or a statement of the account, must sign once."""

    __tablename__ = "key_challenge"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    nonce: Mapped[str] = mapped_column(String(43), unique=True)
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class KeyBox(Base):
    """An account's recovery key, wrapped with a code that the server never sees (`server.usecases.keybox`)."""

    __tablename__ = "key_box"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    box: Mapped[str] = mapped_column(String(4096))
    kid: Mapped[str] = mapped_column(String(43), unique=True)
    x: Mapped[str] = mapped_column(String(43))
    created_at: Mapped[datetime]


class FormerBox(Base):
    """A recovery key that was in the account's box before: it comes back in no other."""

    __tablename__ = "former_box"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    kid: Mapped[str] = mapped_column(String(43), primary_key=True)
    ended_at: Mapped[datetime]


class WaitingAct(Base):
    """What was asked for without a signature and cannot be undone: carried out at `due_at` unless somebody cancels it.

    `about` is what it is about: a key's thumbprint, a new address. A change of address counts who has `confirmed` it,
    and whether it was signed (`server.usecases.address`). Ended it says how: `done`, `cancelled` or `lapsed`.
    """

    __tablename__ = "waiting_act"
    __table_args__ = (Index("ix_waiting_act_due", "ended_at", "due_at"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    act: Mapped[str] = mapped_column(String(10))
    about: Mapped[str] = mapped_column(String(254))
    is_signed: Mapped[bool] = mapped_column(default=False)
    old_said_at: Mapped[datetime | None]
    new_said_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    how: Mapped[str | None] = mapped_column(String(10))


class Game(Base):
    """A game: what its creator chose, and what its entries say so far. `secret_r` with the master gives S.

    `bots` may sit at it as its creator allows, those of one person together if they may be `related`; a house player of
    level `stand_in` takes seats that absence has freed. One that is not `listed` is found by its link alone.
    `key_number` says with which of the server's keys its notes are signed. At `missing_since` somebody has shown such a
    note on more entries than are here; it is stopped until all `shown_size` of them are.
    """

    __tablename__ = "game"
    __table_args__ = (Index("ix_game_key_number", "key_number", "created_at"),)
    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    type: Mapped[str] = mapped_column(String(40), index=True)
    rules: Mapped[int]
    options: Mapped[str]
    edition: Mapped[bytes | None]
    status: Mapped[str] = mapped_column(String(10), index=True)
    seats: Mapped[int]
    hidden: Mapped[bool]
    clock_move: Mapped[int | None]
    clock_bank: Mapped[int | None]
    clock_increment: Mapped[int | None]
    clock_cap: Mapped[int | None]
    clock_grace: Mapped[int | None]
    clock_missed: Mapped[int | None]
    handover: Mapped[str] = mapped_column(String(6))
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
    shown_size: Mapped[int] = mapped_column(default=0)
    missing_since: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(index=True)

    @property
    def is_stopped(self) -> bool:
        return self.faulted_at is not None or self.missing_since is not None


class Seat(Base):
    """Who holds a seat, since which entry, and what the log says of it now (`server.log.seats`).

    `question_seq` is the entry after which it became active without a break since, `active_since` when its time began
    to run, `deadline_seq` the entry that set the present deadline, `reminded_seq` the one for which it was reminded.
    """

    __tablename__ = "seat"
    __table_args__ = (UniqueConstraint("game_id", "account_id"),)
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
    free: Mapped[bool]
    muted: Mapped[bool] = mapped_column(default=False)


class FormerHolder(Base):
    """Who held a seat before, from which entry until which, and how it ended: `left`, or taken by `offer` or `absence`.

    Whose keys those were is known here only: the record names keys.
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
    """A seat that is kept for a house player until it sits there, or whoever asked for it thinks better of it."""

    __tablename__ = "invitation"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    created_at: Mapped[datetime]


class Entry(Base):
    """One line of a game's log. Its number is its place; nothing changes or removes it."""

    __tablename__ = "entry"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(12))
    at: Mapped[datetime]
    line: Mapped[bytes]
    leaf_hash: Mapped[bytes]
    jws_sha256: Mapped[bytes | None] = mapped_column(unique=True)


class EntryPrivate(Base):
    """What an entry does not say before the end: full events and move text of a hidden game, and how a move stopped."""

    __tablename__ = "entry_private"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    opening: Mapped[bytes | None]
    done: Mapped[int | None]
    refusal: Mapped[str | None]
    hidden_next: Mapped[int | None]


class ShownNote(Base):
    """A good note of ours that somebody showed and our log does not hold: `newer` than it, or of a `fork`. Evidence."""

    __tablename__ = "shown_note"
    __table_args__ = (UniqueConstraint("game_id", "size", "hash"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"))
    size: Mapped[int]
    hash: Mapped[bytes]
    note: Mapped[str]
    relation: Mapped[str] = mapped_column(String(10))
    shown_at: Mapped[datetime]


class Audit(Base):
    """What the audit of a finished game's file found, when its last entry was the one of `head_hash`."""

    __tablename__ = "audit"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    head_hash: Mapped[bytes]
    verdict: Mapped[str] = mapped_column(String(10))
    says: Mapped[str]
    made_at: Mapped[datetime]


class HandedText(Base):
    """The text of a sealed move in a line that is missing here, kept until the lines before it are handed in."""

    __tablename__ = "handed_text"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    sealed: Mapped[str] = mapped_column(String(43), primary_key=True)
    text: Mapped[str]


class Outbox(Base):
    """Something happened that people may have to be told; written in the transaction in which it happened."""

    __tablename__ = "outbox"
    __table_args__ = (Index("ix_outbox_waiting", "dispatched_at", "id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("game.id"))
    seq: Mapped[int | None]
    login_link_id: Mapped[int | None] = mapped_column(ForeignKey("login_link.id"))
    waiting_act_id: Mapped[int | None]
    created_at: Mapped[datetime]
    dispatched_at: Mapped[datetime | None]


class Notification(Base):
    """One mail to one person. `dedupe_key` makes a second one of the same impossible.

    `hook_id` may outlive its hook, and `inbound_id` the mail that is answered. `said` is what the mail server said to
    the last try, or why it could not be asked, and `said_at` when; `last_error` the same until a try succeeds. One that
    is `held` goes with the next digest, a row of its own, then `digest_id`; `waited` is what it waited for, if it did.
    """

    __tablename__ = "notification"
    __table_args__ = (
        Index("ix_notification_due", "state", "next_at"),
        Index("ix_notification_kind", "state", "kind", "next_at"),
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


class MailReport(Base):
    """What a mail server, a relay or its reader said of a mail that went out (`server.usecases.mailbox`).

    What is `spent` counts no more: since then its account has shown that mail arrives, or wants it again.
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
    """Mail to this account's address is stopped: it is `gone`, all is `failing`, or its reader's `complaint`."""

    __tablename__ = "mail_stop"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    why: Mapped[str] = mapped_column(String(9))
    says: Mapped[str] = mapped_column(String(500))
    since: Mapped[datetime]


class InboundMail(Base):
    """A mail that came to an address of ours: an answer to notification `notification_id`, or a report of it.

    `kind`: `move`, `bounce` for what comes as a mail, `report` for what a relay tells by HTTP.

    `raw` goes when it was read; `relayed` says that the relay which is believed about signatures handed it in. `once`
    is what a relay shows one time only, `name` what the mail is called for good: a second one of the same is not read.
    `state`: `waiting`, `leased`, `done`, `quarantined`. `outcome` is what its answer tells.
    """

    __tablename__ = "inbound_mail"
    __table_args__ = (Index("ix_inbound_mail_due", "state", "next_at"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(6))
    token: Mapped[str] = mapped_column(String(24))
    notification_id: Mapped[int] = mapped_column(index=True)
    raw: Mapped[bytes | None]
    via: Mapped[str] = mapped_column(String(8))
    relayed: Mapped[bool]
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


class Plan(Base):
    """Commands that a seat's holder has mailed, at a log of `size` entries: no move until he signs them."""

    __tablename__ = "plan"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    since_seq: Mapped[int]
    size: Mapped[int]
    commands: Mapped[str] = mapped_column(Text)
    notation: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]


class AccountEvent(Base):
    """What an entry is to one of those who hold a seat (`server.log.events`), numbered for each account without a gap.

    Written in the entry's transaction and kept for some weeks; no content of the game stands in it.
    """

    __tablename__ = "account_event"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(12))
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"))
    seat: Mapped[int]
    seq: Mapped[int]
    at: Mapped[datetime]
    deadline: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(index=True)


class IdempotencyKey(Base):
    """What a client may ask for again: the same key gives the same game, or the same entry `seq` of it."""

    __tablename__ = "idempotency_key"
    __table_args__ = (UniqueConstraint("account_id", "key"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    key: Mapped[str] = mapped_column(String(100))
    request_hash: Mapped[bytes]
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"))
    seq: Mapped[int | None]
    created_at: Mapped[datetime]


class Hook(Base):
    """Where an account wants its events sent. `secret_r` with the master gives what signs them.

    The former one signs too until `former_until`.
    `cursor` is the last event of the account for which a delivery was made, or none had to be. `failing_since` is the
    first failure since the last success. A paused hook says why: `owner`, `failing`, or `gone` if the receiver said so.
    """

    __tablename__ = "hook"
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
    """One event for one hook. `n` is the account's number of it; a ping has none.

    In a `lane`, a game or `ping`, they go one after the other: one that is `waiting` or `leased` holds those after it.
    """

    __tablename__ = "hook_delivery"
    __table_args__ = (
        UniqueConstraint("hook_id", "n"),
        Index("ix_hook_delivery_due", "state", "next_at"),
        Index("ix_hook_delivery_lane", "hook_id", "lane", "state", "n"),
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


class HookAnswer(Base):
    """What became of one try: the status of the answer and nothing else of it, or in a word why there was none."""

    __tablename__ = "hook_answer"
    id: Mapped[int] = mapped_column(primary_key=True)
    delivery_id: Mapped[int] = mapped_column(ForeignKey("hook_delivery.id"), index=True)
    at: Mapped[datetime]
    status: Mapped[int | None]
    error: Mapped[str | None] = mapped_column(String(20))
    ms: Mapped[int]
