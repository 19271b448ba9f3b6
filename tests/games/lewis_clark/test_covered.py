"""Cards covered as in print: others see only the strength and the badge on the back."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from conformance.twins import Leak, play_twins
from engine import replay
from engine.chance import closed_lane
from engine.game import Command, Turn
from engine.games.lewis_clark import LewisClark, game
from engine.games.lewis_clark.board_says import SEALED
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.commands import Under
from engine.games.lewis_clark.events import CardCovered, CardLaidUnder
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.state import LewisClarkState
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayed
from engine.kit import Step, complete, format_command, names_of, redact, redact_command, tell, view
from engine.record.audit import audit
from engine.replay import read
from tests.games.lewis_clark.positions import play, position, supply
from tests.kit.play_record import Record
from tests.kit.worlds import Table, told

COVERED = LewisClarkOptions(covered="hidden")
LAID = "play hunter; under commander showing 1-fur; use; end"


def laid(options: LewisClarkOptions = COVERED) -> LewisClarkState:
    """Seat 1 has laid the Commander under the Hunter."""
    text = LAID if options == COVERED else LAID.replace(" showing 1-fur", "")
    return play(position(options=options), text).state


def test_the_game_is_hidden_only_with_covered_cards() -> None:
    assert game.hidden(COVERED)
    assert not game.hidden(LewisClarkOptions())


def test_others_see_the_back_and_its_owner_the_card() -> None:
    """The back shows strength and badge."""
    mine, theirs = view(game, laid(), 0).players[0], view(game, laid(), 1).players[0]
    assert mine.table == (SeenPlayed(card="hunter", under="commander", back="1-fur"),)
    assert theirs.table == (SeenPlayed(card="hunter", back="1-fur"),)
    assert view(game, laid(), None).players[0] == theirs


def test_a_hand_is_known_except_for_cards_that_may_lie_face_down() -> None:
    """Commander and Fur Trader share a back, so one of them is in hand."""
    seen = view(game, laid(), 1).players[0]
    assert seen.hand == ("blacksmith", "interpreter", "lumberjack")
    assert (seen.either, seen.down, seen.held) == (("commander", "fur-trader"), (), 4)


def test_a_unique_back_reveals_its_card() -> None:
    """Of these cards only the Interpreter shows 2 and wood, so the view names it."""
    state = play(position(options=COVERED), "play hunter; under interpreter showing 2-wood; use; use; end").state
    seen = view(game, state, 1).players[0]
    assert (seen.down, seen.either, len(seen.hand)) == (("interpreter",), (), seen.held)
    assert "face down: Interpreter 2" in " ".join(game.board(view(game, state, 1), names_of(3)).split())


def test_open_cards_are_seen_by_all() -> None:
    seen = view(game, laid(LewisClarkOptions()), 1).players[0]
    assert seen.table == (SeenPlayed(card="hunter", under="commander", back="1-fur"),)
    assert (len(seen.hand), seen.either) == (4, ())


def test_after_the_camp_everything_is_known_again() -> None:
    """Every card came from an open place."""
    state = play(replace(laid(), seat=0), "camp").state
    assert len(view(game, state, 1).players[0].hand) == 6


def test_the_event_shows_others_only_the_back() -> None:
    turn = play(position(options=COVERED), "play hunter; under commander showing 1-fur")
    event = told(turn, CardCovered)[0]
    assert redact(event, 1) == CardCovered(0, None, 1, "fur")  # type: ignore[arg-type]  # what others know
    assert "ommander" not in tell(redact(event, 1))
    assert "strength 1, fur badge" in tell(redact(event, None))
    assert not told(turn, CardLaidUnder)


def test_the_command_seals_the_card_and_not_its_back() -> None:
    command = Under("commander", "1-fur")
    assert redact_command(command, 1, 0) == Under(None, "1-fur")  # type: ignore[arg-type]  # what others know


def test_the_engine_fills_in_the_back() -> None:
    """`under commander` is enough."""
    state = play(position(options=COVERED), "play hunter").state
    step = complete(game, state, 0, "under commander")[0]
    assert format_command(step.command) == "under commander showing 1-fur"
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
    state = play(state, "play hunter; under commander showing 1-fur; use; end").state
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
    assert steps[1] == Step(Under("commander", "1-fur"))


def test_the_record_of_a_covered_game_seals_its_moves_and_audits() -> None:
    """A running record does not show which card lies below; a finished one opens and proves everything."""
    record = Record("lewis_clark", seats=2, seed=4, options=COVERED)
    record.play(60)
    events = [event for line in record.lines for event in json.loads(line).get("events", ())]
    laid_down = [event for event in events if event["is"] == "CardCovered"]
    assert laid_down
    assert {(event.get("card"), "badge" in event) for event in laid_down} == {(None, True)}
    assert not any(b"showing" in line or b'"commands"' in line for line in record.lines)
    report = audit(record.play().bundle())
    assert (report.verdict, report.stage) == ("holds", "finished")
