"""Players as zones of one column: what they have, and their cards, each with what it does in signs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.games.livingstone import says
from engine.games.livingstone.cards import KINDS, NAMES
from engine.games.livingstone.components import GEMS
from engine.games.livingstone.signs import (
    animal,
    any_row,
    arrow,
    back,
    back_arrow,
    bag,
    coin,
    gem,
    mini_tent,
    pebble,
    small_die,
    star,
    steamer,
    tent,
)
from engine.games.livingstone.state import HEADINGS
from engine.games.livingstone.view import LivingstoneView, SeenPlayer
from engine.kit import COLUMN, PlayerPlate, Zone, box, count, folded, marked, moved, panel, path, text, titled

HEAD, STATS, CARD, BACKS, ROW = 46, 62, 84, 48, 19
ABREAST = 3
STEP = (COLUMN - 16) / ABREAST


def zone(view: LivingstoneView, seat: int, name: str) -> Zone:
    """One player. A row of cards is kept free even while there are none: of backs, or of faces in one's own hand."""
    player = view.players[seat]
    shown = sorted(set(player.hand)) if player.hand and not view.over else []
    height = HEAD + STATS + _height(view, player, shown) + 12
    won = view.ended is not None and view.ended.won and seat in view.ended.places[0]
    head = PlayerPlate(
        seat=seat,
        name=name,
        fill=f"seat-{seat + 1}",
        points=str(player.points),
        called=count(player.points, "point"),
        moving=seat == view.seat and not view.over,
        won=won,
        note="resigned" if player.gone else "out" if player.out else "",
    )
    below = _ended(player) if view.over else (_cards(view, seat, shown) if shown else _backs(player))
    drawn = panel(head, height, *_stats(seat, player), *below)
    return Zone(f"seat-{seat + 1}", COLUMN, height, drawn)


