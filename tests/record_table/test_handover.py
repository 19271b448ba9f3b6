"""A seat with a new holder: what leaves with the old one, and what stays with the seat."""

import pytest

from engine.errors import Refused
from engine.record.audit import audit
from engine.record.encoding import canonical
from engine.record.log.fold import entropy_of
from tests.kit import records
from tests.kit.attempts import kid_of
from tests.kit.play_record import CLOCK, Record, seed_of

ROLL = [{"do": "roll"}]


def test_all_keys_of_the_old_holder_go():
    """The keys that joined, were added, or recover; the seat has only the new holder's key."""
    record = records.opened(recovery=records.BACK)
    record.add_key(0, 5)
    record.take(0, 6, recovery=seed_of(0, 7))
    occupant = record.table.occupants[0]
    assert [kid for kid, _ in occupant.keys] == [kid_of(seed_of(0, 6))]
    assert occupant.recovers(kid_of(seed_of(0, 7)))
    assert not occupant.recovers(kid_of(records.BACK))


def test_a_former_holder_takes_the_seat_back_with_the_same_key():
    record = records.taken(1)
    record.take(0, seed=seed_of(0))
    record.move(0, ROLL)
    assert audit(record.bundle()).verdict == "holds"


def test_a_taken_seat_is_closed():
    """Its new holder may offer it again."""
    record = records.opened()
    record.take(0)
    assert not record.table.is_open(0)
    assert record.table.free_from(0) is None


@pytest.mark.parametrize(("by", "wait"), [(None, 3600), (records.BACK, 0)])
def test_an_offer_by_a_device_waits_and_one_by_the_recovery_key_does_not(by, wait):
    record = records.running(recovery=records.BACK, handover={"by": "offer", "wait": 3600})
    opened = record.now
    record.offer(0, by=by)
    free = record.table.free_from(0)
    assert free == (opened + wait if wait else 0)
    assert record.table.is_free(0, free)
    assert not record.table.is_free(0, free - 1)
    record.now = free
    assert record.take(0).table.occupants[0].kid == kid_of(seed_of(0, 2))


def test_an_absent_seat_whose_offer_waits_begins_anew():
    """Otherwise its taker would inherit a stretch that is over."""
    record = records.running(clock=CLOCK | {"missed": 1}, handover={"by": "both", "wait": 2**25})
    record.offer(0)
    for seat in (0, 1, 2):
        record.expire(seat)
    record.now += 60
    now = record.now
    record.take(0)
    assert record.table.times[0].stretch.start == now
    report = audit(record.bundle())
    assert report.verdict == "holds"
    assert report.holders[1].by == "absence"


def test_an_absent_seat_that_is_offered_and_taken_is_not_absent_and_keeps_its_stretch():
    """Its offer did not wait, so its taker has what is left of its time."""
    record = records.running(clock=CLOCK | {"missed": 1}, handover={"by": "both", "wait": 0})
    record.offer(0)
    for seat in (0, 1, 2):
        record.expire(seat)
    record.now += 60
    stretch = record.table.times[0].stretch
    assert record.table.is_absent(0)
    assert stretch is not None
    record.take(0)
    assert not record.table.is_absent(0)
    assert record.table.times[0].stretch == stretch
    report = audit(record.bundle())
    assert (report.verdict, report.holders[1].by) == ("holds", "offer")


def test_the_dice_and_the_position_are_those_of_the_seat():
    """The same roll gives the same die for any holder, and the nonces stay those of the first holders."""
    thrown = []
    for hands in (0, 1):
        record = records.opened()
        before = entropy_of(record.table)
        if hands:
            record.take(0, bot=True)
        assert entropy_of(record.table) == before
        record.move(0, ROLL)
        body = canonical.loads(record.lines[-1])
        thrown.append((body["events"], body["draws"], body["state"]))
    assert thrown[0] == thrown[1]


@pytest.mark.parametrize(("handover", "is_open", "is_absent", "free"), [
    ("none", False, True, False), ("offer", False, True, False), ("absent", False, True, True),
    ("both", False, True, True), ("offer", True, False, True), ("both", True, False, True),
    ("both", False, False, False),
])  # fmt: skip
def test_which_seat_is_free(handover, is_open, is_absent, free):
    """Entry 0 decides: offered ones, absent ones, both, or none."""
    record = records.absent(handover=handover) if is_absent else records.running(handover=handover)
    if is_open:
        record.offer(0)
    assert record.table.is_free(0, record.now) == free


def test_no_seat_is_free_before_the_start_or_after_the_end():
    """There is nothing to take over."""
    record = Record("pig", 2, seed=4, handover="both")
    record.offer(1)
    assert record.table.free_from(1) == record.now - 60
    assert record.play().table.free_from(1) is None
    assert records.lobby("pig", 0, 1, handover="both").table.free_from(0) is None


def test_resigning_withdraws_an_offer():
    """A seat that has resigned never changes hands."""
    record = records.opened()
    record.resign(0)
    assert not record.table.is_open(0)
    with pytest.raises(Refused) as no:
        record.take(0)
    assert no.value.code == "already-resigned"
    assert record.table.occupants[0].kid == kid_of(seed_of(0))
