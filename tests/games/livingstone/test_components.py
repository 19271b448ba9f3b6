"""The figures: complete, each with its source, replaceable by an operator's file."""

from __future__ import annotations

from importlib import resources

import msgspec
import pytest
from msgspec.structs import replace

from engine.games.livingstone.components import FIGURES, HOUSE, Edition


def test_every_figure_names_its_source() -> None:
    """And every source is for a figure that the rules read."""
    assert [figure.field for figure in FIGURES] == [name for name in Edition.__struct_fields__ if name != "name"]


def test_our_own_figures_are_marked() -> None:
    assert {figure.field for figure in FIGURES if figure.confidence == "house"} == {"costs", "copies"}


def test_an_edition_survives_json() -> None:
    """An operator's file gives the figures that were written into it."""
    assert msgspec.json.decode(msgspec.json.encode(HOUSE), type=Edition) == HOUSE


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("costs", [1, 1, 2]),
        ("majorities", [1, 2, 3, 4, 5, 6, 7]),
        ("copies", {**msgspec.to_builtins(HOUSE.copies), "lion": 2}),
        ("stones", {**msgspec.to_builtins(HOUSE.stones), "white": 0}),
        ("cave-stones", 7),
        ("name", "Not A Name"),
        ("colour", "green"),
    ],
)
def test_a_wrong_edition_is_refused(field: str, value: object) -> None:
    """Lengths, bounds and totals are checked when the file is read."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**msgspec.to_builtins(HOUSE), field: value}, Edition)


def test_the_readme_shows_the_house_edition() -> None:
    """So the form that an operator copies is right."""
    readme = resources.files("engine.games.livingstone").joinpath("README.md").read_text("utf-8")
    shown = readme[readme.index('    {"name"') : readme.index("The whole edition is")]
    assert replace(msgspec.json.decode(shown, type=Edition), name="house") == HOUSE
