"""Options in words, from the schema of the options alone."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta

from engine import registry
from engine.game import Options
from engine.kit import choices


class Chosen(Options, frozen=True):
    kind: Annotated[Literal["plain", "rich"], choices.said("Kind", {"plain": "the plain game", "rich": "rich"})] = (
        "plain"
    )
    tax: Annotated[bool, choices.said("Taxes", {"true": "with taxes", "false": ""}, kind="rich")] = False
    alone: Annotated[int, Meta(ge=0, le=9), choices.said("Lead", seats=1)] = 0
    bare: bool = False


@pytest.mark.parametrize(
    ("chosen", "seats", "words"),
    [
        ({"kind": "plain", "tax": True, "alone": 3, "bare": False}, 2, ["the plain game"]),
        ({"kind": "rich", "tax": True, "alone": 3, "bare": True}, 1, ["rich", "with taxes", "Lead: 3", "bare: yes"]),
        ({"kind": "rich", "tax": False, "alone": 0, "bare": False}, 1, ["rich"]),
        ({}, 1, []),
    ],
)
def test_the_options_of_a_table_are_shown_in_words(chosen, seats, words):
    """Options without effect or with their usual value are left out; an option without words shows its name."""
    assert choices.told(Chosen, chosen, seats) == words


@pytest.mark.parametrize("key", [key for key, game in registry.games().items() if game.meta.stage != "tiny"])
def test_every_option_of_a_game_has_a_title_and_words(key):
    """Every value of a choice has a word, and the options on which it depends exist."""
    found = choices.options_schema(registry.find(key).meta.options)["properties"]
    for one in found.values():
        values = one.get("enum") or {"boolean": ["true", "false"], "integer": []}[one["type"]]
        assert one["title"]
        assert set(one["x-words"]) == set(values)
        assert set(one.get("x-only", {})) <= {*found, "seats"}
