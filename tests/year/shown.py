"""Every place that shows a person the deadlines of the moves they owe, read as its readers read it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import icalendar
import sqlalchemy as sa

from server.kernel.db.models import Seat
from tests.server.harness import HOST

SHOWN = re.compile(r'data-until="([^"]*)"')


def disagreement(world: Any, person: Any, games: list[Any]) -> str:
    """How the places differ from the rows of the seats; "" if they do not."""
    rows = _rows(world, person, games)
    found = {
        "list": {one["id"]: _moment(one["deadline"]) for one in games},
        "turns": {one["game"]: _moment(one["deadline"]) for one in person.player.get("/me/turns").get_json()},
        "game": {one["id"]: _of_game(person, one) for one in games},
        "calendar": _calendar(person, rows),
        **_pages(world, person, games),
    }
    told = {game: row.deadline for game, row in rows.items()}
    return "; ".join(f"{name}: {shown} instead of {told}" for name, shown in found.items() if shown != told)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _rows(world: Any, person: Any, games: list[Any]) -> dict[str, Seat]:
    query = sa.select(Seat).where(Seat.game_id.in_([one["id"] for one in games]))
    with world.services.database.read() as session:
        rows = session.scalars(query.where(Seat.account_id == person.player.account)).all()
    return {row.game_id: row for row in rows}


def _of_game(person: Any, game: Any) -> datetime | None:
    detail = person.player.get(f"/games/{game['id']}").get_json()
    (due,) = (one["deadline"] for one in detail["deadlines"] if one["seat"] == game["seat"])
    return _moment(due)


def _calendar(person: Any, rows: dict[str, Seat]) -> dict[str, datetime]:
    """It has the end of the seat's own time; the grace period is added."""
    if not person.calendar:
        made = person.player.post("/me/calendar").get_json()["url"]
        person.calendar = made.removeprefix(f"https://{HOST}")
    events = icalendar.Calendar.from_ical(person.player.harness.client.get(person.calendar).get_data()).walk("VEVENT")
    found = {}
    for one in events:
        game = next((game for game in rows if str(one["uid"]).startswith(game)), "another")
        row = rows.get(game)
        found[game] = None if row is None else one.decoded("dtstart") + (row.deadline - row.own_until)
        if row is not None and one["sequence"] != row.deadline_n:
            found[game] = one["sequence"]
    return found


def _pages(world: Any, person: Any, games: list[Any]) -> dict[str, dict[str, datetime | None]]:
    browser = world.browser(person)
    front = SHOWN.findall(browser.get("/").get_data(as_text=True))
    order = [one["id"] for one in games]
    pages = {one: SHOWN.findall(browser.get(f"/games/{one}").get_data(as_text=True)) for one in order}
    return {
        "front page": {game: _moment(at) for game, at in zip(order, front, strict=False)},
        "pages": {game: _own(at) for game, at in pages.items()},
    }


def _own(shown: list[str]) -> datetime | None:
    """Beside "your turn"; the page's list of all who owe a move, of whom there may be several, repeats it."""
    return _moment(shown[0]) if shown and shown[0] in shown[1:] else None
