"""Sealed moves: in a hidden game a player signs the hash of the move, and sends its text beside the signature.

The text is `{"commands": [...], "salt": "<32 random bytes>"}`, canonical but for the order of its members; its
bytes are kept and hashed as sent. The salt is the client's: the engine has no randomness.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.chance import domain
from engine.errors import BadRecord
from engine.record.encoding import canonical, members
from engine.record.encoding.canonical import H

MAX_COMMANDS = 64


def move_text(commands: list[Any], salt: bytes) -> str:
    """The text of a move from its commands (JSON values) and 32 random bytes that are used once."""
    text = canonical.dumps({"commands": commands, "salt": canonical.to_base64url(salt)}).decode("ascii")
    read_move_text(text)
    return text


def seal_move(text: str) -> str:
    """The value that the player signs: H(D("move") | text), in base64url."""
    if not (text.isascii() and text.isprintable()):
        raise BadRecord(
            "not-ascii", "the text of a move must be one line of printable ASCII, so that a bundle can hold it"
        )
    return canonical.to_base64url(H(domain("move") + text.encode("ascii")))


def read_move_text(text: str) -> tuple[list[Any], bytes]:
    """The commands and the salt in the text of a move; BadRecord if the text is malformed."""
    value = canonical.loads_sent(text)
    if set(value) != {"commands", "salt"}:
        raise BadRecord("bad-move-text", "the text of a move must have exactly the members commands and salt")
    return check_commands(value["commands"]), canonical.from_base64url(value["salt"], 32)


def open_move(text: str, sealed: str) -> list[Any]:
    """The commands in the text of a move that `sealed` (base64url) commits to; BadRecord if it is not that text."""
    if seal_move(text) != sealed:
        raise BadRecord("wrong-seal", "the text of the move is not the one that was signed")
    return read_move_text(text)[0]


def check_commands(value: object) -> list[Any]:
    """The commands of a move, one to 64 of them; the game judges their content."""
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_COMMANDS:
        raise BadRecord("bad-commands", f"a move must be a list of 1 to {MAX_COMMANDS} commands")
    return value


def check_unsigned(body: Mapping[str, Any]) -> None:
    """BadRecord if an unsigned move, kept in the entry itself, has commands or a seal that are malformed."""
    if "commands" in body:
        check_commands(body["commands"])
    if "sealed" in body:
        members.binary32(body["sealed"])
