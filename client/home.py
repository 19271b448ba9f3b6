"""What a person has on this machine: by server a token, a key and games. `SEALEDMOVE_HOME`, else `~/.sealedmove`.

last                         the server that was signed in at last
hosts/HOST/account           address, token, name; mode 0600
hosts/HOST/key               the key that this machine signs with there; mode 0600
hosts/HOST/recovery          the public half of the recovery key, which lies elsewhere
hosts/HOST/asked             there once the person was asked whether he wants one
hosts/HOST/games/ID/         what is kept of a game (`memory.py`), and what was agreed to there
hosts/HOST/games/servers/    the server's keys (`pins.py`)
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import msgspec

from client import atomic_files, keys
from client.errors import ClientError
from client.game import Player, print_warning
from client.http import Api
from client.keys import Key
from client.memory import Memory
from client.session import Session
from engine.record.signed.keys import Jwk, jwk, parse_jwk


class NotSignedInError(ClientError):
    """Nobody is signed in at this server, or at any."""


class Account(msgspec.Struct):
    """Who is signed in at a server."""

    url: str
    token: str
    account: str
    name: str


class Consent(msgspec.Struct):
    """What the person has said to a table at which moves without a signature are possible."""

    unsigned: bool = False
    by_mail: bool = False


def folder_of(env: Mapping[str, str] = os.environ) -> Path:
    given = env.get("SEALEDMOVE_HOME")
    return Path(given) if given else Path.home() / ".sealedmove"


class Home:
    """The folder of one person, for his eyes alone. `http` are the connections to servers, if they are given."""

    def __init__(self, folder: Path, http: httpx.Client | None = None) -> None:
        self.folder = folder
        self._http = http

    def api(self, url: str) -> Api:
        """A server as anybody may ask it."""
        return Api(url, None, self._http)

    def hosts(self) -> list[Host]:
        """The servers at which somebody is signed in, the last one first."""
        found = (self.folder / "hosts").glob("*/account")
        last = (atomic_files.read(self.folder / "last") or b"").decode()
        return sorted(
            (Host(path.parent, self._http) for path in found), key=lambda host: (host.folder.name != last, host.folder)
        )

    def host(self, wanted: str | None = None) -> Host:
        """The server of this name or address, or the last one; NotSignedInError if nobody is signed in there."""
        known = self.hosts()
        found = [host for host in known if wanted is None or wanted.rstrip("/") in (host.name, host.account.url)]
        if not found:
            where = f" at {wanted}" if wanted else ""
            raise NotSignedInError(f"nobody is signed in{where}")
        return found[0]

    def remember(self, account: Account) -> Host:
        """Keep who is signed in there now; what is asked without naming a server goes to this one."""
        name = quote(urlsplit(account.url).netloc, safe="")
        folder = self.folder / "hosts" / name
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        atomic_files.write(folder / "account", msgspec.json.encode(account))
        atomic_files.write(self.folder / "last", name.encode())
        return Host(folder, self._http)


class Host:
    """One server, as the person who is signed in there."""

    def __init__(self, folder: Path, http: httpx.Client | None = None) -> None:
        self.folder = folder
        self._http = http

    @property
    def account(self) -> Account:
        """KeyFileError if others can read the token."""
        path = self.folder / "account"
        if path.stat().st_mode & keys.OTHERS:
            raise keys.KeyFileError(f"{path} can be read by others: chmod 600 it, and think of the token as known")
        return msgspec.json.decode(path.read_bytes(), type=Account)

    @property
    def name(self) -> str:
        return urlsplit(self.account.url).netloc

    @property
    def key(self) -> Key:
        """This machine's key at this server, made when it is first asked for."""
        return keys.load_or_make(self.folder / "key")

    @property
    def session(self) -> Session:
        held = self.account
        return Session(Api(held.url, held.token, self._http), held.account, held.name)

    # --- recovery -----------------------------------------------------------------------------------------------------

    def recovery(self) -> Jwk | None:
        """The public half of the recovery key that every new seat names; None if there is none."""
        kept = atomic_files.read(self.folder / "recovery")
        return None if kept is None else jwk(parse_jwk(msgspec.json.decode(kept)))

    def keep_recovery(self, public: Jwk) -> None:
        atomic_files.write(self.folder / "recovery", msgspec.json.encode(public))

    def was_asked(self) -> bool:
        """Was the person asked whether he wants a recovery key? That is done once."""
        return (self.folder / "asked").exists()

    def keep_asked(self) -> None:
        atomic_files.write(self.folder / "asked", b"")

    # --- games --------------------------------------------------------------------------------------------------------

    def games(self) -> list[str]:
        """The games of which something is kept here."""
        found = (self.folder / "games").glob("*")
        return sorted(path.name for path in found if is_id(path.name) and (path / "agreed").exists())

    def memory(self, game: str) -> Memory:
        return Memory(self.folder / "games" / game)

    def sit(self, game: str, agreed: Consent) -> None:
        """Keep that this is a game of ours, and what was agreed to."""
        atomic_files.write(self.memory(game).folder / "agreed", msgspec.json.encode(agreed))

    def agreed(self, game: str) -> Consent:
        kept = atomic_files.read(self.folder / "games" / game / "agreed")
        return Consent() if kept is None else msgspec.json.decode(kept, type=Consent)

    def player(self, game: str, tell: Callable[[str], None] = print_warning) -> Player:
        """Our hand at this game; whoever has no seat looks on by it."""
        said = self.agreed(game)
        given = self.session.api, game, self.key, self.memory(game)
        return Player(*given, unsigned=said.unsigned, by_mail=said.by_mail, tell=tell)


def is_id(text: str) -> bool:
    """Is it a game's id, as the record spells it?"""
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False