def _height(view: LivingstoneView, player: SeenPlayer, shown: list[str]) -> float:
    """The room below the figures."""
    if view.over:
        return max(BACKS, ROW * len(_ending(player)))
    return BACKS if player.hand is None else CARD * max(1, -(-len(shown) // ABREAST))


def _stats(seat: int, player: SeenPlayer) -> Iterator[str]:
    """Coins, gems, tents that are left, and the last die, side by side."""
    y = HEAD + 32
    own = player.coins is not None
    said = f"{count(player.coins or 0, 'coin')} in the purse, {player.chest} in the chest" if own else ""
    yield titled(said or f"{count(player.wealth, 'coin')} in purse and chest", *_coins(player, y))
    held = dict(player.gems)
    for at, kind in enumerate(GEMS):
        many, x = held.get(kind, 0), 174 + 49 * at
        ground = box(x - 17, y - 18, 46, 38, rx=8, fill="@card")
        number = text(x + 21, y + 8, many, 20, middle=True, bold=bool(many), fill="@ink" if many else "@faint")
        yield marked(f"gem:{kind}", count(many, f"{kind} gem"), ground, gem(kind, x, y + 1), number, seat=seat)
    left = text(361, y + 8, player.tents_left, 20, middle=True, bold=True)
    yield titled(count(player.tents_left, "tent") + " left", tent(328, y + 1, f"seat-{seat + 1}", "", 0.55), left)
    last = (
        small_die(409, y + 1, player.last, 32)
        if player.last
        else path(f"M394 {y - 15} h30 v32 h-30 Z", fill="none", stroke="@line", stroke_width=1.5)
    )
    yield titled(f"last die {player.last}" if player.last else "no die yet this round", last)


def _coins(player: SeenPlayer, y: float) -> Iterator[str]:
    """The purse and the chest if they may be seen, otherwise what both hold together."""
    yield coin(24, y + 1, 14)
    if player.coins is None:
        yield text(44, y + 8, player.wealth, 20, bold=True)
        return
    yield text(44, y + 8, player.coins, 20, bold=True)
    chest = "M84 -2 q0 -9 9 -9 h16 q9 0 9 9 v14 h-34 Z M84 0 h34 M98 -3 h6 v7 h-6 Z"
    yield moved(0, y + 1, path(chest, fill="@wood", stroke="@edge", stroke_width=1.5))
    yield text(123, y + 8, player.chest, 20, bold=True)


# --- cards ----------------------------------------------------------------------------------------------------------


def _backs(player: SeenPlayer) -> Iterator[str]:
    """The cards of a hand that only its owner knows."""
    y = HEAD + STATS + 4
    step = min(34.0, (COLUMN - 110) / max(1, player.cards))
    drawn = "".join(back(16 + step * at, y, 30, 42) for at in range(player.cards))
    words = text(16, y + 26, "no cards", 15, fill="@faint")
    yield titled(f"{count(player.cards, 'card')} in hand", drawn or words)


def _cards(view: LivingstoneView, seat: int, shown: list[str]) -> Iterator[str]:
    told, hand = says.effects(view), view.players[seat].hand or ()
    for at, card in enumerate(shown):
        x, y = 9 + STEP * (at % ABREAST), HEAD + STATS + CARD * (at // ABREAST) + 4
        many = hand.count(card)
        yield marked(
            f"card:{card}",
            f"{NAMES[card]}{f', {many} cards' * (many > 1)}: {told[card]}",
            *_card(view, card, many, x, y),
            seat=seat,
        )


def _card(view: LivingstoneView, card: str, many: int, x: float, y: float) -> Iterator[str]:
    """A card: what it does in signs, its name below."""
    if many > 1:
        yield box(x + 4, y + 4, STEP - 8, CARD - 8, rx=7, fill="@card", stroke="@line", stroke_width=1.5)
    yield box(x, y, STEP - 8, CARD - 8, rx=7, fill="@card", stroke="@line", stroke_width=1.5)
    middle = x + (STEP - 8) / 2
    yield from _signs(view, card, middle, y + 25)
    words = folded(KINDS[card].name + (f" x{many}" if many > 1 else ""), 15)
    for at, line in enumerate(words):
        yield text(middle, y + (68 if len(words) == 1 else 58 + 14 * at), line, 13.8, middle=True)


def _signs(view: LivingstoneView, card: str, x: float, y: float) -> Iterator[str]:
    """The signs of an effect of a card, around a place."""
    points = dict(zip(("lion", "rhino", "antelope"), view.animals, strict=True))
    if card in points:
        yield animal(x - 18, y, card) + star(x + 24, y, points[card])
    elif card == "explorer":
        yield coin(x - 26, y, 12, 0) + arrow(x, y) + mini_tent(x + 26, y)
    elif card == "elephants":
        yield mini_tent(x, y) + any_row(x + 30, y)
    elif card == "raised-tent":
        yield coin(x - 28, y, 12, 0) + arrow(x - 3, y) + mini_tent(x + 24, y + 5, raised=True)
    elif card == "steamer":
        yield back_arrow(x - 12, y) + steamer(x + 14, y)
    elif card == "coins":
        yield text(x - 8, y + 8, "+", 22, end=True, bold=True) + coin(x + 10, y, 15, view.coins_card)
    elif card == "two-dice":
        yield small_die(x - 18, y, 2, 28) + small_die(x + 18, y, 5, 28)
    elif card == "market":
        yield gem("blue", x - 32, y) + arrow(x - 6, y) + coin(x + 16, y, 11) + star(x + 38, y + 1, "+")
    else:
        yield (
            bag(x - 22, y)
            + arrow(x + 2, y)
            + pebble("blue", x + 26, y)
            + text(x + 44, y + 6, view.cave_stones, 17, bold=True)
        )


# --- the end --------------------------------------------------------------------------------------------------------


def _ended(player: SeenPlayer) -> Iterator[str]:
    """Where the points came from, and what was left in hand."""
    y, rows = HEAD + STATS + 14, _ending(player)
    yield titled(" ".join(rows), *(text(16, y + ROW * at, line, 15) for at, line in enumerate(rows)))


def _ending(player: SeenPlayer) -> list[str]:
    parts = [f"{heading} {points}" for heading, points in zip(HEADINGS, player.scores, strict=True) if points]
    points = "Points: " + (", ".join(parts) or "none")
    if player.hand is None:
        return folded(points, 50)
    held = Counter(KINDS[card].name for card in player.hand)
    cards = "Cards: " + (", ".join(f"{many} " * (many > 1) + name for name, many in held.items()) or "none")
    return [*folded(points, 50), *folded(cards, 50)]
