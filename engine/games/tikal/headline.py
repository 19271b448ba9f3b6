"""What stands above board and picture: who is to do what, by which words, and at the end who has won and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.games.tikal.example import example
from engine.games.tikal.view import TikalView
from engine.kit import count, cut, names_of
from engine.kit.play import ENDINGS

NAME = 20  # columns of a name in a sentence


def said(names: tuple[str, ...], *seats: int) -> str:
    """Players in a sentence, each with the number that stands on the board."""
    plain = names_of(len(names))
    return ", ".join(plain[at] if names[at] == plain[at] else f"{cut(names[at], NAME)} ({at + 1})" for at in seats)


def duty(view: TikalView, names: tuple[str, ...]) -> str:
    """Who is to do what, or who has won."""
    if view.ended or not view.to_do:
        return _won(view, names)
    doing, seat = view.to_do[0]
    if doing == "sale":
        what = "to bid or to pass" if view.bidding == "open" else "to seal a ceiling"
        return f"A sale. Still {what}: {said(names, *view.acting)}."
    points = count(view.points, "action point")
    tasks = {
        "choice": "is to choose a tile.",
        "scoring": f"has a scoring turn, {points} left, and then scores.",
        "turn": f"is to lay a tile, and then has {points}." if view.tile else f"has {points} left.",
    }
    return f"{said(names, seat)} {tasks[doing]}"


def details(view: TikalView, names: tuple[str, ...]) -> Iterator[str]:
    """What else must be known now, a sentence each."""
    if view.ended or not view.to_do:
        yield from _ranking(view, names)
        return
    if view.acting:
        yield f"To type, for example: {example(view)}"
    doing, seat = view.to_do[0]
    if doing == "sale":
        yield from _sale(view, names, seat)
    if doing == "scoring" and view.to_do[1:]:
        yield f"Then {', then '.join(_later(what, said(names, other)) for what, other in view.to_do[1:])}."
    if view.worked:
        times = ", ".join(f"{cell} {n} of 2" for cell, n in sorted(Counter(view.worked).items()))
        yield f"Levels or treasures taken in this turn: {times}."


def _later(doing: str, name: str) -> str:
    return f"{name} scores" if doing == "scoring" else f"{name} lays the volcano and has a turn"


# --- a sale ---------------------------------------------------------------------------------------------------------


def _sale(view: TikalView, names: tuple[str, ...], opener: int) -> Iterator[str]:
    order = sorted((at for at, one in enumerate(view.players) if one.totem), key=lambda at: _after(view, opener, at))
    yield f"In this sale, from its opener on: {said(names, *order)}."
    if view.bidding == "open":
        highest = max(range(len(view.players)), key=lambda at: view.players[at].bid)
        bid = view.players[highest].bid
        yield f"The highest bid is {bid}, by {said(names, highest)}." if bid else "Nobody has bid yet."
    else:
        yield "A ceiling is the most that one would pay; 0 passes."
        yield "The highest chooses first, for one more than the second."
    for at, one in enumerate(view.players):
        if one.ceiling is not None:
            yield f"{said(names, at)} has sealed {one.ceiling}; nobody else sees this."


def _after(view: TikalView, opener: int, seat: int) -> int:
    return (seat - opener) % len(view.players)


# --- the end --------------------------------------------------------------------------------------------------------


def _won(view: TikalView, names: tuple[str, ...]) -> str:
    if view.ended is None or not view.ended.won:
        return "The game is over."
    first = view.ended.places[0]
    return f"The game is over. {said(names, *first)} {'has won' if len(first) == 1 else 'have won together'}."


def _ranking(view: TikalView, names: tuple[str, ...]) -> Iterator[str]:
    """Why the game is over, each place with its points, and what parted equals."""
    if view.ended is None:
        return
    if view.ended.reason != "explored":
        yield ENDINGS[view.ended.reason]
    for at, place in enumerate(view.ended.places, 1):
        points = ", ".join(f"{said(names, seat)} {count(view.players[seat].points, 'point')}" for seat in place)
        yield f"{at}. {points}"
    for better, worse in zip(view.ended.places, view.ended.places[1:], strict=False):
        why = _tie_break(view, better[0], worse[0])
        if why:
            yield f"{said(names, better[0])} before {said(names, worse[0])}: {why}."


def _tie_break(view: TikalView, better: int, worse: int) -> str:
    """By what equals in points were parted; nothing if they were not, or if one has resigned."""
    one, two = view.players[better], view.players[worse]
    if one.points != two.points or one.gone or two.gone:
        return ""
    tall = [max((seen.site.value for seen in view.sites if seen.holder == seat), default=0) for seat in (better, worse)]
    if tall[0] != tall[1]:
        return f"equal points, but the taller temple, {tall[0]} against {tall[1]}"
    finds = [len(each.player.treasures) for each in (one, two)]
    return f"equal points and temples, but more treasures, {finds[0]} against {finds[1]}"
