"""The guide teaches the game: twenty questions it answers, its example turns, its worked example.

Each answer comes from the engine, so a sentence of the guide cannot outlive a change of the rules.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from engine.errors import Refused
from engine.game import Turn
from engine.games.lewis_clark import boats, camping, game
from engine.games.lewis_clark.commands import Camp, Recruit
from engine.games.lewis_clark.counts import badges
from engine.games.lewis_clark.events import Camped, CardDiscarded, Gained, Paid, Recruited, ScoutMoved, ScoutWentOn
from engine.games.lewis_clark.route import FORT
from engine.games.lewis_clark.state import Frame, LewisClarkState, Played
from engine.kit import legal, outcome
from tests.games import guides
from tests.games.lewis_clark.positions import after, lay, play, position, supply

KEY = "lewis_clark"
AT_THE_FORT = {"scout": FORT, "camp": 30, "hand": (), "table": (Played(card="hunter", indians=1),), "indians": 0}


class Question(msgspec.Struct, frozen=True):
    """A question of somebody who has read only the guide, its answer, the sentence for it, and the engine's answer."""

    asked: str
    answer: object
    sentence: str
    found: Callable[[], object]


def is_refused(state: LewisClarkState, text: str) -> bool:
    try:
        play(state, text)
    except Refused:
        return True
    return False


def winner_of_a_camp(**me: object) -> int | None:
    """Return the winner once seat 1 has camped."""
    found: int | None = play(position(me={**AT_THE_FORT, **me}), "camp").state.winner
    return found


def spaces(goods: str, way: str, scout: int = 2) -> int:
    """Return how far one use of the Commander leads."""
    text = f"play commander; indians 1; use as {way}"
    return after(position(me={"goods": goods, "scout": scout}), text).scout - scout


def time(goods: int = 0, indians: int = 0) -> int:
    """Return the delay of such a load on the first five boats."""
    return boats.camp_time((), goods, indians)


def second_place() -> tuple[int, ...]:
    ended = outcome(game, play(position(me=AT_THE_FORT), "camp").state)
    assert ended is not None
    return ended.places[1]


def left_in_the_village() -> int:
    """Return the Indians that stay when an Interpreter takes one of three."""
    state = position(village="1 hunting, 1 gift, 1 newcomers", stock=0)
    left: int = play(state, "play interpreter; indians 1; gather 1").state.village.total
    return left


