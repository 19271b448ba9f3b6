"""Doubtful times are warnings, not verdicts: honest clocks can be wrong too."""

import httpx
import pytest

from client.errors import NotYetError
from client.http import NoAnswerError
from client.times import FAR, SKEW
from engine.record.encoding import canonical

from .dishonest import Proxy, lose
from .fake_server import NOW, FakeServer
from .people import ROLL, At, key_of, seated


@pytest.fixture
def sit(tmp_path):
    """A server with a game and its players in their seats."""
    return lambda **given: seated(tmp_path, **given)


def test_an_entry_dated_before_a_look_without_it_is_a_warning(sit, tmp_path):
    """At 10:50 the log had four entries; then a fifth appears, dated 10:00. It is accepted with a warning."""
    house, players = sit()
    house.now = NOW + 3000
    players[1].sync()
    house.now = NOW
    players[0].move(ROLL)
    house.now = NOW + 3100
    players[1].sync()
    said = "entry 4 is dated 2026-11-21T10:00:00Z, but by this clock it did not exist yet at 2026-11-21T10:50:00Z"
    assert players[1].said == [said]
    assert players[1].log.broken is None
    assert players[1].memory.warnings() == [said]


def test_the_times_of_looks_outlive_the_process(sit, tmp_path):
    """Another process on the same folder knows them."""
    house, players = sit()
    house.now = NOW + 3000
    players[1].sync()
    house.now = NOW
    players[0].move(ROLL)
    house.now = NOW + 3100
    again = At(house, tmp_path, 1)
    again.sync()
    assert len(again.said) == 1


def test_entries_seen_before_and_fetched_again_cause_no_warning(sit, tmp_path):
    """The copy of the log is lost, but not the times of looks: those entries were there."""
    house, players = sit()
    players[0].move(ROLL)
    house.now = NOW + 3000
    players[1].sync()
    (players[1].memory.folder / "log").unlink()
    (players[1].memory.folder / "note").unlink()
    again = At(house, tmp_path, 1)
    again.sync()
    assert again.log.size == 5
    assert again.said == []


def test_an_entry_dated_after_the_last_look_causes_no_warning(sit):
    """Hours ago, and nobody has looked since."""
    house, players = sit()
    house.now = NOW + 3000
    players[0].move(ROLL)
    house.now = NOW + 9000
    players[1].sync()
    assert players[1].said == []


def test_a_small_difference_of_clocks_causes_no_warning(sit):
    """One clock is two minutes slow."""
    house, players = sit()
    house.now = NOW + FAR
    players[1].sync()
    house.now = NOW
    players[0].move(ROLL)
    house.now = NOW + FAR + 1
    players[1].sync()
    assert players[1].said == []


@pytest.mark.parametrize(("dated", "says"), [(-3000, True), (-FAR, False), (0, False)])
def test_an_own_act_dated_far_from_its_sending_is_a_warning(sit, dated, says):
    """With that date our time would seem to have run out."""
    house, players = sit()
    house.now = NOW + 6000
    players[0].player._clock = players[0].log.clock = players[0]._desk._clock = lambda: NOW + 6000
    house.now = NOW + 6000 + dated
    players[0].move(ROLL)
    told = [text for text in players[0].said if "its act was sent" in text]
    assert bool(told) == says
    if says:
        assert told == [
            "entry 4 is dated 2026-11-21T10:50:00Z, but its act was sent at 2026-11-21T11:40:00Z by this clock"
        ]
    assert players[0].log.broken is None


@pytest.mark.parametrize(("logged", "says"), [(7200, False), (-3000, True)])
def test_an_act_whose_answer_was_lost_may_be_dated_in_between(tmp_path, logged, says):
    """Sent at ten and found in the log at one: noon may be right, but nine is wrong."""
    house = FakeServer("pig", 2)
    way = Proxy(house)
    ten = NOW + 4000
    _, players = seated(tmp_path, house=house, way=way, clock=lambda: ten)
    way.acts = lose()
    with pytest.raises(NoAnswerError):
        players[0].move(ROLL)
    house.now = ten + logged
    house(httpx.Request("POST", "http://games.example/moves", content=way.seen[-1]))
    way.acts = None
    again = At(house, tmp_path, 0, way, clock=lambda: ten + 10800)
    again.sync()
    assert again.log.size == 5
    assert bool([text for text in again.said if "its act was sent" in text]) == says


def test_an_entry_ahead_of_our_clock_delays_signing(sit, tmp_path):
    """It is accepted and nobody is accused; but a signature on it now would vouch for a future time."""
    house, _ = sit()
    clock = [NOW - SKEW - 100]
    slow = At(house, tmp_path, 0, clock=lambda: clock[0])
    slow.sync()
    posted = len(house.posted)
    for act in (slow.resign, lambda: slow.move(ROLL)):
        with pytest.raises(NotYetError) as caught:
            act()
        assert caught.value.seconds == 100
    assert len(house.posted) == posted
    assert slow.log.broken is None
    clock[0] += 100
    slow.move(ROLL)


def test_an_entry_ahead_of_our_clock_is_a_warning(sit, tmp_path):
    """Each once, with both times."""
    house, _ = sit()
    slow = At(house, tmp_path / "slow", 3, clock=lambda: NOW - 200)
    slow.sync()
    slow.sync()
    assert len(slow.said) == 4
    assert slow.said[0] == (
        "entry 0 is dated 2026-11-21T10:00:00Z, but by this clock it is only 2026-11-21T09:56:40Z: nothing is "
        "signed until then"
    )


def test_waiting_for_one_s_turn_waits_for_the_time_too(sit, tmp_path):
    """`wait` returns when the head may be signed on."""
    house, _ = sit()
    clock, waited = [float(NOW - SKEW - 100)], []

    def sleep(seconds):
        waited.append(seconds)
        clock[0] += seconds

    slow = At(house, tmp_path, 0, clock=lambda: clock[0])
    slow.player.api.pause = sleep
    assert slow.wait()
    assert waited == [25.0, 25.0, 25.0, 25.0]
    slow.move(ROLL)


def test_the_servers_clock_may_run_back(sit):
    """The next entry has the time of the one before, as the record requires, without a warning."""
    house, players = sit()
    house.now = NOW + SKEW
    players[0].move(ROLL)
    house.now = NOW
    players[0].add_key(key_of(60).jwk)
    assert canonical.loads(house.lines[-1])["at"] == canonical.instant(NOW + SKEW)
    assert players[0].said == []
