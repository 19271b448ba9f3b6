"""Subscriptions of browsers over the API: made, renewed, deleted; a refusal changes nothing."""

import pytest
import sqlalchemy as sa

from server.hooks.push.write import is_allowed
from server.kernel.config import PUSH_HOSTS, ConfigError, settings
from server.kernel.db.models import PushSubscription
from tests.workers.push.device import HOST, Device


@pytest.fixture
def player(hall):
    hosts = hall.services.settings.push_hosts
    object.__setattr__(hall.services.settings, "push_hosts", (HOST,))
    yield hall.player(0)
    object.__setattr__(hall.services.settings, "push_hosts", hosts)


def rows(hall) -> list[PushSubscription]:
    with hall.services.database.read() as session:
        return list(session.scalars(sa.select(PushSubscription).order_by(PushSubscription.id)))


def test_a_browser_subscribes_with_the_servers_key(hall, player):
    """The answer has neither the endpoint nor its keys, since whoever has them could send to the browser."""
    made = player.post("/me/push", Device().body)
    assert made.status_code == 201
    shown = player.get("/me/push").get_json()
    assert len(shown["key"]) == 87
    assert shown["subscriptions"] == [made.get_json()]
    assert made.get_json() | {"id": 1} == {
        "id": 1,
        "host": HOST,
        "here": True,
        "created_at": "2026-11-21T10:00:00Z",
        "renewed_at": "2026-11-21T10:00:00Z",
        "last_used_at": None,
        "clicked_at": None,
    }


def test_the_same_endpoint_renews_its_subscription(hall, player):
    """Also with new keys; one that another account makes with it ends the first one's."""
    first = player.post("/me/push", Device().body).get_json()
    body = Device().body | {"keys": Device("renewed").body["keys"]}
    assert player.post("/me/push", body).get_json()["id"] == first["id"]
    assert rows(hall)[0].auth == b"renewed........."
    other = hall.player(1)
    assert other.post("/me/push", Device().body).status_code == 201
    assert [row.account_id for row in rows(hall)] == [other.account]
    assert player.get("/me/push").get_json()["subscriptions"] == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://127.0.0.1/ada",
        "https://elsewhere.example/ada",
        f"https://{HOST}.evil.example/ada",
        f"https://evil-{HOST}/ada",
        f"https://user@{HOST}/ada",
        f"http://{HOST}/ada",
        f"https://{HOST}:8443/ada",
        f"https://evil.example#{HOST}/",
    ],
)
def test_the_server_sends_to_known_push_services_only(hall, player, endpoint):
    """Users give endpoints: a list of hosts decides, before any address is looked up."""
    refused = player.post("/me/push", Device().body | {"endpoint": endpoint})
    assert (refused.status_code, refused.get_json()["code"]) == (422, "bad-push-endpoint")
    assert refused.get_json()["facts"] == {"accepted": [HOST]}
    assert rows(hall) == []


@pytest.mark.parametrize(
    "keys",
    [
        {"p256dh": "A" * 87, "auth": "A" * 22},
        {"p256dh": Device().body["keys"]["p256dh"], "auth": "!" * 22},
        {"p256dh": "BP" + "_" * 85, "auth": "A" * 22},
    ],
)
def test_keys_that_no_browser_makes_are_refused(hall, player, keys):
    """A point that is not on the curve could reveal a part of our own key."""
    refused = player.post("/me/push", Device().body | {"keys": keys})
    assert (refused.status_code, refused.get_json()["code"]) == (422, "bad-push-key")
    assert rows(hall) == []


def test_an_account_has_a_limited_number_of_devices(hall, player):
    """Renewing one that is there needs no further room."""
    for number in range(16):
        assert player.post("/me/push", Device(f"d{number}").body).status_code == 201
    refused = player.post("/me/push", Device("d16").body)
    assert (refused.status_code, refused.get_json()["facts"]["limit"]) == (409, "push")
    assert player.post("/me/push", Device("d3").body).status_code == 201
    assert len(rows(hall)) == 16


def test_a_device_is_unsubscribed_by_its_owner_only(hall, player):
    made = player.post("/me/push", Device().body).get_json()["id"]
    other = hall.player(1)
    assert hall.client.delete(f"/v1/me/push/{made}", headers=other.auth).status_code == 404
    assert len(rows(hall)) == 1
    assert hall.client.delete(f"/v1/me/push/{made}", headers=player.auth).status_code == 204
    assert rows(hall) == []


def test_a_click_counts_for_the_device_that_it_was_made_on(hall, player):
    """Known by its credential: the notification itself contains no identity."""
    other = hall.player(1)
    for who, name in ((player, "ada"), (other, "ben")):
        who.post("/me/push", Device(name).body)
    assert player.post("/me/push/clicks", None).status_code == 204
    assert [row.clicked_at is not None for row in rows(hall)] == [True, False]


def test_a_server_without_push_services_shows_no_key_and_refuses(hall, player):
    """As if the operator had set `PUSH_HOSTS=`."""
    object.__setattr__(hall.services.settings, "push_hosts", ())
    assert player.get("/me/push").get_json() == {"key": None, "subscriptions": []}
    refused = player.post("/me/push", Device().body)
    assert (refused.status_code, refused.get_json()["code"]) == (409, "no-push")


def test_the_usual_push_services_are_allowed_by_name():
    """A star stands for labels before the domain, and for no part of it."""
    for host in ("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"):
        assert is_allowed(host, PUSH_HOSTS)
    for host in ("push.apple.com.evil.example", "evilpush.apple.com", "googleapis.com"):
        assert not is_allowed(host, PUSH_HOSTS)


def test_the_operator_names_push_services_or_none():
    """Anything else is refused at the start."""
    given = {"SEALEDMOVE_MASTER": "00" * 32}
    assert settings(given).push_hosts == PUSH_HOSTS
    assert settings(given | {"PUSH_HOSTS": ""}).push_hosts == ()
    assert settings(given | {"PUSH_HOSTS": "*.push.example.com, a.example"}).push_hosts == (
        "*.push.example.com",
        "a.example",
    )
    with pytest.raises(ConfigError, match="PUSH_HOSTS has \\*:"):
        settings(given | {"PUSH_HOSTS": "*"})
