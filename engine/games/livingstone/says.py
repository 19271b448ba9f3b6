"""What a table says in words, for board and picture alike: whose turn, what is owed, cards, prices, the end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.games.livingstone.cards import KINDS, NAMES
from engine.games.livingstone.components import GEMS
from engine.games.livingstone.meta import ENDINGS
from engine.games.livingstone.view import LivingstoneView, SeenPlayer
from engine.kit import Supply, count, cut

NAME = 24
_FIELD = re.compile(r"\{(\w+)\}")  # `{die}` is told as `DIE`


def headline(view: LivingstoneView, names: tuple[str, ...]) -> Iterator[str]:
    """Round and steamer, dice, whose turn and what may be typed; or how the game ended."""
    if view.ended:
        yield "The game is over. " + ENDINGS.get(view.ended.reason, "").strip()
        yield from result(view, names)
        return
    yield f"Round {view.round}, begun by {_name(names, view.first)}. {_steamer(view)}"
    yield f"Dice left: {' '.join(map(str, view.dice)) or 'none'}."
    yield duty(view, names)
    yield from _used(view)


def _name(names: tuple[str, ...], seat: int) -> str:
    """A name with its seat's number, if the name does not say it."""
    return cut(names[seat], NAME) + ("" if names[seat] == f"Seat {seat + 1}" else f" ({seat + 1})")


def _steamer(view: LivingstoneView) -> str:
    back = f" and returns to {view.true_column} after this round" if view.column != view.true_column else ""
    return f"The steamer lies at column {view.column}{back}."


def duty(view: LivingstoneView, names: tuple[str, ...]) -> str:
    """What the seat whose turn it is must or may do, with a move that is possible now."""
    name, dice = _name(names, view.seat), takeable(view)
    if view.owes:
        return f"{name} takes a die: {choice(dice)}. To type, for example: coins {dice[0]}; end"
    if view.may_take:
        return f"{name} may take a second die, {choice(dice)} (coins {dice[0]}; end), or end the turn (end)."
    return f"{name} may still sell, donate and play cards, and ends the turn by: end"


def takeable(view: LivingstoneView) -> tuple[int, ...]:
    """Faces that the seat whose turn it is may take."""
    return tuple(face for face in range(view.players[view.seat].last + 1, 7) if face in view.dice)


def choice(faces: tuple[int, ...]) -> str:
    """`3, 4 or 6`."""
    *others, last = map(str, faces)
    return f"{', '.join(others)} or {last}" if others else last


def _used(view: LivingstoneView) -> Iterator[str]:
    """Cards whose effect lasts."""
    if view.second:
        yield "Two dice may be taken in this turn (Man at the Table)."
    if view.market:
        yield "The market is open for the rest of this turn: sell COUNT GEM market"


# --- the end --------------------------------------------------------------------------------------------------------


def result(view: LivingstoneView, names: tuple[str, ...]) -> Iterator[str]:
    """Who has won, and by what."""
    ended = view.ended
    if ended is None:
        return
    best = ended.places[0]
    who = " and ".join(_name(names, seat) for seat in best)
    if not ended.won:
        yield "Nobody has won."
    elif len(best) > 1:
        yield f"{who} share the first place with {count(view.players[best[0]].points, 'point')} each."
    else:
        yield f"{who} has won with {count(view.players[best[0]].points, 'point')}{_by_donation(view)}."


def _by_donation(view: LivingstoneView) -> str:
    """The tie-break, if it was needed: a second place of as many points, with a smaller chest."""
    ended = view.ended
    if ended is None or ended.reason != "waterfall" or len(ended.places) < 2:
        return ""
    first, second = (view.players[place[0]] for place in ended.places[:2])
    is_tied = first.points == second.points and not (second.out or second.gone)
    return f", by the larger donation ({first.chest} to {second.chest})" if is_tied else ""


