"""Positions to try rules on: a game that has just begun, changed at will, with seat 1 (number 0) to move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine import replay
from engine.chance import closed_lane
from engine.game import Turn
from engine.games.discoveries import game
from engine.games.discoveries.dice import GREYS
from engine.games.discoveries.meta import DiscoveriesOptions
from engine.games.discoveries.state import Action, DiscoveriesState
from engine.kit import Supply, decide, format_command, legal, parse
from tests.kit.worlds import lanes, turn_at

ALL_COLOURS = ("red", "blue", "green", "yellow", "grey")


def dice(text: str) -> Supply:
    """`3 red-walk, grey-write` as a supply."""
    words = [item.split() for item in text.split(",") if item.strip()]
    return Supply.of({item[-1]: int(item[0]) if len(item) > 1 else 1 for item in words})


def laid(space: str, *colours: str, write: str = "") -> Action:
    """Dice on an action, one for each space."""
    return Action(space=space, dice=colours, write=write)


def position(seats: int = 3, players: Mapping[int, Mapping[str, Any]] | None = None, **fields: Any) -> DiscoveriesState:
    """No dice in reserves but those given; tribes 1, 2, 51 (friendly, wary, special) in the Camp.

    `players` changes seats, `fields` the rest. Cards are not taken from elsewhere: a rule case looks at few of them.
    """
    state: DiscoveriesState = begin(seats).state
    empty = replace(state.players[0], reserve=Supply(), exploring=0)
    state = replace(
        state,
        players=tuple(replace(empty, exploring=card) for card in (35, 22, 55, 40)[:seats]),
        encounters=(1, 2, 51),
        territories=(4, 5, 6),
        top=7,
        deck=(8, 9, 10, 11, 12),
        stock=GREYS[seats],
    )
    for seat, changes in (players or {}).items():
        read = {"reserve": dice(changes["reserve"])} if "reserve" in changes else {}
        state = state.with_player(seat, **{**changes, **read})
    return replace(state, **fields)


def lay_out(seats: int, word: str = "rules", options: DiscoveriesOptions | None = None) -> Turn:
    """A Camp that has just been laid out, with draws made from this word."""
    return replay.start(game, seats, options or DiscoveriesOptions(), *lanes(word))


def begin(seats: int, word: str = "rules") -> Turn:
    """A game in which every player has chosen the first card in the Territories."""
    turn = lay_out(seats, word)
    for _ in range(seats):
        turn = play(turn.state, f"choose {turn.state.territories[0]}", word)
    return turn


def play(state: DiscoveriesState, text: str, word: str = "rules", seat: int | None = None) -> Turn:
    """The turn after these commands of the seat to move, decided one by one without forced steps."""
    turn = turn_at(state, word)
    for step in parse(game, text):
        decide(game, turn, turn.state.seat if seat is None else seat, step.command)
    return turn


def undrawn(state: DiscoveriesState, text: str) -> Turn:
    """The same, with lanes of chance that raise on any roll or draw."""
    turn = Turn(state, closed_lane(), closed_lane())
    for step in parse(game, text):
        decide(game, turn, turn.state.seat, step.command)
    return turn


def options(state: DiscoveriesState, verb: str = "", seat: int | None = None) -> list[str]:
    """The legal commands of the seat to move that begin with this word, as text."""
    listed = (format_command(command) for command in legal(game, state, state.seat if seat is None else seat))
    return [text for text in listed if text.startswith(verb)]
