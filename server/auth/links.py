"""Tokens of mailed links, derived from the master and never stored: to sign in, to stop mail, to say yes or no.

A token names its row and proves that this server made it. The mails and the pages use the same pairs.
"""

from __future__ import annotations

import hmac
import uuid

from engine.chance import domain
from engine.errors import BadRecord
from engine.record.encoding import base64url
from engine.record.encoding.hashes import M

PROOF = 24


def login_token(master: bytes, link_id: int) -> str:
    """The token of a sign-in link."""
    return _token(master, "login", link_id.to_bytes(8, "big"))


def read_login_token(master: bytes, token: str) -> int | None:
    """The link's id, or None if the token is none of ours."""
    name = _read(master, "login", token, 8)
    return None if name is None else int.from_bytes(name, "big")


def unsubscribe_token(master: bytes, game_id: str, seat: int, since: int) -> str:
    """The token that stops one holder's mail about a game: his who came to the seat with entry `since`."""
    return _token(master, "unsubscribe", uuid.UUID(game_id).bytes + bytes([seat]) + since.to_bytes(4, "big"))


def read_unsubscribe_token(master: bytes, token: str) -> tuple[str, int, int] | None:
    """The game, the seat and the entry, or None if the token is none of ours."""
    name = _read(master, "unsubscribe", token, 21)
    return None if name is None else (str(uuid.UUID(bytes=name[:16])), name[16], int.from_bytes(name[17:], "big"))


WISHES = ("digest", "text", "off", "no-digest")  # what a link in a mail may choose; their numbers stay


def wish_token(master: bytes, wish: str, account_id: int, game_id: str | None = None) -> str:
    """The token by which whoever reads a mail chooses one thing about mails to this account, and does nothing else."""
    game = bytes(16) if game_id is None else uuid.UUID(game_id).bytes
    return _token(master, "mail-wish", bytes([WISHES.index(wish)]) + account_id.to_bytes(8, "big") + game)


def read_wish_token(master: bytes, token: str) -> tuple[str, int, str | None] | None:
    """The wish, the account and the game, if it is about one; or None if the token is none of ours."""
    name = _read(master, "mail-wish", token, 25)
    if name is None or name[0] >= len(WISHES):
        return None
    game = None if name[9:] == bytes(16) else str(uuid.UUID(bytes=name[9:]))
    return WISHES[name[0]], int.from_bytes(name[1:9], "big"), game


SIDES = ("old", "new")


def waiting_token(master: bytes, act_id: int, side: str) -> str:
    """The token by which whoever reads the mail of the account's address, or of its `new` one, answers for an act."""
    return _token(master, "waiting", act_id.to_bytes(8, "big") + bytes([SIDES.index(side)]))


def read_waiting_token(master: bytes, token: str) -> tuple[int, str] | None:
    """The act and the side, or None if the token is none of ours."""
    name = _read(master, "waiting", token, 9)
    return None if name is None else (int.from_bytes(name[:8], "big"), SIDES[name[8]])


def _token(master: bytes, label: str, name: bytes) -> str:
    return base64url.encode(name + M(master, domain(label) + name)[:PROOF])


def _read(master: bytes, label: str, token: str, length: int) -> bytes | None:
    try:
        data = base64url.decode(token, length + PROOF)
    except BadRecord:
        return None
    name, proof = data[:length], data[length:]
    return name if hmac.compare_digest(proof, M(master, domain(label) + name)[:PROOF]) else None
