"""Order and time: which entry may follow which, when the clock may play, and how a game ends."""

import pytest

from engine.errors import Refused, SealedMoveError
from engine.record.compose import entries as c
from engine.record.encoding import canonical
from engine.record.judge.entries import follow
from engine.record.log.entry import read_entry
from engine.record.log.fold import open_table
from tests.kit.play_record import CLOCK, START, Record

ROLL = [{"do": "roll"}]
OUTCOME = {"places": [[0], [1]], "points": [], "out": [], "reason": "goal", "won": True}


def changed(record, **members):
    """The last entry with members changed, or (None) left out, at the table before it."""
    body = {k: v for k, v in (canonical.loads(record.lines[-1]) | members).items() if v is not None}
    table = open_table(record.entries[0])
    for entry in record.entries[1:-1]:
        table = follow(table, entry)
    return table, read_entry(canonical.dumps(body))


def code_of(table, entry, **given):
    with pytest.raises(SealedMoveError) as refused:
        follow(table, entry, **given)
    return refused.value.code


WRONG = {
    "game": ("0193f3c2-0000-7000-8000-000000000002", "wrong-game"),
    "seq": (9, "wrong-seq"),
    "prev": (canonical.to_base64url(bytes(32)), "broken-chain"),
    "at": ("2026-11-21T10:01:59Z", "time-goes-back"),
    "state": (canonical.to_base64url(bytes(32)), "wrong-state"),
    "events": ([], "wrong-events"),
    "seals": ([canonical.to_base64url(bytes(32))] * 3, "wrong-seals"),
}


@pytest.mark.parametrize("member", WRONG)
def test_a_wrong_member_of_an_entry_is_named(member):
    """One member at a time, in an open game with everything known."""
    record = Record("pig")
    record.move(0, ROLL)
    value, code = WRONG[member]
    assert code_of(*changed(record, **{member: value})) == code


DRAWS = {
    "a result off by one": (lambda d: {"got": [[6, (d["got"][0][1] + 1) % 6], *d["got"][1:]]}, "wrong-draw"),
    "another n": (lambda d: {"got": [[2**31, d["got"][0][1]], *d["got"][1:]]}, "wrong-draw"),
    "one left out": (lambda d: {"got": d["got"][:-1]}, "wrong-key"),
    "first off by one": (lambda d: {"first": d["first"] + 1}, "wrong-first"),
    "a random key": (lambda d: {"key": canonical.to_base64url(b"\x55" * 32)}, "wrong-key"),
}


@pytest.mark.parametrize("case", DRAWS)
def test_wrong_draws_are_caught_while_the_game_runs(case):
    """Checking public draws needs no secret, not even in a hidden game."""
    record = Record("pig", seed=3)
    record.move(0, ROLL * 2)
    change, code = DRAWS[case]
    found = canonical.loads(record.lines[-1])["draws"]
    assert code_of(*changed(record, draws=found | change(found))) == code


def test_a_missing_or_superfluous_draw_is_refused():
    """An entry shows exactly its own draws."""
    record = Record("pig", seed=3)
    record.move(0, ROLL)
    assert code_of(*changed(record, draws=None)) == "draws-missing"
    lane, _ = c.lanes(record.table, record.secret)
    got, first = [[6, lane.roll(6)]], record.table.draw
    record.move(record.table.active[0], [{"do": "hold"}])
    key = canonical.to_base64url(c.chain_key(record.secret, record.game.meta.draws, first))
    assert code_of(*changed(record, draws={"first": first, "got": got, "key": key})) == "unexpected-draws"


def test_draws_are_numbered_not_entries():
    """An entry that draws twice gives the same results as two entries that draw once."""
    thrown = []
    for counts in ([1, 1], [2]):
        record = Record("pig", seed=3)
        for count in counts:
            record.move(0, ROLL * count)
        shown = [canonical.loads(line).get("draws", {"got": []}) for line in record.lines]
        thrown.append([result for draws in shown for _, result in draws["got"]])
    assert thrown[0] == thrown[1]
    assert len(thrown[0]) == 2


def test_a_deadline_counts_from_the_beginning_of_the_stretch():
    """From the entry after which the seat owes an answer; later acts of others do not matter."""
    record = Record("bids")
    asked = record.table.questions[1]
    record.move(0, [{"do": "bid", "amount": 1}])
    assert record.table.questions[1] == asked
    assert record.table.deadline(1) == START + 120 + CLOCK["move"] + CLOCK["grace"]
    assert record.table.deadline(0) is None
    assert record.table.unchanged(1, asked.seq + 1)
    assert not record.table.unchanged(0, asked.seq + 1)


