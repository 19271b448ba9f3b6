"""Typical slips and short forms, each with its answer, as a list to be read.

`-> command` is the command that was understood; anything else is the refusal that the player reads.
"""

# ruff: noqa: E501 - an answer is kept on one line, as it is read

from __future__ import annotations

import pytest

from engine.games.livingstone import game
from engine.games.livingstone.state import LivingstoneState
from tests.games.livingstone.positions import position
from tests.kit.slips import answered

FULL = (11, 11, 21, 22, 23, 31, 32, 33, 34, 35, 36)
HAND = ("elephants", "explorer", "market", "raised-tent", "steamer", "two-dice")
RICH = {"hand": HAND, "coins": 5, "gems": (2, 0, 1), "tents": (11, 21)}

# Unless stated otherwise, seat 1 is in turn, the steamer is at column 4, and two dice of each face are left.
POSITIONS: dict[str, LivingstoneState] = {
    "full hand": position(players={0: RICH, 1: {"tents": (26, 43)}}),
    "three dice": position(players={0: {"last": 2, "coins": 1}, 1: {"tents": (43,)}}, dice=(1, 0, 1, 0, 1, 0)),
    "die taken": position(players={0: {**RICH, "last": 3}}, todo=0),
    "second die": position(players={0: {"last": 3}}, todo=1, second=True),
    "two, no tent left": position(2, {0: {"tents": FULL, "coins": 9}}),
}

