"""The text board: golden texts, the width in every position, and what each part of a View becomes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from engine.game import Outcome
from engine.games.discoveries import terms
from engine.games.discoveries.board import WIDTH, board
from engine.games.discoveries.cards import Card, Edition, Exploration, Need
from engine.games.discoveries.house import HOUSE
from engine.games.discoveries.state import Doing, Owed
from engine.games.discoveries.view import DiscoveriesView
from engine.games.discoveries.view import view as view_of
from engine.kit import width
from tests.games.discoveries.positions import begin, dice, options
from tests.games.discoveries.views import NAMES, action, midgame

LONG_NAMES = ("Maximiliane Charlotte von Hohenfels", "\u674e\u5c0f\u9f8d" * 9, "<&>", "Dora")
TEXTS = Path(__file__).parent / "boards"
OVER = Outcome(places=((0,), (3,), (1,), (2,)), points=(("cards", (4, 2, 2, 0)),), reason="complete")
GOLDEN = {
    "midgame": midgame(),
    "in-a-turn": midgame(
        last=(1, 2),
        owed=(Owed(giver=2, taker=0),),
        top=0,
        deck=(),
        encounters=(),
        territories=(47,),
        doing=Doing(
            faces=("walk", "walk"),
            done=("foot", "14"),
            owes=("next",),
            space="foot",
            turned=dice("red-walk"),
            coming=dice("2 red, grey"),
        ),
    ),
    "over": midgame(
        ended=OVER,
        turns=88,
        top=0,
        deck=(),
        territories=(),
        encounters=(),
    ),
}


@pytest.mark.parametrize(("name", "view"), GOLDEN.items(), ids=GOLDEN)
def test_golden_texts(name: str, view: DiscoveriesView) -> None:
    """The board as a reader sees it; delete a text to have it written anew, and read the difference."""
    path = TEXTS / f"{name}.txt"
    if not path.exists():
        path.write_text(board(view, NAMES) + "\n", "utf-8")
        pytest.fail(f"{path.name} has been written: read it and run again")
    assert board(view, NAMES) + "\n" == path.read_text("utf-8")


def wide() -> Edition:
    """An edition with the longest words that the form allows."""
    return msgspec.convert({"name": "wide", "cards": [_wide(card) for card in HOUSE.cards]}, Edition)


def _wide(card: Card) -> object:
    tribe, discovery = card.tribe, card.discovery
    explorer = tribe.exploration
    long = {"RRM": "RRRRRRMMMMMM", "M": "MMMMMM"}.get(explorer.gives, explorer.gives) if explorer else ""
    needs = (Need(face="parley", dice=3),) * 3
    return msgspec.to_builtins(
        replace(
            card,
            tribe=replace(
                tribe,
                name="Wwwwwwwwwwwwwwwwwwwwwwww",
                tipis=9,
                exploration=Exploration(needs=needs, gives=long) if explorer else None,
            ),
            discovery=replace(discovery, routes=("RM" * 6,) * 3, points=20, tipis=9),
        )
    )


def crowded() -> DiscoveriesView:
    """Every seat has everything, in long words."""
    view = midgame(cards=wide().cards)
    lewis = replace(
        view.players[0],
        tribes=tuple(range(1, 56)),
        journal=tuple(range(1, 56)),
        reserved=((37, 44), (38, 45)),
        reserve=dice(", ".join(f"5 {die}-{face}" for die in terms.COLOURS for face in terms.FACES)),
        actions=tuple(action(str(n), "yellow", "yellow", "yellow", write="yellow") for n in (14, 22)),
        points=(("discoveries", 1100), ("species", 122), ("tipis", 12)),
        tipis=999,
        gone=True,
    )
    doing = Doing(turned=lewis.reserve, coming=dice("20 grey, 5 red"), done=tuple(map(str, range(1, 37))))
    return replace(view, players=(lewis, lewis, lewis, lewis), doing=doing)


@pytest.mark.parametrize("view", [*GOLDEN.values(), crowded()])
def test_no_line_is_too_wide(view: DiscoveriesView) -> None:
    """At most 78 columns without trailing blanks, whatever an edition says and players are called."""
    text = board(view, LONG_NAMES)
    assert max(map(width, text.splitlines())) <= WIDTH == 78
    assert all(line == line.rstrip() for line in text.splitlines())


def test_roads_stand_upright() -> None:
    """The bottom icon of each route stands in the last line above the card's name, both routes of card 22 apart."""
    lines = board(midgame(), NAMES).splitlines()
    name = next(at for at, line in enumerate(lines) if "card 22" in line)
    column = [line[:10].split() for line in lines[name - 6 : name - 1]]
    assert column == [["R"], ["R"], ["M", "M"], ["R", "R"], ["R", "M"]]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"turns": 0, "choosing": True}, "Ann (seat 1, red) chooses the first card to explore."),
        ({"doing": Doing(owes=("befriend",))}, "Turn 23. Ann (seat 1, red) takes a tribe card."),
        (
            {"doing": Doing(due=1, space="foot", face="walk")},
            "Turn 23. Ann (seat 1, red) must lay 1 more die as walk on foot.",
        ),
        ({"doing": Doing(held="red-walk")}, "Turn 23. Ann (seat 1, red) must lay the red walk that the Sioux turned."),
        ({"doing": Doing(faces=("walk",))}, "Turn 23. Ann (seat 1, red) may go on, or end the turn."),
        ({"seat": 2}, "Turn 23. Cid (seat 3, green) is to move."),
        ({"ended": OVER}, "Turn 23. The game is over. Ann has won."),
    ],
)
def test_the_first_line_says_who_is_to_do_what(changes: dict[str, object], says: str) -> None:
    assert board(midgame(**changes), NAMES).splitlines()[0] == says


