"""Moves: what is played, cut, skipped and refused; default moves; faults of ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

import pytest
from msgspec import Meta

from engine import registry, replay
from engine.errors import About, BadNotation, EngineFault, Refused
from engine.game import Command, Turn
from engine.kit import Step, active, explain, outcome, parse
from tests.kit.games.bids import Bid, Bids
from tests.kit.games.pig import Hold, Pig, PigOptions, PigState, Roll, Rolled
from tests.kit.worlds import Table, lane, turn_at, walked

PIG, BIDS = registry.find("pig"), registry.find("bids")


def pig(label: str = "a", seats: int = 2, goal: int = 30) -> Turn:
    """A new game of Pig whose dice follow from the label."""
    state = replay.start(PIG, seats, PigOptions(goal=goal), lane(label, "public"), lane(label, "hidden")).state
    return turn_at(state, label)


def dice(label: str, n: int) -> list[int]:
    drawn = lane(label, "public")
    return [drawn.die(6) for _ in range(n)]


def label_with(wanted: Any) -> str:
    """A label that gives these first dice."""
    return next(label for label in map(str, range(10_000)) if wanted(dice(label, 8)))


def test_a_move_refused_before_a_draw_changes_nothing() -> None:
    """The first command is refused and nothing has been drawn, so the whole move is refused."""
    turn = pig()
    before = turn.state
    with pytest.raises(Refused, match="nothing-to-hold"):
        replay.move(PIG, turn, 0, (Step(Hold()), Step(Roll())))
    assert (turn.state, turn.events, turn.fixed) == (before, [], False)


def test_a_move_refused_after_a_draw_is_cut_there() -> None:
    """A one ends the turn, so the player's further steps are dropped, and the answer shows where the move stopped."""
    label = label_with(lambda d: d[0] == 1)
    turn = pig(label)
    moved = replay.move(PIG, turn, 0, parse(PIG, "roll; roll; hold"))
    assert (moved.done, moved.refusal.code if moved.refusal else None) == (1, "not-active")
    assert [type(event).__name__ for event in turn.events] == ["Rolled", "TurnEnded"]


def test_a_step_marked_try_is_skipped_when_refused() -> None:
    """With `try` before a refused command, the rest is still played."""
    label = label_with(lambda d: 1 not in d[:1])
    turn = pig(label)
    moved = replay.move(PIG, turn, 0, parse(PIG, "try hold; roll; hold"))
    assert (moved.done, moved.refusal) == (3, None)


def test_a_move_of_skipped_steps_alone_is_refused() -> None:
    """A move that would leave no trace is not logged."""
    with pytest.raises(Refused, match="nothing-done"):
        replay.move(PIG, pig(), 0, parse(PIG, "try hold"))


def test_a_seat_that_is_not_active_is_refused_even_if_every_step_may_be_skipped() -> None:
    """Nothing changes."""
    turn = pig()
    with pytest.raises(Refused, match="not-active"):
        replay.move(PIG, turn, 1, parse(PIG, "try roll; try hold"))
    assert not turn.events
    assert not turn.fixed


def test_commands_after_the_end_are_refused_and_dropped() -> None:
    """The move that reaches the goal counts, since its die has fixed it; the player learns that the rest is refused."""
    label = label_with(lambda d: d[0] > 4)
    turn = pig(label, goal=5)
    moved = replay.move(PIG, turn, 0, parse(PIG, "roll; hold; roll; hold"))
    assert (moved.done, moved.refusal.code if moved.refusal else None) == (2, "not-active")
    assert outcome(PIG, turn.state) is not None


def about_to_win(label: str) -> Turn:
    """A turn that begins with the goal in the pot: to hold wins, and draws nothing."""
    rolled = pig(label, goal=5)
    replay.move(PIG, rolled, 0, parse(PIG, "roll"))
    return turn_at(rolled.state)


def test_a_move_that_goes_on_after_the_end_is_refused_if_nothing_fixed_it() -> None:
    """Like any other command that the rules do not allow: nothing of the move is logged."""
    turn = about_to_win(label_with(lambda d: d[0] > 4))
    with pytest.raises(Refused, match="not-active"):
        replay.move(PIG, turn, 0, parse(PIG, "hold; roll"))
    assert not turn.fixed


def test_a_step_marked_try_is_skipped_after_the_end() -> None:
    """A step marked as optional can end the game."""
    turn = about_to_win(label_with(lambda d: d[0] > 4))
    moved = replay.move(PIG, turn, 0, parse(PIG, "hold; try roll"))
    assert (moved.done, moved.refusal) == (2, None)
    assert outcome(PIG, turn.state) is not None


