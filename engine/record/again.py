"""An entry that was written before, decided again by the server that holds the secret.

A server whose database went back to an older copy takes its own lines from whoever has them. `compose_again` gives what
composing gave then, so that the line and all that was kept beside it can be stored once more. That a line is one of the
server's own its note says, not this module: here it is only judged whether the line can follow.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine.errors import BadRecord, Refused
from engine.record import door, judge
from engine.record.compose import Composed
from engine.record.entry import Entry
from engine.record.moves import open_move
from engine.record.plays import Play, lanes, play
from engine.record.table import Table


def compose_again(table: Table, entry: Entry, secret: bytes, text: str | None = None) -> Composed:
    """The table after the entry, and its opening in a hidden game; BadRecord if the entry cannot follow.

    `text` is that of a sealed move: `opening-missing` if it is needed and not given, `wrong-seal` if it is another one.
    """
    judge.check_link(table, entry)
    played = _play(table, entry, secret, text) if entry.kind in judge.EVENTFUL else None
    opening = _opening(entry, played, text) if played is not None and table.hidden else None
    after = judge.follow(table, entry, opening, secret)
    if played is None:
        return Composed(entry.line, after)
    return Composed(entry.line, after, opening, played.done, played.refusal)


def sealed_in(entry: Entry) -> str | None:
    """The seal of a move of a hidden game; None for any other entry."""
    if entry.kind != "moved":
        return None
    jws = entry.body.get("jws")
    return entry.body.get("sealed") if jws is None else door.read_signed(jws).act.sealed


def _play(table: Table, entry: Entry, secret: bytes, text: str | None) -> Play:
    """What the engine makes of it; what `judge` compares the entry with."""
    commands = _commands(entry, text) if entry.kind == "moved" else None
    chance, hidden = lanes(table, secret)
    try:
        return play(table, entry.kind, entry.body.get("seat"), commands, chance, hidden)
    except Refused as no:
        raise door.as_bad_record(no, entry.seq) from None


def _commands(entry: Entry, text: str | None) -> list[Any]:
    sealed = sealed_in(entry)
    if sealed is not None:
        if text is None:
            raise BadRecord("opening-missing", "the text of the sealed move is missing", entry.seq)
        return open_move(text, sealed)
    jws = entry.body.get("jws")
    commands = entry.body["commands"] if jws is None else door.read_signed(jws).act.commands
    return list(commands or ())


def _opening(entry: Entry, played: Play, text: str | None) -> dict[str, Any]:
    move = text if entry.kind == "moved" else None
    return {"seq": entry.seq, "move": move, "events": msgspec.to_builtins(played.events)}
