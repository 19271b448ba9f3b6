"""Playing, turning and using dice: the actions of the board and the tribes that change the rule."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.games.discoveries.cards import FACES, Exploration, Need
from engine.games.discoveries.dice import BANKS
from engine.games.discoveries.events import DieShifted
from engine.games.discoveries.house import HOUSE
from engine.games.discoveries.playing import helped, most, together, tribes_of
from engine.games.discoveries.state import Doing
from engine.kit import Supply
from tests.games.discoveries.positions import ALL_COLOURS, laid, options, play, position, undrawn
from tests.kit.worlds import told

YANKTON = {"walk": 39, "ride": 40, "parley": 41, "write": 42}
TETON = {"walk": 43, "ride": 44, "parley": 45, "write": 46}


# --- one face a turn ------------------------------------------------------------------------------------------------


def test_all_dice_of_a_turn_show_one_face() -> None:
    """After a Ride die only Ride dice can be laid."""
    state = undrawn(position(players={0: {"reserve": "red-ride, grey-ride, 3 red-walk"}}), "lay horse red-ride").state
    assert options(state, "lay") == ["lay turn grey-ride", "lay route grey-ride"]


def test_dice_of_one_face_may_go_to_several_actions_in_any_order() -> None:
    """Walk dice go to route and foot, either first."""
    state = position(players={0: {"reserve": "3 red-walk"}})
    one = undrawn(state, "lay route red-walk; swap 5; lay foot red-walk; lay foot red-walk").state
    other = undrawn(state, "lay foot red-walk; lay foot red-walk; lay route red-walk; swap 5").state
    assert one.players == other.players
    assert one.left == other.left == Supply.of({"red": 2})


def test_at_least_one_die_is_played_before_a_turn_can_end() -> None:
    """A turn that plays nothing is a rest."""
    state = position(players={0: {"reserve": "red-ride"}})
    assert options(state, "end") == []
    assert options(undrawn(state, "lay horse red-ride").state, "end") == ["end"]


def test_dice_of_any_colour_may_be_played() -> None:
    state = position(players={0: {"reserve": "blue-ride, grey-ride, red-ride"}})
    assert options(state, "lay horse") == ["lay horse blue-ride", "lay horse grey-ride", "lay horse red-ride"]


# --- the actions of the player board --------------------------------------------------------------------------------


@pytest.mark.parametrize("face", FACES)
def test_a_spent_die_goes_to_the_bank_of_its_face(face: str) -> None:
    """Write and Parley dice go to the right bank, Walk and Ride dice to the left."""
    state = undrawn(position(players={0: {"reserve": f"red-{face}"}}), f"lay route red-{face}").state
    banks = {"left": state.left, "right": state.right}
    assert banks[BANKS[face]] == Supply.of({"red": 1})
    assert BANKS == {"walk": "left", "ride": "left", "parley": "right", "write": "right"}


def test_the_horse_takes_one_ride_die_which_stays() -> None:
    state = undrawn(position(players={0: {"reserve": "red-ride"}}), "lay horse red-ride").state
    assert state.players[0].actions == (laid("horse", "red"),)
    assert not state.left.total


def test_foot_keeps_one_of_two_walk_dice_and_sends_the_other_to_the_camp() -> None:
    """The first stays on the action; both are laid in the same turn."""
    state = position(players={0: {"reserve": "red-walk, blue-walk"}})
    begun = undrawn(state, "lay foot blue-walk").state
    assert options(begun) == ["lay foot red-walk"]
    done = undrawn(begun, "lay foot red-walk").state
    assert done.players[0].actions == (laid("foot", "blue"),)
    assert done.left == Supply.of({"red": 1})


def test_an_action_cannot_begin_without_all_its_dice() -> None:
    """One Walk die does not prepare foot."""
    assert options(position(players={0: {"reserve": "red-walk"}}), "lay foot") == []


@pytest.mark.parametrize("face", FACES)
def test_the_mountain_takes_three_identical_dice_of_any_face(face: str) -> None:
    """One stays on the action; two go to the bank of their face."""
    state = position(players={0: {"reserve": f"2 red-{face}, blue-{face}, grey-ride"}})
    text = f"lay mountain blue-{face}; lay mountain red-{face}; lay mountain red-{face}"
    done = undrawn(state, text).state
    assert done.players[0].actions == (laid("mountain", "blue"),)
    assert (done.left if BANKS[face] == "left" else done.right) == Supply.of({"red": 2})


def test_an_action_at_once_works_once_a_turn() -> None:
    state = undrawn(position(players={0: {"reserve": "2 red-walk"}}), "lay route red-walk; swap 4").state
    assert "lay route red-walk" not in options(state)


def test_a_card_with_two_spaces_is_prepared_in_any_order() -> None:
    """Card 7 needs a Walk and a Ride die, which both stay."""
    state = position(players={0: {"tribes": (7,), "reserve": "red-walk, blue-ride"}})
    one = undrawn(play(state, "lay 7 red-walk; end; rest none; rest none").state, "lay 7 blue-ride").state
    other = undrawn(play(state, "lay 7 blue-ride; end; rest none; rest none").state, "lay 7 red-walk").state
    assert one.players[0].actions == other.players[0].actions == (laid("7", "red", "blue"),)


def test_a_die_takes_the_space_of_its_face_before_one_of_any_face() -> None:
    """On a card with both, the space for any face stays open for any die."""
    needs = (Need(face="any"), Need(face="walk"))
    cards = tuple(
        replace(card, tribe=replace(card.tribe, exploration=Exploration(needs=needs, gives="RRRRR")))
        if card.number == 7
        else card
        for card in HOUSE.cards
    )
    state = position(players={0: {"tribes": (7,), "reserve": "red-walk, blue-ride"}})
    state = replace(state, edition=replace(HOUSE, cards=cards))
    assert undrawn(state, "lay 7 red-walk").state.players[0].actions == (laid("7", "", "red"),)
    assert undrawn(state, "lay 7 blue-ride").state.players[0].actions == (laid("7", "blue", ""),)


def test_a_card_of_two_walk_dice_keeps_one_of_them() -> None:
    """Card 9, the action in the rulebook's picture: one Walk die stays, the other goes to the left bank."""
    state = position(players={0: {"tribes": (9,), "reserve": "red-walk, blue-walk"}})
    done = undrawn(state, "lay 9 red-walk; lay 9 blue-walk").state
    assert done.players[0].actions == (laid("9", "red"),)
    assert done.left == Supply.of({"blue": 1})


