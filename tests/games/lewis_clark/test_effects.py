"""The vocabulary of effects: each card and place is one line of data, which also gives its sentence."""

from __future__ import annotations

import inspect
import re

import pytest

from engine import registry
from engine.games.lewis_clark import cards, effects
from engine.games.lewis_clark.cards import CARDS, ENCOUNTERS, LINES, ROLES, Line
from engine.games.lewis_clark.effects import Bundle, Cheaper, Choose, Copy, Lengthens, Move, Quicker, Skips, Take


def test_cards_are_data() -> None:
    """The module has no function for a single card, and all cards share nine effects."""
    functions = [name for name, thing in vars(cards).items() if inspect.isfunction(thing) and not name.startswith("_")]
    own = [name for name in functions if inspect.getmodule(getattr(cards, name)) is cards]
    assert own == ["card", "role", "place_line", "helper", "back"]
    words = [thing for thing in vars(effects).values() if inspect.isclass(thing) and issubclass(thing, effects.Effect)]
    assert len(words) - 1 == 9
    written = {type(way.effect) for line in LINES.values() for way in line.ways}
    assert written == set(words) - {effects.Effect}


@pytest.mark.parametrize("line", LINES.values(), ids=lambda line: line.id)
def test_the_sentence_of_a_line_has_all_its_numbers(line: Line) -> None:
    """Every good of its prices and gains with its number, and every terrain with its spaces."""
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
    assert ("Once only" in line.text, "cannot pay for later uses" in line.text) == (line.once, line.fresh)


def test_lines_with_one_sentence_have_one_rule() -> None:
    rules = {(line.ways, line.once, line.fresh, line.passive): line.text for line in LINES.values()}
    assert len(set(rules.values())) == len(rules)


def test_five_cards_do_not_chain() -> None:
    """15, 23, 35, 40 and 53; Shamanism takes one Indian and is used once, so it cannot chain."""
    assert [card.number for card in ENCOUNTERS if card.fresh] == [15, 23, 35, 40, 53]
    assert not any(line.fresh for line in LINES.values() if line.id not in CARDS)


def test_five_cards_work_only_while_face_up() -> None:
    """16, 17, 18, 36 and 54."""
    passive = [card for card in ENCOUNTERS if card.passive]
    assert [card.number for card in passive] == [16, 17, 18, 36, 54]
    assert all(not card.ways and card.text.startswith("While face up") for card in passive)


def test_the_sentence_of_a_passive_card_has_the_number_of_its_rule() -> None:
    said = {card.name: (card.passive, card.text) for card in ENCOUNTERS if card.passive}
    assert said["Joseph Gravelines"] == (Cheaper(2), "While face up: recruiting costs 2 fur less.")
    assert said["John Boley"] == (Quicker(1), "While face up: a camp delays you 1 space less.")
    assert said["Nicholas Jarrot"][0] == Lengthens("river", 2)
    assert said["Cut Nose"][0] == Lengthens("mountain", 1)
    assert said["F. Antoine Larocque"][0] == Skips()


def test_four_lines_copy_places_or_characters() -> None:
    """Charbonneau copies occupied places, Sacagawea any place, The Partisan and Shamanism characters face up."""
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
def test_the_guide_lists_every_card_and_place(line: Line) -> None:
    """By its printed name, with its strength and badge or its word, and in the sentence of the board."""
    number = f"{line.number} " if line.number else ""
    card, place = f"- **{number}{line.name}** ({line.strength} {line.badge}):", f"- **`{line.id}`** {line.name} ("
    guide = " ".join(registry.guide("lewis_clark").split())
    entry = guide[guide.index(card if line.strength else place) :].partition(" - **")[0]
    assert f"): {line.text}" in entry


def test_the_rulings_are_numbered_through() -> None:
    """Players may name one by its number."""
    rulings = registry.guide("lewis_clark").split("## Rulings")[1].split("\n## ")[0]
    assert [int(number) for number in re.findall(r"(?m)^(\d+)\. ", rulings)] == list(range(1, 26))
