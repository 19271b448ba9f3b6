"""The position as text and as a picture: it holds what a player needs, and it fits a mail and a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from engine import replay
from engine.games.lewis_clark import board, game, icons, picture, picture_route
from engine.games.lewis_clark.cards import CARDS, ENCOUNTERS, LINES
from engine.games.lewis_clark.components import GOODS, VILLAGE
from engine.games.lewis_clark.drawing import ROLES as COLOURS
from engine.games.lewis_clark.effects import Move
from engine.games.lewis_clark.meta import CAP, LewisClarkOptions
from engine.games.lewis_clark.route import LAST, LOWEST, terrain
from engine.games.lewis_clark.state import Frame, LewisClarkState, Played
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import Supply, active, count, format_command, legal, names_of, view, width
from engine.replay import read
from tests.games.lewis_clark.positions import lay, position
from tests.kit.worlds import Table, walked

BOARDS = Path(__file__).parent / "boards"
ROLES = ("blacksmith", "commander", "fur-trader", "hunter", "interpreter", "lumberjack")


def begun() -> LewisClarkState:
    """A game of four with a fixed journal."""
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
    """One player against Mackenzie."""
    state: LewisClarkState = lay(1).state
    return replace(state, mackenzie=12, journal=begun().journal).with_player(0, scout=9, camp=5)


POSITIONS = {"begun": begun, "middle": middle, "alone": alone}


def late() -> LewisClarkState:
    """One turn past the cap."""
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
def test_a_board_equals_its_stored_text(name: str) -> None:
    """The stored texts are for reading; change them by hand or write them again."""
    text = shown(seen(POSITIONS[name]()))
    assert text + "\n" == (BOARDS / f"{name}.txt").read_text("utf-8")


@pytest.mark.slow
def test_every_board_fits_a_mail() -> None:
    """78 columns, no blanks at the end of a line; the only letters beyond ASCII are those of printed names."""
    lines = [line for text in (*texts(), shown(seen(crowded()))) for line in text.split("\n")]
    assert max(map(len, lines)) <= 78
    assert all(line == line.rstrip() for line in lines)
    assert {char for line in lines for char in line if not char.isascii()} <= {"é"}


def test_the_board_shows_everything_that_is_known() -> None:
    """Every place, every card of journal, hands and play areas, every seat."""
    for make in POSITIONS.values():
        state = make()
        text = shown(seen(state))
        owned = {card for player in state.players for card in player.cards}
        assert all(f"{CARDS[card].name} (" in text for card in owned.union(state.journal))
        assert all(f"\n  {place.name}" in text for place in VILLAGE)
        assert all(f" PLAYER {seat + 1}" in text for seat in range(state.seats))


def test_the_board_shows_the_effect_of_a_card_once() -> None:
    """Even if five players hold it."""
    text = shown(seen(lay(5).state)).split("CARDS")[1].replace("\n      ", " ")
    assert all(text.count(CARDS[role].text) == 1 for role in ROLES)


def test_scout_and_camp_stand_above_their_spaces() -> None:
    """Each below its space in the row of terrain, with a line between camp and scout."""
    lines = shown(seen(middle())).split("\n")
    louis = next(line for line in lines if "~~L~~" in line).index("L")
    one, two, three, four = (line for line in lines if line[2:8] in {f"{seat} Seat" for seat in range(1, 5)})
    assert one[louis + 5 : louis + 10] == "c---S"
    assert two[louis + 19] == "@"
    assert three[louis - 5 : louis + 1] == "S----c"
    assert four[louis + 25 : louis + 34] == "S-------c"


def test_the_board_of_a_finished_game_names_the_winner() -> None:
    """And asks nobody to move."""
    text = shown(seen(replace(begun(), over="pacific", winner=2)))
    assert text.startswith("The game is over. Seat 3 was the first to camp at the Pacific and has won.\n  1. Seat 3\n")
    assert "->" not in text.split("VILLAGE")[0]


def test_the_board_explains_an_end_without_a_winner() -> None:
    """Mackenzie wins, a player gives up the race, or a game reaches the cap."""
    ends = (replace(alone(), over="mackenzie", mackenzie=39), replace(alone(), over="mackenzie"), late())
    first = [shown(seen(state)).split("\n")[0] for state in ends]
    assert first == [
        "The game is over. Mackenzie has reached the Pacific first and has won.",
        "The game is over. The race was given up, so Mackenzie has won.",
        "The game is over. Nobody reached the Pacific in 400 turns. Places go by camp,",
    ]


def test_the_board_of_a_running_game_lists_every_verb_of_a_turn() -> None:
    """So that a turn can be typed from a mail alone."""
    text = shown(seen(begun()))
    assert all(f" {word} " in text for word in ("play", "under", "indians", "village", "use", "stop", "recruit"))
    assert "TO TYPE" not in shown(seen(late()))


def test_the_board_counts_the_badges_in_sight() -> None:
    """Seat 2 sees badges of its own and of its neighbours; without face-down badges it sees fewer."""
    lines = [line.strip() for line in shown(seen(middle())).split("\n") if "badges:" in line]
    assert lines[1] == "badges:  1 food, 3 fur, 2 wood in sight"
    down = replace(middle(), options=LewisClarkOptions(face_down_badges=False))
    text = shown(seen(down))
    assert "badges:  1 food, 2 fur, 1 wood in sight" in text
    assert "Daniel Boone below" in text


def test_the_board_shows_that_the_scout_has_moved_and_which_card_helped() -> None:
    """A card that has lengthened a move of this action does not help again."""
    text = " ".join(shown(seen(replace(middle(), moved=True, bonus=("nicholas-jarrot",)))).split())
    assert "The scout has moved in this action, further with the help of Nicholas Jarrot." in text
    assert "The scout has moved in this action.\n" in shown(seen(replace(middle(), moved=True)))


@pytest.mark.parametrize("name", ["default", "covered"])
def test_proposed_commands_are_possible(name: str) -> None:
    """In every position of random games the kinds of command are the legal ones, and the example can be typed."""
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


@pytest.mark.parametrize(
    ("seats", "fields"),
    [(3, {"acted": True, "recruited": True}), (1, {"camped": True, "recruited": True, "mackenzie": 20})],
    ids=["another-recruit-could-be-paid", "nothing-left-to-play"],
)
def test_an_example_repeats_nothing_that_is_done_once_a_turn(seats: int, fields: dict[str, Any]) -> None:
    """With goods for another recruit, and with nothing to act with after a camp, what is left is the end."""
    state = position(seats, me={"hand": (), "indians": 0, "goods": "5 equipment, 6 fur"}, **fields)
    assert view(game, state, 0).example == "end"


def test_watchers_who_do_not_know_the_hand_get_no_example() -> None:
    """With covered cards the kinds of command stay public."""
    state = lay(3, LewisClarkOptions(covered="hidden")).state
    assert view(game, state, 1).example == ""
    assert view(game, state, 1).possible == view(game, state, 0).possible != ()


@pytest.mark.parametrize(
    ("fields", "sentences"),
    [
        ({}, "Seat 1 must take an action. They may also camp and recruit."),
        ({"camped": True}, "Seat 1 must take an action. They have camped and may still recruit."),
        ({"acted": True, "recruited": True}, "Seat 1 has taken their action. They have recruited and may still camp."),
        ({"acted": True, "camped": True, "recruited": True}, "Seat 1 has taken their action. They have camped and rec"),
    ],
)
def test_the_headline_names_what_is_done_and_what_is_left(fields: dict[str, bool], sentences: str) -> None:
    head = " ".join(shown(seen(replace(begun(), **fields))).split("\n\n")[0].split())
    assert head.startswith(f"Turn 1 of at most 400. {sentences}")


@pytest.mark.parametrize("make", [*POSITIONS.values(), crowded])
def test_delays_add_up_to_that_of_a_camp(make: Callable[[], LewisClarkState]) -> None:
    """Cards in hand and the delays of the boats with the Indians back from cards, less what a helper saves."""
    for player, part in zip(seen(make()).players, shown(seen(make())).split("PLAYER")[1:], strict=True):
        flat = " ".join(part.split("CARDS ")[0].split())
        boats = sum(map(int, re.findall(r"\(delay (\d+)\)", flat.split(" camp: ")[0])))
        saved = sum(map(int, re.findall(r" - (\d+) thanks to", flat)))
        delay = max(player.held + boats - saved, 0)
        assert (f"would delay the scout by {count(delay, 'space')} now" if delay else "would not delay") in flat


def test_the_board_lists_discards_by_name_and_the_deck_by_strength() -> None:
    state = replace(begun(), discards=Supply.of({"hunter": 2, "rene-jessaume": 1}))
    text = shown(seen(state))
    assert "Discards: Hunter x2, René Jessaume" in text
    assert "Deck: 49 cards (17 of strength 1, " in text


def test_the_board_names_players_who_recruit_for_less() -> None:
    state = begun().with_player(0, table=(Played(card="joseph-gravelines", indians=1),))
    assert "Seat 1 pays 2 fur less thanks to Joseph Gravelines." in shown(seen(state))


def test_the_board_of_a_finished_game_lists_the_places() -> None:
    """Players who have resigned come last; a seat without a name is named once."""
    looked = seen(replace(middle(), frames=(), over="pacific", winner=1))
    text = board.board(looked, ("Ann", "Ben", "Seat 3", "Di"))
    assert "  1. Ben (player 2)\n  2. Di (player 4)\n  3. Ann (player 1)\n  4. Seat 3\n" in text


@pytest.mark.parametrize("name", ["Maximiliane von und zu Hohenstein", "漢字" * 20, "x" * 64])
def test_long_names_are_cut_to_fit(name: str) -> None:
    for make in (*POSITIONS.values(), crowded, late):
        looked = seen(make())
        text = board.board(looked, (name,) * len(looked.players))
        assert max(map(width, text.split("\n"))) <= 78


def test_no_line_ends_between_a_card_and_its_strength() -> None:
    assert not [text for text in (*texts(), shown(seen(crowded()))) if re.search(r"\n *\d(,|\n)", text)]


# --- the picture ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [begun, middle, late])
def test_a_picture_of_four_is_at_most_three_times_as_high_as_wide(make: Callable[[], LewisClarkState]) -> None:
    """With usual hands and play areas."""
    _, _, width, height = map(float, ET.fromstring(drawing(seen(make()))).attrib["viewBox"].split())
    assert height <= width * 3


def test_every_space_of_the_route_is_drawn_with_its_ground() -> None:
    """The coast is drawn as river."""
    drawn = drawing(seen(begun()))
    spaces = range(LOWEST, LAST + 1)
    mountains = sum(terrain(space) == "mountain" for space in spaces)
    assert drawn.count(f'r="32" fill="{COLOURS["mountain"][0]}"') == mountains
    assert drawn.count(f'r="32" fill="{COLOURS["space"][0]}"') == len(spaces) - mountains


def test_figures_on_a_space_are_read_aloud_and_drawn_side_by_side() -> None:
    """Up to six, Mackenzie among them; a scout at its camp is one figure."""
    state = lay(5).state
    for seat in range(5):
        state = state.with_player(seat, scout=3, camp=3 if seat == 0 else 0)
    looked = seen(replace(state, mackenzie=3))
    drawn = ET.fromstring(picture_route._figures(looked, 3))
    said = [node.text for node in drawn.iter("title")]
    owners = ", ".join(f"scout of player {seat}" for seat in (2, 3, 4, 5))
    assert said == [f"space 3, river: scout and camp of player 1, {owners}, scout of Mackenzie"]
    places = [(node.get("cx"), node.get("cy")) for node in drawn.iter("circle")]
    assert len(set(places)) == len(places) == 6


@pytest.mark.parametrize("name", [*CARDS, *(place.name for place in VILLAGE)])
def test_every_action_is_drawn_from_the_line_that_is_its_rule(name: str) -> None:
    """Prices, gains and steps occur in the signs as often as in the line, and never shrink below four fifths."""
    line, drawn = LINES[name], "".join(sign.drawn for sign in icons.of(name))
    for kind in {good for way in line.ways for good in way.cost.fixed} & set(GOODS):
        assert drawn.count(f'"@{kind}"') >= max(
            way.cost.fixed.count(kind) for way in line.ways if kind in way.cost.fixed
        )
    for way in line.ways:
        if isinstance(way.effect, Move):
            assert f">{way.effect.spaces}</text>" in drawn
            assert ("@wave" if way.effect.terrain == "river" else "@peak") in drawn
    assert 0 < icons.width(name) * 0.8 <= 412


def test_a_covered_card_shows_its_back_and_the_cards_it_may_be() -> None:
    state = replace(middle(), options=LewisClarkOptions(covered="hidden"))
    state = state.with_player(0, hand=("blacksmith", "watkuweis"), table=(Played(card="hunter", under="cut-nose"),))
    text = " ".join(shown(seen(state)).split())
    assert "Hunter (food) with a recruit below (3 fur)" in text
    assert "Blacksmith 1, and 1 of these: Cut Nose 3 | Watkuweis 3" in text
    assert {"a recruit", "3"} <= set(ET.fromstring(drawing(seen(state))).itertext())


def test_the_picture_names_every_open_card() -> None:
    """Names with special characters are escaped."""
    state = replace(middle(), journal=("dickson-hancock", *middle().journal[1:]))
    words = "".join(ET.fromstring(drawing(seen(state))).itertext())
    lying = [
        card for player in state.players for played in player.table for card in (played.card, played.under) if card
    ]
    assert all(CARDS[card].name in words for card in (*lying, *state.journal))


def test_every_card_and_place_in_the_picture_has_its_effect_as_a_title() -> None:
    """Cards in hands, play areas and the journal, and all places."""
    drawn = ET.fromstring(drawing(seen(crowded())))
    titles = {node.text for node in drawn.iter() if node.tag.endswith("title")}
    cards = {card for player in crowded().players for card in (*player.hand, *player.face_up)}
    lines = [CARDS[name] for name in (*cards, *crowded().journal)] + [LINES[place.name] for place in VILLAGE]
    assert all(any((title or "").startswith(f"{line.name}: {line.text}") for title in titles) for line in lines)
