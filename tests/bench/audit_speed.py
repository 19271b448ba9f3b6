"""A whole audit beside the Ed25519 verifications that it needs, in one process and on two cores."""

import base64
from collections.abc import Callable

from client.parallel_audit import LONG, VerifierProcess
from engine.games.tikal.meta import TikalOptions
from engine.record.audit import audit
from engine.record.log import bundle
from engine.record.log.entry import read_entry
from engine.record.signed import keys, note
from tests.kit.play_record import Record

from .timing import heading, line, side_by_side

GAMES: dict[str, Callable[[], Record]] = {
    "pig, 4 seats": lambda: Record("pig", 4),
    "bids, 5 seats": lambda: Record("bids", 5),
    "livingstone, 4 seats": lambda: Record("livingstone", 4),
    "tikal, 4 seats": lambda: Record("tikal", 4),
    "tikal with auction, 4 seats": lambda: Record("tikal", 4, options=TikalOptions(variant="auction")),
    "discoveries, 4 seats": lambda: Record("discoveries", 4),
    "lewis_clark, 4 seats": lambda: Record("lewis_clark", 4),
}


def main() -> None:
    heading("Audit of a finished game against its bare Ed25519 verifications (aim: 2.5 times; on two cores 1.5 times)")
    for name, game in GAMES.items():
        report(name, game().play().bundle())


def report(name: str, data: bytes) -> None:
    signed = signatures(data)
    alone, both, bare = side_by_side(lambda: check(data), lambda: on_two_cores(data), lambda: verify(signed), runs=9)
    line(f"{name}: audit", f"{alone * 1e3:,.1f} ms", f"{len(data):,} bytes")
    line("  on two cores", f"{both * 1e3:,.1f} ms", "" if len(data) >= LONG else "so short a file is checked on one")
    line(
        f"  its {len(signed)} bare verifications",
        f"{bare * 1e3:,.1f} ms",
        f"audit / bare = {alone / bare:.2f}, on two cores {both / bare:.2f}",
    )


def check(data: bytes) -> None:
    report = audit(data)
    assert report.exit == 0, report.text()


def on_two_cores(data: bytes) -> None:
    """Even if this machine has no second one free now."""
    with VerifierProcess() as child:
        assert audit(data, signatures=child).exit == 0


def verify(signed: list[tuple[bytes, bytes, bytes]]) -> None:
    assert all(keys.verify(*one) for one in signed)


def signatures(data: bytes) -> list[tuple[bytes, bytes, bytes]]:
    """Every (public key, message, signature) of a bundle: the players' and the note's."""
    found = bundle.read(data)
    public: dict[str, bytes] = {}
    out = []
    for entry in map(read_entry, found.lines):
        text = entry.body.get("jws")
        if text is None:
            continue
        one = keys.read_jws(text)
        if entry.kind == "joined":
            public[one.kid] = keys.parse_jwk(one.payload["key"])
        out.append((public[one.kid], one.signing_input, one.signature))
    last = note.read(found.note)
    server = keys.parse_jwk({"crv": "Ed25519", "kty": "OKP", "x": read_entry(found.lines[0]).body["server_key"]})
    return [*out, (server, last.text.encode(), base64.b64decode(last.signatures[0].rpartition(" ")[2])[4:])]
