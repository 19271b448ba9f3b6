"""The guide teaches the game: it answers twenty questions, and the engine plays what it shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine import registry
from engine.games.tikal import game
from engine.games.tikal.components import ACTION_POINTS, TILE, TREASURE_POINTS
from engine.games.tikal.events import Entered, GuardPosted, Scored, ScoringBegun, TreasureFound, TurnEnded, Walked
from engine.games.tikal.players.evaluate import later
from engine.games.tikal.roads import cost, placements
from engine.games.tikal.sale import sold
from engine.games.tikal.scoring import finds, held, holder, outcome
from engine.games.tikal.state import TikalState
from engine.kit import format_command, legal
from engine.kit.notation import head
from tests.games import guides
from tests.games.tikal.positions import begun, play, position, scoring
from tests.games.tikal.test_scoring import with_volcano
from tests.kit.refusals import refusal
from tests.kit.worlds import told

KEY = "tikal"
ME, OTHER = 0, 1
RUINS, MORE_RUINS = ("b3", "ruins-a1", 0), ("a3", "ruins-a2", 0)
ONE, TWO, THREE = ({"explorers": (count, 0, 0)} for count in (1, 2, 3))
SINGLES = {ME: {"treasures": ("bowl", "ring", "ring")}, OTHER: {"treasures": ("drum",)}}
GUARDED = position(sites={"a2": {"explorers": (4, 1, 0), "value": 6}})
AGAINST_A_LEADER = position(sites={"a2": {"explorers": (2, 0, 0), "leaders": (OTHER,)}})


def code(state: TikalState, text: str) -> str:
    """Return the code of the refusal."""
    return refusal(game, state, ME, text)[0]


def times(state: TikalState, text: str) -> int:
    """Return how often the command is legal in a row."""
    done = 0
    while text in map(format_command, legal(game, state, ME)):
        state, done = play(state, text).state, done + 1
    return done


def treasures_of_a_turn(state: TikalState) -> int:
    """Return how many treasures are dug up if the player digs wherever and as long as the rules allow it."""
    found = 0
    while digs := [text for text in map(format_command, legal(game, state, ME)) if text.startswith("dig ")]:
        turn = play(state, digs[0])
        state, found = turn.state, found + len(told(turn, TreasureFound))
    return found


def cells_for(tile: str, state: TikalState) -> set[str]:
    return {cell for cell, _ in placements(state.land, TILE[tile].stones)}


def points_until_the_next_player() -> int:
    """Return the action points of a player who draws a volcano: those of the scoring turn and of the turn after it."""
    drawn = play(with_volcano(2), "done")
    assert [event.seat for event in told(drawn, ScoringBegun)] == [OTHER]
    after = play(drawn.state, "done; done")
    assert (after.state.seat, after.state.doing, after.state.owes_tile) == (OTHER, "turn", True)
    return drawn.state.points + after.state.points


def winner_of_a_tie() -> tuple[tuple[int, ...], ...]:
    """Return the places of seat 1 with a temple of 6 and of seat 2 with more treasures, at equal points."""
    tied = position(
        2,
        sites={"a2": {"value": 6, "explorers": (1, 0)}},
        players={ME: {"temples": 30}, OTHER: {"temples": 30, "treasures": ("bowl", "drum")}},
    )
    ended = outcome(replace(tied, over="explored"))
    assert ended is not None
    return ended.places


class Question(msgspec.Struct, frozen=True):
    """A question with its answer, the sentence of the guide that gives it, and the engine's answer."""

    asked: str
    answer: Any
    sentence: str
    found: Callable[[], Any]


