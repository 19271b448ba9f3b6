"""Values: the results of each function of the specification."""

from __future__ import annotations

from typing import Any

from tests.kit import second
from tests.kit.vectors import scene

EVENTS = (
    [{"is": "took", "card": 3, "seat": 0}, {"is": "took", "seat": 1}],
    [{"is": "took", "seat": 0}, {"is": "took", "card": 5, "seat": 1}],
    [{"is": "took", "card": 3, "seat": 0}, {"is": "took", "card": 5, "seat": 1}],
)
STATE = {"rules": 1, "seats": 2, "hands": [[3], [5]], "die": 2}


def values() -> dict[str, Any]:
    return {
        "labels": _labels(),
        "chain": _chain(),
        "entropy": _entropies(),
        "draws": _draws(),
        "keys": [_key(seed) for seed in (*scene.SEEDS, scene.SERVER_SEED)],
        "signatures": scene.public_facts("rfc8032.json"),
        "moves": [{"text": scene.MOVE_TEXT, "sealed": second.sealed(scene.MOVE_TEXT)}],
        "seals": [_seals(3), _seals(12)],
        "states": [_state(scene.SECRET, 3), _state(None, 3)],
        "leaves": [_leaf(b""), _leaf(scene.CREATED), _leaf(scene.STARTED)],
        "notes": [_note(8, second.base64.b64decode(scene.NOTE.split("\n")[2])), _note(4, second.leaf(scene.STARTED))],
        "secrets": _secrets(),
    }


def _labels() -> list[dict[str, Any]]:
    wanted = [("chain", 256, 0), ("hidden", 1, 0), ("seal", 3, 0), ("seal", 1, 23), ("seal", 12, 3), ("state", 3, 0)]
    return [
        {"secret": scene.SECRET.hex(), "label": x, "a": a, "b": b, "key": second.K(scene.SECRET, x, a, b).hex()}
        for x, a, b in wanted
    ]


def _chain() -> dict[str, Any]:
    links = second.chain(scene.SECRET, scene.DRAWS)
    shown = [{"d": d, "key": links[d].hex()} for d in (256, 255, 2, 1, 0)]
    return {"secret": scene.SECRET.hex(), "draws": scene.DRAWS, "links": shown}


def _entropies() -> list[dict[str, Any]]:
    created = second.leaf(scene.CREATED)
    pairs = [(second.H(b"thumbprint %d" % i), second.H(b"nonce %d" % i)) for i in range(5)]
    tables = [[(scene.thumbprint(i), scene.NONCES[i]) for i in (0, 1)], pairs[:1], pairs, pairs[::-1], []]
    return [
        {
            "created": created.hex(),
            "seats": [{"thumbprint": a.hex(), "nonce": b.hex()} for a, b in seats],
            "entropy": second.entropy(created, seats).hex(),
        }
        for seats in tables
    ]


def _draws() -> list[dict[str, Any]]:
    links = second.chain(scene.SECRET, scene.DRAWS)
    public = [(d, n) for n in (6, 129, 32769, 2**31 + 1) for d in range(1, 9)]
    public += [(1, n) for n in (1, 2, 255, 256, 257, 65536, 65537, 2**32)]
    hidden = [(d, 7 - d) for d in range(1, 5)]
    rows = [("public", links[d], d, n) for d, n in public]
    rows += [("hidden", second.K(scene.SECRET, "hidden", d, 0), d, n) for d, n in hidden]
    return [_draw(*row) for row in rows]


def _draw(lane: str, key: bytes, d: int, n: int) -> dict[str, Any]:
    result, taken = second.draw(key, scene.entropy(), d, n)
    entropy = scene.entropy().hex()
    return {"lane": lane, "key": key.hex(), "entropy": entropy, "d": d, "n": n, "result": result, "bytes_read": taken}


def _key(seed: bytes) -> dict[str, Any]:
    key = second.public(seed)
    return {"seed": seed.hex(), "jwk": second.jwk(key), "kid": second.b64(second.thumbprint(key))}


def _seals(seq: int) -> dict[str, Any]:
    seals = [second.seal(scene.SECRET, seq, i, events) for i, events in enumerate(EVENTS)]
    return {"secret": scene.SECRET.hex(), "seq": seq, "views": EVENTS, "seals": seals}


def _state(secret: bytes | None, seq: int) -> dict[str, Any]:
    salted = secret.hex() if secret else None
    return {"secret": salted, "seq": seq, "state": STATE, "hash": second.state(secret, seq, STATE)}


def _leaf(line: bytes) -> dict[str, str]:
    return {"line": line.decode(), "hash": second.leaf(line).hex()}


def _note(size: int, head: bytes) -> dict[str, Any]:
    text = second.note(scene.SERVER, scene.GAME, size, head, scene.SERVER_SEED)
    where = {"server": scene.SERVER, "game": scene.GAME, "size": size, "head": head.hex()}
    return {**where, "seed": scene.SERVER_SEED.hex(), "note": text}


def _secrets() -> dict[str, Any]:
    """The secret at rest: S from the master key and the game's random r, and the seeds of the server's keys 1 to 3."""
    master, r = b"\x07" * 32, b"\x08" * 32
    seeds = [second.K(master, "server", n, 0).hex() for n in (1, 2, 3)]
    secret = second.M(master, second.label("master") + r)
    return {"master": master.hex(), "r": r.hex(), "secret": secret.hex(), "server_seeds": seeds}
