"""Which entry may follow which: one table of laws, read by the server, by the auditor, and by the reader.

A law names the kinds of entries that it applies to, the check of an audit that fails with it, the precondition in the
words of the specification (section 4.2 is this table), and the sentence for someone who breaks it. Laws are checked in
the order of the table. A server checks the first ones, about the game's stage, before it looks at the head on which an
act is signed, and all others after it. What violates a law is a function of `violations.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from engine.errors import Refused
from engine.record.laws import violations as v
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
    """Raise Refused with the code of the first violated law: of all for this kind of entry, or of these."""
    for law in LAWS_OF[proposal.kind] if laws is None else laws:
        facts = law.violation(table, proposal)
        if facts is not None:
            raise Refused(law.code, **facts)


def is_kept(table: Table, proposal: Proposal) -> bool:
    """Are all laws for this kind of entry kept?"""
    return all(law.violation(table, proposal) is None for law in LAWS_OF.get(proposal.kind, ()))


# --- the table --------------------------------------------------------------------------------------------------------

KINDS = (
    "joined", "left", "started", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted",
    "restored", "cancelled",
)  # fmt: skip
_PLAYED = ("moved", "offered", "taken", "resigned", "expired", "granted")
_SEATED = ("joined", "left", "moved", "keyed", "offered", "taken", "resigned", "expired", "granted")

STAGE: tuple[Law, ...] = (
    Law(
        "game-over", KINDS, "chain", "Nothing follows an entry with `outcome`, or a `cancelled`.",
        "The game is over.", v.game_over,
    ),
    Law(
        "not-started", _PLAYED, "chain", "These come after `started`.",
        "The game has not started.", v.in_lobby,
    ),
    Law(
        "already-started", ("joined", "left", "started"), "chain",
        "These come before `started`, which comes once.", "The game has started.", v.has_started,
    ),
)  # fmt: skip

PLACE: tuple[Law, ...] = (
    Law(
        "no-such-seat", _SEATED, "chain", "Every seat named is below `created.seats`.",
        "This game has no seat {seat}.", v.no_such_seat,
    ),
    Law("seat-taken", ("joined",), "chain", "The seat is empty.", "Seat {seat} is taken.", v.seat_taken),
    Law(
        "seat-empty", ("left", "keyed"), "chain", "The seat is taken.",
        "Seat {seat} is empty.", v.seat_empty,
    ),
    Law(
        "too-many-joins", ("joined",), "chain", f"A game has at most {v.MOST_JOINS} `joined` entries.",
        "Players have joined this game {most} times, the most allowed before it starts.", v.too_many_joins,
    ),
    Law("not-full", ("started",), "chain", "Every seat is taken.", "Not every seat is taken.", v.not_full),
    Law(
        "already-resigned", ("resigned", "offered", "taken"), "chain",
        "The seat has not resigned. It resigns once, and does not change hands after that.",
        "Seat {seat} has already resigned.", v.has_resigned,
    ),
    Law(
        "no-handover", ("offered",), "chain",
        "A seat is offered (`open` true) only if `created.handover.by` is `offer` or `both`.",
        "Seats in this game cannot be offered: its `handover` is `{handover}`.", v.no_handover,
    ),
    Law(
        "same-offer", ("offered",), "chain",
        "`open` is true only for a seat that is not open, or one that a device key opened, if the recovery key signs. "
        "It is false only for a seat that is open or absent.",
        "This offer would not change anything for seat {seat}.", v.same_offer,
    ),
    Law(
        "too-many-offers", ("offered",), "chain",
        f"The device keys of one holder offer the seat at most {v.MOST_OFFERS} times, and the recovery keys of one "
        f"holder at most {v.MOST_OFFERS} times. Withdrawing an offer is not limited.",
        "You have offered this seat {most} times, the most allowed.", v.too_many_offers,
    ),
    Law(
        "not-free", ("taken",), "chain",
        "The seat is open, or it is absent and `created.handover.by` is `absent` or `both`.",
        "Seat {seat} cannot be taken: it is neither offered, nor absent in a game that allows taking absent seats.",
        v.not_free,
    ),
    Law(
        "offer-waits", ("taken",), "chain",
        "The seat is free by absence, or its recovery key opened or hastened the offer, or `at` is not before the `at` "
        "of the opening plus `created.handover.wait`.",
        "Seat {seat} is offered, but cannot be taken before {free_from}.", v.offer_waits,
    ),
    Law(
        "too-many-takes", ("taken",), "chain", f"A seat is taken over at most {v.MOST_TAKES} times in a game.",
        "This seat has been taken over {most} times, the most allowed.", v.too_many_takes,
    ),
    Law(
        "same-key", ("joined", "taken", "keyed"), "signatures",
        "No two keys that the act brings are the same. In a `keyed`, `add` and `recovery` are not active keys of the "
        "seat, neither device keys nor the recovery key. `only` may name active device keys, but not the recovery key.",
        "The act names the key {kid} twice, or the seat has it already.", v.same_key,
    ),
    Law(
        "not-recovery", ("keyed",), "signatures",
        "`only` and `recovery` are signed with the seat's recovery key, `add` and `drop` with a device key.",
        "The key {kid} cannot sign this: `only` and `recovery` need the recovery key, `add` and `drop` a device key.",
        v.not_recovery,
    ),
    Law(
        "not-a-key", ("keyed",), "signatures", "`drop` names an active device key of the seat.",
        "The key {kid} is not an active key of seat {seat}.", v.drops_unknown,
    ),
    Law(
        "last-key", ("keyed",), "signatures", "A seat keeps at least one key.",
        "The key {kid} is the seat's last key, which cannot be dropped.", v.drops_last,
    ),
    Law(
        "too-many-keys", ("keyed",), "signatures",
        f"The device keys of one holder add at most {v.MOST_KEYS} keys. Dropping a key is not limited.",
        "You have added {most} keys to this seat, the most allowed.", v.too_many_keys,
    ),
    Law(
        "too-many-recoveries", ("keyed",), "signatures",
        f"The recovery keys of one holder sign at most {v.MOST_RECOVERIES} `keyed`.",
        "The recovery key has changed the keys of this seat {most} times, the most allowed.",
        v.too_many_recoveries,
    ),
    Law(
        "unsigned-move", ("moved",), "signatures", "A move has no `jws` only if `created.unsigned` is true.",
        "This game accepts only signed moves.", v.unsigned_move,
    ),
    Law(
        "wrong-form", ("moved",), "signatures", "A move has `sealed` in a hidden game and `commands` in an open one.",
        "A move must be sealed in a hidden game, and only there.", v.wrong_form,
    ),
    Law(
        "not-active", ("moved",), "rules", "The seat owes an answer.",
        "It is not your turn.", v.owes_nothing,
    ),
    Law(
        "not-due", ("expired",), "rules", "`at` is not before the seat's deadline (4.4).",
        "Seat {seat} still has time to move.", v.not_due,
    ),
    Law(
        "no-clock", ("granted",), "rules", "The game has a clock.",
        "This game has no clock, so no time can be granted.", v.no_clock,
    ),
    Law(
        "seat-gone", ("granted",), "rules", "None of the seats named has resigned.",
        "Seat {seat} has resigned, so it cannot be given more time.", v.one_has_resigned,
    ),
    Law(
        "nothing-owed", ("granted",), "rules", "Every seat named owes an answer.",
        "Seat {seat} owes no move, so its time is not running.", v.owes_nothing,
    ),
    Law(
        "too-much-granted", ("granted",), "rules",
        "For each seat named, the `seconds` of all `granted` that name it, this one included, whose `why` is not "
        "`outage`, are together at most `created.clock.grants`. If `why` is `outage`, this law always holds.",
        "Seat {seat} has been given {given} s; this game allows {most} s in all.", v.too_much_granted,
    ),
    Law(
        "too-many-grants", ("granted",), "rules",
        f"A game has at most {v.MOST_GRANTS} `granted` whose `why` is not `outage`.",
        "Time has been given {most} times in this game, the most allowed.", v.too_many_grants,
    ),
    Law(
        "nothing-lost", ("restored",), "chain", "`size` is above the number of entries before this one.",
        "The log has {size} entries, so a loss that ends at {found} entries is not a loss.", v.nothing_lost,
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
