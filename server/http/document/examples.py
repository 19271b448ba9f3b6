"""An example of every request, signed with a published key. A test sends each."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

from engine import registry, replay
from engine.kit import active, legal
from engine.kit.notation import Step, dump_steps
from engine.record.encoding import canonical
from engine.record.signed import acts, keys
from engine.record.signed.moves import move_text, seal_move
from engine.selfplay import lanes, seed_of

GAME, HOST = "0193f3c2-0000-7000-8000-000000000001", "games.example"
SEED = hashlib.sha256(b"an example's key, known to everybody").digest()
KEY = keys.jwk(keys.public_of(SEED))
PLACE = (HOST, GAME, 0, 4, hashlib.sha256(b"the entry before").digest())
NONCE = hashlib.sha256(b"a nonce").digest()
NOTE = f"{HOST}/game/{GAME}\n4\nxxiGVPL12NBtpkM+mCpMvGPRs1ZFnFmWd5nUZ3jyzeA=\n\n— {HOST} c2lnbmF0dXJl\n"
ENTRY = f'{{"at":"2026-11-21T10:00:00Z","game":"{GAME}","kind":"left","prev":"xxiG","seat":0,"seq":3}}'
TEXT = move_text([{"do": "coins", "die": 3}], NONCE)
_BOXED = {
    "alg": "PBES2-HS512+A256KW",
    "aud": HOST,
    "enc": "A256GCM",
    "p2c": 8192,
    "p2s": canonical.to_base64url(bytes(16)),
}
_BOXED |= {"kid": keys.thumbprint(keys.public_of(SEED)), "sub": "7"}
# Empty: the test vectors show how a key is wrapped.
BOX = ".".join(canonical.to_base64url(part) for part in (canonical.dumps(_BOXED), *map(bytes, (40, 12, 140, 16))))
WAYS: dict[str, dict[str, Any]] = {
    "requestLogin": {"email": "ada@players.example", "name": "Ada"},
    "confirmLogin": {"token": "what-follows-login-in-the-mailed-link", "name": "my program"},
    "renameMe": {"name": "Ada"},
    "createToken": {"name": "my program", "scopes": ["read", "play"]},
    "createGame": {"type": "tikal", "seats": 2, "options": {}, "clock": {"move": 259200}, "handover": "both"},
    "grantTime": {"seats": [1], "seconds": 86400},
    "compareNote": {"note": NOTE},
    "handInLines": {"note": NOTE, "entries": [ENTRY], "moves": []},
    "previewMove": {"type": "livingstone", "commands": [{"do": "coins", "die": 3}]},
    "previewLessonStep": {"type": "livingstone", "commands": [{"do": "coins", "die": 3}]},
}


def _signed(payload: Any, typ: str = keys.TYP) -> dict[str, str]:
    return {"jws": keys.sign_jws(SEED, payload, typ=typ)}


@cache
def requests() -> dict[str, dict[str, Any]]:
    """Example bodies by operation."""
    register = {"v": 1, "aud": HOST, "act": "register", "key": KEY, "nonce": keys.thumbprint(keys.public_of(SEED))}
    return WAYS | {
        "putBox": {"box": BOX, "x": KEY["x"]},
        "registerKey": _signed(register, "sealedmove-key+jws"),
        "joinGame": _signed(acts.join(*PLACE, KEY, NONCE, None, bot=False)),
        "leaveGame": _signed(acts.leave(*PLACE)),
        "submitMove": _signed(acts.move(*PLACE, sealed=seal_move(TEXT))) | {"text": TEXT},
        "resignGame": _signed(acts.resign(*PLACE)),
        "changeKeys": _signed(acts.key(*PLACE, drop=keys.thumbprint(keys.public_of(SEED)))),
        "offerSeat": _signed(acts.offer(*PLACE, open_=True)),
        "takeSeat": _signed(acts.take(*PLACE, KEY, None, bot=False)),
    }


@cache
def first_steps(key: str) -> list[Any]:
    """A legal first move of a game."""
    game = registry.find(key)
    seats, seed = max(2, game.meta.seats[0]), seed_of("an example")
    state = replay.start(game, seats, game.meta.options(), lanes(seed, "chance"), lanes(seed, "secret")).state
    command = next(iter(legal(game, state, active(game, state)[0])))
    return dump_steps((Step(command),))
