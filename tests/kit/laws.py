"""Each law of `engine.record.laws`, broken by every kind of entry that it applies to, and kept at its limit.

(code, name, make) of BROKEN: `make()` returns a game, the attempt that breaks its law, and the facts of the
refusal.  KEPT: games at the limit of a law, by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.record.compose import entries as c
from engine.record.encoding import canonical
from engine.record.laws import admission, preconditions
from tests.kit.attempts import STRANGER, Attempt, at_door, attempt, kid_of
from tests.kit.play_record import Record, seed_of
from tests.kit.records import (
    BACK,
    absent,
    absent_and_waiting,
    after_outage,
    back,
    crowded,
    finished,
    full,
    given,
    gone,
    hastened,
    hastened_once,
    joined_again,
    keyed,
    lobby,
    offered_by_both,
    opened,
    opened_by_recovery,
    outage,
    overdue,
    rekeyed,
    replaced,
    running,
    taken,
    taken_back,
    waited,
    waiting,
    withdrawn,
)

Broken = Callable[[], tuple[Record, Attempt, dict[str, Any]]]


def _free_from(record: Record) -> dict[str, Any]:
    return {"seat": 0, "free_from": canonical.instant(record.table.free_from(0) or 0)}


def _held(seat: int, handover: str, *, absent: bool = False) -> dict[str, Any]:
    return {"seat": seat, "handover": handover, "absent": absent}


# --- each law, broken -------------------------------------------------------------------------------------------------


def _tried(make: Callable[[], Record], kind: str, seat: int = 0, facts: Any = None, **unusual: Any) -> Broken:
    def broken() -> tuple[Record, Attempt, dict[str, Any]]:
        record = make()
        return record, attempt(record, kind, seat, **unusual), facts(record) if callable(facts) else facts or {}

    return broken


def _kid(seed: bytes) -> dict[str, str]:
    return {"kid": kid_of(seed)}


def _due(record: Record) -> dict[str, Any]:
    return {"seat": 0, "due": canonical.instant(record.table.deadline(0))}


OVER = {"stage": "finished"}
LOBBY = {"stage": "lobby", "expected": "running"}
RUNNING = {"stage": "running", "expected": "lobby"}
NOWHERE = {"seat": 3, "seats": 3}
OLD = seed_of(0)
BROKEN: list[tuple[str, str, Broken]] = [
    *[("game-over", f"{kind} after the end", _tried(finished, kind, 0, OVER)) for kind in preconditions.KINDS],
    *[("not-started", f"{kind} in the lobby", _tried(full, kind, 0, LOBBY)) for kind in preconditions._PLAYED],
    *[
        ("already-started", f"{kind} in the game", _tried(running, kind, 0, RUNNING))
        for kind in ("joined", "left", "started")
    ],
    ("already-started", "left in the game, by the server", _tried(running, "left", 0, RUNNING, removed=True)),
    *[
        ("no-such-seat", f"{kind} at seat 3 of 3", _tried(running, kind, 3, NOWHERE))
        for kind in preconditions._SEATED
        if kind not in ("joined", "left")
    ],
    *[
        ("no-such-seat", f"{kind} at seat 2 of 2", _tried(full, kind, 2, {"seat": 2, "seats": 2}))
        for kind in ("joined", "left")
    ],
    ("seat-taken", "joined where somebody sits", _tried(full, "joined", 1, {"seat": 1})),
    ("seat-empty", "left where nobody sits", _tried(lobby, "left", 1, {"seat": 1}, removed=True)),
    ("too-many-joins", "joined for the 257th time", _tried(lambda: crowded(256), "joined", 0, {"most": 256})),
    ("not-full", "started with an empty seat", _tried(lambda: lobby("pig", 0), "started", 0, {"empty": (1,)})),
    *[
        ("already-resigned", f"{kind} after resigning", _tried(gone, kind, 0, {"seat": 0}))
        for kind in ("resigned", "offered", "taken")
    ],
    *[
        ("no-handover", f"offered where handover is {name}",
         _tried(lambda n=name: running(handover=n), "offered", 0, {"handover": name}))
        for name in ("none", "absent")
    ],
    ("same-offer", "opened twice", _tried(opened, "offered", 0, {"seat": 0, "open": True})),
    ("same-offer", "closed while it is not open",
     _tried(running, "offered", 1, {"seat": 1, "open": False}, is_open=False)),
    ("same-offer", "opened by the recovery key twice",
     _tried(opened_by_recovery, "offered", 0, {"seat": 0, "open": True}, seed=BACK)),
    ("same-offer", "hastened by a device key", _tried(waiting, "offered", 0, {"seat": 0, "open": True})),
    ("too-many-offers", "opened for the 17th time by the recovery key",
     _tried(lambda: hastened(16), "offered", 0, {"most": 16}, seed=BACK)),
    ("too-many-offers", "opened for the 17th time", _tried(lambda: withdrawn(16), "offered", 0, {"most": 16})),
    ("not-free", "taken while its holder is there", _tried(running, "taken", 1, _held(1, "both"))),
    ("not-free", "taken after it was closed", _tried(lambda: withdrawn(1), "taken", 0, _held(0, "both"))),
    ("not-free", "taken as absent where only offers count",
     _tried(lambda: absent(handover="offer"), "taken", 0, _held(0, "offer", absent=True))),
    ("too-many-takes", "taken for the 9th time", _tried(lambda: taken(8), "taken", 0, {"most": 8})),
    ("offer-waits", "taken a second too early", _tried(lambda: waited(-1), "taken", 0, _free_from)),
    ("same-key", "joined with one key in both offices",
     _tried(lobby, "joined", 0, _kid(STRANGER), recovery=STRANGER)),
    ("same-key", "taken with one key in both offices", _tried(opened, "taken", 0, _kid(STRANGER), recovery=STRANGER)),
    ("same-key", "a key added twice", _tried(lambda: keyed(1), "keyed", 0, _kid(OLD), add=OLD)),
    ("same-key", "the recovery key added",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(BACK), add=BACK)),
    ("same-key", "the only keys named twice",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(STRANGER), only=[STRANGER, STRANGER], seed=BACK)),
    ("same-key", "the recovery key among the only keys",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(BACK), only=[STRANGER, BACK], seed=BACK)),
    ("same-key", "the new recovery key among the only keys",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(STRANGER), only=[STRANGER], recovery=STRANGER, seed=BACK)),
    ("same-key", "the recovery key replaced by itself",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(BACK), recovery=BACK, seed=BACK)),
    ("same-key", "the recovery key replaced by a device key",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(OLD), recovery=OLD, seed=BACK)),
    ("not-recovery", "the recovery key replaced by a device key's word",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(OLD), recovery=STRANGER)),
    ("not-recovery", "a recovery key brought where there was none",
     _tried(running, "keyed", 0, _kid(OLD), recovery=STRANGER)),
    ("not-recovery", "the only keys named by a device key",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(OLD), only=[STRANGER])),
    ("not-recovery", "a key added by the recovery key",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(BACK), add=STRANGER, seed=BACK)),
    ("not-recovery", "a key dropped by the recovery key",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(BACK), drop=kid_of(OLD), seed=BACK)),
    ("not-a-key", "the recovery key dropped",
     _tried(lambda: running(recovery=BACK), "keyed", 0, _kid(BACK) | {"seat": 0}, drop=kid_of(BACK))),
    ("not-a-key", "a stranger's key dropped",
     _tried(running, "keyed", 0, _kid(STRANGER) | {"seat": 0}, drop=kid_of(STRANGER))),
    ("not-a-key", "a rival's key dropped",
     _tried(running, "keyed", 0, _kid(seed_of(1)) | {"seat": 0}, drop=kid_of(seed_of(1)))),
    ("last-key", "the last key dropped", _tried(running, "keyed", 0, _kid(OLD), drop=kid_of(OLD))),
    ("too-many-keys", "a 17th key added", _tried(lambda: keyed(16), "keyed", 0, {"most": 16})),
    ("too-many-recoveries", "a 17th act of the recovery key",
     _tried(lambda: keyed(0, 16), "keyed", 0, {"most": 16}, only=[STRANGER], seed=BACK)),
    ("unsigned-move", "a move by mail where all are signed", _tried(running, "moved", via="mail")),
    ("wrong-form", "commands in a hidden game",
     _tried(lambda: running("bids"), "moved", 0, {"hidden": True}, sealed=False)),
    ("wrong-form", "a sealed move in an open game", _tried(running, "moved", 0, {"hidden": False}, sealed=True)),
    ("wrong-form", "an unsigned move in the wrong form",
     _tried(lambda: running(unsigned=True), "moved", 0, {"hidden": False}, sealed=True, via="mail")),
    ("not-active", "a move out of turn", _tried(running, "moved", 1, {"seat": 1, "expected": (0,)})),
    ("not-due", "the clock a second early", _tried(lambda: overdue(-1), "expired", 0, _due)),
    ("not-due", "the clock for a seat that owes nothing", _tried(running, "expired", 1, {"seat": 1, "due": None})),
    ("not-due", "the clock where there is none",
     _tried(lambda: running(clock=None), "expired", 0, {"seat": 0, "due": None})),
    ("no-clock", "time without a clock", _tried(lambda: running(clock=None), "granted")),
    ("seat-gone", "time for a seat that has resigned", _tried(gone, "granted", 0, {"seat": 0})),
    ("nothing-owed", "time for a seat that owes nothing", _tried(running, "granted", 1, {"seat": 1, "expected": (0,)})),
    ("too-much-granted", "a second beyond what the game allows",
     _tried(lambda: given(1000), "granted", 0, {"seat": 0, "given": 1000, "most": 1000}, seconds=1)),
    ("too-many-grants", "the 65th grant", _tried(lambda: given(640, 64), "granted", 0, {"most": 64}, seconds=1)),
    ("nothing-lost", "a loss of nothing",
     _tried(running, "restored", 0, lambda record: {"found": record.table.size, "size": record.table.size}, more=0)),
]  # fmt: skip


# --- each law, just kept ----------------------------------------------------------------------------------------------


def _done(record: Record, kind: str, seat: int = 0, **unusual: Any) -> Record:
    """The attempt passes the checks and is logged by the composer of its kind."""
    tried = attempt(record, kind, seat, **unusual)
    at_door(record, tried)
    if kind == "expired":
        record.expire(seat)
    elif kind == "granted":
        record.grant([seat], unusual.get("seconds", 60))
    elif kind == "restored":
        record.restored(record.table.size + 1, bytes(32))
    elif kind == "resigned":
        record.resign(seat)
    else:
        record.put(c.compose_plain(record.table, admission.check_act(record.table, tried.jws, record.now), record.at))
    return record


def _moved(record: Record) -> Record:
    record.move(0, [{"do": "roll"}])
    return record


KEPT: dict[str, Callable[[], Record]] = {
    "the 256th join": lambda: _done(crowded(255), "joined"),
    "the 16th key": lambda: keyed(16),
    "the 16th act of the recovery key, beside 16 keys added": lambda: keyed(16, 16),
    "a rival's key added": lambda: _done(running(), "keyed", add=seed_of(1)),
    "a rival's key to join with": lambda: _done(lobby("pig", 0), "joined", 1, seed=OLD),
    "a seat taken with a rival's key": lambda: _done(opened(), "taken", 0, seed=seed_of(1)),
    "a seat taken with its own recovery key": lambda: _done(opened(recovery=BACK), "taken", 0, seed=BACK),
    "a seat taken back with the same key": taken_back,
    "the only keys, the own one among them": lambda: _done(
        running(recovery=BACK), "keyed", only=[OLD, STRANGER], seed=BACK
    ),
    "the only keys and a new recovery key": lambda: _done(
        running(recovery=BACK), "keyed", only=[STRANGER], recovery=seed_of(0, 51), seed=BACK
    ),
    "a take at the exact second": lambda: _done(waited(0), "taken"),
    "a take of a hastened offer": lambda: _done(hastened_once(), "taken"),
    "an absent seat whose offer waits, taken": lambda: _done(absent_and_waiting(), "taken"),
    "all that may be granted": lambda: _done(given(900), "granted", seconds=100),
    "the 64th grant": lambda: _done(given(630, 63), "granted"),
    "an outage beyond all bounds": outage,
    "all that may be granted, beside an outage": after_outage,
    "a loss of one entry": lambda: _done(running(), "restored"),
    "the 16th offer": lambda: opened(16),
    "the 16th offer of a device key, after 16 of the recovery key": offered_by_both,
    "the 8th take": lambda: taken(8),
    "the clock at its second": lambda: _done(overdue(0), "expired"),
    "the last key but one dropped": lambda: _done(keyed(1), "keyed", drop=kid_of(OLD)),
    "a key dropped after the 16th": lambda: _done(keyed(16), "keyed", drop=kid_of(OLD)),
    "closed after the 16th offer": lambda: withdrawn(16),
    "resigned after the 16th offer": lambda: _done(opened(16), "resigned"),
    "left after the 256th join": lambda: crowded(256),
    "a new holder's 16 keys": lambda: rekeyed(keyed(16)),
    "the recovery key replaced as its 16th": replaced,
    "an absent seat that says it is back, where nothing is offered": back,
    "an absent seat taken where only absence counts": lambda: _done(absent(handover="absent"), "taken"),
    "an open seat taken where only offers count": lambda: _done(opened(handover="offer"), "taken"),
    "a key that left with its seat": joined_again,
    "a seat opened while it is absent": lambda: _done(absent(), "offered"),
    "time for a seat that owes": lambda: _done(running(), "granted"),
    "a resigned seat that moves before the clock": lambda: _moved(gone()),
}
