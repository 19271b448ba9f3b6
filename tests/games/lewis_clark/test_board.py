"""The position as text and as a picture: what a reader of a mail needs stands there, and it fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from engine.games.lewis_clark import board, game, picture
from engine.games.lewis_clark.cards import CARDS, ENCOUNTERS, LINES
from engine.games.lewis_clark.components import VILLAGE
from engine.games.lewis_clark.meta import CAP, LewisClarkOptions
from engine.games.lewis_clark.state import Frame, LewisClarkState, Played
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import Supply, names_of, view
from tests.games.lewis_clark.positions import lay
from tests.kit.worlds import Table, walked

BOARDS = Path(__file__).parent / "boards"
ROLES = ("blacksmith", "commander", "fur-trader", "hunter", "interpreter", "lumberjack")


def begun() -> LewisClarkState:
    """A game of four with a journal that is always the same."""
    state: LewisClarkState = lay(4).state
    journal = ("hay", "half-man", "sacagawea", "toussaint-charbonneau", "cutssahnem")
    return replace(state, seat=0, journal=journal)


def middle() -> LewisClarkState:
    """Four expeditions on their way: cards with cards and Indians, tiles, a copied action, one player gone."""
    village = Supply.of({"hunting": 1, "upgrade": 2, "canoes": 5, "newcomers": 1, "pow-wow": 2})
    state = replace(begun(), seat=1, turns=46, village=village, stock=3, camped=True, gone=(2,))
    state = state.with_player(
        0,
        hand=("blacksmith", "hay", "hunter", "lumberjack"),
        table=(Played(card="commander", under="daniel-boone"), Played(card="interpreter", indians=2)),
        goods=Supply.of({"wood": 2, "canoe": 1, "food": 4}),
        indians=2,
        tiles=("goods-2",),
        scout=9,
        camp=5,
    )
    state = state.with_player(
        1,
        hand=("commander", "interpreter", "lumberjack"),
        table=(Played(card="the-partisan", under="old-toby"), Played(card="fur-trader", indians=1)),
        goods=Supply.of({"equipment": 9, "horse": 2, "fur": 5}),
        indians=4,
        tiles=("goods-5", "indians-3"),
        scout=19,
        camp=19,
    )
    state = state.with_player(2, goods=Supply(), indians=0, scout=-5)
    state = state.with_player(3, hand=(*ROLES, "one-eye", "p-antoine-tabeau", "yellept"), scout=25, camp=33)
    return replace(state, frames=(Frame(source="the-partisan", left=2), Frame(source="hunter", left=1)))


def alone() -> LewisClarkState:
    """One player and Mackenzie."""
    state: LewisClarkState = lay(1).state
    return replace(state, mackenzie=12, journal=begun().journal).with_player(0, scout=9, camp=5)


POSITIONS = {"begun": begun, "middle": middle, "alone": alone}


def late() -> LewisClarkState:
    """One turn more than a game may have."""
    return replace(begun(), turns=CAP + 1)


def crowded() -> LewisClarkState:
    """Five late in a game: twenty cards in a hand, twelve actions in a play area, tiles of all kinds."""
    names = sorted((card.id for card in ENCOUNTERS), key=lambda name: -len(CARDS[name].name))
    journal = ("toussaint-charbonneau", "little-raven", "regis-loisel", "hugh-heney", "george-drouillard")
    village = {"upgrade": 2, "horses": 9, **dict.fromkeys(("hunting", "gift", "farewell", "shamanism"), 1)}
    goods = Supply.of({"equipment": 5, "food": 5, "fur": 5, "wood": 2, "canoe": 3, "horse": 1})
    tiles = ("goods-2", "goods-2", "goods-2", "goods-5", "goods-5", "goods-5", "indians-1", "indians-3", "indians-3")
    state = replace(lay(5).state, journal=journal, village=Supply.of(village), seat=3, turns=231)
    state = state.with_player(0, hand=tuple(sorted(names[:20])), scout=38, goods=goods, tiles=tiles, indians=8)
    pairs = zip(names[20:44:2], names[21:44:2], strict=True)
    table = tuple(Played(card=card, under=under, indians=at % 3) for at, (card, under) in enumerate(pairs))
    state = state.with_player(1, hand=(), table=table, scout=38, goods=Supply.of({"wood": 11}))
    frames = tuple(Frame(source=name, left=1, begun=True) for name in ("the-partisan", "toussaint-charbonneau"))
    return replace(state, frames=(*frames, Frame(source="upgrade", left=1, begun=True)))


def seen(state: LewisClarkState) -> LewisClarkView:
    looked: LewisClarkView = view(game, state, None)
    return looked


def shown(looked: LewisClarkView) -> str:
    return board.board(looked, names_of(len(looked.players)))


def drawing(looked: LewisClarkView) -> str:
    return picture.picture(looked, names_of(len(looked.players)))


@cache
def texts() -> tuple[str, ...]:
    """Boards of random games, every tenth position, for one to five players."""
    walks = (walked(Table("lewis_clark", seats)) for seats in range(1, 6))
    return tuple(shown(seen(step.after)) for steps in walks for step in steps[::10])


@pytest.mark.parametrize("name", POSITIONS)
def test_a_board_reads_as_it_did(name: str) -> None:
    """Whole texts, to be read; they are changed by hand or by writing them again."""
    text = shown(seen(POSITIONS[name]()))
    assert text + "\n" == (BOARDS / f"{name}.txt").read_text("ascii")


def test_every_board_fits_a_mail() -> None:
    """78 columns of ASCII, no blanks at the end of a line."""
    lines = [line for text in texts() for line in text.split("\n")]
    assert max(map(len, lines)) <= 78
    assert all(line.isascii() and line == line.rstrip() for line in lines)


def test_all_that_is_known_stands_on_the_board() -> None:
    """Every place, every card of journal, hands and play areas, every seat."""
    for make in POSITIONS.values():
        state = make()
        text = shown(seen(state))
        owned = {card for player in state.players for card in player.cards}
        assert all(f"{card} (" in text for card in owned.union(state.journal))
        assert all(f"\n  {place.name}" in text for place in VILLAGE)
        assert all(f"SEAT {seat + 1}" in text for seat in range(state.seats))


def test_what_a_card_does_is_told_once() -> None:
    """Also where five players hold it."""
    text = shown(seen(lay(5).state)).split("CARDS")[1].replace("\n      ", " ")
    assert all(text.count(CARDS[role].text) == 1 for role in ROLES)


def test_scout_and_camp_stand_above_their_spaces() -> None:
    """Under the figure of Saint Louis; between camp and scout runs a line."""
    lines = shown(seen(middle())).split("\n")
    louis = next(line for line in lines if "~~L~~" in line).index("L")
    one, two, three, four = (line for line in lines if line[3:7] == "seat" and line[7:9].strip().isdigit())
    assert one[louis + 5 : louis + 10] == "c---S"
    assert two[louis + 19] == "@"
    assert three[louis - 5 : louis + 1] == "S----c"
    assert four[louis + 25 : louis + 34] == "S-------c"


def test_the_end_is_told() -> None:
    """And nobody is asked for anything."""
    text = shown(seen(replace(begun(), over="pacific", winner=2)))
    assert text.startswith("The game is over. Seat 3 has reached the Pacific.")
    assert "->" not in text.split("VILLAGE")[0]


def test_an_end_without_a_winner_is_told() -> None:
    """Mackenzie's, a race given up, and a game that nobody ended."""
    ends = (replace(alone(), over="mackenzie", mackenzie=39), replace(alone(), over="mackenzie"), late())
    first = [shown(seen(state)).split("\n")[0] for state in ends]
    assert first == [
        "The game is over. Mackenzie has reached the Pacific first.",
        "The game is over. The race was given up to Mackenzie.",
        "The game is over. Nobody has reached the Pacific in 400 turns.",
    ]


