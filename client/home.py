"""A person's files on this machine: for each server a token, a key and games. `SEALEDMOVE_HOME`, else `~/.sealedmove`.

last                         the server of the last sign-in
hosts/HOST/account           address, token, name; mode 0600
hosts/HOST/key               the key that this machine signs with there; mode 0600
hosts/HOST/recovery          the public half of the recovery key, which is kept elsewhere
hosts/HOST/asked             exists once the person was asked about one
hosts/HOST/games/ID/         the state of a game (`memory.py`), and what was agreed to there
hosts/HOST/games/servers/    the server's keys (`pins.py`)
audits/                      how far audits of folders have come (`archive_progress.py`)
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import msgspec

from client import atomic_files, folders, keys
from client.errors import ClientError
from client.game import Player, print_warning
from client.http import Api
from client.keys import Key
from client.memory import Memory
from client.pins import Pins, pins_at
from client.session import Session
from engine.record.signed.keys import Jwk, jwk, parse_jwk


class NotSignedInError(ClientError):
    """No account is signed in at this server, or at any."""


class Account(msgspec.Struct):
    """The account that is signed in at a server."""

    url: str
    token: str
    account: str
    name: str


class UnsignedConsent(msgspec.Struct):
    """The person's agreement to a table where moves without a signature are possible."""

    unsigned: bool = False
    by_mail: bool = False


class Home:
    """The folder of one person, which only they may read. `http` replaces the connections to servers."""

    def __init__(self, folder: Path, http: httpx.Client | None = None) -> None:
        self.folder = folder
        self._http = http

    def api(self, url: str) -> Api:
        """A server without an account."""
        return Api(url, None, self._http)

    def hosts(self) -> list[Host]:
        """The servers with a signed-in account, the last one first."""
        found = (self.folder / "hosts").glob("*/account")
        last = (atomic_files.read(self.folder / "last") or b"").decode()
        return sorted(
            (Host(path.parent, self._http) for path in found), key=lambda host: (host.folder.name != last, host.folder)
        )

    def host(self, wanted: str | None = None) -> Host:
        """The server of this name or address, or the last one; NotSignedInError without an account there."""
        known = self.hosts()
        found = [host for host in known if wanted is None or wanted.rstrip("/") in (host.name, host.account.url)]
        if not found:
            where = f" at {wanted}" if wanted else ""
            raise NotSignedInError(f"you are not signed in{where}")
        return found[0]

    def pins(self, server: str) -> Pins:
        """The known keys of this server, from the games that this machine has read there."""
        return pins_at(self.folder, server)

    def remember(self, account: Account) -> Host:
        """Store a sign-in; this server is then the default."""
        name = quote(urlsplit(account.url).netloc, safe="")
        folder = self.folder / "hosts" / name
        folders.make_private(folder)
        atomic_files.write(folder / "account", msgspec.json.encode(account))
        atomic_files.write(self.folder / "last", name.encode())
        return Host(folder, self._http)


class Host:
    """One server, with the account that is signed in there."""

    def __init__(self, folder: Path, http: httpx.Client | None = None) -> None:
        self.folder = folder
        self._http = http

    @property
    def account(self) -> Account:
        """KeyFileError if others can read the token."""
        path = self.folder / "account"
        if path.stat().st_mode & keys.OTHERS:
            raise keys.KeyFileError(
                f"others can read {path}: run chmod 600 on it, and replace the token, which they may know"
            )
        return msgspec.json.decode(path.read_bytes(), type=Account)

    @property
    def name(self) -> str:
        return urlsplit(self.account.url).netloc

    @property
    def key(self) -> Key:
        """This machine's key at this server, made on first use."""
        return keys.load_or_make(self.folder / "key")

    @property
    def session(self) -> Session:
        held = self.account
        return Session(Api(held.url, held.token, self._http), held.account, held.name)

    def sign_out(self) -> None:
        """Delete the token. The key and the games stay."""
        (self.folder / "account").unlink(missing_ok=True)

    def forget(self, *, proofs: bool) -> None:
        """Delete the key and the copies of games; with `proofs` also what would prove a rewritten log."""
        for name in ("key", "recovery", "asked"):
            (self.folder / name).unlink(missing_ok=True)
        if proofs:
            shutil.rmtree(self.folder / "games", ignore_errors=True)
            return
        for path in (self.folder / "games").glob("*"):
            if is_id(path.name):
                self.memory(path.name).forget()

    # --- recovery -----------------------------------------------------------------------------------------------------

    def recovery(self) -> Jwk | None:
        """The public half of the recovery key for new seats; None if there is none."""
        kept = atomic_files.read(self.folder / "recovery")
        return None if kept is None else jwk(parse_jwk(msgspec.json.decode(kept)))

    def keep_recovery(self, public: Jwk) -> None:
        atomic_files.write(self.folder / "recovery", msgspec.json.encode(public))

    def was_asked(self) -> bool:
        """Was the person asked about a recovery key? That happens once."""
        return (self.folder / "asked").exists()

    def keep_asked(self) -> None:
        atomic_files.write(self.folder / "asked", b"")

    # --- games --------------------------------------------------------------------------------------------------------

    def games(self) -> list[str]:
        """The games that are stored here."""
        found = (self.folder / "games").glob("*")
        return sorted(path.name for path in found if is_id(path.name) and (path / "agreed").exists())

    def memory(self, game: str) -> Memory:
        return Memory(self.folder / "games" / game)

    def sit(self, game: str, agreed: UnsignedConsent) -> None:
        """Store a game as one of ours, with what was agreed to."""
        atomic_files.write(self.memory(game).folder / "agreed", msgspec.json.encode(agreed))

    def agreed(self, game: str) -> UnsignedConsent:
        kept = atomic_files.read(self.folder / "games" / game / "agreed")
        return UnsignedConsent() if kept is None else msgspec.json.decode(kept, type=UnsignedConsent)

    def player(self, game: str, tell: Callable[[str], None] = print_warning) -> Player:
        """Our `Player` in this game, also without a seat."""
        said = self.agreed(game)
        given = self.session.api, game, self.key, self.memory(game)
        return Player(*given, unsigned=said.unsigned, by_mail=said.by_mail, tell=tell)


def is_id(text: str) -> bool:
    """Is this the id of a game, as the record spells it?"""
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False
