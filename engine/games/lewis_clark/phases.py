"""What the seat whose turn it is may do now, what is forced, and what the clock plays.

    no action has begun    play village | recruit camp end; concede, against Mackenzie
    a card was played      what its line is used by | under indians stop
    it has been used       what its line is used by | stop

How many cards a hand has, their strengths and their badges are known to all, also where cards are covered; so a step is
forced in everybody's eyes whenever it is the only one that is allowed.
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


def phase(state: LewisClarkState) -> tuple[type[Command], ...]:
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
    """The only step that is allowed; it asks for no more than whether there is another.

    What it reads of a hand (how many cards, how strong) follows from what everybody knows.
    """
    if state.frames:
        return _forced_in_action(state, seat)
    if state.mackenzie is not None or (state.acted and not state.camped):
        return None  # giving up is always possible, and so is a camp
    if not state.acted and can_act(state, seat):
        return None  # two cards can be played, or an Indian can go to the canoes or the horses
    if not state.recruited and can_recruit(state, seat):
        return None
    return End() if state.camped else Camp()


def _forced_in_action(state: LewisClarkState, seat: int) -> Command | None:
    frame, player = state.frame, state.players[seat]
    if frame.left:
        more = (not frame.begun and can_strengthen(state, seat)) or acts.usable(state, seat)
        return None if more else Stop()
    if len(player.hand) + player.indians != 1:
        return None
    return under(state, player.hand[0]) if player.hand else Indians(1)


def default(state: LewisClarkState, seat: int) -> Command:
    """A card played for nothing, with another under it: cards come back at the next camp, and nothing is spent.

    A single player is to move again at once, so nothing that the clock plays would ever leave him owing nothing.
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
