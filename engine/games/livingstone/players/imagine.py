"""A whole state that fits what a seat sees: others' hands from the unseen cards, their purses and chests from the sums.

The accident is in no hand, since it goes back whenever it is drawn.
"""

from __future__ import annotations

from engine.games.livingstone.cards import PLAYABLE
from engine.games.livingstone.components import GEMS, Copies, Edition, Stones
from engine.games.livingstone.state import LivingstoneState, Player, square_of
from engine.games.livingstone.view import LivingstoneView, SeenPlayer
from engine.kit import Supply
from engine.players import Rng
from engine.players.unseen import carried, drawn, own_end


def imagine(view: LivingstoneView, rng: Rng) -> LivingstoneState:
    deck = _unseen(view)
    players = []
    for seen in view.players:
        player, deck = _player(seen, deck, rng)
        players.append(player)
    return LivingstoneState(
        **carried(view),
        edition=_edition(view),
        players=tuple(players),
        bag=view.bag,
        sold=view.sold,
        deck=deck,
        spent=view.spent,
        dice=tuple(view.dice.count(face) for face in range(1, 7)),
        round=view.round,
        column=view.true_column,
        back=view.true_column - view.column,
        first=view.first,
        seat=view.seat,
        todo=view.todo,
        second=view.second,
        market=view.market,
        turns=view.turns,
        out=tuple(seat for seat, seen in enumerate(view.players) if seen.out),
        over=own_end(view),
    )


def _unseen(view: LivingstoneView) -> Supply:
    """Return the cards in the deck and in hidden hands."""
    shown = [card for seen in view.players for card in seen.hand or ()]
    played = [card for card, count in view.spent.rest for _ in range(count)]
    return view.copies.take([*shown, *played])


def _player(seen: SeenPlayer, deck: Supply, rng: Rng) -> tuple[Player, Supply]:
    hand = seen.hand
    if hand is None:
        hand, deck = _hand(deck, seen.cards, rng)
    coins = rng.randrange(seen.wealth + 1) if seen.coins is None else seen.coins
    gems = dict(seen.gems)
    player = Player(
        hand=hand,
        coins=coins,
        chest=seen.wealth - coins,
        gems=tuple(gems.get(gem, 0) for gem in GEMS),
        tents=tuple(square_of(*place) for place in seen.tents),
        last=seen.last,
        points=seen.scores,
    )
    return player, deck


def _hand(deck: Supply, count: int, rng: Rng) -> tuple[tuple[str, ...], Supply]:
    in_hands = Supply(tuple((card, n) for card, n in deck.rest if card in PLAYABLE))
    hand, _ = drawn(in_hands, count, rng)
    return hand, deck.take(hand)


def _edition(view: LivingstoneView) -> Edition:
    lion, rhino, antelope = view.animals
    return Edition(
        name=view.edition,
        costs=view.costs,
        tent_points=view.tent_points,
        majorities=view.majorities,
        tents=view.tents,
        purse=view.purse,
        stones=Stones(**_figures(view.stones, Stones)),
        prices=view.prices,
        market_coins=view.market_coins,
        market_points=view.market_points,
        gem_points=view.gem_points,
        copies=Copies(**_figures(view.copies, Copies)),
        coins_card=view.coins_card,
        cave_stones=view.cave_stones,
        lion_points=lion,
        rhino_points=rhino,
        antelope_points=antelope,
    )


def _figures(box: Supply, kind: type[Stones | Copies]) -> dict[str, int]:
    return {field: box.count(field.replace("_", "-")) for field in kind.__struct_fields__}
