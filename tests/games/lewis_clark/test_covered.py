"""Cards covered as in print: others see only the back, with strength, badge, and whether it is a role or a recruit."""

from __future__ import annotations

import json

import msgspec
import pytest
from msgspec.structs import replace

from conformance.twins import Leak, play_twins
from engine import replay
from engine.chance import closed_lane
from engine.errors import Refused
from engine.game import Command, Turn
from engine.games.lewis_clark import LewisClark, game
from engine.games.lewis_clark.board_says import SEALED, SEALED_UNTIL_3
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.commands import Under
from engine.games.lewis_clark.events import CardCovered, CardLaidUnder
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import LewisClarkState
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayed
from engine.kit import Step, complete, format_command, format_steps, names_of, redact, redact_command, tell, view
from engine.record.audit import audit
from engine.replay import read
from tests.games.lewis_clark.positions import play, position, supply
from tests.kit.play_record import Record
from tests.kit.worlds import Table, told, turn_at

COVERED = LewisClarkOptions(covered="hidden")
LAID = "play hunter; under commander; use; end"


def laid(options: LewisClarkOptions = COVERED, rules: int = 4) -> LewisClarkState:
    """Seat 1 has laid the Commander under the Hunter."""
    return moved(position(options=options, rules=rules), LAID).state


def moved(state: LewisClarkState, text: str) -> Turn:
    """Return the turn after these commands as they are typed, without backs."""
    return play(state, format_steps(read(game, state, 0, text)))


def alike(rules: int) -> LewisClarkState:
    """Seat 1 holds two roles and two recruits of strength 1 with a fur badge, and a card for each of them to cover."""
    hand = ("commander", "ebenezer-tuttle", "fur-trader", "hunter", "joseph-barter", "lumberjack")
    return position(options=COVERED, me={"hand": hand}, rules=rules)


def test_the_game_is_hidden_only_with_covered_cards() -> None:
    assert game.hidden(COVERED)
    assert not game.hidden(LewisClarkOptions())


def test_others_see_the_back_and_its_owner_the_card() -> None:
    """The back shows a role, its strength and its badge."""
    mine, theirs = view(game, laid(), 0).players[0], view(game, laid(), 1).players[0]
    assert mine.table == (SeenPlayed(card="hunter", under="commander", back="1-fur", kind="role"),)
    assert theirs.table == (SeenPlayed(card="hunter", back="1-fur", kind="role"),)
    assert view(game, laid(), None).players[0] == theirs


def test_a_hand_is_known_except_for_cards_that_may_lie_face_down() -> None:
    """Commander and Fur Trader share a back, so one of them is in hand."""
    seen = view(game, laid(), 1).players[0]
    assert seen.hand == ("blacksmith", "interpreter", "lumberjack")
    assert (seen.either, seen.down, seen.held) == (("commander", "fur-trader"), (), 4)


def test_a_unique_back_reveals_its_card() -> None:
    """Of these cards only the Interpreter shows 2 and wood, so the view names it."""
    state = moved(position(options=COVERED), "play hunter; under interpreter; use; use; end").state
    seen = view(game, state, 1).players[0]
    assert (seen.down, seen.either, len(seen.hand)) == (("interpreter",), (), seen.held)
    assert "face down: Interpreter 2" in " ".join(game.board(view(game, state, 1), names_of(3)).split())


def test_open_cards_are_seen_by_all() -> None:
    seen = view(game, laid(LewisClarkOptions()), 1).players[0]
    assert seen.table == (SeenPlayed(card="hunter", under="commander", back="1-fur", kind="role"),)
    assert (len(seen.hand), seen.either) == (4, ())


def test_after_the_camp_everything_is_known_again() -> None:
    """Every card came from an open place."""
    state = play(replace(laid(), seat=0), "camp").state
    assert len(view(game, state, 1).players[0].hand) == 6


