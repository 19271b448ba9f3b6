"""House players on a machine of their own, who reach the hosts by one address, and a person who opens their tables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa

from server.kernel.db.models import Account, Entry, Game, Seat
from server.kernel.errors import Problem
from server.tables import house_players
from server.tables.write import GameRequest, create_game
from tests.chaos.clients import TIME, Client
from tests.kit import installed
from tests.workers.harness import CLOCK, Harness
from tests.workers.processes import Crew

PATHS = (str(installed.FOLDER), str(Path(__file__).parents[2]))
PLAYERS = "players"
LEVEL = "easy"
TITLES = ("pig", "bids")
HOST, SEATS = 1, (0, 1)
BETWEEN = 0.5  # seconds


class Machine:
    """Runs `sealedmove players` for two accounts of a level."""

    def __init__(self, house: Harness, folder: Path) -> None:
        self.name, self.folder = folder.name, folder / "accounts"
        folder.mkdir()
        self.crew = Crew(house, folder / "log", PYTHONPATH=os.pathsep.join(PATHS), LOG_LEVEL="INFO")
        words = ["bot", "fill", str(self.folder), "--each", "2", "--why", "chaos"]
        subprocess.run([sys.executable, "-m", "sealedmove", *words], env=self.crew.environment, check=True)
        self.start()

    def start(self) -> None:
        self.crew.start(PLAYERS, ["players", "--folder", str(self.folder)])

    def start_ended(self) -> list[str]:
        """It ends by itself if it starts while its disk is full."""
        process = self.crew.running.get(PLAYERS)
        if process is None or process.poll() is None:
            return []
        self.start()
        return [PLAYERS]

    def distrusts(self) -> list[str]:
        """Its findings against the server."""
        return [path.read_text() for path in self.folder.rglob("distrust")]


class Opener(Client):
    """Opens a table for house players, and another one when its game is over. Counts their moves."""

    def __init__(self, house: Harness) -> None:
        super().__init__([], house.settings.server_name)
        self.house, self.games = house, list[str]()

    def act(self) -> None:
        with suppress(sa.exc.OperationalError):  # its connection was ended
            status = self._status(self.games[-1]) if self.games else "finished"
            if status == "lobby":
                self._invite_again(self.games[-1])
            if status == "finished":
                self._open(TITLES[len(self.games) % len(TITLES)])
            self.count = self.moves()
        self.stopped.wait(BETWEEN)

    def _open(self, title: str) -> None:
        invited = [{"seat": seat, "level": LEVEL} for seat in SEATS]
        wish = GameRequest(type=title, seats=len(SEATS), options={}, clock=CLOCK | {"move": TIME}, house=invited)
        self.games.append(create_game(self.house.services, HOST, wish))

    def _invite_again(self, game: str) -> None:
        """A house player that has not come for ten minutes, and nobody else."""
        for seat in SEATS:
            with suppress(Problem):  # it has come
                house_players.invite(self.house.services, game, HOST, seat, LEVEL)

    def players(self) -> set[int]:
        """The accounts of this level: one for each seat."""
        with self.house.services.database.read() as session:
            return set(session.scalars(sa.select(Account.id).where(Account.level == LEVEL)))

    def moved(self, games: Sequence[str]) -> Counter[int]:
        """How many moves each account has made in these games."""
        moves = sa.select(Entry.game_id, Entry.line).where(Entry.game_id.in_(games), Entry.kind == "moved")
        seats = sa.select(Seat.game_id, Seat.seat, Seat.account_id).where(Seat.game_id.in_(games))
        with self.house.services.database.read() as session:
            holders = {(game, seat): account for game, seat, account in session.execute(seats)}
            return Counter(holders[game, json.loads(line)["seat"]] for game, line in session.execute(moves))

    def moves(self) -> int:
        """How many moves they have made."""
        moved = sa.select(sa.func.count()).where(Entry.game_id.in_(self.games), Entry.kind == "moved")
        with self.house.services.database.read() as session:
            return session.scalar(moved) or 0

    def _status(self, game: str) -> str | None:
        with self.house.services.database.read() as session:
            return session.scalar(sa.select(Game.status).where(Game.id == game))
