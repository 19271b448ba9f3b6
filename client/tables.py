"""Lists of games for a person: those waiting for their move first, by the time left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from client.entry_text import people, span
from client.home import Host
from client.http import Api, ApiError
from engine.kit import names_of

Detail = Mapping[str, Any]
UNFINISHED = ("running", "lobby")
MOST_FREE = 200


class TableRow(NamedTuple):
    """One game of ours: the server's detail, our seat, and the deadline of the move that we owe."""

    game: Detail
    seat: int | None
    deadline: str | None
    mine: bool

    @property
    def urgency(self) -> tuple[int, str, str]:
        """Games waiting for our move first, running ones before waiting tables, then by the time left."""
        stage = {"running": 1, "lobby": 2}.get(self.game["status"], 3)
        return (0 if self.mine else stage), self.deadline or "9999", str(self.game["id"])

    def value(self) -> dict[str, Any]:
        """The table as JSON."""
        return {**self.game, "your_seat": self.seat, "your_turn": self.mine, "deadline": self.deadline}


def ours(host: Host, *, finished: bool) -> list[TableRow]:
    """The account's unfinished games, the most urgent first; with those that are over if requested.

    Includes tables that were opened here without taking a seat.
    """
    api = host.session.api
    own = {one["id"]: one for one in _pages(api, "/v1/me/games") if finished or one["status"] in UNFINISHED}
    others = [game for game in host.games() if game not in own]
    rows = [_row(shown, own.get(shown["id"])) for shown in _details(api, [*own, *others])]
    return sorted((row for row in rows if finished or row.game["status"] in UNFINISHED), key=lambda row: row.urgency)


def _pages(api: Api, path: str, **query: str) -> Iterator[Detail]:
    """Every game of a paged list."""
    after: dict[str, str] = {}
    while True:
        page = api.get(path, limit=100, **query, **after).value
        yield from page["games"]
        if page["next"] is None:
            return
        after = {"after": page["next"]}


def _details(api: Api, games: Iterable[str]) -> Iterator[Detail]:
    for game in games:
        try:
            yield api.get(f"/v1/games/{game}").value
        except ApiError as no:
            if no.code != "no-such-game":  # a game of a server that was set up anew
                raise


def _row(game: Detail, own: Mapping[str, Any] | None) -> TableRow:
    if own is not None and own["owes"]:
        return TableRow(game, own["seat"], own["deadline"], mine=True)
    first = min((one["deadline"] for one in game["deadlines"]), default=None)
    return TableRow(game, None if own is None else own["seat"], first, mine=False)


def free(host: Host) -> list[Detail]:
    """Tables with a seat to take: waiting ones, and running games with offered seats."""
    return list(islice(_pages(host.session.api, "/v1/games", free="true"), MOST_FREE))


# --- in words ---------------------------------------------------------------------------------------------------------


def names(game: Detail) -> tuple[str, ...]:
    """The names of the seats' holders, on one clean line each; bots are marked."""
    plain = names_of(len(game["seats"]))
    return tuple(_called(seat, plain[number]) for number, seat in enumerate(game["seats"]))


def _called(seat: Mapping[str, Any], plain: str) -> str:
    name = "".join(c for c in seat["name"] or "" if c.isprintable()).strip() or plain
    return f"{name} (bot)" if seat["bot"] else name


def turn_words(game: Detail) -> str:
    """The players whose turn it is."""
    if game["status"] != "running":
        return {"lobby": "waiting for players", "finished": "over", "cancelled": "cancelled"}[game["status"]]
    called = names(game)
    return people([called[seat] for seat in game["active"]]) if game["active"] else "nobody"


def left_words(deadline: str | None, now: float) -> str:
    """How much time is left until then."""
    if deadline is None:
        return "no limit"
    left = int(datetime.fromisoformat(deadline).timestamp() - now)
    return span(left) if left > 0 else "out of time"


def seat_words(seat: int | None) -> str:
    return "-" if seat is None else str(seat + 1)


def sat(game: Detail) -> str:
    """The players' names, with `-` for free seats."""
    return ", ".join(name if seat["name"] else "-" for seat, name in zip(game["seats"], names(game), strict=True))


def short(game: str, others: Sequence[str] = ()) -> str:
    """The shortest start of an id that no other has, at least eight letters."""
    length = next((n for n in range(8, 36) if sum(one[:n] == game[:n] for one in {*others, game}) == 1), 36)
    return game[:length]