def test_a_seats_own_move_is_a_new_question():
    """A seat that answers and still owes something signs again, without new time."""
    record = Record("pig", seed=3)
    due = record.table.deadline(0)
    record.move(0, ROLL)
    assert record.table.active == (0,)
    assert record.table.deadline(0) == due
    assert record.table.questions[0].seq == record.table.size - 1
    assert not record.table.unchanged(0, record.table.size - 1)


def test_a_key_added_changes_no_question():
    """An act signed before is still the same answer."""
    record = Record("pig")
    seq = record.table.size
    record.add_key(1)
    assert record.table.unchanged(0, seq)


def test_the_clock_does_not_play_too_early():
    """Not even one second early, and never without a clock."""
    record = Record("pig")
    record.now = record.table.deadline(0) - 1
    with pytest.raises(Refused) as refused:
        c.compose_expired(record.table, record.secret, record.at, 0)
    assert refused.value.code == "not-due"
    with pytest.raises(Refused):
        c.compose_expired(Record("pig", clock=None).table, record.secret, "2036-11-21T10:00:00Z", 0)


def test_the_clock_plays_once():
    """Afterwards the seat owes nothing."""
    record = Record("pig")
    record.expire(0)
    with pytest.raises(Refused) as refused:
        record.expire(0)
    assert refused.value.code == "not-due"


def test_a_resigned_seat_is_played_at_once():
    """At any time; with three seats the game goes on, with two it is over."""
    record = Record("pig", seats=3)
    record.resign(0)
    assert record.table.deadline(0) <= record.now
    made = record.expire(0)
    assert record.now < START + 3600
    assert not made.table.is_over
    record.resign(1)
    assert record.table.stage == "finished"
    assert record.table.outcome["reason"] == "resigned"


def test_a_default_other_than_the_engines_is_caught():
    """The default is a roll, so a hold is refused."""
    record = Record("pig", seed=3)
    record.move(0, ROLL)
    record.expire(0)
    table, _ = changed(record)
    chance, hidden = c.lanes(table, record.secret)
    played = c.decide(table, "moved", 0, ROLL, chance, hidden)
    found = c.members_of(table, table.size, played, record.secret, c.last_key(table, played, record.secret))
    forged = {name: canonical.loads(data) for name, data in found.items()}
    assert code_of(*changed(record, **forged)) == "wrong-events"


def test_time_never_goes_back():
    """A server whose clock was set back writes the time of the entry before."""
    record = Record("pig")
    last = record.table.at
    record.now = START
    record.move(0, ROLL)
    assert record.table.at == last


def test_the_secret_comes_at_the_end_only():
    """In the middle it would let anybody compute what is to come."""
    record = Record("pig")
    record.move(0, ROLL)
    ended = {"secret": canonical.to_base64url(record.secret), "outcome": OUTCOME}
    assert code_of(*changed(record, **ended)) == "unexpected-outcome"


def test_a_cancelled_game_shows_its_secret():
    """Or states that it is lost."""
    record = Record("bids").play(2)
    record.cancel()
    assert record.table.stage == "cancelled"
    assert record.table.secret == record.secret
    assert record.table.active == ()


def test_the_same_act_gives_the_same_draws_again():
    """A server that could not commit tries again, and the dice are the same."""
    record = Record("pig")
    jws, _ = record.move_jws(0, ROLL)
    lines = {
        c.compose_moved(
            record.table, record.secret, record.at, c.admission.check_act(record.table, jws, record.now)
        ).line
        for _ in "12"
    }
    assert len(lines) == 1


def test_a_refused_move_changes_nothing():
    """The refusal of the rules is passed on unchanged."""
    record = Record("pig")
    table = record.table
    with pytest.raises(Refused) as refused:
        record.move(0, [{"do": "hold"}])
    assert refused.value.code == "nothing-to-hold"
    assert record.table is table


def test_steps_played_before_a_refusal_are_reported():
    """A draw fixes the move: the roll counts, the rest is dropped, and the answer shows where the move stopped."""
    record = Record("pig", seed=3)
    made = record.move(0, [*ROLL * 7, {"do": "hold"}])
    assert 1 <= made.done < 8
    assert made.refusal is not None


def test_the_key_of_another_draw_is_caught_while_the_game_runs():
    """Another key of the true chain, such as the next or the last one shown, is refused."""
    record = Record("pig", seed=3)
    record.move(0, ROLL)
    record.move(record.table.active[0], ROLL)
    found = canonical.loads(record.lines[-1])["draws"]
    for d in (found["first"] - 1, found["first"] + 1):
        other = canonical.to_base64url(c.chain_key(record.secret, record.game.meta.draws, d))
        assert code_of(*changed(record, draws=found | {"key": other})) == "wrong-key"
