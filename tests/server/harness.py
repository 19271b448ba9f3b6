"""A whole server in a test: its services over a new database, a client of its API, people with keys and tokens."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from flask.testing import FlaskClient

from engine.record.signed import acts, keys
from engine.record.signed.moves import move_text, seal_move
from server.accounts import sign_in as accounts_sign_in
from server.accounts import statements
from server.accounts.keys import write as keys_write
from server.http.credentials import SCOPES
from server.kernel import secrets
from server.kernel.config import Settings
from server.kernel.db.models import ApiToken, Game, LoginLink
from server.kernel.operator_log import Operator
from server.kernel.services import Services, open_services
from tests import databases
from tests.kit import installed
from tests.server import apps

MASTER = hashlib.sha256(b"a test's master").digest()
HOST = "games.example"


def seed_of(name: str) -> bytes:
    """The private seed of a key, by a name."""
    return hashlib.sha256(f"key {name}".encode()).digest()


def settings(database_url: str, **chosen: Any) -> Settings:
    limits = {"limit_address": "", "limit_token": "", "limit_login": "", "limit_compare": "", "limit_hooks": ""}
    limits |= {"most_open_tables": 0, "most_lobby_seats": 0, "most_seats": 0}
    given = {**limits, "public_url": f"https://{HOST}", **chosen}
    return Settings(master=MASTER, database_url=database_url, **given)


def address(path: str, game: str = "00000000-0000-4000-8000-000000000000") -> str:
    """A path of the document with a value for each parameter."""
    known = {"game_id": game, "kid": "A" * 43, "key": "pig"}
    return re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], "1"), path)


WHY = ("--why", "a test")
BY = Operator("kim", "a test")


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def forward(self, **span: int) -> None:
        self.at += timedelta(**span)

    def to_now(self) -> None:
        """The machine's time, by which real processes beside the harness go."""
        self.at = datetime.now(UTC)