def test_the_event_shows_others_only_the_back() -> None:
    turn = play(position(options=COVERED), "play hunter; under commander showing 1-fur as role")
    event = told(turn, CardCovered)[0]
    assert redact(event, 1) == CardCovered(0, None, 1, "fur", "role")  # type: ignore[arg-type]  # what others know
    assert "ommander" not in tell(redact(event, 1))
    assert tell(redact(event, None)) == "Seat 1 laid a role face down under it (strength 1, fur badge)."
    assert not told(turn, CardLaidUnder)


def test_the_command_seals_the_card_and_not_its_back() -> None:
    command = Under("commander", "1-fur", "role")
    assert redact_command(command, 1, 0) == Under(None, "1-fur", "role")  # type: ignore[arg-type]  # what others know


def test_the_engine_fills_in_the_back() -> None:
    """`under commander` is enough."""
    state = play(position(options=COVERED), "play hunter").state
    step = complete(game, state, 0, "under commander")[0]
    assert format_command(step.command) == "under commander showing 1-fur as role"
    assert complete(game, state, 0, "under comm") == (step,)
    opened = play(position(), "play hunter").state
    assert format_command(complete(game, opened, 0, "under commander")[0].command) == "under commander"


@pytest.mark.parametrize("counts", [True, False])
def test_badges_of_covered_cards_count_as_those_of_open_ones(counts: bool) -> None:
    """They are printed on the backs."""
    state = replace(laid(), options=replace(COVERED, face_down_badges=counts))
    assert view(game, state, 1).players[0].sees.count("fur") == counts


def test_the_default_move_covers_cards_too() -> None:
    turn = Turn(position(options=COVERED), closed_lane(), closed_lane())
    replay.expire(game, turn, 0)
    assert [event.card for event in told(turn, CardCovered)] == ["commander"]


def test_board_and_picture_show_that_cards_are_covered() -> None:
    """And in the open game they do not."""
    for options, count in ((COVERED, 1), (LewisClarkOptions(), 0)):
        seen = view(game, position(options=options), None)
        assert game.board(seen, names_of(3)).count(SEALED) == count
        assert game.picture(seen, names_of(3)).count(SEALED) == count


def test_the_board_of_others_names_no_covered_card() -> None:
    """It shows what may lie there."""
    state = position(options=COVERED, me={"hand": ("commander", "fur-trader", "hunter"), "goods": supply("")})
    state = play(state, "play hunter; under commander showing 1-fur as role; use; end").state
    names = names_of(3)
    other = replace(
        state,
        players=(
            state.players[0].__class__(
                hand=("commander",),
                table=(replace(state.players[0].table[0], under="fur-trader"),),
                scout=2,
                goods=state.players[0].goods,
                indians=state.players[0].indians,
            ),
            *state.players[1:],
        ),
    )
    shown = [game.board(view(game, one, 1), names) for one in (state, other)]
    assert shown[0] == shown[1]
    drawn = [game.picture(view(game, one, 1), names) for one in (state, other)]
    assert drawn[0] == drawn[1]


# --- backs by rules version -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "card", "kind", "either"),
    [
        (4, "commander", "role", ("commander", "fur-trader")),
        (4, "joseph-barter", "recruit", ("ebenezer-tuttle", "joseph-barter")),
        (3, "commander", None, ("commander", "ebenezer-tuttle", "fur-trader", "joseph-barter")),
        (3, "joseph-barter", None, ("commander", "ebenezer-tuttle", "fur-trader", "joseph-barter")),
    ],
)
def test_roles_and_recruits_have_other_backs_since_the_fourth_rules(rules, card, kind, either) -> None:
    """Others know then among which cards the covered one is. In games that began before they share backs."""
    turn = moved(alike(rules), f"play hunter; under {card}")
    seen = view(game, turn.state, 1).players[0]
    assert seen.table == (SeenPlayed(card="hunter", back="1-fur", kind=kind),)
    assert seen.either == either
    assert redact_command(Under(card, "1-fur", kind), 1, 0) == Under(None, "1-fur", kind)  # type: ignore[arg-type]  # what others know


