"""The sentences of a table, for board and picture alike: the turn, what is possible, cards, prices, the end.

What to type is kept apart (`to_type`, `typed`), because a picture has buttons for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.games.livingstone.cards import KINDS, NAMES
from engine.games.livingstone.components import GEMS, HOUSE
from engine.games.livingstone.view import LivingstoneView, SeenPlayer
from engine.kit import Supply, count, cut

NAME = 24
_FIELD = re.compile(r"\{(\w+)\}")  # `{die}` is shown as `DIE`

# --- the headline ---------------------------------------------------------------------------------------------------

ROUND = "Round {round}, started by {first}. The steamer is at column {column}."
ROUND_AGAIN = (
    "Round {round}, started by {first}. The steamer has gone back to column {column}; "
    "the next round is played in column {true_column}."
)
DICE = "Dice left: {dice}."
MUST_TAKE = "{name} must take a die: {dice}."
MAY_TAKE = "{name} may take a second die, {dice}, or end the turn."
MAY_TRADE = "{name} may sell gems, donate and play cards, and then ends the turn."
EXAMPLE = "To type, for example: coins {die}; end"
END = "To type: end"
AT_MARKET = "To type, at the market: sell COUNT GEM market"
TWO_DICE = "Man at the Table is in play: this turn may use two dice."
MARKET = "The market card is in play: sales this turn may bring points as well."


def headline(view: LivingstoneView, names: tuple[str, ...]) -> Iterator[str]:
    """Round and steamer, dice, whose turn it is and what is possible; or how the game ended."""
    if view.ended:
        yield from result(view, names)
        return
    yield _round(view, names)
    yield dice(view)
    yield duty(view, names)
    if view.second:
        yield TWO_DICE
    if view.market:
        yield MARKET


def _round(view: LivingstoneView, names: tuple[str, ...]) -> str:
    template = ROUND if view.column == view.true_column else ROUND_AGAIN
    first = _name(names, view.first)
    return template.format(round=view.round, first=first, column=view.column, true_column=view.true_column)


def dice(view: LivingstoneView) -> str:
    """The dice that nobody has taken this round."""
    return DICE.format(dice=" ".join(map(str, view.dice)) or "none")


def _name(names: tuple[str, ...], seat: int) -> str:
    """A name with the number of its seat, unless the name is that number."""
    return cut(names[seat], NAME) + ("" if names[seat] == f"Seat {seat + 1}" else f" ({seat + 1})")


def duty(view: LivingstoneView, names: tuple[str, ...]) -> str:
    """The next step of the seat in turn, required or optional."""
    template = MUST_TAKE if view.owes else MAY_TAKE if view.may_take else MAY_TRADE
    return template.format(name=_name(names, view.seat), dice=choice(takeable(view)))


def to_type(view: LivingstoneView) -> Iterator[str]:
    """A move that is possible now as it is typed, and the form of a sale at an open market."""
    if view.over:
        return
    yield EXAMPLE.format(die=takeable(view)[0]) if view.may_take else END
    if view.market:
        yield AT_MARKET


def takeable(view: LivingstoneView) -> tuple[int, ...]:
    """Faces that the seat in turn may take, ascending."""
    return tuple(face for face in range(view.players[view.seat].last + 1, 7) if face in view.dice)


def choice(faces: tuple[int, ...]) -> str:
    """`3, 4 or 6`."""
    *others, last = map(str, faces or ("none",))
    return f"{', '.join(others)} or {last}" if others else last


# --- the end --------------------------------------------------------------------------------------------------------

OVER = {
    "waterfall": "The game is over: the steamer has reached the falls.",
    "resigned": "The game ended early because too few players were left.",
    "undecided": "The game ended after {turns} turns, the most it may have. "
    "The ranking is by the points scored so far; nothing hidden is shown.",
}
NOBODY = "Nobody wins."
SHARED = "{names} share first place with {points} each."
WON = "{names} wins with {points}."
WON_BY_DONATION = "{names} wins with {points}, by the larger donation: {more} to {less}."
LEFT_ALONE = "{names} wins as the only player left."
RESIGNED = "has resigned"
OUT = "is out: gave the Queen too little"


def result(view: LivingstoneView, names: tuple[str, ...]) -> Iterator[str]:
    """Why the game ended, and who has won."""
    ended = view.ended
    if ended is None:
        return
    yield OVER[ended.reason].format(turns=view.turns - 1)
    if not ended.won:
        yield NOBODY
        return
    best = ended.places[0]
    facts = {"names": _joined(names, best), "points": count(view.players[best[0]].points, "point")}
    if ended.reason == "resigned":
        yield LEFT_ALONE.format(**facts)
    elif len(best) > 1:
        yield SHARED.format(**facts)
    else:
        more, less = _tie(view)
        yield (WON if more == less else WON_BY_DONATION).format(**facts, more=more, less=less)


def _joined(names: tuple[str, ...], seats: Sequence[int]) -> str:
    """`Ann`, `Ann and Ben`, `Ann, Ben and Cleo`."""
    *others, last = (_name(names, seat) for seat in seats)
    return f"{', '.join(others)} and {last}" if others else last


def _tie(view: LivingstoneView) -> tuple[int, int]:
    """The donations that decided the first place; equal if points alone did."""
    ended = view.ended
    if ended is None or ended.reason != "waterfall" or len(ended.places) < 2:
        return (0, 0)
    first, second = (view.players[place[0]] for place in ended.places[:2])
    is_tied = first.points == second.points and not (second.out or second.gone)
    return (first.chest or 0, second.chest or 0) if is_tied else (0, 0)


def fates(player: SeenPlayer) -> Iterator[str]:
    """The lines below the name of a player who has resigned or is out."""
    if player.gone:
        yield RESIGNED
    if player.out:
        yield OUT


# --- cards and prices -----------------------------------------------------------------------------------------------

HOLDS = "{name} has {coins} in the purse, {chest} in the chest and {cards} in hand."
HELD = "{name} ended with {coins} in the purse and {chest} in the chest. Cards in hand: {cards}."
CARD = "- {card}: {effect}."
TYPED = "To type: {typed}"
EFFECTS = {
    "explorer": "a tent costs nothing, and the other owners on its square get nothing",
    "elephants": "a tent may be in any row of the steamer's column",
    "raised-tent": "a free tent on a square that has one, not in the steamer's column; no die needed",
    "steamer": "the steamer goes back one column until the round ends",
    "coins": "{coins} from the bank",
    "two-dice": "a second, higher die may be taken this turn",
    "market": "sales this turn may bring points as well",
    "cave": "{stones} from the bag; no die needed",
    "lion": "{lion}",
    "rhino": "{rhino}",
    "antelope": "{antelope}",
    "mine-accident": "all unsold gems go back into the bag",
}
COLUMNS = (
    "each: points for each tent in the row when its column is scored; "
    "most: points at the end for the most tents in the row."
)
LEGEND = (
    "Right of each row: points for each tent in it when its column is scored; on the medal, points at the end for the "
    "most tents in it. Dots below a tent are further tents of its owner. Coins of others: purse and chest together."
)
PRICES = "A gem sells for: {bank}. With the market card: {market}. Unsold at the end: {unsold}."
BAG = "Bag ({total}): {stones}. Beside the board: {beside}."
DECK = "Cards in the deck: {deck}. Played: {played}."
HOUSE_EDITION = "House edition: Sealed Move chose the costs and the number of copies of each card."
OTHER_EDITION = "Edition {edition}: the figures come from a file named when the game was opened."


def purse(view: LivingstoneView, names: tuple[str, ...], seat: int) -> str:
    """A seat's coins and how many cards it has; "" if hidden from the viewer. At the end the cards are named."""
    player = view.players[seat]
    if player.hand is None:
        return ""
    facts = {"name": _name(names, seat), "coins": count(player.coins or 0, "coin"), "chest": player.chest}
    if not view.over:
        return HOLDS.format(**facts, cards=count(len(player.hand), "card"))
    cards = (_some(player.hand.count(card), NAMES[card]) for card in sorted(set(player.hand)))
    return HELD.format(**facts, cards=", ".join(cards) or "none")


