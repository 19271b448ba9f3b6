"""Key boxes for tests of their form: right in every part, with nothing in it that a code would open."""

from __future__ import annotations

import hashlib
from typing import Any

from engine.record.encoding import canonical
from engine.record.signed import keys
from tests.server.harness import HOST, Player

LENGTHS = (40, 12, 140, 16)


def header(player: Player, seed: bytes, **changed: Any) -> dict[str, Any]:
    made = {"alg": "PBES2-HS512+A256KW", "aud": HOST, "enc": "A256GCM", "kid": keys.thumbprint(keys.public_of(seed))}
    made |= {"p2c": 8192, "p2s": canonical.to_base64url(bytes(16)), "sub": str(player.account)} | changed
    return {name: value for name, value in made.items() if value is not None}


def box(player: Player, seed: bytes, lengths: tuple[int, ...] = LENGTHS, **changed: Any) -> str:
    parts = (canonical.dumps(header(player, seed, **changed)), *map(bytes, lengths))
    return ".".join(canonical.to_base64url(part) for part in parts)


def put(player: Player, seed: bytes, text: str | None = None, proof: Any = None, **headers: str) -> Any:
    """Store the box of this recovery key if there is none yet, signed with `proof` or else correctly."""
    text = text or box(player, seed)
    digest = canonical.to_base64url(hashlib.sha256(text.encode()).digest())
    sent = player.auth | (player.prove("box", digest) if proof is None else proof)
    sent |= headers or {"If-None-Match": "*"}
    body = {"box": text, "x": keys.jwk(keys.public_of(seed))["x"]}
    return player.harness.client.put("/v1/me/keybox", json=body, headers=sent)


def code(answer: Any) -> tuple[int, str]:
    """The status of a refusal, and why."""
    return answer.status_code, answer.get_json()["code"]
