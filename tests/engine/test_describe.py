"""The effect of a command, in a sentence for people."""

import re

import pytest

from engine import registry, selfplay
from engine.kit import called, describe, format_command, label, parse, pointed
from engine.kit.words import _part

NAMES = ("Ada", "Ben")


def steps(key):
    game = registry.find(key)
    seats = max(2, game.meta.seats[0])
    walk = selfplay.walk(game, seats, game.meta.options(), selfplay.seed_of("describe"))
    return game, (step for step, _ in zip(walk, range(150), strict=False) if step.legal)


@pytest.mark.parametrize("key", [key for key, game in registry.games().items() if game.meta.stage != "tiny"])
def test_each_legal_command_has_its_own_sentence(key: str):
    """A capital, a full stop, no notation; and where two commands differ, so do the sentences."""
    game, walked = steps(key)
    for step in walked:
        told = [label(game, step.before, step.seat, command, NAMES) for command in step.legal]
        assert [one for one in told if not re.fullmatch(r"[A-Z][^\[\]{}]+\.", one)] == []
        assert len(set(told)) == len(told)
        assert not set(told) & {format_command(command) for command in step.legal}


def test_a_template_names_only_fields_of_its_own_kind():
    """A wrong name would otherwise fail only once such a command is legal."""
    kinds = [kind for game in registry.games().values() for kind in game.commands if kind.words]
    assert len(kinds) > 40
    for kind in kinds:
        named = re.findall(r"\{(\w+)|\[(?:not )?(\w+):", kind.words)
        assert {one or other for one, other in named} <= {*kind.__struct_fields__}, kind


def test_seats_are_named_and_cards_printed():
    """As in every sentence of the game."""
    from engine.games.lewis_clark.commands import Recruit
    from engine.games.tikal.commands import Enter, Swap

    tikal, clark = registry.find("tikal"), registry.find("lewis_clark")
    swap = Swap(mine="mask", other_seat=1, theirs="urn")
    assert describe(tikal, swap, NAMES) == "Give Ben the mask and take the urn."
    assert describe(tikal, Enter(cell="a1", leader=True)) == "Bring the leader to the camp on a1."
    assert describe(tikal, Enter(cell="a1")) == "Bring an explorer to the camp on a1."
    recruited = Recruit(card="ebenezer-tuttle", discard="lumberjack")
    assert describe(clark, recruited) == "Recruit Ebenezer Tuttle, discarding Lumberjack."
    assert describe(clark, Recruit(card="ebenezer-tuttle")) == "Recruit Ebenezer Tuttle."


def test_a_part_with_a_number_stays_though_it_is_zero():
    """Only a missing or a false value is left out."""
    part = re.fullmatch(r"\[(?:(not )?(\w+):)?([^\]]*)\]", "[, with only {only}]")
    assert _part(part, {"only": 0}) == ", with only {only}"
    assert _part(part, {"only": None}) == ""


def test_a_kind_without_words_is_described_by_its_docstring():
    """Its first clause, and its fields by name."""
    from tests.kit.games.bids import Bid, game

    told = describe(game, Bid(amount=2))
    assert told.endswith("amount 2.")
    assert told[0].isupper()


def test_a_closing_command_has_no_fields():
    """Pages show it apart, as one button; each of the games has one."""
    closing = {key: [kind for kind in game.commands if kind.closes] for key, game in registry.games().items()}
    assert all(closing[key] for key in ("discoveries", "lewis_clark", "livingstone", "tikal"))
    assert [kind for kinds in closing.values() for kind in kinds if kind.__struct_fields__] == []


def test_words_of_a_command_are_shown_as_people_read_them():
    """A seat by its player's name, printed words as printed, each part of a set by itself."""
    discoveries, lewis = registry.find("discoveries"), registry.find("lewis_clark")
    ask, rest, play = (
        of_text(game, text)
        for game, text in ((discoveries, "ask 2"), (discoveries, "rest own 1.1+1.10"), (lewis, "play commander"))
    )
    assert spoken(discoveries, ask) == [("ask",), ("Ben",)]
    assert spoken(discoveries, rest)[-1] == ("card 1 of Ada", "card 10 of Ada")
    assert spoken(lewis, play) == [("play",), ("Commander",)]


def of_text(game, text):
    return parse(game, text)[0].command


def spoken(game, command):
    return [called(game, command, word, NAMES) for word in pointed(command, 0)]


@pytest.mark.parametrize(("key", "priced"), [("tikal", {"walk", "enter", "level"}), ("lewis_clark", {"recruit"})])
def test_a_command_with_a_price_shows_its_cost(key: str, priced: set[str]):
    """A walk shows the points of its route, a card its price; a free command shows none."""
    told = {
        (command.__struct_config__.tag, command.costs(step.before, step.seat))
        for step in steps(key)[1]
        for command in step.legal
    }
    assert {kind for kind, costs in told if costs} >= priced
    assert len({costs for kind, costs in told if kind in ("walk", "recruit")}) > 1
    assert {costs for kind, costs in told if kind in ("done", "end", "stop")} == {""}
