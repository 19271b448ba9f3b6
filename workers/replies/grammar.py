"""What counts as a command in a reply: what the game's grammar reads, written out or as it is meant in the position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import replay
from engine.errors import SealedMoveError
from engine.game import Game, State
from engine.kit import parse
from engine.kit.grammar import words_of
from engine.kit.notation import head
from workers.replies.parser import IsCommand

MOST_LOOKS = 64  # at the position: a mail in which every line begins like a command keeps nobody busy


def begins(game: Game[Any], text: str) -> bool:
    """Does a line begin as a command does, written out?"""
    words = words_of(text)[0]
    return any(words[: len(begin)] == list(begin) for begin in map(head, game.commands))


def commands_of(game: Game[Any], state: State, seat: int) -> IsCommand:
    """For one seat now. Words may be cut short or left out, as where commands are typed elsewhere, but never the first.

    So a line of chatter is no command by chance: it would have to begin with one's first word and mean one to its end.
    """
    left = [MOST_LOOKS]

    def knows(before: Sequence[str], text: str) -> bool:
        try:
            parse(game, text)
        except SealedMoveError:
            return begins(game, text) and is_meant([*before, text])
        return True

    def is_meant(lines: Sequence[str]) -> bool:
        left[0] -= 1
        if left[0] < 0:
            return False
        try:
            replay.read(game, state, seat, "\n".join(lines))
        except SealedMoveError:
            return False
        return True

    return knows
