"""Join a table of Tikal and play legal moves at random, with a generated client and PyJWT for the signatures.

    make clients
    PYTHONPATH=build/clients/python python examples/play.py           # opens a table for two and prints its number
    PYTHONPATH=build/clients/python python examples/play.py GAME      # joins that table

`SITE` is the server, `MAIL` the page with its caught mails. At the end the game's bundle is written to `BUNDLE`.
"""

import base64
import hashlib
import json
import os
import pathlib
import re
import secrets
import sys
import time
from typing import Any, TypeVar
from uuid import UUID

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sealedmove_client import AuthenticatedClient, Client
from sealedmove_client.api.acts import join_game, submit_move
from sealedmove_client.api.bots import create_bot
from sealedmove_client.api.games import create_game, get_game
from sealedmove_client.api.keys import create_key_challenge, register_key
from sealedmove_client.api.log import get_bundle, get_log
from sealedmove_client.api.login import confirm_login, request_login
from sealedmove_client.api.position import list_legal
from sealedmove_client.models import (
    Answer,
    BotName,
    Challenge,
    Confirm,
    CreateGame,
    Game,
    Join,
    JoinPayload,
    Jwk,
    Key,
    Login,
    MadeBot,
    Move,
    Problem,
    RegisterKey,
    RegisterPayload,
    SignedIn,
    TikalDone,
    TikalLegal,
    TikalMovePayload,
    TikalTry,
)

SITE, MAIL = os.environ.get("SITE", "http://127.0.0.1:8000"), os.environ.get("MAIL", "http://127.0.0.1:8001")
HOST = httpx.URL(SITE).netloc.decode()
T = TypeVar("T")


def expect(kind: type[T], answer: object) -> T:
    """Return the answer if it is of this kind; otherwise end the program with the server's error."""
    if isinstance(answer, Problem):
        sys.exit(f"{answer.code}: {answer.title}")
    assert isinstance(answer, kind), answer
    return answer


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


KEY = Ed25519PrivateKey.generate()
JWK = Jwk(crv="Ed25519", kty="OKP", x=b64(KEY.public_key().public_bytes_raw()))
KID = b64(hashlib.sha256(json.dumps(JWK.to_dict(), separators=(",", ":"), sort_keys=True).encode()).digest())


def sign(payload: dict[str, Any], typ: str = "sealedmove+jws") -> str:
    return jwt.encode(payload, KEY, algorithm="EdDSA", headers={"kid": KID, "typ": typ})


def sign_in() -> AuthenticatedClient:
    """Sign in by a mailed link, which the page of caught mails shows. A bot of this account then plays."""
    client, me = Client(SITE), f"pia.{secrets.token_hex(4)}@players.example"
    request_login.sync(client=client, body=Login(email=me, name="Pia"))
    while not (links := re.findall(r"/login/([\w.~-]+)", httpx.get(f"{MAIL}/mail.json", params={"to": me}).text)):
        time.sleep(0.2)
    found = expect(SignedIn, confirm_login.sync(client=client, body=Confirm(token=links[0], name="pia")))
    person = AuthenticatedClient(SITE, found.token)
    bot = expect(MadeBot, create_bot.sync(client=person, body=BotName(name="Pia's program")))
    return AuthenticatedClient(SITE, bot.token, timeout=httpx.Timeout(40))


def register(client: AuthenticatedClient) -> None:
    nonce = expect(Challenge, create_key_challenge.sync(client=client)).nonce
    payload = RegisterPayload(v=1, aud=HOST, act="register", key=JWK, nonce=nonce).to_dict()
    expect(Key, register_key.sync(client=client, body=RegisterKey(jws=sign(payload, "sealedmove-key+jws"))))


def looked_at(client: AuthenticatedClient, number: UUID) -> Game:
    return expect(Game, get_game.sync(number, client=client))


def join(client: AuthenticatedClient, game: Game, seat: int) -> None:
    payload = JoinPayload(
        v=1, aud=HOST, game=game.id, act="join", seat=seat, seq=game.head.seq + 1, prev=game.head.hash_,
        key=JWK, recovery=None, bot=True, nonce=b64(secrets.token_bytes(32)),
    )  # fmt: skip
    expect(Answer, join_game.sync(game.id, client=client, body=Join(jws=sign(payload.to_dict()))))


def move(client: AuthenticatedClient, game: Game, seat: int) -> None:
    """Choose a legal command by the entry's number; half of the time end the turn where that is legal."""
    legal = expect(list, list_legal.sync(game.id, client=client))
    commands = [option.command for option in legal if isinstance(option, TikalLegal)]
    chosen = commands[game.head.seq * 7 % len(commands)]
    end = [TikalTry(try_=TikalDone(do="done"))] if game.head.seq % 4 < 2 else []
    payload = TikalMovePayload(
        v=1, aud=HOST, game=game.id, act="move", seat=seat, seq=game.head.seq + 1, prev=game.head.hash_,
        commands=[chosen, *end],
    )  # fmt: skip
    expect(Answer, submit_move.sync(game.id, client=client, body=Move(jws=sign(payload.to_dict()))))


def main() -> None:
    client = sign_in()
    register(client)
    if len(sys.argv) > 1:
        game, seat = looked_at(client, UUID(sys.argv[1])), 1
    else:
        game, seat = expect(Game, create_game.sync(client=client, body=CreateGame(type_="tikal", seats=2))), 0
        print(game.id, flush=True)
    join(client, game, seat)
    while (game := looked_at(client, game.id)).status in ("lobby", "running"):
        if seat in game.active:
            move(client, game, seat)
        else:  # hold a request until something happens
            get_log.sync(game.id, client=client, after=game.head.seq, wait=20)
    assert game.result is not None
    print(f"over: {game.result.reason}, places {game.result.places}")
    bundle = expect(str, get_bundle.sync(game.id, client=client))
    pathlib.Path(os.environ.get("BUNDLE", "game.txt")).write_text(bundle, "utf-8", newline="\n")


main()
