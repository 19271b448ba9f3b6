"""A purposeful player for tests: looks some turns of its own ahead and goes where its expedition stands best.

`Policy(Mind()).choose(view, commands)` picks one of the legal commands. It thinks on a position made of the view (with
an empty deck: what comes is nobody's to know), plays its own next turns there as if the others stood still, keeps the
few best positions after each turn, and follows the best line as long as the line stays legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import replace

from engine import golden, replay, selfplay
from engine.game import Command, Turn
from engine.games.lewis_clark import game
from engine.games.lewis_clark.boats import camp_time
from engine.games.lewis_clark.cards import CARDS
from engine.games.lewis_clark.commands import Camp, End, Indians, Play, Recruit, Under, Village
from engine.games.lewis_clark.effects import Move
from engine.games.lewis_clark.meta import LewisClarkOptions
from engine.games.lewis_clark.route import FORT, LAST, LOWEST, terrain
from engine.games.lewis_clark.state import LewisClarkState, Played, Player
from engine.games.lewis_clark.view import LewisClarkView, SeenPlayer
from engine.kit import Step, Supply, active, decide, format_steps, legal, view
from tests.kit.worlds import lanes

AHEAD = 4  # own turns that are thought through
SIGHT = 12  # spaces for which goods are worth having
KEEP = {"commander": 3.0, "interpreter": 2.0, "hunter": 1.0, "lumberjack": 0.7}  # never discarded
PRICES = {"fur": 0.5, "equipment": 0.5, "wood": 0.6, "food": 1.0, "canoe": 3.0, "horse": 4.0}
FALLING = (1.0, 1.0, 1.0, 0.5, 0.3, 0.1)  # the first of a kind is worth most
TRADE = (0.5, 0.45, 0.4, 0.2, 0.1, 0.05)


class Mind(msgspec.Struct, frozen=True):
    """What a player holds for worth how much, in spaces of river, and how it thinks."""

    haste: float = 1.0  # a space
    mountain: float = 3.0  # a space of mountains, which is harder to come by
    food: float = 0.5
    canoe: float = 1.8
    horse: float = 3.6
    higher: float = 0.6  # goods are worth so much more before mountains: they become horses
    ready: tuple[float, ...] = (0.2, 0.1, 0.7)  # a card in hand: any, by strength, one that moves the scout
    aboard: tuple[float, ...] = (1.2, 1.2, 1.0, 0.5, 0.2)  # Indians, the first to the fifth
    spent: float = 0.5  # an Indian on a card waits for the camp
    load: float = 0.8  # time on camp
    kept: int = 5  # positions that are thought on after each turn
    followed: int = 2  # turns of a plan that are played before it is made anew


ALONE = Mind(
    mountain=3.6, food=0.6, canoe=1.2, horse=3.0, ready=(0.3, 0.15, 1.0), aboard=(1.4, 1.4, 1.2, 0.6, 0.25), spent=0.35,
    load=0.7, kept=8, followed=1,
)  # fmt: skip

# --- what a position is worth ---------------------------------------------------------------------------------------


@cache
def way(space: int, mountain: float) -> float:
    """How far that is on the way."""
    return sum(mountain if terrain(s) == "mountain" else 1.0 for s in range(LOWEST, space + 1))


@cache
def sight(space: int) -> tuple[float, int]:
    """How much of the next spaces is river, and how many horses the mountains among them take."""
    kinds = [terrain(s) for s in range(space + 1, min(space + SIGHT, LAST) + 1)]
    high = sum(kind == "mountain" for kind in kinds)
    return (len(kinds) - high) / SIGHT, (high + 1) // 2


def worth(state: LewisClarkState, seat: int, mind: Mind) -> float:
    """The position in the eyes of a seat; the more haste, the less counts what is kept for later."""
    if state.winner == seat:
        return 1000.0
    player = state.players[seat]
    indians = player.indians + player.on_cards
    load = camp_time(player.tiles, player.goods.total, indians)
    left = max(FORT + 4 - player.scout, 0) / FORT
    people = _sum(mind.aboard, indians) - mind.spent * player.on_cards
    near = min(1.0, 4 * left)
    return (
        mind.haste * way(player.scout, mind.mountain)
        + near * (_goods(player, mind) + people)
        + left * _cards(player)
        + _ready(player, mind)
        - mind.load * load
    )


def _goods(player: Player, mind: Mind) -> float:
    river, horses = sight(player.scout)
    useful = min(player.goods.count("horse"), horses)
    fuel = (("food", mind.food), ("canoe", mind.canoe))
    total = sum(river * each * _sum(FALLING, player.goods.count(good)) for good, each in fuel)
    trade = sum(_sum(TRADE, player.goods.count(good)) for good in ("fur", "equipment", "wood", "food"))
    return total + mind.horse * useful + (1 + mind.higher * (horses > 0)) * trade


def _sum(values: Sequence[float], n: int) -> float:
    return sum(values[:n]) + values[-1] * max(n - len(values), 0)


def _cards(player: Player) -> float:
    """What the cards are worth for the rest of the way; more than a handful is a burden."""
    each = (KEEP.get(card, CARDS[card].strength + 0.8 * _moves(card) - 0.5) for card in player.cards)
    return sum(each) - 0.6 * max(len(player.cards) - 8, 0)


def _ready(player: Player, mind: Mind) -> float:
    any_card, strength, mover = mind.ready
    return sum(any_card + strength * CARDS[card].strength + mover * _moves(card) for card in player.hand)


@cache
def _moves(card: str) -> bool:
    return any(isinstance(line.effect, Move) for line in CARDS[card].ways)


# --- what is tried --------------------------------------------------------------------------------------------------

Line = tuple[Command, ...]
Node = tuple[LewisClarkState, Line]


def imagined(view: LewisClarkView) -> LewisClarkState:
    """A position that looks like the view, with nothing left to be drawn."""
    shared = {name: getattr(view, name) for name in LewisClarkState.__struct_fields__ if hasattr(view, name)}
    players = tuple(_imagined(seen) for seen in view.players)
    shared |= {"players": players, "discards": Supply(), "deck": Supply()}
    return LewisClarkState(
        rules=1, seats=len(players), options=LewisClarkOptions(covered="hidden" if view.covered else "open"), **shared
    )


def _imagined(seen: SeenPlayer) -> Player:
    table = tuple(Played(card=lying.card, under=lying.under, indians=lying.indians) for lying in seen.table)
    return Player(**{name: getattr(seen, name) for name in Player.__struct_fields__} | {"table": table})


def after(state: LewisClarkState, command: Command) -> LewisClarkState:
    """The position after a command; what it draws is no true draw."""
    turn = Turn(state, *(selfplay.lanes(bytes(32), label) for label in ("public", "hidden")))
    decide(game, turn, state.seat, command)
    reached: LewisClarkState = turn.state
    return reached


def turns(node: Node, mind: Mind) -> Iterator[Node]:
    """The position after each way to spend this turn that is worth a thought."""
    for began in _with_recruit(node, mind):
        acted = list(_actions(began, mind))
        if began[0].player.table and len(began[0].player.hand) < 4:
            acted += _actions(_camped(began), mind)
        for done in acted:
            yield done
            if not done[0].camped and len(done[0].player.hand) < 3:
                yield _camped(done)


def _with_recruit(node: Node, mind: Mind) -> Iterator[Node]:
    """As it is, and with the best recruit if one is worth its price."""
    yield node
    state, line = node
    offers = [
        (after(state, command), (*line, command)) for command in _listed(state, Recruit) if command.discard not in KEEP
    ]
    best = max(offers, key=lambda n: worth(n[0], state.seat, mind), default=None)
    if best and worth(best[0], state.seat, mind) > worth(state, state.seat, mind):
        yield best


def _camped(node: Node) -> Node:
    state, line = node
    return after(state, Camp()), (*line, Camp())


def _listed(state: LewisClarkState, *kinds: type[Command]) -> list[Command]:
    return [command for command in legal(game, state, state.seat) if isinstance(command, kinds)]


def _actions(node: Node, mind: Mind) -> Iterator[Node]:
    """Every card with every strength, and every place; each used as it is best at the moment."""
    if node[0].over:
        yield node
        return
    state, line = node
    for command in _listed(state, Play, Village):
        if command in SHUNNED:
            continue
        begun = (after(state, command), (*line, command))
        if isinstance(command, Village):
            yield _used(begun, mind)
        else:
            yield from (_used(strong, mind) for strong in _strengthened(begun))


SHUNNED = (Village("shamanism", 1), Village("farewell", 1))  # they may go on for ever and lead nowhere


def _strengthened(node: Node) -> Iterator[Node]:
    """With Indians, with the card of each strength that is missed least, and with both."""
    state, line = node
    under = sorted(_listed(state, Under), key=lambda c: (_moves(c.card), KEEP.get(c.card, 0), c.card))  # type: ignore[attr-defined]
    lines: list[Line] = [(c,) for c in _listed(state, Indians)]
    for strength in (1, 2, 3):
        cards = [c for c in under if CARDS[c.card].strength == strength][:1]  # type: ignore[attr-defined]
        lines += [(c, *more) for c in cards for more in ((), *((Indians(n),) for n in range(1, 4 - strength)))]
    for more in lines:
        if sum(c.count for c in more if isinstance(c, Indians)) <= state.player.indians:
            yield _given((state, line), more)


def _given(node: Node, strength: Line) -> Node:
    """With these, as far as the action goes on: a card that only lies there is over with the first."""
    state, line = node
    for command in strength:
        if state.frames:
            state, line = after(state, command), (*line, command)
    return state, line


def _used(node: Node, mind: Mind) -> Node:
    """An action played to its end, each time as it brings most; stopped when nothing brings more."""
    state, line = node
    while state.frames and not state.over:
        listed = _cheapest(_listed(state, Command))
        tried = [(after(state, c), c) for c in listed if not isinstance(c, Under | Indians)]
        seat = state.seat
        reached, command = max(tried, key=lambda pair: worth(_settled(pair[0], mind), seat, mind))
        state, line = reached, (*line, command)
    return state, line


def _settled(state: LewisClarkState, mind: Mind) -> LewisClarkState:
    """Where a copied action leads by its own best use."""
    return _used((state, ()), mind)[0] if len(state.frames) in {2, 3} else state


def _cheapest(listed: Iterable[Any]) -> list[Command]:
    """Of the ways to pay for the same the one with the goods that are missed least; never less than all."""
    best: dict[object, Command] = {}
    for command in listed:
        same = replace(command, pay=None) if hasattr(command, "pay") else command
        if getattr(command, "only", None) is None and (same not in best or _price(command) < _price(best[same])):
            best[same] = command
    return list(best.values())


def _price(command: Any) -> float:
    return sum(PRICES[good] for good in getattr(command, "pay", None) or ())


def plan(state: LewisClarkState, mind: Mind) -> Line:
    """The commands of the next turns on the best line found."""
    nodes: list[Node] = [(state, ())]
    for _ in range(AHEAD):
        reached: dict[LewisClarkState, Line] = {}
        for node in nodes:
            for end, line in turns(node, mind) if not node[0].over else (node,):
                reached.setdefault(_next_turn(end), (*line, End()))
        nodes = sorted(reached.items(), key=lambda node: -worth(node[0], state.seat, mind))[: mind.kept]
    return nodes[0][1]


def _next_turn(state: LewisClarkState) -> LewisClarkState:
    return replace(state, acted=False, camped=False, recruited=False)


class Policy:
    """One player's mind: the plan it follows until others make it illegal, and how long its camp has stood still."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.line: list[Command] = []
        self.camp, self.waited = LOWEST - 1, 0

    def choose(self, view: LewisClarkView, commands: Iterable[Command]) -> Command:
        """One of the legal commands of the seat to move."""
        listed = list(commands)
        if Camp() in listed and after(imagined(view), Camp()).winner == view.seat:
            return Camp()
        self._drop_forced(listed)
        if not self.line or self.line[0] not in listed:
            self.line = list(self._think(imagined(view), listed))
        return self.line.pop(0)

    def _drop_forced(self, listed: list[Command]) -> None:
        """What was the only step has been played already."""
        while len(self.line) > 1 and self.line[0] not in listed and not isinstance(self.line[0], End):
            self.line.pop(0)

    def _think(self, state: LewisClarkState, listed: list[Command]) -> Line:
        if state.frames and state.frame.left:
            return _used((state, ()), self._mind())[1]
        if any(isinstance(command, Play | Village) for command in listed):
            self.waited = 0 if state.player.camp > self.camp else self.waited + 1
            self.camp = max(self.camp, state.player.camp)
            return _first_turns(plan(state, self._mind()), self.mind.followed)
        return (next(command for command in listed if isinstance(command, Under | Indians | End | Camp)),)

    def _mind(self) -> Mind:
        """Haste grows while the camp stands still, so that nothing is kept for ever."""
        return replace(self.mind, haste=self.mind.haste + 0.1 * max(self.waited - 1, 0))


