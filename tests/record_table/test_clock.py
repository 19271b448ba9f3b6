"""The clock against the slow one of the specification, over random games; and its laws."""

from __future__ import annotations

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from engine.record.log import clock as quick
from engine.record.log.fold import apply_entry, open_table
from tests.kit.random_play import ACTS, Plan, Played, play
from tests.kit.slow_clock import ENDS_ABSENCE, SlowClock

# A clock this short is over within a few random waits.
clocks = st.builds(
    lambda move, bank, more, increment, grace, missed: {
        "move": move, "bank": bank, "increment": increment, "cap": bank + more, "grace": grace, "missed": missed,
        "grants": 2**25,
    },
    st.integers(60, 600), st.integers(0, 900), st.integers(0, 600), st.integers(0, 300), st.integers(60, 400),
    st.sampled_from((1, 1, 2, 0)),
)  # fmt: skip
often = ("move", "move", "move", "expire", "expire", "expire", "expire", "take", "take", "grant")
step = st.tuples(st.sampled_from((*ACTS, *often)), st.integers(0, 3), st.integers(0, 1500))
steps = st.lists(step, min_size=8, max_size=24)
plans = st.builds(
    Plan, st.sampled_from(("pig", "bids")), st.integers(2, 4), st.one_of(clocks, clocks, clocks, st.none()), steps,
    st.sampled_from(("both", "both", "absent", "offer", "none")), st.sampled_from((0, 600, 2000)),
)  # fmt: skip
# A whole game is slow to shrink, and the plan of a failing one can be read as it is.
many = settings(max_examples=120, phases=(Phase.explicit, Phase.generate))
SHORT = {"move": 60, "bank": 0, "increment": 30, "cap": 300, "grace": 60, "missed": 1, "grants": 2**25}


def judged(played: Played) -> SlowClock:
    created = played.record.table.created
    return SlowClock(created["clock"], played.facts, created["handover"]["wait"])


def seats_after(played: Played):
    """Every entry but the first, with each seat."""
    return [(i, seat) for i, table in enumerate(played.tables) if i for seat in range(table.seats)]


@pytest.mark.slow
@many
@given(plans)
def test_deadline_bank_and_absence_are_those_of_the_specification(plan):
    """At every entry and for every seat, computed anew from the whole list."""
    played = play(plan)
    slow = judged(played)
    for i, seat in seats_after(played):
        table = played.tables[i]
        assert table.deadline(seat) == slow.deadline(seat, i)
        assert table.is_absent(seat) == slow.is_absent(seat, i)
        assert table.is_open(seat) == slow.is_open(seat, i)
        if slow.clock and not slow.has_gone(seat, i):
            assert table.times[seat].bank == slow.bank(seat, i)


@pytest.mark.slow
@many
@given(plans)
def test_an_outside_view_of_a_hidden_game_counts_the_earliest_time(plan):
    """As the specification counts it, and never later than the server, which knows which seats owe."""
    played = play(plan)
    slow, outside = judged(played), open_table(played.record.entries[0])
    for i, entry in enumerate(played.record.entries[1:], 1):
        outside = apply_entry(outside, entry) if outside.hidden else played.tables[i]
        for seat in range(outside.seats if outside.stage == "running" else 0):
            exact = played.tables[i].deadline(seat)
            counted = outside.deadline(seat)
            if outside.hidden:
                assert counted == slow.earliest(seat, i)
            assert exact is None or (counted is not None and counted <= exact)


@pytest.mark.slow
@many
@given(plans)
@example(Plan("pig", 3, SHORT, [("expire", 0, 0)] * 3 + [("grant", 0, 0), ("close", 0, 5)]))
def test_the_deadline_of_a_stretch_never_goes_back(plan):
    """No grant, offer, key, take or move brings it forward; only a resigned seat is played at once."""
    played = play(plan)
    slow = judged(played)
    for i, seat in seats_after(played):
        before, after = played.tables[i - 1].deadline(seat), played.tables[i].deadline(seat)
        goes_on = before is not None and after is not None and slow.stretch(seat, i) == slow.stretch(seat, i - 1)
        if goes_on and seat not in played.tables[i].gone and played.facts[i].kind != "expired":
            assert after >= before


