"""Every secret that the server derives from its one master; none is stored, logged or queued."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import uuid
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from hmac import digest
from typing import Literal

from nacl.signing import SigningKey

from engine.chance import derive, domain
from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding.canonical import M
from engine.record.signed import keys
from server.kernel.db.models import Account, LoginLink, Notification, Place, WaitingAct
from server.kernel.text import box_of


def game_secret(master: bytes, r: bytes) -> bytes:
    """S of a game: `r`, 32 random bytes, is stored with the game and reveals nothing without the master."""
    return M(master, domain("master") + r)


def server_seed(master: bytes, number: int) -> bytes:
    """The seed of the server's key `number`, from 1: an Ed25519 key that signs the notes of its games."""
    return derive(master, "server", number, 0)


def server_key(master: bytes, number: int) -> bytes:
    """Its public half."""
    return keys.public_of(server_seed(master, number))


HANDLE_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # without l, o, 0 and 1, which look like others


def handle(drawn: bytes) -> str:
    """The handle of a new account, from eight random bytes: unique as good as always, and of no other use."""
    return "".join(HANDLE_LETTERS[byte % 32] for byte in drawn[:8])


# --- Tokens of mailed links, derived from the master and never stored -------------------------------------------------
# to sign in, to stop mail, to say yes or no.
#
# A token names its row and proves that this server made it. The mails and the pages use the same pairs.


LINK_PROOF = 24


def login_token(master: bytes, link: LoginLink) -> str:
    """The token of a sign-in link: of its address and time, too, since a restored database gives numbers again."""
    return _link_token(master, "login", link.id.to_bytes(8, "big"), _facts(link.created_at, link.email))


def link_number(token: str) -> int | None:
    """The id of the sign-in link or invitation that a token names; it need not exist, nor be of this token."""
    name = _name_in(token, 8)
    return None if name is None else _number(name)


def unsubscribe_token(master: bytes, game_id: str, seat: int, since: int) -> str:
    """The token that stops mails about a game to the holder who came to the seat with entry `since`."""
    return _link_token(master, "unsubscribe", uuid.UUID(game_id).bytes + bytes([seat]) + since.to_bytes(4, "big"))


def read_unsubscribe_token(master: bytes, token: str) -> tuple[str, int, int] | None:
    """The game, the seat and the entry, or None if the token is invalid."""
    name = _read_link(master, "unsubscribe", token, 21)
    return None if name is None else (str(uuid.UUID(bytes=name[:16])), name[16], int.from_bytes(name[17:], "big"))


LINKED_CHOICES = ("digest", "text", "off", "no-digest")  # what a link in a mail may choose; the numbers must not change


def choice_token(master: bytes, choice: str, account: Account, game_id: str | None = None) -> str:
    """The token of a link in a mail that changes one mail setting of this account, and does nothing else."""
    game = bytes(16) if game_id is None else uuid.UUID(game_id).bytes
    name = bytes([LINKED_CHOICES.index(choice)]) + account.id.to_bytes(8, "big") + game
    return _link_token(master, "mail-wish", name, _facts(account.created_at, account.handle or ""))


def named_choice(token: str) -> tuple[str, int, str | None] | None:
    """The choice, the account and the game, if it is for one, that a token names; it need not be their token."""
    name = _name_in(token, 25)
    account = None if name is None or name[0] >= len(LINKED_CHOICES) else _number(name[1:9])
    if name is None or account is None:
        return None
    return LINKED_CHOICES[name[0]], account, None if name[9:] == bytes(16) else str(uuid.UUID(bytes=name[9:]))


SIDES = ("old", "new")


def waiting_token(master: bytes, act: WaitingAct, side: str) -> str:
    """The token of a link about a waiting act, mailed to the account's `old` address or to the `new` one."""
    facts = _facts(act.created_at, f"{act.account_id} {act.about}")
    return _link_token(master, "waiting", act.id.to_bytes(8, "big") + bytes([SIDES.index(side)]), facts)


def waiting_number(token: str) -> tuple[int, str] | None:
    """The id of the act that a token names, and the side; the act need not exist, nor be of this token."""
    name = _name_in(token, 9)
    number = None if name is None or name[8] >= len(SIDES) else _number(name[:8])
    return None if name is None or number is None else (number, SIDES[name[8]])


