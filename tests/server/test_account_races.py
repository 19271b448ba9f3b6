"""Two requests of one account at the same moment, on PostgreSQL: SQLite has one writer in any case."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

import pytest
import sqlalchemy as sa

from server.accounts import waiting_act_effects
from server.accounts.bots import write as bots
from server.accounts.write import end_all_in, erase_account_in
from server.hooks.push.schemas import KEY, SECRET
from server.kernel.db.account_lock import lock_account
from server.kernel.db.models import Account, PushSubscription
from server.kernel.errors import Problem
from server.log import quotas
from tests.kit.patience import until
from tests.server import test_address
from tests.server.harness import Harness, Player
from tests.server.test_waiting import SECOND, kid, register

pytestmark = [pytest.mark.slow, pytest.mark.postgresql]

WAITING = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
ENDPOINT = "https://updates.push.services.mozilla.com/wpush/v2/gAAAAAB"
Ask = Callable[[], Any]
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


def waiting_erasure(ada: Player) -> Ask:
    number = ada.post("/me/waiting", {"act": "erase"}).get_json()["id"]
    ada.harness.clock.forward(days=7)
    return lambda: waiting_act_effects.carry_out(ada.harness.services, number)


def sign_in_link(ada: Player) -> Ask:
    email = f"player{ada.number}@example.org"
    ada.harness.client.post("/v1/login", json={"email": email})
    token = ada.harness.link(email)
    return lambda: ada.harness.client.post("/v1/login/confirm", json={"token": token}).status_code


def new_address(ada: Player) -> Ask:
    test_address.ask(ada, f"ada{ada.number}@new.example")
    test_address.press(ada, test_address.link(ada, "old"))
    path = test_address.link(ada, "new")
    return lambda: test_address.press(ada, path).status_code


def erasure(ada: Player) -> Ask:
    proof = ada.prove("erase")
    return lambda: ada.delete("/me", **proof).status_code


def token(ada: Player) -> Ask:
    proof = ada.prove("token", "account")
    made = {"name": "a program", "scopes": ["account"]}
    return lambda: ada.post("/me/tokens", made, headers=proof).status_code


def key(ada: Player) -> Ask:
    given = {"jws": ada.harness.proof(ada, SECOND)}
    return lambda: ada.post("/me/keys", given).status_code


def approval(ada: Player) -> Ask:
    register(ada, SECOND)
    proof = ada.prove("let-in", kid(SECOND))
    return lambda: ada.post(f"/me/keys/{kid(SECOND)}/let-in", headers=proof).status_code


def subscription(ada: Player) -> Ask:
    given = {"endpoint": f"{ENDPOINT}{ada.number}", "keys": {"p256dh": KEY, "auth": SECRET}}
    return lambda: ada.post("/me/push", given).status_code


UNDER_WAY: dict[Callable[[Player], Ask], Any] = {
    waiting_erasure: False,
    sign_in_link: 410,
    new_address: 410,
    erasure: 409,
    token: 401,
    key: 409,
    approval: 404,
    subscription: 401,
}


def test_ending_all_access_waits_for_nothing_that_waits_for_the_account(hall: Harness):
    """Everything locks the account first. What waits then finds its act, link or nonce ended."""
    for number, (make, refused) in enumerate(UNDER_WAY.items()):
        ada = hall.player(number)
        ask = make(ada)
        with ThreadPoolExecutor(1) as pool:
            with hall.services.database.write() as session:
                lock_account(session, ada.account)
                asked = pool.submit(ask)
                wait_for(hall, 1)
                end_all_in(hall.services, session, ada.account)
            assert asked.result() == refused, make.__name__


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