def _first_turns(line: Line, followed: int) -> Line:
    """As much of a plan as is followed before it is made anew."""
    ends = [at for at, command in enumerate(line, 1) if isinstance(command, End)]
    return line[: ends[min(followed, len(ends)) - 1]]


# --- whole games ----------------------------------------------------------------------------------------------------


class Walk(msgspec.Struct, frozen=True):
    """A game as it was played: each command with its seat, and the state before it; the last state ends the game."""

    commands: tuple[tuple[int, Command], ...]
    states: tuple[LewisClarkState, ...]


def walk(
    seats: int,
    word: str = "purposeful",
    mind: Mind = Mind(),  # noqa: B008 - frozen
    level: int = 0,
    begins: int = 0,
    *,
    covered: bool = False,
) -> Walk:
    """A whole game in which every seat plays by this policy; `word` names the draws."""
    options = LewisClarkOptions(level=level, covered="hidden" if covered else "open")
    return _walked(seats, word, mind, options, begins)


@cache
def _walked(seats: int, word: str, mind: Mind, options: LewisClarkOptions, begins: int) -> Walk:
    turn = replay.start(game, seats, options, *lanes(word, None if seats == 1 else begins))
    policies = [Policy(mind) for _ in range(seats)]
    commands: list[tuple[int, Command]] = []
    states: list[LewisClarkState] = [turn.state]
    while active(game, states[-1]):
        seat = states[-1].seat
        command = policies[seat].choose(view(game, states[-1], seat), legal(game, states[-1], seat))
        turn = Turn(states[-1], turn.chance.onward(), turn.secret.onward())
        replay.move(game, turn, seat, (Step(command),))
        commands.append((seat, command))
        states.append(turn.state)
    return Walk(tuple(commands), tuple(states))


def moves(walked: Walk) -> list[tuple[int, str]]:
    """The game as moves, one for each turn, in the form of a golden script."""
    told: list[tuple[int, str]] = []
    played = zip(walked.commands, walked.states, strict=False)
    for _, turn in groupby(played, key=lambda pair: pair[1].turns):
        steps = [(seat, Step(command)) for (seat, command), _ in turn]
        told.append((steps[0][0], format_steps(step for _, step in steps)))
    return told


def script(seats: int, word: str, mind: Mind = Mind(), level: int = 0) -> golden.Script:  # noqa: B008 - it is frozen
    """The game as the script of a golden game: `golden.write(script(3, "word"))` is its text."""
    options = f'{{"level":{level}}}' if level else "{}"
    played = tuple(moves(walk(seats, word, mind, level)))
    return golden.Script(game.meta.key, seats, game.meta.rules[1], options, word, None if seats == 1 else 1, played)
