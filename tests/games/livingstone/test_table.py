"""Board and picture: the turn, what is possible and how it is typed, cards, prices, the end."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from engine import kit, replay
from engine.games.livingstone import game
from engine.games.livingstone.meta import CAP
from engine.games.livingstone.state import LivingstoneState
from tests.games.livingstone.positions import lay, play, position
from tests.kit.worlds import turn_at

NAMES = ("Anna-Maria von Hohenstein-Livingstone", "Bob", "Mary & Sons", "Dmitri Ivanovich", "Eve")
LAST_DIE = {"column": 10, "dice": (0, 0, 0, 0, 0, 1)}
EVERY_CARD = (
    "antelope",
    "cave",
    "coins",
    "elephants",
    "explorer",
    "lion",
    "market",
    "raised-tent",
    "rhino",
    "steamer",
    "two-dice",
)
RICH: dict[str, Any] = {"hand": EVERY_CARD, "coins": 99, "gems": (15, 10, 5), "tents": (11, 46, 46, 46), "chest": 99}


def board(state: LivingstoneState, seat: int | None = None) -> str:
    return game.board(kit.view(game, state, seat), NAMES[: state.seats])


def flat(text: str) -> str:
    """Return the text without its line breaks."""
    return re.sub(r"\s+", " ", text)


def test_the_board_names_the_first_player_and_the_one_in_turn() -> None:
    """By name and number of the seat, with a move that can be typed."""
    text = flat(board(position(first=2, seat=1, players={1: {"last": 3}})))
    assert "Round 1, started by Mary & Sons (3)." in text
    assert "Bob (2) must take a die: 4, 5 or 6. To type, for example: coins 4; end" in text


def test_a_second_die_is_shown_as_optional() -> None:
    state = play(position(players={0: {"hand": ("two-dice",)}}), "play two-dice; coins 4").state
    assert "may take a second die, 5 or 6, or end the turn. Man at the Table is in play" in flat(board(state))


POSITIONS = {
    "start": lay(4).state,
    "owed": position(players={0: {"last": 4}}),
    "two allowed": position(players={0: {"hand": ("two-dice",)}}, todo=2, second=True),
    "second": position(players={0: {"last": 5}}, second=True),
    "done": position(todo=0),
    "done, no die left": position(todo=0, dice=(0, 0, 0, 0, 0, 0)),
}


@pytest.mark.parametrize("where", POSITIONS)
def test_the_example_move_of_a_board_is_possible(where: str) -> None:
    """It is made from the position, so it can be typed as it is."""
    state = POSITIONS[where]
    [shown] = re.findall(r"(?m)^To type(?:, for example)?: (.+)$", board(state))
    play(state, shown)


@pytest.mark.parametrize("where", POSITIONS)
def test_a_picture_does_not_list_commands_to_type(where: str) -> None:
    """Pages have buttons for it."""
    assert "To type" not in game.picture(kit.view(game, POSITIONS[where], 0), NAMES)


def test_an_open_market_is_shown_with_its_command() -> None:
    state = play(position(players={0: {"hand": ("market",), "gems": (1, 0, 1)}}), "sell 1 red market").state
    assert "The market card is in play" in board(state)
    assert "To type, at the market: sell COUNT GEM market" in board(state)
    assert "is in play" not in board(replace(state, market=False))


def test_each_card_in_hand_is_explained_with_its_command() -> None:
    """To its owner only."""
    state = position(players={0: RICH})
    text = flat(board(state, 0))
    assert "- Gold Coin (coins): 4 coins from the bank. To type: play coins" in text
    assert "To type: tent DIE row ROW elephants" in text
    assert all(f"({card})" in text or card.replace("-", " ").title() in text for card in EVERY_CARD)
    assert "Gold Coin" not in board(state, 1)


def test_the_board_shows_what_gems_sell_for() -> None:
    """By the figures of the edition in play."""
    text = flat(board(position()))
    assert "A gem sells for: clear 1 coin, blue 3 coins, red 5 coins. With the market card: clear 1 coin + 1" in text


def test_the_end_names_the_winner() -> None:
    """And where the points came from."""
    players = {0: {"points": (40, 0, 0, 0, 0), "chest": 1}, 2: {"chest": 2}}
    text = board(play(position(players=players, **LAST_DIE), "coins 6; end").state)
    assert "(1) wins with 40 points." in text
    assert re.search(r"^columns +40 +0 +0$", text, re.MULTILINE)


def test_the_end_names_the_tie_break() -> None:
    players = {1: {"chest": 3}, 2: {"chest": 5}}
    text = board(play(position(players=players, **LAST_DIE), "coins 6; end").state)
    assert "Mary & Sons (3) wins with 0 points, by the larger donation: 5 to 3." in text


def test_the_end_names_a_shared_place_or_that_nobody_wins() -> None:
    shared = position(players={1: {"chest": 3}, 2: {"chest": 3}}, **LAST_DIE)
    assert "Bob (2) and Mary & Sons (3) share first place with 0 points each." in flat(
        board(play(shared, "coins 6; end").state)
    )
    both_out = play(position(2, **LAST_DIE), "coins 6; end").state
    assert "Nobody wins." in board(both_out)


def test_a_game_that_ends_early_gives_the_reason() -> None:
    """With the reason, on board and picture."""
    turn = turn_at(position())
    for seat in (0, 2):
        replay.resign(game, turn, seat)
    undecided = play(position(turns=CAP), "coins 6; end").state
    for state, text in (
        (
            turn.state,
            "The game ended early because too few players were left. Bob (2) wins as the only player left.",
        ),
        (undecided, f"The game ended after {CAP} turns, the most it may have."),
    ):
        drawn = " ".join(re.findall(r">([^<]+)<", game.picture(kit.view(game, state, None), NAMES)))
        assert text in flat(board(state))
        assert text in flat(unescape(drawn))


CROWDED = position(5, {seat: {**RICH, "hand": ()} for seat in range(5)})


@pytest.mark.parametrize("state", [position(5, {0: RICH}), CROWDED, lay(5).state], ids=["hand", "crowded", "start"])
def test_no_line_is_too_long(state: LivingstoneState) -> None:
    """A line of the board has at most 78 columns."""
    assert max(map(kit.width, board(state, 0).splitlines())) <= 78


def square(state: LivingstoneState, words: str) -> ET.Element:
    """A clearing of the picture."""
    drawn = ET.fromstring(game.picture(kit.view(game, state, None), NAMES))
    [found] = (node for node in drawn.iter() if node.get("data-word") == words)
    return found


def test_tents_of_five_owners_stand_side_by_side() -> None:
    """None hides another; each has its number, and dots for further tents of its owner."""
    found = square(CROWDED, "column:4 row:6")
    assert [node.text for node in found.iter() if node.tag.endswith("text")] == ["1", "2", "3", "4", "5"]
    assert sum(node.tag.endswith("circle") for node in found.iter()) == 5 * 2
    places = [node.get("transform") for node in found if node.get("transform")]
    assert len(set(places)) == 5


def test_each_card_in_hand_is_drawn_with_its_signs_and_title() -> None:
    """For its owner; others see its back."""
    state = position(players={0: RICH})
    own, other = (game.picture(kit.view(game, state, seat), NAMES) for seat in (0, 1))
    assert all(f'data-word="card:{card}"' in own and f'data-word="card:{card}"' not in other for card in EVERY_CARD)
    assert f"<title>{len(EVERY_CARD)} cards in hand</title>" in other
    assert "<title>Gold Coin (coins): 4 coins from the bank</title>" in own


def test_the_steamer_says_where_it_is_and_where_it_will_return() -> None:
    state = position(column=5, back=1)
    assert "the steamer is at column 4, and returns to column 5" in game.picture(kit.view(game, state, None), NAMES)


def test_in_a_game_that_ends_early_the_steamer_has_not_reached_the_falls() -> None:
    """Not if others have resigned, and not at the most turns that a game may have."""
    turn = turn_at(position(back=1))
    for seat in (0, 2):
        replay.resign(game, turn, seat)
    undecided = play(position(turns=CAP), "coins 6; end").state
    for state, column in ((turn.state, 3), (undecided, 4)):
        drawn = game.picture(kit.view(game, state, None), NAMES)
        assert f"<title>the steamer is at column {column}</title>" in drawn
        assert "the steamer has reached the falls" not in drawn


def test_the_steamer_of_a_finished_game_has_reached_the_falls() -> None:
    state = play(position(**LAST_DIE), "coins 6; end").state
    assert "<title>the steamer has reached the falls</title>" in game.picture(kit.view(game, state, None), NAMES)