SLIPS = (
    ("full hand", "coin 3", "-> coins 3"),
    ("full hand", "Coins 3", "-> coins 3"),
    ("full hand", "coins", "'coins' fits several commands: coins 1, coins 2, coins 3, coins 4, coins 5, coins 6."),
    ("full hand", "coins 7", "'7' does not fit in 'coins 7'; possible: 1..6."),
    ("full hand", "coins three", "'three' does not fit in 'coins three'; possible: 1..6."),
    ("full hand", "3", "'3' does not start a command; possible: coins, card, mine, tent, play, raise, sell, donate."),
    (
        "full hand",
        "cards 2",
        "'cards' does not start a command; the nearest word is card; possible: coins, card, mine, tent, play, raise, sell, donate.",
    ),
    ("full hand", "te 3", "-> tent 3"),
    ("full hand", "tent 3 explorer row 2", "-> tent 3 row 2 explorer elephants"),
    ("full hand", "tent 3 elephants row 2", "-> tent 3 row 2 elephants"),
    ("full hand", "tent 3 row 2", "-> tent 3 row 2 elephants"),
    ("full hand", "te 3 row 2", "-> tent 3 row 2 elephants"),
    ("full hand", "te 3 ro 2 ex", "-> tent 3 row 2 explorer elephants"),
    ("full hand", "te 3 row 3", "-> tent 3"),
    ("full hand", "te 3 2", "-> tent 3 row 2 elephants"),
    ("full hand", "tent 3 row 3", "-> tent 3"),
    (
        "full hand",
        "tent 3 row 3 elephants",
        "Your die puts the tent in row 3 anyway. Leave the elephants out, or name another row.",
    ),
    (
        "full hand",
        "tent 3 elephants",
        "A row and the elephants go together: name both, or neither. Type: tent DIE row ROW elephants.",
    ),
    ("full hand", "tent row 2 3", "-> tent 3 row 2 elephants"),
    ("full hand", "tent 3 2", "-> tent 3 row 2 elephants"),
    (
        "full hand",
        "tent 3 explorer elephants",
        "A row and the elephants go together: name both, or neither. Type: tent DIE row ROW elephants.",
    ),
    ("full hand", "tent 3 row 7", "'7' does not fit in 'tent 3 row 7'; possible: 1, 2, 4, 5, 6."),
    (
        "full hand",
        "tent 3 explorr",
        "'explorr' does not fit in 'tent 3 explorr'; the nearest word is explorer; possible: 1, elephants, explorer, 2, row, 4, 5, 6.",
    ),
    ("full hand", "play market", "Market is played with another command: sell COUNT GEM market."),
    (
        "full hand",
        "play explorer",
        "Explorer and Native (explorer) is played with another command: tent DIE explorer.",
    ),
    ("full hand", "play raised-tent", "Raised Tent is played with another command: raise COLUMN ROW."),
    (
        "full hand",
        "play mine-accident",
        "'mine-accident' does not fit in 'play mine-accident'; possible: steamer, two-dice.",
    ),
    ("full hand", "play two", "-> play two-dice"),
    (
        "full hand",
        "play 2-dice",
        "'2-dice' does not fit in 'play 2-dice'; the nearest word is two-dice; possible: steamer, two-dice.",
    ),
    (
        "full hand",
        "play lion",
        "You do not hold Lion. Your hand: Elephants, Explorer and Native (explorer), Market, Raised Tent, Steamer, Man at the Table (two-dice).",
    ),
    (
        "full hand",
        "play stemer",
        "'stemer' does not fit in 'play stemer'; the nearest word is steamer; possible: steamer, two-dice.",
    ),
    (
        "full hand",
        "market",
        "'market' does not start a command; possible: coins, card, mine, tent, play, raise, sell, donate.",
    ),
    (
        "full hand",
        "two-dice",
        "'two-dice' does not start a command; possible: coins, card, mine, tent, play, raise, sell, donate.",
    ),
    ("full hand", "sell red", "-> sell 1 red"),
    ("full hand", "sell clear market", "-> sell 2 clear market"),
    ("full hand", "sell 3 clear", "You cannot sell 3: you have 2 clear gems."),
    ("full hand", "sell red 1", "-> sell 1 red"),
    ("full hand", "sell red 2", "You cannot sell 2: you have 1 red gem."),
    ("full hand", "sell clear 1 market", "-> sell 1 clear market"),
    ("full hand", "end turn", "You must take a die before you end the turn. Dice you can take: 1, 2, 3, 4, 5, 6."),
    ("die taken", "end turn", "-> end"),
    ("die taken", "done", "-> end"),
    ("full hand", "sell 1 black", "'black' does not fit in 'sell 1 black'; possible: clear, market, red."),
    ("full hand", "sell blue", "'blue' does not fit in 'sell blue'; possible: 1, 2, market."),
    ("full hand", "sell 1 green", "'green' does not fit in 'sell 1 green'; possible: clear, market, red."),
    (
        "full hand",
        "raise 6 2",
        "There is no tent in column 6, row 2. Squares you can join, by column and row: 1 1, 2 1, 2 6.",
    ),
    ("full hand", "raise 2 6", "-> raise 2 6"),
    ("full hand", "raise tent 2 6", "'tent' does not fit in 'raise tent 2 6'; possible: 1, 2."),
    (
        "full hand",
        "raise 4 3",
        "The steamer is at column 4, so no tent can be raised there. Squares you can join, by column and row: 1 1, 2 1, 2 6.",
    ),
    ("full hand", "donate", "'donate' fits several commands: donate 1, donate 2, donate 3, donate 4, donate 5."),
    ("full hand", "donate 6", "You cannot give 6 coins: your purse holds 5."),
    (
        "full hand",
        "give 2",
        "'give' does not start a command; possible: coins, card, mine, tent, play, raise, sell, donate.",
    ),
    (
        "full hand",
        "pass",
        "'pass' does not start a command; possible: coins, card, mine, tent, play, raise, sell, donate.",
    ),
    ("full hand", "mine", "'mine' fits several commands: mine 1, mine 2, mine 3, mine 4, mine 5, mine 6."),
    (
        "three dice",
        "coins 1",
        "The 1 is not higher than your last die this round, 2. Dice you can take: 3, 5.",
    ),
    ("three dice", "coins 6", "There is no 6 left. Dice you can take: 3, 5."),
    (
        "three dice",
        "tent 3",
        "The tent costs 3 coins: 2 for the column and 1 for other owners on the square. Your purse holds 1 coin.",
    ),
    ("three dice", "mine", "'mine' fits several commands: mine 3, mine 5."),
    ("three dice", "end", "You must take a die before you end the turn. Dice you can take: 3, 5."),
    (
        "three dice",
        "tent 5 explorer",
        "You do not hold Explorer and Native (explorer). Your hand: no cards.",
    ),
    ("three dice", "card", "'card' fits several commands: card 3, card 5."),
    (
        "die taken",
        "coins 4",
        "This command is not possible now. Possible: end, play CARD, raise COLUMN ROW, sell COUNT GEM [market], donate AMOUNT.",
    ),
    ("die taken", "e", "-> end"),
    ("die taken", "play two-dice", "-> play two-dice"),
    ("die taken", "sell 1 red market", "-> sell 1 red market"),
    ("die taken", "sell al red", "'al' does not fit in 'sell al red'; possible: 1, 2, market."),
    (
        "second die",
        "coins 3",
        "The 3 is not higher than your last die this round, 3. Dice you can take: 4, 5, 6.",
    ),
    ("second die", "end", "-> end"),
    ("second die", "coins 4", "-> coins 4"),
    ("second die", "play two-dice", "You do not hold Man at the Table (two-dice). Your hand: no cards."),
    ("second die", "raise 1 1", "You do not hold Raised Tent. Your hand: no cards."),
    (
        "two, no tent left",
        "tent 3",
        "All 11 of your tents are on the board. In a game of two you can move one: tent DIE from COLUMN ROW.",
    ),
    ("two, no tent left", "tent 3 from 3 6", "-> tent 3 from 3 6"),
    (
        "two, no tent left",
        "tent 3 from 4 1",
        "You have no tent in column 4, row 1. Your tents, by column and row: 1 1, 2 1, 2 2, 2 3, 3 1, 3 2, 3 3, 3 4, 3 5, 3 6.",
    ),
    ("two, no tent left", "tent 3 1 1", "'1' does not fit in 'tent 3 1 1'; possible: from."),
    ("two, no tent left", "raise 1 1", "You do not hold Raised Tent. Your hand: no cards."),
)


@pytest.mark.parametrize(("where", "typed", "answer"), SLIPS, ids=[f"{where}-{typed}" for where, typed, _ in SLIPS])
def test_a_slip_is_understood_or_answered(where: str, typed: str, answer: str) -> None:
    assert answered(game, POSITIONS[where], 0, typed) == answer
