"""Games that hold, in which seats change hands or keys, offers wait, or entries were lost."""

from __future__ import annotations

from collections.abc import Iterator

from engine.record.encoding import canonical
from engine.record.signed import keys
from tests.audit.bundles.tools import ROLL, SHORT, bids, handing, pig, turn_of
from tests.kit.play_record import CLOCK, Record, jwk_of, seed_of
from tests.kit.play_record import acts as a
from tests.kit.records import BACK, rekeyed

Bundles = Iterator[tuple[str, bytes]]


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
    yield "handover-the-next-holder-has-sixteen-keys-too", rekeyed(keyed(16)).bundle()


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
