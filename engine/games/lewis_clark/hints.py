"""Commands that are possible now and an example, both made from the position, so that both can be played."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.game import Command
from engine.games.lewis_clark import acts, phases
from engine.games.lewis_clark.acts import Use
from engine.games.lewis_clark.commands import Camp, End, Indians, Play, Recruit, Stop, Under, Village, under
from engine.games.lewis_clark.effects import Choose, Effect, Tile, Way
from engine.games.lewis_clark.events import CardLaidUnder, CardPlayed
from engine.games.lewis_clark.state import LewisClarkState
from engine.kit import allowed, format_command

_FIELD = re.compile(r"\{(\w+)\}")


def possible(state: LewisClarkState) -> tuple[str, ...]:
    """Return the kinds of command that the seat to move can give now, such as `play CARD`.

    They are public: they depend only on how many cards a hand has and on their strengths.
    """
    kinds = (kind for kind in phases.phase(state, state.seat) if _first((kind,), state))
    return tuple(_shown(kind, state) for kind in kinds)


def _shown(kind: type[Command], state: LewisClarkState) -> str:
    """Return the notation as people read it, with only the options that mean something now."""
    notation = kind.notation.removesuffix(" [showing {back}] [as {kind}]")
    if kind is Use:
        notation = _use(acts.line_of(state).ways)
    return (
        _FIELD.sub(lambda field: field[1].upper(), notation)
        .replace("COUNT", "N")
        .replace("ONLY", "N")
        .replace("DISCARD", "CARD")
    )


def _use(ways: tuple[Way, ...]) -> str:
    parts = (
        (" as {way}", len(ways) > 1),
        (" pay {pay}", any(way.cost.chosen for way in ways)),
        (" take {take}", any(isinstance(way.effect, Choose) or _holds_goods(way.effect) for way in ways)),
    )
    return "use" + "".join(part for part, is_said in parts if is_said) + " [only {only}]"


def _holds_goods(effect: Effect) -> bool:
    return isinstance(effect, Tile) and effect.holds == "goods"


def example(state: LewisClarkState) -> str:
    """Return a line that the seat to move could type now."""
    if state.frames:
        kinds = (*acts.kinds(state), *(() if state.frame.begun else (Under, Indians)), Stop)
        return _written(_first(kinds, state))
    if state.acted:
        return _written(_first((Recruit, End), state))
    return next(_actions(state), "") or _written(_first((Village, Play, Recruit, Camp, End), state))


def _actions(state: LewisClarkState) -> Iterator[str]:
    """Yield lines of a card, another under it, and a use that can be paid."""
    seat, hand = state.seat, state.player.hand
    for card in hand:
        below = next((other for other in hand if other != card), None)
        if below is None:
            return
        begun = CardLaidUnder(seat, below, 1).apply(CardPlayed(seat, card).apply(state))
        used = _first(acts.kinds(begun), begun)
        if used is not None:
            yield f"play {card}; {_plain(under(state, below))}; {format_command(used)}"


def _first(kinds: tuple[type[Command], ...], state: LewisClarkState) -> Command | None:
    """Return the first legal command of these kinds. A rule does not know what is done once a turn; the phase does."""
    now = phases.phase(state, state.seat)
    return next(allowed((kind for kind in kinds if kind in now), state, state.seat), None)


def _written(command: Command | None) -> str:
    return _plain(command) if command else ""


def _plain(command: Command) -> str:
    """Return the command as people type it: without the back, which follows from the card."""
    return format_command(command).partition(" showing ")[0]
