"""Bundles in which a player's act is misspelled: it must be canonical, but for the order of members."""

from __future__ import annotations

import json
from collections.abc import Iterator

from engine.record.encoding import canonical
from engine.record.signed import keys, moves
from tests.audit.bundles.tools import ROLL, bids, forced, pig, signed_text
from tests.kit.play_record import Record
from tests.kit.play_record import acts as a


def forms() -> Iterator[tuple[str, bytes]]:
    yield from ((f"form-{name}", data) for name, data in (*payloads(), *headers(), *texts()))


def payloads() -> Iterator[tuple[str, bytes]]:
    plain = canonical.dumps(a.move(**pig().where(0), commands=ROLL)).decode()
    spellings = {
        "a-space": plain.replace(":", ": ", 1),
        "a-space-at-the-end": plain + " ",
        "many-lines": json.dumps(json.loads(plain), indent=1),
        "an-escaped-letter": plain.replace('"roll"', '"\\u0072oll"'),
        "an-escaped-slash": plain.replace("games.example", "games\\/example"),
        "a-member-twice": plain.replace('"seat":0', '"seat":0,"seat":0'),
        "a-number-with-a-fraction": plain.replace('"seat":0', '"seat":0.0'),
    }
    for name, payload in spellings.items():
        record = pig()
        yield f"payload-with-{name}", moved(record, signed_text(record.seeds[0], payload))


def headers() -> Iterator[tuple[str, bytes]]:
    record = pig()
    kid = record.table.occupants[0].kid  # type: ignore[union-attr]  # seat 0 is taken
    plain = canonical.dumps({"alg": "Ed25519", "kid": kid, "typ": "sealedmove+jws"}).decode()
    for name, header in (
        ("a-space", plain.replace(",", ", ", 1)),
        ("an-escaped-letter", plain.replace("Ed", "\\u0045d")),
        ("alg-none", plain.replace("Ed25519", "none")),
        ("another-typ", plain.replace("sealedmove+jws", "JWT")),
    ):
        record = pig()
        payload = canonical.dumps(a.move(**record.where(0), commands=ROLL)).decode()
        yield f"header-with-{name}", moved(record, signed_text(record.seeds[0], payload, header))


def moved(record: Record, jws: str) -> bytes:
    return forced(record, ROLL, kind="moved", seat=0, jws=jws).bundle()


def texts() -> Iterator[tuple[str, bytes]]:
    """Texts of sealed moves, signed as they stand: only the end shows that they are not texts of moves."""
    commands = [{"amount": 3, "do": "bid"}]
    plain = moves.move_text(commands, b"\x05" * 32)
    for name, text in (
        ("a-space", plain.replace(":", ": ", 1)),
        ("an-escaped-letter", plain.replace("bid", "b\\u0069d")),
        ("a-member-twice", plain.replace("{", '{"commands":[],', 1)),
        ("a-short-salt", plain.replace(canonical.to_base64url(b"\x05" * 32), canonical.to_base64url(b"\x05" * 16))),
    ):
        record = bids()
        payload = a.move(**record.where(0), sealed=moves.seal_move(text))
        body = {"kind": "moved", "seat": 0, "jws": keys.sign_jws(record.seeds[0], payload)}
        yield f"move-text-with-{name}", forced(record, commands, text, **body).play().bundle()
