"""The position as text and as a picture: what a reader of a mail needs stands there, and it fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from engine import replay
from engine.games.lewis_clark import board, game, picture, picture_route
from engine.games.lewis_clark.cards import CARDS, ENCOUNTERS, LINES
from engine.games.lewis_clark.components import VILLAGE
from engine.games.lewis_clark.meta import CAP, LewisClarkOptions
from engine.games.lewis_clark.route import LAST, LOWEST, terrain
from engine.games.lewis_clark.state import Frame, LewisClarkState, Played
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import Supply, active, format_command, legal, names_of, view, width
from engine.replay import read
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
    assert text + "\n" == (BOARDS / f"{name}.txt").read_text("utf-8")


@pytest.mark.slow
def test_every_board_fits_a_mail() -> None:
    """78 columns, no blanks at the end of a line; beyond ASCII only names as they are printed."""
    lines = [line for text in (*texts(), shown(seen(crowded()))) for line in text.split("\n")]
    assert max(map(len, lines)) <= 78
    assert all(line == line.rstrip() for line in lines)
    assert {char for line in lines for char in line if not char.isascii()} <= {"é"}


def test_all_that_is_known_stands_on_the_board() -> None:
    """Every place, every card of journal, hands and play areas, every seat."""
    for make in POSITIONS.values():
        state = make()
        text = shown(seen(state))
        owned = {card for player in state.players for card in player.cards}
        assert all(f"{CARDS[card].name} (" in text for card in owned.union(state.journal))
        assert all(f"\n  {place.name}" in text for place in VILLAGE)
        assert all(f"PLAYER {seat + 1}: Seat {seat + 1}" in text for seat in range(state.seats))


def test_what_a_card_does_is_told_once() -> None:
    """Also where five players hold it."""
    text = shown(seen(lay(5).state)).split("CARDS")[1].replace("\n      ", " ")
    assert all(text.count(CARDS[role].text) == 1 for role in ROLES)


def test_scout_and_camp_stand_above_their_spaces() -> None:
    """Under the figure of Saint Louis; between camp and scout runs a line."""
    lines = shown(seen(middle())).split("\n")
    louis = next(line for line in lines if "~~L~~" in line).index("L")
    one, two, three, four = (line for line in lines if line[2:8] in {f"{seat} Seat" for seat in range(1, 5)})
    assert one[louis + 5 : louis + 10] == "c---S"
    assert two[louis + 19] == "@"
    assert three[louis - 5 : louis + 1] == "S----c"
    assert four[louis + 25 : louis + 34] == "S-------c"


def test_the_end_is_told() -> None:
    """And nobody is asked for anything."""
    text = shown(seen(replace(begun(), over="pacific", winner=2)))
    assert text.startswith(
        "The game is over. Seat 3 has reached the Pacific first and has won.\n  1. Seat 3 (player 3)"
    )
    assert "->" not in text.split("VILLAGE")[0]


def test_an_end_without_a_winner_is_told() -> None:
    """Mackenzie's, a race given up, and a game that nobody ended."""
    ends = (replace(alone(), over="mackenzie", mackenzie=39), replace(alone(), over="mackenzie"), late())
    first = [shown(seen(state)).split("\n")[0] for state in ends]
    assert first == [
        "The game is over. Mackenzie has reached the Pacific first.",
        "The game is over. The race was given up to Mackenzie.",
        "The game is over. Nobody has reached the Pacific in 400 turns: the camps are",
    ]


def test_a_mail_tells_what_may_be_typed() -> None:
    """While the game goes on: every verb of a turn, and a whole turn as an example."""
    text = shown(seen(begun()))
    assert all(f" {word} " in text for word in ("play", "under", "indians", "village", "use", "stop", "recruit"))
    assert "TO TYPE" not in shown(seen(late()))


def test_the_board_tells_how_many_badges_collecting_counts() -> None:
    """Seat 2 sees a fur badge of his own, two and two of his neighbours, one of them face down."""
    lines = [line.strip() for line in shown(seen(middle())).split("\n") if "badges:" in line]
    assert lines[1] == "badges:  1 food, 3 fur, 2 wood in sight"
    down = replace(middle(), options=LewisClarkOptions(face_down_badges=False))
    text = shown(seen(down))
    assert "badges:  1 food, 2 fur, 1 wood in sight" in text
    assert "Daniel Boone below" in text


