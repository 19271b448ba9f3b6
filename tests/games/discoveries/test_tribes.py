"""Winning tribes: friendly and wary, the grey die, the empty stock, Minnetaree, Blackfeet and Arikara."""

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
    """The turn after a move and the forced steps that follow."""
    turn = turn_at(state, "rules")
    replay.move(game, turn, state.seat, parse(game, text))
    return turn


def poor(**seats: str) -> DiscoveriesState:
    """An empty stock; the seats `a`, `b`, `c` have these reserves, and the first has three more Parley dice."""
    reserves = {"a": "", "b": "", "c": "", **seats}
    players = {at: {"reserve": text} for at, text in enumerate(reserves.values())}
    state = position(3, players, stock=0)
    return state.with_player(0, reserve=state.players[0].reserve.add(["red-parley"] * 3))


def fresh_greys(state: DiscoveriesState) -> int:
    """The number of grey dice rolled this turn."""
    return sum(count for die, count in state.doing.fresh.rest if die.startswith("grey"))


# --- friendly and wary ----------------------------------------------------------------------------------------------


def test_a_friendly_tribe_costs_one_parley_die() -> None:
    """The die goes to the right bank, the card joins the actions, and a grey die comes from the stock."""
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
    """Cards 1 and 51 are friendly, card 2 is wary."""
    state = position(players={0: {"reserve": "3 red-parley"}})
    assert options(play(state, "lay friendly red-parley").state) == ["befriend 1", "befriend 51"]
    assert options(play(state, "lay wary red-parley; lay wary red-parley").state) == ["befriend 2"]


def test_the_action_cannot_begin_without_such_a_tribe_in_the_camp() -> None:
    state = position(players={0: {"reserve": "3 red-parley"}}, encounters=(2,))
    assert options(state, "lay friendly") == []
    assert options(state, "lay wary") == ["lay wary red-parley"]


def test_a_turn_may_win_a_friendly_and_a_wary_tribe_but_not_two_of_a_kind() -> None:
    """Each action works once, and the Camp is filled up only when the turn ends."""
    state = position(players={0: {"reserve": "6 red-parley"}})
    state = play(state, f"{WON}; lay wary red-parley; lay wary red-parley; befriend 2").state
    assert state.players[0].tribes == (1, 2)
    assert state.encounters == (51,)
    assert options(state, "lay friendly") == options(state, "lay wary") == []
    assert len(play(state, "end").state.encounters) == 3


def test_the_grey_die_is_rolled_at_once_and_played_from_the_next_turn_on() -> None:
    """It stays apart until the turn ends; the player sees the roll before deciding the rest of the turn."""
    turn = play(position(players={0: {"reserve": "2 red-parley"}}), WON)
    assert [type(event) for event in turn.events[-2:]] == [GreyTaken, DiceThrown]
    assert turn.state.players[0].reserve == Supply.of({"red-parley": 1})
    assert fresh_greys(turn.state) == 1
    assert not any("grey" in text for text in options(turn.state))
    thrown = play(turn.state, "end").state.players[0].reserve
    assert sum(thrown.count(f"grey-{face}") for face in ("walk", "ride", "parley", "write")) == 1


def test_a_grey_die_just_won_may_be_turned_in_the_same_turn() -> None:
    """Only playing it is forbidden; it keeps its new face until the turn is over."""
    begun = play(position(players={0: {"reserve": "2 red-parley"}}), f"{WON}; lay turn red-parley").state
    thrown = begun.doing.fresh.rest[0][0]
    assert forced(begun, 0) is None
    state = play(begun, f"turn {thrown} write").state
    assert state.doing.turned == Supply.of({"grey-write": 1})
    assert forced(state, 0) == End()
    assert play(state, "end").state.players[0].reserve == Supply.of({"grey-write": 1})


def test_of_two_equal_dice_the_one_just_rolled_is_turned() -> None:
    """The other can still be played."""
    state = play(position(players={0: {"reserve": "3 red-parley"}}), f"{WON}; lay turn red-parley").state
    state = replace(state, doing=replace(state.doing, fresh=Supply.of({"red-parley": 1})))
    turned = play(state, "turn red-parley ride").state
    assert turned.doing.fresh == Supply()
    assert turned.players[0].reserve == Supply.of({"red-parley": 1})


def test_a_die_just_rolled_may_be_the_second_to_turn() -> None:
    """So the turn does not end by itself."""
    doing = Doing(faces=("write",), left=1, face="ride")
    state = position(players={0: {"reserve": ""}}, doing=doing)
    assert forced(replace(state, doing=replace(doing, fresh=Supply.of({"red-walk": 1}))), 0) is None
    assert forced(state, 0) == End()