def invitation_token(master: bytes, place: Place) -> str:
    """The token of the link in an invitation: it shows the table, declines, and keeps the seat for its bearer."""
    facts = _facts(place.made_at, f"{place.game_id} {(place.box_mac or b'').hex()}")
    return _link_token(master, "invitation", place.id.to_bytes(8, "big"), facts)


def draft_code(master: bytes, game_id: str, seat: int, account_id: int, size: int, commands: str) -> str:
    """The code with which a mail confirms this very draft move, on this very entry: eight letters of a subject."""
    who = bytes([seat]) + account_id.to_bytes(8, "big") + size.to_bytes(4, "big")
    made = M(master, domain("draft-code") + uuid.UUID(game_id).bytes + who + sha256(commands.encode()).digest())
    return base64.b32encode(made[:5]).decode().lower()


USER_CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # RFC 8628, 6.1: no vowels, so no words, and nothing that looks alike
USER_CODE_LENGTH = 8


def user_code(drawn: bytes) -> str:
    """A code that a program shows and its owner types, from eight random bytes: 34 bits."""
    number, letters = int.from_bytes(drawn[:8], "big"), ""
    for _ in range(USER_CODE_LENGTH):
        number, at = divmod(number, len(USER_CODE_LETTERS))
        letters += USER_CODE_LETTERS[at]
    return shown_user_code(letters)


def shown_user_code(code: str) -> str:
    """As it is shown: `WDJB-MJHT`, however it was typed."""
    letters = re.sub(r"[^A-Z]", "", code.upper())
    return f"{letters[:4]}-{letters[4:]}"


def user_code_mac(master: bytes, code: str) -> bytes:
    """What the database has of it: too short for a hash, which a copy of the database would give away."""
    return M(master, domain("user-code") + shown_user_code(code).encode())


def box_mac(master: bytes, email: str) -> bytes:
    """A mailbox, for counting the mails to it without keeping its address."""
    return M(master, domain("mailbox") + box_of(email).encode())


def is_good_link(token: str, made: str) -> bool:
    """Is this the token that was made for the row that it names?"""
    return hmac.compare_digest(token.encode(), made.encode())


def _facts(made: datetime, said: str) -> bytes:
    """A row that has the same number after a restore has others. Both databases keep microseconds."""
    return f"{made.astimezone(UTC).isoformat(timespec='microseconds')} {said}".encode()


def _link_token(master: bytes, label: str, name: bytes, facts: bytes = b"") -> str:
    return canonical.to_base64url(name + M(master, domain(label) + name + facts)[:LINK_PROOF])


def _name_in(token: str, length: int) -> bytes | None:
    try:
        return canonical.from_base64url(token, length + LINK_PROOF)[:length]
    except BadRecord:
        return None


def _number(name: bytes) -> int | None:
    """A number that a database can look for."""
    return number if (number := int.from_bytes(name, "big")) < 2**63 else None


def _read_link(master: bytes, label: str, token: str, length: int) -> bytes | None:
    name = _name_in(token, length)
    return name if name is not None and is_good_link(token, _link_token(master, label, name)) else None


# --- What signs a hook's messages, as Standard Webhooks spells it -----------------------------------------------------
# derived from the master, never stored, shown once.
#
# `v1` is HMAC-SHA256 and both sides have the same secret (`whsec_`). `v1a` is Ed25519: the receiver has the public half
# (`whpk_`), so anyone who reads the receiver's configuration still cannot sign.


HOOK_SIGNATURES = ("v1", "v1a")


def hook_secret(master: bytes, r: bytes) -> bytes:
    """32 bytes; `r`, 16 random bytes, is stored with the hook. Another `r` gives another secret."""
    return M(master, domain("hook") + r)


def shown_hook_secret(signature: str, secret: bytes) -> str:
    """The receiver's key for checking signatures: for `v1` the secret itself, for `v1a` the public key."""
    if signature == "v1":
        return "whsec_" + b64encode(secret).decode()
    return "whpk_" + b64encode(bytes(SigningKey(secret).verify_key)).decode()


def sign_hook(signature: str, secret: bytes, message: bytes) -> str:
    """One signature, with its version before it."""
    made = digest(secret, message, sha256) if signature == "v1" else SigningKey(secret).sign(message).signature
    return f"{signature},{b64encode(made).decode()}"


