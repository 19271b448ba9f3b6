"""Bundles with one thing too many, or too long. Bundles right at a bound are in `good`.

The 257th `joined` and a line of more than 2^20 bytes would make large files: the vectors `lines.json` have the line,
`tests/record_table/test_rules.py` has the join.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.record.encoding import canonical
from tests.audit.bundles.good_hands import keyed
from tests.audit.bundles.tools import at_start, handing, pig, signed_text, written
from tests.kit.attempts import STRANGER, Attempt, attempt, logged
from tests.kit.play_record import Record, bundle_of
from tests.kit.play_record import acts as a
from tests.kit.records import BACK, given, hastened, opened, taken


def bounds() -> Iterator[tuple[str, bytes]]:
    yield from ((f"bounds-{name}", data) for name, data in (*numbers(), *lengths(), *numbers_in_entry_0()))


def numbers() -> Iterator[tuple[str, bytes]]:
    yield "17th-key", tried(keyed(16), "keyed")
    yield "17th-act-of-recovery", tried(recovered(), "keyed", seed=BACK, only=[STRANGER])
    yield "17th-recovery-key", tried(recovered(), "keyed", seed=BACK, recovery=STRANGER)
    yield "17th-offer-by-recovery", tried(hastened(16), "offered", seed=BACK)
    yield "65th-grant", tried(given(640, 64), "granted", seconds=1)
    yield "granted-a-second-too-much", tried(given(1000), "granted", seconds=1)
    yield "restored-of-nothing", tried(pig(), "restored", more=0)
    record = opened(16)
    record.offer(0, is_open=False)
    yield "17th-offer", tried(record, "offered")
    yield "9th-take", tried(taken(8), "taken")


def tried(record: Record, kind: str, **unusual: object) -> bytes:
    return written(record, attempt(record, kind, **unusual))


def recovered() -> Record:
    record = handing(recovery=BACK)
    for number in range(16):
        record.recover(0, BACK, 200 + number)
    return record


def lengths() -> Iterator[tuple[str, bytes]]:
    record = pig()
    many = [{"do": "roll"}] * 65
    payload = a.move(**record.where(0), commands=many)
    jws = signed_text(record.seeds[0], canonical.dumps(payload).decode())
    yield "65-commands", logged(record, Attempt("moved", {"seat": 0, "jws": jws}))
    record = pig()
    long = [{"do": "roll"}, {"try": {"do": "x" * 13_000}}]
    jws = signed_text(record.seeds[0], canonical.dumps(a.move(**record.where(0), commands=long)).decode())
    yield "long-jws", logged(record, Attempt("moved", {"seat": 0, "jws": jws}))
    record = pig()
    jws = signed_text(record.seeds[0], canonical.dumps(a.key(**record.where(0), add=KEY) | {"seq": 2**20}).decode())
    yield "seq-2-to-the-20", logged(record, Attempt("keyed", {"seat": 0, "jws": jws}))


def numbers_in_entry_0() -> Iterator[tuple[str, bytes]]:
    lines = pig(start=False).lines
    yield "65-seats", bundle_of(at_start(lines, seats=65))
    chain = pig().table.created["chance"]["chain"]
    yield "draws-2-to-the-20-and-1", bundle_of(at_start(lines, chance={"chain": chain, "draws": 2**20 + 1}))
    yield "long-server", bundle_of(at_start(lines, server="a" * 256))


KEY = {"crv": "Ed25519", "kty": "OKP", "x": pig(start=False).table.created["server_key"]}
