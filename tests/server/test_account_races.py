"""Two requests of one account at the same moment, on PostgreSQL: SQLite has one writer in any case."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

import pytest
import sqlalchemy as sa

from server.accounts.bots import write as bots
from server.accounts.write import erase_account_in
from server.hooks.push.schemas import KEY, SECRET
from server.kernel.db.models import Account, PushSubscription
from server.kernel.errors import Problem
from server.log import quotas
from tests.kit.patience import until
from tests.server.harness import Harness, Player
from tests.server.test_waiting import SECOND, register

pytestmark = [pytest.mark.slow, pytest.mark.postgresql]

WAITING = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
ENDPOINT = "https://updates.push.services.mozilla.com/wpush/v2/gAAAAAB"
ASKS: dict[str, Callable[[Player], Any]] = {
    "an address": lambda ada: ada.post("/me/address", {"email": "ada@new.example"}),
    "a key": lambda ada: register(ada, SECOND),
}


@pytest.fixture
def hall(postgres_url: str, open_house: Callable[..., Harness]) -> Harness:
    return open_house(postgres_url)


def wait_for(hall: Harness, number: int) -> None:
    """Until so many transactions wait for a lock."""

    def are_waiting() -> bool:
        with hall.services.database.read() as session:
            return (session.scalar(WAITING) or 0) >= number

    until(are_waiting)


@pytest.mark.parametrize("name", ASKS)
def test_what_is_counted_locks_the_count_before_the_account(hall: Harness, name: str):
    """Everything else of an account takes both in this order, a new webhook for example, so none waits for another."""
    ada = hall.player(0)
    with hall.services.database.write() as session:
        quotas.lock(hall.services, session, ada.account)  # makes its row
    with ThreadPoolExecutor(1) as pool:
        with hall.services.database.write() as session:
            quotas.lock(hall.services, session, ada.account)
            asked = pool.submit(ASKS[name], ada)
            wait_for(hall, 1)
            session.execute(sa.select(Account.id).where(Account.id == ada.account).with_for_update(key_share=True))
        assert asked.result().status_code in (201, 202)


def test_a_browser_that_subscribes_from_two_tabs_at_once_is_one_device(hall: Harness):
    """The second request renews what the first has made."""
    ada = hall.player(0)
    given = {"endpoint": ENDPOINT, "keys": {"p256dh": KEY, "auth": SECRET}}
    with ThreadPoolExecutor(2) as pool:
        with hall.services.database.write() as session:
            quotas.lock(hall.services, session, ada.account)
            tabs = [pool.submit(ada.post, "/me/push", given) for _ in range(2)]
            wait_for(hall, 2)
        assert [one.result().status_code for one in tabs] == [201, 201]
    assert len(ada.get("/me/push").get_json()["subscriptions"]) == 1


def test_a_browser_that_two_accounts_subscribe_at_once_is_that_of_the_second(hall: Harness):
    """An endpoint has one subscription: the first one ends, as it does when there is time between them."""
    ada, bea = hall.player(0), hall.player(1)
    given = {"endpoint": ENDPOINT, "keys": {"p256dh": KEY, "auth": SECRET}}
    whole = {"endpoint": ENDPOINT, "host": "updates.push.services.mozilla.com", "p256dh": b"key", "auth": b"secret"}
    made = {"hash": sha256(ENDPOINT.encode()).digest(), "created_at": hall.clock(), "renewed_at": hall.clock()}
    with ThreadPoolExecutor(1) as pool:
        with hall.services.database.write() as session:
            session.add(PushSubscription(account_id=bea.account, **whole, **made))
            session.flush()
            second = pool.submit(ada.post, "/me/push", given)
            wait_for(hall, 1)
        assert second.result().status_code == 201
    assert [len(who.get("/me/push").get_json()["subscriptions"]) for who in (ada, bea)] == [1, 0]


def test_a_bot_that_is_being_erased_gets_no_new_name(hall: Harness):
    """The request waits for its row, and finds no bot any more."""
    ada = hall.player(0)
    bot = ada.post("/me/bots", {"name": "Deep"}).get_json()["id"]
    with ThreadPoolExecutor(1) as pool:
        with hall.services.database.write() as session:
            erase_account_in(hall.services, session, bot)
            session.flush()
            renamed = pool.submit(bots.rename, hall.services, ada.account, bot, "Deeper")
            wait_for(hall, 1)
        assert isinstance(renamed.exception(), Problem)
    with hall.services.database.read() as session:
        assert session.get_one(Account, bot).name == "Deleted account"
