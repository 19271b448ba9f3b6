"""The text board: golden texts, its width in every position, and what each part of a view becomes."""

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
def test_a_board_matches_its_golden_text(name: str, view: DiscoveriesView) -> None:
    """The board as a reader sees it. Delete a text to have it written again, and read the diff."""
    path = TEXTS / f"{name}.txt"
    if not path.exists():
        path.write_text(board(view, NAMES) + "\n", "utf-8")
        pytest.fail(f"{path.name} has been written: read it and run the test again")
    assert board(view, NAMES) + "\n" == path.read_text("utf-8")


def wide() -> Edition:
    """An edition with the longest words that its format allows."""
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
    """Every seat has everything, with the longest words."""
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
    """A line has at most 78 columns and no trailing blanks, whatever the edition and the players' names."""
    text = board(view, LONG_NAMES)
    assert max(map(width, text.splitlines())) <= WIDTH == 78
    assert all(line == line.rstrip() for line in text.splitlines())


def test_roads_run_from_the_bottom_up() -> None:
    """The bottom icon of each route is in the last line above the card's name; both routes of card 22 have a column."""
    lines = board(midgame(), NAMES).splitlines()
    name = next(at for at, line in enumerate(lines) if "card 22" in line)
    column = [line[:10].split() for line in lines[name - 6 : name - 1]]
    assert column == [["R"], ["R"], ["M", "M"], ["R", "R"], ["R", "M"]]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"turns": 0, "choosing": True}, "Ann (seat 1, red) chooses the first card to explore."),
        ({"doing": Doing(owes=("befriend",))}, "Turn 23. Ann (seat 1, red) must take a tribe card."),
        (
            {"doing": Doing(due=1, space="foot", face="walk")},
            "Turn 23. Ann (seat 1, red) must lay 1 more die as walk on foot.",
        ),
        (
            {"doing": Doing(held="red-walk")},
            "Turn 23. Ann (seat 1, red) must lay the red walk that a Sioux card has turned.",
        ),
        ({"doing": Doing(faces=("walk",))}, "Turn 23. Ann (seat 1, red) may go on or end the turn."),
        ({"seat": 2}, "Turn 23. Cid (seat 3, green) is to move."),
        ({"ended": OVER}, "Turn 23. The game is over. Ann has won."),
    ],
)
def test_the_first_line_names_the_player_and_what_is_due(changes: dict[str, object], says: str) -> None:
    assert board(midgame(**changes), NAMES).splitlines()[0] == says


def test_a_tie_in_points_names_the_tie_break() -> None:
    """The dice in the reserve and on actions decide, and the list shows them."""
    tied = midgame(ended=OVER)
    dora = replace(tied.players[3], points=tied.players[0].points, dice=4)
    lines = board(replace(tied, players=(*tied.players[:3], dora)), NAMES).splitlines()
    assert lines[0] == "Turn 23. The game is over. Ann has won with more dice."
    assert lines[1:3] == ["  1. Ann (seat 1, red): 24 points, 5 dice", "  2. Dora (seat 4, yellow): 24 points, 4 dice"]


def test_a_seat_without_a_name_is_named_once() -> None:
    assert terms.called(midgame(), ("Ann", "Seat 2", "Cid", "Dora"), 1) == "Seat 2 (blue)"


@pytest.mark.parametrize(
    ("ended", "says"),
    [
        (
            Outcome(places=((0, 1, 2, 3),), won=False, reason="undecided"),
            "Turn 23. The game ended at its last possible turn. Nobody has won.",
        ),
        (
            Outcome(places=((1,), (0,), (2,), (3,)), reason="resigned"),
            "Turn 23. The game ended early because the others have resigned. Bob has won.",
        ),
    ],
    ids=["undecided", "resigned"],
)
def test_the_headline_of_a_game_that_ends_early_gives_the_reason(ended: Outcome, says: str) -> None:
    """The reason comes before the winner."""
    assert board(midgame(ended=ended), NAMES).splitlines()[0] == says


def test_the_running_turn_is_described_in_sentences() -> None:
    """The faces played, the help of the Sioux, the actions used, the dice to turn and those rolled."""
    doing = Doing(faces=("walk", "walk"), shifts=(("ride", "walk"),), done=("turn",), left=1, fresh=dice("grey-ride"))
    said = list(terms.doing_words(doing))
    assert said == [
        "Dice played this turn: 2 walk.",
        "Turned by Sioux cards: ride as walk.",
        "Actions used this turn: turn.",
        "The action `turn` may still turn 1 more die.",
        "Just rolled for the next turn, and may still be turned: grey ride.",
    ]


def test_the_examples_on_the_board_are_legal() -> None:
    """One of each kind, for each active seat."""
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
        (41, "play any die as parley"),
        (43, "play walk as the turn's face"),
        (50, "hide one grey die"),
    ],
)
def test_the_effect_of_a_tribe_fits_a_line(number: int, words: str) -> None:
    assert terms.effect(HOUSE.card(number).tribe) == words


def test_every_effect_has_words() -> None:
    assert all(terms.effect(card.tribe) for card in HOUSE.cards)
