"""Winning tribes: friendly and wary, the grey die and the empty stock, the Minnetaree, Blackfeet and Arikara."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import replay
from engine.game import Turn
from engine.games.discoveries import game
from engine.games.discoveries.events import CardReserved, DiceThrown, DieGiven, DieOwed, GreyMissed, GreyTaken
from engine.games.discoveries.phases import active, forced
from engine.games.discoveries.rest import End
from engine.games.discoveries.state import DiscoveriesState, Doing, Owed
from engine.games.discoveries.tribes import givers
from engine.kit import Supply, parse
from tests.games.discoveries.positions import dice, laid, options, play, position
from tests.kit.worlds import told, turn_at

WON = "lay friendly red-parley; befriend 1"


def moved(state: DiscoveriesState, text: str) -> Turn:
    """A move with the forced steps that follow."""
    turn = turn_at(state, "rules")
    replay.move(game, turn, state.seat, parse(game, text))
    return turn


def poor(**seats: str) -> DiscoveriesState:
    """An empty stock; reserves of the seats `a`, `b`, `c`, and two Parley dice more for the first."""
    reserves = {"a": "", "b": "", "c": "", **seats}
    players = {at: {"reserve": text} for at, text in enumerate(reserves.values())}
    state = position(3, players, stock=0)
    return state.with_player(0, reserve=state.players[0].reserve.add(["red-parley"] * 3))


def fresh_greys(state: DiscoveriesState) -> int:
    """Grey dice thrown in this turn."""
    return sum(count for die, count in state.doing.fresh.rest if die.startswith("grey"))


# --- friendly and wary ----------------------------------------------------------------------------------------------


def test_a_friendly_tribe_costs_one_parley_die() -> None:
    """The die goes to the right bank, the card to the actions, and a grey die comes from the stock."""
    state = play(position(players={0: {"reserve": "red-parley"}}), WON).state
    assert state.right == Supply.of({"red": 1})
    assert state.players[0].tribes == (1,)
    assert state.encounters == (2, 51)
    assert state.stock == 7
    assert fresh_greys(state) == 1


def test_a_wary_tribe_costs_two_parley_dice() -> None:
    """Both go to the right bank."""
    state = position(players={0: {"reserve": "2 red-parley"}})
    state = play(state, "lay wary red-parley; lay wary red-parley; befriend 2").state
    assert state.right == Supply.of({"red": 2})
    assert state.players[0].tribes == (2,)


def test_each_action_wins_only_tribes_of_its_kind() -> None:
    """Card 1 and 51 are friendly, card 2 is wary."""
    state = position(players={0: {"reserve": "3 red-parley"}})
    assert options(play(state, "lay friendly red-parley").state) == ["befriend 1", "befriend 51"]
    assert options(play(state, "lay wary red-parley; lay wary red-parley").state) == ["befriend 2"]


def test_without_such_a_tribe_in_the_camp_the_action_is_not_begun() -> None:
    state = position(players={0: {"reserve": "3 red-parley"}}, encounters=(2,))
    assert options(state, "lay friendly") == []
    assert options(state, "lay wary") == ["lay wary red-parley"]


def test_a_friendly_and_a_wary_tribe_may_be_won_in_one_turn_but_not_two_of_a_kind() -> None:
    """Both actions once; the Camp is filled up at the turn's end only."""
    state = position(players={0: {"reserve": "6 red-parley"}})
    state = play(state, f"{WON}; lay wary red-parley; lay wary red-parley; befriend 2").state
    assert state.players[0].tribes == (1, 2)
    assert state.encounters == (51,)
    assert options(state, "lay friendly") == options(state, "lay wary") == []
    assert len(play(state, "end").state.encounters) == 3


def test_the_grey_die_is_thrown_at_once_and_played_from_the_next_turn_on() -> None:
    """It lies apart until the turn's end; its throw is seen before the rest of the turn is decided."""
    turn = play(position(players={0: {"reserve": "2 red-parley"}}), WON)
    assert [type(event) for event in turn.events[-2:]] == [GreyTaken, DiceThrown]
    assert turn.state.players[0].reserve == Supply.of({"red-parley": 1})
    assert fresh_greys(turn.state) == 1
    assert not any("grey" in text for text in options(turn.state))
    thrown = play(turn.state, "end").state.players[0].reserve
    assert sum(thrown.count(f"grey-{face}") for face in ("walk", "ride", "parley", "write")) == 1


