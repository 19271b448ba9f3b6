"""The house edition: each fact that a source gives, by its name, and the scale of all other values."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from itertools import groupby
from statistics import correlation, mean
from typing import Any

import msgspec
import pytest

from engine.errors import BadRecord
from engine.games.discoveries import game
from engine.games.discoveries.cards import BOARD, COUNT, GROUPS, SPECIES, Card, Discovery, Edition, Exploration, Need
from engine.games.discoveries.exploration import crossing
from engine.games.discoveries.house import HOUSE, TABLE, read
from engine.games.discoveries.meta import DiscoveriesOptions
from engine.record.log.options import data_hash, dump_options, load_options
from tests.games.discoveries.editions import SHORT

EXPLORERS = [card for card in HOUSE.cards if card.tribe.exploration]


def exploration(number: int) -> Exploration:
    found = HOUSE.card(number).tribe.exploration
    assert found is not None
    return found


def can(actions: Iterable[Exploration], *discoveries: Discovery) -> bool:
    return crossing([action.gives for action in actions], discoveries) is not None


# --- facts from the rulebooks and reviews ---------------------------------------------------------------------------


def test_each_group_has_its_number_of_cards() -> None:
    """13 simple ones, 8, 5 and 5 of two terrains, 5 helpers, and 19 that need no dice."""
    assert [len(numbers) for _, numbers, _ in GROUPS] == [13, 8, 5, 5, 2, 1, 1, 1, 2, 4, 4, 2, 2, 1, 2, 2]
    assert [card.number for card in EXPLORERS] == list(range(1, 37))


def test_each_sioux_tribe_has_a_card_for_every_face() -> None:
    for numbers in (range(39, 43), range(43, 47)):
        assert {HOUSE.card(number).tribe.face for number in numbers} == {"walk", "ride", "parley", "write"}


def test_f1_f2_cards_1_3_and_9() -> None:
    """Two rivers, three rivers, three mountains."""
    assert [exploration(number).gives for number in (1, 3, 9)] == ["RR", "RRR", "MMM"]


def test_f3_card_34_is_an_exploration_action() -> None:
    """It takes a Write die and gives one more river."""
    assert exploration(34).gives == "+R"


def test_f4_two_walk_dice_for_three_mountains() -> None:
    """One die stays and one goes to the Camp; here on card 9."""
    assert exploration(9) == Exploration(needs=(Need(face="walk", dice=2),), gives="MMM")


def test_f5_a_card_has_two_spaces() -> None:
    assert any(len(card.tribe.exploration.needs) == 2 for card in EXPLORERS if card.tribe.exploration)


def test_f6_card_35_has_two_rivers_and_two_mountains() -> None:
    """Each in one section."""
    assert any(route in ("RRMM", "MMRR") for route in HOUSE.card(35).discovery.routes)


def test_f7_card_22_has_three_rivers_and_two_separate_mountains() -> None:
    """On one of its routes."""
    counted = [r for r in HOUSE.card(22).discovery.routes if (r.count("R"), r.count("M")) == (3, 2)]
    assert counted
    assert all("MM" not in route for route in counted)


def test_f8_card_22_ends_in_one_mountain() -> None:
    assert "RRM" in HOUSE.card(22).discovery.routes


def test_f9_card_55_is_a_mountain_and_four_rivers() -> None:
    assert "MRRRR" in HOUSE.card(55).discovery.routes


def test_f10_card_22_itself_can_be_crossed() -> None:
    """By the board's three rivers and two mountains: the remark in example 1 is about its long route."""
    assert can((BOARD["foot"], BOARD["mountain"]), HOUSE.card(22).discovery)


def test_f11_a_mammal_has_the_routes_of_the_review() -> None:
    """Three rivers and a mountain, or two mountains."""
    mammals = [card.discovery for card in HOUSE.cards if card.discovery.species == "mammal"]
    assert any(set(mammal.routes) == {"RRRM", "MM"} for mammal in mammals)


def test_f12_a_card_with_a_mountain_and_a_river_is_worth_two_points() -> None:
    assert any(
        card.discovery.points == 2 and any(set(route) == {"R", "M"} for route in card.discovery.routes)
        for card in HOUSE.cards
    )


def test_species_occur_as_often_as_the_rulebook_says() -> None:
    """4 fish, 5 birds, 6 mammals and 7 plants without points; the other 33 cards have points."""
    shown = [card.discovery.species for card in HOUSE.cards]
    assert {species: shown.count(species) for species in SPECIES} == {"fish": 4, "bird": 5, "mammal": 6, "plant": 7}  # type: ignore[arg-type]
    assert all((card.discovery.points == 0) == (card.discovery.species is not None) for card in HOUSE.cards)


def test_points_range_from_2_to_10() -> None:
    printed = sorted(card.discovery.points for card in HOUSE.cards if card.discovery.points)
    assert sorted(set(printed)) == [2, 3, 4, 5, 6, 7, 8, 9, 10]


