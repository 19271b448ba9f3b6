"""Games that hold, and games that are still partly hidden."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.tikal.meta import TikalOptions
from engine.kit import dump_steps
from engine.record.compose import entries as c
from engine.record.encoding import canonical
from engine.record.signed import keys
from tests.audit.bundles.tools import BACK, OTHER, ROLL, bids, handing, pig, signed_text, turn_of
from tests.games.discoveries import policy
from tests.kit.play_record import CLOCK, Record, bundle_of, jwk_of, seed_of
from tests.kit.play_record import acts as a

Bundles = Iterator[tuple[str, bytes]]
SHORT = {"move": 600, "bank": 300, "increment": 60, "cap": 400, "grace": 60, "missed": 1, "grants": 7200}


def good() -> Bundles:
    yield from stages()
    yield from clocks()
    yield from hands()
    yield from unseen()
    yield from games()


def stages() -> Bundles:
    lobby = pig(start=False)
    lobby.join(1)
    yield "open-lobby", lobby.bundle()
    yield "open-running", pig().play(2).bundle()
    yield "open-finished", pig().play().bundle()
    yield "open-cancelled", cancelled(pig().play(2)).bundle()
    yield "hidden-finished", bids(seats=3).play().bundle()
    yield "hidden-cancelled", cancelled(bids().play(1)).bundle()
    yield "members-in-any-order", in_any_order()
    yield "everything", everything().bundle()


def cancelled(record: Record) -> Record:
    record.cancel()
    return record


def in_any_order() -> bytes:
    """Payload and header of a JWS, members turned round."""
    record = pig()
    payload = a.move(**record.where(0), commands=ROLL)
    turned = ",".join(f'"{name}":{canonical.dumps(payload[name]).decode()}' for name in sorted(payload, reverse=True))
    kid = record.table.occupants[0].kid  # type: ignore[union-attr]  # seat 0 is taken
    jws = signed_text(record.seeds[0], f"{{{turned}}}", f'{{"typ":"sealedmove+jws","kid":"{kid}","alg":"EdDSA"}}')
    record.put(
        c.compose_moved(record.table, record.secret, record.at, c.admission.check_act(record.table, jws, record.now))
    )
    return record.bundle()


# --- time -------------------------------------------------------------------------------------------------------------


def clocks() -> Bundles:
    yield "clock-none", pig(clock=None).play().bundle()
    yield "clock-turn-in-pieces", in_pieces().bundle()
    yield "clock-bank-used", bank_used().bundle()
    yield "clock-granted", granted().bundle()
    yield "clock-grants-used-up", grants_used_up().bundle()
    yield "clock-outage-beyond-all-grants", outage().bundle()
    yield "clock-absent-and-back", back().bundle()
    yield "clock-resigned-played-at-once", resigned().bundle()


def in_pieces() -> Record:
    """Two rolls a while apart, then the clock, to the second: the turn had one time."""
    record = pig(clock=SHORT)
    while record.table.active == (0,) and record.table.state.rolls < 2:
        record.move(0, ROLL)
        record.now += 200
    record.expire(record.table.active[0])
    return record.play()


def bank_used() -> Record:
    """Seat 0 takes 100 seconds from its bank, gains 60, and has the rest the next time."""
    record = pig(goal=40, clock=SHORT)
    for late in (100, 0, 0):
        record.now += SHORT["move"] + late - 60
        seat = record.table.active[0]
        record.move(seat, [*ROLL, {"try": {"do": "hold"}}])
    record.expire(record.table.active[0])
    return record.play()


def granted() -> Record:
    record = pig(clock=SHORT)
    record.grant([0], 3600)
    record.grant([0], 1)
    record.expire(0)
    return record.play()


def grants_used_up() -> Record:
    """To the second, by 64 entries, the last for a reason that nobody knows."""
    record = pig(clock=SHORT)
    for _ in range(63):
        record.grant([0], 100)
    record.grant([0], SHORT["grants"] - 6300, "wedding")
    return record.play()


def outage() -> Record:
    record = grants_used_up_before_the_end()
    record.grant(record.table.active, 10**6, "outage")
    return record.play()


def grants_used_up_before_the_end() -> Record:
    record = pig(clock=SHORT)
    record.grant([0], SHORT["grants"])
    return record


def back() -> Record:
    """Absent after one missed turn; played after the grace alone; then there again by a word of its own."""
    record = pig(goal=50, clock=SHORT)
    record.expire(0)
    turn_of(record, 0).expire(0)
    turn_of(record, 0).offer(0, is_open=False)
    return turn_of(record, 1)


def resigned() -> Record:
    record = pig(seats=3)
    record.resign(0)
    record.expire(0)
    return record.play()


# --- hands ------------------------------------------------------------------------------------------------------------


def hands() -> Bundles:
    yield "handover-absent-taken", absent_taken().bundle()
    yield "handover-offered-and-taken-twice", taken_twice().bundle()
    yield "handover-offer-closed", closed().bundle()
    yield "handover-open-and-absent", open_and_absent().bundle()
    yield "recovery-used", recovered(handing(recovery=BACK)).play(2).bundle()
    yield "recovery-of-the-next-holder", next_recovered().bundle()
    yield "bots", bots().bundle()
    yield "unsigned", unsigned().bundle()
    yield "sixteen-keys", keyed(16).bundle()
    yield from listed()
    yield from waiting()
    yield from told_lost()


def absent_taken() -> Record:
    record = handing(seats=3, clock=CLOCK, handover="absent")
    for _ in (1, 2):
        turn_of(record, 0).expire(0)
    record.take(0, bot=True)
    return record.play()


def taken_twice() -> Record:
    record = bids(seats=3, handover="offer")
    record.offer(1)
    record.take(1)
    record.play(2)
    record.offer(1)
    record.take(1, 3)
    return record.play()


def closed() -> Record:
    record = handing()
    record.offer(1)
    record.offer(1, is_open=False)
    record.offer(1)
    record.resign(1)
    return record


def open_and_absent() -> Record:
    """Both at once counts as open: the bank is the old one, and the stretch runs on."""
    record = handing(clock=SHORT)
    record.offer(0)
    record.expire(0)
    turn_of(record, 0).take(0)
    return turn_of(record, 1)


def recovered(record: Record) -> Record:
    """A thief adds a key and drops the owner's; one act of the recovery key, which replaces itself too, ends it."""
    record.add_key(0, 66)
    record.drop_key(0, keys.thumbprint(keys.public_of(seed_of(0))))
    record.recover(0, BACK, new=seed_of(0, 51))
    return record


