"""Proof that the suite finds faults: each test plants one in a game and checks that a law fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from conformance import worlds
from conformance.draws import OutOfBound, drawn_eagerly, stay_within_the_bound
from conformance.twins import Leak, play_twins, try_other_draws
from engine import registry, selfplay
from engine.errors import EngineFault
from engine.game import Command, Game, Options, Turn
from engine.games.livingstone import commands, events
from engine.games.livingstone import game as livingstone
from engine.games.livingstone.meta import LivingstoneOptions
from engine.kit import outcome
from tests.kit import installed, liars
from tests.kit.games import bids
from tests.kit.games.pig import Pig, PigOptions, PigState

# --- secrets --------------------------------------------------------------------------------------------------------


class Planted(msgspec.Struct, frozen=True):
    """A table of a game that the registry does not know."""

    game: Game[Any]
    seats: int
    chosen: Any

    def __str__(self) -> str:
        return f"planted-{self.game.meta.key}-{self.seats}"


BIDS = Planted(bids.game, 3, bids.BidsOptions())
LIARS = Planted(liars.LIARS, 3, Options())
LIVINGSTONE = Planted(livingstone, 3, LivingstoneOptions())


def twins(table: Any) -> None:
    for number in range(12):
        for watcher in (None, 0, 2):
            play_twins(table, watcher, number)


def other_draws(table: Planted) -> None:
    for number in range(4):
        seed = selfplay.seed_of(str(table), number)
        for step in selfplay.walk(table.game, table.seats, table.chosen, seed):
            try_other_draws(table.game, table.seats, table.chosen, step)


each_law = pytest.mark.parametrize("law", [twins, other_draws], ids=lambda law: law.__name__)


@each_law
@pytest.mark.parametrize("table", [BIDS, LIARS, LIVINGSTONE], ids=str)
def test_nothing_is_found_where_nothing_is_planted(table: Planted, law: Any) -> None:
    """Also in the tiny Liar's dice, which no other test holds to the laws."""
    law(table)


