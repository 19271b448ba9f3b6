"""The accounts that a players' process plays for: a folder each, with a token, a key and games, as a person has them.

ID/account    address, token, name, level: `sealedmove bot` writes it; mode 0600
ID/key        the key that signs for it, made here and never sent; mode 0600
ID/games/     what is kept of each game (`memory.py`), until it is over
"""

from __future__ import annotations

import hashlib
import hmac
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import msgspec

from client import keys, session
from client.game import Player
from client.home import is_id
from client.http import Api
from client.memory import Memory
from client.session import Session

KEPT = 100  # hands that are held in memory; what is beside them is read from disk again


class Account(msgspec.Struct, frozen=True):
    """Whom to play for, and where."""

    url: str
    token: str
    account: str
    name: str
    level: str


class Bot:
    """One account, with its hands at all its tables. KeyFileError if others can read its token."""

    def __init__(self, folder: Path, http: httpx.Client, tell: Callable[..., None]) -> None:
        self.folder = folder
        self.held = _read(folder / "account")
        self.key = keys.load_or_make(folder / "key")
        self.api = Api(self.held.url, self.held.token, http)
        self._tell = tell
        self._hands: dict[str, Player] = {}

    @property
    def name(self) -> str:
        return self.held.name

    def register(self) -> None:
        """Let the account name our key; where it does already, nothing changes."""
        known = [row["kid"] for row in self.api.get("/v1/me/keys").value]
        if self.key.kid not in known:
            session.register_key(Session(self.api, self.held.account, self.held.name), self.key)

    def hand(self, game: str) -> Player:
        """Our hand at this table. A house player sits wherever it was asked to, signed moves or not."""
        found = self._hands.pop(game, None) or self._new(game)
        self._hands[game] = found  # the latest last
        if len(self._hands) > KEPT:
            del self._hands[next(iter(self._hands))]
        return found

    def _new(self, game: str) -> Player:
        def tell(says: str) -> None:
            self._tell("odd", bot=self.name, game=game, says=says)

        return Player(self.api, game, self.key, Memory(self._folder(game)), bot=True, unsigned=True, tell=tell)

    def chance(self, game: str, size: int) -> str:
        """A seed that nobody else knows, and the same again for the same question."""
        return hmac.new(self.key.seed, f"{game} {size}".encode(), hashlib.sha256).hexdigest()

    def forget(self, game: str) -> None:
        """A game is over, or ours no more. What speaks against its server is kept."""
        self._hands.pop(game, None)
        folder = self._folder(game)
        if is_id(game) and folder.exists() and Memory(folder).evidence.distrust() is None:
            shutil.rmtree(folder)

    def _folder(self, game: str) -> Path:
        return self.folder / "games" / game


def found(folder: Path) -> Iterator[Path]:
    """The folders of accounts in this one."""
    return (path.parent for path in sorted(folder.glob("*/account")))


def _read(path: Path) -> Account:
    if path.stat().st_mode & keys.OTHERS:
        raise keys.KeyFileError(f"{path} can be read by others: chmod 600 it, and think of the token as known")
    return msgspec.json.decode(path.read_bytes(), type=Account)
