"""Good bundles taken apart, their acts opened, and both put together again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from engine.errors import BadRecord
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.signed import keys, note
from tests.audit.bundles import good
from tests.kit.play_record import OTHER_SEED, SERVER_SEED, seed_of

Body = dict[str, Any]


class Parts(NamedTuple):
    """A bundle taken apart; `note` is [its text]."""

    entries: list[Body]
    openings: list[Body]
    note: list[str]


@cache
def bases() -> dict[str, bytes]:
    """The small good bundles, by name: those of the tiny games."""
    return {name: data for source in (good.stages, good.clocks, good.hands, good.unseen) for name, data in source()}


@cache
def apart(name: str) -> Parts:
    head, signed, tail = bases()[name].decode().split("\n\n", 2)
    line, _, rest = tail.partition("\n\n")
    entries = [json.loads(text) for text in head.split("\n")[1:]]
    return Parts(entries, [json.loads(text) for text in rest.splitlines()], [f"{signed}\n\n{line}\n"])


@cache
def seeds() -> dict[str, bytes]:
    """Every private seed that a good bundle uses, by kid."""
    numbers = (*range(10), 50, 51, 52, 66, 77, *range(100, 120), *range(200, 220))
    known = [seed_of(seat, which) for seat in range(5) for which in numbers]
    return {keys.thumbprint(keys.public_of(seed)): seed for seed in (*known, SERVER_SEED, OTHER_SEED)}


# --- acts -------------------------------------------------------------------------------------------------------------


def open_act(jws: object) -> tuple[Body, Body, bytes] | None:
    """Header, payload and signature of a JWS, if it is one."""
    try:
        header, payload, signature = (canonical.from_base64url(part) for part in str(jws).split("."))
        opened = json.loads(header), json.loads(payload), signature
    except (ValueError, BadRecord):
        return None
    return opened if all(isinstance(part, dict) and part for part in opened[:2]) and "kid" in opened[0] else None


def act_text(header: Body, payload: str, seed: bytes | None, signature: bytes | None = None) -> str:
    first = f"{canonical.to_base64url(_line(header))}.{canonical.to_base64url(payload.encode())}"
    made = signature or keys.sign(seed or OTHER_SEED, first.encode())
    return f"{first}.{canonical.to_base64url(made)}"


def _line(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


# --- made to look whole again -----------------------------------------------------------------------------------------


def together(parts: Parts, repair: str) -> bytes:
    lines = _chained(parts.entries, sign=repair == "conspired") if repair in ("chained", "conspired") else [
        _line(body) for body in parts.entries
    ]  # fmt: skip
    text = parts.note[0] if repair == "nothing" or not lines else _noted(parts.entries[0], lines)
    rest = b"".join(_line(opening) + b"\n" for opening in parts.openings)
    head = b"sealedmove bundle 1\n" + b"".join(line + b"\n" for line in lines)
    return head + b"\n" + text.encode() + b"\n" + rest


def _chained(entries: list[Body], *, sign: bool) -> list[bytes]:
    lines: list[bytes] = []
    for number, body in enumerate(entries):
        prev = canonical.to_base64url(leaf(lines[-1]) if lines else bytes(32))
        again = {**body, "seq": number, "prev": prev}
        opened = open_act(body.get("jws")) if sign else None
        if opened is not None and opened[0]["kid"] in seeds():
            payload = opened[1] | {"seq": number, "prev": prev}
            again["jws"] = act_text(opened[0], _line(payload).decode(), seeds()[opened[0]["kid"]])
        lines.append(_line(again))
    return lines


def _noted(first: Mapping[str, Any], lines: list[bytes]) -> str:
    server, game = (first.get(name) for name in ("server", "game"))
    seed = OTHER_SEED if first.get("server_key") == canonical.to_base64url(keys.public_of(OTHER_SEED)) else SERVER_SEED
    return note.write(str(server), str(game), len(lines), leaf(lines[-1]), seed)
