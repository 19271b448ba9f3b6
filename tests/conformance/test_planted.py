"""Proof that the suite finds what it must find: each test plants one fault in a game and sees a law break."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine import selfplay
from engine.game import Command, Game, Options
from engine.games.livingstone import commands, events
from engine.games.livingstone import game as livingstone
from engine.games.livingstone.meta import LivingstoneOptions
from tests.kit import liars
from tests.kit.games import bids
from tests.kit.twins import Leak, play_twins, try_other_draws


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
def test_a_dealt_secret_told_to_everybody_is_found(
    table: Planted, kind: Any, law: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards and dice that are drawn in secret and told unsealed."""
    monkeypatch.setattr(kind, "sealed", ())
    with pytest.raises(Leak, match="is told what no view shows"):
        law(table)


def test_dice_unsealed_only_behind_a_reveal_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins part in the reveal, so this is found in one world with two draws."""

    class Unsealed(liars.Rolled, frozen=True, tag="Unsealed"):
        sealed = ()

    def play(doubt: Command, turn: Any, seat: int, honest: Any = liars.Doubt.play) -> None:
        monkeypatch.setattr(liars, "Rolled", Unsealed)
        honest(doubt, turn, seat)
        monkeypatch.setattr(liars, "Rolled", Unsealed.__base__)

    monkeypatch.setattr(liars.Doubt, "play", play)
    with pytest.raises(Leak, match="is told what no view shows"):
        other_draws(LIARS)


def drawn_in_public(play: Any) -> Any:
    """The same rule with `turn.chance` wherever it says `turn.secret`."""

    def public(command: Command, turn: Any, seat: int) -> None:
        secret, turn.secret = turn.secret, turn.chance
        play(command, turn, seat)
        turn.secret = secret

    return public


def test_a_hidden_card_drawn_in_public_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draw stands in the record beside `card: None`, and gives the card away."""
    monkeypatch.setattr(commands.Card, "play", drawn_in_public(commands.Card.play))
    with pytest.raises(Leak, match="was drawn in public"):
        other_draws(LIVINGSTONE)


def test_dice_dealt_in_public_at_the_start_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setup is judged as every other step."""

    def setup(turn: Any, seats: int, options: Any, honest: Any = liars.LIARS.setup) -> None:
        secret, turn.secret = turn.secret, turn.chance
        honest(turn, seats, options)
        turn.secret = secret

    monkeypatch.setattr(liars.LIARS, "setup", setup)
    with pytest.raises(Leak, match="was drawn in public"):
        other_draws(LIARS)


def test_public_draws_that_hang_on_a_secret_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draw from as many as the others' dice show tells their sum to who reads the record."""

    def play(raised: Command, turn: Any, seat: int, honest: Any = liars.Raise.play) -> None:
        turn.chance.die(1 + sum(map(sum, turn.state.dice)))
        honest(raised, turn, seat)

    monkeypatch.setattr(liars.Raise, "play", play)
    with pytest.raises(Leak, match="public draws tell"):
        twins(LIARS)
