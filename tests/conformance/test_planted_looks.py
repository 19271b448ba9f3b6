"""Proof that the suite finds faults on boards and in pictures: each test plants one."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from conformance import worlds
from conformance.looks import Unsightly, each_kind_of_choice, look_at, look_at_the_end, look_at_the_guide
from conformance.pointing import Unmarked, choices, points_at_the_table, words_are_whole
from conformance.zoned import Misshapen, look_at_slots, look_at_titles, look_at_zones
from engine import registry, selfplay
from engine.game import Command
from engine.games.livingstone import Livingstone
from engine.games.livingstone import game as livingstone
from engine.games.livingstone.meta import LivingstoneOptions
from engine.games.livingstone.view import LivingstoneView
from engine.kit import names_of, view
from tests.kit.games.pig import Pig, PigView


def nim(*changes: tuple[str, str]) -> Any:
    """The Nim of `nim.py`, a game in one file, with these changes to its text."""
    text = Path(__file__).with_name("nim.py").read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    module = sys.modules["planted_nim"] = ModuleType("planted_nim")
    exec(text, module.__dict__)
    return module.game


def steps_of(game: Any) -> list[selfplay.Walked]:
    return list(selfplay.walk(game, 2, game.meta.options(), selfplay.seed_of("looks")))


def look(game: Any) -> None:
    for step in steps_of(game):
        look_at(game, step.after, names_of(2))


def look_when_all_have_left(game: Any) -> None:
    """In the middle of the game."""
    steps = steps_of(game)
    look_at_the_end(game, replace(steps[len(steps) // 2].after, gone=(1,)), names_of(2))


def test_an_unchanged_nim_passes() -> None:
    """From its first position to its last."""
    look(nim())
    look_when_all_have_left(nim())


def test_a_trailing_blank_at_the_end_of_nim_is_found() -> None:
    """In the position without stones."""
    with pytest.raises(Unsightly, match="a trailing blank in '0 stones '"):
        look(nim((".rstrip()", "")))


def test_an_ended_nim_that_asks_somebody_to_move_is_found() -> None:
    """On the board and in the picture."""
    asks = ("if view.ended and view.ended.won", "if False"), ('"The game is over." if view.over else ', "")
    with pytest.raises(Unsightly, match="the board of an ended game"):
        look_when_all_have_left(nim(*asks))
    with pytest.raises(Unsightly, match="the picture of an ended game"):
        look_when_all_have_left(nim(("text(8, 22, self._says(view, names)", "text(8, 22, 'Nim'")))


class UnsightlyOnce(Pig):
    """Planted: one position in which somebody has a choice is drawn with a trailing blank."""

    def __init__(self, scores: tuple[int, ...], pot: int) -> None:
        self.once = scores, pot

    def board(self, view: PigView, names: tuple[str, ...]) -> str:
        return super().board(view, names) + " " * ((view.scores, view.pot) == self.once)


def test_one_faulty_position_is_found_wherever_it_is() -> None:
    """Every choice of the default options is looked at."""
    for step in steps_of(Pig()):
        with pytest.raises(Unsightly, match="trailing blank"):
            look(UnsightlyOnce(step.after.scores, step.after.pot))


def test_first_last_and_new_kinds_of_choice_are_always_looked_at() -> None:
    """With options other than the default, where not every position is looked at."""
    steps = list(selfplay.walk(livingstone, 3, LivingstoneOptions(), selfplay.seed_of("kinds")))
    states = list(each_kind_of_choice(livingstone, steps))
    kinds = {livingstone.phase(s.after, seat) for s in steps for seat in livingstone.active(s.after)}
    assert (states[0], states[-1]) == (steps[0].after, steps[-1].after)
    assert {livingstone.phase(state, seat) for state in states for seat in livingstone.active(state)} == kinds


class Stripped(Livingstone):
    """Planted: something is left out of the picture, or put in."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def picture(self, view: LivingstoneView, names: tuple[str, ...]) -> str:
        return super().picture(view, names).replace(self.old, self.new)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('data-word="die:', 'data-word="dice:', "points at die:"),
        ('data-seat="', 'data-seat="9', "points at|data-seat"),
        ("gem:clear", "gem:", "data-word='gem:'"),
        ("column:4 row:6", "square:4/6", "data-word='square:4/6'"),
        ("<title>", "<title/><title>", "has no title"),
        ("<rect ", "<text ", "has no shape"),
        ("<g ", '<g style="fill:red" ', "an attribute style"),
        ("<g ", '<g onclick="x()" ', "an attribute onclick"),
        ("<g ", '<g href="https://example.org" ', "an attribute href"),
        ("<g ", '<g mask="url(https://example.org)" ', "an attribute mask"),
        ("</title>", "</title><script/>", "an element"),
    ],
)
def test_a_picture_with_a_missing_or_superfluous_mark_is_found(old: str, new: str, says: str) -> None:
    """A word that can be typed but is not shown, pieces of nobody, and anything that a strict page would block."""
    game, steps = Stripped(old, new), worlds.walked(worlds.Table("livingstone", 3))
    with pytest.raises(Unmarked, match=says):
        point(game, steps)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (", 14))", ", 9))", "9.0 high, not 13.7"),
        ("circle(20 +", "circle(80 +", "reaches 434"),
        ("circle(20 +", 'kit.marked("stone:1", "a stone", circle(20 +', "stone:1 in board is 20 x 20, not 29"),
        ('"board", 432', '"seat-1", 432', "2 players have the zones"),
        ('fill="@stone"', 'fill="#123456", id=palette', "more than its colours"),
    ],
)
def test_a_picture_that_breaks_a_law_of_zones_is_found(old: str, new: str, says: str) -> None:
    """Small words, small targets, shapes beyond their zone, a player without a zone, colours without a role."""
    marked = ((', fill="@stone") for n', ', fill="@stone")) for n'),) if "marked" in new else ()
    game = nim((old, new), *marked, ("from engine.errors", "from engine import kit\nfrom engine.errors"))
    with pytest.raises(Misshapen, match=says):
        look_at_zones(game, steps_of(game)[0].after, 0, names_of(2))


