"""The end of the game and the scoring of a round: the cases between the rules of `test_rules`."""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.livingstone import events as told_of
from engine.games.livingstone.commands import End
from engine.games.livingstone.scoring import outcome
from engine.games.livingstone.state import HEADINGS
from tests.games.livingstone.positions import play, position
from tests.kit.worlds import told

LAST_DIE = (0, 0, 0, 0, 0, 1)


def test_each_tent_on_a_square_scores() -> None:
    """Two in row 6 and one in row 2 bring fourteen points."""
    state = position(players={0: {"tents": (46, 46, 42)}}, dice=LAST_DIE)
    turn = play(state, "coins 6; end")
    assert [event.points for event in told(turn, told_of.ColumnScored)] == [14]


def test_after_the_steamer_card_the_true_column_is_played_and_scored() -> None:
    """Tents placed there before the steamer went back are scored with the next round, and only then."""
    state = position(players={0: {"hand": ("steamer",), "tents": (46,)}}, dice=LAST_DIE)
    first = play(state, "play steamer; coins 6; end")
    assert told(first, told_of.ColumnScored) == []
    later = position(players={0: {"tents": (46,)}}, column=first.state.column, seat=1, first=1, dice=LAST_DIE)
    assert [(e.column, e.points) for e in told(play(later, "coins 6; end"), told_of.ColumnScored)] == [(4, 6)]


def test_each_unsold_gem_scores_one_point_whatever_its_colour() -> None:
    players = {0: {"gems": (3, 2, 1), "chest": 1}, 1: {"gems": (0, 0, 1), "chest": 1}, 2: {"chest": 2}}
    state = play(position(players=players, column=10, dice=LAST_DIE), "coins 6; end").state
    assert [player.points[HEADINGS.index("gems")] for player in state.players] == [6, 1, 0]


def test_cards_come_before_rows_rows_before_gems_and_gems_before_chests() -> None:
    """The chests stay closed until everything else is counted."""
    players = {0: {"hand": ("lion",), "gems": (1, 0, 0), "tents": (11,), "chest": 1}}
    turn = play(position(players=players, column=10, dice=LAST_DIE), "coins 6; end")
    order = (told_of.AnimalsSeen, told_of.RowScored, told_of.GemsCounted, told_of.ChestOpened, told_of.GameEnded)
    seen = [type(event) for event in turn.events]
    assert sorted(order, key=seen.index) == list(order)


def test_equal_points_and_equal_donations_share_a_place() -> None:
    """Nothing else is compared."""
    players = {0: {"chest": 0}, 1: {"chest": 4}, 2: {"chest": 4}}
    state = play(position(players=players, column=10, dice=LAST_DIE), "coins 6; end").state
    assert outcome(state).places == ((1, 2), (0,))


def test_two_players_who_both_miss_the_dice_both_lose() -> None:
    """Four dice are rolled after the rows; three coins are below any sum of them."""
    players = {0: {"chest": 1, "points": (50, 0, 0, 0, 0)}, 1: {"chest": 3}}
    turn = play(position(2, players, column=10, dice=LAST_DIE), "coins 6; end")
    [thrown] = told(turn, told_of.DonationRolled)
    assert len(thrown.dice) == 4
    assert thrown.needed == sum(thrown.dice)
    assert outcome(turn.state).places == ((0, 1),)
    assert (outcome(turn.state).out, outcome(turn.state).won) == ((0, 1), False)


def test_the_owner_of_a_tent_is_paid_even_after_resigning() -> None:
    """The tents stay on the board."""
    players = {0: {"coins": 9}, 1: {"tents": (42,)}}
    assert play(position(players=players, gone=(1,)), "tent 2").state.players[1].coins == 4


def test_the_end_of_a_seats_last_turn_warns_of_coins_in_the_purse() -> None:
    """They count only in the chest. While a higher die is left, or a column follows, another turn may come."""
    purse = {0: {"last": 5, "coins": 3, "chest": 4}}
    last = position(players=purse, column=10, todo=0, dice=(2, 0, 0, 0, 2, 0))
    says = "This is your last turn. The {} in your purse will count for nothing unless you donate {}."
    assert End().wastes(last, 0) == says.format("3 coins", "them")
    assert End().wastes(play(last, "donate 2").state, 0) == says.format("1 coin", "it")
    assert End().wastes(play(last, "donate 3").state, 0) == ""
    for again in (replace(last, dice=(0, 0, 0, 0, 0, 1)), replace(last, column=9)):
        assert End().wastes(again, 0) == ""


def test_a_last_turn_is_uncertain_while_another_player_may_have_the_steamer() -> None:
    """Which card another player holds is hidden, so it counts that one can still take a die and holds any card."""
    players = {0: {"last": 6, "coins": 7}, 1: {"hand": ("coins",)}, 2: {"last": 6, "hand": ("steamer",)}}
    last = position(3, players, column=10, todo=0, dice=(1, 0, 0, 0, 0, 0))
    assert End().wastes(last, 0).startswith("Unless another player plays Steamer, this is your last turn. The 7 coins ")
    for certain in (replace(last, dice=(0,) * 6), replace(last, gone=(1,))):
        assert End().wastes(certain, 0).startswith("This is your last turn. ")
