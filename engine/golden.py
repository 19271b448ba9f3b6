"""Golden games: a whole game as readable text, which can be made again from its own moves.

    game: pig                     the head: the game, and the word from which its chance is drawn
    seats: 2
    rules: 1
    options: {"goal":30}
    chance: first
    begins: 1                     the seat that begins, if it is not drawn, so that a game still shows what it is for

    > Seat 1: roll; hold          a move; also `resigns`, and `clock` for a default move
    Seat 1 rolled 4.              everything else is made from the moves: what happened, in full,
    Seat 1 kept 4.
    = 1f0c54aa99d2e6b1            a short hash of the state; every 12 moves, the board

So a change of rules shows as a readable diff, and a new golden game needs only a head and its moves.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from engine import registry, replay, selfplay
from engine.chance import Lane
from engine.errors import BadNotation
from engine.game import Game, Turn
from engine.kit import Step, format_steps, names_of, outcome, parse, tell, view
from engine.record.encoding import canonical
from engine.record.encoding.canonical import H

HEAD = ("game", "seats", "rules", "options", "chance")
MAY = ("begins",)
BOARD_EVERY = 12


class Script(msgspec.Struct, frozen=True):
    """The source of a golden game; `moves` are (seat, text)."""

    game: str
    seats: int
    rules: int
    options: str
    chance: str
    begins: int | None = None  # counts from 1
    moves: tuple[tuple[int, str], ...] = ()


def read(text: str) -> Script:
    """The head and the moves of a golden text; everything else is ignored. BadNotation if the head is incomplete."""
    head: dict[str, str] = {}
    moves: list[tuple[int, str]] = []
    for line in text.splitlines():
        if line.startswith("> Seat "):
            seat, _, played = line.removeprefix("> Seat ").partition(": ")
            moves.append((int(seat) - 1, played))
        elif not moves and line.partition(": ")[0] in (*HEAD, *MAY):
            head.setdefault(*line.split(": ", 1))
    if set(head) - set(MAY) != set(HEAD):
        raise BadNotation("bad-notation", found=sorted(head), expected=HEAD)
    return msgspec.convert({**head, "moves": moves}, Script, strict=False)


def write(script: Script) -> str:
    """The whole golden text of a script."""
    named = ((name, getattr(script, name)) for name in (*HEAD, *MAY))
    head = [f"{name}: {value}" for name, value in named if value is not None]
    return "\n".join((*head, "", *_story(script))) + "\n"


def record(key: str, seats: int, chance: str, options: str = "{}") -> Script:
    """A script of random legal play; `chance` is the word from which everything is drawn."""
    game = registry.find(key)
    walked = selfplay.walk(game, seats, _options(game, options), selfplay.seed_of(chance))
    moves: list[tuple[int, list[Step]]] = []
    for step in walked:
        if step.seat is None or step.chosen is None:
            continue
        if not moves or moves[-1][0] != step.seat or len(moves[-1][1]) == 64:
            moves.append((step.seat, []))
        moves[-1][1].append(Step(step.chosen))
    played = tuple((seat, format_steps(steps)) for seat, steps in moves)
    return Script(key, seats, game.meta.rules[1], options, chance, moves=played)


def _options(game: Game[Any], text: str) -> Any:
    return msgspec.convert(json.loads(text), game.meta.options)


def _story(script: Script) -> Iterator[str]:
    game, turns = registry.find(script.game), play(script)
    turn = next(turns)
    yield from _step(game, turn, with_board=True)
    for number, (seat, text) in enumerate(script.moves, 1):
        yield f"> Seat {seat + 1}: {text}"
        turn = next(turns)
        last = outcome(game, turn.state)
        yield from _step(game, turn, with_board=number % BOARD_EVERY == 0 or last is not None)
    yield from _ending(game, turn.state)


def play(script: Script) -> Iterator[Turn]:
    """The turns of the game: that of its setup, then one for each move."""
    game = registry.find(script.game)
    turn = replay.start(game, script.seats, _options(game, script.options), *lanes(script), script.rules)
    yield turn
    for seat, text in script.moves:
        turn = Turn(turn.state, turn.chance.onward(), turn.secret.onward())
        _play(game, turn, seat, text)
        yield turn


def lanes(script: Script) -> tuple[Lane, Lane]:
    """Both lanes of chance, at the start of the script."""
    seed = selfplay.seed_of(script.chance)
    chance, secret = selfplay.lanes(seed, "public"), selfplay.lanes(seed, "hidden")
    return chance if script.begins is None else selfplay.begun_by(chance, script.begins - 1), secret


def _play(game: Game[Any], turn: Turn, seat: int, text: str) -> None:
    if text == "clock":
        replay.expire(game, turn, seat)
    elif text == "resigns":
        replay.resign(game, turn, seat)
    else:
        replay.move(game, turn, seat, parse(game, text))


def _step(game: Game[Any], turn: Turn, *, with_board: bool) -> Iterator[str]:
    yield from (sentence for event in turn.events if (sentence := tell(event)))
    yield f"= {H(canonical.dumps(msgspec.to_builtins(turn.state))).hex()[:16]}"
    if with_board:
        yield from ("", *_indented(game.board(view(game, turn.state, None), names_of(turn.state.seats)).splitlines()))
    yield ""


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"    {line}".rstrip() for line in lines)


def _ending(game: Game[Any], state: Any) -> Iterator[str]:
    ended = outcome(game, state)
    if ended is None:
        yield "The game goes on."
        return
    yield f"The game is over: {ended.reason}." + ("" if ended.won else " Nobody has won.")
    for place, seats in enumerate(ended.places, 1):
        yield f"{place}. " + ", ".join(f"Seat {seat + 1}" for seat in seats)
    for heading, points in ended.sheet:
        yield f"{heading}: " + " ".join(map(str, points))
    if ended.out:
        yield "out: " + ", ".join(f"Seat {seat + 1}" for seat in ended.out)