def test_the_board_tells_what_has_changed_the_scouts_next_move() -> None:
    """He has moved, and who helped him does not help again."""
    text = shown(seen(replace(middle(), moved=True, bonus=("nicholas-jarrot",))))
    assert "The scout has moved in this action, further by the help of Nicholas Jarrot." in text


@pytest.mark.parametrize("name", ["default", "covered"])
def test_what_is_proposed_is_possible(name: str) -> None:
    """In every position of random games: the kinds of command are those that are legal, the example can be typed."""
    for seats in (1, 3):
        for step in walked(Table("lewis_clark", seats, name))[::9]:
            state = step.after
            if not active(game, state):
                continue
            looked = view(game, state, state.seat)
            verbs = {format_command(command).split()[0] for command in legal(game, state, state.seat)}
            assert {words.split()[0] for words in looked.possible} == verbs
            steps = read(game, state, state.seat, looked.example)
            assert replay.preview(game, state, state.seat, steps).refusal is None
            assert f"example: {looked.example[:40]}" in shown(looked)


def test_nothing_is_proposed_where_the_hand_is_not_known() -> None:
    """Whoever looks on in a game of covered cards sees what kinds of command there are."""
    state = lay(3, LewisClarkOptions(covered="hidden")).state
    assert view(game, state, 1).example == ""
    assert view(game, state, 1).possible == view(game, state, 0).possible != ()


def test_what_the_turn_has_used_is_told() -> None:
    state = replace(begun(), acted=True, recruited=True)
    assert shown(seen(state)).startswith("Turn 1 of at most 400. Seat 1 has done the action, has recruited; may camp.")


@pytest.mark.parametrize("make", [*POSITIONS.values(), crowded])
def test_times_add_up_to_what_a_camp_takes(make: Callable[[], LewisClarkState]) -> None:
    """Cards in hand and the times of the boats, on which the Indians of the cards stand by then, but for the helper."""
    for player, part in zip(seen(make()).players, shown(seen(make())).split("PLAYER")[1:], strict=True):
        flat = " ".join(part.split("CARDS ")[0].split())
        boats = sum(map(int, re.findall(r"\(time (\d+)\)", flat.split(" camp: ")[0])))
        saved = sum(map(int, re.findall(r" - (\d+) by", flat)))
        assert f"would take {max(player.held + boats - saved, 0)} time now" in flat


def test_the_discards_and_the_deck_are_told() -> None:
    """By name, as everybody has seen them; the deck by strength."""
    state = replace(begun(), discards=Supply.of({"hunter": 2, "rene-jessaume": 1}))
    text = shown(seen(state))
    assert "Discards: Hunter x2, René Jessaume" in text
    assert "Deck: 49 cards (17 of strength 1, " in text


def test_who_recruits_for_less_is_told() -> None:
    state = begun().with_player(0, table=(Played(card="joseph-gravelines", indians=1),))
    assert "Seat 1 pays 2 fur less by Joseph Gravelines." in shown(seen(state))


def test_places_are_told_at_the_end() -> None:
    """With who has resigned behind the others."""
    state = replace(middle(), frames=(), over="pacific", winner=1)
    assert "  1. Seat 2 (player 2)\n  2. Seat 1 (player 1), Seat 4 (player 4)\n  3. Seat 3 (player 3)" in shown(
        seen(state)
    )


@pytest.mark.parametrize("name", ["Maximiliane von und zu Hohenstein", "漢字" * 20, "x" * 64])
def test_long_names_are_cut_and_overrun_nothing(name: str) -> None:
    for make in (*POSITIONS.values(), crowded, late):
        looked = seen(make())
        text = board.board(looked, (name,) * len(looked.players))
        assert max(map(width, text.split("\n"))) <= 78


def test_a_strength_stands_beside_its_card() -> None:
    """No line ends between them."""
    assert not [text for text in (*texts(), shown(seen(crowded()))) if re.search(r"\n *\d(,|\n)", text)]


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


