"""Games as a person lists them: those where he is asked first, by the time that is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from client.home import Host
from client.http import ApiError
from client.telling import people, span
from engine.kit import names_of

Detail = Mapping[str, Any]
UNFINISHED = ("running", "lobby")


class Row(NamedTuple):
    """One game of ours: what the server says of it, our seat, and until when we owe a move."""

    game: Detail
    seat: int | None
    deadline: str | None
    mine: bool

    @property
    def urgency(self) -> tuple[int, str, str]:
        """Ours to move before others', running ones before those that wait, and by the time that is left."""
        stage = {"running": 1, "lobby": 2}.get(self.game["status"], 3)
        return (0 if self.mine else stage), self.deadline or "9999", str(self.game["id"])

    def value(self) -> dict[str, Any]:
        """As JSON."""
        return {**self.game, "your_seat": self.seat, "your_turn": self.mine, "deadline": self.deadline}


def ours(host: Host, *, finished: bool) -> list[Row]:
    """The account's unfinished games, the most urgent first; those that are over, too, if it is wished."""
    api = host.session.api
    turns = {turn["game"]: turn for turn in api.get("/v1/me/turns").value}
    rows = [_row(shown, turns.get(shown["id"])) for shown in _details(host, {**dict.fromkeys(host.games()), **turns})]
    return sorted((row for row in rows if finished or row.game["status"] in UNFINISHED), key=lambda row: row.urgency)


def _details(host: Host, games: Iterable[str]) -> Iterable[Detail]:
    for game in games:
        try:
            yield {**host.session.api.get(f"/v1/games/{game}").value, "own": host.key.kid}
        except ApiError as no:
            if no.code != "no-such-game":  # one of a server that was set up anew
                raise


def _row(game: Detail, turn: Mapping[str, Any] | None) -> Row:
    shown = {name: value for name, value in game.items() if name != "own"}
    if turn is not None:
        return Row(shown, turn["seat"], turn["deadline"], mine=True)
    seat = next((seat["seat"] for seat in game["seats"] if seat.get("kid") == game["own"]), None)
    first = min((one["deadline"] for one in game["deadlines"]), default=None)
    return Row(shown, seat, first, mine=False)


def free(host: Host, limit: int = 100) -> list[Detail]:
    """Tables at which somebody may sit down: the newest that wait, and seats of running games that are offered."""
    found: list[Detail] = []
    for status in ("lobby", "running"):
        listed = host.session.api.get("/v1/games", status=status, limit=limit).value["games"]
        found += [game for game in listed if game["free_seats"]]
    return found


# --- in words ---------------------------------------------------------------------------------------------------------


def names(game: Detail) -> tuple[str, ...]:
    """What the seats' holders are called, on one clean line each."""
    plain = names_of(len(game["seats"]))
    clean = ("".join(c for c in seat["name"] or "" if c.isprintable()).strip() for seat in game["seats"])
    return tuple(name or plain[seat] for seat, name in enumerate(clean))


def turn_words(game: Detail) -> str:
    """Whose turn it is."""
    if game["status"] != "running":
        return {"lobby": "waits for players", "finished": "over", "cancelled": "cancelled"}[game["status"]]
    called = names(game)
    return people([called[seat] for seat in game["active"]]) if game["active"] else "nobody"


def left_words(deadline: str | None, now: float) -> str:
    """How much time is left until then."""
    if deadline is None:
        return "no limit"
    left = int(datetime.fromisoformat(deadline).timestamp() - now)
    return span(left) if left > 0 else "time is over"


def seat_words(seat: int | None) -> str:
    return "-" if seat is None else str(seat + 1)


def sat(game: Detail) -> str:
    """Who sits there, free seats as `-`."""
    return ", ".join(seat["name"] or "-" for seat in game["seats"])


def short(game: str, others: Sequence[str] = ()) -> str:
    """As much of an id as tells it from the others, eight letters at least."""
    length = next((n for n in range(8, 36) if sum(one[:n] == game[:n] for one in {*others, game}) == 1), 36)
    return game[:length]
