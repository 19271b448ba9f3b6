"""The guide teaches the game: its sentences answer twenty questions, and the engine agrees with each answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from engine import registry, replay
from engine.games.livingstone import events as told_of
from engine.games.livingstone import game
from engine.games.livingstone.cards import KINDS
from engine.games.livingstone.components import HOUSE, TOTAL_CARDS, names_and_counts
from engine.games.livingstone.scoring import majority, outcome, too_little
from engine.games.livingstone.state import LivingstoneState
from engine.kit import Supply, legal
from engine.kit.notation import head
from tests.games import guides
from tests.games.livingstone.positions import lay, play, position
from tests.kit.refusals import refusal
from tests.kit.worlds import told, turn_at

KEY = "livingstone"
GUIDE = " ".join(guides.teaching(KEY).split())
NOTATION = registry.guide(KEY).partition(guides.NOTATION)[2]
LAST_DIE = {"dice": (0, 0, 0, 0, 0, 1)}

# --- twenty questions -----------------------------------------------------------------------------------------------


class Question(msgspec.Struct, frozen=True):
    """A new player's question, the answer, the sentence of the guide that gives it, and the engine's own answer."""

    asks: str
    answer: Any
    sentence: str
    engine: Callable[[], Any]


def after(text: str, me: dict[str, Any] | None = None, **more: Any) -> LivingstoneState:
    """Play these commands as seat 1 of three players, in column 4."""
    return play(position(players={0: me or {}}, **more), text).state


def refused(text: str, me: dict[str, Any] | None = None, **more: Any) -> str:
    """Return the code by which seat 1 is refused this command."""
    code, _ = refusal(game, position(players={0: me or {}}, **more), 0, text)
    return code


def scores_of_rows(*tents: int) -> list[int]:
    """Return the majority of each row, for seat 1 alone with a tent in every row of column 1."""
    state = position(players={0: {"tents": tents}})
    return [points for row in range(1, 7) for _, points in majority(state, row)]


def shared_row() -> tuple[tuple[int, int], ...]:
    """Return the points of row 2 for three seats with two tents each."""
    return majority(position(players={seat: {"tents": (12, 22)} for seat in range(3)}), 2)


def white_stone() -> tuple[int, int]:
    """Draw the white stone and a gem; return the stones beside the board and in the bag."""
    drawn = after("mine 2", bag=Supply.of({"white": 1, "red": 1}), sold=Supply.of({"black": 3, "blue": 1}))
    return drawn.sold.total, drawn.bag.total


def accident() -> tuple[int, int]:
    """Draw the accident; return the gems left to the three players, who all had some, and the cards of the drawer."""
    state = position(
        players={0: {"gems": (1, 2, 0)}, 1: {"gems": (3, 0, 1)}, 2: {"gems": (0, 1, 0)}},
        deck=Supply.of({"mine-accident": 1}),
        spent=Supply.of({"lion": 1}),
        bag=Supply(),
    )
    drawn = play(state, "card 1").state
    return sum(sum(player.gems) for player in drawn.players), len(drawn.players[0].hand)


def best_chest_wins_a_tie() -> tuple[tuple[int, ...], ...]:
    """End a game in which seats 2 and 3 tie on points, with donations of 1 and 5; seat 1 gave nothing."""
    players = {1: {"chest": 1}, 2: {"chest": 5}}
    ended = outcome(play(position(players=players, column=10, **LAST_DIE), "coins 6; end").state)
    assert ended is not None
    return ended.places


FULL_PURSE = {"coins": 9}
SHARED_SQUARE = {"players": {0: FULL_PURSE, 1: {"tents": (42, 42)}, 2: {"tents": (42,)}}}
QUESTIONS = (
    Question(
        "How many coins, tents and cards do I start with?",
        (3, 11, 0),
        "You** start with 3 coins in your purse, 11 tents and an empty chest for your gifts to the Queen;"
        " you hold no cards.",
        lambda: (lay(3).state.players[0].coins, lay(3).state.tents_left(0), len(lay(3).state.players[0].hand)),
    ),
    Question(
        "How many dice are rolled for four players?",
        8,
        "The first player rolls two dice for each player into one pool for everybody.",
        lambda: sum(lay(4).state.dice),
    ),
    Question(
        "I took a 3 before. May I take another 3?",
        "die-too-low",
        "Each die you take must be higher than the one you took before it in this round.",
        lambda: refused("coins 3", {"last": 3}),
    ),
    Question(
        "Must I take a die when I can?",
        "die-owed",
        "If you can take a die you must take exactly one.",
        lambda: refused("end"),
    ),
    Question(
        "No die fits me, but the next player can take one. Is the round over?",
        (1, 1),
        "If no die is left that you can take, you are skipped for the rest of the round, sales and gifts too.",
        lambda: ((state := after("coins 6; end", dice=(0, 0, 0, 0, 1, 1))).round, state.seat),
    ),
    Question(
        "How many coins does a 5 bring?",
        3 + 5,
        "**`coins D`**: take D coins from the bank.",
        lambda: after("coins 5").players[0].coins,
    ),
    Question(
        "How many stones do I draw with a 4?",
        4,
        "**`mine D`**: draw D stones from the bag.",
        lambda: len(told(play(position(), "mine 4"), told_of.StonesDrawn)[0].stones),
    ),
    Question(
        "What happens when I draw the white stone?",
        (0, 3 + 1 + 1),
        "If you draw the white stone, it returns to the bag with everything beside the board.",
        white_stone,
    ),
    Question(
        "Does a higher die bring more cards?",
        1,
        "**`card D`**: draw one card, whatever the number.",
        lambda: len(after("card 6", deck=Supply.of({"lion": 3})).players[0].hand),
    ),
    Question(
        "What does a tent cost in column 4, where two others have tents on the square?",
        2 + 1 + 1,
        "Pay the cost of the column to the bank, and 1 coin to each other player who has a tent on that square.",
        lambda: 9 - play(position(**SHARED_SQUARE), "tent 2").state.players[0].coins,
    ),
    Question(
        "May two of my tents be on one square?",
        (42, 42),
        "A square holds any number of tents.",
        lambda: after("tent 2", {"tents": (42,)}).players[0].tents,
    ),
    Question(
        "What do a clear, a blue and a red gem sell for?",
        1 + 3 + 5,
        "A clear gem brings 1 coin, a blue one 3, a red one 5.",
        lambda: after("sell 1 clear; sell 1 blue; sell 1 red", {"gems": (1, 1, 1)}).players[0].coins - 3,
    ),
    Question(
        "May I donate coins after my die, and take them back?",
        (1, 2, []),
        "Only you know how many, and you cannot take them back.",
        lambda: (
            (state := after("card 2; donate 2")).players[0].coins,
            state.players[0].chest,
            [each for each in legal(game, state, 0) if type(each).__name__ not in ("End", "Donate", "Play", "Raise")],
        ),
    ),
    Question(
        "Do I still pay when the elephants choose the row?",
        (46, 3 - 2),
        "the tent goes to row R, whatever the die shows. You still pay.",
        lambda: (
            (me := after("tent 1 row 6 elephants", {"hand": ("elephants",)}).players[0]).tents[0],
            me.coins,
        ),
    ),
    Question(
        "May I raise a tent in the steamer's column?",
        "steamer-is-there",
        "place a free tent in column C, row R, where there is one already, but not in the steamer's column",
        lambda: refused("raise 4 2", {"hand": ("raised-tent",), "tents": (42,)}),
    ),
    Question(
        "How many gems does a Mine Accident leave us all, and do I still get a card?",
        (0, 1),
        "all players' unsold gems go back into the bag and all played cards into the deck. Then you draw another card.",
        accident,
    ),
    Question(
        "Two players of three gave the Queen 2 coins, the third 4. Who is out?",
        (0, 1),
        "If several tie for the fewest, they are all out, but if everyone gave the same, nobody is.",
        lambda: too_little(position(players={0: {"chest": 2}, 1: {"chest": 2}, 2: {"chest": 4}}), None),
    ),
    Question(
        "With two players, four dice show 14 and I gave 14. Am I out?",
        (1,),
        "a player whose chest holds less than their sum is out.",
        lambda: too_little(position(2, {0: {"chest": 14}, 1: {"chest": 13}}), 14),
    ),
    Question(
        "How much are the rows worth to the player with the most tents?",
        [12, 10, 8, 6, 4, 2],
        "scores 12 points for row 1, 10 for row 2, then 8, 6, 4, and 2 for row 6.",
        lambda: scores_of_rows(11, 12, 13, 14, 15, 16),
    ),
    Question(
        "Three players have the most tents in row 2. What does each score?",
        ((0, 3), (1, 3), (2, 3)),
        "A tie is shared and rounded down.",
        shared_row,
    ),
    Question(
        "What are two red gems worth at the end?",
        2,
        "**Gems** that you have not sold are worth 1 point each, whatever their colour.",
        lambda: after("coins 6; end", {"gems": (0, 0, 2)}, column=10, **LAST_DIE).players[0].points[-1],
    ),
    Question(
        "Points are tied. Who wins?",
        ((2,), (1,), (0,)),
        "If points are tied, the larger donation decides; if that is tied too, the place is shared.",
        best_chest_wins_a_tie,
    ),
)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.asks)
def test_the_guide_answers_a_question_as_the_engine_does(question: Question) -> None:
    assert guides.says(KEY, question.sentence)
    assert question.sentence in GUIDE, "the part that teaches gives the answer"
    assert question.engine() == question.answer


def test_there_are_at_least_twenty_questions() -> None:
    assert len({question.sentence for question in QUESTIONS}) >= 20


def test_the_guide_is_as_long_as_a_lesson() -> None:
    assert 600 <= guides.words(KEY) <= 1200


# --- examples -------------------------------------------------------------------------------------------------------


def test_the_first_example_sells_places_and_donates() -> None:
    """3 + 3 coins for blue gems, 4 for the tent, 3 for the Queen; then row 4 is led by two tents to one."""
    example, _ = guides.examples(KEY)
    played = guides.play(KEY, example)
    before, after = (state.players[played.seat] for state in (played.before, played.after))
    assert (played.seat, before.coins, before.gems[1] - after.gems[1]) == (0, 2, 2)
    [tent] = played.told(told_of.TentPlaced)
    assert (tent.column, tent.row, tent.cost) == (7, 4, 4)
    assert (after.coins, after.chest - before.chest) == (2 + 3 - 4 + 3 - 3, 3)
    assert [told.coins for told in played.told(told_of.GemsSold)] == [3, 3]
    assert [(type(told), told.amount) for told in played.events if told.sealed] == [(told_of.Donated, 3)]
    assert majority(played.before, 4) == ((0, 3), (1, 3))
    assert majority(played.after, 4) == ((0, 6),)
    assert HOUSE.tent_points[tent.row - 1] == 4


def test_the_second_example_gives_everything_to_the_queen() -> None:
    """In the last round: 8 coins and 6 from the highest die, against the 12 and 7 that the others show."""
    _, example = guides.examples(KEY)
    played = guides.play(KEY, example)
    before, after = (state.players[played.seat] for state in (played.before, played.after))
    assert (played.seat, played.before.here, before.coins, before.chest) == (2, 10, 8, 0)
    assert [player.wealth for player in played.before.players[:2]] == [12, 7]
    assert [told.die for told in played.told(told_of.CoinsTaken)] == [max(c.die for c in dice(played.before))]
    assert (after.coins, after.chest, after.gems) == (0, 14, (2, 0, 0))
    assert (HOUSE.prices[0], HOUSE.gem_points) == (1, 1)


def dice(state: LivingstoneState) -> list[Any]:
    """Return the commands that take a die for coins."""
    return [command for command in legal(game, state, state.seat) if type(command).__name__ == "Coins"]


def test_the_scoring_example_is_the_end_of_the_game_that_is_shown() -> None:
    """Each number in it is the engine's: points by heading, donations, and the player who is out."""
    [shown] = [picture for picture in guides.pictures(KEY) if "at its end" in picture.caption]
    state = guides.position(KEY, shown).state
    ended = outcome(state)
    assert ended is not None
    first, second, third = state.players
    assert guides.says(KEY, "Seat 1 has scored {} points for tents and {} for a rhino.".format(*first.points[::2]))
    assert [dict(majority(state, row)).get(0) for row in (4, 6)] == [6, 2]
    assert first.points[3:] == (6 + 2, sum(first.gems)) == (6 + 2, 11)
    assert guides.says(KEY, f"{sum(first.gems)} unsold gems bring 11: {first.total} points in all.")
    assert [dict(majority(state, row)) for row in (1, 2)] == [{1: 6, 2: 6}, {1: 5, 2: 5}]
    assert guides.says(KEY, f"Seat 2 ends with {second.total} points, Seat 3 with {third.total}.")
    chests = "the chests hold {}, {} and {} coins".format(*(player.chest for player in state.players))
    assert guides.says(KEY, f"{chests}: Seat 2 gave the fewest and is out, so Seat 1 wins.")
    assert (ended.places, ended.out) == (((0,), (2,), (1,)), (1,))