def test_a_grey_die_just_won_may_be_turned_in_the_same_turn() -> None:
    """Only playing it is forbidden; it waits with its new face until the turn is over."""
    begun = play(position(players={0: {"reserve": "2 red-parley"}}), f"{WON}; lay turn red-parley").state
    thrown = begun.doing.fresh.rest[0][0]
    assert forced(begun, 0) is None
    state = play(begun, f"turn {thrown} write").state
    assert state.doing.turned == Supply.of({"grey-write": 1})
    assert forced(state, 0) == End()
    assert play(state, "end").state.players[0].reserve == Supply.of({"grey-write": 1})


def test_a_die_just_thrown_is_turned_before_one_that_may_still_be_played() -> None:
    """Both show the same; the other one stays in the reserve."""
    state = play(position(players={0: {"reserve": "3 red-parley"}}), f"{WON}; lay turn red-parley").state
    state = state.with_doing(fresh=Supply.of({"red-parley": 1}))
    turned = play(state, "turn red-parley ride").state
    assert turned.doing.fresh == Supply()
    assert turned.players[0].reserve == Supply.of({"red-parley": 1})


def test_with_only_a_die_just_thrown_left_the_second_may_still_be_turned() -> None:
    """So the turn does not end by itself."""
    state = position(players={0: {"reserve": ""}}, doing=Doing(faces=("write",), left=1, face="ride"))
    assert forced(state.with_doing(fresh=Supply.of({"red-walk": 1})), 0) is None
    assert forced(state, 0) == End()


def test_arikara_wins_a_wary_tribe_with_one_die() -> None:
    """And a friendly one with the action for wary tribes."""
    state = position(players={0: {"reserve": "3 red-parley", "tribes": (51,)}}, encounters=(1, 2, 4))
    assert options(play(state, "lay friendly red-parley").state) == ["befriend 1", "befriend 2", "befriend 4"]


def test_arikara_wins_two_wary_tribes_with_three_dice() -> None:
    state = position(players={0: {"reserve": "3 red-parley", "tribes": (51,)}}, encounters=(2, 3, 4))
    text = "lay friendly red-parley; befriend 2; lay wary red-parley; lay wary red-parley; befriend 3"
    assert play(state, text).state.players[0].tribes == (51, 2, 3)


def test_arikara_helps_from_the_moment_it_is_won() -> None:
    state = position(players={0: {"reserve": "3 red-parley"}}, encounters=(1, 4, 51))
    text = "lay friendly red-parley; befriend 51; lay wary red-parley; lay wary red-parley; befriend 4"
    assert play(state, text).state.players[0].tribes == (51, 4)


# --- the empty stock ------------------------------------------------------------------------------------------------


def test_with_an_empty_stock_the_richest_in_grey_dice_gives_one() -> None:
    """Dice in the reserve and on actions count; the giver has one kind only, so he is not asked."""
    state = poor(b="2 grey-walk", c="grey-ride")
    turn = moved(state, WON)
    assert told(turn, DieOwed) == [DieOwed(0, 1)]
    assert told(turn, DieGiven) == [DieGiven(1, 0, "walk")]
    assert [type(event) for event in turn.events[-3:]] == [DieOwed, DieGiven, DiceThrown]
    assert turn.state.players[1].reserve == dice("grey-walk")
    assert fresh_greys(turn.state) == 1


def test_dice_on_actions_count_and_dice_in_the_camp_do_not() -> None:
    state = poor(b="grey-walk", c="grey-walk").with_player(2, actions=(laid("foot", "grey"),))
    assert givers(replace(state, left=Supply.of({"grey": 8})), 0) == (2,)


def test_the_taker_chooses_among_several_who_tie() -> None:
    """Seats 2 and 3 have one grey die each."""
    state = play(poor(b="grey-walk", c="grey-ride"), WON).state
    assert options(state) == ["ask 2", "ask 3"]
    assert moved(state, "ask 3").state.players[2].reserve == Supply()


def test_a_taker_who_ties_for_most_still_gets_one() -> None:
    """Only who alone has most gets none."""
    assert givers(poor(a="grey-walk", b="grey-walk"), 0) == (1,)
    assert givers(poor(a="grey-walk", b="grey-walk", c="grey-walk"), 0) == (1, 2)


