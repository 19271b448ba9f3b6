"""The tables. `entry`, `entry_private` and `operator_log` are append-only, also by triggers; all else can be rebuilt
or expires.

An entry's line is kept as the bytes that were hashed. A game row repeats the status and head of its entries, a seat row
its clock. Both are written in the entry's transaction, for reads that must be fast.
"""

from server.kernel.db.models.accounts import (
    IN_FORCE,
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
    ServerKey,
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
from server.kernel.db.models.operator import OperatorAct
from server.kernel.db.models.quarantine import Quarantined

__all__ = (
    "IN_FORCE",
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
    "OperatorAct",
    "Outbox",
    "Plan",
    "Quarantined",
    "Seat",
    "ServerKey",
    "ShownNote",
    "WaitingAct",
    "WebSession",
)