def fates(player: SeenPlayer) -> Iterator[str]:
    if player.gone:
        yield "has resigned"
    if player.out:
        yield "is out: gave the Queen too little"


# --- cards and prices -----------------------------------------------------------------------------------------------


def holding(view: LivingstoneView, names: tuple[str, ...], seat: int) -> Iterator[str]:
    """What a seat holds, if the viewer may know it: coins, and each kind of card with what it does."""
    if view.players[seat].hand is not None:
        yield purse(view, names, seat)
        yield from (text for _, text in hand(view, seat))


def purse(view: LivingstoneView, names: tuple[str, ...], seat: int) -> str:
    """A seat's coins and how many cards it has; "" if the viewer may not know it. At the end the cards are named."""
    player = view.players[seat]
    if player.hand is None:
        return ""
    cards = ", ".join(_some(player.hand.count(card), NAMES[card]) for card in sorted(set(player.hand)))
    listed = f"cards: {cards or 'none'}" if view.over else count(len(player.hand), "card")
    return f"{_name(names, seat)} holds: purse {player.coins}, chest {player.chest}, {listed}"


def hand(view: LivingstoneView, seat: int) -> Iterator[tuple[str, str]]:
    """Each kind of card of a hand that the viewer may know, and what it does."""
    cards = view.players[seat].hand
    if cards and not view.over:
        told = effects(view)
        for card in sorted(set(cards)):
            yield card, f"- {_some(cards.count(card), NAMES[card])}: {told[card]}. To type: {_typed(card)}"


def _some(number: int, name: str) -> str:
    return name if number == 1 else f"{number} {name}"


def _typed(card: str) -> str:
    return _FIELD.sub(lambda field: field[1].upper(), KINDS[card].typed or f"play {card}")


def effects(view: LivingstoneView) -> dict[str, str]:
    """What each kind of card does, by the figures in play."""
    return {
        "explorer": "a tent costs nothing, owners there included",
        "elephants": "a tent in any row of the steamer's column",
        "raised-tent": "a tent for nothing and without a die, where one stands, not in the steamer's column",
        "steamer": "the steamer goes back one column until the round ends",
        "coins": f"{count(view.coins_card, 'coin')} from the bank",
        "two-dice": "a second, higher die may be taken in this turn",
        "market": "sales of this turn may bring points too",
        "cave": f"{count(view.cave_stones, 'stone')} from the bag, without a die",
        "lion": count(view.animals[0], "point"),
        "rhino": count(view.animals[1], "point"),
        "antelope": count(view.animals[2], "point"),
        "mine-accident": "all unsold gems go back into the bag",
    }


def supplies(view: LivingstoneView) -> Iterator[str]:
    """Prices, the bag, the cards: what everybody may know and nobody holds."""
    every = (*GEMS, "black", "white")
    yield "each: points of a tent there when its column is scored; most: points at the end for most tents in the row."
    yield from _prices(view)
    yield f"Bag ({view.bag.total}): {_list(view.bag, every)}. Beside the board: {_list(view.sold, every)}."
    played = ", ".join(f"{number} {KINDS[card].name}" for card, number in view.spent.rest) or "nothing"
    yield f"Cards in the deck: {view.deck}. Played: {played}. Edition: {view.edition}."


def _list(supply: Supply, order: Sequence[str]) -> str:
    return ", ".join(f"{supply.count(name)} {name}" for name in order if supply.count(name)) or "nothing"


def _prices(view: LivingstoneView) -> Iterator[str]:
    """What gems sell for, in both ways."""
    bank = ", ".join(f"{gem} {price}" for gem, price in zip(GEMS, view.prices, strict=True))
    pairs = zip(GEMS, view.market_coins, view.market_points, strict=True)
    market = ", ".join(f"{gem} {coins} + {count(points, 'point')}" for gem, coins, points in pairs)
    unsold = count(view.gem_points, "point")
    yield f"A gem sells for coins: {bank}; with a market card: {market}. Unsold at the end: {unsold}."
