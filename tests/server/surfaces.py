"""Every place that shows the deadline of a seat to its holder, read as its readers read it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import partial
from typing import Any

import icalendar
import sqlalchemy as sa

from server.hooks import numbering, read
from server.kernel.db.models import Notification, Outbox, Seat
from server.kernel.logs import apart
from tests.server.harness import HOST, Harness, Player
from workers.dispatch import dispatch_in
from workers.mail import digest, load
from workers.mail.facts import MailOrigin, Turn
from workers.mail.smtp import Smtp
from workers.queues import WorkerContext

ORIGIN = MailOrigin(f"Sealed Move <play@{HOST}>", f"https://{HOST}")


def context(hall: Harness) -> WorkerContext:
    """The workers of this server, which draw nothing."""
    return WorkerContext(hall.services, ORIGIN, Smtp.at("smtp://127.0.0.1:1"), draw=lambda _: None)


def seat(hall: Harness, game: str, number: int) -> Seat:
    with hall.services.database.read() as session:
        return session.get_one(Seat, (game, number))


def shown(hall: Harness, game: str, player: Player) -> dict[str, datetime]:
    """The deadline of the player's seat in each place; a calendar has the end of the seat's own time."""
    number = player.seat
    detail = player.get(f"/games/{game}").get_json()
    (turn,) = (one for one in player.get("/me/turns").get_json() if one["game"] == game)
    (mine,) = (one for one in player.get("/me/games").get_json()["games"] if one["id"] == game)
    (due,) = (one for one in detail["deadlines"] if one["seat"] == number)
    own = _calendar(hall, player, game)
    found = {
        "row": seat(hall, game, number).deadline,
        "game": _moment(due["deadline"]),
        "turns": _moment(turn["deadline"]),
        "games": _moment(mine["deadline"]),
        **_pages(hall, game, player),
        "event": _moment(last_event(hall, player, game)["deadline"]),
        "calendar": own + (_moment(due["deadline"]) - _moment(due["own_until"])),
        **mailed(hall, game, player),
    }
    return {name: at for name, at in found.items() if at is not None}


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def last_event(hall: Harness, player: Player, game: str) -> Any:
    return [one for one in events(hall, player) if one["game"] == game][-1]


def events(hall: Harness, player: Player) -> list[dict[str, Any]]:
    """All of an account, as streams and webhooks send them."""
    numbering.number(hall.services.database, [player.account])
    with hall.services.database.read() as session:
        return read.events_after(session, player.account, 0, 10_000).events


def _pages(hall: Harness, game: str, player: Player) -> dict[str, datetime]:
    browser = hall.browser()
    browser.sign_in(hall, f"player{player.number}@example.org")
    page = browser.get(f"/games/{game}").get_data(as_text=True)
    times = {_moment(at) for at in re.findall(r'data-until="([^"]*)"', page)}
    assert len(times) == 1, page
    until = re.search(r'class="quiet">until <time datetime="([^"]*)"', page)
    front = re.search(r'data-until="([^"]*)"', browser.get("/").get_data(as_text=True))
    assert until is not None
    assert front is not None
    return {"countdown": times.pop(), "page": _moment(until[1]), "front page": _moment(front[1])}


def _calendar(hall: Harness, player: Player, game: str) -> datetime:
    event = calendar_event(hall, player, game)
    at: datetime = event.decoded("dtstart")
    return at


def calendar_event(hall: Harness, player: Player, game: str) -> Any:
    path = player.post("/me/calendar").get_json()["url"].removeprefix(f"https://{HOST}")
    events = icalendar.Calendar.from_ical(hall.client.get(path).get_data()).walk("VEVENT")
    return next(one for one in events if str(one["uid"]).startswith(game))


def mailed(hall: Harness, game: str, player: Player) -> dict[str, datetime]:
    """In the facts of the turn mail, and of a digest."""
    ctx = dispatched(hall)
    mine = (Notification.account_id == player.account, Notification.game_id == game, Notification.kind == "turn")
    with hall.services.database.read() as session:
        row = session.scalars(sa.select(Notification).where(*mine).order_by(Notification.id.desc())).first()
        assert row is not None
        _, facts = load.load(ctx, session, row)
        assert isinstance(facts, Turn)
        held, table = session.execute(digest._owing(player.account)).first()
        owed = digest._owed(session, held, table)
    found = {"turn mail": facts.deadline, "digest": owed.deadline}
    return {name: at.astimezone(UTC) for name, at in found.items() if at is not None}


def dispatched(hall: Harness) -> WorkerContext:
    """The workers, after they have dispatched everything that waits."""
    ctx = context(hall)
    with hall.services.database.read() as session:
        waiting = list(session.scalars(sa.select(Outbox.id).where(Outbox.dispatched_at.is_(None)).order_by(Outbox.id)))
    for number in waiting:
        apart(partial(dispatch_in, ctx, number))
    return ctx


def notices(hall: Harness, kind: str) -> list[tuple[int | None, str, Any]]:
    """The mails of a kind: their reader's account, and their facts as they would be sent now."""
    ctx = dispatched(hall)
    with hall.services.database.read() as session:
        rows = session.scalars(sa.select(Notification).where(Notification.kind == kind).order_by(Notification.id)).all()
        return [(row.account_id, row.kind, load.load(ctx, session, row)[1]) for row in rows]
