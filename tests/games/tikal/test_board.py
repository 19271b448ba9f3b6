"""The position as text and as a picture: two whole boards word for word, and laws of every board."""

from __future__ import annotations

import re
from importlib import resources
from typing import Any

import pytest
from msgspec.structs import replace

from engine import replay, selfplay
from engine.games.tikal import board as text
from engine.games.tikal import game
from engine.games.tikal.components import TREASURES
from engine.games.tikal.example import example
from engine.games.tikal.hexes import AROUND, CELLS
from engine.games.tikal.meta import TikalOptions
from engine.games.tikal.roads import roads
from engine.games.tikal.state import Frame, TikalState
from engine.games.tikal.view import TikalView
from engine.kit import active, parse
from tests.games.tikal.positions import AUCTION, OPEN
from tests.games.tikal.seen import begun, begun_sale, board, laying, middle, picture, view, views

WIDTH = 78


def golden(name: str) -> str:
    return resources.files("tests.games.tikal").joinpath(f"boards/{name}.txt").read_text("ascii").rstrip("\n")


# --- whole boards ---------------------------------------------------------------------------------------------------


def test_the_first_turn() -> None:
    """Four seats, a tile to be laid, and only the printed tiles on the board."""
    assert board(view(laying(begun(4), "temple-a3"), None)) == golden("start")


def test_the_middle_of_a_game() -> None:
    """Everything that can be on a tile."""
    assert board(view(middle(), None)) == golden("middle")


# --- what is to be done ---------------------------------------------------------------------------------------------


def head(state: TikalState, seat: int | None = None) -> str:
    return board(view(state, seat)).split("\n\n")[0]


def test_a_scoring_round_names_the_seats_that_follow() -> None:
    """It also names the seat that lays the volcano afterwards."""
    frames = (Frame("scoring", 2), Frame("scoring", 0), Frame("turn", 1))
    state = replace(laying(begun(3), "volcano-b1"), frames=frames)
    assert head(state).splitlines() == [
        "Seat 3 has a scoring turn with 10 action points left.",
        "To type, for example: enter a1; walk a1 a2; level a2; done",
        "Scoring turns to follow: Seat 1.",
        "Then Seat 2 lays the volcano and has a turn.",
        "Tile volcano-b1: volcano, no stones.",
    ]


def test_a_sealed_sale_shows_each_its_own_ceiling() -> None:
    """Other seats see only which ceilings are still to be sealed."""
    state = replace(
        begun(3, AUCTION),
        frames=(Frame("sale", 1),),
        open=("ruins-a1", "temple-a1"),
        totems=(0, 1, 2),
        ceilings=(None, 4, None),
    )
    assert "Seat 2 sealed a ceiling of 4. Nobody else sees this." in head(state, 1)
    assert "sealed a ceiling" not in head(state, 0)
    assert "sealed a ceiling" not in head(state)
    assert "Tiles are on sale. Ceilings still to be sealed: Seat 1, Seat 3." in head(state)
    assert "Bidders in this sale, beginning with its opener: Seat 2, Seat 3, Seat 1." in head(state)
    assert "Tile ruins-a1, on sale: ruins 4, stones n 2, sw 1." in head(state)
    assert "Rotations:" not in head(state)


def test_the_example_of_a_sealed_sale_suits_every_bidder() -> None:
    """All of them see the same line, also a bidder with fewer points than the first."""
    state = replace(begun(3, AUCTION), frames=(Frame("sale", 0),), totems=(0, 1, 2), ceilings=(None,) * 3)
    for seat, points in ((0, 20), (1, 7), (2, 2)):
        state = state.with_player(seat, purse=points)
    for seat in (0, 1, 2):
        assert "To type, for example: bid 2\n" in board(view(state, seat))
        assert replay.preview(game, state, seat, parse(game, example(view(state, seat)))).refusal is None


def test_an_open_sale_shows_the_bids() -> None:
    """It also shows who has passed."""
    state = replace(
        begun(3, OPEN), frames=(Frame("sale", 0),), open=("ruins-a1",), totems=(0, 1, 2), bids=(0, 2, 0), out=(2,)
    )
    state = replace(state, bidder=0)
    text = board(view(state, None))
    assert "Tiles are on sale. Seat 1 must make an offer or pass." in text
    assert "The highest offer is 2, from Seat 2." in text
    assert "To type, for example: offer 3\n" in text
    assert "     has offered 2\n" in text
    assert "     has passed\n" in text


def test_a_seat_that_has_had_its_turn_this_round_is_named() -> None:
    """The seat takes no part in further sales of the round; in the next round no seat is named."""
    state = replace(
        begun(3, AUCTION),
        frames=(Frame("sale", 0),),
        open=("ruins-a1", "temple-a1"),
        totems=(0, 2),
        ceilings=(None,) * 3,
    )
    lines = board(view(state, None)).splitlines()
    named = [at for at, line in enumerate(lines) if line == "     has had a turn this round"]
    assert [lines[at - 1][:11] for at in named] == ["   2 Seat 2"]
    assert picture(view(state, None)).count("had a turn this round</text>") == 1
    assert "has had" not in board(view(replace(state, totems=(0, 1, 2)), None))
    assert "has had" not in board(view(begun(3), None))


