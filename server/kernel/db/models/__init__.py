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
    DeviceGrant,
    FormerBox,
    KeyBox,
    KeyChallenge,
    LoginLink,
    WaitingAct,
    WebSession,
)
from server.kernel.db.models.base import Base
from server.kernel.db.models.entries import AccountEvent, Entry, EntryPrivate, Outbox, UnnumberedEvent
from server.kernel.db.models.games import (
    Analysis,
    Audit,
    Consent,
    FormerHolder,
    Game,
    HandedText,
    Hint,
    IdempotencyKey,
    LoweredMove,
    Place,
    Plan,
    PlayedTurn,
    Quota,
    Seat,
    ServerKey,
    ShownNote,
    Uninvited,
)
from server.kernel.db.models.hooks import Hook, HookAnswer, HookDelivery
from server.kernel.db.models.mail import (
    InboundMail,
    MailChoice,
    MailException,
    MailOff,
    MailReminder,
    MailReport,
    MailStop,
    Notification,
)
from server.kernel.db.models.operator import OperatorAct, SchemaSupport
from server.kernel.db.models.push import PushMessage, PushSubscription
from server.kernel.db.models.quarantine import Quarantined
from server.kernel.db.models.talk import Block, Message, OwnNote, PlayerReport, TalkMute, TalkSeen
from server.kernel.db.models.times import Beat, Holiday, Outage, Pause

__all__ = (
    "IN_FORCE",
    "Account",
    "AccountEvent",
    "AccountKey",
    "Analysis",
    "ApiToken",
    "Audit",
    "Base",
    "Beat",
    "Block",
    "CalendarLink",
    "Consent",
    "DeviceGrant",
    "Entry",
    "EntryPrivate",
    "FormerBox",
    "FormerHolder",
    "Game",
    "HandedText",
    "Hint",
    "Holiday",
    "Hook",
    "HookAnswer",
    "HookDelivery",
    "IdempotencyKey",
    "InboundMail",
    "KeyBox",
    "KeyChallenge",
    "LoginLink",
    "LoweredMove",
    "MailChoice",
    "MailException",
    "MailOff",
    "MailReminder",
    "MailReport",
    "MailStop",
    "Message",
    "Notification",
    "OperatorAct",
    "Outage",
    "Outbox",
    "OwnNote",
    "Pause",
    "Place",
    "Plan",
    "PlayedTurn",
    "PlayerReport",
    "PushMessage",
    "PushSubscription",
    "Quarantined",
    "Quota",
    "SchemaSupport",
    "Seat",
    "ServerKey",
    "ShownNote",
    "TalkMute",
    "TalkSeen",
    "Uninvited",
    "UnnumberedEvent",
    "WaitingAct",
    "WebSession",
)
