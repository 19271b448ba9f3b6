"""The kit: supplies, notation, shortened words, groups, sentences, redaction, the registry."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta as Bounds

from engine import registry
from engine.errors import BadNotation, Refused
from engine.game import Command
from engine.kit import EMPTY, Supply, explain, format_command, group, load_steps, parse, redact, tell
from tests.kit.games.bids import Bid, BidSealed
from tests.kit.games.pig import Pig, Rolled

PIG = registry.find("pig")
counts = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 5))


@given(counts, counts)
def test_a_supply_gives_back_what_it_took(have: dict[str, int], more: dict[str, int]) -> None:
    """Adding and taking the same pieces leaves an equal supply with equal bytes."""
    supply, pieces = Supply.of(have), list(Counter(more).elements())
    again = supply.add(pieces).take(pieces)
    assert again == supply
    assert msgspec.json.encode(again) == msgspec.json.encode(supply)


@given(counts)
def test_a_supply_lies_in_a_row_sorted_by_name(have: dict[str, int]) -> None:
    """Every index below the total names a piece, in order."""
    supply = Supply.of(have)
    assert [supply.at(i) for i in range(supply.total)] == sorted(Counter(have).elements())
    assert [*supply.pieces] == sorted(Counter(have).elements())


def test_there_is_one_empty_supply() -> None:
    """However it came about: the encoder leaves out a field that is its default, and compares by identity."""
    found = Supply.of({"a": 1}).take(["a"]), Supply.of({"a": 0}), Supply().add([]), EMPTY.take([])
    assert all(supply is EMPTY for supply in found)


def test_a_supply_does_not_give_what_it_lacks() -> None:
    """Taking more than there is raises, and an index beyond the end too."""
    with pytest.raises(ValueError, match="fewer than none"):
        Supply.of({"a": 1}).take(["a", "a"])
    with pytest.raises(IndexError):
        Supply.of({"a": 1}).at(1)


class Tent(Command, frozen=True, tag="tent"):
    notation: ClassVar[str] = "tent {die} [row {row}] [quietly] [from {column} {place}] [with {kinds}]"
    die: Annotated[int, Bounds(ge=1, le=6)]
    row: Annotated[int, Bounds(ge=1, le=6)] | None = None
    quietly: bool = False
    column: Annotated[int, Bounds(ge=1, le=10)] | None = None
    place: Annotated[int, Bounds(ge=1, le=6)] | None = None
    kinds: Annotated[tuple[Literal["oak", "elm"], ...], Bounds(max_length=3)] | None = None


class Camping(Pig):
    commands: ClassVar[Any] = (Tent,)


@pytest.mark.parametrize(
    "command",
    [
        Tent(3),
        Tent(3, row=2),
        Tent(3, quietly=True),
        Tent(1, row=6, quietly=True, column=2, place=5),
        Tent(2, kinds=("oak", "elm", "oak")),
    ],
    ids=format_command,
)
def test_optional_groups_flags_and_tuples_round_trip(command: Tent) -> None:
    """Every shape of a template reads back as it was written."""
    assert [step.command for step in parse(Camping(), format_command(command))] == [command]


class Ask(Command, frozen=True, tag="ask"):
    notation: ClassVar[str] = "ask {giver_seat} [for {seat}]"
    giver_seat: Annotated[int, Bounds(ge=0, le=3)]
    seat: Annotated[int, Bounds(ge=0, le=3)] | None = None


class Asking(Pig):
    commands: ClassVar[Any] = (Ask,)
    refusals: ClassVar[dict[str, str]] = {"is-poor": "{giver_seat} has less than {found}; ask {rich_seats}."}


def test_seats_are_written_from_one() -> None:
    """People write and read seat 1, the command holds seat 0; seat 0 and seat 5 of four are refused."""
    for command, text in ((Ask(0), "ask 1"), (Ask(3, 1), "ask 4 for 2")):
        assert format_command(command) == text
        (step,) = parse(Asking(), text)
        assert step.command == command
    for text in ("ask 0", "ask 5", "ask first"):
        with pytest.raises(BadNotation):
            parse(Asking(), text)


def test_a_refusal_names_a_seat_as_people_do() -> None:
    """Facts that are seats are shown like the seats of an event."""
    refusal = Refused("is-poor", giver_seat=1, found=2, rich_seats=(0, 3))
    assert explain(Asking(), refusal) == "Seat 2 has less than 2; ask Seat 1, Seat 4."


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tent",
        "tent 7",
        "tent 03",
        "tent 1 row",
        "tent 3 with ash",
        "tent 1;" * 65,
        "tent x",
    ],
)
def test_any_other_text_is_bad_notation(text: str) -> None:
    """The refusal has the text found and what was expected."""
    with pytest.raises(BadNotation) as no:
        parse(Camping(), text)
    assert no.value.facts["expected"]
    assert explain(Camping(), no.value).endswith(".")


def test_legal_commands_are_grouped_where_one_word_varies() -> None:
    """Ranges of numbers are written with dots, other words with bars."""
    assert group([Bid(n) for n in range(1, 8)]) == ("bid 1..7",)
    assert group([Tent(1, row=2), Tent(1, row=5)]) == ("tent 1 row 2|5",)


def test_sealed_fields_are_hidden_from_all_but_their_seat() -> None:
    """The seat sees its amount; everybody else sees that it is hidden."""
    event = BidSealed(1, 7)
    assert redact(event, 1) == event
    assert tell(redact(event, 0), ["Ann", "Bob"]) == "Bob sealed a bid: hidden."
    assert tell(redact(event, None)) == "Seat 2 sealed a bid: hidden."


def test_a_table_of_templates_translates_a_sentence() -> None:
    """A sentence takes its template from the table given."""
    assert tell(Rolled(0, 4, 4), ["Ann"], {"Rolled": "{seat} wuerfelt {die}."}) == "Ann wuerfelt 4."


@pytest.mark.parametrize(
    "listed",
    [
        None,
        [],
        [{}],
        [{"do": "fly"}],
        [{"do": "roll", "x": 1}],
        [{"try": {"try": {"do": "roll"}}}],
        [{"do": "roll"}] * 65,
    ],
)
def test_anything_but_a_list_of_commands_is_refused(listed: object) -> None:
    """The signed list is read strictly, and the refusal explains itself."""
    with pytest.raises(Refused, match="bad-move") as no:
        load_steps(PIG, listed)
    assert explain(PIG, no.value)


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    """The refusal lists them."""
    with pytest.raises(Refused, match="unknown-game") as no:
        registry.find("chess")
    assert "pig" in no.value.facts["expected"]  # type: ignore[operator]
