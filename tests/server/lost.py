"""A server whose database goes back to an older copy while its players still have the later entries."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from tests.server.harness import Harness, Player
from tests.servers import postgres

CLOCK = {"move": 3600, "grace": 600}


class Backup:
    """A copy of a server's whole database, made and restored as an operator does it.

    After a restore the server's process forgets its games, because operators stop it for that.
    """

    def __init__(self, hall: Harness, folder: Path) -> None:
        self.hall, self.folder = hall, folder
        self.url = make_url(hall.services.settings.database_url)
        hall.services.database.dispose()
        if hall.services.database.is_sqlite:
            _remove(self.folder / "copy.db")
            self._copy_sqlite(self._file, self.folder / "copy.db")
        else:
            self._copy_postgres(str(self.url.database), f"{self.url.database}_copy")

    def restore(self) -> None:
        """Nobody may be connected; with SQLite the write-ahead log of the newer file goes too."""
        self.hall.services.known_sizes.clear()
        self.hall.services.database.dispose()
        if self.hall.services.database.is_sqlite:
            _remove(self._file)
            shutil.copy(self.folder / "copy.db", self._file)
        else:
            self._copy_postgres(f"{self.url.database}_copy", str(self.url.database))

    @property
    def _file(self) -> Path:
        return Path(str(self.url.database))

    def _copy_sqlite(self, source: Path, target: Path) -> None:
        with sqlite3.connect(source) as old, sqlite3.connect(target) as new:
            old.backup(new)

    def _copy_postgres(self, source: str, target: str) -> None:
        admin = self.url.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
        with psycopg.connect(admin, autocommit=True) as session:
            session.execute(f'DROP DATABASE IF EXISTS "{target}" WITH (FORCE)')
            session.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
                (source,),
            )
            postgres.create(session, target, source)


def _remove(database: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{database}{suffix}").unlink(missing_ok=True)


@dataclass
class Lost:
    """A game that went on after the copy was made; `lines`, `note` and `texts` are what its players still have."""

    hall: Harness
    players: list[Player]
    game: str
    size: int = 0  # entries in the copy
    lines: list[str] = field(default_factory=list)
    note: str = ""
    texts: dict[int, str] = field(default_factory=dict)

    def play(self, most: int, *, by: Player | None = None) -> None:
        """The seats to move play; the texts of sealed moves are remembered by number."""
        for turn in range(most):
            seats = self.detail()["active"]
            mover = by or next((player for player in self.players if player.seat in seats), None)
            if mover is None:
                return
            options = mover.legal(self.game)
            self.move(mover, [options[turn % len(options)]])

    def move(self, mover: Player, commands: list[Any]) -> None:
        seq, _ = self.hall.head(self.game)
        body = mover.signed_move(self.game, commands)
        answer = self.hall.client.post(f"/v1/games/{self.game}/moves", json=body)
        assert answer.status_code == 201, answer.get_data(as_text=True)
        if "text" in body:
            self.texts[seq] = body["text"]

    def remember(self) -> None:
        """Remember everything that is public now."""
        log = self.hall.client.get(f"/v1/games/{self.game}/log?limit=1000").get_json()
        self.lines, self.note = log["entries"], log["note"]

    def detail(self) -> Any:
        return self.hall.client.get(f"/v1/games/{self.game}").get_json()

    def now(self) -> list[str]:
        entries: list[str] = self.hall.client.get(f"/v1/games/{self.game}/log?limit=1000").get_json()["entries"]
        return entries

    def note_on(self, size: int) -> str:
        """The server's own note on this many of the remembered lines."""
        from engine.record.log.entry import read_entry
        from engine.record.signed import note
        from server.kernel import secrets
        from tests.server.harness import HOST, MASTER

        head = read_entry(self.lines[size - 1].encode()).hash
        return note.write(HOST, self.game, size, head, secrets.server_seed(MASTER, 1))

    def compare(self, text: str | None = None) -> Any:
        return self.hall.client.post(
            f"/v1/games/{self.game}/compare", json={"note": self.note if text is None else text}
        )

    def hand_in(self, first: int | None = None, last: int | None = None, *, by: tuple[int, ...] | None = None) -> Any:
        """Submit the lines from `first` to `last` (by default the copy's end and the end); texts of `by`."""
        first, last = self.size if first is None else first, len(self.lines) - 1 if last is None else last
        return self.post(self.lines[first : last + 1], self.note_on(last + 1), self.moves(by))

    def moves(self, by: tuple[int, ...] | None = None) -> list[dict[str, Any]]:
        from engine.record.encoding import canonical

        def mine(seq: int) -> bool:
            return by is None or canonical.loads(self.lines[seq].encode())["seat"] in by

        return [{"seq": seq, "text": text} for seq, text in self.texts.items() if seq >= self.size and mine(seq)]

    def post(self, lines: list[str], note: str, moves: list[dict[str, Any]] | None = None) -> Any:
        body = {"entries": lines, "note": note, "moves": moves or []}
        return self.hall.client.post(f"/v1/games/{self.game}/missing", json=body)


def lost(
    hall: Harness, folder: Path, key: str = "pig", before: int = 2, after: int = 4, seats: int = 2, **wish: Any
) -> Lost:
    """A running game whose server has forgotten the last `after` moves."""
    players = [hall.player(number) for number in range(seats)]
    made = Lost(hall, players, hall.game(key, players, **wish))
    made.play(before)
    forget(made, folder, after)
    return made


def forget(made: Lost, folder: Path, after: int) -> None:
    """Restore the older copy; only the players have the later entries."""
    made.size = len(made.now())
    backup = Backup(made.hall, folder)
    made.play(after)
    made.remember()
    backup.restore()
    assert len(made.now()) == made.size < len(made.lines)
