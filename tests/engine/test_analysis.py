"""The analysis of a finished game: chances that add up, turning points that were choices, one answer for one file."""

import random
import re
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from engine.analysis import curve
from engine.analysis.chances import chances
from engine.analysis.decisions import read
from engine.analysis.results import LEAST_LOST
from engine.analysis.turning import MOST_POINTS, analyse
from engine.errors import BadRecord, Refused
from engine.kit import Step, dump_steps, format_command, legal, view
from engine.players import Facts, Heat, Positions, level
from tests.kit.games.bids import BidsOptions
from tests.kit.games.pig import Hold, PigOptions
from tests.kit.play_record import Record

GREEDY = 40  # a pot that only a reckless player risks
TITLES = ("tikal", "discoveries", "lewis_clark", "livingstone")


class Played(Record):
    """A record whose seats play by level; in Pig the first never holds below `GREEDY`."""

    def choose(self, seat):
        game, state = self.game, self.table.state
        listed = tuple(legal(game, state, seat))
        if game.meta.key == "pig" and seat == 0:
            bold = [one for one in listed if state.pot >= GREEDY or not isinstance(one, Hold)]
            return dump_steps([Step((bold or listed)[0])])
        facts = Facts(game=game, seat=seat, options=self.table.options, budget=Positions(50))
        line = level(game, "fair").line(facts, view(game, state, seat), listed, self.random)
        return dump_steps(map(Step, line))


@pytest.fixture(scope="module")
def reckless():
    return Played("pig", seed=3, options=PigOptions(goal=60)).play()


def test_a_reckless_player_has_the_turning_points(reckless):
    """The judge sees that the pot should have been kept, and says what that would have brought."""
    found = analyse(reckless.bundle(), random.Random)
    own = [point for point in found.points if point.seat == 0]
    assert own
    assert {one.commands for point in own for one in point.better} == {("hold",)}
    assert all(point.played == ("roll",) and point.lost >= LEAST_LOST for point in own)
    assert all("Seat 1" in point.better[0].brings[0] for point in own)


def test_a_better_line_has_a_reason(reckless):
    """The part of the judgement in which it is ahead, in the words of the game's players."""
    own = [point for point in analyse(reckless.bundle(), random.Random).points if point.seat == 0]
    assert all(re.fullmatch(r"It keeps (about )?\d+ points more[.]", point.better[0].reason) for point in own)


def test_a_game_whose_players_name_no_parts_has_no_reasons():
    data = Played("bids", seed=4, seats=3, options=BidsOptions()).play().bundle()
    points = analyse(data, random.Random).points
    assert points
    assert {one.reason for point in points for one in point.better} == {""}


def test_a_player_has_few_points_and_one_of_a_turn(reckless):
    points = analyse(reckless.bundle(), random.Random).points
    turns = [(point.seat, point.turn) for point in points]
    assert len(turns) == len(set(turns))
    assert all(sum(point.seat == seat for point in points) <= MOST_POINTS for seat in (0, 1))


def test_the_same_file_gets_the_same_analysis():
    data = Played("bids", seed=4, seats=3, options=BidsOptions()).play().bundle()
    assert analyse(data, random.Random) == analyse(data, random.Random)


def test_the_curve_begins_with_the_start_and_ends_with_the_result(reckless):
    """Chances always add up to one."""
    shares = analyse(reckless.bundle(), random.Random).curve
    assert all(sum(one.chances) == pytest.approx(1) for one in shares)
    winner = reckless.table.outcome["places"][0][0]
    assert shares[-1].chances[winner] == 1
    assert [one.seq for one in shares] == sorted({one.seq for one in shares})


def test_the_curve_says_who_has_moved(reckless):
    """At its start and for its result nobody."""
    shares = analyse(reckless.bundle(), random.Random).curve
    moved = {entry.seq: entry.body["seat"] for entry in reckless.entries if entry.kind == "moved"}
    assert (shares[0].seat, shares[-1].seat) == (None, None)
    assert [one.seat for one in shares[1:-1]] == [moved[one.seq] for one in shares[1:-1]]


def test_the_decision_that_ends_a_game_is_not_a_turning_point(reckless):
    """The result is known then, and chances are not."""
    found = analyse(reckless.bundle(), random.Random)
    assert all(point.seq < found.curve[-1].seq for point in found.points)


def test_lines_that_were_signed_in_parts_are_one_decision(reckless):
    """And every decision ends with a draw or with the turn."""
    found = read(reckless.bundle())
    assert all(one.line for one in found.decisions)
    assert all(len(one.line) == 1 for one in found.decisions)  # in Pig every roll is a draw, and holding ends the turn
    assert len(found.decisions) == sum(entry.kind == "moved" for entry in reckless.entries)


def test_a_game_that_runs_is_not_analysed():
    """Its hidden hands are not known yet, and an opinion would help one of its players."""
    with pytest.raises(Refused, match="not-over"):
        analyse(Record("pig", seed=1).play(3).bundle(), random.Random)


def test_a_broken_bundle_is_not_analysed(reckless):
    with pytest.raises(BadRecord):
        analyse(reckless.bundle().replace(b'"seat":0', b'"seat":1', 1), random.Random)


def test_chances_grow_with_the_worth_and_with_the_game():
    heat = Heat(first=10, last=1)
    early, late = chances((5.0, 0.0, None), heat, 0), chances((5.0, 0.0, None), heat, 1)
    assert early[2] == late[2] == 0
    assert 0.5 < early[0] < late[0] < 1


def test_the_picture_names_each_player_and_marks_each_turning_point(reckless):
    """Names may hold anything."""
    found = analyse(reckless.bundle(), random.Random)
    drawn = ET.fromstring(curve.picture(found, ("Ann <b>", "Ben" * 30), "dark"))
    texts = [node.text for node in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "Ann <b>" in texts
    assert "Ben" * 30 in texts
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}circle"))) == len(found.points)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "seats"), [(key, 2 if key == "livingstone" else 3) for key in TITLES])
def test_every_title_is_analysed(key, seats):
    """Better lines begin with a legal command, and cost the player who missed them a chance."""
    data = Played(key, seed=8, seats=seats).play().bundle()
    found, game = analyse(data, random.Random, positions=3000), read(data)
    before = {(one.seq, one.seat): one.before for one in game.decisions}
    assert found.decisions > 10
    assert found.curve[-1].chances.count(1.0) <= 1
    assert len({one.seq for one in found.curve}) == len(found.curve)
    for point in found.points:
        listed = legal(game.table.game, before[point.seq, point.seat], point.seat)
        assert {one.commands[0] for one in point.better} <= {*map(format_command, listed)}
        gained = [one.chance - point.chance for one in point.better]
        assert gained == sorted(gained, reverse=True)
        assert min(gained) >= LEAST_LOST
        assert len({point.played, *(one.commands for one in point.better)}) == 1 + len(point.better)
    reasons = [one.reason for point in found.points for one in point.better]
    assert all(says.startswith("It ") and "{" not in says for says in filter(None, reasons))
    assert len([*filter(None, reasons)]) > len(reasons) / 2
    assert any(len(point.better) > 1 for point in found.points)


def test_a_game_without_a_judgement_says_so(monkeypatch):
    """So does a game that one player plays alone."""
    from engine.analysis import turning

    offered = replace(turning.players("pig"), worth=None)
    monkeypatch.setattr(turning, "players", lambda _key: offered)
    with pytest.raises(Refused, match="no-analysis"):
        analyse(Played("pig", seed=3, options=PigOptions(goal=20)).play().bundle(), random.Random)