def test_the_winner_of_a_sale_chooses() -> None:
    """Only the winner is to act."""
    state = replace(begun(2, AUCTION), frames=(Frame("choice", 1),), open=("ruins-a1", "temple-a1"))
    assert head(state).splitlines() == [
        "Seat 2 must choose a tile.",
        "To type, for example: choose ruins-a1",
        "Tile ruins-a1, on sale: ruins 4, stones n 2, sw 1.",
        "Rotations: r0 n2 sw1, r1 ne2 nw1, r2 n1 se2, r3 ne1 s2, r4 se1 sw2, r5 s1 nw2.",
        "Tile temple-a1, on sale: temple 1, stones n 2, ne 1.",
        "Rotations: r0 n2 ne1, r1 ne2 se1, r2 se2 s1, r3 s2 sw1, r4 sw2 nw1, r5 n1 nw2.",
    ]


def test_the_tile_in_hand_differs_from_those_on_sale() -> None:
    """Only a tile that may be laid in this move is shown in its rotations, equal ones once."""
    state = replace(laying(begun(2, AUCTION), "clearing-d1"), open=("ruins-a1",))
    assert head(state).splitlines()[2:] == [
        "Tile clearing-d1: clearing, stones n 1, se 1, sw 1.",
        "Rotations: r0 n1 se1 sw1, r1 ne1 s1 nw1.",
        "Tile ruins-a1, on sale: ruins 4, stones n 2, sw 1.",
    ]


def test_a_turn_shows_what_may_be_typed_and_what_it_costs() -> None:
    """A mail with a tile to lay lists only its cells, and the rest of the turn is typed in the same line."""
    text = board(view(laying(begun(3), "temple-a3"), 0))
    assert "swap MINE SEAT THEIRS 3" in text
    assert "To type, for example: place a3 r1; enter a1; walk a1 a2; level a2; done\n" in text
    bidding = board(
        view(replace(begun(2, AUCTION), frames=(Frame("sale", 0),), totems=(0, 1), ceilings=(None, None)), 0)
    )
    assert "place " not in bidding


def test_the_board_of_a_finished_game_begins_with_the_result() -> None:
    """With the reason, and without a mark beside any seat."""
    text = board(view(replace(begun(2), frames=(), over="explored"), None))
    assert text.startswith("The game is over.")
    assert "->" not in text


def test_tiles_set_aside_are_named() -> None:
    """They are out of the game."""
    assert "Set aside because they fitted nowhere: temple-g1." in board(
        view(replace(begun(2), aside=("temple-g1",)), None)
    )


# --- every board ----------------------------------------------------------------------------------------------------


def test_an_example_is_possible_in_its_position() -> None:
    """No proposed line is refused."""
    options = (TikalOptions(), AUCTION, OPEN)
    for seats, chosen in ((3, chosen) for chosen in options):
        for step in list(selfplay.walk(game, seats, chosen, selfplay.seed_of("examples", seats)))[:-1:7]:
            seat = active(game, step.after)[0]
            move = parse(game, example(view(step.after, seat)))
            assert replay.preview(game, step.after, seat, move).refusal is None


NAMES = ("Katharina Wintermantel-Ostermann", "Bob", "Jean-Christophe", "Li & <Wei>")


def test_players_are_named_with_their_number_on_the_board() -> None:
    """In the headline and in the table."""
    text_of = text.board(view(laying(begun(4), "temple-a3"), None), NAMES)
    assert text_of.startswith("Katharina Winterman\u2026 (1) must lay a tile")
    assert "   4 Li & <Wei>  " in text_of


def test_long_names_fit() -> None:
    """Four of them in a sale, in which all are to act."""
    seen = view(begun_sale(), 0)
    lines = text.board(seen, (NAMES[0],) * 4).splitlines()
    assert all(len(line) <= WIDTH for line in lines)


def ended(*players: dict[str, Any]) -> list[str]:
    """Return the head of the board at the end of a game of these players."""
    state = replace(begun(len(players)), frames=(), over="explored")
    for seat, changes in enumerate(players):
        state = state.with_player(seat, **changes)
    state = state.with_site("a2", replace(state.laid("a2"), value=4, guard=1))
    return head(state).splitlines()


def test_the_end_names_the_winner() -> None:
    """It also shows the points of all."""
    assert ended({"temples": 7}, {"temples": 9}, {"finds": 1}) == [
        "The game is over. Seat 2 has won.",
        "1. Seat 2: 9 points",
        "2. Seat 1: 7 points",
        "3. Seat 3: 1 point",
    ]


