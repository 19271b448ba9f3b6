"""Requests for streams, and the matching rows of the database."""

from __future__ import annotations

import sqlalchemy as sa

from server.hooks import numbering
from server.kernel.db.models import Account, AccountEvent
from tests.server.harness import Player
from tests.workers.streams.conftest import Site
from tests.workers.streams.reader import Reader


def mine(site: Site, player: Player, **headers: str) -> Reader:
    return Reader(site.url, "/me/events", **player.auth, **headers)


def shared(site: Site, *follow: tuple[Player | str, int | None], receive: int | None = None) -> Reader:
    """The stream of several accounts, each by its player or a token, after a number."""
    listed = [
        {"token": one if isinstance(one, str) else one.token} | ({} if n is None else {"after": n}) for one, n in follow
    ]
    return Reader(site.url, "/events", body={"follow": listed}, receive=receive)


def after(number: int | str | None) -> dict[str, str]:
    return {"Last-Event-ID": str(number)}


def table(site: Site, count: int = 2) -> tuple[list[Player], str]:
    """People, the first two of whom play Bids: entries 0 to 3."""
    people = site.people(count)
    return people, site.hall.game("bids", people[:2], clock={"move": 600, "bank": 0, "grace": 60})


def stored(site: Site, player: Player) -> list[tuple[int, str, int]]:
    asked = sa.select(AccountEvent.n, AccountEvent.kind, AccountEvent.seq).order_by(AccountEvent.n)
    numbering.number(site.hall.services.database, [player.account])
    with site.hall.services.database.read() as session:
        return [tuple(row) for row in session.execute(asked.where(AccountEvent.account_id == player.account))]


def shape(events: list[dict]) -> list[tuple[int, str, int]]:
    return [(event["n"], event["kind"], event["seq"]) for event in events]


def tell_many(site: Site, player: Player, first: int, many: int) -> None:
    """Make this many more events."""
    with site.hall.services.database.write() as session:
        row = session.scalars(sa.select(AccountEvent).where(AccountEvent.account_id == player.account)).first()
        values = {column.name: getattr(row, column.name) for column in AccountEvent.__table__.columns}
        rows = [values | {"n": n} for n in range(first + 1, first + many + 1)]
        session.execute(sa.insert(AccountEvent), rows)
        session.execute(sa.update(Account).where(Account.id == player.account).values(events=first + many))