@pytest.mark.slow
@many
@given(plans)
def test_the_bank_grows_with_the_seats_moves_and_when_an_absent_seat_is_taken(plan):
    """It grows by at most the increment, and is never below 0 or above its cap."""
    played = play(plan)
    clock = played.record.table.created["clock"]
    for i, seat in seats_after(played) if clock else ():
        before, after = played.tables[i - 1].times[seat].bank, played.tables[i].times[seat].bank
        fact, own = played.facts[i], seat in played.facts[i].seats
        assert 0 <= after <= clock["cap"]
        if after > before:
            assert own
            assert fact.kind in ("moved", "taken")
            assert after - before <= clock["increment"] if fact.kind == "moved" else after == clock["bank"]
        if own and fact.kind == "taken" and not played.tables[i - 1].is_open(seat):
            assert after >= clock["bank"]


@pytest.mark.slow
@many
@given(plans)
def test_absence_begins_with_the_clock_and_ends_with_an_act_of_the_seat(plan):
    """It also ends when the seat resigns, after which nobody waits for it."""
    played = play(plan)
    for i, seat in seats_after(played):
        before, after = (table.is_absent(seat) for table in played.tables[i - 1 : i + 1])
        fact, own = played.facts[i], seat in played.facts[i].seats
        if own and fact.kind in (*ENDS_ABSENCE, "resigned"):
            assert not after
        elif before != after:
            assert (own, fact.kind, after) == (True, "expired", True)


@pytest.mark.slow
@many
@given(plans)
def test_a_seat_that_has_resigned_is_played_at_once(plan):
    """The deadline is the time of the question, with a clock or without."""
    played = play(plan)
    for i, seat in seats_after(played):
        table = played.tables[i]
        if seat in table.gone and table.deadline(seat) is not None:
            assert table.deadline(seat) <= played.facts[i].at
            assert table.deadline(seat) == played.facts[table.questions[seat].seq].at


# --- the function alone -----------------------------------------------------------------------------------------------

pieces = st.lists(st.integers(0, 2000), min_size=1, max_size=6).map(sorted)


@given(clocks, pieces)
def test_a_turn_in_many_pieces_gains_no_time(clock, ends):
    """The deadline stays the same from the first piece to the last, and the bank pays for one whole move at the end."""
    (time,) = quick.played(quick.opened(clock, 1), clock, quick.Moment(3, 0, "started"), {0})
    whole, due = time, quick.deadline(time, clock)
    for seq, at in enumerate(ends[:-1], 4):
        (time,) = quick.played((time,), clock, quick.Moment(seq, at, "moved", 0), {0})
        assert quick.deadline(time, clock) == due
    last = quick.Moment(9, ends[-1], "moved", 0)
    assert quick.played((time,), clock, last, ()) == quick.played((whole,), clock, last, ())


@given(clocks, st.integers(0, 3000), st.sampled_from(("moved", "expired", "resigned")), st.booleans())
def test_only_a_seats_own_move_that_ends_a_stretch_gains_the_increment(clock, at, kind, own):
    """A default move does not, nor does a move that another player's act makes superfluous."""
    (time,) = quick.played(quick.opened(clock, 1), clock, quick.Moment(3, 0, "started"), {0})
    (ended,) = quick.played((time,), clock, quick.Moment(4, at, kind, 0 if own else 1), ())
    left = max(0, clock["bank"] - max(0, at - clock["move"]))
    won = clock["increment"] if kind == "moved" and own else 0
    assert ended.bank == min(left + won, clock["cap"])


@given(clocks, st.integers(0, 3000))
def test_an_absent_seat_that_is_taken_keeps_a_bank_above_the_first_one(clock, bank):
    """And is given the first one if it has less."""
    (time,) = quick.opened(clock, 1)
    had = quick.Time(bank=bank, missed=clock["missed"])
    assert quick.taken(had, clock, quick.Moment(5, 0, "taken", 0), by_offer=False).bank == max(bank, time.bank)
    assert quick.taken(had, clock, quick.Moment(5, 0, "taken", 0), by_offer=True).bank == bank


@given(clocks, st.integers(0, 3000))
def test_time_that_was_granted_is_not_taken_from_the_bank(clock, late):
    """An outage in which nobody could move does not use up anybody's bank."""
    times = quick.played(quick.opened(clock, 1), clock, quick.Moment(3, 0, "started"), {0})
    (time,) = quick.played(
        quick.granted(times, [0], late), clock, quick.Moment(5, clock["move"] + late, "expired", 0), ()
    )
    assert time.bank == clock["bank"]
