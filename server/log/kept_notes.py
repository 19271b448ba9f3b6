"""The last note of each game, kept in Redis: a restore of the database does not undo it.

If the database is restored from an older copy, the kept notes still name the entries that are missing. Those games are
stopped when a process starts, and a game is compared with its kept note before a process appends to it for the first
time, so no act follows an older head. A kept note is verified like one that somebody has shown. While Redis does not
answer, acts are accepted without that comparison; each game is compared at its next act after Redis is back.
"""

from __future__ import annotations

import sqlalchemy as sa

from server.kernel.db.models import Game
from server.kernel.logs import log
from server.kernel.services import KeptNote, Services
from server.log import note_check

AT_ONCE = 500  # games
ON = ("lobby", "running")


def check_all(services: Services) -> None:
    """Compare every game that has not ended with its kept note."""
    with services.database.read() as session:
        wanted = sa.select(Game.id, Game.head_seq, Game.head_hash).where(Game.status.in_(ON))
        games = session.execute(wanted.order_by(Game.id)).all()
    for first in range(0, len(games), AT_ONCE):
        some = games[first : first + AT_ONCE]
        notes = services.waker.notes([game.id for game in some])
        if notes is None:
            return  # each game is compared before it is written to for the first time
        for game, kept in zip(some, notes, strict=True):
            if kept is not None and not _says(kept, game.head_seq + 1, game.head_hash):
                check(services, game.id, kept)


def _says(kept: str, size: int, head: bytes) -> bool:
    """Is the note on the present end of the log? Then it need not be verified, since nothing follows from it."""
    return any((one.size, one.hash) == (size, head) for one in note_check.notes_in(kept))


def check(services: Services, game_id: str, kept: str) -> None:
    """Stop the game if the note is longer than the log or contradicts it.

    A longer note stops it until the missing entries are here, one that contradicts the log until the operator acts. A
    note that adds nothing is replaced, since a longer one would otherwise block all later notes.
    """
    relation = note_check.check_notes(services, game_id, note_check.notes_in(kept))[0].relation
    if relation in ("same", "older", "newer"):
        return
    if relation == "fork":
        _stop(services, game_id)
    elif relation != "lost":
        log.error("kept-note-unsigned", game=game_id)
    with services.database.read() as session:
        game = session.get_one(Game, game_id)
        size, head, is_last = game.head_seq + 1, game.head_hash, game.status not in ON
    services.waker.replace_note(KeptNote(game_id, size, services.note_of(game, size, head), is_last))


def _stop(services: Services, game_id: str) -> None:
    since = sa.func.coalesce(Game.faulted_at, services.now())
    with services.database.write() as session:
        session.execute(sa.update(Game).where(Game.id == game_id, Game.status.in_(ON)).values(faulted_at=since))