def test_a_new_tribe_card_can_be_used_in_the_same_turn() -> None:
    """Card 10 needs a Parley die, and there is another one."""
    state = position(players={0: {"reserve": "2 red-parley"}}, encounters=(10, 2, 51))
    done = play(state, "lay friendly red-parley; befriend 10; lay 10 red-parley").state
    assert done.players[0].actions == (laid("10", "red"),)


# --- turning dice ---------------------------------------------------------------------------------------------------


def turning(tribes: tuple[int, ...] = (), reserve: str = "red-walk, 5 red-ride") -> list[str]:
    """The dice that can be turned after a first one was turned to `write`."""
    state = position(players={0: {"reserve": reserve, "tribes": tribes}})
    return options(undrawn(state, "lay turn red-walk; turn red-ride write").state, "turn")


def test_one_or_two_dice_are_turned_to_one_face() -> None:
    """After the first die the player may turn a second one to the same face, or go on."""
    state = position(players={0: {"reserve": "red-walk, 3 red-ride"}})
    begun = undrawn(state, "lay turn red-walk").state
    assert options(begun) == [f"turn red-ride {face}" for face in FACES]
    once = undrawn(begun, "turn red-ride write").state
    assert options(once) == ["end", "turn red-ride write"]
    assert options(undrawn(once, "turn red-ride write").state) == ["end"]


def test_turned_dice_cannot_be_played_this_turn() -> None:
    """Not even if they show the face of the turn; when the turn ends they are in the reserve."""
    state = undrawn(position(players={0: {"reserve": "2 red-walk, red-ride"}}), "lay turn red-walk").state
    state = undrawn(state, "turn red-ride walk; turn red-walk walk").state
    assert options(state) == ["end"]
    assert undrawn(state, "end").state.players[0].reserve == Supply.of({"red-walk": 2})