@dataclass
class Player:
    """A person with one key: signs acts and sends them."""

    harness: Harness
    number: int
    seed: bytes
    token: str
    account: int
    seat: int = -1

    @property
    def auth(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def nonce(self) -> bytes:
        return hashlib.sha256(b"nonce" + self.seed).digest()

    def get(self, path: str, **given: Any) -> Any:
        return self.harness.client.get(f"/v1{path}", headers={**self.auth, **given.pop("headers", {})}, **given)

    def post(self, path: str, body: Any = None, **given: Any) -> Any:
        headers = {**self.auth, **given.pop("headers", {})}
        return self.harness.client.post(f"/v1{path}", json={} if body is None else body, headers=headers, **given)

    def payload(self, game: str, act: str, *, at: tuple[int, bytes] | None = None, **body: Any) -> dict[str, Any]:
        seq, prev = at or self.harness.head(game)
        seat = body.pop("seat", self.seat)
        build: Any = getattr(acts, act)
        return build(HOST, game, seat, seq, prev, **body)

    def sign(self, payload: dict[str, Any]) -> str:
        return keys.sign_jws(self.seed, payload)

    @property
    def jwk(self) -> keys.Jwk:
        return keys.jwk(keys.public_of(self.seed))

    @property
    def kid(self) -> str:
        return keys.thumbprint(keys.public_of(self.seed))

    def join(self, game: str, seat: int, recovery: bytes | None = None) -> Any:
        """`recovery` is the private seed of a recovery key."""
        self.seat = seat
        return self.act(game, "join", self.sign(self.payload(game, "join", nonce=self.nonce, **self.holder(recovery))))

    def holder(self, recovery: bytes | None = None) -> dict[str, Any]:
        """The common part of a join and a take."""
        back = None if recovery is None else keys.jwk(keys.public_of(recovery))
        return {"key": self.jwk, "recovery": back, "bot": False}

    def leave(self, game: str) -> Any:
        return self.act(game, "leave", self.sign(self.payload(game, "leave")))

    def resign(self, game: str) -> Any:
        return self.act(game, "resign", self.sign(self.payload(game, "resign")))

    def offer(self, game: str, by: bytes | None = None, *, is_open: bool = True) -> Any:
        """An offer, signed with the private seed `by` if it is not the player's own."""
        payload = self.payload(game, "offer", open_=is_open)
        return self.act(game, "offer", keys.sign_jws(by or self.seed, payload))

    def take(self, game: str, seat: int, recovery: bytes | None = None) -> Any:
        """Take over the seat with the player's own key; after a refusal, check that the seat has not changed."""
        signed = self.sign(self.payload(game, "take", seat=seat, **self.holder(recovery)))
        answer = self.act(game, "take", signed)
        self.seat = seat if answer.status_code == 201 else self.seat
        return answer

    def rekey(self, game: str, by: bytes | None = None, **change: Any) -> Any:
        """A key act, signed with the private seed `by` if it is not the player's own."""
        payload = self.payload(game, "key" if {"add", "drop"} & change.keys() else "replace_keys", **change)
        return self.act(game, "keys", keys.sign_jws(by or self.seed, payload))

    def prove(self, act: str, about: str = "", /, by: bytes | None = None, **changed: Any) -> dict[str, str]:
        """The header with a statement of this account, signed by the private seed `by` if not by the player's own."""
        given = self.post("/me/keys/challenge").get_json()
        payload = {"v": 1, "aud": HOST, "act": act, "account": self.account, "about": about, **given, **changed}
        return {"Sealed-Move-Proof": keys.sign_jws(by or self.seed, payload, typ="sealedmove-account+jws")}

    def make_token(self, *scopes: str) -> Any:
        """Make a token; the scope `account` needs a signature."""
        proof = self.prove("token", " ".join(sorted(scopes))) if "account" in scopes else {}
        return self.post("/me/tokens", {"name": "a program", "scopes": list(scopes)}, headers=proof).get_json()

    def erase(self) -> Any:
        return self.delete("/me", **self.prove("erase"))

    def delete(self, path: str, **headers: str) -> Any:
        return self.harness.client.delete(f"/v1{path}", headers={**self.auth, **headers})

    def new_key(self, name: str) -> None:
        """Register another key and continue with it."""
        self.seed = seed_of(name)
        assert self.post("/me/keys", {"jws": self.harness.proof(self)}).status_code == 201

    def act(self, game: str, path: str, signed: str, **more: Any) -> Any:
        return self.harness.client.post(f"/v1/games/{game}/{path}", json={"jws": signed, **more})

    def signed_move(self, game: str, commands: list[Any], at: tuple[int, bytes] | None = None) -> dict[str, str]:
        """The body that moves: sealed if the game is hidden."""
        if not self.harness.is_hidden(game):
            return {"jws": self.sign(self.payload(game, "move", at=at, commands=commands))}
        salt = hashlib.sha256(self.seed + repr((commands, at or self.harness.head(game))).encode()).digest()
        text = move_text(commands, salt)
        return {"jws": self.sign(self.payload(game, "move", at=at, sealed=seal_move(text))), "text": text}

    def move(self, game: str, commands: list[Any]) -> Any:
        return self.harness.client.post(f"/v1/games/{game}/moves", json=self.signed_move(game, commands))

    def legal(self, game: str) -> list[Any]:
        return [option["command"] for option in self.get(f"/games/{game}/legal").get_json()]


class Client(FlaskClient):
    """A client for the server's own address; with `browses`, it sends what a browser sends."""

    def __init__(self, *given: Any, browses: bool = False, at: str = f"https://{HOST}", **more: Any) -> None:
        super().__init__(*given, **more)
        self.browses, self.at = browses, at

    def open(self, *given: Any, **asked: Any) -> Any:
        asked.setdefault("base_url", self.at)
        if self.browses:
            sent = asked.get("method") == "POST"
            asked["headers"] = {**(SENT if sent else GONE), **(asked.get("headers") or {})}
        return super().open(*given, **asked)

    def sign_in(self, house: Harness, email: str, name: str = "") -> Any:
        """Sign in by a mailed link; returns the answer to the button."""
        self.post("/login", data={"email": email})
        return self.post(f"/login/{house.link(email)}", data={"name": name or email.partition("@")[0]})


# An address typed by hand, and a form of ours.
GONE = {
    "Sec-Fetch-Site": "none",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
}
SENT = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@dataclass
class Harness:
    """The server and the people it knows."""

    services: Services
    clock: Clock
    client: FlaskClient = field(init=False)
    app: Any = field(init=False)

    def __post_init__(self) -> None:
        self.app = apps.take(self.services)
        self.app.test_client_class = Client
        self.client = self.app.test_client(use_cookies=False)  # a jar would take a test's own `Cookie` header out

    def close(self) -> None:
        self.services.waker.close()
        self.services.database.dispose()
        apps.give_back(self.app)

    def browser(self) -> Client:
        """A browser with cookies of its own."""
        return Client(self.app, browses=True)

    def player(self, number: int) -> Player:
        """Someone who signed in by a mailed link and registered a key, with the fewest requests."""
        email = f"player{number}@example.org"
        accounts_sign_in.request_link(self.services, email, f"Player {number}")
        made = accounts_sign_in.confirm(self.services, self.link(email), "a program", SCOPES)
        player = Player(self, number, seed_of(str(number)), made.token, made.account_id)
        self._keep_scopes(player)
        nonce = statements.give_challenge(self.services, player.account).nonce
        keys_write.register(self.services, player.account, self.signed_nonce(player.seed, nonce))
        return player

    def _keep_scopes(self, player: Player) -> None:
        """Keep all scopes, although a test's clock may move on for days."""
        lasts = {"scopes": " ".join(SCOPES), "account_until": None}
        with self.services.database.write() as session:
            session.execute(sa.update(ApiToken).where(ApiToken.account_id == player.account).values(lasts))

    def link(self, email: str) -> str:
        """The token in the mail to this address."""
        with self.services.database.read() as session:
            newest = sa.select(LoginLink).where(LoginLink.email == email).order_by(LoginLink.id.desc()).limit(1)
            return secrets.login_token(MASTER, session.scalars(newest).one())

    def proof(self, player: Player, seed: bytes | None = None, **changed: Any) -> str:
        nonce = player.post("/me/keys/challenge").get_json()["nonce"]
        return self.signed_nonce(seed or player.seed, nonce, **changed)

    def signed_nonce(self, seed: bytes, nonce: str, **changed: Any) -> str:
        key = keys.jwk(keys.public_of(seed))
        payload = {"v": 1, "aud": HOST, "act": "register", "key": key, "nonce": nonce, **changed}
        return keys.sign_jws(seed, payload, typ="sealedmove-key+jws")

    def head(self, game: str) -> tuple[int, bytes]:
        """The number and the hash of the last entry, on which the next act is signed."""
        row = self._row(game)
        return row.head_seq + 1, row.head_hash

    def is_hidden(self, game: str) -> bool:
        return bool(self._row(game).hidden)

    def _row(self, game: str) -> Any:
        """The row in the database; reading the game over the API takes ten times as long."""
        with self.services.database.read() as session:
            return session.execute(sa.select(Game.head_seq, Game.head_hash, Game.hidden).where(Game.id == game)).one()

    def game(self, key: str, players: list[Player], recovery: bytes | None = None, **wish: Any) -> str:
        """A game that all of them joined, hence started. An offered seat waits only if the wish says so.

        `recovery` is the private seed of the recovery key of the last of them.
        """
        made = players[0].post("/games", {"type": key, "seats": len(players), "offer_wait": 0, **wish})
        assert made.status_code == 201, made.get_data(as_text=True)
        game = str(made.get_json()["id"])
        for seat, player in enumerate(players):
            joined = player.join(game, seat, recovery if player is players[-1] else None)
            assert joined.status_code == 201, joined.get_data(as_text=True)
        return game

    def play_out(self, game: str, players: list[Player], most: int = 400) -> None:
        """All players make legal moves in turn until the game ends."""
        for turn in range(most):
            active = self.client.get(f"/v1/games/{game}").get_json()["active"]
            if not active:
                return
            player = next(p for p in players if p.seat == active[0])
            options = player.legal(game)
            answer = player.move(game, [options[turn % len(options)]])
            assert answer.status_code == 201, answer.get_data(as_text=True)
        raise AssertionError("the game does not end")


def harness(database_url: str, **chosen: Any) -> Harness:
    """A migrated server over this database."""
    clock = Clock()
    made = open_services(settings(database_url, **chosen))
    databases.migrate(made.database, database_url)
    return Harness(Services(made.settings, made.database, made.waker, made.tables, clock), clock)


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'sealedmove.db'}"


installed.here()