@each_law
@pytest.mark.parametrize(
    ("table", "kind"),
    [(BIDS, bids.FavouriteDealt), (LIARS, liars.Rolled), (LIVINGSTONE, events.CardDrawn)],
    ids=lambda given: getattr(given, "__name__", str(given)),
)
def test_a_dealt_secret_shown_to_everybody_is_found(
    table: Planted, kind: Any, law: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards and dice that are drawn in secret and shown unsealed."""
    monkeypatch.setattr(kind, "sealed", ())
    with pytest.raises(Leak, match="is told what no view shows"):
        law(table)


def test_dice_unsealed_only_behind_a_reveal_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins differ in the reveal, so this is found in one world with two draws."""

    class Unsealed(liars.Rolled, frozen=True, tag="Unsealed"):
        sealed = ()

    def play(doubt: Command, turn: Any, seat: int, honest: Any = liars.Doubt.play) -> None:
        monkeypatch.setattr(liars, "Rolled", Unsealed)
        honest(doubt, turn, seat)
        monkeypatch.setattr(liars, "Rolled", Unsealed.__base__)

    monkeypatch.setattr(liars.Doubt, "play", play)
    with pytest.raises(Leak, match="is told what no view shows"):
        other_draws(LIARS)


class HighRolled(liars.Rolled, frozen=True, tag="HighRolled"):
    """Planted: its fields are sealed, but its kind shows that a six is among the dice."""


class SixSeen(liars.Raised, frozen=True, tag="SixSeen"):
    """Planted: an event that changes no state, emitted if the others hide a six."""

    def apply(self, state: liars.LiarsState) -> liars.LiarsState:
        return state


@each_law
def test_a_secret_shown_by_the_kind_of_an_event_is_found(law: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A good draw and a bad one are two kinds, each of them sealed."""

    def emit(turn: Any, event: Any, honest: Any = Turn.emit) -> None:
        is_high = type(event) is liars.Rolled and 6 in (event.dice or ())
        honest(turn, HighRolled(event.seat, event.dice) if is_high else event)

    monkeypatch.setattr(Turn, "emit", emit)
    with pytest.raises(Leak, match="is told"):
        law(LIARS)


@each_law
def test_a_secret_shown_by_the_presence_of_an_event_is_found(law: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves no trace in the position."""

    def emit(turn: Any, event: Any, honest: Any = Turn.emit) -> None:
        honest(turn, event)
        if type(event) is liars.Rolled and 6 in (event.dice or ()):
            honest(turn, SixSeen(event.seat, 0, 0))

    monkeypatch.setattr(Turn, "emit", emit)
    with pytest.raises(Leak, match="is told"):
        law(LIARS)


def drawn_in_public(play: Any) -> Any:
    """The same rule with `turn.chance` in place of `turn.secret`."""

    def public(command: Command, turn: Any, seat: int) -> None:
        secret, turn.secret = turn.secret, turn.chance
        play(command, turn, seat)
        turn.secret = secret

    return public


def test_a_hidden_card_drawn_in_public_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draw is in the record beside `card: None`, and gives the card away."""
    monkeypatch.setattr(commands.Card, "play", drawn_in_public(commands.Card.play))
    with pytest.raises(Leak, match="was drawn in public"):
        other_draws(LIVINGSTONE)


def test_dice_dealt_in_public_at_the_start_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setup is checked like every other step."""

    def setup(turn: Any, seats: int, options: Any, honest: Any = liars.LIARS.setup) -> None:
        secret, turn.secret = turn.secret, turn.chance
        honest(turn, seats, options)
        turn.secret = secret

    monkeypatch.setattr(liars.LIARS, "setup", setup)
    with pytest.raises(Leak, match="was drawn in public"):
        other_draws(LIARS)


def test_public_draws_that_depend_on_a_secret_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draw whose size is the sum of the others' dice reveals that sum to anyone who reads the record."""

    def play(raised: Command, turn: Any, seat: int, honest: Any = liars.Raise.play) -> None:
        turn.chance.die(1 + sum(map(sum, turn.state.dice)))
        honest(raised, turn, seat)

    monkeypatch.setattr(liars.Raise, "play", play)
    with pytest.raises(Leak, match="public draws tell"):
        twins(LIARS)


def test_a_price_that_depends_on_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players see the cost of a command before they give it."""
    monkeypatch.setattr(liars.Raise, "costs", lambda _, state, __: f"{sum(map(sum, state.dice))} of all dice")
    with pytest.raises(Leak, match=r"seat 1 can tell apart .*: `legal\[0\]\[\d\]` .*27 of.* and .*23 of"):
        twins(LIARS)


def test_a_waste_that_depends_on_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players see what a command gives up before they give it."""
    monkeypatch.setattr(liars.Raise, "wastes", lambda _, state, __: f"{sum(map(sum, state.dice))} of all dice")
    with pytest.raises(Leak, match=r"seat 1 can tell apart .*: `legal\[0\]\[\d\]` .*27 of.* and .*23 of"):
        twins(LIARS)


# --- bounds ---------------------------------------------------------------------------------------------------------


class Endless(Pig):
    """Planted: nobody ever reaches the goal."""

    def active(self, state: PigState) -> tuple[int, ...]:
        return (state.seat,)

    def outcome(self, state: PigState) -> None:
        return None


class CountsNoTurns(Endless):
    """Planted: no turn is ever counted either."""

    def turns(self, state: PigState) -> int:
        return 0


def test_the_kit_ends_a_game_that_never_ends() -> None:
    """At its cap, with the game's own ranking, and within its draws."""
    game = Endless()
    last = list(selfplay.walk(game, 2, PigOptions(), selfplay.seed_of("endless")))[-1].after
    ended = outcome(game, last)
    assert ended is not None
    assert (game.turns(last), ended.reason) == (game.meta.cap, "undecided")
    assert ended.places == game.standing(last).places
    stay_within_the_bound(game, drawn_eagerly(game, 2, PigOptions(), selfplay.seed_of("endless")))


def test_a_game_that_counts_no_turns_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cap never comes, and random play gives up."""
    monkeypatch.setattr(selfplay, "MOST_COMMANDS", 2000)
    with pytest.raises(EngineFault, match="play-without-end"):
        list(selfplay.walk(CountsNoTurns(), 2, PigOptions(), selfplay.seed_of("endless")))


@pytest.mark.parametrize(("key", "seats"), [("livingstone", 3), ("discoveries", 3), ("lewis_clark", 2)])
def test_a_bound_of_draws_that_is_too_low_is_found(key: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if random play stays within the bound, and only players who draw eagerly exceed it."""
    game, seed = registry.find(key), selfplay.seed_of("draws")
    eager = drawn_eagerly(game, seats, game.meta.options(), seed)
    random = sum(step.public for step in selfplay.walk(game, seats, game.meta.options(), seed))
    stay_within_the_bound(game, eager)
    monkeypatch.setattr(type(game), "meta", replace(game.meta, draws=random))
    stay_within_the_bound(game, random)
    with pytest.raises(OutOfBound):
        stay_within_the_bound(game, eager)


# --- games that cannot be tried -------------------------------------------------------------------------------------

PLANTED = """
from msgspec.structs import replace
from tests.kit.games.pig import Pig

class Planted(Pig):
    meta = replace(Pig.meta, key="{key}")

game = Planted()
"""


@pytest.fixture
def three_flawed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All games, with one whose entry point lacks its key, one without notes, and one that cannot be imported."""
    planted = {"planted_name": "planted_key", "planted_unnoted": "planted_unnoted", "planted_out": ""}
    for folder, key in planted.items():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "__init__.py").write_text(PLANTED.format(key=key) if key else "1 / 0")
    installed.package(tmp_path, {name: f"{name}:game" for name in planted})
    monkeypatch.syspath_prepend(tmp_path)
    registry.forget()
    yield
    monkeypatch.undo()
    registry.forget()


@pytest.mark.usefixtures("three_flawed")
def test_a_game_that_cannot_be_tried_fails_alone_with_a_reason() -> None:
    """Its own test fails with one sentence; the tables of all others are complete."""
    assert "planted_unnoted" in registry.games()
    flaws = {key: worlds.flaw(key) for key in worlds.tried() if worlds.flaw(key)}
    assert flaws == {
        "planted_name": "the game in `planted_name` of planted 1.0 has the key `planted_key`, and its entry point is "
        "called `planted_name`: name both alike",
        "planted_unnoted": "the game `planted_unnoted` has no `planted_unnoted/notes.py`: "
        "docs/add-a-game.md explains its contents",
        "planted_out": "the game in `planted_out` of planted 1.0 cannot be loaded: "
        "ZeroDivisionError: division by zero (__init__.py:1)",
    }
    assert set(worlds.keys()) == set(registry.games()) - set(flaws) == {table.key for table in worlds.tables()}


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "has no `pieces(state)`"), ("1 / 0", "cannot be read: ZeroDivisionError"), ("import nowhere", "nowhere")],
)
def test_unusable_notes_fail_with_a_reason(text: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal names the game and gives the reason."""

    def notes(key: str) -> ModuleType:
        exec(text, (module := ModuleType("notes")).__dict__)
        return module

    monkeypatch.setattr(worlds, "notes", notes)
    assert says in worlds.flaw("pig")