def test_a_refusal_names_the_command_of_the_move() -> None:
    """By number and text, unless the move has only one command."""
    with pytest.raises(Refused) as no:
        replay.move(PIG, pig(), 0, parse(PIG, "try hold; hold; roll"))
    assert explain(PIG, no.value) == "Command 2 (hold): There is nothing in the pot to hold."
    with pytest.raises(Refused) as no:
        replay.move(PIG, pig(), 0, parse(PIG, "hold"))
    assert explain(PIG, no.value) == "There is nothing in the pot to hold."


def test_a_refusal_names_every_forced_step_before_it() -> None:
    """Also those before an earlier command of the move."""

    class Forcing(Pig):
        def forced(self, state: PigState, seat: int) -> Command | None:
            return Roll() if state.rolls in (1, 2) else None

    turn = pig(label_with(lambda d: 1 not in d[:3]))
    refusal = replay.move(Forcing(), turn, 0, parse(PIG, "roll; hold; hold")).refusal
    assert refusal is not None
    assert refusal.about == About(3, 3, Hold(), (Roll(), Roll()))
    assert explain(PIG, refusal) == "Command 3 (hold), after what was forced (roll; roll): It is not this seat's turn."


def test_a_preview_stops_at_a_draw_and_is_marked_uncertain() -> None:
    """Nothing drawn is shown before it is logged."""
    shown = replay.preview(PIG, pig().state, 0, parse(PIG, "roll"))
    assert (shown.events, shown.done, shown.certain) == ((), 0, False)


def test_a_preview_stops_at_a_reveal_and_shows_no_bid() -> None:
    """The last bidder cannot look at the others' sealed bids and think again."""
    state = replay.start(BIDS, 2, BIDS.meta.options(), lane("b", "public"), lane("b", "hidden")).state
    turn = turn_at(state)
    replay.move(BIDS, turn, 0, (Step(Bid(3)),))
    shown = replay.preview(BIDS, turn.state, 1, (Step(Bid(2)),))
    assert (shown.events, shown.certain) == ((), False)


# --- what is typed after a draw -------------------------------------------------------------------------------------


class Opened(Rolled, frozen=True, tag="Opened"):
    reveals: ClassVar[tuple[str, ...]] = ("pot",)


class Throw(Command, frozen=True, tag="throw"):
    notation: ClassVar[str] = "throw"

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Rolled(seat, 6, turn.chance.die(6)))


class Peek(Command, frozen=True, tag="peek"):
    notation: ClassVar[str] = "peek"

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Rolled(seat, 6, turn.secret.die(6)))


class Open(Command, frozen=True, tag="open"):
    notation: ClassVar[str] = "open"

    def play(self, turn: Turn, seat: int) -> None:
        turn.emit(Opened(seat, 6, turn.chance.die(6)))


class Bank(Command, frozen=True, tag="bank"):
    """The pot, which a die has made, and which no other number may be."""

    notation: ClassVar[str] = "bank {pot} on {card}"
    pot: Annotated[int, Meta(ge=0, le=6)]
    card: Literal["ace", "king"]

    @classmethod
    def candidates(cls, state: PigState, seat: int) -> Iterator[Bank]:
        yield from (cls(state.pot, "ace"),) if state.rolls else ()


class Sign(Bank, frozen=True, tag="sign"):
    notation: ClassVar[str] = "sign {pot} on {card}"

    @classmethod
    def candidates(cls, state: PigState, seat: int) -> Iterator[Bank]:
        yield from (cls(0, "ace"),) if state.rolls else ()


class Drawing(Pig):
    commands: ClassVar[Any] = (Throw, Peek, Open, Bank, Sign)

    def phase(self, state: PigState, seat: int) -> tuple[type[Command], ...]:
        return self.commands  # type: ignore[no-any-return]  # kinds of commands


@pytest.mark.parametrize("text", ["throw; sign", "throw; sign on ace", "throw; si 0 on a", "throw; throw; sign"])
def test_a_line_after_a_draw_has_the_meaning_that_it_has_whatever_is_drawn(text: str) -> None:
    """So a whole turn can be typed in one line."""
    assert replay.read(Drawing(), pig().state, 0, text)[-1] == Step(Sign(0, "ace"))


@pytest.mark.parametrize("text", ["throw; bank", "peek; sign", "open; sign"])
def test_a_line_whose_meaning_a_draw_decides_or_that_follows_a_secret_is_written_out(text: str) -> None:
    """Completing it would show what nobody knows yet."""
    with pytest.raises(BadNotation):
        replay.read(Drawing(), pig().state, 0, text)
    whole = f"{text} 3 on ace"
    assert len(replay.read(Drawing(), pig().state, 0, whole)) == 2