def test_a_zone_that_comes_and_goes_or_grows_is_found() -> None:
    """The heap of Nim is left out when it is empty, or is as high as it needs."""
    for old, new, says in (
        ("(head, heap)", "(head, heap) if view.stones else (heap,)", "zones"),
        ("432, 200", "432, 100 + view.stones", "the zone board changes its size"),
    ):
        game = nim((old, new))
        with pytest.raises(Misshapen, match=says):
            look_at_slots([_picture(game, step.after) for step in steps_of(game)])


def test_a_change_that_no_title_tells_is_found() -> None:
    """The heap of Nim has a title without the number of its stones."""
    game = nim(('titled(count(view.stones, "stone")', 'titled("stones"'))
    with pytest.raises(Misshapen, match="the zone board has changed and none of its titles has"):
        look_at_titles(*(_picture(game, step.after) for step in steps_of(game)[:2]))
    look_at_titles(*(_picture(nim(), step.after) for step in steps_of(nim())[:2]))
    look_at_zones(nim(), steps_of(nim())[0].after, 0, names_of(2))


def _picture(game: Any, state: Any) -> str:
    drawn: str = game.picture(view(game, state, None), names_of(2))
    return drawn


def point(game: Any, steps: Iterable[selfplay.Walked]) -> None:
    for step in choices(steps):
        points_at_the_table(game, step.before, step.seat or 0, step.legal, names_of(3))


def test_a_word_that_no_picture_could_hold_is_found() -> None:
    """In a picture words are separated by blanks, and their kinds by a colon."""

    class Named(Command, frozen=True, tag="named"):
        """A command of a game whose edition has names of its own."""

        notation: ClassVar[str] = "named {card}"
        card: str

    words_are_whole(nim(), Named("grey-wolf"), 0, ())
    for name in ("grey wolf", "card:7", "loup-gris\u00e9", ""):
        with pytest.raises(Unmarked, match=r"cannot be a word of a picture|is called"):
            words_are_whole(nim(), Named(name), 0, ())


@pytest.mark.parametrize(
    "line",
    [
        "![No such game](golden/none.txt#1)",
        "![Beyond its end](golden/four.txt#9999)",
        "![Not a golden game](board.png)",
        "See ![it](golden/four.txt#1) here",
    ],
)
def test_a_guide_with_a_picture_that_nothing_draws_is_found(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "guide", lambda key: f"# Pig\n\n{line}\n")
    with pytest.raises(Unsightly, match="golden game"):
        look_at_the_guide("pig")
