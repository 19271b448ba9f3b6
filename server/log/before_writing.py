"""The checks of a process before it writes: all games when it starts, and each again before its first entry there.

The server's keys come first: a process under a wrong master would log moves that nobody can verify.

Then the last note of each game, kept in Redis: a restore of the database does not undo it. If the database is restored
from an older copy, the kept notes still name the entries that are missing, and those games are stopped, so no act
follows an older head. A kept note is verified like one that somebody has shown. While Redis does not answer, acts are
accepted without that comparison, and each game is compared at its next act after Redis is back.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from engine.chance import chain_key
from engine.record.encoding import canonical
from engine.record.signed import keys
from engine.record.signed.note import Note
from server.kernel import own_keys, secrets
from server.kernel.config import LOOPBACK, ConfigError, Settings
from server.kernel.db.models import Entry, Game
from server.kernel.db.models.games import CONTRADICTED
from server.kernel.logs import log
from server.kernel.own_keys import OtherKey
from server.kernel.services import KeptNote, Services
from server.log import note_check

AT_ONCE = 500  # games
MOST_KNOWN = 10_000  # games whose size a process remembers
ON = ("lobby", "running")


class Chance(msgspec.Struct):
    draws: int
    chain: str


class Promise(msgspec.Struct):
    """The members of entry 0 that only its master can keep."""

    server_key: str
    chance: Chance


class Named(msgspec.Struct):
    """The name of the server in entry 0."""

    server: str


FIRST = (
    sa.select(Game.key_number, Game.secret_r, Entry.line)
    .join(Entry, sa.and_(Entry.game_id == Game.id, Entry.seq == 0))
    .where(Game.id == sa.bindparam("game"))
)
NEWEST = (
    sa.select(Entry.line)
    .join(Game, sa.and_(Game.id == Entry.game_id, Entry.seq == 0))
    .where(Game.status.in_(ON))
    .order_by(Game.created_at.desc())
    .limit(100)
)


def check_all(services: Services, *, writes: bool = True) -> None:
    """Check at the start of a process. ConfigError if the settings do not fit the games in the database.

    The kept notes are for a process that `writes`: comparing a game with its note may stop it.
    """
    with services.database.read() as session:
        own_keys.check(services.settings, session)
        check_name(services.settings, session)
    if writes:
        _check_notes(services)


def check_name(settings: Settings, session: Session) -> None:
    """ConfigError if the newest games that wait or run are of a server with another name.

    Their players sign that name, so no act would fit, and their kept notes would count as those of another server. A
    server for one machine may change its port.
    """
    names = dict.fromkeys(filter(None, map(_name_in, session.scalars(NEWEST))))
    others = [name for name in names if urlsplit(f"//{name}").hostname not in LOOPBACK]
    if others and settings.server_name not in names:
        raise ConfigError(
            f"PUBLIC_URL is {settings.public_url}, but the games that wait or run on this server are of {others[0]}, "
            "which their players sign. Set PUBLIC_URL to the address with that name; it can change when no game waits "
            "for players or runs"
        )


def _name_in(line: bytes) -> str | None:
    """The server's name in an entry 0; None if it is damaged, which stops that game alone."""
    try:
        return msgspec.json.decode(line, type=Named).server
    except msgspec.MsgspecError:
        return None


def check_game(services: Services, game_id: str) -> None:
    """Check before the first entry of this process in a game. Problem `wrong-master` if the master cannot continue it.

    If Redis does not answer, the next write asks again whether the kept note counts missing entries.
    """
    _check_promise(services, game_id)
    if not compare(services, game_id):
        return
    known = services.known_sizes
    if len(known) >= MOST_KNOWN:
        known.clear()
    known.setdefault(game_id, 0)


def compare(services: Services, game_id: str) -> bool:
    """Compare this game with its kept note; False if Redis does not answer."""
    notes = services.waker.notes([game_id])
    for kept in filter(None, notes or ()):
        _check_note(services, game_id, kept)
    return notes is not None


def _check_promise(services: Services, game_id: str) -> None:
    with services.database.read() as session:
        found = session.execute(FIRST, {"game": game_id}).one_or_none()
    if found is None:
        return  # the lock of the game's row reports that it does not exist
    number, r, line = found
    promise, master = msgspec.json.decode(line, type=Promise), services.settings.master
    expected, own = canonical.from_base64url(promise.server_key, 32), secrets.server_key(master, number)
    chain = chain_key(secrets.game_secret(master, r), promise.chance.draws, 0)
    if (own, canonical.to_base64url(chain)) != (expected, promise.chance.chain):
        raise own_keys.refused(OtherKey(number, keys.thumbprint(expected), keys.thumbprint(own)), game_id)


# --- kept notes -------------------------------------------------------------------------------------------------------


def _check_notes(services: Services) -> None:
    """Compare every game that has not ended with its kept note."""
    with services.database.read() as session:
        wanted = sa.select(Game.id, Game.head_seq, Game.head_hash).where(Game.status.in_(ON))
        games = session.execute(wanted.order_by(Game.id)).all()
    for first in range(0, len(games), AT_ONCE):
        some = games[first : first + AT_ONCE]
        notes = services.waker.notes([game.id for game in some])
        if notes is None:
            return  # each game is compared before its first entry by this process
        for game, kept in zip(some, notes, strict=True):
            if kept is not None and not _says(kept, game.head_seq + 1, game.head_hash):
                _check_at_start(services, game.id, kept)


def _check_at_start(services: Services, game_id: str, kept: bytes) -> None:
    """One game that cannot be judged, as without its rules, keeps no process from starting.

    It is compared again before its first entry.
    """
    try:
        _check_note(services, game_id, kept)
    except SQLAlchemyError:
        raise
    except Exception as fault:  # noqa: BLE001 - the other games are to be compared, and played
        log.error("kept-note-unjudged", game=game_id, error=type(fault).__name__)


def _says(kept: bytes, size: int, head: bytes) -> bool:
    """Return whether the note is on the present end of the log: it changes nothing then, so it is not verified."""
    return any((one.size, one.hash) == (size, head) for one in _notes_in(kept))


def _notes_in(kept: bytes) -> list[Note]:
    return note_check.notes_in(kept.decode("utf-8", "replace"))


def _check_note(services: Services, game_id: str, kept: bytes) -> None:
    """Stop the game if the note is longer than the log or contradicts it.

    A longer note stops it until the missing entries are here, one that contradicts the log until the operator acts. A
    note that adds nothing is replaced, since a longer one would otherwise block all later notes.
    """
    relation = note_check.check_notes(services, game_id, _notes_in(kept))[0].relation
    if relation in ("same", "older", "newer"):
        return
    if relation == "fork":
        _stop(services, game_id)
    elif relation != "lost":
        log.error("kept-note-unsigned", game=game_id)
    with services.database.read() as session:
        game = session.get_one(Game, game_id)
        size, head, is_last = game.head_seq + 1, game.head_hash, game.status not in ON
    services.waker.replace_note(kept, KeptNote(game_id, size, services.note_of(game, size, head), is_last))


def _stop(services: Services, game_id: str) -> None:
    since = sa.func.coalesce(Game.faulted_at, services.now())
    stopped = {"faulted_at": since, "fault": CONTRADICTED}
    with services.database.write() as session:
        session.execute(sa.update(Game).where(Game.id == game_id, Game.status.in_(ON)).values(stopped))