def hand(view: LivingstoneView, seat: int) -> Iterator[tuple[str, str]]:
    """Each kind of card in a hand that the viewer may see, and what it does."""
    cards = view.players[seat].hand
    if cards and not view.over:
        told = effects(view)
        for card in sorted(set(cards)):
            yield card, CARD.format(card=_some(cards.count(card), NAMES[card]), effect=told[card])


def _some(number: int, name: str) -> str:
    return name if number == 1 else f"{number} {name}"


def typed(card: str) -> str:
    """The command that plays a card."""
    return TYPED.format(typed=_FIELD.sub(lambda field: field[1].upper(), KINDS[card].typed or f"play {card}"))


def effects(view: LivingstoneView) -> dict[str, str]:
    """The effect of each kind of card, with the figures in play."""
    lion, rhino, antelope = (count(points, "point") for points in view.animals)
    facts = {
        "coins": count(view.coins_card, "coin"),
        "stones": count(view.cave_stones, "stone"),
        "lion": lion,
        "rhino": rhino,
        "antelope": antelope,
    }
    return {card: template.format(**facts) for card, template in EFFECTS.items()}


def legend(view: LivingstoneView) -> Iterator[str]:
    """The facts that the picture leaves out."""
    yield LEGEND
    yield _edition(view)


def supplies(view: LivingstoneView) -> Iterator[str]:
    """Prices, bag and deck: what everybody may know and nobody holds."""
    every = (*GEMS, "black", "white")
    yield COLUMNS
    yield _prices(view)
    yield BAG.format(total=view.bag.total, stones=_list(view.bag, every), beside=_list(view.sold, every))
    played = ", ".join(f"{number} {KINDS[card].name}" for card, number in view.spent.rest)
    yield DECK.format(deck=view.deck, played=played or "none")
    yield _edition(view)


def _edition(view: LivingstoneView) -> str:
    return HOUSE_EDITION if view.edition == HOUSE.name else OTHER_EDITION.format(edition=view.edition)


def _list(supply: Supply, order: Sequence[str]) -> str:
    return ", ".join(f"{supply.count(name)} {name}" for name in order if supply.count(name)) or "nothing"


def _prices(view: LivingstoneView) -> str:
    """The prices of gems, at the bank and at the market."""
    bank = ", ".join(f"{gem} {count(price, 'coin')}" for gem, price in zip(GEMS, view.prices, strict=True))
    pairs = zip(GEMS, view.market_coins, view.market_points, strict=True)
    market = ", ".join(f"{gem} {count(coins, 'coin')} + {count(points, 'point')}" for gem, coins, points in pairs)
    return PRICES.format(bank=bank, market=market, unsold=count(view.gem_points, "point"))
