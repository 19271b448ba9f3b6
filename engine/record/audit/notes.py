"""The server's notes against the log: the one in the bundle, and one that somebody kept, for instance from a mail.

A note gives the number of entries in the log and the last one. The bundle's own must match this log exactly. A kept one
may be older; if it is newer, the file was cut, and if its hash differs, the log was forked.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import BadRecord
from engine.kit.words import count
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.log.table import Table
from engine.record.signed import note as notes
from engine.record.signed.note import Note
from engine.record.signed.server_keys import ServerKeys


def entries(found: Note) -> str:
    """How many a checkpoint covers."""
    return count(found.size, "entry", "entries")


def check_own(text: str, table: Table, lines: Sequence[bytes]) -> None:
    """The bundle's note: of this game and server, this size, this head, signed with the key in entry 0."""
    found = _checked(text, table)
    if found.size != len(lines):
        raise BadRecord("wrong-note", f"the checkpoint covers {entries(found)}, but the file has {len(lines)}")
    if found.hash != leaf(lines[-1]):
        raise BadRecord("wrong-note", "the checkpoint names a different last entry", len(lines) - 1)


def check_kept(text: str, table: Table, lines: Sequence[bytes]) -> bool:
    """A note that somebody kept: True if the log continues it, False if it is about entries stated as lost."""
    found = _checked(text, table)
    if found.size <= len(lines) and found.hash == leaf(lines[found.size - 1]):
        return True
    if table.has_lost(found.size, found.hash):
        return False
    if found.size > len(lines):
        raise BadRecord(
            "cut", f"the kept checkpoint covers {entries(found)}, but the file has {len(lines)}: it was cut"
        )
    raise BadRecord("forked", "the kept checkpoint names a different entry here: the log was rewritten", found.size - 1)


def is_of(text: str, table: Table) -> bool:
    """Is the note about this game? A mail may also carry notes of other games, which do not matter here."""
    found = notes.read(text)
    return (found.server, found.game) == (table.server, table.game_id)


def check_server(known: ServerKeys | bytes, table: Table) -> None:
    """Entry 0 names the server key that the caller trusts, or one of the list that the caller trusts."""
    if isinstance(known, ServerKeys) and known.server != table.server:
        raise BadRecord("wrong-server", f"the game is from {table.server}, but the keys are from {known.server}", 0)
    trusted = known.keys if isinstance(known, ServerKeys) else (known,)
    if canonical.from_base64url(table.created["server_key"], 32) not in trusted:
        raise BadRecord("wrong-server-key", "entry 0 names a server key that is not among those given", 0)


def _checked(text: str, table: Table) -> Note:
    found = notes.read(text)
    if (found.server, found.game) != (table.server, table.game_id):
        raise BadRecord("wrong-note", "the checkpoint is for another game")
    notes.verify(found, canonical.from_base64url(table.created["server_key"], 32))
    return found
