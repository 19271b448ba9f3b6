"""The guide teaches the game: it answers questions, its examples can be played, and it names everything there is."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest

from engine import registry
from engine.games.discoveries import game, terms
from engine.games.discoveries.cards import BOARD, GROUPS, Discovery
from engine.games.discoveries.events import (
    CardExplored,
    DiceThrown,
    ExtraTurn,
    GreyTaken,
    RoadTravelled,
    TribeWon,
)
from engine.games.discoveries.exploration import crossing
from engine.games.discoveries.house import HOUSE
from engine.games.discoveries.scoring import RANKS, points_by, ranked, species_points, tipis
from engine.games.discoveries.state import DiscoveriesState
from engine.games.discoveries.tribes import givers
from engine.kit import Supply, outcome
from engine.kit.notation import head
from tests.games import guides
from tests.games.discoveries.positions import begin, laid, options, play, position
from tests.kit.refusals import refusal
from tests.kit.worlds import told

KEY = "discoveries"


class Question(msgspec.Struct, frozen=True):
    """A question, its answer, the guide's sentence that gives it, and what the engine must return to prove it."""

    asked: str
    answer: str
    sentence: str
    proof: object
    engine: Callable[[], object]


def mine(reserve: str, **changes: Any) -> DiscoveriesState:
    """Seat 1 with this reserve is to move."""
    return position(players={0: {"reserve": reserve, **changes}})


def refused(state: DiscoveriesState, text: str) -> str:
    """The code with which the seat to move is refused."""
    return refusal(game, state, state.seat, text)[0]


def poor(*greys: int) -> DiscoveriesState:
    """An empty stock; the seats have so many grey dice."""
    return position(3, {seat: {"reserve": f"{n} grey-walk"} for seat, n in enumerate(greys) if n}, stock=0)


def two_cards() -> DiscoveriesState:
    """Seat 1 can cross cards 17 (MRR) and 26 (RRRR) with the actions 29 and foot."""
    actions = (laid("29", "red"), laid("foot", "red"))
    return position(
        players={0: {"reserve": "2 red-write", "tribes": (29,), "actions": actions, "exploring": 17}},
        territories=(1, 26, 23),
    )


