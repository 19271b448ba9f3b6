"""Frames of actions under way: activations begin here, and an action ends by itself once its strength is used."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Event, Turn
from engine.games.lewis_clark import route
from engine.games.lewis_clark.cards import LINES
from engine.games.lewis_clark.effects import Cost
from engine.games.lewis_clark.events import (
    Activated,
    CardPlayed,
    Copied,
    FrameEnded,
    IndiansPlaced,
    Paid,
    ScoutWentOn,
    SpendingLimited,
)
from engine.games.lewis_clark.payments import Pay, spendable
from engine.games.lewis_clark.state import Frame, LewisClarkState, counted


def activate(turn: Turn, seat: int, cost: Cost, pay: Pay) -> None:
    """Begin and pay one activation of the action on top."""
    frame: Frame = turn.state.frame
    line = LINES[frame.source]
    if line.fresh and frame.bank is None:
        turn.emit(SpendingLimited(counted(spendable(turn.state, seat).pieces)))
    turn.emit(Activated(frame.source, 0 if line.once else frame.left - 1))
    paid = (*cost.fixed, *(pay or ()))
    if paid:
        turn.emit(Paid(seat, counted(paid)))


def close(turn: Turn, seat: int) -> None:
    """End actions that have no strength left or no use for it; each pass removes a frame."""
    while turn.state.frames and _is_over(turn.state.frame):
        end(turn, seat)


def _is_over(frame: Frame) -> bool:
    """A card that only works while face up has no ways; its action is over with the first strength it gets."""
    return (frame.begun and not frame.left) or ((frame.begun or bool(frame.left)) and not LINES[frame.source].ways)


def last_ended(events: Sequence[Event]) -> str:
    """Return the source of the action that ended last in this move with strength left, or "" if there is none."""
    open_: list[tuple[str, bool]] = []  # the sources of actions under way, and whether strength is left
    ended = ("", False)
    for event in events:
        match event:
            case CardPlayed(card=source) | IndiansPlaced(place=source) | Copied(source=source):
                open_.append((source, True))
            case Activated(source=source, left=left):
                open_[-1:] = [(source, left > 0)]
            case FrameEnded():
                ended = open_.pop() if open_ else ("", False)
    return ended[0] if ended[1] else ""


def end(turn: Turn, seat: int) -> None:
    """End the action on top. After the last one, a scout that shares a space goes on to a free one."""
    moved: bool = turn.state.moved
    turn.emit(FrameEnded(seat))
    state: LewisClarkState = turn.state
    if state.frames or not moved:
        return
    scout = state.players[seat].scout
    space = route.settle(scout, scout - 1, state.scouts(without=seat))
    if space != scout:
        turn.emit(ScoutWentOn(seat, space))
