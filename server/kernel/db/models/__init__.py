"""The tables. `entry` and `entry_private` are append-only (triggers say so too); all else can be rebuilt or expires.

An entry's line is kept as the bytes that were hashed. What a game row repeats of its entries (status, head) and what a
seat row says of its clock is written in the entry's transaction and read by everybody who must be quick.
"""

from server.kernel.db.models.accounts import (
    Account,
    AccountKey,
    ApiToken,
    CalendarLink,
    FormerBox,
    KeyBox,
    KeyChallenge,
    LoginLink,
    WaitingAct,
    WebSession,
)
from server.kernel.db.models.base import Base
from server.kernel.db.models.entries import AccountEvent, Entry, EntryPrivate, Outbox
from server.kernel.db.models.games import (
    Audit,
    FormerHolder,
    Game,
    HandedText,
    IdempotencyKey,
    Invitation,
    Plan,
    Seat,
    ShownNote,
)
from server.kernel.db.models.hooks import Hook, HookAnswer, HookDelivery
from server.kernel.db.models.mail import (
    InboundMail,
    MailChoice,
    MailException,
    MailReminder,
    MailReport,
    MailStop,
    Notification,
)

__all__ = (
    "Account",
    "AccountEvent",
    "AccountKey",
    "ApiToken",
    "Audit",
    "Base",
    "CalendarLink",
    "Entry",
    "EntryPrivate",
    "FormerBox",
    "FormerHolder",
    "Game",
    "HandedText",
    "Hook",
    "HookAnswer",
    "HookDelivery",
    "IdempotencyKey",
    "InboundMail",
    "Invitation",
    "KeyBox",
    "KeyChallenge",
    "LoginLink",
    "MailChoice",
    "MailException",
    "MailReminder",
    "MailReport",
    "MailStop",
    "Notification",
    "Outbox",
    "Plan",
    "Seat",
    "ShownNote",
    "WaitingAct",
    "WebSession",
)