# --- Web push: the key that names this server to push services, and the topics that hide games from them --------------


def push_key(master: bytes) -> bytes:
    """64 bytes of which the P-256 key is made. It never changes: another one would end every subscription."""
    return b"".join(M(master, domain("push-key") + bytes([half])) for half in (1, 2))


def push_topic(master: bytes, subscription_id: int, game_id: str) -> str:
    """What a newer notification of a game replaces an older one by: 32 characters that tell a push service nothing.

    Of each subscription, so that the service cannot find out which of its users play together.
    """
    made = M(master, domain("push-topic") + subscription_id.to_bytes(8, "big") + uuid.UUID(game_id).bytes)
    return canonical.to_base64url(made[:24])


# --- Reply addresses: one for each mail, 24 letters long, of use for nothing else -------------------------------------
# A token names its notification and proves that this server made it for that game, seat, question and address. It
# stops working when the address changes. It never authorizes a move, since anyone who was forwarded the mail has it.
# Base32 of 15 bytes has no spare bits, so no two texts are one token; mail servers may change the case of the letters.


ReplyKind = Literal["move", "bounce"]
REPLY_LENGTH = 24
REPLY_PROOF = 10
REPLY_NUMBER = 5  # bytes of a notification's id
NO_GAME = str(uuid.UUID(int=0))
REPLY_TOKEN = "{token}"  # noqa: S105 - where it stands in an address


@dataclass(frozen=True, slots=True)
class ReplySubject:
    """The subject of a reply token: a notification, its game, seat and entry, and whom it was mailed to."""

    notification: int
    game: str
    seat: int
    seq: int
    email: str


def reply_subject(row: Notification, email: str, kind: ReplyKind = "move") -> ReplySubject | None:
    """The subject of a token for this mail and address; None if it cannot be answered because it is about no game."""
    if row.game_id is not None and row.seat is not None:
        return ReplySubject(row.id, row.game_id, row.seat, row.seq or 0, email)
    return ReplySubject(row.id, NO_GAME, 0, 0, email) if kind == "bounce" else None


def reply_token(master: bytes, kind: ReplyKind, about: ReplySubject) -> str:
    """The token of a mail."""
    return base64.b32encode(_whole_reply(master, kind, about)).decode().lower()


def reply_number(text: str) -> int | None:
    """The notification that a token names; it need not exist."""
    data = _decoded_reply(text)
    return None if data is None else int.from_bytes(data[:REPLY_NUMBER], "big")


def is_good_reply(master: bytes, kind: ReplyKind, text: str, about: ReplySubject) -> bool:
    """Is this the token of that mail?"""
    data = _decoded_reply(text)
    return data is not None and hmac.compare_digest(data, _whole_reply(master, kind, about))


def reply_address(pattern: str, text: str) -> str:
    """`move+{token}@play.example` with its token."""
    return pattern.replace(REPLY_TOKEN, text)


def reply_token_in(pattern: str, email: str) -> str | None:
    """The token in an address of this pattern, in upper or lower case; None for another address."""
    before, _, after = pattern.lower().partition(REPLY_TOKEN)
    plain = email.strip().lower()
    if not (plain.startswith(before) and plain.endswith(after)):
        return None
    text = plain[len(before) : len(plain) - len(after)]
    return text if len(text) == REPLY_LENGTH else None


def is_reply_pattern(text: str) -> bool:
    """Is the pattern valid as a setting?"""
    return bool(re.fullmatch(r"[a-z0-9.=+_-]*\{token\}[a-z0-9.=+_-]*@[a-z0-9.-]+", text))


def _whole_reply(master: bytes, kind: ReplyKind, about: ReplySubject) -> bytes:
    number = about.notification.to_bytes(REPLY_NUMBER, "big")
    place = uuid.UUID(about.game).bytes + bytes([about.seat]) + about.seq.to_bytes(4, "big")
    whom = sha256(about.email.strip().lower().encode()).digest()
    return number + M(master, domain(f"reply-{kind}") + number + place + whom)[:REPLY_PROOF]


def _decoded_reply(text: str) -> bytes | None:
    try:
        return base64.b32decode(text.upper()) if len(text) == REPLY_LENGTH else None
    except (binascii.Error, ValueError):
        return None