def test_the_second_die_is_turned_at_once_or_not_at_all() -> None:
    """The effect is over when another action begins."""
    state = position(players={0: {"reserve": "2 red-walk, 3 red-ride"}})
    state = undrawn(state, "lay turn red-walk; turn red-ride write; lay route red-walk; swap 4").state
    assert options(state, "turn") == []


def test_nothing_can_be_turned_without_another_die() -> None:
    assert options(position(players={0: {"reserve": "red-walk"}}), "lay turn") == []


def test_each_wanapum_card_turns_one_more_die() -> None:
    """Two dice, three with one card, four with both, all to one face."""
    for tribes, count in (((), 2), ((54,), 3), ((54, 55), 4)):
        state = position(players={0: {"reserve": "red-walk, 5 red-ride", "tribes": tribes}})
        turned = "; ".join(["turn red-ride write"] * count)
        state = undrawn(state, f"lay turn red-walk; {turned}").state
        assert options(state, "turn") == []
        assert state.doing.turned == Supply.of({"red-write": count})


def test_wishram_turns_dice_to_different_faces() -> None:
    """Without it all turned dice show one face, with Wanapum too."""
    assert turning() == turning((54,)) == ["turn red-ride write"]
    assert turning((52,)) == turning((53, 54)) == [f"turn red-ride {face}" for face in FACES]


# --- Sioux ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "card"), YANKTON.items())
def test_yankton_uses_any_die_as_the_printed_face(face: str, card: int) -> None:
    """The die shows that face then, as all dice of the turn must."""
    own = "walk" if face != "walk" else "ride"
    state = position(players={0: {"reserve": f"3 red-{own}", "tribes": (card,)}})
    assert options(state, "use") == [f"use red-{own} as {face}"]
    turn = undrawn(state, f"use red-{own} as {face}; lay route red-{face}")
    assert told(turn, DieShifted) == [DieShifted(0, f"red-{own}", face)]
    assert turn.state.doing.faces == (face,)
    assert (turn.state.left if BANKS[face] == "left" else turn.state.right).total == 1
    assert options(undrawn(turn.state, "swap 4").state, "use") == []


@pytest.mark.parametrize(("face", "card"), TETON.items())
def test_teton_uses_a_die_of_the_printed_face_as_any_face(face: str, card: int) -> None:
    """It is played as the turn's face; it helps no die of another face."""
    state = position(players={0: {"reserve": f"red-{face}", "tribes": (card,)}})
    assert options(state, "use") == [f"use red-{face} as {other}" for other in FACES if other != face]
    other = position(players={0: {"reserve": f"red-{'walk' if face != 'walk' else 'ride'}", "tribes": (card,)}})
    assert options(other, "use") == []


def test_teton_keeps_to_the_face_of_the_turn() -> None:
    """After a Ride die a Walk die can be used only as Ride."""
    state = position(players={0: {"reserve": "red-ride, red-walk", "tribes": (43,)}})
    assert options(undrawn(state, "lay horse red-ride").state, "use") == ["use red-walk as ride"]


def test_a_die_turned_by_a_sioux_card_must_be_laid_next() -> None:
    state = position(players={0: {"reserve": "2 red-walk, red-ride", "tribes": (40,)}})
    state = undrawn(state, "use red-walk as ride").state
    assert options(state) == ["lay turn red-ride", "lay route red-ride", "lay horse red-ride"]


def test_a_die_used_as_another_face_may_be_the_second_of_an_action() -> None:
    """Foot takes a Walk die and a Ride die used as Walk, in either order."""
    state = position(players={0: {"reserve": "blue-walk, red-ride", "tribes": (39,)}})
    one = undrawn(state, "lay foot blue-walk; use red-ride as walk; lay foot red-walk").state
    assert one.players[0].actions == (laid("foot", "blue"),)
    other = undrawn(state, "use red-ride as walk; lay foot red-walk; lay foot blue-walk").state
    assert other.players[0].actions == (laid("foot", "red"),)