def next_recovered() -> Record:
    record = handing(recovery=BACK)
    record.offer(0)
    record.take(0, recovery=seed_of(0, 52))
    record.recover(0, seed_of(0, 52))
    return record.play(1)


def bots() -> Record:
    record = pig(start=False, handover="both")
    for seat in (1, 0):
        record.join(seat, bot=seat == 0)
    record.start()
    record.offer(0)
    record.take(0, bot=False)
    return record.play()


def unsigned() -> Record:
    record = bids(unsigned=True)
    record.unsigned(0, [{"do": "bid", "amount": 1}])
    record.unsigned(1, [{"do": "bid", "amount": 2}], "page")
    return record.play()


def keyed(count: int) -> Record:
    record = handing()
    for number in range(count):
        record.add_key(0, 100 + number)
    return record


# --- keys that are listed elsewhere, and kept -------------------------------------------------------------------------


def listed() -> Bundles:
    yield "key-listed-by-a-rival-and-its-owner-moves", squatted().bundle()
    yield "key-that-sits-twice", one_key_for_two_seats().bundle()
    yield "key-of-a-former-holder-takes-the-seat-back", taken_back().bundle()
    yield "recovery-keeps-the-own-key", kept_own_key().bundle()
    yield "recovery-changes-the-code-alone", new_code().bundle()
    yield "recovery-closes-an-offer-and-ends-absence", closed_and_back().bundle()
    yield "handover-the-next-holder-has-sixteen-keys-too", sixteen_each().bundle()


def squatted() -> Record:
    """Seat 1 lists the key of seat 0, and its recovery key; the owner moves, and recovers."""
    record = handing(recovery=BACK)
    for key in (seed_of(0), BACK):
        record.act(a.key(**record.where(1), add=jwk_of(key)))
    record.move(0, ROLL)
    record.recover(0, BACK)
    return record.play()


def one_key_for_two_seats() -> Record:
    record = pig(start=False)
    record.seeds[1] = record.seeds[0]
    for seat in (0, 1):
        record.join(seat, nonce=canonical.leaf(b"nonce %d" % seat))
    record.start()
    return record.play()


def taken_back() -> Record:
    record = handing(handover="offer")
    record.offer(0)
    record.take(0)
    record.offer(0)
    record.take(0, seed=seed_of(0))
    return record.play()


def kept_own_key() -> Record:
    record = handing(recovery=BACK)
    record.add_key(0, 66)
    record.act(a.replace_keys(**record.where(0), only=[jwk_of(seed_of(0)), jwk_of(seed_of(0, 3))]), BACK)
    record.seeds[0] = seed_of(0)
    return record.play()


