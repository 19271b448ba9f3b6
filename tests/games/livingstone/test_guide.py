"""The guide tells what the game has: every command and card, and the figures of the house edition."""

from __future__ import annotations

import re

from engine import registry
from engine.games.livingstone import game, says
from engine.games.livingstone.cards import KINDS
from engine.games.livingstone.components import HOUSE, TOTAL_CARDS, names_and_counts
from engine.kit import view
from engine.kit.notation import head
from tests.games.livingstone.positions import position

GUIDE = " ".join(registry.guide("livingstone").split())


def test_every_command_is_told() -> None:
    assert all(re.search(rf"\b{' '.join(head(kind))}\b", GUIDE) for kind in game.commands)


def test_what_cards_do_is_told_with_the_house_figures() -> None:
    """As the board tells it; a row for each, animals in one."""
    rows = {row.split("|")[2].strip(): row for row in registry.guide("livingstone").split("\n") if row.count("|") == 4}
    told = says.effects(view(game, position(), None))
    for word in ("coins", "cave", "steamer", "two-dice"):
        assert told[word].removesuffix(" from the bank") in rows[KINDS[word].name]
    animals = (HOUSE.lion_points, HOUSE.rhino_points, HOUSE.antelope_points)
    assert "{}, {}, {} points".format(*animals) in rows["animals"]
    assert {kind.name for word, kind in KINDS.items() if word not in ("lion", "rhino", "antelope")} <= rows.keys()


def test_prices_are_those_of_the_house_edition() -> None:
    """At the bank, with the market card, and unsold."""
    clear, blue, red = HOUSE.prices
    unsold = f"{HOUSE.gem_points} point at the end"
    assert (
        f"a clear gem sells for {clear} coin, a blue one for {blue}, a red one for {red}; unsold, each is {unsold}"
        in GUIDE
    )
    market = zip(("clear", "blue", "red"), HOUSE.market_coins, HOUSE.market_points, strict=True)
    assert ", ".join(f"{gem} {coins} + {points}" for gem, coins, points in market) in GUIDE


def test_costs_and_copies_are_those_of_the_house_edition() -> None:
    """In the order of the edition, and all 27 cards."""
    assert f"no source has them: {' '.join(map(str, HOUSE.costs))}, and " in GUIDE
    listed = re.search(r"no source has them: [0-9 ]+, and ([^.]*)\.", GUIDE)
    assert listed is not None
    copies = [
        (int(number), words.rstrip("s").replace(" ", "-"))
        for number, words in re.findall(r"(\d+) ([a-z -]+)", listed[1])
    ]
    house = names_and_counts(HOUSE.copies)
    same = {"elephants": "elephant", "coins": "coin", "two-dice": "two-dice", "mine-accident": "accident"}
    assert copies == [(number, same.get(word, word)) for word, number in house.items()]
    assert sum(number for number, _ in copies) == TOTAL_CARDS
