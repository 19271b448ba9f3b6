"""Sentences of the board and the picture: the turn, the commands, the end of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.lewis_clark.cards import KINDS_SHOWN, LINES
from engine.games.lewis_clark.commands import cheaper
from engine.games.lewis_clark.route import FORT
from engine.games.lewis_clark.state import Frame
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import cut

NAME = 20  # columns of a name in a sentence
SEALED = "Cards laid face down show only their backs."
SEALED_UNTIL_3 = "Cards laid face down show only strength and badge."  # rules versions 1 to 3
ACTION = {
    "owed": "{name} must take an action.",
    "begun": "{name} is in the middle of an action.",
    "done": "{name} has taken their action.",
}
REST = {  # by what is done already: camped, recruited
    (False, False): "They may also camp and recruit.",
    (True, False): "They have camped and may still recruit.",
    (False, True): "They have recruited and may still camp.",
    (True, True): "They have camped and recruited.",
}

TYPING = """\
TO TYPE   First the action: play CARD, with a strength of at most 3 from
          under CARD and indians N; or village PLACE N, with strength N.
          Then use, once for each strength:
            use as WORD           if the card or place has several uses
            use pay A+B take A+B  goods of your choice: equipment food fur
                                  wood (the primary goods) canoe horse
            use only N            to take or move less than everything
            stop                  to leave the rest of the strength unused
          Once each, before or after the action: camp; recruit CARD
          [discard CARD], which saves equipment. Last: end.
          A whole turn can be one line, with ; between its commands.
          Type names in small letters with hyphens: hawks-feather."""


# --- the turn -------------------------------------------------------------------------------------------------------


def headline(view: LewisClarkView, names: Sequence[str]) -> Iterator[str]:
    """Yield whose turn it is and what they may do, or how the game ended."""
    if view.over:
        yield f"The game is over. {ended(view, names)}"
        yield from places(view, names)
        return
    yield f"Turn {view.turns} of at most {view.cap}. {duty(view, names)}"
    yield from (f"  {line}" for line in (*doing(view), *commands(view)))
    yield from (f"  {line}" for line in sealed(view))


def doing(view: LewisClarkView) -> Iterator[str]:
    """Yield the actions under way, and whether the scout has moved in them."""
    yield from (under_way(frame) for frame in view.frames)
    if view.moved and view.bonus:
        helpers = " and ".join(LINES[card].name for card in view.bonus)
        yield f"The scout has moved in this action, further with the help of {helpers}."
    elif view.moved:
        yield "The scout has moved in this action."


def under_way(frame: Frame) -> str:
    name = LINES[frame.source].name
    if frame.begun or frame.left:
        return f"Action under way: {name}, strength {frame.left} left."
    return f"Action under way: {name}, no strength yet."


def commands(view: LewisClarkView) -> Iterator[str]:
    """Yield what may be typed now, with an example."""
    yield f"Possible: {', '.join(view.possible)}"
    if view.example:
        yield f"For example: {view.example}"


def duty(view: LewisClarkView, names: Sequence[str]) -> str:
    """Return what the player to move has done this turn and may still do."""
    if view.possible == ("camp",):
        return f"{cut(names[view.seat], NAME)} can take no action and must camp."
    action = "done" if view.acted else "begun" if view.frames else "owed"
    return f"{ACTION[action].format(name=cut(names[view.seat], NAME))} {REST[view.camped, view.recruited]}"


def sealed(view: LewisClarkView) -> Iterator[str]:
    """Yield what others see of cards laid face down, if they do not see all."""
    if view.covered:
        yield SEALED if view.common.rules >= KINDS_SHOWN else SEALED_UNTIL_3


def help_with_fur(view: LewisClarkView, names: Sequence[str]) -> Iterator[str]:
    """Yield the players who recruit for less fur."""
    for seat, player in enumerate(view.players):
        for card, fur in cheaper(played.card for played in player.table):
            yield f"{cut(names[seat], NAME)} pays {fur} fur less thanks to {LINES[card].name}."


def to_type() -> Iterator[str]:
    """Yield the commands in short, for readers of a mail without the guide."""
    yield from TYPING.splitlines()


# --- the end --------------------------------------------------------------------------------------------------------


def ended(view: LewisClarkView, names: Sequence[str]) -> str:
    """Return how the game ended."""
    if view.winner is not None:
        return f"{cut(names[view.winner], NAME)} was the first to camp at the Pacific and has won."
    reason = view.ended.reason if view.ended else ""
    if reason == "resigned":
        return "Too many players have resigned to go on."
    if reason == "mackenzie" and view.mackenzie is not None and view.mackenzie < FORT:
        return "The race was given up, so Mackenzie has won."
    if reason == "mackenzie":
        return "Mackenzie has reached the Pacific first and has won."
    return f"Nobody reached the Pacific in {view.cap} turns. Places go by camp, then by scout."


def places(view: LewisClarkView, names: Sequence[str]) -> Iterator[str]:
    """Yield each place with its players."""
    if view.ended is None or len(view.players) == 1:
        return
    for place, seats in enumerate(view.ended.places, 1):
        yield f"  {place}. " + ", ".join(_called(names, seat) for seat in seats)


def _called(names: Sequence[str], seat: int) -> str:
    """Return `Ann (player 1)`, or `Seat 1` for a seat without a name."""
    return cut(names[seat], NAME) + ("" if names[seat] == f"Seat {seat + 1}" else f" (player {seat + 1})")
