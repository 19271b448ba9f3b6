"""The default move when time runs out, and the remains of a seat that has resigned."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import replay
from engine.chance import closed_lane
from engine.game import Turn
from engine.games.lewis_clark import game
from engine.games.lewis_clark.commands import Camp
from engine.games.lewis_clark.events import Camped
from engine.games.lewis_clark.state import Played
from tests.games.lewis_clark.positions import after, face_up, play, position, supply
from tests.kit.worlds import told

STUCK = {"hand": ("hunter",), "indians": 0, "table": (), "goods": ""}  # a camp brings no strength for the card


def test_the_default_move_plays_the_weakest_cards_and_spends_nothing() -> None:
    """Village, journal, goods and Indians stay as they are."""
    state = position()
    turn = Turn(state, closed_lane(), closed_lane())
    replay.expire(game, turn, 0)
    me, before = turn.state.players[0], state.players[0]
    assert me.table == (Played(card="blacksmith", under="commander"),)
    assert (me.goods, me.indians, me.scout) == (before.goods, before.indians, before.scout)
    assert (turn.state.village, turn.state.journal, turn.state.seat) == (state.village, state.journal, 1)


def test_the_default_move_uses_an_indian_with_a_single_card() -> None:
    state = position(me={"hand": ("hunter",), "indians": 1})
    turn = Turn(state, closed_lane(), closed_lane())
    replay.expire(game, turn, 0)
    assert turn.state.players[0].table == (Played(card="hunter", indians=1),)


def test_the_default_move_camps_rather_than_lose_an_indian() -> None:
    state = position(me={"hand": (), "indians": 1, "table": face_up("hunter", "commander")})
    turn = Turn(state, closed_lane(), closed_lane())
    replay.expire(game, turn, 0)
    assert told(turn, Camped)
    assert turn.state.village == state.village


def test_the_default_move_finishes_an_action() -> None:
    begun = play(position(), "play hunter; under commander").state
    turn = Turn(begun, closed_lane(), closed_lane())
    replay.expire(game, turn, 0)
    assert turn.state.players[0].goods == supply("")
    assert turn.state.seat == 1


def test_badges_of_a_resigned_seat_stay_in_sight() -> None:
    state = replace(position(me={"hand": ("hunter",), "indians": 1}), gone=(1,))
    assert after(state, "play hunter; indians 1; use").goods == supply("2 food")


def test_the_camp_of_a_resigned_seat_ends_nothing() -> None:
    """Its scout was beyond the fort; the camp of a default move must not win the race."""
    state = replace(position(me={"scout": 45, "hand": (), "indians": 0, "table": face_up("hunter")}), gone=(0,))
    turn = Turn(state, closed_lane(), closed_lane())
    replay.expire(game, turn, 0)
    assert [event.camp for event in told(turn, Camped)] == [45]
    assert (turn.state.over, turn.state.winner, turn.state.seat) == ("", None, 1)


# --- a seat that can take no action, and whose camp brings nothing back ----------------------------------------------


def test_the_clock_ends_at_a_rival_that_is_stuck() -> None:
    """If the camps of the rival were played for it, the clock would play turn after turn for the seat that is late."""
    turn = Turn(position(2, players={1: STUCK}), closed_lane(), closed_lane())
    assert replay.expire(game, turn, 0) == 4
    assert (turn.state.seat, turn.state.turns, told(turn, Camped)) == (1, 2, [])


def test_the_clock_camps_once_for_a_seat_that_is_stuck() -> None:
    """Even if all are: each turn is asked for, and none goes on up to the cap by itself."""
    turn = Turn(position(2, me=STUCK, players={1: STUCK}), closed_lane(), closed_lane())
    replay.settle(game, turn)
    assert replay.expire(game, turn, 0) == 1
    assert [event.seat for event in told(turn, Camped)] == [0]
    assert (turn.state.seat, turn.state.turns) == (1, 2)


@pytest.mark.parametrize(
    ("rules", "table", "step"),
    [(2, (), Camp()), (2, face_up("commander"), Camp()), (3, (), None), (3, face_up("commander"), Camp())],
)
def test_a_camp_that_brings_nothing_back_is_asked_for_since_the_third_rules(rules, table, step) -> None:
    """Games that began before go on as they were played; a camp that makes an action possible is always played."""
    assert game.forced(position(me={**STUCK, "table": table}, rules=rules), 0) == step
