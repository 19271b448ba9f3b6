"""What a seat alone may know of a hidden game, checked against the seals that everybody has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from client.log import DistrustError
from engine.errors import BadRecord
from engine.kit import redact
from engine.record import base64url, canonical, seals
from engine.record.entry import Entry
from engine.record.table import Table


def check(table: Table, entry: Entry, seat: int, opening: Mapping[str, Any]) -> list[Any]:
    """The events of an entry as this seat may know them; DistrustError if they are not those that were sealed.

    `opening` is {"seq", "salt" (32 bytes in base64url), "events", ...} as the server gives it to the seat.
    """
    try:
        salt = base64url.decode(opening["salt"], 32)
        sealed = seals.seal(salt, opening["events"])
        events = table.load_events(opening["events"])
    except BadRecord as wrong:
        raise DistrustError(wrong.code, f"the opening of entry {entry.seq}: {wrong.says}") from wrong
    if entry.body["seals"][seat] != sealed:
        raise DistrustError("wrong-opening", f"what we are told of entry {entry.seq} is not what was sealed for us")
    if canonical.dumps([redact(event, None) for event in events]) != canonical.dumps(entry.body["events"]):
        raise DistrustError("wrong-opening", f"we are told another entry {entry.seq} than everybody")
    return events
