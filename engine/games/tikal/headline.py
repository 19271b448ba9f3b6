"""The sentences above board and picture: what must be done next, and at the end the winner and the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.games.tikal.example import example
from engine.games.tikal.view import TikalView
from engine.kit import count, cut, names_of
from engine.kit.play import ENDINGS

NAME = 20  # columns of a name in a sentence


def said(names: tuple[str, ...], *seats: int) -> str:
    """Return players as a sentence names them, each with the number that the board uses."""
    plain = names_of(len(names))
    return ", ".join(plain[at] if names[at] == plain[at] else f"{cut(names[at], NAME)} ({at + 1})" for at in seats)


def duty(view: TikalView, names: tuple[str, ...]) -> str:
    """Return whose turn it is and what they must do, or who has won."""
    if view.ended or not view.to_do:
        return _won(view, names)
    doing, seat = view.to_do[0]
    if doing == "sale":
        bidders = said(names, *view.acting)
        if view.bidding == "open":
            return f"Tiles are on sale. {bidders} must make an offer or pass."
        return f"Tiles are on sale. Ceilings still to be sealed: {bidders}."
    name, points = said(names, seat), count(view.points, "action point")
    if doing == "choice":
        return f"{name} must choose a tile."
    if doing == "scoring":
        return f"{name} has a scoring turn with {points} left."
    return f"{name} must lay a tile and then has {points}." if view.tile else f"{name} has {points} left."


def to_type(view: TikalView) -> str:
    """Return a line that may be typed now, as a sentence; "" if nobody is to act. A picture needs none."""
    return f"To type, for example: {example(view)}" if view.acting and not view.ended and view.to_do else ""


def details(view: TikalView, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a sentence for everything else that players must know now."""
    if view.ended or not view.to_do:
        yield from _ranking(view, names)
        return
    doing, seat = view.to_do[0]
    if doing == "sale":
        yield from _sale(view, names, seat)
    if doing == "scoring":
        yield from _later(view, names)
    if view.worked:
        times = ", ".join(f"{cell} {n} of 2" for cell, n in sorted(Counter(view.worked).items()))
        yield f"Levels or treasures taken this turn: {times}."


def _later(view: TikalView, names: tuple[str, ...]) -> Iterator[str]:
    """Yield who scores after the scoring turn on top, and who lays the volcano then."""
    waiting = [seat for doing, seat in view.to_do[1:] if doing == "scoring"]
    if waiting:
        yield f"Scoring turns to follow: {said(names, *waiting)}."
    for doing, seat in view.to_do:
        if doing == "turn":
            yield f"Then {said(names, seat)} lays the volcano and has a turn."


# --- a sale ---------------------------------------------------------------------------------------------------------


def _sale(view: TikalView, names: tuple[str, ...], opener: int) -> Iterator[str]:
    order = sorted((at for at, one in enumerate(view.players) if one.totem), key=lambda at: _after(view, opener, at))
    yield f"Bidders in this sale, beginning with its opener: {said(names, *order)}."
    if view.bidding == "open":
        highest = max(range(len(view.players)), key=lambda at: view.players[at].bid)
        bid = view.players[highest].bid
        yield f"The highest offer is {bid}, from {said(names, highest)}." if bid else "There is no offer yet."
    else:
        yield "A ceiling is the most you would pay; 0 passes."
        yield "The highest wins the sale and pays one point more than the second highest, at most its own ceiling."
        yield "Of equal ceilings the first from the opener on wins."
    for at, one in enumerate(view.players):
        if one.ceiling is not None:
            yield f"{said(names, at)} sealed a ceiling of {one.ceiling}. Nobody else sees this."


def _after(view: TikalView, opener: int, seat: int) -> int:
    return (seat - opener) % len(view.players)


# --- the end --------------------------------------------------------------------------------------------------------


def _won(view: TikalView, names: tuple[str, ...]) -> str:
    if view.ended is None or not view.ended.won:
        return "The game is over."
    first = view.ended.places[0]
    if len(first) == 1:
        return f"The game is over. {said(names, *first)} has won."
    return f"The game is over. These players share the win: {said(names, *first)}."


def _ranking(view: TikalView, names: tuple[str, ...]) -> Iterator[str]:
    """Yield why the game is over, each place with its points, and what decided between equals."""
    if view.ended is None:
        return
    if view.ended.reason != "explored":
        yield ENDINGS[view.ended.reason]
    for at, place in enumerate(view.ended.places, 1):
        points = ", ".join(f"{said(names, seat)}: {count(view.players[seat].points, 'point')}" for seat in place)
        yield f"{at}. {points}"
    for better, worse in zip(view.ended.places, view.ended.places[1:], strict=False):
        yield from _tie_break(view, names, better[0], worse[0])


def _tie_break(view: TikalView, names: tuple[str, ...], better: int, worse: int) -> Iterator[str]:
    """Yield what decided between players with equal points; nothing if one has resigned."""
    one, two = view.players[better], view.players[worse]
    if one.points != two.points or one.gone or two.gone:
        return
    first, second = said(names, better), said(names, worse)
    tall = [max((seen.site.value for seen in view.sites if seen.holder == seat), default=0) for seat in (better, worse)]
    if tall[0] != tall[1]:
        yield f"{first} ranks above {second}: equal points, but a taller temple, {tall[0]} against {tall[1]}."
        return
    finds = [len(each.player.treasures) for each in (one, two)]
    yield (
        f"{first} ranks above {second}: equal points and temples, but more treasures, {finds[0]} against {finds[1]}."
    )