def test_the_end_shows_what_broke_a_tie() -> None:
    """The taller temple, then the treasures."""
    assert ended({"temples": 9}, {"temples": 9})[-1] == (
        "Seat 2 ranks above Seat 1: equal points, but a taller temple, 4 against 0."
    )
    lines = ended({"temples": 9, "treasures": ("bowl",)}, {"temples": 1}, {"temples": 9})
    assert lines[-2:] == [
        "Seat 1 ranks above Seat 3: equal points and temples, but more treasures, 1",
        "    against 0.",
    ]


def test_a_shared_place_needs_no_tie_break() -> None:
    """Equal in everything, they have won together."""
    state = replace(begun(2), frames=(), over="explored")
    assert head(state).splitlines() == [
        "The game is over. These players share the win: Seat 1, Seat 2.",
        "1. Seat 1: 0 points, Seat 2: 0 points",
    ]


def test_the_end_shows_that_others_have_left() -> None:
    """The board no longer shows tiles to be laid."""
    lines = head(replace(laying(begun(2), "temple-a3"), gone=(1,))).splitlines()
    assert lines[:2] == ["The game is over. Seat 1 has won.", "Others have resigned, and too few players are left."]
    assert not [line for line in lines if line.startswith(("To type", "Tile"))]


def test_treasures_that_nobody_has_are_counted() -> None:
    """Everybody may know them."""
    state = begun(2).with_player(0, treasures=("bowl", "bowl", "bowl", "drum"))
    assert "Treasures not yet found: 2 drum, 3 flute, 3 jaguar" in board(view(state, None))


def test_boards_fit_a_mail() -> None:
    """At most 78 columns of ASCII, without spaces at the end of a line."""
    for seen in views():
        text = board(seen)
        assert text.isascii()
        assert all(len(line) <= WIDTH and line == line.rstrip() for line in text.splitlines())


def test_the_widest_seat_fits() -> None:
    """Every treasure with one player, points of three digits, all pieces on one tile."""
    state = begun(4, AUCTION)
    player = replace(state.players[3], treasures=TREASURES, temples=150, purse=-100, explorers=18)
    state = replace(state, players=(*state.players[:3], player)).with_site(
        "a1", replace(state.laid("a1"), explorers=(18, 17, 16, 15), leaders=(0, 1, 2, 3))
    )
    lines = board(view(state, 3)).splitlines()
    assert all(len(line) <= WIDTH for line in lines)
    assert "On a1: 1:18L, 2:17L, 3:16L, 4:15L." in lines


@pytest.mark.parametrize("cell", CELLS)
def test_every_cell_is_named(cell: str) -> None:
    """Laid or free, it shows the name that commands use."""
    assert f" {cell} " in board(view(begun(2), None))
    assert f">{cell}</text>" in picture(view(begun(2), None))


EDGES = (  # by side: line and column of each place on an edge where its number may stand
    ((0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (0, 8)),
    ((1, 9), (2, 10), (3, 11)),
    ((4, 11), (5, 10), (6, 9)),
    ((6, 3), (6, 4), (6, 5), (6, 6), (6, 7), (6, 8)),
    ((4, 0), (5, 1), (6, 2)),
    ((1, 2), (2, 1), (3, 0)),
)


def map_of(seen: TikalView) -> list[str]:
    """Return the lines of a board that show the cells."""
    return [line.ljust(WIDTH) for line in board(seen).split("\n\n")[1].splitlines()]


def numbers(lines: list[str], place: int, side: int) -> list[str]:
    """Return the digits on an edge."""
    top, left = 6 * (4 - place % 5) + 3 * (place // 5 % 2), 9 * (place // 5)
    signs = [lines[top + line][left + column] for line, column in EDGES[side]]
    return [sign for sign in signs if sign not in " .\\/_"]


@pytest.mark.slow
def test_the_number_on_an_edge_is_the_road() -> None:
    """Between laid tiles it is the cost of a walk over that edge, and without a road there is no number."""
    for seen in views():
        lines = map_of(seen)
        for place, ways in enumerate(roads(seen.land)):
            for side, there in AROUND[place]:
                if seen.land[place] and seen.land[there]:
                    way = dict(ways).get(there)
                    assert numbers(lines, place, side) == ([] if way is None else [str(way)])


@pytest.mark.parametrize("explorers", [(10, 0, 0, 3), (1, 2, 10, 3), (6, 5, 13, 5), (12, 11, 10, 14)])
def test_no_piece_hides_another(explorers: tuple[int, ...]) -> None:
    """The pieces of each seat are separate, on the tile or below the board, and never touch the number of a road."""
    state = begun(4)
    state = state.with_site("a1", replace(state.laid("a1"), explorers=explorers, leaders=(0, 3)))
    words = set(re.split(r"[^0-9:L]+", board(view(state, None))))
    assert {f"1:{explorers[0]}L", f"4:{explorers[3]}L"} <= words
    assert {f"{seat}:{explorers[seat - 1]}" for seat in (2, 3) if explorers[seat - 1]} <= words
