"""The history of a game in sentences with its players' names; in a hidden game as our seat may know it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from client import entry_text
from client.game import Player
from client.watcher import EntryLine
from engine.kit import tell, tell_move
from engine.record.encoding import canonical
from engine.record.log.entry import Entry
from engine.record.log.fold import apply_entry, open_table
from engine.record.log.table import Table

_SEAT = re.compile(r"\bSeat ([1-9]\d?)\b")


def lines(player: Player, names: Sequence[str], last: int | None = None) -> list[EntryLine]:
    """The checked entries, all or the `last` ones."""
    first = 0 if last is None else max(0, player.log.size - last)
    told, table = [_created(player.log.entries[0], player.table)][first:], opened(player)
    own = _own_openings(player, first)
    for entry in player.log.entries[1:]:
        if entry.seq >= first:
            told.append(_line(entry, sentence(entry, table, _then(player.table, names, entry.seq), own.get(entry.seq))))
        table = apply_entry(table, entry)
    return told


def _then(table: Table, names: Sequence[str], seq: int) -> list[str]:
    """The names at an entry: earlier holders of a seat have none, as the record knows only their keys."""
    held = zip(names, table.occupants, strict=False)
    return [
        f"Seat {seat}'s former player" if one is not None and seq < one.since else name
        for seat, (name, one) in enumerate(held, 1)
    ]


def opened(player: Player) -> Table:
    """The table after entry 0."""
    return open_table(player.log.entries[0], player.table.data)


def _own_openings(player: Player, first: int) -> Mapping[int, Sequence[Mapping[str, Any]]]:
    """The private events of our seat, by entry; none in an open game or without a seat."""
    if not player.table.hidden or player.seat is None:
        return {}
    given = player.openings_after(max(0, first - 1))
    return {one["seq"]: one["events"] for one in given if one["events"] is not None}


def sentence(entry: Entry, before: Table, names: Sequence[str], own: Sequence[Mapping[str, Any]] | None = None) -> str:
    """Tell an entry, given the table before it; `own` are the private events of our seat, if it has any.

    "moved" is left out where the events of the move say what happened.
    """
    if own is None and entry.kind != "moved":
        return named(entry_text.entry_sentence(entry, before), names)
    events = before.load_events(entry.body.get("events", ()) if own is None else own)
    moved = entry.kind == "moved"
    told = tell_move(events, entry.body["seat"], names) if moved else [tell(event, names) for event in events]
    if not moved or "via" in entry.body or not told:
        told = [named(entry_text.WORDS[entry.kind](entry, before), names), *told]
    if "outcome" in entry.body:
        told.append(named(entry_text.over(before, entry.body["outcome"]), names))
    return " ".join(filter(None, told))


def named(text: str, names: Sequence[str]) -> str:
    """Replace `Seat 1` by the player's name in our own sentences."""
    return _SEAT.sub(lambda found: _name(names, int(found[1]) - 1, found[0]), text)


def _name(names: Sequence[str], seat: int, plain: str) -> str:
    return names[seat] if seat < len(names) else plain


def _created(entry: Entry, table: Table) -> EntryLine:
    return _line(entry, entry_text.created(table))


def _line(entry: Entry, says: str) -> EntryLine:
    return EntryLine(entry.seq, entry.at, entry.kind, entry.body.get("seat"), canonical.to_base64url(entry.hash), says)