def test_a_line_is_read_without_playing_those_before_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the cost of a text grows with the square of its lines: one play in each world is enough."""
    played, usual = list[object](), replay.decide
    monkeypatch.setattr(replay, "decide", lambda *given: played.append(given) or usual(*given))
    replay.read(Drawing(), pig().state, 0, "throw\n" * 64)
    assert len(played) <= 64 * (1 + replay.IMAGINED)


def test_the_clock_plays_default_until_the_seat_owes_nothing() -> None:
    """One expiry brings the turn to its end."""
    turn = pig()
    assert replay.expire(PIG, turn, 0) in (1, 2)
    assert active(PIG, turn.state) == (1,)


def test_the_clock_refuses_a_seat_that_owes_nothing() -> None:
    """Expiring a seat that is not to move changes nothing."""
    turn = pig()
    with pytest.raises(Refused, match="not-active"):
        replay.expire(PIG, turn, 1)
    assert turn.events == []


def test_a_game_of_two_ends_when_one_resigns() -> None:
    """The remaining player has won, whatever the points."""
    turn = pig()
    replay.resign(PIG, turn, 0)
    ended = outcome(PIG, turn.state)
    assert ended is not None
    assert (ended.places, ended.reason) == (((1,), (0,)), "resigned")


class Broken(Roll, frozen=True, tag="broken"):
    """A rule that refuses after it has drawn."""

    def play(self, turn: Turn, seat: int) -> None:
        turn.chance.die(6)
        raise Refused("too-late")


class Crashing(Roll, frozen=True, tag="crashing"):
    """A rule that fails."""

    def play(self, turn: Turn, seat: int) -> None:
        raise ZeroDivisionError


class Faulty(Pig):
    """Pig with rules that break the contract."""

    def phase(self, state: PigState, seat: int) -> tuple[type[Command], ...]:
        return (Broken, Crashing)


@pytest.mark.parametrize(("command", "code"), [(Broken(), "refused-in-play"), (Crashing(), "engine-fault")])
def test_a_rule_that_breaks_the_contract_is_our_fault(command: Command, code: str) -> None:
    """It is not reported as the player's mistake, and nothing is logged."""
    with pytest.raises(EngineFault, match=code):
        replay.move(Faulty(), pig(), 0, (Step(command),))


class Lost(Pig):
    """Pig that cannot say what is forced or what the clock plays."""

    broken = ""

    def forced(self, state: Any, seat: int) -> Command | None:
        return self._none_if("forced")

    def default(self, state: Any, seat: int) -> Command:
        return self._none_if("default") or Hold()

    def _none_if(self, what: str) -> None:
        if self.broken == what:
            raise ZeroDivisionError


@pytest.mark.parametrize("broken", ["forced", "default"])
def test_a_game_that_fails_to_choose_the_clocks_step_is_our_fault(broken: str) -> None:
    """The clock stops such a game instead of trying its seat again and again."""
    lost = Lost()
    lost.broken = broken
    with pytest.raises(EngineFault, match="engine-fault"):
        replay.expire(lost, pig(), 0)


class Endless(Bids):
    """A default that never ends the turn."""

    def default(self, state: Any, seat: int) -> Command:
        return Bid(99)


def test_a_default_that_is_refused_is_our_fault() -> None:
    """The clock's own command must be legal."""
    state = replay.start(BIDS, 2, BIDS.meta.options(), lane("b", "public"), lane("b", "hidden")).state
    with pytest.raises(EngineFault, match="own-step-refused"):
        replay.expire(Endless(), turn_at(state), 0)


def test_a_preview_warns_of_what_a_move_wastes(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the position before the command, also of one that chance follows; a refused command wastes nothing."""
    monkeypatch.setattr(Roll, "wastes", lambda _, state, seat: f"seat {seat} had {state.pot}")
    monkeypatch.setattr(Hold, "wastes", lambda *_: "refused")
    state = pig().state
    seen = replay.preview(PIG, state, state.seat, [Step(Roll())])
    assert (seen.certain, seen.warnings) == (False, (f"seat {state.seat} had 0",))
    assert replay.preview(PIG, state, state.seat, [Step(Hold())]).warnings == ()


def test_games_warn_of_their_typical_waste() -> None:
    """Ten unused action points, a rest without dice; nothing if the points are spent."""
    found = {key: _first_waste(key) for key in ("tikal", "discoveries", "lewis_clark")}
    assert found["tikal"] == "10 of 10 action points are unused and will be lost."
    assert found["discoveries"] == "You rest without any of the dice that you could take."
    assert found["lewis_clark"] == "You could use this action, and have not used it yet."


def _first_waste(key: str) -> str:
    """The first sentence of this kind in a random game."""
    told = (
        command.wastes(step.before, step.seat)
        for step in walked(Table(key, registry.find(key).meta.seats[0] if key != "lewis_clark" else 2))
        for command in step.legal
    )
    return next(filter(None, told))