@pytest.mark.parametrize("make", [*POSITIONS.values(), crowded, late])
def test_a_picture_can_be_read_on_a_phone(make: Callable[[], LewisClarkState]) -> None:
    """Letters are a fiftieth of its width, rather larger, but for long names and the numbers on figures."""
    drawn = ET.fromstring(drawing(seen(make())))
    assert drawn.attrib["viewBox"].split()[2] == "660"
    words = [node for node in drawn.iter() if node.tag.endswith("text")]
    sizes = [float(node.attrib.get("font-size", 13)) for node in words]
    assert min(sizes) >= 8.8
    said = [size for size, node in zip(sizes, words, strict=True) if len(node.text or "") > 3]
    assert sum(size < 12 for size in said) <= len(said) / 6


@pytest.mark.parametrize("make", [begun, middle, late])
def test_a_picture_of_four_is_about_twice_as_high_as_wide(make: Callable[[], LewisClarkState]) -> None:
    """With usual hands and play areas."""
    _, _, width, height = map(float, ET.fromstring(drawing(seen(make()))).attrib["viewBox"].split())
    assert height <= width * 2.25


def test_the_picture_says_what_its_figures_are() -> None:
    words = list(ET.fromstring(drawing(seen(begun()))).itertext())
    assert words[words.index("Route") :].index("scout") < 12
    assert {"scout", "camp", "both", "river", "mountain"} <= set(words)


def test_a_space_shows_its_number_and_its_ground_under_every_figure() -> None:
    """Figures stay below the strip where both are drawn, also six on one space; the coast is river, too."""
    for at in range(1, 7):
        top = min(_tops(at))
        assert top >= picture_route.STRIP - 4
    assert drawing(seen(begun())).count('stroke="#2f7ea6"') == 1 + sum(
        terrain(space) == "river" for space in range(LOWEST, LAST + 1)
    )


def _tops(many: int) -> list[float]:
    """How far below the upper edge of a space so many figures begin."""
    state = lay(5).state
    for seat in range(5):
        state = state.with_player(seat, scout=3 if seat < many else 9, camp=0)
    looked = seen(replace(state, mackenzie=3 if many > 5 else None))
    drawn = "".join(picture_route._figures(looked, 3, 0.0, 0.0))
    return [float(y) - float(r) for y, r in re.findall(r'cy="([\d.]+)" r="([\d.]+)"', drawn)]


def test_a_card_face_down_says_what_its_back_shows() -> None:
    """And which of a hand may be it."""
    state = replace(middle(), options=LewisClarkOptions(covered="hidden"))
    state = state.with_player(0, hand=("blacksmith", "watkuweis"), table=(Played(card="hunter", under="cut-nose"),))
    text = " ".join(shown(seen(state)).split())
    assert "Hunter (food) with a card below (3 fur)" in text
    assert "Blacksmith 1, and 1 of these: Cut Nose 3 | Watkuweis 3" in text
    words = "".join(ET.fromstring(drawing(seen(state))).itertext())
    assert "face down 3" in words


def test_the_picture_names_every_card_that_lies_open() -> None:
    """And escapes what XML would read otherwise."""
    state = replace(middle(), journal=("dickson-hancock", *middle().journal[1:]))
    words = "".join(ET.fromstring(drawing(seen(state))).itertext())
    lying = [
        card for player in state.players for played in player.table for card in (played.card, played.under) if card
    ]
    assert all(CARDS[card].name in words for card in (*lying, *state.journal))


def test_the_picture_tells_what_every_card_and_place_does() -> None:
    """Where a pointer rests on it; each card of a hand, of a play area and of the journal, and each place."""
    drawn = ET.fromstring(drawing(seen(crowded())))
    titles = {node.text for node in drawn.iter() if node.tag.endswith("title")}
    cards = {card for player in crowded().players for card in (*player.hand, *player.face_up)}
    lines = [CARDS[name] for name in (*cards, *crowded().journal)] + [LINES[place.name] for place in VILLAGE]
    assert {f"{line.name}: {line.text}" for line in lines} <= titles