def test_a_taker_who_alone_has_most_gets_none() -> None:
    turn = play(poor(a="2 grey-walk", b="grey-walk"), WON)
    assert told(turn, GreyMissed) == [GreyMissed(0)]
    assert turn.state.doing.fresh == Supply()


def test_grey_dice_that_win_the_tribe_count_still() -> None:
    """They go to the bank once the effect is applied: with the one he lays for it the taker alone has most."""
    state = poor(a="grey-walk, grey-parley", b="grey-walk")
    begun = play(state, "lay friendly grey-parley").state
    assert givers(begun, 0) == ()
    assert told(play(begun, "befriend 1"), GreyMissed) == [GreyMissed(0)]
    two = play(poor(a="2 grey-parley", b="2 grey-walk"), "lay wary grey-parley; lay wary grey-parley").state
    assert givers(two, 0) == (1,)


def test_grey_dice_of_an_action_before_lie_in_the_camp() -> None:
    """Only those of the action that brings the tribe count."""
    state = play(poor(a="grey-parley, grey-walk", b="2 grey-walk"), "lay route grey-parley; swap 4").state
    assert givers(play(state, "lay friendly red-parley").state, 0) == (1,)
    tied = play(poor(a="grey-parley, grey-walk", b="grey-ride"), "lay route grey-parley; swap 4").state
    assert givers(play(tied, "lay friendly red-parley").state, 0) == (1,)


def test_the_seat_that_is_asked_is_found_by_the_same_count() -> None:
    """Two greys laid on `wary` and two each with the others: all tie, and the taker chooses."""
    state = poor(a="2 grey-parley", b="2 grey-walk", c="2 grey-ride")
    state = play(state, "lay wary grey-parley; lay wary grey-parley; befriend 2").state
    assert options(state) == ["ask 2", "ask 3"]


def test_if_nobody_has_a_grey_die_nobody_gives_one() -> None:
    """All may lie in the Camp."""
    assert told(play(poor(), WON), GreyMissed)


def test_with_a_stock_nobody_gives() -> None:
    state = replace(poor(b="2 grey-walk"), stock=1)
    assert told(play(state, WON), GreyTaken)


def test_a_die_won_in_this_turn_counts_for_the_next_one() -> None:
    """Two tribes in a turn: the first grey die makes him the richest, so the second tribe brings none."""
    state = replace(poor(a="grey-ride", b="grey-walk"), stock=1)
    text = f"{WON}; lay wary red-parley; lay wary red-parley; befriend 2"
    assert told(play(state, text), GreyMissed)