# --- notation and figures -------------------------------------------------------------------------------------------


def test_every_command_is_explained_before_the_notation_and_listed_in_it() -> None:
    for kind in game.commands:
        word = rf"`{' '.join(head(kind))}\b"
        assert re.search(word, GUIDE), kind
        assert re.search(word, NOTATION), kind


@pytest.mark.parametrize("line", ["te 3", "tent 3 explorer row 2", "mine 5; try sell 1 red; donate 2; end"])
def test_an_example_of_the_notation_can_be_typed(line: str) -> None:
    assert f"`{line}`" in NOTATION
    me = {"hand": ("elephants", "explorer"), "coins": 3}
    turn = turn_at(position(players={0: me}))
    replay.move(game, turn, 0, replay.read(game, turn.state, 0, line))
    assert turn.events


def test_every_card_is_explained() -> None:
    animals = {"Lion", "Rhino", "Antelope"}
    explained = set(re.findall(r"- \*\*([A-Z][A-Za-z ]+)\*\*(?: \(|:)", GUIDE))
    assert {kind.name for kind in KINDS.values()} - animals <= explained
    assert "**Lion, Rhino, Antelope**" in GUIDE


def test_the_figures_are_those_of_the_house_edition() -> None:
    """Costs, stones, cards and what they bring."""
    stones, costs = HOUSE.stones, HOUSE.costs
    assert costs[::2] == costs[1::2]
    by_two = "{} coin in columns 1 and 2, {} in 3 and 4, {} in 5 and 6, {} in 7 and 8, {} in 9 and 10."
    assert by_two.format(*costs[::2]) in GUIDE
    gems = f"{stones.clear} clear, {stones.blue} blue and {stones.red} red gems"
    assert f"60 stones: {gems}, {stones.black} black stones and {stones.white} white one" in GUIDE
    assert f"a deck of {TOTAL_CARDS} cards" in GUIDE
    assert f"(`play coins`): take {HOUSE.coins_card} coins from the bank" in GUIDE
    assert f"(`play cave`): draw {HOUSE.cave_stones} stones from the bag" in GUIDE
    animals = (HOUSE.lion_points, HOUSE.rhino_points, HOUSE.antelope_points)
    assert "score {}, {} or {} points".format(*animals) in GUIDE
    assert HOUSE.market_coins == HOUSE.market_points
    market = "{} of each for a clear gem, {} for a blue one, {} for a red one".format(*HOUSE.market_coins)
    assert market in GUIDE


def test_the_house_figures_are_listed() -> None:
    """The costs by column, and the copies of all 27 cards in the order of the edition."""
    assert guides.says(KEY, f"by column: {' '.join(map(str, HOUSE.costs))}.")
    copies = ", ".join(f"{number} {word}" for word, number in names_and_counts(HOUSE.copies).items())
    assert guides.says(KEY, f"**Copies**: {copies}.")
