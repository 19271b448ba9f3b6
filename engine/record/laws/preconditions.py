"""Which entry may follow which: one table of laws, read by the server, by the auditor, and by the reader.

A law names the kinds of entries that it is asked of, the check of an audit that fails with it, the precondition as the
specification states it (section 4.2 is this table), and the sentence for someone who breaks it. Laws are asked in the
order of the table. A server asks the first ones, of the game's stage, before it looks at the head on which an act is
signed, and all others after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from engine.errors import Refused
from engine.record.laws import violations
from engine.record.laws.violations import Facts, Proposal
from engine.record.log.table import Table


class Law(NamedTuple):
    """`violation` returns the facts of a refusal, or None if the law is kept."""

    code: str
    kinds: tuple[str, ...]
    check: str
    law: str
    says: str
    violation: Callable[[Table, Proposal], Facts | None]


def check(table: Table, proposal: Proposal, laws: Iterable[Law] | None = None) -> None:
    """Refused with the code of the first law that is violated: of all for this kind of entry, or of these."""
    for law in LAWS_OF[proposal.kind] if laws is None else laws:
        facts = law.violation(table, proposal)
        if facts is not None:
            raise Refused(law.code, **facts)


def is_kept(table: Table, proposal: Proposal) -> bool:
    """Are all laws for this kind of entry kept?"""
    return all(law.violation(table, proposal) is None for law in LAWS_OF.get(proposal.kind, ()))


KINDS = (
    "joined", "left", "started", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted", "cancelled",
)  # fmt: skip
_PLAYED = ("moved", "offered", "taken", "resigned", "expired", "granted")
_SEATED = ("joined", "left", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted")

STAGE: tuple[Law, ...] = (
    Law(
        "game-over", KINDS, "chain", "Nothing follows an entry with `outcome`, nor `cancelled`.",
        "The game is over.", violations.game_over,
    ),
    Law(
        "not-started", _PLAYED, "chain", "These come after `started`.",
        "The game has not started.", violations.in_lobby,
    ),
    Law(
        "already-started", ("joined", "left", "started"), "chain",
        "These come before `started`, which comes once.", "The game has started.", violations.has_started,
    ),
)  # fmt: skip

PLACE: tuple[Law, ...] = (
    Law(
        "no-such-seat", _SEATED, "chain", "Every seat named is below `created.seats`.",
        "The game has no seat {seat}.", violations.no_such_seat,
    ),
    Law("seat-taken", ("joined",), "chain", "The seat is empty.", "Seat {seat} is taken.", violations.seat_taken),
    Law(
        "seat-empty", ("left", "keyed"), "chain", "Somebody sits in the seat.",
        "Nobody sits in seat {seat}.", violations.seat_empty,
    ),
    Law(
        "too-many-joins", ("joined",), "chain", f"A game has at most {violations.MOST_JOINS} `joined`.",
        "Seats of this game were taken {most} times before its start, which is the most.", violations.too_many_joins,
    ),
    Law("not-full", ("started",), "chain", "Every seat is taken.", "There are empty seats.", violations.not_full),
    Law(
        "already-resigned", ("resigned", "offered", "taken"), "chain",
        "The seat has not resigned: it resigns once, and never changes hands after it.",
        "Seat {seat} has resigned already.", violations.has_resigned,
    ),
    Law(
        "no-handover", ("offered",), "chain",
        "A seat is opened (`open` true) only where `created.handover` is `offer` or `both`.",
        "Seats of this game are not offered: its handover is {handover}.", violations.no_handover,
    ),
    Law(
        "same-offer", ("offered",), "chain",
        "`open` true is for a seat that is not open, `open` false for one that is open or absent.",
        "The offer changes nothing at seat {seat}.", violations.same_offer,
    ),
    Law(
        "too-many-offers", ("offered",), "chain",
        f"A seat is opened at most {violations.MOST_OFFERS} times in a game. To close it is never refused for number.",
        "The seat was opened {most} times, which is the most.", violations.too_many_offers,
    ),
    Law(
        "not-free", ("taken",), "chain",
        "The seat is open, or it is absent and `created.handover` is `absent` or `both`.",
        "Seat {seat} is neither open nor absent where absent seats may be taken.", violations.not_free,
    ),
    Law(
        "too-many-takes", ("taken",), "chain", f"A seat is taken over at most {violations.MOST_TAKES} times in a game.",
        "The seat was taken over {most} times, which is the most.", violations.too_many_takes,
    ),
    Law(
        "key-taken", ("joined", "taken", "keyed"), "signatures",
        "Each key that the act brings (`key`, `add`, `recovery`) is new: none holds or has held a seat of this game "
        "in either office, and no two are the same. When a seat is left, all keys that its holder brought may come "
        "again.",
        "The key {kid} holds or held a seat of this game.", violations.key_taken,
    ),
    Law(
        "not-recovery", ("keyed",), "signatures", "`recovery` is signed by the seat's recovery key, which it replaces.",
        "Only the seat's recovery key replaces the recovery key.", violations.not_recovery,
    ),
    Law(
        "recovery-stays", ("keyed",), "signatures", "The recovery key is not dropped.",
        "The key {kid} is the seat's recovery key, which is not dropped.", violations.drops_recovery,
    ),
    Law(
        "not-a-key", ("keyed",), "signatures", "What is dropped is a key of the seat that is in force.",
        "The key {kid} is none of seat {seat} that is in force.", violations.drops_unknown,
    ),
    Law(
        "last-key", ("keyed",), "signatures", "A seat keeps at least one key.",
        "A seat keeps at least one key.", violations.drops_last,
    ),
    Law(
        "too-many-keys", ("keyed",), "signatures",
        f"Each holder of a seat brings at most {violations.MOST_KEYS} keys after the first by `key` acts of its keys, "
        f"and {violations.MOST_KEYS} by those of its recovery keys (`add` and `recovery` count). To drop is never "
        "refused for number.",
        "The seat's holder has brought {most} keys, which is the most.", violations.too_many_keys,
    ),
    Law(
        "unsigned-move", ("moved",), "signatures", "Without a `jws` only where `created.unsigned` is true.",
        "This game takes signed moves only.", violations.unsigned_move,
    ),
    Law(
        "wrong-form", ("moved",), "signatures", "`sealed` in a hidden game, `commands` in an open one.",
        "A move is sealed in a hidden game and only there.", violations.wrong_form,
    ),
    Law(
        "not-active", ("moved",), "rules", "The seat owes an answer.",
        "It is not this seat's turn.", violations.owes_nothing,
    ),
    Law(
        "not-due", ("expired",), "rules", "`at` is not before the seat's deadline (4.4).",
        "The time of seat {seat} is not over.", violations.not_due,
    ),
    Law(
        "no-clock", ("granted",), "rules", "The game has a clock.",
        "This game has no clock, so there is no time to grant.", violations.no_clock,
    ),
    Law(
        "seat-gone", ("granted",), "rules", "No seat named has resigned.",
        "Seat {seat} has resigned: the clock plays it at once.", violations.one_has_resigned,
    ),
    Law(
        "nothing-owed", ("granted",), "rules", "Every seat named owes an answer.",
        "Seat {seat} owes nothing, so no time of its own runs.", violations.owes_nothing,
    ),
)  # fmt: skip

LAWS = (*STAGE, *PLACE)
LAWS_OF: Mapping[str, tuple[Law, ...]] = {kind: tuple(law for law in LAWS if kind in law.kinds) for kind in KINDS}
STAGE_OF: Mapping[str, tuple[Law, ...]] = {kind: tuple(law for law in STAGE if kind in law.kinds) for kind in KINDS}
PLACE_OF: Mapping[str, tuple[Law, ...]] = {kind: tuple(law for law in PLACE if kind in law.kinds) for kind in KINDS}


def of_check(kind: str, check: str) -> tuple[Law, ...]:
    """The laws for this kind that an audit counts under this check."""
    return _BY_CHECK.get((kind, check), ())


_BY_CHECK = {
    (kind, name): tuple(law for law in LAWS_OF[kind] if law.check == name)
    for kind in KINDS
    for name in ("chain", "signatures", "rules")
}
