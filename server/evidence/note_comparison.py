"""Compare a note that a player kept with the log."""

from __future__ import annotations

from dataclasses import dataclass

from server.kernel.db.models import Game
from server.kernel.services import Services
from server.log import note_check
from server.log.note_check import Relation
from server.tables.read import game_row


@dataclass(frozen=True, slots=True)
class NoteComparison:
    """How the most serious note of a text relates to the log, the current game, and the server's own note on it."""

    relation: Relation
    size: int | None
    game: Game
    note: str


def compare(services: Services, game_id: str, text: str) -> NoteComparison:
    """Compare a text with a note in it, such as a pasted mail. A newer note stops the game."""
    found = note_check.check_notes(services, game_id, note_check.notes_in(text))[0]
    with services.database.read() as session:
        game = game_row(session, game_id)
    own = services.note_of(game, game.head_seq + 1, game.head_hash)
    return NoteComparison(found.relation, found.note.size if found.note else None, game, own)
