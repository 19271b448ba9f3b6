"""The last turns, the three kinds of points, and ties."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import replay
from engine.games.discoveries import game
from engine.games.discoveries.cards import Discovery
from engine.games.discoveries.events import DieGiven, GameEnded, Scored
from engine.games.discoveries.house import HOUSE
from engine.games.discoveries.scoring import RANKS, outcome, points_by, ranked, species_points, tipis
from engine.games.discoveries.state import DiscoveriesState, Owed
from engine.kit import outcome as final
from tests.games.discoveries.positions import laid, play, position
from tests.kit.worlds import told


def found(*species: str) -> list[Discovery]:
    return [Discovery(routes=("R",), points=0, species=one) for one in species]  # type: ignore[arg-type]  # species words


def plain(state: DiscoveriesState) -> DiscoveriesState:
    """An edition in which card n is worth n points and nothing else; cards 50 to 55 have no tipis."""
    cards = tuple(
        replace(
            card,
            tribe=replace(card.tribe, tipis=card.number % 10 if card.number < 50 else 0),
            discovery=replace(card.discovery, points=min(card.number, 20), tipis=0),
        )
        for card in HOUSE.cards
    )
    return replace(state, edition=replace(HOUSE, cards=cards))


# --- the last turns -------------------------------------------------------------------------------------------------


def test_each_other_player_plays_once_more_after_one_has_finished() -> None:
    """They play in order, and then the game is over."""
    state = position(4, last=(1, 2, 3), territories=(), top=0, deck=())
    for seat in (1, 2, 3):
        state = play(state, "rest none").state
        assert (state.seat, state.over) == (seat, "")
    turn = play(state, "rest none")
    assert told(turn, GameEnded) == [GameEnded("complete")]
    assert game.active(turn.state) == ()


def test_a_second_player_who_finishes_does_not_extend_the_last_round() -> None:
    players = {0: {"actions": (laid("foot", "red"),), "reserve": "red-write", "exploring": 39}}
    state = position(3, players, last=(2,), territories=(), top=0, deck=())
    roads = tuple(replace(c, discovery=replace(c.discovery, routes=("R",))) for c in HOUSE.cards)
    state = replace(state, edition=replace(HOUSE, cards=roads))
    turn = play(state, "write foot red-write; cross 39; end")
    assert (turn.state.seat, turn.state.last) == (2, ())


def test_a_grey_die_still_owed_changes_hands_before_the_count() -> None:
    """The number of dice may break a tie."""
    state = position(3, {1: {"reserve": "grey-walk, grey-ride"}}, last=(), owed=(Owed(giver=1, taker=0),))
    turn = play(state, "rest none")
    assert told(turn, DieGiven) == [DieGiven(1, 0, "ride")]
    assert turn.state.owed == ()


def test_the_card_in_the_exploration_zone_and_a_reserved_one_score_nothing() -> None:
    state = plain(position(3, {0: {"exploring": 20, "reserved": ((37, 19),), "journal": (4,)}}))
    assert dict(points_by(state))["cards"] == (4, 0, 0)


# --- points ---------------------------------------------------------------------------------------------------------


def test_the_points_of_the_journal_add_up() -> None:
    assert dict(points_by(plain(position(3, {1: {"journal": (3, 5, 9)}}))))["cards"] == (0, 17, 0)


@pytest.mark.parametrize(
    ("species", "points"),
    [
        ((), 0),
        (("fish",), 3),
        (("fish", "bird"), 8),
        (("fish", "bird", "plant"), 15),
        (("fish", "bird", "plant", "mammal"), 24),
        (("plant", "plant"), 6),
        (("plant", "plant", "bird"), 11),
        (("plant", "plant", "bird", "bird", "fish", "mammal"), 32),
        (("fish",) * 4 + ("bird",) * 5 + ("mammal",) * 6 + ("plant",) * 7, 122),
    ],
)
def test_sets_of_different_species_score_by_their_size(species: tuple[str, ...], points: int) -> None:
    """A set holds each species once; the largest sets first are worth the most."""
    assert species_points(found(*species)) == points


def test_tipis_count_on_tribe_cards_and_in_the_journal() -> None:
    """Card 34's discovery has 2 and card 7's tribe 2; a card that is not explored yet adds none."""
    state = position(3, {0: {"tribes": (7,), "journal": (34,), "exploring": 37}})
    assert (HOUSE.card(7).tribe.tipis, HOUSE.card(34).discovery.tipis) == (2, 2)
    assert tipis(state, 0) == 4


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((5, 5, 3, 1), (10, 10, 4, 0)),  # the rulebook's example
        ((5, 4, 3, 1), (12, 8, 4, 0)),
        ((1, 4, 4, 5), (0, 6, 6, 12)),
        ((5, 2, 1, 1), (12, 8, 2, 2)),
        ((5, 5, 5, 1), (8, 8, 8, 0)),
        ((5, 2, 2, 2), (12, 4, 4, 4)),
        ((2, 2, 2, 2), (6, 6, 6, 6)),
        ((5, 5, 1, 1), (10, 10, 2, 2)),
        ((5, 4, 1), (12, 6, 0)),
        ((5, 5, 1), (9, 9, 0)),
        ((5, 1, 1), (12, 3, 3)),
        ((0, 0, 0), (6, 6, 6)),
        ((5, 4), (12, 6)),
        ((5, 5), (9, 9)),
    ],
)
def test_tied_players_share_the_points_for_tipis(counts: tuple[int, ...], points: tuple[int, ...]) -> None:
    """The next player takes the place after theirs."""
    given = ranked(dict(enumerate(counts)), RANKS[len(counts)])
    assert tuple(given[seat] for seat in range(len(counts))) == points


def test_a_seat_that_resigned_is_not_ranked_by_tipis() -> None:
    """It takes no place from the others and ranks last."""
    players = {seat: {"tribes": (40 + seat,)} for seat in range(4)}
    state = replace(plain(position(4, players)), gone=(3,), over="complete")
    assert dict(points_by(state))["tipis"] == (4, 8, 12, 0)
    ended = final(game, state)
    assert ended is not None
    assert ended.places == ((2,), (1,), (0,), (3,))


# --- the winner -----------------------------------------------------------------------------------------------------


def ended(players: dict[int, dict[str, object]], seats: int = 3) -> DiscoveriesState:
    return replace(plain(position(seats, players)), over="complete")


def test_the_most_points_win() -> None:
    state = ended({0: {"journal": (9,)}, 1: {"journal": (12,)}, 2: {"journal": (11,)}})
    got = outcome(state)
    assert got is not None
    assert got.places == ((1,), (2,), (0,))
    assert got.sheet[-1] == ("total", (15, 18, 17))


def test_dice_in_reserve_and_on_actions_break_a_tie() -> None:
    """Dice in the Camp count for nobody."""
    players = {0: {"reserve": "2 blue-walk"}, 2: {"reserve": "red-walk", "actions": (laid("7", "red", "grey"),)}}
    got = outcome(ended(players))  # type: ignore[arg-type]  # changes of players
    assert got is not None
    assert got.places == ((2,), (0,), (1,))


def test_players_with_equal_points_and_dice_share_the_victory() -> None:
    players = {0: {"reserve": "2 blue-walk"}, 2: {"actions": (laid("7", "red", "grey"),)}}
    got = outcome(ended(players))  # type: ignore[arg-type]  # changes of players
    assert got is not None
    assert got.places == ((0, 2), (1,))


def test_the_end_names_the_points_of_every_seat() -> None:
    """By kind, with the number of tipis."""
    state = plain(position(2, {0: {"journal": (9,), "tribes": (42,)}}, last=()))
    turn = play(state, "rest none")
    assert told(turn, Scored) == [Scored(0, 9, 0, 12, 2), Scored(1, 0, 0, 6, 0)]


def test_the_last_seat_wins_when_all_others_resign() -> None:
    """The kit's rule applies."""
    turn = play(position(), "rest none")
    replay.resign(game, turn, 0)
    replay.resign(game, turn, 2)
    got = final(game, turn.state)
    assert got is not None
    assert (got.places, got.reason) == (((1,), (2,), (0,)), "resigned")