QUESTIONS = (
    Question(
        "How many points do three bowls and a ring bring in a scoring?",
        7,
        "One of a kind is worth 1 point, two alike are worth 3, three alike 6.",
        lambda: finds(("bowl", "bowl", "bowl", "ring")),
    ),
    Question(
        "May I lay a temple that touches only a volcano?",
        False,
        "At least one edge between it and a tile that is not a volcano must have a stone, on either of the two tiles.",
        lambda: "d2" in cells_for("temple-a1", position(laid=(("c2", "volcano-b1", 0),))),
    ),
    Question(
        "How many stones does a road cost where both tiles have three on the edge?",
        6,
        "Crossing an edge costs one action point for each stone on it, of both tiles together.",
        lambda: cost(position(laid=(("c2", "temple-c1", 2), ("d2", "temple-d2", 5))).land, (), "c2", "d2"),
    ),
    Question(
        "May I walk onto a volcano?",
        "no-way",
        "No piece ever enters one.",
        lambda: code(position(laid=(("c2", "volcano-b1", 0),), sites={"b2": ONE}), "walk b2 c2"),
    ),
    Question(
        "Do five explorers and a camp of another player on my way make it longer?",
        2,
        "Pieces, camps and guards of other players neither block your way nor make it dearer.",
        lambda: (
            told(
                play(
                    position(laid=(RUINS,), sites={"b2": {"explorers": (0, 5, 0), "tent": OTHER}, "a1": ONE}),
                    "walk a1 b3",
                ),
                Walked,
            )[0].cost
        ),
    ),
    Question(
        "What does it cost to go from the base camp to my camp on the other side of the jungle?",
        1,
        "From camp to camp (the base camp and yours) it is 1 point at any distance.",
        lambda: (
            told(
                play(position(laid=(("h5", "clearing-a1", 0),), sites={"h5": {"tent": ME}, "a1": ONE}), "walk a1 h5"),
                Walked,
            )[0].cost
        ),
    ),
    Question(
        "How many levels may one explorer uncover on a temple in a turn?",
        1,
        "A temple grows by at most two levels in a turn, and the second needs two pieces there.",
        lambda: times(position(sites={"a2": ONE}), "level a2"),
    ),
    Question(
        "How many levels may three explorers uncover on one temple in a turn?",
        2,
        "A temple grows by at most two levels in a turn, and the second needs two pieces there.",
        lambda: times(position(sites={"a2": THREE}), "level a2"),
    ),
    Question(
        "I have two explorers on each of two ruins. How many treasures may I dig up in this turn?",
        3,
        "Ten points pay for three treasures at most.",
        lambda: treasures_of_a_turn(position(laid=(RUINS, MORE_RUINS), sites={"b3": TWO, "a3": TWO})),
    ),
    Question(
        "May I choose which treasure I dig up?",
        False,
        "You find a treasure on ruins where you have a piece; chance decides which.",
        lambda: (
            len(
                {
                    told(play(position(laid=(RUINS,), sites={"b3": ONE}), "dig b3", word), TreasureFound)[0].treasure
                    for word in map(str, range(20))
                }
            )
            == 1
        ),
    ),
    Question(
        "Can another player refuse to swap a treasure?",
        ("bowl",),  # it is theirs at once
        "Nobody can refuse.",
        lambda: play(position(players=SINGLES), "swap bowl 2 drum").state.players[OTHER].treasures,
    ),
    Question(
        "May I swap one of my two rings?",
        "not-a-single",
        "You give a treasure of which you have exactly one for a treasure of which another player has exactly one.",
        lambda: code(position(players=SINGLES), "swap ring 2 drum"),
    ),
    Question(
        "May I pitch a camp on ruins that still hide a treasure?",
        "no-ground-for-a-camp",
        "On a clearing, or on ruins whose treasures are all dug up, where you have a piece.",
        lambda: code(position(laid=(RUINS,), sites={"b3": ONE}), "camp b3"),
    ),
    Question(
        "I have two explorers on a temple, and another player has a leader there. May I post a guard?",
        "not-the-strongest",
        "Strength is 1 for each explorer and 3 for the leader.",
        lambda: code(AGAINST_A_LEADER, "guard a2"),
    ),
    Question(
        "I have four explorers on a temple and post a guard. How many of them can still move afterwards?",
        0,
        "One of your pieces becomes the guard, and all your other pieces there leave the game.",
        lambda: play(GUARDED, "guard a2").state.laid("a2").explorers[ME],
    ),
    Question(
        "A temple of 8 holds two explorers of mine and two of another player. Who scores it?",
        None,
        "A temple without a guard scores for the player whose strength there is greater than that of every other; "
        "if the strongest are equal, nobody scores it.",
        lambda: holder(AGAINST_A_LEADER, replace(AGAINST_A_LEADER.laid("a2"), explorers=(2, 2, 0), leaders=())),
    ),
    Question(
        "Who scores at the end of my scoring turn?",
        [ME],
        "Beginning with you, each player takes a *scoring turn*: ten action points without a tile, "
        "and then that player alone scores.",
        lambda: [event.seat for event in told(play(scoring(position(), 0, 1, 2), "done"), Scored)],
    ),
    Question(
        "I draw a volcano. How many action points do I have in all before I am done with it?",
        20,
        "Afterwards you lay the volcano beside any tile, and your usual turn follows.",
        points_until_the_next_player,
    ),
    Question(
        "My ceiling is 9, the others have sealed 4 and 0. What do I pay?",
        5,
        "The highest wins and pays one more than the second highest, but never more than their own ceiling.",
        lambda: sold(((0, 9), (1, 4), (2, 0)))[1],
    ),
    Question(
        "We are equal in points. I hold a temple of 6; the other player holds none, but has more treasures. Who wins?",
        ((ME,), (OTHER,)),
        "If players are equal, the tallest temple that they hold decides, then the number of treasures; "
        "then they share the place.",
        winner_of_a_tie,
    ),
)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.asked)
def test_the_guide_answers_as_the_engine_does(question: Question) -> None:
    """The sentence is in the part that teaches, word for word, and the engine gives the same answer."""
    assert question.sentence in " ".join(guides.teaching(KEY).split())
    assert question.found() == question.answer