def new_code() -> Record:
    record = handing(recovery=BACK)
    record.replace_recovery(0, BACK, seed_of(0, 51))
    return record.play()


def closed_and_back() -> Record:
    record = handing(recovery=BACK, clock=SHORT)
    record.offer(0)
    record.expire(0)
    turn_of(record, 0).recover(0, BACK)
    return record.play()


def sixteen_each() -> Record:
    record = keyed(16)
    record.offer(0)
    record.take(0)
    for number in range(16):
        record.add_key(0, 300 + number)
    return record


# --- offers that wait -------------------------------------------------------------------------------------------------

HOUR = {"by": "both", "wait": 3600}


def waiting() -> Bundles:
    yield "offer-taken-at-its-second", taken_at(3600).bundle()
    yield "offer-hastened-by-the-recovery-key", hastened().bundle()
    yield "offer-by-the-recovery-key", offered_by_recovery().bundle()
    yield "offer-that-waits-at-an-absent-seat-taken-anew", absent_and_waiting().bundle()


def taken_at(seconds: int) -> Record:
    """So long after the seat was offered."""
    record = handing(handover=HOUR)
    opened = record.now
    record.offer(0)
    record.now = opened + seconds
    record.take(0)
    return record.play()


def hastened() -> Record:
    record = handing(recovery=BACK, handover=HOUR)
    record.offer(0)
    record.offer(0, by=BACK)
    record.take(0)
    return record.play()


def offered_by_recovery() -> Record:
    record = handing(recovery=BACK, handover=HOUR)
    record.offer(0, by=BACK)
    record.take(0)
    return record.play()


def absent_and_waiting() -> Record:
    record = handing(clock=SHORT, handover={"by": "both", "wait": 2**25})
    record.offer(0)
    record.expire(0)
    turn_of(record, 0).take(0)
    return record.play()


# --- what the server lost ---------------------------------------------------------------------------------------------


def told_lost() -> Bundles:
    yield "restored-and-played-on", restored().play().bundle()
    yield "restored-in-the-lobby", restored_lobby().bundle()
    yield "restored-twice", restored_twice().bundle()


def restored() -> Record:
    """Two entries were lost; the last of them had this hash."""
    record = pig()
    record.restored(record.table.size + 2, canonical.leaf(b"lost"))
    return record


def restored_lobby() -> Record:
    record = pig(start=False)
    record.join(0)
    record.restored(record.table.size + 1, canonical.leaf(b"lost"))
    return record


def restored_twice() -> Record:
    record = restored()
    record.move(0, ROLL)
    record.restored(record.table.size + 1, canonical.leaf(b"lost again"))
    return record.play()


# --- partly hidden ----------------------------------------------------------------------------------------


def unseen() -> Bundles:
    yield "hidden-running", bids(seats=3).play(2).bundle()
    yield "hidden-running-everything", everything(whole=False).bundle()
    yield "hidden-cancelled-secret-lost", lost(bids().play(2))
    yield "open-cancelled-secret-lost", lost(pig().play(2))


def lost(record: Record) -> bytes:
    record.put(c.compose_cancelled(record.table, None, record.at, "lost"))
    return bundle_of(record.lines)


def everything(*, whole: bool = True) -> Record:
    """A hidden game of four with every kind of entry in it, the end by the rules; or as it was running."""
    record = bids(
        seats=4, unsigned=True, start=False, handover="both", clock=SHORT, terms=canonical.to_base64url(OTHER)
    )
    for seat in (2, 0, 1, 3):
        record.join(seat, bot=seat == 3, recovery=seed_of(0, 50) if seat == 0 else None)
    record.leave(1)
    record.join(1)
    record.remove(1)
    record.join(1)
    record.start()
    recovered(record)
    record.add_key(2)
    record.unsigned(0, [{"do": "bid", "amount": 1}])
    record.grant([1, 2], 600)
    record.resign(3)
    record.expire(3)
    record.drop_key(2, record.table.occupants[2].keys[0][0])  # type: ignore[union-attr]  # seat 2 is taken
    record.expire(1)
    record.take(1)
    record.offer(2)
    record.offer(2, is_open=False)
    record.offer(2)
    record.take(2, bot=True)
    return record.play() if whole else record


# --- the games --------------------------------------------------------------------------------------------------------


def games() -> Bundles:
    yield "livingstone-finished", Record("livingstone", seed=2).play().bundle()
    yield "livingstone-running", Record("livingstone", seats=3, seed=2).play(12).bundle()
    yield "tikal-finished", Record("tikal", seed=2).play().bundle()
    auction = TikalOptions(variant="auction")
    yield "tikal-auction-running", Record("tikal", seats=3, seed=2, options=auction).play(40).bundle()
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