READY = (laid("foot", "red"), laid("mountain", "red"))  # they cross card 35, which seat 1 explores
ROUTE = "lay route red-walk; swap 4"
QUESTIONS = (
    Question(
        "How many dice do I begin with?",
        "Five.",
        "You begin with five in your colour.",
        5,
        lambda: begin(4).state.players[0].reserve.total,
    ),
    Question(
        "To which bank does a Parley die go when I win a tribe?",
        "To the right bank.",
        "Walk and Ride dice go to the left bank, Parley and Write dice to the right bank.",
        Supply.of({"red": 1}),
        lambda: play(mine("red-parley"), "lay friendly red-parley; befriend 1").state.right,
    ),
    Question(
        "May I play a Ride die after a Walk die in the same turn?",
        "No: all dice of a turn show one face.",
        "Choose one face and play at least one die that shows it, on as many actions as you like.",
        "face-not-played",
        lambda: refused(play(mine("red-walk, red-ride"), ROUTE).state, "lay horse red-ride"),
    ),
    Question(
        "May I change route twice in one turn?",
        "No: each action works once a turn.",
        "Each action works once a turn.",
        "action-done",
        lambda: refused(play(mine("2 red-walk"), ROUTE).state, "lay route red-walk"),
    ),
    Question(
        "May I take back a die of mine that another player has laid on an action?",
        "Yes, by resting.",
        "Or take back any dice of your own colour, wherever they are, even from the boards of other players.",
        1,
        lambda: (
            play(position(players={1: {"actions": (laid("horse", "red"),)}}), "rest own").state.players[0].reserve.total
        ),
    ),
    Question(
        "May I rest after playing a die?",
        "No: resting is a whole turn.",
        "Resting is your whole turn.",
        "not-now",
        lambda: refused(play(mine("red-walk, red-ride"), ROUTE).state, "rest own"),
    ),
    Question(
        "May I play a die in the turn in which I turned it?",
        "No, only from the next turn on.",
        "Dice that you roll or turn during a turn can be played from your next turn on.",
        ["end"],
        lambda: options(
            play(mine("red-walk, 2 red-ride"), "lay turn red-walk; turn red-ride walk; turn red-ride walk").state
        ),
    ),
    Question(
        "How many Parley dice does a wary tribe take?",
        "Two.",
        "**wary**, two Parley dice: win a wary tribe and roll a grey die from the stock.",
        2,
        lambda: play(mine("3 red-parley"), "lay wary red-parley; lay wary red-parley; befriend 2").state.right.total,
    ),
    Question(
        "May three Write dice prepare the mountain?",
        "Yes: any three dice of the same face.",
        "**mountain**, three dice of the same face: two mountains.",
        (laid("mountain", "red"),),
        lambda: play(mine("3 red-write"), "; ".join(["lay mountain red-write"] * 3)).state.players[0].actions,
    ),
    Question(
        "Who gives me a grey die when the stock is empty?",
        "The player with the most, here seat 3 with three.",
        "If the stock is empty, the player with the most grey dice, in reserve and on actions, gives you one.",
        (2,),
        lambda: givers(poor(1, 2, 3), 0),
    ),
    Question(
        "And if I alone have the most grey dice?",
        "Nobody: you get none.",
        "If you alone have the most, you get none.",
        (),
        lambda: givers(poor(3, 2, 1), 0),
    ),
    Question(
        "My card needs mountains too. May I lay a Write die on the foot action alone?",
        "No: together the actions must cross the whole road.",
        "Together these actions must cross a whole road of your card this turn, from the bottom up (in this text: from"
        " left to right).",
        "leads-nowhere",
        lambda: refused(mine("2 red-write", actions=READY[:1]), "write foot red-write"),
    ),
    Question(
        "Do foot and mountain, three rivers and two mountains, cross `RMR`?",
        "No: a block is not divided.",
        "three rivers cross `RR`, but not both rivers of `RMR`.",
        None,
        lambda: crossing(("RRR", "MM"), [Discovery(routes=("RMR",), points=0)]),
    ),
    Question(
        "Do I get back a die from an action without a Write die when I explore?",
        "No, it stays there.",
        "Dice on actions without a Write die stay there.",
        (laid("horse", "blue"),),
        lambda: (
            play(
                mine("2 red-write", actions=(READY[0], laid("horse", "blue"), READY[1])),
                "write foot red-write; write mountain red-write; cross 35; next 4",
            )
            .state.players[0]
            .actions
        ),
    ),
    Question(
        "What do I get for exploring two cards in one turn?",
        "Another turn at once.",
        "Two cards in a turn earn you another turn at once.",
        [ExtraTurn(0)],
        lambda: told(
            play(two_cards(), "write 29 red-write; write foot red-write; cross 17 then 26; next 1; end"), ExtraTurn
        ),
    ),
    Question(
        "How many points is a set of three species?",
        "15.",
        "each set of different species scores 3, 8, 15 or 24 points for one, two, three or four species.",
        15,
        lambda: species_points([HOUSE.card(number).discovery for number in (2, 4, 6)]),
    ),
    Question(
        "Two of three players tie for the most tipis: how many points do they get?",
        "Nine each, half of 12 + 6.",
        "Players who tie share the points of their places equally.",
        {0: 9, 1: 9, 2: 0},
        lambda: ranked({0: 5, 1: 5, 2: 1}, RANKS[3]),
    ),
    Question(
        "Is the card that I am working on worth anything at the end?",
        "No.",
        "Cards that are still in front of you unexplored score nothing.",
        (0, 0, 0),
        lambda: dict(points_by(mine("", exploring=30)))["cards"],
    ),
    Question(
        "Who wins a tie in points?",
        "The player with more dice.",
        "A tie goes to the player with more dice, in reserve and on actions.",
        ((0,), (1, 2)),
        lambda: game.standing(mine("red-walk")).places,
    ),
    Question(
        "How many turns do the others have after a player has finished?",
        "One each.",
        "Everyone else takes one more turn.",
        [1, 2],
        lambda: last_turns(position(3, last=(1, 2), territories=(), top=0, deck=())),
    ),
)


def last_turns(state: DiscoveriesState) -> list[int]:
    """The seats that still move after this turn, until the game is over."""
    seats = []
    state = play(state, "rest none").state
    while not state.over:
        seats.append(state.seat)
        state = play(state, "rest none").state
    return seats


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.asked)
def test_the_guide_answers_a_question_as_the_engine_does(question: Question) -> None:
    """The sentence is in the part that teaches, word for word, and the engine proves it."""
    assert question.sentence in " ".join(guides.teaching(KEY).split())
    assert question.engine() == question.proof


def test_the_taker_chooses_if_several_have_the_most_grey_dice() -> None:
    """One of the others gives the die, also if the taker ties with them."""
    assert guides.says(KEY, "If several tie for the most, choose one of them, but not yourself.")
    assert (givers(poor(1, 2, 2), 0), givers(poor(2, 2, 2), 0)) == ((1, 2), (1, 2))


def test_write_dice_may_prepare_an_action_and_complete_it_in_one_turn() -> None:
    """Card 2 can be crossed by `MM`."""
    assert guides.says(
        KEY, "lay a Write die on each prepared action that you use, even if other Write dice prepared it this turn."
    )
    prepare = "; ".join(["lay mountain red-write"] * 3)
    turn = play(mine("4 red-write", exploring=2), f"{prepare}; write mountain red-write; cross 2; next 4")
    assert told(turn, CardExplored) == [CardExplored(0, 2, "MM")]


def test_there_are_twenty_questions() -> None:
    assert len({question.sentence for question in QUESTIONS}) == 20


def test_the_guide_teaches_in_600_to_1200_words() -> None:
    assert 600 <= guides.words(KEY) <= 1200


# --- the examples ---------------------------------------------------------------------------------------------------


