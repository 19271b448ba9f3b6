"""The cases that the golden games keep: each number of players, each kind of tie, and each way to end."""

from __future__ import annotations

from importlib import resources

import pytest

FOLDER = resources.files("engine.games.discoveries").joinpath("golden")
NAMES = sorted(path.name.removesuffix(".txt") for path in FOLDER.iterdir())


def text(name: str) -> str:
    return FOLDER.joinpath(f"{name}.txt").read_text("ascii")


def end(name: str) -> list[str]:
    """The lines from the end of the game on: the reason, the places, the points."""
    told = text(name)
    return told[told.rindex("\nThe game is over: ") + 1 :].splitlines()


def points(name: str, heading: str) -> list[int]:
    row = next(line for line in end(name) if line.startswith(f"{heading}:"))
    return [int(word) for word in row.split()[1:]]


def test_there_is_a_complete_game_for_each_number_of_players() -> None:
    complete = [name for name in NAMES if end(name)[0] == "The game is over: complete."]
    assert {text(name).split("seats: ")[1][0] for name in complete} == {"2", "3", "4"}


def test_a_golden_game_has_a_tie_in_tipis() -> None:
    """The tied players share the points of their places."""
    assert sorted(points("three-tipis-tie", "tipis")) == [0, 9, 9]


def test_a_golden_game_has_a_tie_broken_by_dice() -> None:
    one, other = points("two-decided-by-dice", "total")
    assert one == other
    assert [line[:2] for line in end("two-decided-by-dice")[1:3]] == ["1.", "2."]


def test_a_golden_game_has_a_shared_victory() -> None:
    one, other = points("two-shared-victory", "total")
    assert one == other
    assert end("two-shared-victory")[1] == "1. Seat 1, Seat 2"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("two-undecided", "The game is over: undecided."),
        ("three-all-leave-but-one", "The game is over: resigned."),
        ("four-one-leaves", "> Seat 3: resigns"),
        ("four-one-leaves", "The game is over: complete."),
        ("three-third-begins", "Seat 3 was drawn to begin."),
        ("three-third-begins", "> Seat 3: choose"),
        ("three-third-begins", "Seat 1 gave Seat"),
        ("three-blackfeet", "befriend 49; ask"),
        ("four-extra-turn", "explored two cards in one turn and takes another turn."),
    ],
)
def test_a_golden_game_has_this_case(name: str, says: str) -> None:
    """Other ends, a player who resigns, and two cards in one turn."""
    assert says in text(name)