def test_a_tie_in_points_names_what_decided() -> None:
    """The dice in the reserve and on actions, which the list shows."""
    tied = midgame(ended=OVER)
    dora = replace(tied.players[3], points=tied.players[0].points, dice=4)
    lines = board(replace(tied, players=(*tied.players[:3], dora)), NAMES).splitlines()
    assert lines[0] == "Turn 23. The game is over. Ann has won by more dice."
    assert lines[1:3] == ["  1. Ann (seat 1, red): 24 points, 5 dice", "  2. Dora (seat 4, yellow): 24 points, 4 dice"]


def test_nobody_has_won() -> None:
    lost = Outcome(places=((0, 1, 2, 3),), won=False, reason="undecided")
    assert board(midgame(ended=lost), NAMES).startswith("Turn 23. The game is over. Nobody has won.")


def test_what_the_turn_has_used() -> None:
    """The face that is played, the help of the Sioux, actions done, dice turned and thrown."""
    doing = Doing(faces=("walk", "walk"), shifts=(("ride", "walk"),), done=("turn",), left=1, fresh=dice("grey-ride"))
    said = list(terms.doing_words(doing))
    assert said == [
        "played as: 2 walk",
        "helped by the Sioux: ride as walk",
        "done: turn",
        "may turn 1 die more",
        "just thrown, may be turned, played next turn: grey ride",
    ]


def test_each_example_is_legal() -> None:
    """They are taken from what is legal in the position, one of each kind, for each seat that is to do something."""
    state = begin(3).state
    found = [text for seat, text in view_of(state).examples if seat == state.seat]
    assert set(found) <= set(options(state))
    assert {text.split()[0] for text in found} == {text.split()[0] for text in options(state)}


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "walk: RR"),
        (5, "2 walk: RRRR"),
        (14, "ride: RR or M"),
        (22, "2 alike: RR then M"),
        (31, "3 alike: MM then RRR"),
        (32, "walk: R<->M"),
        (34, "any: +R"),
        (41, "any die played as parley"),
        (43, "walk played as the turn's face"),
        (50, "a grey die not counted"),
    ],
)
def test_what_a_tribe_does(number: int, words: str) -> None:
    """In words that fit a line."""
    assert terms.effect(HOUSE.card(number).tribe) == words


def test_every_effect_has_words() -> None:
    assert all(terms.effect(card.tribe) for card in HOUSE.cards)
