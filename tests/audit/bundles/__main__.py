"""Whole bundles, good and broken, with the verdict that each must get: `python -m tests.audit.bundles` writes them.

Most are games of the two tiny test games, `pig` (open, a die) and `bids` (hidden, both lanes); the others are the
golden bundles that every later version must still judge as it did on the day they were written. A verifier in another
language needs no rules for the checks chain, signatures, draws and note; `verdicts.json` says which checks fail where.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.games.tikal.meta import TikalOptions
from engine.kit import dump_steps
from engine.record import base64url, canonical
from engine.record import compose as c
from engine.record.audit import audit
from engine.record.jws import sign
from engine.record.moves import move_text
from engine.record.plays import lanes
from tests.games.discoveries import policy
from tests.kit.games.bids import BidsOptions
from tests.kit.games.pig import PigOptions
from tests.kit.play_record import SERVER_SEED, Record, bundle_of, rewrite
from tests.kit.play_record import acts as a

FOLDER = Path(__file__).parents[2] / "openapi" / "vectors" / "bundles"
OTHER = b"\x77" * 32
ROLL = [{"do": "roll"}]
Body = dict[str, Any]


def pig(**given: Any) -> Record:
    return Record("pig", options=PigOptions(goal=8), seed=2, **given)


def bids(**given: Any) -> Record:
    return Record("bids", options=BidsOptions(lots=2), seed=2, **given)


def forced(record: Record, commands: list[Any] | None = None, text: str | None = None, **body: Any) -> Record:
    """An entry that no honest server would write."""
    record.put(c._with_events(record.table, record.secret, record.at, body, commands, text))
    return record


def at_start(lines: list[bytes], **members: Any) -> list[bytes]:
    return rewrite(lines, lambda body: body | (members if body["seq"] == 0 else {}))


def without(lines: list[bytes], *names: str) -> list[bytes]:
    return rewrite(lines, lambda body: {name: value for name, value in body.items() if name not in names})


# --- good -----------------------------------------------------------------------------------------------------------


def good() -> Iterator[tuple[str, bytes]]:
    lobby = pig(start=False)
    lobby.join(1)
    yield "open-lobby", lobby.bundle()
    yield "open-running", pig().play(2).bundle()
    yield "open-finished", pig().play().bundle()
    yield "hidden-running", bids(seats=3).play(2).bundle()
    yield "hidden-finished", bids(seats=3).play().bundle()
    cancelled = bids().play(1)
    cancelled.cancel()
    yield "hidden-cancelled", cancelled.bundle()
    yield "everything", everything().bundle()
    yield "livingstone-finished", Record("livingstone", seed=2).play().bundle()
    yield "livingstone-running", Record("livingstone", seats=3, seed=2).play(12).bundle()
    yield "tikal-finished", Record("tikal", seed=2).play().bundle()
    yield (
        "tikal-auction-running",
        Record("tikal", seats=3, seed=2, options=TikalOptions(variant="auction")).play(40).bundle(),
    )
    yield "discoveries-finished", explored().bundle()
    yield "lewis-clark-finished", Record("lewis_clark", seats=1, seed=9).play().bundle()
    yield "lewis-clark-running", Record("lewis_clark", seats=3, seed=2).play(40).bundle()


def explored() -> Record:
    """Played with purpose, a whole turn a move: a random game of Discoveries seldom explores."""
    record = Record("discoveries", seed=2)
    while not record.table.is_over:
        seat = record.table.active[-1]
        record.move(seat, dump_steps(policy.whole_turn(record.table.state, seat)))
    return record


def everything() -> Record:
    record = bids(seats=4, unsigned=True, start=False)
    for seat in (2, 0, 1, 3):
        record.join(seat, bot=seat == 3)
    record.leave(1)
    record.join(1)
    record.start()
    record.add_key(2)
    record.unsigned(0, [{"do": "bid", "amount": 1}])
    record.resign(3)
    record.expire(3)
    record.drop_key(2, record.table.occupants[2].keys[0][0])  # type: ignore[union-attr]  # seat 2 is taken
    record.expire(1)
    return record.play()


# --- broken ---------------------------------------------------------------------------------------------------------


def broken() -> Iterator[tuple[str, bytes]]:
    yield from dishonest()
    yield from damaged()
    yield from not_judged()


def dishonest() -> Iterator[tuple[str, bytes]]:
    record = pig()
    signed = c.door.check_act(record.table, record.move_jws(0, ROLL)[0])
    record.put(c.compose_moved(record.table, OTHER, record.at, signed))
    yield "chosen-die", record.bundle()
    yield "false-hidden-card", false_card().play().bundle()
    yield "rewritten-past", bundle_of(rewrite(pig().play(3).lines, lambda body: None if body["seq"] == 4 else body))
    yield "invented-move", invented().bundle()
    yield "another-move-in-the-envelope", enveloped().play().bundle()
    yield "dropped-join", bundle_of(rewrite(pig().lines[:3], lambda body: None if body["seq"] == 1 else body))
    early = bids()
    early.now = (early.table.deadline(0) or 0) - 1
    yield "early-expiry", forced(early, kind="expired", seat=0).bundle()
    yield "omitted-secret", bundle_of(without(pig().play().lines, "secret"))
    yield "quiet-end", bundle_of(without(pig().play().lines, "secret", "outcome"))
    yield "swapped-game", bundle_of(at_start(pig().lines, options={"goal": 9}))


def false_card() -> Record:
    record = bids(start=False)
    for seat in (0, 1):
        record.join(seat)
    honest = c.lanes
    c.lanes = lambda table, secret, shown=None: (lanes(table, secret)[0], lanes(table, OTHER)[1])
    try:
        record.start()
    finally:
        c.lanes = honest
    return record


def invented() -> Record:
    record, commands = pig(), ROLL
    jws = a.move(**record.where(0), commands=commands)
    return forced(record, commands, kind="moved", seat=0, jws=sign(SERVER_SEED, jws))


def enveloped() -> Record:
    record, commands = bids(), [{"amount": 9, "do": "bid"}]
    jws, _ = record.move_jws(0, [{"amount": 0, "do": "bid"}])
    return forced(record, commands, move_text(commands, bytes(32)), kind="moved", seat=0, jws=jws)


def damaged() -> Iterator[tuple[str, bytes]]:
    record = bids().play()
    wrong = base64url.encode(OTHER)
    yield (
        "another-secret",
        bundle_of(
            rewrite(record.lines, lambda body: body | ({"secret": wrong} if "secret" in body else {})), record.openings
        ),
    )
    yield "opening-missing", bundle_of(record.lines, record.openings[1:])
    running = bids().play(1)
    yield "opening-too-early", bundle_of(running.lines, running.openings)
    yield "swapped-seals", bundle_of(rewrite(record.lines, _swapped), record.openings)
    yield "cut-with-its-old-note", record.bundle().replace(record.lines[-1] + b"\n", b"")
    yield "line-repeated", record.bundle().replace(record.lines[4], record.lines[4] + b"\n" + record.lines[4])
    yield "line-ends-of-windows", pig().bundle().replace(b"\n", b"\r\n").replace(b"\r\n", b"\n", 1)
    yield "time-goes-back", bundle_of(rewrite(pig().play(1).lines, _dated))
    yield "entry-after-the-end", after_the_end()


def _swapped(body: Body) -> Body:
    seals = body.get("seals")
    return body | {"seals": [seals[1], seals[0], *seals[2:]]} if seals else body


def _dated(body: Body) -> Body:
    return body | ({"at": "2026-11-21T09:59:59Z"} if body["kind"] == "moved" else {})


def after_the_end() -> bytes:
    lines = [*pig().play().lines]
    lines.append(lines[-1])
    return bundle_of(rewrite(lines, lambda body: body))


def not_judged() -> Iterator[tuple[str, bytes]]:
    lines = pig().lines
    yield "newer-record", bundle_of(rewrite(lines, lambda body: body | {"v": 2}))
    yield "newer-rules", bundle_of(at_start(lines, rules={"game": "pig", "version": 2, "data": None}))
    yield "unknown-game", bundle_of(at_start(lines, rules={"game": "chess", "version": 1, "data": None}))
    yield "newer-bundle", pig().bundle().replace(b"bundle 1", b"bundle 2", 1)
    yield "no-bundle", b"%PDF-1.7\n"


# --- verdicts -------------------------------------------------------------------------------------------------------


def verdict_of(data: bytes) -> Body:
    """What `verdicts.json` keeps: the verdict, the stage, and the failing checks with the first entry that fails."""
    report = audit(data)
    fails = {name: check.first_failure for name, check in report.checks.items() if not check.ok}
    return {"verdict": report.verdict, "stage": report.stage} | ({"fails": fails} if report.verdict == "fails" else {})


def all_bundles() -> dict[str, bytes]:
    made: dict[str, bytes] = {}
    sources: tuple[tuple[str, Callable[[], Iterator[tuple[str, bytes]]]], ...] = (("good", good), ("broken", broken))
    for folder, source in sources:
        made |= {f"{folder}/{name}.txt": data for name, data in source()}
    return made


def main() -> None:
    made = all_bundles()
    for name, data in made.items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    verdicts = {name: verdict_of(data) for name, data in made.items()}
    canonical.dumps(verdicts)
    (FOLDER / "verdicts.json").write_text(json.dumps(verdicts, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