@cache
def example(number: int) -> guides.Played:
    return guides.play(KEY, guides.examples(KEY)[number])


def test_the_guide_has_two_example_turns_with_a_picture_each() -> None:
    assert [shown.picture.caption for shown in guides.examples(KEY)] == [
        "Ben, blue, is to move",
        "Ann, red, is to move",
    ]
    assert [example(number).seat for number in (0, 1)] == [1, 0]


def test_the_first_example_wins_a_tribe_and_rolls_a_grey_die() -> None:
    """The position is as the guide describes it, and so are the effects."""
    turn = example(0)
    ben = turn.before.players[1]
    prepared = [BOARD[action.space].gives for action in ben.actions if action.ready]
    assert ben.exploring == 13
    assert crossing(prepared, [HOUSE.card(13).discovery]) is not None
    assert (ben.reserve.total, ben.reserve.count("blue-write"), turn.before.dice(1)) == (3, 1, 5)
    assert {card: HOUSE.card(card).tribe.tipis for card in turn.before.encounters} == {28: 2, 54: 1, 35: 1}
    assert [event.tribe for event in turn.told(TribeWon)] == ["Chinook"]
    assert turn.told(GreyTaken) == [GreyTaken(1)]
    assert [len(event.dice) for event in turn.told(DiceThrown)] == [1]
    assert (turn.after.right, turn.after.dice(1)) == (Supply.of({"blue": 1}), 5)
    assert turn.after.encounters == (54, 35, 1)


def test_the_second_example_explores_a_long_road() -> None:
    """Three rivers, one mountain and two rivers; then the next card is one that the same actions cross."""
    turn = example(1)
    legs = ("RRR by the action foot", "M by the action mountain", "RR by the action horse")
    assert turn.told(RoadTravelled) == [RoadTravelled(0, legs)]
    assert turn.told(CardExplored) == [CardExplored(0, 51, "RRRMRR")]
    assert dict(points_by(turn.after))["cards"][0] - dict(points_by(turn.before))["cards"][0] == 7
    assert [len(event.dice) for event in turn.told(DiceThrown)] == [6]
    assert turn.after.players[0].exploring == 15
    assert crossing([action.gives for action in BOARD.values()], [HOUSE.card(15).discovery]) is not None
    assert 53 in turn.after.territories


def test_the_scoring_example_is_the_end_of_a_golden_game() -> None:
    """The engine scores that game as the guide does, heading by heading, and ranks it by dice."""
    state = guides.position(KEY, guides.Picture(caption="", name="two-decided-by-dice", moves=93)).state
    ended = outcome(game, state)
    assert ended is not None
    assert ended.places == ((1,), (0,))
    ann, ben = (" + ".join(str(row[seat]) for _, row in points_by(state)) for seat in (0, 1))
    totals = dict(ended.sheet)["total"]
    assert guides.says(KEY, f"Ann has {ann} = {totals[0]} points, and Ben has {ben} = {totals[1]}.")
    assert [species(state, seat) for seat in (0, 1)] == [
        ["bird", "plant"],
        ["bird", "bird", "mammal", "mammal", "plant"],
    ]
    assert [tipis(state, seat) for seat in (0, 1)] == [7, 7]
    assert [state.dice(seat) for seat in (0, 1)] == [5, 9]


def species(state: DiscoveriesState, seat: int) -> list[str]:
    return sorted(filter(None, (HOUSE.card(card).discovery.species for card in state.players[seat].journal)))


def test_every_picture_shows_a_position_of_a_golden_game() -> None:
    """The drawing of each is public and complete."""
    for shown in guides.pictures(KEY):
        state = guides.position(KEY, shown).state
        names = ("Ann", "Ben", "Cleo", "Dan")[: state.seats]
        assert game.picture(game.view(state, None), names).startswith("<svg")


# --- everything is named --------------------------------------------------------------------------------------------


def test_the_guide_lists_every_card_of_the_house_edition() -> None:
    """Each line has the tribe side, then the discovery side."""
    guide = registry.guide(KEY)
    for card in HOUSE.cards:
        tribe, discovery = card.tribe, card.discovery
        line = (
            f"- **{card.number} {tribe.name}**: {tribe.attitude}, {terms.count(tribe.tipis, 'tipi')}; "
            f"{terms.effect(tribe)}. {' or '.join(discovery.routes)}: {terms.worth(discovery)}."
        )
        assert line in guide


def test_the_guide_explains_every_command_and_option() -> None:
    guide = registry.guide(KEY)
    assert all(f"`{' '.join(head(kind))}" in guide for kind in game.commands)
    assert all(f"`{name}`" in guide for name in game.meta.options.__struct_fields__)


PLAIN = ("simple", "either", "rivers-first", "mountains-first")


def test_the_guide_explains_every_special_tribe() -> None:
    names = {HOUSE.card(numbers[0]).tribe.name for effect, numbers, _ in GROUPS if effect not in PLAIN}
    assert all(re.search(rf"(?m)^- \*\*[0-9, to]+ {name}\*\*: ", registry.guide(KEY)) for name in names)
