"""A guided first game, step by step: its sentences, positions and commands. Its number gives a position; nothing is
stored.
"""

from __future__ import annotations

from typing import Any

from engine import lessons, registry
from engine.kit import Palette, format_command, view
from engine.lessons import LEARNER, Lesson
from server.kernel.errors import Problem
from server.play.read import Sight, event_sentences, legal_list, previewed
from server.tables.read import plain

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


def lesson_of(key: str) -> Lesson:
    """The lesson of a game; Problem if the game does not exist or has none."""
    registry.find(key)
    found = lessons.lesson(key)
    if found is None:
        raise Problem("not-found")
    return found


def overview(key: str) -> dict[str, Any]:
    """The whole lesson in words."""
    taught = lesson_of(key)
    return {
        "type": key,
        "about": taught.about,
        "ends": taught.ends,
        "names": list(NAMES[: taught.seats]),
        "steps": [{"asks": one.asks, "why": one.why, "notation": one.move} for one in taught.steps],
    }


def sight(key: str, step: int) -> Sight:
    """The position before a step, counted from 1, or after the last one, from the learner's seat."""
    taught = lesson_of(key)
    if not 1 <= step <= len(taught.steps) + 1:
        raise Problem("not-found")
    return Sight(registry.find(key), lessons.stages(key)[step - 1].state, LEARNER, NAMES[: taught.seats])


def happened(key: str, step: int) -> list[str]:
    """What has led here from the step before, in sentences."""
    return event_sentences(lessons.stages(key)[step - 1].events, LEARNER, sight(key, step).names)


def board(at: Sight) -> str:
    return str(at.game.board(view(at.game, at.state, LEARNER), at.names))


def picture(at: Sight, palette: Palette = "light") -> str:
    return str(at.game.picture(view(at.game, at.state, LEARNER), at.names, palette))


def stage(key: str, step: int, palette: Palette = "light") -> dict[str, Any]:
    """A step with its position, all commands that are legal there, and the one that it asks for, if any."""
    at, taught = sight(key, step), lesson_of(key)
    prompt = taught.steps[step - 1] if step <= len(taught.steps) else None
    command = prompt and lessons.command(key, prompt)
    return {
        "type": key,
        "step": step,
        "asks": prompt and prompt.asks,
        "why": prompt and prompt.why,
        "command": plain(command) if command else None,
        "notation": format_command(command) if command else None,
        "sentences": happened(key, step),
        "board": board(at),
        "picture": picture(at, palette),
        "view": plain(view(at.game, at.state, LEARNER)),
        "legal": legal_list(*at) if command else [],
    }


def preview(
    key: str, step: int, commands: list[Any] | None, notation: str | None, palette: Palette = "light"
) -> dict[str, Any]:
    """The effect of any move at a step."""
    return previewed(sight(key, step), commands, notation, palette)
