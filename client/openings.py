"""A seat's private knowledge of a hidden game, checked against the public commitments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from client.errors import DistrustError
from engine.errors import BadRecord
from engine.kit import redact
from engine.record.compose import decision
from engine.record.encoding import canonical
from engine.record.log.entry import Entry
from engine.record.log.table import Table


def check_all(table: Table, entries: Sequence[Entry], seat: int, given: Iterable[Any]) -> None:
    """Check each opening against its entry in our log; raises DistrustError."""
    for opening in given:
        match opening:
            case {"seq": int(seq), "salt": str(), "events": list()} if 0 <= seq < len(entries):
                check(table, entries[seq], seat, opening)
            case _:
                raise DistrustError("wrong-opening", "the server opens an entry that the log does not have")


def check(table: Table, entry: Entry, seat: int, opening: Mapping[str, Any]) -> list[Any]:
    """The events of an entry for this seat; DistrustError if they do not match the commitment.

    `opening` is {"seq", "salt" (32 bytes in base64url), "events", ...}, from the server.
    """
    if "seals" not in entry.body:
        raise DistrustError("wrong-opening", f"entry {entry.seq} has no events, but the server shows some")
    try:
        salt = canonical.from_base64url(opening["salt"], 32)
        sealed = decision.seal(salt, opening["events"])
        events = table.load_events(opening["events"])
    except BadRecord as wrong:
        raise DistrustError(wrong.code, f"the opening of entry {entry.seq}: {wrong.says}") from wrong
    if entry.body["seals"][seat] != sealed:
        raise DistrustError("wrong-opening", f"the private events of entry {entry.seq} do not match their commitment")
    if canonical.dumps([redact(event, None) for event in events]) != canonical.dumps(entry.body["events"]):
        raise DistrustError("wrong-opening", f"the private events of entry {entry.seq} differ from the public ones")
    return events
