"""Sentences of mails about time and turns: the time left, the next players, the games that wait (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from engine.kit import count
from server.kernel import text
from workers.mail.account_facts import OwedMove
from workers.mail.facts import Rescheduled, Turn

# The news in a digest and what else waits, by kind.
HAPPENED = {
    "started": "The game has started and another player moves first.",
    "over": "The game has finished.",
    "cancelled": "The game was cancelled.",
    "absent": "You count as absent.",
    "time": "Your deadline has moved.",
    "rematch": "A seat is kept for you at a rematch.",
    "invitation": "You are invited: a seat is kept for you.",
    "cancel": "Other players want to cancel the game. You can agree or object.",
    "pause": "Other players want to pause the game. You can agree or object.",
    "ready": "The table starts when you are ready.",
    "offer": "You offer your seat, and others may take it.",
    "talk": "The other players have written at the table.",
}


def waiting(games: int) -> str:
    """The subject of a digest."""
    return f"your turn in {count(games, 'game')}" if games else "news from your games"


def beside_whom(others: Sequence[str]) -> str:
    """The other players of a game, after its title: a name alone on a line could look like a command or a quote."""
    return f" with {text.people(others)}" if others else ""


def owed_says(owed: OwedMove, now: datetime, zone: ZoneInfo) -> str:
    """The time left for a move, in a digest."""
    return _left(owed.deadline, owed.grace, now, zone) if owed.deadline else "This game has no clock."


def time_left(turn: Turn | Rescheduled, zone: ZoneInfo) -> str:
    """The seat's own time, and separately the grace period, which players should not count on."""
    if turn.deadline is None:
        return ""
    left = _left(turn.deadline, turn.grace, turn.now, zone)
    if not turn.grace or turn.deadline - turn.grace <= turn.now:
        return left
    return f"{left}{_bank(turn)} A grace period of {text.seconds(int(turn.grace.total_seconds()))} follows."


def _left(deadline: datetime, grace: timedelta, now: datetime, zone: ZoneInfo) -> str:
    own = deadline - grace
    if grace and own <= now:
        return (
            f"Your time is up. The grace period ends in {text.span(deadline - now)}, on {text.moment(deadline, zone)}."
        )
    return f"Time left: {text.span(own - now)}, until {text.moment(own, zone)}."


def beside(turn: Turn, players: Sequence[str]) -> str:
    """The players who move at the same time."""
    return f"Also to move now: {_names(turn.others, players)}." if turn.others else ""


def then(turn: Turn, players: Sequence[str]) -> str:
    """The players to move after this turn."""
    return f"Probably to move after you: {_names(turn.then, players)}." if turn.then else ""


def _names(seats: Sequence[int], players: Sequence[str]) -> str:
    return text.people([players[seat] for seat in seats])


def _bank(turn: Turn | Rescheduled) -> str:
    return f" This includes your time bank of {text.span(turn.bank)}." if isinstance(turn, Turn) and turn.bank else ""