def test_about_half_of_the_tribes_are_wary() -> None:
    """Among the cards with dice and among those without."""
    for cards in (HOUSE.cards[:36], HOUSE.cards[36:]):
        wary = sum(card.tribe.attitude == "wary" for card in cards)
        assert 0.4 <= wary / len(cards) <= 0.6


def test_tipis_are_on_both_sides() -> None:
    assert {card.tribe.tipis for card in HOUSE.cards} == {0, 1, 2, 3}
    assert {card.discovery.tipis for card in HOUSE.cards} == {0, 1, 2}


# --- tribes: what they give agrees with what they need --------------------------------------------------------------

DIE = {"walk": 6, "ride": 8, "parley": 8, "write": 8, "any": 5}  # a Walk face comes up twice as often as Ride
ALIKE = {2: 11, 3: 18}  # by number of dice, of any face, all alike
WORTH = {"R": 6, "M": 8}


def cost(action: Exploration) -> int:
    """The value of the prerequisites: dice that stay count like dice that leave."""
    return sum(
        ALIKE[need.dice] if need.face == "any" and need.dice > 1 else DIE[need.face] * need.dice
        for need in action.needs
    )


def worth(action: Exploration) -> float:
    """The value of the icons; the lesser half of a choice counts a third."""
    best, *other = sorted((sum(WORTH[icon] for icon in move) for move in action.moves), reverse=True)
    return best + sum(other) / 3


def ratio(action: Exploration) -> float:
    return worth(action) / cost(action)


@pytest.mark.parametrize("number", range(1, 14))
def test_a_simple_tribe_is_more_efficient_than_the_board(number: int) -> None:
    """It gives more for its dice than any board action of its terrain, as the rulebook says."""
    tribe = exploration(number)
    same = [action for action in BOARD.values() if action.gives[0] == tribe.gives[0]]
    assert all(ratio(tribe) > ratio(action) for action in same)


@pytest.mark.parametrize("number", range(1, 32))
def test_the_gain_of_a_tribe_agrees_with_its_dice(number: int) -> None:
    """No tribe is a bargain, and none is useless."""
    assert 1.7 <= ratio(exploration(number)) <= 2.5


def test_helpers_cost_one_die() -> None:
    """Clatsop, Tenino, Multnomah and Nez Perce also need another action and a Write die of their own."""
    assert all([need.dice for need in exploration(number).needs] == [1] for number in range(32, 37))


def test_wary_tribes_are_worth_their_second_die() -> None:
    """They give more for their dice, and more tipis, than friendly ones."""
    by = {a: [card.tribe for card in HOUSE.cards if card.tribe.attitude == a] for a in ("friendly", "wary")}
    effort = {
        a: mean(ratio(t.exploration) for t in tribes if t.exploration and t.exploration.moves)
        for a, tribes in by.items()
    }
    assert effort["wary"] > effort["friendly"]
    assert mean(t.tipis for t in by["wary"]) > mean(t.tipis for t in by["friendly"])


def test_no_two_exploring_tribes_are_alike() -> None:
    assert len({(card.tribe.exploration, card.tribe.attitude) for card in EXPLORERS[:31]}) == 31


# --- discoveries: points agree with the road ------------------------------------------------------------------------


def effort(route: str) -> int:
    """2 for a river, 3 for a mountain, and 3 for each section, which needs an action and a Write die."""
    return 2 * route.count("R") + 3 * route.count("M") + 3 * len(list(groupby(route)))


def easiest(card: Card) -> int:
    return min(map(effort, card.discovery.routes))


SCORING = [card for card in HOUSE.cards if card.discovery.points]


@pytest.mark.parametrize("card", SCORING, ids=lambda card: f"card-{card.number}")
def test_points_and_tipis_agree_with_the_easiest_route(card: Card) -> None:
    """From 2 for a river and a mountain, one more for every two of effort; a tipi counts as a point."""
    assert card.discovery.points + card.discovery.tipis == (easiest(card) - 7) // 2


def test_points_rise_with_length() -> None:
    """In the mean of each length, and closely from card to card."""
    shortest = {card: min(map(len, card.discovery.routes)) for card in SCORING}
    means = [
        mean(c.discovery.points for c in SCORING if shortest[c] == length) for length in sorted(set(shortest.values()))
    ]
    assert means == sorted(set(means))
    assert correlation([*shortest.values()], [card.discovery.points for card in SCORING]) > 0.85


def test_rarer_species_take_more_effort() -> None:
    """On average."""
    asked = {s: mean(easiest(card) for card in HOUSE.cards if card.discovery.species == s) for s in SPECIES}
    assert sorted(asked, key=lambda species: -asked[species]) == sorted(SPECIES, key=lambda species: SPECIES[species])


@pytest.mark.parametrize(
    "card", [c for c in HOUSE.cards if len(c.discovery.routes) > 1], ids=lambda c: f"card-{c.number}"
)
def test_two_routes_of_a_card_are_a_real_choice(card: Card) -> None:
    """Neither contains the other, and their efforts are close; the facts give the routes of cards 2 and 22."""
    one, other = card.discovery.routes
    assert one not in other
    assert other not in one
    assert card.number in (2, 22) or abs(effort(one) - effort(other)) <= 4


