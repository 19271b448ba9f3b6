"""Bundles of cheating servers: each is caught where the design says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.record.compose import entries as c
from engine.record.compose.decision import lanes
from engine.record.encoding import canonical
from engine.record.signed.keys import sign_jws
from engine.record.signed.moves import move_text
from tests.audit.bundles.tools import (
    OTHER,
    ROLL,
    Body,
    at_start,
    bids,
    changed_last,
    forced,
    pig,
    signed_text,
    without,
    written,
)
from tests.kit.attempts import STRANGER, attempt, logged
from tests.kit.play_record import SERVER_SEED, Record, bundle_of, rewrite
from tests.kit.play_record import acts as a
from tests.kit.records import opened
from tests.kit.vectors.example import example


def dishonest() -> Iterator[tuple[str, bytes]]:
    record = pig()
    signed = c.admission.check_act(record.table, record.move_jws(0, ROLL)[0], record.now)
    record.put(c.compose_moved(record.table, OTHER, record.at, signed))
    yield "chosen-die", record.bundle()
    yield "false-hidden-card", false_card().play().bundle()
    yield "chosen-setup", chosen_setup().bundle()
    yield "rewritten-past", bundle_of(rewrite(pig().play(3).lines, lambda body: None if body["seq"] == 4 else body))
    yield "invented-move", invented().bundle()
    yield "another-move-in-the-envelope", enveloped().play().bundle()
    yield "dropped-join", bundle_of(rewrite(pig().lines[:3], lambda body: None if body["seq"] == 1 else body))
    yield "omitted-secret", bundle_of(without(example().lines, "secret"))
    yield "quiet-end", bundle_of(without(example().lines, "secret", "outcome"))
    yield "swapped-game", bundle_of(at_start(pig().lines, options={"goal": 9}))
    yield from ends()
    yield from machines()


def false_card() -> Record:
    return started_by(lambda table, secret, shown=None: (lanes(table, secret)[0], lanes(table, OTHER)[1]))


def chosen_setup() -> Record:
    """Public draws, made with another secret than the one that entry 0 commits to."""
    return started_by(lambda table, secret, shown=None: (lanes(table, OTHER)[0], lanes(table, secret)[1]))


def started_by(false: Any) -> Record:
    record = bids(seats=3, start=False)
    for seat in range(3):
        record.join(seat)
    honest, c.lanes = c.lanes, false
    try:
        record.start()
    finally:
        c.lanes = honest
    return record


def invented() -> Record:
    record, commands = pig(), ROLL
    jws = a.move(**record.where(0), commands=commands)
    return forced(record, commands, kind="moved", seat=0, jws=sign_jws(SERVER_SEED, jws))


def enveloped() -> Record:
    record, commands = bids(), [{"amount": 9, "do": "bid"}]
    jws, _ = record.move_jws(0, [{"amount": 0, "do": "bid"}])
    return forced(record, commands, move_text(commands, bytes(32)), kind="moved", seat=0, jws=jws)


# --- outcomes: five members, as the rules say -------------------------------------------------------------------------


def ends() -> Iterator[tuple[str, bytes]]:
    record = example()
    said = record.entries[-1].body["outcome"]
    wrong = {
        "nobody-won": {**said, "won": False},
        "other-winner": {**said, "places": said["places"][::-1]},
        "without-won": {name: value for name, value in said.items() if name != "won"},
        "with-four-members": {name: value for name, value in said.items() if name != "out"},
        "with-six-members": {**said, "draw": False},
        "won-as-a-number": {**said, "won": 1},
        "another-reason": {**said, "reason": "undecided"},
        "seat-put-out": {**said, "out": [1]},
    }
    for name, outcome in wrong.items():
        yield f"outcome-{name}", bundle_of(changed_last(record, outcome=outcome))


# --- declared bots ----------------------------------------------------------------------------------------------------


def machines() -> Iterator[tuple[str, bytes]]:
    """An entry declares a bot only if its player signed so, and only nonces of people are in the dice."""
    for seat, is_bot in ((0, True), (1, False)):
        record = pig(start=False)
        for sitting in (0, 1):
            record.join(sitting, bot=sitting == 1)
        lines = rewrite(
            record.lines, lambda body, s=seat, b=is_bot: body | ({"bot": b} if body.get("seat") == s else {})
        )
        yield f"bot-{'person-called-one' if is_bot else 'called-a-person'}", bundle_of(lines)
    yield "bot-in-the-dice", bot_in_the_dice().bundle()
    for name, said in (("not-said", {}), ("said-as-a-number", {"bot": 1}), ("said-as-null", {"bot": None})):
        yield f"bot-{name}", saying(said)
    record = opened()
    tried = attempt(record, "taken")
    yield "bot-person-called-one-who-takes-over", written(record, tried._replace(body=tried.body | {"bot": True}))


def saying(said: Body) -> bytes:
    """A join whose payload declares this about a bot, in an entry that declares none."""
    record = pig(start=False)
    usual = attempt(record, "joined")
    payload = canonical.loads_sent(canonical.from_base64url((usual.jws or "").split(".")[1]))
    payload = {name: value for name, value in payload.items() if name != "bot"} | said
    jws = signed_text(STRANGER, canonical.dumps(payload).decode())
    return logged(record, usual._replace(body=usual.body | {"jws": jws}))


def _called(seat: int, is_bot: bool, body: Body) -> Body:
    return body | {"bot": is_bot} if body.get("seat") == seat else body


def bot_in_the_dice() -> Record:
    """The entry tells the truth of the join, but the server mixes the machine's nonce into the dice."""
    record = pig(start=False)
    for seat in (0, 1):
        record.join(seat, bot=seat == 1)
    honest = record.table
    bot = c.msgspec.structs.replace(honest.occupants[1], bot=False)
    record.table = c.msgspec.structs.replace(honest, occupants=(honest.occupants[0], bot))
    record.start()
    record.move(0, ROLL)
    return record