QUESTIONS = (
    Question(
        "Who wins when my camp comes to the fort?",
        0,
        "The game ends the moment a camp stands on space 39 or beyond. That player wins.",
        winner_of_a_camp,
    ),
    Question(
        "My scout is on the fort, and I camp with two cards in hand. Who wins?",
        None,
        "A scout at the fort wins nothing: it must still be there after the delay of a camp.",
        lambda: winner_of_a_camp(hand=("commander", "interpreter")),
    ),
    Question(
        "Three play, and I win; no one else has camped. Who is second?",
        (2,),
        "The others are placed by their camps, then by their scouts.",
        second_place,
    ),
    Question(
        "May I camp before my action?",
        True,
        "Camp and recruit before or after the action, never within it.",
        lambda: Camp() in legal(game, position(), 0),
    ),
    Question(
        "May I camp between two uses of an action?",
        False,
        "Camp and recruit before or after the action, never within it.",
        lambda: not is_refused(position(), "play hunter; under interpreter; use; camp"),
    ),
    Question(
        "I have neither a card nor an Indian left. May I end my turn at once?",
        False,
        "If you can take no action, camp first, then take one.",
        lambda: not is_refused(position(me={"hand": (), "indians": 0}), "end"),
    ),
    Question(
        "I play the Interpreter (strength 2) with one Indian on it. How often may I use it?",
        1,
        "The strength of the card you play does not count.",
        lambda: play(position(), "play interpreter; indians 1").state.frame.left,
    ),
    Question(
        "May I lay a card of strength 2 under another and put two Indians on it?",
        False,
        "The card below counts for its own strength, each Indian for 1, and the sum is at most 3.",
        lambda: not is_refused(position(me={"indians": 2}), "play hunter; under interpreter; indians 2"),
    ),
    Question(
        "May I leave a part of the strength unused?",
        True,
        "You may use it less often, or take less than it brings.",
        lambda: play(position(), "play hunter; under interpreter; use; stop").state.acted,
    ),
    Question(
        "How far does the Commander go for one canoe?",
        4,
        "**Commander** moves your scout: 2 river spaces for 1 food, 4 river spaces for 1 canoe, or 2 mountain spaces"
        " for 1 horse.",
        lambda: spaces("1 canoe", "canoe"),
    ),
    Question(
        "How far does a horse take me on the river?",
        0,
        "A river move enters only river spaces and a mountain move only mountain spaces.",
        lambda: spaces("1 horse", "horse"),
    ),
    Question(
        "I am on 16 and move 4 river spaces. How far do I get, if mountains begin after 18?",
        2,
        "The rest of a move is lost at a border.",
        lambda: spaces("1 canoe", "canoe", scout=16),
    ),
    Question(
        "I am on 10 and move 2 spaces, and another scout is on 12. How far do I get?",
        3,
        "If your scout would end an action on another scout's space, it goes on to the next free one.",
        lambda: spaces("1 food", "food", scout=10),
    ),
    Question(
        "What does Black Cat (strength 3) cost in the fourth place, if I discard the Interpreter (strength 2)?",
        "4 fur and 1 equipment",
        "A character costs fur by its place in the journal, from 1 at the bottom to 5 at the top, and as much equipment"
        " as its strength. You may discard one card from your hand, for good, to save equipment equal to that card's"
        " strength.",
        lambda: Recruit("black-cat", "interpreter").costs(position(), 0),
    ),
    Question(
        "A neighbour's Hunter lies on a Lumberjack. Does that wood badge count for me?",
        1,
        "1 for each badge of that kind in your play area and in your neighbours', left and right. Badges of cards face"
        " down count too.",
        lambda: badges(position(2), 0, "wood"),
    ),
    Question(
        "May I send an Indian to Hunting while another stands there?",
        False,
        "a circle takes one Indian and is blocked until an Interpreter plays.",
        lambda: not is_refused(position(village="1 hunting"), "village hunting 1"),
    ),
    Question(
        "May I pay 2 food and 1 wood for a horse at the Horse Trade?",
        False,
        "**Horse Trade**: 1 horse for 3 different goods.",
        lambda: not is_refused(position(me={"goods": "2 food, 1 wood"}), "village horses 1; use pay food+food+wood"),
    ),
    Question(
        "I gather three Indians and take one aboard, and the stock is empty. How many are in the village then?",
        2,
        "**Interpreter** gathers all Indians in the village: take as many as you like; the rest wait in the village,"
        " where one newcomer from the stock, if any, joins them.",
        left_in_the_village,
    ),
    Question(
        "How much time do 8 goods and 3 Indians cost on my first boats?",
        5,
        "Your first 3 goods are free, the next 3 cost 1 together, 5 more cost 1 each, and no more fit. Your first"
        " Indian is free, each other costs 1.",
        lambda: time(goods=8, indians=3),
    ),
    Question(
        "My camp is on 9, my scout on 8, and I camp. Where is my camp?",
        9,
        "If your scout is ahead of your camp, the camp moves up to it. A camp never moves back.",
        lambda: after(position(me={"scout": 8, "camp": 9}), "camp").camp,
    ),
)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.asked.replace(" ", "-"))
def test_the_guide_answers_a_question_as_the_engine_does(question: Question) -> None:
    assert guides.says(KEY, question.sentence)
    assert question.found() == question.answer


def test_there_are_twenty_questions() -> None:
    assert len({question.asked for question in QUESTIONS}) == 20


def test_the_guide_teaches_in_600_to_1200_words() -> None:
    assert 600 <= guides.words(KEY) <= 1200


def test_mackenzie_moves_and_lends_badges_as_the_guide_says() -> None:
    """The section on the solo game."""
    assert guides.says(KEY, "whose scout starts up to 7 spaces ahead and moves 1 space after each of your turns.")
    assert play(position(1, mackenzie=7), "play hunter; under commander; stop; end").state.mackenzie == 8
    assert guides.says(KEY, "Badges of village places with an Indian count instead of neighbours'.")
    alone = replace(lay(1).state, village=supply("1 hunting, 1 shamanism, 1 gift"))
    assert [badges(alone, 0, kind) for kind in ("food", "fur", "wood")] == [2, 1, 0]


PLACES = {
    "**Hunting**: 1 food and 1 fur.": ("hunting", "", "use", "1 food, 1 fur"),
    "**Craftsmanship**: 1 equipment and 1 wood.": ("craftsmanship", "", "use", "1 equipment, 1 wood"),
    "**Gift**: 2 fur or 2 wood.": ("gift", "", "use as wood", "2 wood"),
    "**Canoe Manufacturing**: 1 canoe for 2 wood.": ("canoes", "2 wood", "use", "1 canoe"),
    "**Horse Trade**: 1 horse for 3 different goods.": (
        "horses",
        "1 food, 1 fur, 1 wood",
        "use pay food+fur+wood",
        "1 horse",
    ),
    "**Expedition Upgrade**: 3 wood for one more boat: for goods, with 2 primary goods, or for Indians, with one.": (
        "upgrade",
        "3 wood",
        "use as goods-2 take fur+fur",
        "2 fur",
    ),
}


@pytest.mark.parametrize("sentence", PLACES, ids=lambda sentence: PLACES[sentence][0])
def test_a_place_takes_and_gives_what_the_guide_says(sentence: str) -> None:
    place, has, use, gets = PLACES[sentence]
    assert guides.says(KEY, sentence)
    assert after(position(me={"goods": has}), f"village {place} 1; {use}").goods == supply(gets)


# --- the worked example ---------------------------------------------------------------------------------------------


