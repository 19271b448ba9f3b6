"""Commands that the seat to move may give now, the forced one, and the default move.

    no action has begun    play village | recruit camp end; concede, against Mackenzie
    a card was played      the commands of its line | under indians stop
    it has been used       the commands of its line | stop

The number, strengths and badges of the cards in a hand are public even with `covered` set to `hidden`. So everybody can
work out whether a step is the only one allowed.
"""

from __future__ import annotations

from engine.game import Command
from engine.games.lewis_clark import acts
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.commands import (
    Camp,
    Concede,
    End,
    Indians,
    Play,
    Recruit,
    Stop,
    Under,
    Village,
    can_act,
    can_recruit,
    can_strengthen,
    under,
)
from engine.games.lewis_clark.state import LewisClarkState


def active(state: LewisClarkState) -> tuple[int, ...]:
    return () if state.over else (state.seat,)


def phase(state: LewisClarkState, seat: int) -> tuple[type[Command], ...]:  # noqa: ARG001 - asked for the seat in turn only
    if not state.frames:
        return _of_the_turn(state)
    strength = () if state.frame.begun else (Under, Indians)
    return (Stop, *strength, *acts.kinds(state))


def _of_the_turn(state: LewisClarkState) -> tuple[type[Command], ...]:
    action = () if state.acted else (Play, Village)
    camp = () if state.camped else (Camp,)
    recruit = () if state.recruited else (Recruit,)
    alone = () if state.mackenzie is None else (Concede,)
    return (*action, End, *camp, *recruit, *alone)


def forced(state: LewisClarkState, seat: int) -> Command | None:
    """Return the only step that is allowed, or None if there is another.

    Since rules version 3, also None for a camp that brings nothing back: if it were played, a seat could be played turn
    after turn without being asked. All that it reads of a hand, the number of cards and their strengths, is public.
    """
    if state.frames:
        return _forced_in_action(state, seat)
    if state.mackenzie is not None or (state.acted and not state.camped):
        return None  # the player may give up or camp
    if not state.acted and can_act(state, seat):
        return None  # two cards make an action, and so does an Indian at the canoes or the horses
    if not state.recruited and can_recruit(state, seat):
        return None
    if state.camped:
        return End()
    return None if state.rules >= 3 and not state.players[seat].table else Camp()


def _forced_in_action(state: LewisClarkState, seat: int) -> Command | None:
    frame, player = state.frame, state.players[seat]
    if frame.left:
        more = (not frame.begun and can_strengthen(state, seat)) or acts.usable(state, seat)
        return None if more else Stop()
    if len(player.hand) + player.indians != 1:
        return None
    return under(state, player.hand[0]) if player.hand else Indians(1)


def default(state: LewisClarkState, seat: int) -> Command:
    """Return a move that spends nothing: a card with another under it; both come back at the next camp.

    A single player is to move again at once, so no default move but `concede` would ever end the wait.
    """
    if state.frames:
        return _in_action(state, seat)
    if state.mackenzie is not None:
        return Concede()
    if state.acted:
        return End()
    player = state.players[seat]
    if len(player.hand) > 1 or (player.hand and player.indians):
        return Play(_weakest(player.hand))
    if not state.camped and (player.table or not player.indians):
        return Camp()
    return Village("canoes", 1) if player.indians else End()


def _in_action(state: LewisClarkState, seat: int) -> Command:
    hand = state.players[seat].hand
    if state.frame.left:
        return Stop()
    return under(state, _weakest(hand)) if hand else Indians(1)


def _weakest(hand: tuple[str, ...]) -> str:
    return min(hand, key=lambda card: (CARDS[card].strength, card))
