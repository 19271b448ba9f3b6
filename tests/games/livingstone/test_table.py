"""What board and picture say: whose turn, what is owed and by which words, cards, prices, the end."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from msgspec.structs import replace

from engine import kit
from engine.games.livingstone import game
from engine.games.livingstone.state import LivingstoneState
from tests.games.livingstone.positions import lay, play, position

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
    """Without the line ends that the width made."""
    return re.sub(r"\s+", " ", text)


def test_it_says_who_began_the_round_and_who_takes_a_die() -> None:
    """By name, with the seat's number beside it, and a move that may be typed."""
    text = flat(board(position(first=2, seat=1, players={1: {"last": 3}})))
    assert "Round 1, begun by Mary & Sons (3)." in text
    assert "Bob (2) takes a die: 4, 5 or 6. To type, for example: coins 4; end" in text


def test_a_second_die_is_told_as_one_that_may_be_left() -> None:
    state = play(position(players={0: {"hand": ("two-dice",)}}), "play two-dice; coins 4").state
    assert "may take a second die, 5 or 6 (coins 5; end), or end the turn (end)." in flat(board(state))


POSITIONS = {
    "start": lay(4).state,
    "owed": position(players={0: {"last": 4}}),
    "two allowed": position(players={0: {"hand": ("two-dice",)}}, todo=2, second=True),
    "second": position(players={0: {"last": 5}}, second=True),
    "done": position(todo=0),
    "done, no die left": position(todo=0, dice=(0, 0, 0, 0, 0, 0)),
}


@pytest.mark.parametrize("where", POSITIONS)
def test_the_move_that_is_shown_is_possible(where: str) -> None:
    """It is made from this position, never an example for all."""
    state = POSITIONS[where]
    shown = re.findall(r"coins \d; end|end(?=\)\.| Dice|$)", flat(board(state).partition("\n\n")[0]))
    assert shown
    for text in shown:
        play(state, text)


def test_an_open_market_is_told() -> None:
    state = play(position(players={0: {"hand": ("market",), "gems": (1, 0, 1)}}), "sell 1 red market").state
    assert "The market is open for the rest of this turn" in board(state)
    assert "The market is open" not in board(replace(state, market=False))


def test_each_card_in_hand_is_explained_with_its_command() -> None:
    """To its owner only."""
    state = position(players={0: RICH})
    text = flat(board(state, 0))
    assert "- Gold Coin (coins): 4 coins from the bank. To type: play coins" in text
    assert "To type: tent DIE row ROW elephants" in text
    assert all(f"({card})" in text or card.replace("-", " ").title() in text for card in EVERY_CARD)
    assert "Gold Coin" not in board(state, 1)


def test_it_says_what_gems_sell_for() -> None:
    """By the figures of the edition in play."""
    text = flat(board(position()))
    assert "A gem sells for coins: clear 1, blue 3, red 5; with a market card: clear 1 + 1 point" in text


def test_the_end_names_the_winner() -> None:
    """And where the points came from."""
    players = {0: {"points": (40, 0, 0, 0, 0), "chest": 1}, 2: {"chest": 2}}
    text = board(play(position(players=players, **LAST_DIE), "coins 6; end").state)
    assert "(1) has won with 40 points." in text
    assert re.search(r"^columns +40 +0 +0$", text, re.MULTILINE)


def test_the_end_names_the_tie_break() -> None:
    players = {1: {"chest": 3}, 2: {"chest": 5}}
    text = board(play(position(players=players, **LAST_DIE), "coins 6; end").state)
    assert "Mary & Sons (3) has won with 0 points, by the larger donation (5 to 3)." in text


def test_a_shared_place_and_no_winner_are_told() -> None:
    shared = position(players={1: {"chest": 3}, 2: {"chest": 3}}, **LAST_DIE)
    assert "Bob (2) and Mary & Sons (3) share the first place with 0 points each." in flat(
        board(play(shared, "coins 6; end").state)
    )
    both_out = play(position(2, **LAST_DIE), "coins 6; end").state
    assert "Nobody has won." in board(both_out)


CROWDED = position(5, {seat: {**RICH, "hand": ()} for seat in range(5)})


@pytest.mark.parametrize("state", [position(5, {0: RICH}), CROWDED, lay(5).state], ids=["hand", "crowded", "start"])
def test_nothing_overruns(state: LivingstoneState) -> None:
    """No line of the board is longer than 78 columns, and none of the picture leaves it on the right."""
    assert max(map(kit.width, board(state, 0).splitlines())) <= 78
    drawn = game.picture(kit.view(game, state, 0), NAMES)
    starts = re.findall(r'<text x="12" [^>]*>([^<]*)<', drawn)
    assert max(len(unescape(text)) for text in starts) <= 72


def test_tents_of_five_owners_stand_side_by_side() -> None:
    """None hides another, and each says how many it stands for."""
    drawn = game.picture(kit.view(game, CROWDED, None), NAMES)
    square = drawn[drawn.index('data-word="column:4 row:6"') :].partition("</g>")[0]
    places = re.findall(r'<path d="M([\d.]+) ([\d.]+)', square)
    assert len(set(places)) == 5
    assert square.count(">x3<") == 5


def test_a_name_in_capitals_ends_before_the_points() -> None:
    """As many letters as a name may show, the widest there are, beside points of three digits."""
    state = position(2, {0: {"points": (123, 0, 0, 0, 0)}})
    drawn = game.picture(kit.view(game, state, None), ("W" * 15, "Bob"))
    at = re.search(r'<text x="(\d+)"[^>]*font-size="([\d.]+)"[^>]*>W{15}<', drawn)
    points = re.search(r'<text x="(\d+)"[^>]*text-anchor="middle"[^>]*>123<', drawn)
    assert at
    assert points
    wide = float(at[2]) * kit.ems("W" * 15, bold=True)
    assert int(at[1]) + wide < int(points[1]) - 1.5 * 16 * 0.66
