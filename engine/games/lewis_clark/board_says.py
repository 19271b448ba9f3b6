"""The sentences of board and picture: whose turn it is, what is owed and how it is typed, and how the game ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.lewis_clark.cards import LINES
from engine.games.lewis_clark.commands import cheaper
from engine.games.lewis_clark.route import FORT
from engine.games.lewis_clark.state import Frame
from engine.games.lewis_clark.view import LewisClarkView
from engine.kit import cut

NAME = 20  # columns of a name in a sentence
SEALED = "Cards laid face down show strength and badge only."

TYPING = """\
TO TYPE   play CARD, then for strength (3 at most) under CARD, indians N;
          or village PLACE N, of strength N. Once for each strength: use.
            use as WORD           where the lines above give several
            use pay A+B take A+B  goods of free choice: equipment food fur
                                  wood (the primary), canoe horse
            use only N            to take or to move less than all
            stop                  to leave strength unused
          Once each, before the action or after it: camp; recruit CARD
          [discard CARD], which saves equipment. At last: end.
          A whole turn may be one line, its commands parted by ;
          Names in small letters, words joined: hawks-feather, big-horse."""


# --- the turn -------------------------------------------------------------------------------------------------------


def headline(view: LewisClarkView, names: Sequence[str]) -> Iterator[str]:
    """Whose turn it is and what is owed, or how it ended."""
    if view.over:
        yield f"The game is over. {ended(view, names)}."
        yield from places(view, names)
        return
    yield f"Turn {view.turns} of at most {view.cap}. {cut(names[view.seat], NAME)} {duty(view)}"
    yield from (f"  {line}" for line in doing(view))
    if view.covered:
        yield f"  {SEALED}"


def doing(view: LewisClarkView) -> Iterator[str]:
    """What is under way, what may be typed, and an example."""
    for frame in view.frames:
        yield f"now: {LINES[frame.source].name}, {strength(frame)}"
    if view.moved:
        yield f"The scout has moved in this action{_helped(view.bonus)}."
    yield f"possible: {', '.join(view.possible)}"
    if view.example:
        yield f"for example: {view.example}"


def strength(frame: Frame) -> str:
    return "without strength so far" if not frame.begun and not frame.left else f"strength {frame.left} left"


def _helped(bonus: Sequence[str]) -> str:
    return f", further by the help of {' and '.join(LINES[card].name for card in bonus)}" if bonus else ""


def duty(view: LewisClarkView) -> str:
    """What the player to move has done this turn, and what is still his."""
    done = [word for word, is_so in (("camped", view.camped), ("recruited", view.recruited)) if is_so]
    may = [word for word, is_so in (("camp", view.camped), ("recruit", view.recruited)) if not is_so]
    owes = "has done the action" if view.acted else "is in an action" if view.frames else "owes an action"
    said = f"{owes}{''.join(f', has {word}' for word in done)}"
    return f"{said}; may {' and '.join(may)}." if may else f"{said}."


def help_with_fur(view: LewisClarkView, names: Sequence[str]) -> Iterator[str]:
    """Who recruits for less."""
    for seat, player in enumerate(view.players):
        for card, fur in cheaper(played.card for played in player.table):
            yield f"{cut(names[seat], NAME)} pays {fur} fur less by {LINES[card].name}."


def to_type() -> Iterator[str]:
    """For whoever has not read the guide."""
    yield from TYPING.splitlines()


# --- the end --------------------------------------------------------------------------------------------------------


def ended(view: LewisClarkView, names: Sequence[str]) -> str:
    """Who has reached the Pacific, if anybody has."""
    if view.winner is not None:
        return f"{cut(names[view.winner], NAME)} has reached the Pacific first and has won"
    reason = view.ended.reason if view.ended else ""
    if reason == "resigned":
        return "So many have resigned that nobody goes on"
    if reason == "mackenzie" and view.mackenzie is not None and view.mackenzie < FORT:
        return "The race was given up to Mackenzie"
    if reason == "mackenzie":
        return "Mackenzie has reached the Pacific first"
    return f"Nobody has reached the Pacific in {view.cap} turns: the camps are ranked, then the scouts"


def places(view: LewisClarkView, names: Sequence[str]) -> Iterator[str]:
    """Each place with who has it."""
    if view.ended is None or len(view.players) == 1:
        return
    for place, seats in enumerate(view.ended.places, 1):
        yield f"  {place}. " + ", ".join(f"{cut(names[seat], NAME)} (player {seat + 1})" for seat in seats)
