"""Sentences: an event told over its own fields, a refusal explained over its facts.

A game writes one English template for each. Another language is a table of templates by tag in the shell, passed as
`words`. People are always named, never "you": the same sentence goes to every player.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import Refused
from engine.game import Event, Game, Outcome
from engine.kit.notation import names_seat
from engine.kit.play import ENDINGS, REFUSALS

HIDDEN = "hidden"
_FIELD = re.compile(r"\{(\w+)\}")  # of a notation among the facts: `play {card}` is told as `play CARD`


def tell(event: Event, names: Sequence[str] = (), words: Mapping[str, str] | None = None, hidden: str = HIDDEN) -> str:
    """One sentence, or "" if it is not told. `names` by seat; fields `seat`, `..._seat`, `..._seats` print as names."""
    template = (words or {}).get(type(event).__name__, event.words)
    if not template:
        return ""
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    return template.format_map({name: _say(name, value, names, hidden) for name, value in fields.items()})


def _say(name: str, value: Any, names: Sequence[str], hidden: str) -> str:
    if value is None:
        return hidden
    if names_seat(name):
        return names[value] if value < len(names) else f"Seat {value + 1}"
    if isinstance(value, tuple):
        one = name.removesuffix("s") if name.endswith("_seats") else ""
        return ", ".join(_say(one, item, names, hidden) for item in value) or "nothing"
    return str(value)


def explain(game: Game[Any], refusal: Refused) -> str:
    """Why a command was refused, in one sentence over its facts; facts that are seats print as `Seat 2`."""
    template = game.refusals.get(refusal.code) or REFUSALS[refusal.code]
    said = template.format_map({name: _say(name, value, (), HIDDEN) for name, value in refusal.facts.items()})
    return _FIELD.sub(lambda field: field[1].upper(), said)


def ending(game: Game[Any], ended: Outcome) -> str:
    """Why the game is over, in one sentence."""
    return game.endings.get(ended.reason) or ENDINGS[ended.reason]
