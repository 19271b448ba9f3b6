"""A whole audit beside the bare Ed25519 verifications that it cannot do without."""

from engine import registry
from engine.record import bundle, jws, keys, note
from engine.record.audit import audit
from engine.record.entry import read_entry
from tests.kit.play_record import Record

from .timing import heading, line, side_by_side

GAMES = {"pig": 4, "bids": 5, "livingstone": 4, "tikal": 4, "discoveries": 4, "lewis_clark": 4}


def main() -> None:
    heading("Audit of a finished game against its bare Ed25519 verifications (aim: at most 2 times)")
    for key, seats in GAMES.items():
        if key in registry.games():
            report(key, seats)


def report(key: str, seats: int) -> None:
    played = Record(key, seats)
    played.play()
    data = played.bundle()
    signed = signatures(data)
    whole, bare = side_by_side(lambda: check(data), lambda: verify(signed), runs=9)
    line(f"{key}, {seats} seats: audit", f"{whole * 1e3:,.1f} ms", f"{len(data):,} bytes")
    line(f"  its {len(signed)} bare verifications", f"{bare * 1e3:,.1f} ms", f"audit / bare = {whole / bare:.2f}")


def check(data: bytes) -> None:
    report = audit(data)
    assert report.exit == 0, report.text()


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
        one = jws.read(text)
        if entry.kind == "joined":
            public[one.kid] = keys.parse_jwk(one.payload["key"])
        out.append((public[one.kid], one.signing_input, one.signature))
    last = note.read(found.note)
    server = keys.parse_jwk({"crv": "Ed25519", "kty": "OKP", "x": read_entry(found.lines[0]).body["server_key"]})
    return [*out, (server, last.text.encode(), last.signatures[0][1][4:])]
