"""Which entry may follow which: one table of rules, read by the server at its door, by the auditor, and by the reader.

A rule names the kinds of entries that it is asked of, the check of an audit that fails with it, the law as the
specification tells it (section 4.2 is this table), and what somebody is told who breaks it. Rules are asked in the
order of the table. The first ones, of the game's stage, a server asks before it looks at the head that an act is signed
upon, all others after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from engine.errors import Refused
from engine.record import instants
from engine.record.acts import Act
from engine.record.seats import pair

if TYPE_CHECKING:
    from engine.record.table import Table

MOST_JOINS = 256
MOST_KEYS = 16
MOST_OFFERS = 16
MOST_TAKES = 8

Facts = Mapping[str, Any]


class Ask(msgspec.Struct, frozen=True):
    """An entry that wants to follow: its kind, the seats it is about, the act that it logs and the kid that signed.

    `at` is its time in seconds since 1970, for what the server alone writes; `body` what an unsigned move holds.
    """

    kind: str
    seats: tuple[int, ...] = ()
    act: Act | None = None
    signer: str = ""
    at: int = 0
    sealed: bool = False

    @property
    def seat(self) -> int:
        return self.seats[0]


class Rule(NamedTuple):
    """`broken` gives the facts of a refusal, or None if the rule is kept."""

    code: str
    kinds: tuple[str, ...]
    check: str
    law: str
    says: str
    broken: Callable[[Table, Ask], Facts | None]


def check(table: Table, ask: Ask, rules: Iterable[Rule] | None = None) -> None:
    """Refused with the code of the first rule that is broken: of all that are asked of this kind, or of these."""
    for rule in RULES_OF[ask.kind] if rules is None else rules:
        facts = rule.broken(table, ask)
        if facts is not None:
            raise Refused(rule.code, **facts)


def is_kept(table: Table, ask: Ask) -> bool:
    """Is no rule broken that is asked of this kind?"""
    return all(rule.broken(table, ask) is None for rule in RULES_OF.get(ask.kind, ()))


# --- the game's stage -------------------------------------------------------------------------------------------------


def _over(table: Table, _ask: Ask) -> Facts | None:
    return {"stage": table.stage} if table.is_over else None


def _lobby(table: Table, _ask: Ask) -> Facts | None:
    return {"stage": table.stage, "expected": "running"} if table.stage == "lobby" else None


def _running(table: Table, _ask: Ask) -> Facts | None:
    return {"stage": table.stage, "expected": "lobby"} if table.stage == "running" else None


# --- the seat ---------------------------------------------------------------------------------------------------------


def _nowhere(table: Table, ask: Ask) -> Facts | None:
    for seat in ask.seats:
        if seat >= table.seats:
            return {"seat": seat, "seats": table.seats}
    return None


def _occupied(table: Table, ask: Ask) -> Facts | None:
    return {"seat": ask.seat} if table.occupants[ask.seat] is not None else None


def _empty(table: Table, ask: Ask) -> Facts | None:
    return {"seat": ask.seat} if table.occupants[ask.seat] is None else None


def _joined_too_often(table: Table, _ask: Ask) -> Facts | None:
    return {"most": MOST_JOINS} if table.joins >= MOST_JOINS else None


def _not_full(table: Table, _ask: Ask) -> Facts | None:
    empty = tuple(seat for seat, occupant in enumerate(table.occupants) if occupant is None)
    return {"empty": empty} if empty else None


def _gone(table: Table, ask: Ask) -> Facts | None:
    return {"seat": ask.seat} if ask.seat in table.gone else None


# --- handing a seat over ----------------------------------------------------------------------------------------------


def _opens(ask: Ask) -> bool:
    return ask.act is not None and ask.act.open is True


def _not_offered_here(table: Table, ask: Ask) -> Facts | None:
    handover = table.created["handover"]
    return {"handover": handover} if _opens(ask) and handover not in ("offer", "both") else None


def _changes_nothing(table: Table, ask: Ask) -> Facts | None:
    if ask.act is None:
        return None
    is_open = table.is_open(ask.seat)
    idle = is_open if _opens(ask) else not (is_open or table.is_absent(ask.seat))
    return {"seat": ask.seat, "open": is_open} if idle else None


def _offered_too_often(table: Table, ask: Ask) -> Facts | None:
    return {"most": MOST_OFFERS} if _opens(ask) and table.offers[ask.seat] >= MOST_OFFERS else None


def _not_free(table: Table, ask: Ask) -> Facts | None:
    if table.is_free(ask.seat):
        return None
    return {"seat": ask.seat, "handover": table.created["handover"], "absent": table.is_absent(ask.seat)}


def _taken_too_often(table: Table, ask: Ask) -> Facts | None:
    return {"most": MOST_TAKES} if table.takes[ask.seat] >= MOST_TAKES else None


# --- keys -------------------------------------------------------------------------------------------------------------


def _known_key(table: Table, ask: Ask) -> Facts | None:
    kids = [pair(key)[0] for key in ask.act.coming] if ask.act else []
    known = (kid for number, kid in enumerate(kids) if kid in kids[:number] or table.holder(kid) is not None)
    return next(({"kid": kid} for kid in known), None)


def _not_by_recovery(table: Table, ask: Ask) -> Facts | None:
    occupant = table.occupants[ask.seat]
    replaces = ask.act is not None and ask.act.recovery is not None
    return {"kid": ask.signer} if replaces and not (occupant and occupant.recovers(ask.signer)) else None


def _drops_recovery(table: Table, ask: Ask) -> Facts | None:
    occupant, kid = table.occupants[ask.seat], _dropped(ask)
    return {"kid": kid} if kid and occupant and occupant.recovers(kid) else None


def _drops_unknown(table: Table, ask: Ask) -> Facts | None:
    occupant, kid = table.occupants[ask.seat], _dropped(ask)
    return {"kid": kid, "seat": ask.seat} if kid and not (occupant and occupant.public(kid)) else None


def _drops_last(table: Table, ask: Ask) -> Facts | None:
    occupant, kid = table.occupants[ask.seat], _dropped(ask)
    return {"kid": kid} if kid and occupant and len(occupant.keys) == 1 else None


def _dropped(ask: Ask) -> str | None:
    return ask.act.drop if ask.act else None


def _added_too_often(table: Table, ask: Ask) -> Facts | None:
    occupant = table.occupants[ask.seat]
    if occupant is None or _dropped(ask):
        return None
    count = occupant.restored if occupant.recovers(ask.signer) else occupant.added
    return {"most": MOST_KEYS} if count >= MOST_KEYS else None


# --- moves and time ---------------------------------------------------------------------------------------------------


def _unsigned(table: Table, ask: Ask) -> Facts | None:
    return {} if ask.act is None and not table.created["unsigned"] else None


def _other_form(table: Table, ask: Ask) -> Facts | None:
    sealed = ask.sealed if ask.act is None else ask.act.sealed is not None
    return {"hidden": table.hidden} if sealed != table.hidden else None


def _owes_nothing(table: Table, ask: Ask) -> Facts | None:
    for seat in ask.seats:
        if not table.owes(seat):
            return {"seat": seat, "expected": table.active}
    return None


def _early(table: Table, ask: Ask) -> Facts | None:
    due = table.deadline(ask.seat)
    if due is None:
        return {"seat": ask.seat, "due": None}
    return {"seat": ask.seat, "due": instants.instant(due)} if ask.at < due else None


def _without_clock(table: Table, _ask: Ask) -> Facts | None:
    return {} if table.created["clock"] is None else None


def _has_gone(table: Table, ask: Ask) -> Facts | None:
    return next(({"seat": seat} for seat in ask.seats if seat in table.gone), None)


KINDS = (
    "joined", "left", "started", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted", "cancelled",
)  # fmt: skip
_PLAYED = ("moved", "offered", "taken", "resigned", "expired", "granted")
_SEATED = ("joined", "left", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted")

STAGE: tuple[Rule, ...] = (
    Rule(
        "game-over", KINDS, "chain", "Nothing follows an entry with `outcome`, nor `cancelled`.",
        "The game is over.", _over,
    ),
    Rule("not-started", _PLAYED, "chain", "These come after `started`.", "The game has not started.", _lobby),
    Rule(
        "already-started", ("joined", "left", "started"), "chain",
        "These come before `started`, which comes once.", "The game has started.", _running,
    ),
)  # fmt: skip

PLACE: tuple[Rule, ...] = (
    Rule(
        "no-such-seat", _SEATED, "chain", "Every seat named is below `created.seats`.",
        "The game has no seat {seat}.", _nowhere,
    ),
    Rule("seat-taken", ("joined",), "chain", "The seat is empty.", "Seat {seat} is taken.", _occupied),
    Rule(
        "seat-empty", ("left", "keyed"), "chain", "Somebody sits in the seat.",
        "Nobody sits in seat {seat}.", _empty,
    ),
    Rule(
        "too-many-joins", ("joined",), "chain", f"A game has at most {MOST_JOINS} `joined`.",
        "Seats of this game were taken {most} times before its start, which is the most.", _joined_too_often,
    ),
    Rule("not-full", ("started",), "chain", "Every seat is taken.", "There are empty seats.", _not_full),
    Rule(
        "already-resigned", ("resigned", "offered", "taken"), "chain",
        "The seat has not resigned: it resigns once, and never changes hands after it.",
        "Seat {seat} has resigned already.", _gone,
    ),
    Rule(
        "no-handover", ("offered",), "chain",
        "A seat is opened (`open` true) only where `created.handover` is `offer` or `both`.",
        "Seats of this game are not offered: its handover is {handover}.", _not_offered_here,
    ),
    Rule(
        "same-offer", ("offered",), "chain",
        "`open` true is for a seat that is not open, `open` false for one that is open or absent.",
        "The offer changes nothing at seat {seat}.", _changes_nothing,
    ),
    Rule(
        "too-many-offers", ("offered",), "chain",
        f"A seat is opened at most {MOST_OFFERS} times in a game. To close it is never refused for number.",
        "The seat was opened {most} times, which is the most.", _offered_too_often,
    ),
    Rule(
        "not-free", ("taken",), "chain",
        "The seat is open, or it is absent and `created.handover` is `absent` or `both`.",
        "Seat {seat} is neither open nor absent where absent seats may be taken.", _not_free,
    ),
    Rule(
        "too-many-takes", ("taken",), "chain", f"A seat is taken over at most {MOST_TAKES} times in a game.",
        "The seat was taken over {most} times, which is the most.", _taken_too_often,
    ),
    Rule(
        "key-taken", ("joined", "taken", "keyed"), "signatures",
        "Each key that the act brings (`key`, `add`, `recovery`) is new: none holds or has held a seat of this game "
        "in either office, and no two are the same. When a seat is left, all keys that its holder brought may come "
        "again.",
        "The key {kid} holds or held a seat of this game.", _known_key,
    ),
    Rule(
        "not-recovery", ("keyed",), "signatures", "`recovery` is signed by the seat's recovery key, which it replaces.",
        "Only the seat's recovery key replaces the recovery key.", _not_by_recovery,
    ),
    Rule(
        "recovery-stays", ("keyed",), "signatures", "The recovery key is not dropped.",
        "The key {kid} is the seat's recovery key, which is not dropped.", _drops_recovery,
    ),
    Rule(
        "not-a-key", ("keyed",), "signatures", "What is dropped is a key of the seat that is in force.",
        "The key {kid} is none of seat {seat} that is in force.", _drops_unknown,
    ),
    Rule(
        "last-key", ("keyed",), "signatures", "A seat keeps at least one key.",
        "A seat keeps at least one key.", _drops_last,
    ),
    Rule(
        "too-many-keys", ("keyed",), "signatures",
        f"Each holder of a seat brings at most {MOST_KEYS} keys after the first by `key` acts of its keys, and "
        f"{MOST_KEYS} by those of its recovery keys (`add` and `recovery` count). To drop is never refused for number.",
        "The seat's holder has brought {most} keys, which is the most.", _added_too_often,
    ),
    Rule(
        "unsigned-move", ("moved",), "signatures", "Without a `jws` only where `created.unsigned` is true.",
        "This game takes signed moves only.", _unsigned,
    ),
    Rule(
        "wrong-form", ("moved",), "signatures", "`sealed` in a hidden game, `commands` in an open one.",
        "A move is sealed in a hidden game and only there.", _other_form,
    ),
    Rule("not-active", ("moved",), "rules", "The seat owes an answer.", "It is not this seat's turn.", _owes_nothing),
    Rule(
        "not-due", ("expired",), "rules", "`at` is not before the seat's deadline (4.4).",
        "The time of seat {seat} is not over.", _early,
    ),
    Rule(
        "no-clock", ("granted",), "rules", "The game has a clock.",
        "This game has no clock, so there is no time to grant.", _without_clock,
    ),
    Rule(
        "seat-gone", ("granted",), "rules", "No seat named has resigned.",
        "Seat {seat} has resigned: the clock plays it at once.", _has_gone,
    ),
    Rule(
        "nothing-owed", ("granted",), "rules", "Every seat named owes an answer.",
        "Seat {seat} owes nothing, so no time of its own runs.", _owes_nothing,
    ),
)  # fmt: skip

RULES = (*STAGE, *PLACE)
RULES_OF: Mapping[str, tuple[Rule, ...]] = {kind: tuple(rule for rule in RULES if kind in rule.kinds) for kind in KINDS}
STAGE_OF: Mapping[str, tuple[Rule, ...]] = {kind: tuple(rule for rule in STAGE if kind in rule.kinds) for kind in KINDS}
PLACE_OF: Mapping[str, tuple[Rule, ...]] = {kind: tuple(rule for rule in PLACE if kind in rule.kinds) for kind in KINDS}


def of_check(kind: str, check: str) -> tuple[Rule, ...]:
    """The rules of this kind that an audit counts under this check."""
    return _BY_CHECK.get((kind, check), ())


_BY_CHECK = {
    (kind, name): tuple(rule for rule in RULES_OF[kind] if rule.check == name)
    for kind in KINDS
    for name in ("chain", "signatures", "rules")
}