def test_arikara_wins_a_wary_tribe_with_one_die() -> None:
    """The action for wary tribes wins a friendly one too."""
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


def test_with_an_empty_stock_the_player_with_the_most_grey_dice_gives_one() -> None:
    """The giver has only one kind, so there is nothing to choose."""
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


def test_the_taker_chooses_among_tied_givers() -> None:
    """Seats 2 and 3 have one grey die each."""
    state = play(poor(b="grey-walk", c="grey-ride"), WON).state
    assert options(state) == ["ask 2", "ask 3"]
    assert moved(state, "ask 3").state.players[2].reserve == Supply()


def test_a_taker_who_ties_for_the_most_still_gets_one() -> None:
    """Only a taker who alone has the most gets none."""
    assert givers(poor(a="grey-walk", b="grey-walk"), 0) == (1,)
    assert givers(poor(a="grey-walk", b="grey-walk", c="grey-walk"), 0) == (1, 2)


def test_a_taker_who_alone_has_the_most_gets_none() -> None:
    turn = play(poor(a="2 grey-walk", b="grey-walk"), WON)
    assert told(turn, GreyMissed) == [GreyMissed(0)]
    assert turn.state.doing.fresh == Supply()


def test_grey_dice_that_pay_for_the_tribe_still_count() -> None:
    """They go to the bank after the effect: with the die laid for it the taker alone has the most."""
    state = poor(a="grey-walk, grey-parley", b="grey-walk")
    begun = play(state, "lay friendly grey-parley").state
    assert givers(begun, 0) == ()
    assert told(play(begun, "befriend 1"), GreyMissed) == [GreyMissed(0)]
    two = play(poor(a="2 grey-parley", b="2 grey-walk"), "lay wary grey-parley; lay wary grey-parley").state
    assert givers(two, 0) == (1,)


def test_grey_dice_of_an_earlier_action_do_not_count() -> None:
    """Only those of the action that wins the tribe count."""
    state = play(poor(a="grey-parley, grey-walk", b="2 grey-walk"), "lay route grey-parley; swap 4").state
    assert givers(play(state, "lay friendly red-parley").state, 0) == (1,)
    tied = play(poor(a="grey-parley, grey-walk", b="grey-ride"), "lay route grey-parley; swap 4").state
    assert givers(play(tied, "lay friendly red-parley").state, 0) == (1,)


def test_the_same_count_finds_the_players_to_ask() -> None:
    """With two grey dice laid on `wary` and two each with the others, all tie."""
    state = poor(a="2 grey-parley", b="2 grey-walk", c="2 grey-ride")
    state = play(state, "lay wary grey-parley; lay wary grey-parley; befriend 2").state
    assert options(state) == ["ask 2", "ask 3"]


def test_nobody_gives_a_grey_die_if_all_are_in_the_camp() -> None:
    assert told(play(poor(), WON), GreyMissed)


def test_nobody_gives_a_grey_die_while_the_stock_has_one() -> None:
    state = replace(poor(b="2 grey-walk"), stock=1)
    assert told(play(state, WON), GreyTaken)


def test_a_grey_die_won_this_turn_counts_for_the_next_tribe() -> None:
    """The first grey die gives the taker the most, so the second tribe brings none."""
    state = replace(poor(a="grey-ride", b="grey-walk"), stock=1)
    text = f"{WON}; lay wary red-parley; lay wary red-parley; befriend 2"
    assert told(play(state, text), GreyMissed)