def test_the_board_actions_alone_cross_most_cards() -> None:
    """More than half, but not the card of 10 points."""
    alone = [card for card in HOUSE.cards if can(BOARD.values(), card.discovery)]
    assert len(alone) > COUNT / 2
    assert max(card.discovery.points for card in alone) == 9


# --- the data as a file ---------------------------------------------------------------------------------------------


def test_each_row_of_the_table_is_a_card() -> None:
    assert read(TABLE) == HOUSE.cards
    assert len(TABLE.split("\n")) == COUNT + 2


def test_an_edition_survives_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(HOUSE), type=Edition) == HOUSE


def test_the_house_edition_needs_no_file() -> None:
    """It is the option's default, so the record names no data."""
    assert dump_options(DiscoveriesOptions())[1] is None


def test_another_edition_comes_back_from_its_file() -> None:
    """The record names the file by its hash; the file and the plain options give the same game."""
    mine = DiscoveriesOptions(edition=SHORT)
    plain, data = dump_options(mine)
    assert data is not None
    assert load_options(game, plain, data) == mine
    assert data_hash(data) != data_hash(data.replace(b"short-roads", b"short-road"))


def test_a_file_that_is_not_an_edition_starts_no_game() -> None:
    """The record's refusal carries the reason."""
    _, data = dump_options(DiscoveriesOptions(edition=SHORT))
    assert data is not None
    with pytest.raises(BadRecord, match="an edition has the cards 1 to 55 in this order") as no:
        load_options(game, {}, data.replace(b'"number":2,', b'"number":1,'))
    assert no.value.code == "bad-options"


def _changed(*path: str | int, to: object) -> Any:
    """The house edition as plain data, with one member changed."""
    plain: Any = msgspec.to_builtins(HOUSE)
    plain["cards"] = list(plain["cards"])
    inner = plain
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return plain


WRONG = {
    "one card too few": (_changed("cards", to=msgspec.to_builtins(HOUSE)["cards"][:54]), "length >= 55"),
    "a number twice": (_changed("cards", 1, "number", to=1), "the cards 1 to 55 in this order"),
    "a number beyond 55": (_changed("cards", 54, "number", to=56), "<= 55"),
    "another group's effect": (
        _changed("cards", 36, "tribe", "effect", to="yankton"),
        "the effect of card 37 is 'minnetaree'",
    ),
    "an effect that does not exist": (_changed("cards", 36, "tribe", "effect", to="sleep"), "effect"),
    "no exploration": (_changed("cards", 3, "tribe", "exploration", to=None), "card 4 .simple. cannot give ''"),
    "no prerequisite": (_changed("cards", 0, "tribe", "exploration", "needs", to=[]), "length >= 1"),
    "mountains first": (
        _changed("cards", 21, "tribe", "exploration", "gives", to="MRR"),
        "card 22 .rivers-first. cannot give 'MRR'",
    ),
    "a terrain unknown": (_changed("cards", 0, "discovery", "routes", to=["RXM"]), "matching regex"),
    "no route": (_changed("cards", 0, "discovery", "routes", to=[]), "length >= 1"),
    "a Sioux without a face": (_changed("cards", 38, "tribe", "face", to=None), "card 39 .yankton. needs a face"),
    "a face without a Sioux": (
        _changed("cards", 53, "tribe", "face", to="walk"),
        "card 54 .wanapum. cannot have a face",
    ),
    "a fifth fish": (_changed("cards", 0, "discovery", "species", to="fish"), "4 cards show the species 'fish', not 5"),
    "too many points": (_changed("cards", 0, "discovery", "points", to=99), "<= 20"),
    "too many tipis": (_changed("cards", 0, "tribe", "tipis", to=-1), ">= 0"),
    "a letter beyond ASCII that is not written as a reference": (
        _changed("cards", 0, "tribe", "name", to="Nez Perc\u00e9"),
        "matching regex",
    ),
    "a name of 25 letters": (_changed("cards", 0, "tribe", "name", to="W" * 24 + "&#233;"), "matching regex"),
    "a member unknown": (_changed("cards", 0, "tribe", "colour", to="red"), "unknown field"),
}


@pytest.mark.parametrize(("plain", "says"), WRONG.values(), ids=WRONG)
def test_a_wrong_edition_is_refused(plain: Any, says: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=says):
        msgspec.convert(plain, Edition)


def test_the_notes_show_the_form_of_a_card() -> None:
    """The example is a card of the house edition, and every effect is listed."""
    page = resources.files("engine.games.discoveries").joinpath("CARDS.md").read_text("utf-8")
    shown = page[page.index('    {"number"') : page.index("- `name` of the edition")]
    assert msgspec.json.decode(shown, type=Card) == HOUSE.card(25)
    assert all(f"`{effect}`" in page for effect, _, _ in GROUPS)
