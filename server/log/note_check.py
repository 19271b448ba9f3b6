"""Notes that people show, compared with the log: the same, older, newer, or from another history.

Only notes signed with the game's own key count, so nobody can stop a game with a forged one. A note on more entries
than the log has means that the database was restored from an older copy. A game that continued would fork what its
players have already been told, so it is stopped until the missing entries are submitted (`missing.py`). A note that
contradicts the log is stored and reported to the operator once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import Session

from engine.errors import BadRecord
from engine.record.signed import note
from engine.record.signed.note import Note
from server.kernel import metrics
from server.kernel.db.models import Entry, Game, ShownNote
from server.kernel.db.tables import Row, lock_game
from server.kernel.errors import Problem
from server.kernel.logs import log
from server.kernel.services import Services

Relation = Literal["fork", "newer", "lost", "same", "older", "unsigned", "other-game", "none"]
GRAVEST: tuple[Relation, ...] = ("fork", "newer", "lost", "same", "older", "unsigned", "other-game", "none")
AWAITED, FORK = "awaited", "fork"
MOST_NOTES = 64  # in one text: a mail thread holds about as many, and each costs a signature check


class CheckedNote(msgspec.Struct, frozen=True):
    """A note that was shown, and how it compares with the log; `note` is None if there was none."""

    relation: Relation
    note: Note | None = None

    @property
    def is_good(self) -> bool:
        """Did the server itself sign this note for this game?"""
        return self.relation in ("fork", "newer", "lost", "same", "older")


def notes_in(text: str) -> list[Note]:
    """The distinct notes in a text as mails carry it, longest logs first."""
    found = {one: None for one in map(_note_in, note.find(text)) if one is not None}
    return sorted(found, key=lambda one: -one.size)[:MOST_NOTES]


def _note_in(text: str) -> Note | None:
    try:
        return note.read(text)
    except BadRecord:
        return None


def check_notes(services: Services, game_id: str, notes: Sequence[Note]) -> list[CheckedNote]:
    """Each note against the log, the gravest first; never empty. Commits what follows from them."""
    with services.database.read() as session:
        found = judge(services, session, _row(session, game_id), notes)
    if found and found[0].relation in ("fork", "newer"):
        with services.database.write() as session:
            game = lock_game(session, game_id)  # judged again: the log may have moved on meanwhile
            found = judge(services, session, game, notes)
            reports = keep(services, session, game, found)
        report(reports)
    return found or [CheckedNote("none")]


def _row(session: Session, game_id: str) -> Game:
    game = session.get(Game, game_id)
    if game is None:
        raise Problem("no-such-game")
    return game


def judge(services: Services, session: Session, game: Row, notes: Sequence[Note]) -> list[CheckedNote]:
    """Each note against the log at the game row's head, the gravest first."""
    shown = [CheckedNote(_relation(services, session, game, one), one) for one in notes]
    return sorted(shown, key=lambda one: GRAVEST.index(one.relation))


def _relation(services: Services, session: Session, game: Row, one: Note) -> Relation:
    if (one.server, one.game) != (services.settings.server_name, game.id):
        return "other-game"
    try:
        note.verify(one, services.server_key(game.key_number))
    except BadRecord:
        return "unsigned"
    where = (Entry.game_id == game.id, Entry.seq == one.size - 1)
    if session.scalar(sa.select(Entry.leaf_hash).where(*where)) == one.hash:
        return "same" if one.size == game.head_seq + 1 else "older"
    if services.tables.of(session, game).has_lost(one.size, one.hash):
        return "lost"
    return "newer" if one.size > game.head_seq + 1 and _may_come(session, game, one) else "fork"


def _may_come(session: Session, game: Row, one: Note) -> bool:
    """Can the log still reach this note? Not after the game's end, nor if another hash was shown for that size."""
    where = (ShownNote.game_id == game.id, ShownNote.size == one.size)
    known = session.execute(sa.select(ShownNote.hash, ShownNote.relation).where(*where)).all()
    if (one.hash, FORK) in [tuple(row) for row in known]:
        return False
    others = [row for row in known if row.relation == AWAITED and row.hash != one.hash]
    return game.status in ("lobby", "running") and not others


def keep(services: Services, session: Session, game: Row, shown: Sequence[CheckedNote]) -> list[dict[str, Any]]:
    """Under the game's lock, store notes that contradict the log or are newer; the reports to make after the commit.

    A game for which a newer note was shown is stopped from here on.
    """
    graver = [one for one in shown if one.relation in ("fork", "newer")]
    reports = [report for one in graver if (report := _keep(services, session, game, one))]
    newest = max((one.note.size for one in graver if one.relation == "newer" and one.note), default=0)
    if newest > game.shown_size:
        since = game.missing_since or services.now()
        session.execute(sa.update(Game).where(Game.id == game.id).values(shown_size=newest, missing_since=since))
    return reports


def _keep(services: Services, session: Session, game: Row, shown: CheckedNote) -> dict[str, Any] | None:
    one, relation = shown.note, AWAITED if shown.relation == "newer" else FORK
    assert one is not None
    where = (ShownNote.game_id == game.id, ShownNote.size == one.size, ShownNote.hash == one.hash)
    if session.scalar(sa.select(ShownNote.relation).where(*where)) == relation:
        return None
    text = services.note_of(game, one.size, one.hash)  # our signature only, without those that others added below it
    session.execute(sa.delete(ShownNote).where(*where))
    row = {"game_id": game.id, "size": one.size, "hash": one.hash, "note": text}
    session.execute(sa.insert(ShownNote).values(row | {"relation": relation, "shown_at": services.now()}))
    return {"relation": relation, "game": game.id, "size": game.head_seq + 1, "shown": one.size, "note": text}


def report(reports: Sequence[dict[str, Any]]) -> None:
    """For the operator, after the commit. Everything in it is public."""
    for one in reports:
        facts = {name: value for name, value in one.items() if name != "relation"}
        if one["relation"] == FORK:
            metrics.FORKS.inc()
            log.error("fork", **facts)
        else:
            metrics.LINES_MISSING.inc()
            log.error("lines-missing", **facts)