def shown(moves: int) -> Turn:
    """Return the golden game of the first picture after this many moves."""
    picture = guides.pictures(KEY)[0]
    return guides.position(KEY, msgspec.structs.replace(picture, moves=moves))


def parts(state: LewisClarkState) -> camping.Costs:
    """Return the parts of a camp of player 1."""
    player = state.players[0]
    indians = player.indians + player.on_cards
    return camping.costs(player.tiles, player.goods.total, indians, len(player.hand), player.face_up)


def test_the_camp_of_the_worked_example_costs_what_the_guide_says() -> None:
    state = shown(guides.pictures(KEY)[0].moves).state
    player, camped = state.players[0], play(state, "camp").state.players[0]
    costs, on_cards = parts(state), player.on_cards
    assert on_cards == 1
    assert (costs.cards, costs.goods, costs.indians) == (2, 2, 2)
    assert guides.says(
        KEY,
        f"In the picture, player 1 has {len(player.hand)} cards in hand (a delay of {costs.cards}),"
        f" {player.goods.total} goods ({costs.goods}: 3 are free, 3 cost 1, the last 1)"
        f" and {player.indians + on_cards} Indians, one of them on a card ({costs.indians}: 1 is free, 2 cost 1"
        f" each). A camp's delay would be {costs.time}:"
        f" the scout would fall from {player.scout} to {camped.scout}, and the camp would stay on {camped.camp}.",
    )


def test_the_turns_of_the_worked_example_lead_to_a_camp_without_time() -> None:
    """They are those of the golden game: the canoe, the horse, the ride and the camp."""
    first = guides.pictures(KEY)[0].moves
    start, canoe, horse = (shown(first + more).state.players[0] for more in (0, 1, 4))
    assert canoe.goods == start.goods.take(["wood"] * 2).add(["canoe"])
    assert horse.goods == canoe.goods.take(["food", "wood", "canoe"]).add(["horse"])
    assert [player.indians for player in (start, canoe, horse)] == [2, 1, 0]
    ridden = shown(first + 7)
    moved, went_on, camped = (
        next(event for event in ridden.events if isinstance(event, kind)) for kind in (ScoutMoved, ScoutWentOn, Camped)
    )
    assert guides.says(KEY, f"rides to {moved.space}. Another scout stands there, so it goes to")
    assert (went_on.space, camped.time, camped.camp) == (34, 0, 34)
    assert guides.says(KEY, "3 goods and 1 Indian, the camp now brings no delay and moves up to 34.")
    rested = ridden.state.players[0]
    assert (rested.goods.total, rested.indians, len(rested.hand)) == (3, 1, len(start.cards))


# --- the example turns ----------------------------------------------------------------------------------------------


def test_the_first_example_turn_recruits_and_hunts() -> None:
    played = guides.play(KEY, guides.examples(KEY)[0])
    assert played.told(Recruited) == [Recruited(0, "weuche")]
    assert played.told(CardDiscarded) == [CardDiscarded(0, "blacksmith")]
    assert played.before.journal[0] == "weuche"
    assert played.told(Paid) == [Paid(0, ("1 equipment", "1 fur"))]
    assert guides.says(KEY, "so 1 fur and 1 equipment are paid.")
    assert played.told(Gained) == [Gained(0, ("1 food",))] * 2
    assert guides.says(KEY, "collects twice: 1 food each, since only one food badge is in sight.")
    assert played.after.seat == 1


def test_the_second_example_turn_crosses_mountain_and_river_and_camps() -> None:
    played = guides.play(KEY, guides.examples(KEY)[1])
    player = played.before.players[1]
    assert (played.seat, player.scout, player.camp) == (1, 24, 24)
    assert [event.space for event in played.told(ScoutMoved)] == [26, 28, 30]
    assert played.before.players[0].scout == 30
    assert played.told(ScoutWentOn) == [ScoutWentOn(1, 31)]
    assert played.told(Camped) == [Camped(1, time=1, scout=29, camp=29)]
    rested = played.after.players[1]
    assert (rested.goods.total, rested.indians) == (6, 2)
    assert boats.camp_time(rested.tiles, 6, 0) == 0
    assert guides.says(
        KEY,
        "The horse leads from 24 to 26, which is mountain and river; the food to 28, then 30. Player 1 stands there, so"
        " on to 31. Now a camp is cheap: no card in hand, 6 goods are free with two more boats, 2 Indians cost 1. The"
        " scout falls to 30, which is taken, so to 29, and the camp moves up from 24.",
    )
    assert player.hand == ("commander", "cutssahnem")


def test_strength_comes_from_a_card_and_an_indian() -> None:
    """Cutssahnem has strength 2, so with the Indian the second example turn has three uses."""
    typed = guides.examples(KEY)[1].typed[0]
    state = guides.position(KEY, guides.examples(KEY)[1].picture).state
    begun = play(state, typed.partition("; use")[0]).state
    assert begun.frame == Frame(source="commander", left=3)
    assert guides.says(KEY, "Cutssahnem and 1 Indian give strength 3.")
