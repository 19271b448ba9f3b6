"""What a seat alone may know of a hidden game, checked against the seals that everybody has."""

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
    """DistrustError unless each of these is an opening of an entry that we have, as `check` says."""
    for opening in given:
        match opening:
            case {"seq": int(seq), "salt": str(), "events": list()} if 0 <= seq < len(entries):
                check(table, entries[seq], seat, opening)
            case _:
                raise DistrustError("wrong-opening", "we are told of an entry that the log does not have")


def check(table: Table, entry: Entry, seat: int, opening: Mapping[str, Any]) -> list[Any]:
    """The events of an entry as this seat may know them; DistrustError if they are not those that were sealed.

    `opening` is {"seq", "salt" (32 bytes in base64url), "events", ...} as the server gives it to the seat.
    """
    if "seals" not in entry.body:
        raise DistrustError("wrong-opening", f"entry {entry.seq} has no events, and we are told some")
    try:
        salt = canonical.from_base64url(opening["salt"], 32)
        sealed = decision.seal(salt, opening["events"])
        events = table.load_events(opening["events"])
    except BadRecord as wrong:
        raise DistrustError(wrong.code, f"the opening of entry {entry.seq}: {wrong.says}") from wrong
    if entry.body["seals"][seat] != sealed:
        raise DistrustError("wrong-opening", f"what we are told of entry {entry.seq} is not what was sealed for us")
    if canonical.dumps([redact(event, None) for event in events]) != canonical.dumps(entry.body["events"]):
        raise DistrustError("wrong-opening", f"we are told another entry {entry.seq} than everybody")
    return events
