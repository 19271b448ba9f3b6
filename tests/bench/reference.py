"""A fixed piece of other people's work, so that figures of two machines or two years can be compared.

python-chess is another set of rules in plain Python: a seeded sequence of moves, each checked (`is_legal`) and made
(`push`), like a submitted command; or only made, like events that are folded. `make bench` installs it; nothing else
needs it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

try:
    import chess
except ImportError:
    chess = None

GAMES, PLIES = 6, 100


Work = Callable[[], object]


def chess_moves() -> tuple[Work, int] | None:
    """The work, and its number of moves; None where python-chess is not installed."""
    return _over_games(_make)


def chess_pushes() -> tuple[Work, int] | None:
    """As `chess_moves`, but no move is checked."""
    return _over_games(_push)


def _over_games(do: Callable[[list[Any]], None]) -> tuple[Work, int] | None:
    if chess is None:
        return None
    games = [_game(random.Random(seed)) for seed in range(GAMES)]
    return lambda: [do(moves) for moves in games], sum(map(len, games))


def _game(chosen: random.Random) -> list[Any]:
    """Random moves, until the game ends or has this many."""
    board = chess.Board()
    while len(board.move_stack) < PLIES and not board.is_game_over():
        board.push(chosen.choice(sorted(board.legal_moves, key=str)))
    return board.move_stack


def _make(moves: list[Any]) -> None:
    board = chess.Board()
    for move in moves:
        assert board.is_legal(move)
        board.push(move)


def _push(moves: list[Any]) -> None:
    board = chess.Board()
    for move in moves:
        board.push(move)