@pytest.mark.parametrize(("tribes", "expected"), [((), (1,)), ((49,), (1, 2)), ((50, 49), (2,))])
def test_blackfeet_hide_a_grey_die_each(tribes: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """Three grey dice count as two with one card, which ties, and as one with both."""
    state = poor(b="3 grey-walk", c="2 grey-ride").with_player(1, tribes=tribes)
    assert givers(state, 0) == expected


def test_blackfeet_hide_a_die_of_the_taker_too() -> None:
    """With 2 grey dice against 1 he would get none; one of them hidden, he ties."""
    state = poor(a="2 grey-walk", b="grey-walk").with_player(0, tribes=(49,))
    assert givers(state, 0) == (1,)


def test_who_has_resigned_still_gives() -> None:
    """His dice stay in the game, and the clock answers for him."""
    assert givers(replace(poor(b="2 grey-walk"), gone=(1,)), 0) == (1,)


# --- the giver's choice ---------------------------------------------------------------------------------------------


def asked() -> DiscoveriesState:
    """Seat 2 has most, and its grey dice differ: one to walk, one to ride, one on the second space of card 7."""
    state = poor(b="grey-walk, grey-ride, 2 blue-walk")
    state = state.with_player(1, tribes=(7,), actions=(laid("7", "blue", "grey"), laid("horse", "grey")))
    return moved(state, WON).state


def test_the_giver_chooses_the_die_beside_the_turn() -> None:
    """Both seats are active; the giver may name a die of his reserve or a space of an action."""
    state = asked()
    assert active(state) == (0, 1)
    assert options(state, seat=1) == ["give ride", "give walk", "give 7.2", "give horse"]
    assert "lay wary red-parley" in options(state, seat=0)


def test_a_die_given_from_an_action_opens_its_space() -> None:
    state = play(asked(), "give 7.2", seat=1).state
    assert state.players[1].action("7") == laid("7", "blue", "")
    assert "give" not in " ".join(options(state, seat=1))
    cleared = play(asked(), "give horse", seat=1).state
    assert cleared.players[1].action("horse") is None


def test_the_taker_does_not_wait() -> None:
    """The die counts as his at once, and he throws it before the giver has answered."""
    state = play(asked(), "end").state
    assert any(die.startswith("grey") for die, _ in state.players[0].reserve.rest)
    assert state.greys(0) == 1
    assert state.greys(1) == 3
    assert state.owed == (Owed(giver=1, taker=0),)


def test_the_giver_answers_before_anything_else_in_his_own_turn() -> None:
    state = play(asked(), "end").state
    assert active(state) == (1,)
    assert all(text.startswith("give") for text in options(state))
    turn = play(state, "give walk")
    assert "lay 7 grey-ride" not in options(turn.state)
    assert "lay foot blue-walk" in options(turn.state)


def test_what_others_do_changes_nothing_in_the_giver_s_list() -> None:
    """Seat 1 takes its own die back from seat 2's action; the grey ones stay where they were."""
    state = asked().with_player(1, actions=(laid("7", "red", "grey"), laid("horse", "grey")))
    before = options(state, seat=1)
    state = replace(state, doing=Doing())
    assert options(play(state, "rest own 2.7").state, seat=1) == before


def test_two_dice_may_be_owed_by_one_giver() -> None:
    """Two tribes in a turn, both from the same giver: he gives twice, in the order in which it arose."""
    state = play(asked(), "lay wary red-parley; lay wary red-parley; befriend 2").state
    assert [owed.giver for owed in state.owed] == [1, 1]
    state = play(state, "give walk; give ride", seat=1).state
    assert state.owed == ()
    assert state.players[1].reserve == dice("2 blue-walk")


def test_the_clock_gives_a_die_of_the_reserve() -> None:
    assert game.default(asked(), 1) == parse(game, "give ride")[0].command


# --- Minnetaree -----------------------------------------------------------------------------------------------------


def test_minnetaree_reserves_one_of_the_territories() -> None:
    """It lies on the tribe card; the Territories are filled up at the turn's end."""
    state = position(players={0: {"reserve": "2 red-parley"}}, encounters=(37, 2, 51))
    begun = play(state, "lay friendly red-parley; befriend 37").state
    assert options(begun) == ["reserve 4", "reserve 5", "reserve 6"]
    done = play(begun, "reserve 5").state
    assert done.players[0].reserved == ((37, 5),)
    assert done.territories == (4, 6)
    assert done.players[0].exploring == 35
    assert len(play(done, "end").state.territories) == 3


def test_minnetaree_without_territories_reserves_nothing() -> None:
    state = position(players={0: {"reserve": "2 red-parley"}}, encounters=(37, 2, 51), territories=())
    assert play(state, "lay friendly red-parley; befriend 37").state.doing.owes == ()


def test_minnetaree_reserves_first_and_then_it_is_asked_who_gives() -> None:
    """Both choices of one tribe, one after the other."""
    state = replace(poor(b="grey-walk", c="grey-ride"), encounters=(37, 2, 51))
    state = play(state, "lay friendly red-parley; befriend 37; reserve 5").state
    assert options(state) == ["ask 2", "ask 3"]


def test_a_move_goes_on_after_the_question() -> None:
    """Everything of the turn can be written in one move, though a preview ends at the throw."""
    state = poor(b="grey-walk", c="grey-ride")
    steps = parse(game, f"{WON}; ask 2; lay wary red-parley; lay wary red-parley; befriend 2")
    assert replay.move(game, turn_at(state, "rules"), 0, steps).done == len(steps)
    shown = replay.preview(game, state, 0, steps)
    assert (shown.done, shown.certain) == (2, False)


def test_minnetaree_reserve_before_the_grey_die_is_thrown() -> None:
    """The card's effect comes at the moment it is won, the die after it."""
    state = position(players={0: {"reserve": "2 red-parley"}}, encounters=(37, 2, 51))
    begun = play(state, "lay friendly red-parley; befriend 37")
    assert not told(begun, GreyTaken)
    turn = play(begun.state, "reserve 5")
    assert [type(event) for event in turn.events] == [CardReserved, GreyTaken, DiceThrown]
