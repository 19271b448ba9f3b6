"""The server's notes against the log: the one in the bundle, and one that somebody kept, from a mail for instance.

A note says how many entries the log has and what the last one is. The bundle's own must be of exactly this log. A kept
one may be older; if it is newer the file has been cut, and if its hash is another the log has been forked.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.log.table import Table
from engine.record.signed import note as notes
from engine.record.signed.note import Note
from engine.record.signed.server_keys import ServerKeys


def check_own(text: str, table: Table, lines: Sequence[bytes]) -> None:
    """The bundle's note: of this game and server, this size, this head, signed with the key in entry 0."""
    found = _checked(text, table)
    if found.size != len(lines):
        raise BadRecord("wrong-note", f"the note is on a log of {found.size} entries, the file has {len(lines)}")
    if found.hash != leaf(lines[-1]):
        raise BadRecord("wrong-note", "the note names another last entry", len(lines) - 1)


def check_kept(text: str, table: Table, lines: Sequence[bytes]) -> None:
    """A note that somebody kept: the log continues it."""
    found = _checked(text, table)
    if found.size > len(lines):
        raise BadRecord("cut", f"the kept note is on {found.size} entries: the file with {len(lines)} has been cut")
    if found.hash != leaf(lines[found.size - 1]):
        raise BadRecord("forked", "the kept note names another entry here: the log was rewritten", found.size - 1)


def is_of(text: str, table: Table) -> bool:
    """Is the note on this game? A mail may carry those of others, which say nothing about it."""
    found = notes.read(text)
    return (found.server, found.game) == (table.server, table.game_id)


def check_server(known: ServerKeys | bytes, table: Table) -> None:
    """Entry 0 names the server key that the caller trusts, or one of the list that the caller trusts."""
    if isinstance(known, ServerKeys) and known.server != table.server:
        raise BadRecord("wrong-server", f"the game is one of {table.server}, the keys are those of {known.server}", 0)
    trusted = known.keys if isinstance(known, ServerKeys) else (known,)
    if canonical.from_base64url(table.created["server_key"], 32) not in trusted:
        raise BadRecord("wrong-server-key", "entry 0 names another server key than those given", 0)


def _checked(text: str, table: Table) -> Note:
    found = notes.read(text)
    if (found.server, found.game) != (table.server, table.game_id):
        raise BadRecord("wrong-note", "the note is of another game")
    notes.verify(found, canonical.from_base64url(table.created["server_key"], 32))
    return found