def test_a_back_that_fits_one_role_reveals_it_beside_recruits_like_it() -> None:
    """A Fur Trader discarded, and a recruit with its strength and badge in hand: only the Commander lies there."""
    hand = ("commander", "ebenezer-tuttle", "hunter")
    for rules, down in ((4, ("commander",)), (3, ())):
        state = moved(position(options=COVERED, me={"hand": hand}, rules=rules), "play hunter; under commander").state
        assert view(game, state, 1).players[0].down == down


@pytest.mark.parametrize(
    ("rules", "kind", "fields"),
    [
        (4, "role", {"strength": 1, "badge": "fur", "kind": "role"}),
        (4, "recruit", {"strength": 1, "badge": "fur", "kind": "recruit"}),
        (3, "card", {"strength": 1, "badge": "fur"}),
    ],
)
def test_the_event_names_role_or_recruit_since_the_fourth_rules(rules, kind, fields) -> None:
    """In older games its bytes and its sentence are what they were."""
    card = "joseph-barter" if kind == "recruit" else "commander"
    event = redact(told(moved(alike(rules), f"play hunter; under {card}"), CardCovered)[0], None)
    assert msgspec.to_builtins(event) == {"is": "CardCovered", "seat": 0, "card": None, **fields}
    assert tell(event) == f"Seat 1 laid a {kind} face down under it (strength 1, fur badge)."


@pytest.mark.parametrize(("rules", "kind", "expected"), [(4, None, "1-fur as role"), (3, "role", "1-fur")])
def test_a_command_with_the_back_of_another_version_is_refused(rules, kind, expected) -> None:
    """The record has one form of each act."""
    state = play(position(options=COVERED, rules=rules), "play hunter").state
    with pytest.raises(Refused, match="other-back") as no:
        Under("commander", "1-fur", kind).check(state, 0)
    assert no.value.facts == {"card": "commander", "expected": expected}


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (4, ("a role below (1 fur)", "a recruit below (1 fur)", SEALED)),
        (3, ("a card below (1 fur)", "a card below (1 fur)", SEALED_UNTIL_3)),
    ],
)
def test_board_and_picture_tell_a_role_from_a_recruit(rules: int, words: tuple[str, str, str]) -> None:
    """Both show what the back shows, and nothing else about the card."""
    state = moved(alike(rules), "play hunter; under commander; use; end").state
    state = moved(replace(state, seat=0), "play lumberjack; under joseph-barter; use; end").state
    seen = view(game, state, 1)
    first, second, sentence = words
    board = " ".join(game.board(seen, names_of(3)).split())
    assert f"Hunter (food) with {first}; Lumberjack (wood) with {second}" in board
    assert sentence in board
    drawn = game.picture(seen, names_of(3))
    kinds = [said.split(" below")[0].capitalize() for said in (first, second)]
    assert all(f"{kind} below. Indians on it: 0" in drawn for kind in kinds)
    assert sentence in drawn


def test_open_games_are_the_same_under_both_versions() -> None:
    """Without covered cards commands and events have no backs."""
    turns = [moved(position(rules=rules), "play hunter; under commander") for rules in (3, 4)]
    assert turns[0].events == turns[1].events


# --- planted leaks are found ----------------------------------------------------------------------------------------


class ShowsHands(LewisClark):
    """Planted: every hand is shown."""

    def view(self, state: LewisClarkState, seat: int | None) -> LewisClarkView:
        seen: LewisClarkView = super().view(state, seat)  # type: ignore[assignment]  # the game's own view
        hands = zip(seen.players, state.players, strict=True)
        return replace(seen, players=tuple(replace(shown, hand=player.hand) for shown, player in hands))