def test_a_mail_tells_what_may_be_typed() -> None:
    """While the game goes on: every verb of a turn, and a whole turn as an example."""
    text = shown(seen(begun()))
    assert all(f" {word} " in text for word in ("play", "under", "indians", "village", "use", "stop", "recruit"))
    assert "TO TYPE" not in shown(seen(late()))


def test_the_board_tells_how_many_badges_collecting_counts() -> None:
    """Seat 2 sees a fur badge of his own, two and two of his neighbours, one of them face down."""
    lines = [line.strip() for line in shown(seen(middle())).split("\n") if "sees:" in line]
    assert lines[1] == "sees:  badges 1 food, 3 fur, 2 wood"
    down = replace(middle(), options=LewisClarkOptions(face_down_badges=False))
    text = shown(seen(down))
    assert "sees:  badges 1 food, 2 fur, 1 wood" in text
    assert "daniel-boone below" in text


def test_the_board_tells_what_has_changed_the_scouts_next_move() -> None:
    """He has moved, and who helped him does not help again."""
    text = shown(seen(replace(middle(), moved=True, bonus=("nicholas-jarrot",))))
    assert "The scout has moved in this action, further by the help of nicholas-jarrot." in text


def test_a_strength_stands_beside_its_card() -> None:
    """No line ends between them."""
    assert not [text for text in (*texts(), shown(seen(crowded()))) if re.search(r"\n *\d+(,|\n)", text)]


# --- the picture ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [*POSITIONS.values(), crowded])
def test_a_picture_is_a_document_and_nothing_leaves_it(make: Callable[[], LewisClarkState]) -> None:
    """Every word begins and ends inside; a letter is taken to be three fifths as wide as high."""
    drawn = ET.fromstring(drawing(seen(make())))
    _, _, width, height = map(float, drawn.attrib["viewBox"].split())
    for word in (node for node in drawn.iter() if node.tag.endswith("text")):
        long = len(word.text or "") * 0.6 * float(word.attrib.get("font-size", 13))
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[word.attrib.get("text-anchor", "start")]
        begins = float(word.attrib["x"]) - share * long
        assert 0 <= begins <= begins + long <= width
        assert 0 <= float(word.attrib["y"]) <= height


def test_the_picture_names_every_card_that_lies_open() -> None:
    """And escapes what XML would read otherwise."""
    state = replace(middle(), journal=("dickson-hancock", *middle().journal[1:]))
    words = "".join(ET.fromstring(drawing(seen(state))).itertext())
    lying = [
        card for player in state.players for played in player.table for card in (played.card, played.under) if card
    ]
    assert all(CARDS[card].name in words for card in (*lying, *state.journal))


def test_the_picture_tells_what_every_card_and_place_does() -> None:
    """A mail that shows it shows no text of the board; nothing is cut off at the end of a box."""
    texts = ET.fromstring(drawing(seen(crowded()))).itertext()
    words = "".join("".join(texts).split())
    owned = {card for player in crowded().players for card in player.cards}
    lines = [LINES[name] for name in (*owned, *crowded().journal, *(place.name for place in VILLAGE))]
    assert all(line.text.replace(" ", "") in words for line in lines)
