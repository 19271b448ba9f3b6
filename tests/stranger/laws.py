"""The laws on the order of entries (4.2), in the order of their table, except those that need the rules."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.stranger.seats import Step

JOINS, TAKES, GRANTS, TIMES = 256, 8, 64, 16  # TIMES: how often a holder may act by keys of one kind


class Law(NamedTuple):
    """`keeps` judges entries of these kinds that name seats of the game and, where needed, have a readable act."""

    code: str
    kinds: str
    check: str
    keeps: Callable[[Step], bool]
    of_act: bool = False


def _same_offer(it: Step) -> bool:
    offer = it.seat.timer.offer
    if it.says["open"]:
        return offer is None or (not offer.by_recovery and it.by_recovery)
    return offer is not None or it.seat.timer.absent


def _few_offers(it: Step) -> bool:
    return not it.says["open"] or it.seat.opened[it.by_recovery] < TIMES


def _waited(it: Step) -> bool:
    timer = it.seat.timer
    return not timer.open or it.table.is_free_by_absence(it.seat) or timer.is_ripe(it.entry.time)


def _no_same_key(it: Step) -> bool:
    act = it.readable
    if len(set(act.keys)) < len(act.keys):
        return False
    if it.entry.kind != "keyed":
        return True
    in_force = {*it.seat.keys.values(), it.seat.recovery}
    return it.seat.recovery not in (act.only or ()) and not in_force & ({act.key, act.recovery} - {None})


def _right_office(it: Step) -> bool:
    return it.by_recovery if it.readable.recovers else it.readable.kid in it.seat.keys


def _drops_a_key(it: Step) -> bool:
    return "drop" not in it.says or it.says["drop"] in it.seat.keys


def _keeps_a_key(it: Step) -> bool:
    return "drop" not in it.says or bool(it.seat.keys.keys() - {it.says["drop"]})


def _few_keys(it: Step) -> bool:
    return "add" not in it.says or it.seat.added < TIMES


def _few_recoveries(it: Step) -> bool:
    return not it.readable.recovers or it.seat.recovered < TIMES


def _right_form(it: Step) -> bool:
    says = it.says if "jws" in it.entry.value else it.entry.value
    return not says or ("sealed" in says) == it.table.created.hidden


def _is_due(it: Step) -> bool:
    earliest = it.seat.timer.earliest()
    return earliest is not None and it.entry.time >= earliest


def _grants_last(it: Step) -> bool:
    if it.entry.why == "outage" or it.table.clock is None:
        return True
    used = [it.table.granted.get(seat, 0) for seat in it.entry.named]
    return max(used) + int(it.entry.seconds) <= int(it.table.clock["grants"])


LAWS = (
    Law("game-over", "", "chain", lambda it: it.table.ended is None),
    Law("not-started", "moved offered taken resigned expired granted", "chain", lambda it: it.table.started),
    Law("already-started", "joined left started", "chain", lambda it: not it.table.started),
    Law("no-such-seat", "", "chain", lambda it: it.has_seats),
    Law("seat-taken", "joined", "chain", lambda it: not it.seat.taken),
    Law("seat-empty", "left keyed", "chain", lambda it: it.seat.taken),
    Law("too-many-joins", "joined", "chain", lambda it: it.table.joins < JOINS),
    Law("not-full", "started", "chain", lambda it: all(seat.taken for seat in it.table.seats)),
    Law("already-resigned", "resigned offered taken", "chain", lambda it: not it.seat.timer.resigned),
    Law("no-handover", "offered", "chain", lambda it: not it.says["open"] or it.table.hands_over("offer"), of_act=True),
    Law("same-offer", "offered", "chain", _same_offer, of_act=True),
    Law("too-many-offers", "offered", "chain", _few_offers, of_act=True),
    Law("not-free", "taken", "chain", lambda it: it.seat.timer.open or it.table.is_free_by_absence(it.seat)),
    Law("offer-waits", "taken", "chain", _waited),
    Law("too-many-takes", "taken", "chain", lambda it: it.seat.takes < TAKES),
    Law("same-key", "joined taken keyed", "signatures", _no_same_key, of_act=True),
    Law("not-recovery", "keyed", "signatures", _right_office, of_act=True),
    Law("not-a-key", "keyed", "signatures", _drops_a_key, of_act=True),
    Law("last-key", "keyed", "signatures", _keeps_a_key, of_act=True),
    Law("too-many-keys", "keyed", "signatures", _few_keys, of_act=True),
    Law("too-many-recoveries", "keyed", "signatures", _few_recoveries, of_act=True),
    Law("unsigned-move", "moved", "signatures", lambda it: "jws" in it.entry.value or it.table.created.unsigned),
    Law("wrong-form", "moved", "signatures", _right_form),
    Law("not-due", "expired", "rules", _is_due),
    Law("no-clock", "granted", "rules", lambda it: it.table.clock is not None),
    Law("seat-gone", "granted", "rules", lambda it: not any(seat.timer.resigned for seat in it.named)),
    Law("too-much-granted", "granted", "rules", _grants_last),
    Law("too-many-grants", "granted", "rules", lambda it: it.entry.why == "outage" or it.table.grants < GRANTS),
    Law("nothing-lost", "restored", "chain", lambda it: it.entry.size > it.place),
)
EVERY_KIND = {"game-over", "no-such-seat"}


def broken(step: Step) -> Iterator[Law]:
    """The laws that an entry breaks, from top to bottom."""
    for law in LAWS:
        if law.code not in EVERY_KIND and (step.entry.kind not in law.kinds.split() or not step.has_seats):
            continue
        if not (law.of_act and step.act is None) and not law.keeps(step):
            yield law