class CountsLetters(LewisClark):
    """Planted: an action is stopped at once if the card below has a long name."""

    def forced(self, state: LewisClarkState, seat: int) -> Command | None:
        under = state.players[seat].table[-1].under if state.frames and state.players[seat].table else ""
        stops = under in CARDS and len(under) > 9 and state.frame.left and not state.frame.begun
        return self.commands[9]() if stops else super().forced(state, seat)


class TellsTheCard(LewisClark):
    """Planted: the card is laid down as in an open game, so everybody sees it."""

    def phase(self, state: LewisClarkState, seat: int) -> tuple[type[Command], ...]:
        return tuple(Telltale if kind is Under else kind for kind in super().phase(state, seat))

    def forced(self, state: LewisClarkState, seat: int) -> Command | None:
        return None

    def default(self, state: LewisClarkState, seat: int) -> Command:
        command = super().default(state, seat)
        return Telltale(command.card, command.back) if isinstance(command, Under) else command


class Telltale(Under, frozen=True, tag="telltale"):
    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(CardLaidUnder(seat, self.card, CARDS[self.card].strength))


@pytest.mark.parametrize(
    "leaky",
    [ShowsHands(), pytest.param(CountsLetters(), marks=pytest.mark.slow), TellsTheCard()],
    ids=lambda x: type(x).__name__,
)
def test_a_planted_leak_is_found(leaky: LewisClark) -> None:
    """A copy of the game with one leak fails the twins law within a few pairs."""
    with pytest.raises(Leak):
        _hunt(leaky)


def _hunt(leaky: LewisClark) -> None:
    for number in range(40):
        play_twins(Table("lewis_clark", 2, "covered"), 1, number, leaky)


def test_a_whole_move_may_be_typed_without_backs() -> None:
    """As in an open game; the record contains the backs."""
    steps = read(game, position(options=COVERED), 0, "play hunter; under commander; use; end")
    assert steps[1] == Step(Under("commander", "1-fur", "role"))


@pytest.mark.parametrize(("rules", "kind"), [(4, "role"), (3, None)])
def test_backs_stay_untyped_after_a_recruit(rules: int, kind: str | None) -> None:
    """A recruit draws, so the position after it is unknown; the back follows from the card and the rules version."""
    state = position(options=COVERED, me={"goods": supply("1 fur, 1 equipment")}, rules=rules)
    steps = read(game, state, 0, "recruit hay; play hunter; under commander; use; end")
    assert steps[2] == Step(Under("commander", "1-fur", kind))  # type: ignore[arg-type]  # a kind or None
    turn = turn_at(state, "rules")
    assert replay.move(game, turn, 0, steps) == replay.Moved(done=5)
    assert turn.state.seat == 1


def test_a_recruit_may_be_covered_in_the_same_line() -> None:
    """Its back follows from its name, though it was not in hand when the line was typed."""
    state = position(options=COVERED, me={"goods": supply("1 fur, 1 equipment")})
    steps = read(game, state, 0, "recruit hay; play hunter; under hay; use; end")
    assert replay.move(game, turn_at(state, "rules"), 0, steps) == replay.Moved(done=5)


def test_the_record_of_a_covered_game_seals_its_moves_and_audits() -> None:
    """A running record does not show which card lies below; a finished one opens and proves everything."""
    record = Record("lewis_clark", seats=2, seed=4, options=COVERED)
    record.play(60)
    events = [event for line in record.lines for event in json.loads(line).get("events", ())]
    laid_down = [event for event in events if event["is"] == "CardCovered"]
    assert laid_down
    assert {(event.get("card"), "badge" in event) for event in laid_down} == {(None, True)}
    assert {event["kind"] for event in laid_down} <= {"role", "recruit"}
    assert not any(b"showing" in line or b'"commands"' in line for line in record.lines)
    report = audit(record.play().bundle())
    assert (report.verdict, report.stage) == ("holds", "finished")
