"""Small games for bundles, and how a dishonest server writes an entry into one."""

from __future__ import annotations

from typing import Any

from engine.record.compose import entries as c
from engine.record.encoding import canonical
from engine.record.signed import keys
from tests.kit.attempts import Attempt
from tests.kit.games.bids import BidsOptions
from tests.kit.games.pig import PigOptions
from tests.kit.play_record import Record, rewrite

OTHER = b"\x77" * 32
# A clock whose time is soon used up.
SHORT = {"move": 600, "bank": 300, "increment": 60, "cap": 400, "grace": 60, "missed": 1, "grants": 7200}
ROLL: list[Any] = [{"do": "roll"}]
Body = dict[str, Any]


def pig(seats: int = 2, goal: int = 8, **given: Any) -> Record:
    return Record("pig", seats, options=PigOptions(goal=goal), seed=2, **given)


def bids(seats: int = 2, **given: Any) -> Record:
    return Record("bids", seats, options=BidsOptions(lots=2), seed=2, **given)


def handing(seats: int = 2, *, recovery: bytes | None = None, **given: Any) -> Record:
    """A game of pig whose seats may change hands; seat 0 may have a recovery key, and has the turn."""
    record = pig(seats, 50, start=False, **{"handover": "both", **given})
    for seat in range(seats):
        record.join(seat, recovery=None if seat else recovery)
    record.start()
    return record


def turn_of(record: Record, seat: int) -> Record:
    """Played until it is this seat's turn."""
    while record.table.active != (seat,):
        assert not record.table.is_over
        record.play(1)
    return record


def forced(record: Record, commands: list[Any] | None = None, text: str | None = None, **body: Any) -> Record:
    """With an entry whose events the engine makes, and that no honest server would write."""
    record.put(c._with_events(record.table, record.secret, record.at, body, commands, text))
    return record


def written(record: Record, tried: Attempt) -> bytes:
    """The bundle with an entry without events that no honest server would write."""
    record.put(c._plain(record.table, record.at, kind=tried.kind, **tried.body))
    return record.bundle()


def changed_last(record: Record, **members: Any) -> list[bytes]:
    """The lines, with other members in the last; None leaves one out."""
    last = len(record.lines) - 1
    return rewrite(record.lines, lambda body: _changed(body, members) if body["seq"] == last else body)


def _changed(body: Body, members: Body) -> Body:
    return {name: value for name, value in {**body, **members}.items() if value is not None}


def at_start(lines: list[bytes], **members: Any) -> list[bytes]:
    return rewrite(lines, lambda body: body | (members if body["seq"] == 0 else {}))


def without(lines: list[bytes], *names: str) -> list[bytes]:
    return rewrite(lines, lambda body: {name: value for name, value in body.items() if name not in names})


def signed_text(seed: bytes, payload: str, header: str | None = None) -> str:
    """A JWS over a payload spelled as its signer liked."""
    kid = keys.thumbprint(keys.public_of(seed))
    usual = canonical.dumps({"alg": "Ed25519", "kid": kid, "typ": "sealedmove+jws"}).decode()
    signing = f"{canonical.to_base64url((header or usual).encode())}.{canonical.to_base64url(payload.encode())}"
    return f"{signing}.{canonical.to_base64url(keys.sign(seed, signing.encode()))}"
