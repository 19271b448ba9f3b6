"""The holders of seats in the audit's report: how they came, until when, with which keys, and what stays unknown."""

import pytest

from engine.errors import Refused
from engine.record.audit import audit
from engine.record.laws.admission import as_bad_record
from engine.record.signed import keys, server_keys
from tests.audit.bundles import good, good_hands
from tests.kit import records
from tests.kit.attempts import kid_of
from tests.kit.audited import failed
from tests.kit.play_record import OTHER_SEED, SERVER, SERVER_SEED, Record, seed_of


def held(record):
    """(seat, since, until, how) of everybody, in the report's order."""
    return [(one.seat, one.since, one.until, one.by) for one in audit(record.bundle()).holders]


def test_joins_and_leaves_are_reported():
    """A seat may be given up before the start, and taken again."""
    record = records.lobby("pig", 0, 1)
    record.leave(0)
    record.join(0)
    record.remove(1)
    assert held(record) == [(0, 1, 3, "join"), (0, 4, None, "join"), (1, 2, 5, "join")]


def test_a_seat_taken_by_its_offer_has_two_holders():
    """Each with the key that came."""
    record = records.opened()
    record.take(0, bot=True)
    first, second, *_ = audit(record.bundle()).holders
    assert (first.kid, first.bot, first.until) == (kid_of(seed_of(0)), False, 6)
    assert (second.kid, second.bot, second.since, second.by) == (kid_of(seed_of(0, 2)), True, 6, "offer")


def test_a_seat_taken_as_absent_is_reported_as_such():
    """The report adds that nobody knows whether its holder was kept away."""
    record = records.absent()
    record.take(0)
    report = audit(record.bundle())
    assert (0, 6, None, "absence") in held(record)
    said = f"whether somebody kept the holder of seat 1 away before {kid_of(seed_of(0, 2))} took it (entry 6)"
    assert said in report.cannot_know
    assert "took the absent seat at entry 6" in report.text()


def test_open_and_absent_counts_as_open():
    """Its holder had offered it."""
    record = records.absent()
    record.offer(0)
    record.expire(1)
    record.take(0)
    assert (0, 8, None, "offer") in held(record)


def test_acts_of_recovery_keys_are_named():
    """A reader of the report sees when a holder came back, or someone else took over with the recovery code."""
    report = audit(good_hands.recovered(records.running(recovery=records.BACK)).bundle())
    assert [(one.seq, one.seat) for one in report.recoveries] == [(7, 0)]
    assert "- seat 1: its recovery key signed entry 7" in report.text()


def test_the_whole_game_with_everything_names_them_all():
    """Joined, left, removed, taken as absent and by offer, with a bot among them."""
    record = good.everything()
    by_seat = {seat: [how for one, _, _, how in held(record) if one == seat] for seat in range(4)}
    assert by_seat == {0: ["join"], 1: ["join", "join", "join", "absence"], 2: ["join", "offer"], 3: ["join"]}


def test_only_nonces_of_first_holders_are_in_the_dice():
    """A later holder, bot or not, changes nothing: the report names the last to join before the start."""
    record = records.opened()
    record.take(0, bot=True)
    said = audit(record.bundle()).cannot_know
    assert any("seat 3, the last to join (entry 3)" in line for line in said)
    assert not any("a machine" in line for line in said)


def test_every_holder_can_be_looked_up():
    """A known thumbprint may belong to the first holder or to a later one."""
    record = records.opened()
    record.take(0)
    for seed in (seed_of(0), seed_of(0, 2)):
        assert audit(record.bundle(), keys={0: kid_of(seed)}).verdict == "holds"
    assert failed(record.bundle(), keys={0: kid_of(seed_of(1))}) == {"signatures": 1}


# --- the server's keys ------------------------------------------------------------------------------------------------

LIST = server_keys.document(
    SERVER,
    [OTHER_SEED, SERVER_SEED, bytes(32)],
    ["2026-01-01T00:00:00Z", None, None],
    spec="",
    software="",
    contact=None,
)


def test_the_key_of_a_game_is_one_of_its_servers():
    """Not only the first or the last: a game keeps the key that it began with."""
    known = server_keys.read(LIST)
    report = audit(Record("pig").bundle(), server=known)
    assert report.verdict == "holds"
    assert not any("is the key of" in line for line in report.cannot_know)


@pytest.mark.parametrize("known", [
    server_keys.ServerKeys(SERVER, (keys.public_of(OTHER_SEED),)),
    server_keys.ServerKeys("b.example", (keys.public_of(SERVER_SEED),)),
    keys.public_of(OTHER_SEED),
], ids=["another key", "another server", "another single key"])  # fmt: skip
def test_a_game_of_another_key_or_server_fails_its_note(known):
    """The forger's game is whole, but nobody whom the caller trusts has signed for it."""
    assert failed(Record("pig").bundle(), server=known) == {"note": 0}


def test_a_fault_in_the_order_names_seats_as_people_count_them():
    """As the report, certificates and pages do; the code and the facts are data."""
    assert str(as_bad_record(Refused("seat-taken", seat=0), 3)) == "entry 3: Seat 1 is taken."
