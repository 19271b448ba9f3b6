"""What is legal as a list for people and pages: each command with its words, and what each of them is."""

from __future__ import annotations

from typing import Any

from engine.game import Command, Game
from engine.kit import (
    Step,
    Word,
    called,
    describe,
    dump_steps,
    format_command,
    format_steps,
    kind_of,
    label,
    legal,
    pointed,
)
from server.projections.games import plain


def listed(game: Game[Any], state: Any, seat: int, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Every command that the seat may give in this state, in the game's own order."""
    return [
        _choice(game, command, seat, names) | {"label": label(game, state, seat, command, names)}
        for command in legal(game, state, seat)
    ]


def spelled(game: Game[Any], step: Step, names: tuple[str, ...]) -> dict[str, Any]:
    """A step of a move, as it is signed, typed and told."""
    return {
        "command": dump_steps((step,))[0],
        "notation": format_steps((step,)),
        "label": describe(game, step.command, names),
    }


def _choice(game: Game[Any], command: Command, seat: int, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "type": game.meta.key,
        "command": plain(command),
        "notation": format_command(command),
        "kind": command.__struct_config__.tag,
        "says": kind_of(command),
        "closes": command.closes,
        "words": [_word(word, called(game, command, word, names)) for word in pointed(command, seat)],
    }


def _word(word: Word, says: tuple[str, ...]) -> dict[str, Any]:
    """Only what there is to say: a list has hundreds of words."""
    told = _said(word.text, ", ".join(says)) | {"kind": word.kind or None}
    if word.seat is not None:
        told |= {"seat": word.seat}
    if word.parts:
        told |= {"parts": [_said(part, said) for part, said in zip(word.parts, says, strict=True)]}
    return told


def _said(word: str, says: str) -> dict[str, Any]:
    return {"word": word} if says == word else {"word": word, "says": says}
