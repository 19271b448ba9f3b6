"""A rule of thumb: travel whenever the price is aboard, else fetch what travelling costs; camp once no card is of use.

It reaches the mountains and seldom crosses them.
"""

from __future__ import annotations

from engine.game import Command
from engine.games.lewis_clark.acts import Copy, Discard, Gather, Invite, Use
from engine.games.lewis_clark.cards import CARDS, LINES
from engine.games.lewis_clark.commands import Camp, Concede, End, Indians, Play, Recruit, Stop, Under, Village
from engine.games.lewis_clark.components import MOST_STRENGTH
from engine.games.lewis_clark.effects import Gather as GatherEffect
from engine.games.lewis_clark.effects import Move, Take, Way
from engine.games.lewis_clark.payments import payable
from engine.games.lewis_clark.players.evaluate import KEEP, moves
from engine.games.lewis_clark.route import terrain
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayer
from engine.players import Thumb

LIKES: dict[type[Command], float] = {
    Use: 12.0, Gather: 11.0, Invite: 10.0, Copy: 9.0, Indians: 8.0, Under: 7.0, Village: 7.0, Play: 6.0,
    Stop: 4.0, End: 3.0, Recruit: 1.0, Discard: 1.0, Camp: 0.5, Concede: -9.0,
}  # fmt: skip
WANTS = {"food": 4, "canoe": 1, "wood": 1, "equipment": 1, "fur": 1}  # aboard
HORSES = 2  # aboard when mountains are near
FOR_TRAVEL = ("canoes", "horses")  # places of the village
NEAR = 3  # spaces
ENOUGH = 3  # food with which it is time to travel
INDIANS = 1  # aboard and on cards


def likes(view: LewisClarkView, seat: int, command: Command) -> float:
    """Like what is of use, and keep the cards that a game needs."""
    player = view.players[seat]
    given = getattr(command, "discard", None) or (command.card if isinstance(command, Discard) else None)
    less = getattr(command, "only", None) is not None
    return LIKES[type(command)] + _more(view, player, command) - 0.5 * less - 20.0 * (given in KEEP)


def _more(view: LewisClarkView, player: SeenPlayer, command: Command) -> float:
    match command:
        case Use(way=word, pay=pay):
            way = LINES[view.frames[-1].source].way(word)
            return -0.3 * ("food" in (pay or ())) if way is None or _is_of_use(player, way) else -9.0
        case Gather(count=count):
            return -abs(_indians(player) + count - INDIANS)
        case Play(card=card):
            first = moves(card) * (1.0 if player.goods.count("food") >= ENOUGH else -1.0)
            return (3.0 if _helps(player, card) else -4.5) + (2.0 if card == "interpreter" else first)
        case Indians(count=count):
            return 6.0 * (count == 1) * _needs_strength(view, player)
        case Under(card=card):
            strong = CARDS[card].strength - 1
            return (6.0 + strong if _needs_strength(view, player) else -strong) - 5.0 * moves(card)
        case Village(place=place):
            return 3.0 if place in FOR_TRAVEL and _helps(player, place) else -6.5
        case Camp():
            goes_on = player.scout - player.time > player.camp
            return 5.0 * (not player.hand or (goes_on and not any(_helps(player, card) for card in player.hand)))
    return 0.0


def _needs_strength(view: LewisClarkView, player: SeenPlayer) -> bool:
    """A card that moves the scout should be used as often as it can be paid."""
    fuel = "horse" if terrain(player.scout + 1) == "mountain" else "food"
    return moves(player.table[-1].card) and view.frames[-1].left < min(MOST_STRENGTH, player.goods.count(fuel))


def _helps(player: SeenPlayer, source: str) -> bool:
    return any(payable(way.cost, player.goods) and _is_of_use(player, way) for way in LINES[source].ways)


def _is_of_use(player: SeenPlayer, way: Way) -> bool:
    match way.effect:
        case Move(terrain=kind):
            return terrain(player.scout + 1) in (kind, "mixed")
        case Take(kind=kind):
            return _lacks(player, kind)
        case GatherEffect():
            return not _indians(player)
    return False


def _indians(player: SeenPlayer) -> int:
    return player.indians + sum(played.indians for played in player.table)


def _lacks(player: SeenPlayer, good: str) -> bool:
    mountains = any(terrain(player.scout + n) == "mountain" for n in range(1, NEAR + 1))
    return player.goods.count(good) < (HORSES * mountains if good == "horse" else WANTS.get(good, 0))


THUMB = Thumb(likes)
