"""What a stolen session can do around tables: nothing after its owner has ended all sessions, and never unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from server.accounts import write as accounts
from server.kernel.db.models import ApiToken, CalendarLink, DeviceGrant, Hook
from server.kernel.text import iso
from tests.server import surfaces
from tests.server.browsers import OWN
from tests.server.harness import Harness, Player
from tests.server.test_deadlines import CLOCK
from tests.server.test_device_sign_in import Program

Act = Callable[[Player, str, str], Any]


def put(player: Player, path: str, body: Any = None) -> Any:
    return player.harness.client.put(f"/v1{path}", json=body, headers=player.auth)


def until(player: Player) -> dict[str, str]:
    return {"until": iso(player.harness.clock() + timedelta(days=7))}


# By name: what the session of the first player does at a running table, or at one that has not begun.
ACTS: dict[str, Act] = {
    "talk": lambda thief, running, lobby: thief.post(f"/games/{running}/talk", {"text": "You all play badly."}),
    "invite": lambda thief, running, lobby: thief.post(f"/games/{lobby}/invitations", {"to": "new@example.org"}),
    "holiday": lambda thief, running, lobby: thief.post("/me/holidays", {"from": "now", "days": 3}),
    "pause": lambda thief, running, lobby: thief.post(f"/games/{running}/pause", until(thief)),
    "wish to pause": lambda thief, running, lobby: put(thief, f"/games/{running}/consents/pause", until(thief)),
    "wish to cancel": lambda thief, running, lobby: put(thief, f"/games/{running}/consents/cancel"),
}


def tables(hall: Harness, two: list[Player]) -> tuple[str, str]:
    running = hall.game("pig", two, clock=CLOCK, host_pause=14)
    lobby = two[0].post("/games", {"type": "pig", "seats": 3}).get_json()["id"]
    two[0].join(lobby, 0)
    return running, lobby


@pytest.mark.parametrize("name", ACTS)
def test_ending_all_sessions_stops_a_thief(hall: Harness, two: list[Player], name: str):
    """Before it, the session may do what its owner may."""
    running, lobby = tables(hall, two)
    assert ACTS[name](two[0], running, lobby).status_code in (200, 201, 202)
    running, lobby = tables(hall, two)
    assert two[0].post("/me/end-all").status_code in (200, 204)
    assert ACTS[name](two[0], running, lobby).status_code == 401


# By name: what would give a thief access for longer, by their token or by a form in their browser.
LASTS: dict[str, tuple[str, dict[str, Any]]] = {
    "token": ("/me/tokens", {"name": "x", "scopes": ["read"], "days": None}),
    "webhook": ("/me/hooks", {"url": "https://hook.example/x", "name": "x"}),
    "bot": ("/me/bots", {"name": "Blue"}),
    "token of a bot": ("/me/bots/{bot}/token", {}),
    "calendar": ("/me/calendar", {}),
    "token on a page": ("/account/token", {"name": "x", "scopes": "read", "days": ""}),
    "calendar on a page": ("/account/calendar", {}),
    "program": ("/device/answer", {"do": "allow", "scopes": "read", "days": ""}),
}


@pytest.mark.parametrize("name", LASTS)
def test_what_a_thief_was_making_at_that_moment_does_not_remain(
    hall: Harness, two: list[Player], name: str, monkeypatch: pytest.MonkeyPatch
):
    """All access is ended after the request was authorized, and before it writes."""
    bot = two[0].post("/me/bots", {"name": "Deep"}).get_json()["id"]
    browser, code, (path, body) = hall.browser(), Program(hall).code, LASTS[name]
    browser.sign_in(hall, "player0@example.org")
    usual, ended = hall.services.database.write, list[bool]()

    @contextmanager
    def write() -> Iterator[Session]:
        if not ended:
            ended.append(True)
            accounts.end_all(hall.services, two[0].account)
        with usual() as session:
            yield session

    monkeypatch.setattr(hall.services.database, "write", write)
    asks = partial(browser.post, path, data=body | {"code": code}, headers=OWN)
    if path.startswith("/me"):
        asks = partial(two[0].post, path.format(bot=bot), body)
    assert asks().status_code == 401
    live = (ApiToken.account_id != two[1].account, ApiToken.revoked_at.is_(None))
    found = [sa.select(ApiToken.id).where(*live), sa.select(Hook.id), sa.select(CalendarLink.account_id)]
    found.append(sa.select(DeviceGrant.id).where(DeviceGrant.account_id.is_not(None)))
    with hall.services.database.read() as session:
        assert [session.scalars(rows).all() for rows in found] == [[]] * 4


@pytest.mark.parametrize(
    ("name", "mail"), [("holiday", "holiday"), ("wish to pause", "own-pause"), ("wish to cancel", "own-wish")]
)
def test_the_owner_is_mailed_what_their_session_asks_for(hall: Harness, two: list[Player], name: str, mail: str):
    """Once, and nobody else gets this mail; so a thief does not remain unseen."""
    running, lobby = tables(hall, two)
    for _ in range(2):
        ACTS[name](two[0], running, lobby)
    assert [account for account, _, _ in surfaces.notices(hall, mail)] == [two[0].account]
