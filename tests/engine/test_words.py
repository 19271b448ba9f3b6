"""Names and sentences: cut, escaped, counted, printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Refused
from engine.game import Event
from engine.kit import count, cut, escape, explain, names_of, pad, tell, tell_move, unfilled, width
from tests.kit.games.pig import Pig

CARDS = {"rene-jessaume": "Ren\u00e9 Jessaume"}


class Paid(Event, frozen=True, tag="Paid"):
    words: ClassVar[str] = "{seat} paid {coins:coin} for {cards:die|dice} ({cards}); {left} {left:?is|are} left."
    printed: ClassVar[Mapping[str, Mapping[Any, str]]] = {"cards": CARDS}
    seat: int
    coins: int | None
    cards: tuple[str, ...]
    left: int


class Poor(Pig):
    refusals: ClassVar[dict[str, str]] = {
        "poor": "{seat} has {have:coin}; {card} costs more.",
        "elsewhere": "Cells: {cells:-none}.",
    }
    printed: ClassVar[Mapping[str, Mapping[Any, str]]] = {"card": CARDS}


def test_things_are_counted() -> None:
    assert [count(n, "coin") for n in (0, 1, 2)] == ["0 coins", "1 coin", "2 coins"]
    assert count(2, "die", "dice") == "2 dice"


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Paid(0, 1, ("fur",), 1), "Ann paid 1 coin for 1 die (fur); 1 is left."),
        (
            Paid(1, 3, ("fur", "rene-jessaume"), 0),
            "Seat 2 paid 3 coins for 2 dice (fur, Ren\u00e9 Jessaume); 0 are left.",
        ),
        (Paid(0, None, (), 2), "Ann paid hidden for 0 dice (nothing); 2 are left."),
    ],
)
def test_templates_count_and_print(event: Paid, told: str) -> None:
    assert tell(event, ["Ann"]) == told


def test_a_refusal_counts_names_and_prints() -> None:
    no = Refused("poor", seat=1, have=1, card="rene-jessaume")
    assert explain(Poor(), no) == "Seat 2 has 1 coin; Ren\u00e9 Jessaume costs more."
    assert explain(Poor(), no, ("Ann", "Bob")).startswith("Bob has")


def test_an_empty_list_is_shown_as_the_word_of_its_template() -> None:
    """No `Cells where one stands: nothing.`"""
    assert explain(Poor(), Refused("elsewhere", cells=("a1", "b2"))) == "Cells: a1, b2."
    assert explain(Poor(), Refused("elsewhere", cells=())) == "Cells: none."


def test_an_unfilled_template_reads_as_plain_text() -> None:
    """It is used without facts: on the page of a code, and in the API's document."""
    template = "{seat} has {have:coin}; {dice:die|dice} {dice:?is|are} left, in {cells:-none}."
    assert unfilled(template) == "{seat} has {have} coins; {dice} dice are left, in {cells}."


@given(st.text(), st.integers(1, 30))
def test_a_cut_name_never_takes_more_columns(name: str, most: int) -> None:
    """A name that fits is unchanged; any other ends with one mark."""
    shown = cut(name, most)
    assert shown == name if width(name) <= most else shown.endswith("\u2026")
    assert width(shown) <= most
    assert width(pad(name, most)) == most


def test_wide_letters_take_two_columns() -> None:
    assert (width("\u6f22\u5b57"), width("e\u0301")) == (4, 1)
    assert cut("\u6f22\u5b57\u6f22", 4) == "\u6f22\u2026"


@given(st.text())
def test_an_escaped_name_is_text_in_a_picture(name: str) -> None:
    drawn = ET.fromstring(f'<svg a="{escape(name)}">{escape(name)}</svg>')
    printable = "".join(char if char.isprintable() else " " for char in name)
    assert (drawn.text or "") == printable


def test_seats_without_players_are_named_by_number() -> None:
    assert names_of(2) == ("Seat 1", "Seat 2")


class Sold(Event, frozen=True, tag="Sold"):
    words: ClassVar[str] = "{seat} sold {gems:*}[coins: for {coins:coin}][not coins: for nothing][: {note}]."
    seat: int
    gems: tuple[str, ...]
    coins: int
    note: str | None = None


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Sold(0, ("red", "clear", "red"), 2, "late"), "Ann sold red (2) and clear for 2 coins: late."),
        (Sold(0, ("blue",), 0), "Ann sold blue for nothing."),
    ],
)
def test_a_template_leaves_out_the_parts_that_do_not_apply(event: Sold, told: str) -> None:
    """Also, it shows equal parts once, with their number."""
    assert tell(event, ["Ann"]) == told


class Paid(Event, frozen=True, tag="Paid"):
    words: ClassVar[str] = "{seat} paid {goods:&}."
    seat: int
    goods: tuple[str, ...]


@pytest.mark.parametrize(
    ("goods", "told"),
    [
        ((), "Ann paid nothing."),
        (("a fur",), "Ann paid a fur."),
        (("a fur", "a horse"), "Ann paid a fur and a horse."),
        (("a fur", "a fur", "a horse"), "Ann paid a fur, a fur and a horse."),
    ],
)
def test_a_list_has_and_before_its_last_part(goods: tuple[str, ...], told: str) -> None:
    assert tell(Paid(0, goods), ["Ann"]) == told


class Next(Event, frozen=True, tag="Next"):
    words: ClassVar[str] = "{next_seat} is next."
    ends_turn: ClassVar[bool] = True
    seat: int
    next_seat: int


class RoundBegan(Event, frozen=True, tag="RoundBegan"):
    words: ClassVar[str] = "A new round: {seat} begins."
    ends_turn: ClassVar[bool] = True
    seat: int


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ((RoundBegan(0),), ["Ann ended the turn.", "A new round: Ann begins."]),
        ((Paid(0, ("a fur",)), Next(0, 1)), ["Ann paid a fur.", "Bob is next."]),
        ((Next(0, 1),), ["Ann ended the turn.", "Bob is next."]),
        ((Paid(1, ("a fur",)), Next(0, 1)), ["Ann ended the turn.", "Bob paid a fur.", "Bob is next."]),
        ((Paid(1, ("a fur",)),), ["Ann moved.", "Bob paid a fur."]),
        ((), []),
    ],
)
def test_the_first_sentence_of_a_move_says_what_its_player_did(events: tuple[Event, ...], told: list[str]) -> None:
    """If the first event does not, it says that they ended the turn, or moved."""
    assert tell_move(events, 0, ["Ann", "Bob"]) == told


class Laid(Event, frozen=True, tag="Laid"):
    words: ClassVar[str] = "A die was laid on {place}."
    printed: ClassVar[dict[str, dict[str, str]]] = {"place": {"2.walk": "the reserve (walk) of @2"}}
    place: str


def test_printed_words_may_name_a_seat() -> None:
    """By its player's name, whatever it is, or by number without names."""
    assert tell(Laid("2.walk"), ("Ann", "Bob @1")) == "A die was laid on the reserve (walk) of Bob @1."
    assert tell(Laid("2.walk")) == "A die was laid on the reserve (walk) of Seat 2."