@pytest.mark.parametrize(("tribes", "expected"), [((), (1,)), ((49,), (1, 2)), ((50, 49), (2,))])
def test_each_blackfeet_card_hides_a_grey_die(tribes: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """Three grey dice count as two with one card, which ties, and as one with both."""
    state = poor(b="3 grey-walk", c="2 grey-ride").with_player(1, tribes=tribes)
    assert givers(state, 0) == expected


def test_blackfeet_hide_a_die_of_the_taker_too() -> None:
    """With two grey dice against one the taker would get none; with one hidden they tie."""
    state = poor(a="2 grey-walk", b="grey-walk").with_player(0, tribes=(49,))
    assert givers(state, 0) == (1,)


@pytest.mark.parametrize("card", [49, 50])
def test_a_blackfeet_card_just_won_hides_a_die_at_once(card: int) -> None:
    """With three grey dice the taker alone had the most; one hidden, all tie, and the taker chooses who gives."""
    state = replace(poor(a="3 grey-walk", b="2 grey-walk", c="2 grey-ride"), encounters=(card, 1, 51))
    won = play(state, f"lay wary red-parley; lay wary red-parley; befriend {card}").state
    assert options(won) == ["ask 2", "ask 3"]
    assert fresh_greys(play(won, "ask 3").state) == 1


def test_under_the_first_rules_a_blackfeet_card_just_won_brings_no_choice_and_no_die() -> None:
    """So do games that began before the second version, whatever is installed when they are replayed."""
    state = replace(poor(a="3 grey-walk", b="2 grey-walk", c="2 grey-ride"), encounters=(49, 1, 51), rules=1)
    turn = play(state, "lay wary red-parley; lay wary red-parley; befriend 49")
    assert not told(turn, GreyMissed)
    assert (fresh_greys(turn.state), turn.state.doing.owes) == (0, ())


def test_a_player_who_resigned_still_gives() -> None:
    """Their dice stay in the game, and the default move answers for them."""
    assert givers(replace(poor(b="2 grey-walk"), gone=(1,)), 0) == (1,)


# --- the giver's choice ---------------------------------------------------------------------------------------------


def asked() -> DiscoveriesState:
    """Seat 2 has the most grey dice, and they differ: Walk, Ride, and one on the second space of card 7."""
    state = poor(b="grey-walk, grey-ride, 2 blue-walk")
    state = state.with_player(1, tribes=(7,), actions=(laid("7", "blue", "grey"), laid("horse", "grey")))
    return moved(state, WON).state


def test_the_giver_chooses_the_die_outside_the_turn_order() -> None:
    """Both seats are active; the giver may name a face of the reserve or a space of an action."""
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


def test_the_taker_does_not_wait_for_the_giver() -> None:
    """The die counts as the taker's at once and is rolled before the giver has answered."""
    state = play(asked(), "end").state
    assert any(die.startswith("grey") for die, _ in state.players[0].reserve.rest)
    assert state.greys(0) == 1
    assert state.greys(1) == 3
    assert state.owed == (Owed(giver=1, taker=0),)


def test_the_giver_answers_before_anything_else_in_their_own_turn() -> None:
    state = play(asked(), "end").state
    assert active(state) == (1,)
    assert all(text.startswith("give") for text in options(state))
    turn = play(state, "give walk")
    assert "lay 7 grey-ride" not in options(turn.state)
    assert "lay foot blue-walk" in options(turn.state)


def test_other_players_do_not_change_the_givers_choices() -> None:
    """Seat 1 takes its own die back from seat 2's action; the grey dice stay where they were."""
    state = asked().with_player(1, actions=(laid("7", "red", "grey"), laid("horse", "grey")))
    before = options(state, seat=1)
    state = replace(state, doing=Doing())
    assert options(play(state, "rest own 2.7").state, seat=1) == before


def test_a_giver_may_owe_two_dice() -> None:
    """Two tribes in a turn: the giver gives twice, in the order of the debts."""
    state = play(asked(), "lay wary red-parley; lay wary red-parley; befriend 2").state
    assert [owed.giver for owed in state.owed] == [1, 1]
    state = play(state, "give walk; give ride", seat=1).state
    assert state.owed == ()
    assert state.players[1].reserve == dice("2 blue-walk")


def test_the_default_move_gives_a_die_of_the_reserve() -> None:
    assert game.default(asked(), 1) == parse(game, "give ride")[0].command


# --- Minnetaree -----------------------------------------------------------------------------------------------------


def test_minnetaree_reserves_one_of_the_territories() -> None:
    """The card stays on the tribe card; the Territories are filled up when the turn ends."""
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


def test_minnetaree_reserves_before_the_taker_chooses_the_giver() -> None:
    state = replace(poor(b="grey-walk", c="grey-ride"), encounters=(37, 2, 51))
    state = play(state, "lay friendly red-parley; befriend 37; reserve 5").state
    assert options(state) == ["ask 2", "ask 3"]


def test_a_move_may_contain_the_choice_of_the_giver() -> None:
    """The whole turn fits one move, though a preview ends at the roll."""
    state = poor(b="grey-walk", c="grey-ride")
    steps = parse(game, f"{WON}; ask 2; lay wary red-parley; lay wary red-parley; befriend 2")
    assert replay.move(game, turn_at(state, "rules"), 0, steps).done == len(steps)
    shown = replay.preview(game, state, 0, steps)
    assert (shown.done, shown.certain) == (2, False)


def test_minnetaree_reserves_before_the_grey_die_is_rolled() -> None:
    """The card takes effect when it is won; the die comes after it."""
    state = position(players={0: {"reserve": "2 red-parley"}}, encounters=(37, 2, 51))
    begun = play(state, "lay friendly red-parley; befriend 37")
    assert not told(begun, GreyTaken)
    turn = play(begun.state, "reserve 5")
    assert [type(event) for event in turn.events] == [CardReserved, GreyTaken, DiceThrown]
