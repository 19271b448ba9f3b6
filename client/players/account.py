"""The accounts of the house players' process: a folder each, with a token, a key and games, as a person has.

ID/account    address, token, name, level: written by `sealedmove bot`; mode 0600
ID/key        its signing key, made here and never sent; mode 0600
ID/recovery   the recovery key of its seats, with which it gives them up at once if its token is refused; mode 0600
ID/games/     the files of each game (`memory.py`), until it is over
"""

from __future__ import annotations

import hashlib
import hmac
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import httpx
import msgspec

from client import keys, session
from client.events import Followed
from client.game import Player
from client.home import is_id
from client.http import Api, ApiError
from client.memory import Memory
from client.session import Session

KEPT = 100  # players kept in memory; others are read from disk again


class HouseAccount(msgspec.Struct, frozen=True):
    """An account to play for, and its server."""

    url: str
    token: str
    account: str
    name: str
    level: str


class Version(NamedTuple):
    """An account's folder, with the time in nanoseconds at which its token was written: a new token is a new
    version.
    """

    folder: Path
    written: int


class Bot:
    """One account, with a `Player` at each of its tables. KeyFileError if others can read its token."""

    def __init__(
        self, version: Version, http: httpx.Client, tell: Callable[..., None], clock: Callable[[], float] = time.time
    ) -> None:
        self.version = version
        self.folder = version.folder
        self.held = _load_account(self.folder / "account")
        self.key = keys.load_or_make(self.folder / "key")
        self.recovery = keys.load_or_make(self.folder / "recovery")
        self.api = Api(self.held.url, self.held.token, http)
        self.followed = Followed(self.held.token)
        self._tell = tell
        self._clock = clock
        self._players: dict[str, Player] = {}

    @property
    def name(self) -> str:
        return self.held.name

    def register(self) -> None:
        """Register our key with the account, if it is not registered yet."""
        known = [row["kid"] for row in self.api.get("/v1/me/keys").value]
        if self.key.kid not in known:
            session.register_key(Session(self.api, self.held.account, self.held.name), self.key)

    def player(self, game: str) -> Player:
        """Our `Player` at this table. A house player accepts every invitation, with or without signed moves."""
        found = self._players.pop(game, None) or self._new(game)
        self._players[game] = found  # the latest last
        if len(self._players) > KEPT:
            del self._players[next(iter(self._players))]
        return found

    def _new(self, game: str) -> Player:
        def tell(says: str) -> None:
            self._tell("odd", bot=self.name, game=game, says=says)

        memory = Memory(self._folder(game))
        return Player(self.api, game, self.key, memory, clock=self._clock, bot=True, unsigned=True, tell=tell)

    def games(self) -> list[str]:
        """The tables that it has stored."""
        return sorted(path.name for path in (self.folder / "games").glob("*") if is_id(path.name))

    def give_up(self, game: str) -> int | None:
        """Offer our seat without the token: acts need only a key. The seat, or None if we hold none there.

        A seat that was taken before there was a recovery key has to wait as long as the table says.
        """
        self.api = self.api.as_(None)
        self._players.clear()
        player = self.player(game)
        player.sync()
        seat = player.seat
        if player.table.stage != "running" or seat is None:
            return None
        if not player.table.is_open(seat):
            if player.recovers(self.recovery) is None:
                player.offer(either=True)
            else:
                player.offer_at_once(self.recovery, either=True)
        return seat

    def chance(self, game: str, size: int) -> str:
        """A secret seed, always the same for the same question."""
        return hmac.new(self.key.seed, f"{game} {size}".encode(), hashlib.sha256).hexdigest()

    def forget(self, game: str) -> None:
        """Forget a game that is over or no longer ours. Evidence against its server is kept."""
        self._players.pop(game, None)
        folder = self._folder(game)
        if is_id(game) and folder.exists() and Memory(folder).evidence.distrust() is None:
            shutil.rmtree(folder)

    def over(self) -> list[str]:
        """Stored games that are over; there is no event for a game that ended while the process was down."""
        return [game for game in self.games() if self._is_over(game)]

    def _is_over(self, game: str) -> bool:
        try:
            return self.api.get(f"/v1/games/{game}").value["status"] in ("finished", "cancelled")
        except ApiError:  # a game that the server no longer knows is kept here
            return False

    def _folder(self, game: str) -> Path:
        return self.folder / "games" / game


def accounts_in(folder: Path, which: str = "*") -> Iterator[Version]:
    """The accounts in this folder."""
    for path in sorted(folder.glob(f"{which}/account")):
        with suppress(FileNotFoundError):  # removed meanwhile
            yield Version(path.parent, path.stat().st_mtime_ns)


def _load_account(path: Path) -> HouseAccount:
    if path.stat().st_mode & keys.OTHERS:
        raise keys.KeyFileError(
            f"others can read {path}: run chmod 600 on it, and replace the token, which they may know"
        )
    return msgspec.json.decode(path.read_bytes(), type=HouseAccount)
