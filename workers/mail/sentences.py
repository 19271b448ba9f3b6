"""Sentences of mails about time and turns: how long there is, whose turn it will be, what waits (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from server.kernel import text
from workers.mail.facts import Owed, Turn

# What a digest says of news, by its kind.
HAPPENED = {
    "started": "The game has started, and somebody else moves first.",
    "over": "The game is over.",
    "cancelled": "The game is cancelled.",
    "absent": "You count as absent.",
}


def waiting(count: int) -> str:
    """The subject of a digest."""
    return (
        "news of your games" if not count else "a move waits for you" if count == 1 else f"{count} moves wait for you"
    )


def beside_whom(others: Sequence[str]) -> str:
    """With whom a game of a digest is played: behind the game, since no name may stand alone on a line of a mail."""
    return f" with {text.people(others)}" if others else ""


def owed_says(owed: Owed, now: datetime, zone: ZoneInfo) -> str:
    """How long it may take."""
    if owed.deadline is None:
        return "no clock"
    own = owed.deadline - owed.grace
    if own <= now:
        left = text.span(owed.deadline - now)
        return f"your time is up; {left} of grace, until {text.moment(owed.deadline, zone)}"
    return f"{text.span(own - now)} left, until {text.moment(own, zone)}"


def time_left(turn: Turn, zone: ZoneInfo) -> str:
    """The seat's own time, and apart from it the grace, on which nobody should count."""
    if turn.deadline is None:
        return ""
    own, grace = turn.deadline - turn.grace, text.seconds(int(turn.grace.total_seconds()))
    if turn.grace and own <= turn.now:
        left = text.span(turn.deadline - turn.now)
        return f"Your time is up. Left of the grace: {left}, until {text.moment(turn.deadline, zone)}."
    then = f" Then {grace} of grace." if turn.grace else ""
    return f"Time left: {text.span(own - turn.now)}, until {text.moment(own, zone)}.{_bank(turn)}{then}"


def beside(turn: Turn, players: Sequence[str]) -> str:
    """Who is to move at the same time."""
    return f"At the same time {_to_move(turn.others, players)}." if turn.others else ""


def then(turn: Turn, players: Sequence[str]) -> str:
    """Whose turn it will be."""
    return f"After your turn {_to_move(turn.then, players)}, as far as it can be foreseen." if turn.then else ""


def _to_move(seats: Sequence[int], players: Sequence[str]) -> str:
    return f"{text.people([players[seat] for seat in seats])} {'is' if len(seats) == 1 else 'are'} to move"


def _bank(turn: Turn) -> str:
    return f" Your bank, {text.span(turn.bank)} left, is counted in." if turn.bank else ""
