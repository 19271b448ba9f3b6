"""The fixed inputs of the vectors: a hidden toy game of two seats. Seals, state and note are those of a prototype."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.kit import second

HERE = Path(__file__).parent
SECRET = bytes(range(32))
DRAWS = 256
SEEDS = (b"\x01" * 32, b"\x02" * 32)
SERVER_SEED = b"\x09" * 32
RECOVERY_SEED = b"\x03" * 32
NONCES = (b"\xa0" * 32, b"\xa1" * 32)
SERVER = "games.example"
GAME = "0193f3c2-0000-7000-8000-000000000001"
MOVE_TEXT = '{"commands":[["take"],["give",7]],"salt":"wMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMA"}'
CREATED = (
    b'{"at":"2026-11-21T10:00:00Z","chance":{"chain":"sQmcx94q2cKvGom0z7nn7Korz54lPbP5sVuLBBAnH74","draws":256},'
    b'"clock":{"bank":86400,"cap":604800,"grace":43200,"grants":604800,"increment":3600,"missed":2,"move":259200},'
    b'"game":"0193f3c2-0000-7000-8000-000000000001","handover":{"by":"both","wait":3600},"hidden":true,"kind":"created",'
    b'"options":{},"prev":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","rules":{"data":null,"game":"toy","version":1},'
    b'"seats":2,"seq":0,"server":"games.example","server_key":"_RckOFqgx1tk-3jNYC-h2ZH96_drE8WO1wLqyDXp9hg",'
    b'"terms":null,"unsigned":false,"v":1}'
)
STARTED = (
    b'{"at":"2026-11-21T10:03:00Z","draws":{"first":1,"got":[[6,1]],'
    b'"key":"ZsDLsSPjYOoHV2z3Vv3QR4z6dJDGk-UzZgHFU7_yzPE"},"events":[{"e":"took","seat":0},{"e":"took","seat":0},{"e":"took","seat":1},'
    b'{"e":"took","seat":1},'
    b'{"die":2,"e":"rolled"}],"game":"0193f3c2-0000-7000-8000-000000000001","kind":"started",'
    b'"prev":"s3SP_wlNgHpuyv8HKMx4qItlGeAf8Et7Kt-zqWkJEq8","seals":["6sxD751RzcDYACHhRNI9ykxZpbeveg__VpZ8DohhKQE",'
    b'"8uCUkjzPIKvTUjgo3lTXiubd44WYqF05o1Er92rhv5s","uOsbOfm7pAS68hWZoTKLW-6xksn8ZjsPXAhProELuCg"],"seq":3,'
    b'"state":"VL1cfBSNnmtNxmcRtZqnCYbX0HjF1_YZZtwiicSt1CQ","v":1}'
)
NOTE = (
    "games.example/game/0193f3c2-0000-7000-8000-000000000001\n8\nxzm5lhOVnxh+xBH9SJMdeQ2vtrt2Z6bBkAAZ+QMsP4I=\n\n"
    "\u2014 games.example ihtgtQKk42EczWinqABEb8dd1hRTk0Z2N3WT6uuC8NwiCMFF4WYw9W3nK0VcTQ6opTy9QMbfS1TjZaK8NeFWMcY0"
    "5wA=\n"
)


def thumbprint(i: int) -> bytes:
    return second.thumbprint(second.public(SEEDS[i]))


def entropy() -> bytes:
    return second.entropy(second.leaf(CREATED), [(thumbprint(i), NONCES[i]) for i in (0, 1)])


def joined(i: int, prev: bytes) -> bytes:
    """The line with which seat i joins: entries 1 and 2 are between those above."""
    key = {"key": second.jwk(second.public(SEEDS[i])), "nonce": second.b64(NONCES[i])}
    recovery = None if i else second.jwk(second.public(RECOVERY_SEED))
    where = {"game": GAME, "seat": i, "seq": i + 1, "prev": second.b64(prev)}
    act = {"v": 1, "aud": SERVER, "act": "join", **where, **key, "recovery": recovery, "bot": False}
    entry = {"v": 1, **where, "at": f"2026-11-21T10:0{i + 1}:00Z", "kind": "joined", "bot": False}
    return second.canonical({**entry, "jws": second.jws(SEEDS[i], act)})


def payload(act: str = "move", **body: Any) -> dict[str, Any]:
    """The payload that seat 0 signs on entry 3."""
    where = {"aud": SERVER, "game": GAME, "seat": 0, "seq": 4, "prev": second.b64(second.leaf(STARTED))}
    if act == "move" and not body:
        body = {"sealed": second.sealed(MOVE_TEXT)}
    return {"v": 1, "act": act, **where, **body}


def entry(kind: str, **body: Any) -> dict[str, Any]:
    """An entry that follows entry 3."""
    first = {"v": 1, "game": GAME, "seq": 4, "prev": second.b64(second.leaf(STARTED)), "at": "2026-11-21T10:04:00Z"}
    return {**first, "kind": kind, **body}


def public_facts(file: str) -> Any:
    """Vectors by others, stored beside this module."""
    return json.loads((HERE / file).read_text("ascii"))
