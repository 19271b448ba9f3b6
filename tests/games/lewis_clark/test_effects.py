"""The vocabulary of effects: each card and place is one line of data, and the line says itself."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from engine import registry
from engine.games.lewis_clark import cards, effects
from engine.games.lewis_clark.cards import CARDS, ENCOUNTERS, LINES, ROLES, Line
from engine.games.lewis_clark.effects import Bundle, Cheaper, Choose, Copy, Lengthens, Move, Quicker, Skips, Take


def test_cards_are_data() -> None:
    """One line each; the module has no function of a single card, and the words of all are few."""
    functions = [name for name, thing in vars(cards).items() if inspect.isfunction(thing) and not name.startswith("_")]
    own = [name for name in functions if inspect.getmodule(getattr(cards, name)) is cards]
    assert own == ["card", "role", "place_line", "helper", "back"]
    words = [thing for thing in vars(effects).values() if inspect.isclass(thing) and issubclass(thing, effects.Effect)]
    assert len(words) - 1 == 9
    written = {type(way.effect) for line in LINES.values() for way in line.ways}
    assert written == set(words) - {effects.Effect}


@pytest.mark.parametrize("line", LINES.values(), ids=lambda line: line.id)
def test_a_line_says_itself(line: Line) -> None:
    """Every good of its prices and gains stands in the sentence with its number, and every terrain with its spaces."""
    assert line.text.endswith(".")
    for way in line.ways:
        assert all(f"{way.cost.fixed.count(name)} {name}" in line.text.lower() for name in way.cost.fixed)
        assert not way.cost.chosen or f"{way.cost.chosen} " in way.cost.says()
        if isinstance(way.effect, Move):
            assert f"{way.effect.spaces} {way.effect.terrain}" in line.text
        if isinstance(way.effect, Take):
            assert f"{way.effect.amount} {way.effect.kind}" in line.text
        if isinstance(way.effect, Bundle):
            assert all(f"1 {good}" in line.text for good in way.effect.goods)
        if isinstance(way.effect, Choose):
            assert f"{way.effect.amount} primary good" in line.text
    assert ("Once only" in line.text, "pay for nothing" in line.text) == (line.once, line.fresh)


def test_what_is_said_alike_is_played_alike() -> None:
    """Two lines with one sentence have one rule."""
    rules = {(line.ways, line.once, line.fresh, line.passive): line.text for line in LINES.values()}
    assert len(set(rules.values())) == len(rules)


def test_the_five_without_chaining() -> None:
    """15, 23, 35, 40 and 53; the place of shamanism is used once at a time and needs no such word."""
    assert [card.number for card in ENCOUNTERS if card.fresh] == [15, 23, 35, 40, 53]
    assert not any(line.fresh for line in LINES.values() if line.id not in CARDS)


def test_the_five_passive_cards_are_not_used() -> None:
    """16, 17, 18, 36 and 54 say when they work."""
    passive = [card for card in ENCOUNTERS if card.passive]
    assert [card.number for card in passive] == [16, 17, 18, 36, 54]
    assert all(not card.ways and card.text.startswith("While face up") for card in passive)


def test_the_numbers_of_the_five_stand_once() -> None:
    """What a card says of its help is made of the number that the rule reads."""
    said = {card.name: (card.passive, card.text) for card in ENCOUNTERS if card.passive}
    assert said["Joseph Gravelines"] == (Cheaper(2), "While face up: recruiting takes 2 fur less.")
    assert said["John Boley"] == (Quicker(1), "While face up: a camp takes 1 time less.")
    assert said["Nicholas Jarrot"][0] == Lengthens("river", 2)
    assert said["Cut Nose"][0] == Lengthens("mountain", 1)
    assert said["F. Antoine Larocque"][0] == Skips()


def test_who_copies_what() -> None:
    """Places where Indians stand, any place, characters face up."""
    copies = {line.id: way.effect.of for line in LINES.values() for way in line.ways if isinstance(way.effect, Copy)}
    assert copies == {
        "toussaint-charbonneau": "occupied",
        "sacagawea": "place",
        "the-partisan": "character",
        "shamanism": "character",
    }


def test_the_54_are_numbered_and_the_six_are_not() -> None:
    assert [card.number for card in ENCOUNTERS] == list(range(1, 55))
    assert [role.number for role in ROLES] == [0] * 6


@pytest.mark.parametrize("line", LINES.values(), ids=lambda line: line.id)
def test_the_guide_tells_every_card_and_place(line: Line) -> None:
    """By its printed name, with its strength, and in the very sentence of the board."""
    guide = registry.guide("lewis_clark")
    row = next(row for row in guide.splitlines() if row.startswith("|") and f" {line.name} |" in row)
    assert row.endswith(f"| {line.text} |")
    assert f"| {line.strength} {line.badge} |" in row if line.strength else f"`{line.id}`" in row


def test_the_guide_and_the_readme_tell_the_same_rulings() -> None:
    """Players and developers read one list."""
    folder = Path(effects.__file__).parent
    readme, guide = ((folder / name).read_text("utf-8") for name in ("README.md", "guide.md"))
    rulings = [line for line in guide.split("## Rulings")[1].splitlines() if line[:1].isdigit()]
    assert len(rulings) == 25
    assert all(line in readme for line in rulings)
