"""People and bots: how they sign in, the keys that sign for them, and their waiting acts."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from server.kernel.db.models.base import ONCE, Base, few


class Account(Base):
    """A person or a bot. Erasing it deletes the address, name and keys; entries contain none of them.

    `events` is the number of its last `AccountEvent`. A bot has no address; `owner_id` is the person responsible for
    it, or NULL for a house player of a `level`, which belongs to the operator. `zone` is the IANA name of its time
    zone. Since `blocked_at` the operator lets nobody sign in to it. Until `silent_until` it may not talk at
    tables; until `suspended_until` it may not talk, sit down or open tables. Names are not unique: the `handle` is.
    Since `guest_since` it is a guest's, until its owner confirms an address. `hides_pace`: its page does not show how
    long its turns take.
    """

    __tablename__ = "account"
    __table_args__ = (
        Index("uq_account_handle", "handle", unique=True),
        few("ix_account_guest_since", "guest_since", "guest_since IS NOT NULL"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str | None] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(40), index=True)
    handle: Mapped[str | None] = mapped_column(String(8))
    created_at: Mapped[datetime]
    erased_at: Mapped[datetime | None]
    blocked_at: Mapped[datetime | None]
    silent_until: Mapped[datetime | None]
    suspended_until: Mapped[datetime | None]
    guest_since: Mapped[datetime | None]
    events: Mapped[int] = mapped_column(default=0)
    zone: Mapped[str | None] = mapped_column(String(40))
    hides_pace: Mapped[bool] = mapped_column(default=False)
    bot: Mapped[bool] = mapped_column(default=False)
    owner_id: Mapped[int | None] = mapped_column(index=True)
    level: Mapped[str | None] = mapped_column(String(10), index=True)


IN_FORCE = (Account.erased_at.is_(None), Account.blocked_at.is_(None))  # the condition for accounts that may act


class LoginLink(Base):
    """A mailed link: its token is derived from its id and the master, so this row alone signs nobody in.

    `leads_to` is the page to open after signing in; links are rate-limited by `box` (`server.accounts.sign_in`).
    """

    __tablename__ = "login_link"
    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(String(254), index=True)
    box: Mapped[str] = mapped_column(String(254), index=True)
    account_name: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
    used_at: Mapped[datetime | None]
    leads_to: Mapped[str | None] = mapped_column(String(200))


class WebSession(Base):
    """A browser's session, stored as the SHA-256 of its cookie; ending it deletes the row."""

    __tablename__ = "web_session"
    __table_args__ = ONCE
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    hash: Mapped[bytes] = mapped_column(unique=True)
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime] = mapped_column(index=True)


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


class DeviceGrant(Base):
    """A program's request for access (RFC 8628): its two codes, as a SHA-256 and a MAC, and the answer of a person.

    Answered without an account, it was denied. `scopes` are those asked for, then those allowed; `days` is the life of
    the token. A program waits `pause` seconds between polls. `address` is where it asked from. Fetching the token
    deletes the row.
    """

    __tablename__ = "device_grant"
    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[bytes] = mapped_column(unique=True)
    code_mac: Mapped[bytes] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(String(40))
    scopes: Mapped[str] = mapped_column(String(60))
    address: Mapped[str] = mapped_column(String(45))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
    pause: Mapped[int]
    polled_at: Mapped[datetime | None]
    answered_at: Mapped[datetime | None]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"), index=True)
    days: Mapped[int | None]


class AccountKey(Base):
    """The account of a key, by its thumbprint. The record does not contain this.

    A key that `counts` is approved and also signs for the account; one registered by mail alone is not approved yet.
    Its device last asked for approval at `asked_at`, in the browser session `session_id` if it was a browser.
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
    created_at: Mapped[datetime] = mapped_column(index=True)
    used_at: Mapped[datetime | None]


class KeyBox(Base):
    """An account's recovery key, encrypted with a code that the server never sees (`server.accounts.keys.backup`)."""

    __tablename__ = "key_box"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    box: Mapped[str] = mapped_column(String(4096))
    kid: Mapped[str] = mapped_column(String(43), unique=True)
    x: Mapped[str] = mapped_column(String(43))
    created_at: Mapped[datetime]


class FormerBox(Base):
    """A recovery key that the account's backup held before: it cannot be put there again.

    `box` is that backup, for seats that still have the key; None once it is deleted.
    """

    __tablename__ = "former_box"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    kid: Mapped[str] = mapped_column(String(43), primary_key=True)
    box: Mapped[str | None] = mapped_column(String(4096))
    ended_at: Mapped[datetime]


class WaitingAct(Base):
    """An irreversible act asked for without a signature: carried out at `due_at` unless somebody cancels it.

    `about` is its subject: a key's thumbprint, a new address. For a change of address, `old_said_at`
    and `new_said_at` are when each address confirmed it (`server.accounts.address`). `how` it ended: `done`,
    `cancelled` or `lapsed`.
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


class CalendarLink(Base):
    """The link by which a calendar fetches an account's deadlines, kept as the SHA-256 of its secret."""

    __tablename__ = "calendar_link"
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    hash: Mapped[bytes] = mapped_column(unique=True)
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
