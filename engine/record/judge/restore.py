"""Deciding an old entry again, by the server that holds the secret.

A server whose database went back to an older copy takes its own lines from anyone who has them. `restore_entry` returns
what composing returned then, so that the line and everything kept beside it can be stored again. Its note proves that a
line is the server's own; this module only judges whether the line can follow.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine.errors import BadRecord, Refused
from engine.record.compose.decision import Decision, decide, lanes
from engine.record.compose.entries import Composed
from engine.record.judge import checks
from engine.record.judge import entries as judge
from engine.record.laws import admission
from engine.record.log.entry import EVENTFUL, Entry
from engine.record.log.table import Table
from engine.record.signed import acts
from engine.record.signed.moves import open_move


def restore_entry(table: Table, entry: Entry, secret: bytes, text: str | None = None) -> Composed:
    """The table after the entry, and its opening in a hidden game; BadRecord if the entry cannot follow.

    `text` is the text of a sealed move: `opening-missing` if it is needed and not given, `wrong-seal` if it does not
    match.
    """
    checks.check_link(table, entry)
    decided = _decided(table, entry, secret, text) if entry.kind in EVENTFUL else None
    opening = _opening(entry, decided, text) if decided is not None and table.hidden else None
    after = judge.follow(table, entry, opening, secret)
    if decided is None:
        return Composed(entry.line, after)
    return Composed(entry.line, after, opening, decided.done, decided.refusal)


def sealed_in(entry: Entry) -> str | None:
    """The seal of a move in a hidden game; None for any other entry."""
    if entry.kind != "moved":
        return None
    jws = entry.body.get("jws")
    return entry.body.get("sealed") if jws is None else acts.read_signed(jws).act.sealed


def commands_of(entry: Entry, text: str | None) -> list[Any]:
    """The commands of a move; BadRecord without the `text` of a sealed one, or with another."""
    sealed = sealed_in(entry)
    if sealed is not None:
        if text is None:
            raise BadRecord("opening-missing", "the text of the sealed move is missing", entry.seq)
        return open_move(text, sealed)
    jws = entry.body.get("jws")
    commands = entry.body["commands"] if jws is None else acts.read_signed(jws).act.commands
    return list(commands or ())


def _decided(table: Table, entry: Entry, secret: bytes, text: str | None) -> Decision:
    """The engine's decision, which `judge` compares the entry with."""
    commands = commands_of(entry, text) if entry.kind == "moved" else None
    chance, hidden = lanes(table, secret)
    try:
        return decide(table, entry.kind, entry.body.get("seat"), commands, chance, hidden)
    except Refused as no:
        raise admission.as_bad_record(no, entry.seq) from None


def _opening(entry: Entry, decided: Decision, text: str | None) -> dict[str, Any]:
    move = text if entry.kind == "moved" else None
    return {"seq": entry.seq, "move": move, "events": msgspec.to_builtins(decided.events)}