def test_twenty_questions_are_asked() -> None:
    assert len({question.asked for question in QUESTIONS}) == 20


# --- what is shown --------------------------------------------------------------------------------------------------


def test_the_worked_scoring_is_the_engines() -> None:
    """The picture shows the end of a scoring turn of seat 2; the sum of the guide is what it scored."""
    table = guides.position(KEY, guides.pictures(KEY)[1])
    (scored,) = told(table, Scored)
    temples, treasures = held(table.state, OTHER), table.state.players[OTHER].treasures
    parts = [*(value for _, value in temples), *(TREASURE_POINTS[treasures.count(one)] for one in treasures)]
    assert (scored.seat, scored.temples + scored.finds, sum(parts)) == (OTHER, 17, 17)
    assert (temples, treasures) == ((("a2", 10), ("b1", 5)), ("mask", "ring"))
    assert [cell for cell, _ in held(table.state, ME)] == ["c2", "d1"]
    assert guides.says(KEY, f"Together {' + '.join(map(str, parts))} = {scored.temples + scored.finds} points.")


def test_the_first_example_turn_finds_a_treasure() -> None:
    """All ten points are spent, and two explorers on the ruins can dig up two treasures next."""
    played = guides.play(KEY, guides.examples(KEY)[0])
    assert (played.seat, played.before.tile) == (OTHER, "ruins-a2")
    assert [event.cost for event in played.told(Entered)] == [1, 1, 1]
    assert [event.cost for event in played.told(Walked)] == [2, 2]
    assert [event.cost for event in played.told(TreasureFound)] == [3]
    assert [(event.seat, event.unused) for event in played.told(TurnEnded)] == [(OTHER, 0)]
    next_turn = replace(scoring(played.after, OTHER), points=ACTION_POINTS)
    assert len(told(play(next_turn, "dig b3; dig b3"), TreasureFound)) == 2


def test_the_second_example_turn_posts_a_guard() -> None:
    """The temple on a2 had no owner; now it brings seat 2 ten points in this scoring and in three more."""
    played = guides.play(KEY, guides.examples(KEY)[1])
    before = played.before.laid("a2")
    assert (played.seat, before.value, before.explorers, holder(played.before, before)) == (OTHER, 10, (1, 1), None)
    assert [event.cost for event in (*played.told(Walked), *played.told(GuardPosted))] == [4, 5]
    assert [(event.temples, event.finds) for event in played.told(Scored)] == [(14, 1)]
    assert [event.unused for event in played.told(TurnEnded)] == [1]
    assert (played.after.laid("a2").guard, played.after.players[OTHER].lost, later(played.after)) == (OTHER, 2, 3)


@pytest.mark.parametrize("picture", guides.pictures(KEY), ids=lambda picture: picture.caption)
def test_every_picture_shows_a_position_of_a_golden_game(picture: guides.Picture) -> None:
    state = guides.position(KEY, picture).state
    assert game.picture(game.view(state, None), ("Ann", "Ben")).startswith("<svg")


# --- the text -------------------------------------------------------------------------------------------------------


def test_the_guide_teaches_in_as_many_words_as_are_read() -> None:
    assert 600 <= guides.words(KEY) <= 1200


def test_every_command_and_option_is_explained() -> None:
    text = registry.guide(KEY)
    assert all(f"`{' '.join(head(kind))}" in text for kind in game.commands)
    assert all(f"`{name}`" in text for name in game.meta.options.__struct_fields__)


def test_people_read_explorer_and_never_worker() -> None:
    """Also in the sentences of commands, events and refusals."""
    templates = [kind.words for kind in (*game.commands, *game.events)]
    spoken = " ".join((registry.guide(KEY), *templates, *game.refusals.values()))
    assert "explorer" in spoken
    assert not re.search(r"\bworkers?\b", spoken)


def test_equal_ceilings_and_a_sale_without_bids_go_as_the_guide_says() -> None:
    """Seats 2, 3 and 1 bid, beginning with the opener."""
    assert guides.says(KEY, "Of equal ceilings the first from the opener on wins.")
    assert sold(((1, 4), (2, 6), (0, 6))) == (2, 6)
    assert guides.says(KEY, "If nobody bids, the opener chooses a tile for nothing.")
    assert sold(((1, 0), (2, 0), (0, 0))) == (1, 0)


def test_the_auction_begins_with_twenty_points() -> None:
    assert guides.says(KEY, "Everybody begins with 20")
    assert {player.total for player in begun(3, game.meta.options(variant="auction")).players} == {20}