def test_each_sioux_card_helps_once_a_turn() -> None:
    """Two cards help two dice; no command names the card."""
    state = position(players={0: {"reserve": "3 red-walk", "tribes": (40, 43)}})
    sioux = tribes_of(state, 0)
    assert helped((("walk", "ride"), ("walk", "ride")), sioux)
    assert helped((("write", "ride"), ("walk", "parley")), sioux)
    assert not helped((("write", "ride"), ("parley", "ride")), sioux)
    assert not helped((("walk", "ride"),) * 3, sioux)
    assert most(state, "ride", 3) == 2


def test_a_sioux_card_helps_again_in_the_next_turn() -> None:
    state = position(players={0: {"reserve": "2 red-walk", "tribes": (40,)}})
    state = play(state, "use red-walk as ride; lay horse red-ride; end; rest none; rest none").state
    assert options(state, "use") == ["use red-walk as ride"]


def test_a_die_used_as_write_completes_an_action() -> None:
    """With card 42 a Walk die completes foot."""
    ready = (laid("foot", "red"), laid("mountain", "red"))
    state = position(players={0: {"reserve": "red-walk, red-write", "tribes": (42,), "actions": ready}})
    state = play(state, "use red-walk as write; write foot red-write").state
    assert options(state) == ["write mountain red-write"]
    assert play(state, "write mountain red-write; cross 35").state.players[0].journal == (35,)


# --- Flathead -------------------------------------------------------------------------------------------------------


def test_flathead_allows_two_different_dice_and_no_third() -> None:
    """After a Ride and a Parley die only `end` is legal."""
    state = position(players={0: {"reserve": "red-ride, 2 red-parley, red-walk", "tribes": (47,)}})
    state = undrawn(state, "lay horse red-ride").state
    assert "lay route red-walk" in options(state)
    state = play(state, "lay friendly red-parley; befriend 1").state
    assert options(state) == ["end"]


def test_both_flatheads_allow_three_dice_all_different() -> None:
    """Two different ones are allowed too; of three no two may be alike."""
    assert together(("parley", "ride", "walk"), 2)
    assert together(("parley", "ride"), 2)
    assert not together(("ride", "ride", "walk"), 2)
    assert not together(("parley", "ride", "walk", "write"), 2)
    assert not together(("parley", "ride", "walk"), 1)
    assert not together(("parley", "ride"), 0)


def test_flathead_does_not_limit_dice_of_one_face() -> None:
    """Three alike are an ordinary turn, which a different die cannot join."""
    state = position(players={0: {"reserve": "3 red-ride, red-walk", "tribes": (47,)}})
    state = undrawn(state, "lay mountain red-ride; lay mountain red-ride; lay mountain red-ride").state
    assert options(state) == ["end"]


def test_different_dice_cannot_prepare_an_action_that_needs_two_alike() -> None:
    """After a Ride die only one Walk die may follow, which is not enough for foot."""
    state = position(players={0: {"reserve": "red-ride, 2 red-walk", "tribes": (47, 48)}})
    assert options(undrawn(state, "lay horse red-ride").state, "lay foot") == []


def test_flathead_and_sioux_cards_combine() -> None:
    """A die used as Parley counts as Parley beside a Ride die."""
    state = position(players={0: {"reserve": "red-ride, red-walk", "tribes": (47, 41)}})
    state = play(state, "lay horse red-ride; use red-walk as parley; lay friendly red-parley; befriend 1").state
    assert state.doing.faces == ("parley", "ride")


# --- short lists ----------------------------------------------------------------------------------------------------


def test_the_longest_list_of_legal_commands_is_below_a_thousand() -> None:
    """With every kind of die and every tribe."""
    every = Supply.of({f"{colour}-{face}": 1 for colour in ALL_COLOURS for face in FACES})
    rich = position(4, {0: {"tribes": tuple(n for n in range(3, 56) if n != 51)}})
    player = replace(rich.players[0], reserve=every)
    assert 400 < len(options(replace(rich, players=(player, *rich.players[1:]), doing=Doing()))) < 1000
