"""The default move when time runs out, and the remains of a seat that has resigned."""

from __future__ import annotations

from msgspec.structs import replace

from engine import replay
from engine.chance import closed_lane
from engine.game import Turn
from engine.games.lewis_clark import game
from engine.games.lewis_clark.events import Camped
from engine.games.lewis_clark.state import Played
from tests.games.lewis_clark.positions import after, face_up, play, position, supply
from tests.kit.worlds import told


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
