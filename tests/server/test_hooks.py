"""Webhooks over the API: made, read, changed, deleted; a refusal changes nothing."""

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Account, AccountEvent, Hook, HookDelivery
from tests.server.harness import Harness
from tests.server.surfaces import events
from tests.server.test_bots import bot_of, sit, table

HOOK = {"url": "https://bot.example/hook", "name": "my bot"}


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]


def make(player, **more):
    made = player.post("/me/hooks", HOOK | more)
    assert made.status_code == 201, made.get_data(as_text=True)
    return made.get_json()


def rows(hall: Harness, of=Hook):
    with hall.services.database.read() as session:
        return list(session.scalars(sa.select(of).order_by(of.id)))


def send(player, method, path, body=None):
    return player.harness.client.open(f"/v1{path}", method=method, json=body, headers=player.auth)


def test_a_new_hook_shows_its_secret_once(hall: Harness):
    """In the answer that made it, which is not cached; never again, and nowhere in the database."""
    player = hall.player(0)
    made = player.post("/me/hooks", HOOK)
    secret = made.get_json()["secret"]
    assert made.headers["Cache-Control"] == "no-store"
    assert secret.startswith("whsec_")
    shown = player.get("/me/hooks").get_json()
    assert shown == [player.get(made.headers["Location"].removeprefix("/v1")).get_json()]
    assert shown[0] | {"secret": secret} == made.get_json()
    assert secret not in repr([vars(row) for row in rows(hall)])


def test_a_hook_shows_when_it_was_made_and_last_used(hall: Harness):
    """With all other members, still empty."""
    player = hall.player(0)
    made = make(player, kinds=["turn", "over", "turn"], signature="v1a")
    assert made.pop("secret").startswith("whpk_")
    assert made == {
        "id": made["id"],
        "url": "https://bot.example/hook",
        "name": "my bot",
        "kinds": ["over", "turn"],
        "signature": "v1a",
        "created_at": "2026-11-21T10:00:00Z",
        "last_used_at": None,
        "failing_since": None,
        "paused": None,
        "paused_at": None,
        "former_until": None,
        "cursor": 0,
    }


@pytest.mark.parametrize(
    "wish",
    [
        {"url": "http://bot.example/"},
        {"url": "https://127.0.0.1/"},
        {"url": "https://a@bot.example/"},
        {"kinds": []},
        {"kinds": ["nothing"]},
        {"signature": "v2"},
        {"name": ""},
        {"secret": "whsec_mine"},
    ],
)
def test_an_invalid_hook_is_refused(hall: Harness, wish):
    """None is made, and an existing one stays."""
    player = hall.player(0)
    assert player.post("/me/hooks", HOOK | wish).status_code == 422
    assert rows(hall) == []
    made = make(player)
    path, before = f"/me/hooks/{made['id']}", player.get(f"/me/hooks/{made['id']}").get_json()
    assert send(player, "PATCH", path, wish).status_code == 422
    assert player.get(path).get_json() == before


def test_an_account_has_eight_hooks_at_most(hall: Harness):
    """The ninth is refused with that number; deleting one makes room."""
    player, other = hall.player(0), hall.player(1)
    made = [make(player) for _ in range(8)]
    refused = player.post("/me/hooks", HOOK)
    assert code(refused) == (409, "too-many")
    assert refused.get_json()["facts"] == {"limit": "hooks", "says": "Webhooks", "most": 8}
    assert len(rows(hall)) == 8
    make(other)
    assert send(player, "DELETE", f"/me/hooks/{made[0]['id']}").status_code == 204
    make(player)


def test_a_hook_is_changed_member_by_member(hall: Harness):
    """Members that are left out stay the same."""
    player = hall.player(0)
    made = make(player, kinds=["turn"])
    path = f"/me/hooks/{made['id']}"
    changed = send(player, "PATCH", path, {"url": "https://B.example:8443/x"}).get_json()
    assert (changed["url"], changed["kinds"], changed["name"]) == ("https://b.example:8443/x", ["turn"], "my bot")
    assert send(player, "PATCH", path, {"kinds": None, "name": "n"}).get_json()["kinds"] is None
    assert rows(hall)[0].host == "b.example"


def test_a_hook_is_paused_and_resumed(hall: Harness):
    """By its owner, who sees since when it is paused."""
    player = hall.player(0)
    path = f"/me/hooks/{make(player)['id']}"
    paused = send(player, "PATCH", path, {"paused": True}).get_json()
    assert (paused["paused"], paused["paused_at"]) == ("owner", "2026-11-21T10:00:00Z")
    for refused in (player.post(f"{path}/ping"), player.post(f"{path}/replay", {"since": 1})):
        assert code(refused) == (409, "hook-paused")
    assert rows(hall, HookDelivery) == []
    assert send(player, "PATCH", path, {"paused": False}).get_json()["paused"] is None


def test_a_rotated_secret_leaves_the_former_valid_for_a_day(hall: Harness):
    """The new one is shown once."""
    player = hall.player(0)
    made = make(player)
    new = player.post(f"/me/hooks/{made['id']}/secret")
    assert new.headers["Cache-Control"] == "no-store"
    assert new.get_json()["secret"] != made["secret"]
    assert player.get(f"/me/hooks/{made['id']}").get_json()["former_until"] == "2026-11-22T10:00:00Z"


def test_a_second_ping_waits_for_the_first(hall: Harness):
    """It is refused and names the first."""
    player = hall.player(0)
    path = f"/me/hooks/{make(player)['id']}"
    made = player.post(f"{path}/ping")
    assert made.status_code == 202
    assert (made.get_json()["kind"], made.get_json()["state"], made.get_json()["n"]) == ("ping", "waiting", None)
    refused = player.post(f"{path}/ping")
    assert code(refused) == (409, "ping-waits")
    assert refused.get_json()["facts"] == {"delivery": made.get_json()["id"]}
    assert len(rows(hall, HookDelivery)) == 1


def test_the_history_comes_in_pages(hall: Harness):
    """The newest first; `next` is null at the end."""
    player = hall.player(0)
    hook = make(player)["id"]
    with hall.services.database.write() as session:
        for n in range(1, 6):
            session.add(_delivery(hall, hook, n))
    page = player.get(f"/me/hooks/{hook}/deliveries?limit=3")
    first, on = page.get_json(), f"/v1/me/hooks/{hook}/deliveries?limit=3&after={page.get_json()['next']}"
    assert page.headers["Link"] == f'<{on}>; rel="next"'
    last = player.get(on.removeprefix("/v1")).get_json()
    assert [one["n"] for one in first["deliveries"] + last["deliveries"]] == [5, 4, 3, 2, 1]
    assert last["next"] is None
    assert first["deliveries"][0]["message"].startswith(f"h{hook}-e5-")


def _delivery(hall: Harness, hook: int, n: int, **more) -> HookDelivery:
    now = hall.clock()
    given = {"hook_id": hook, "n": n, "lane": "x", "kind": "news", "seat": 0, "body": "{}", "state": "delivered"}
    return HookDelivery(**given | {"attempts": 3, "next_at": now, "created_at": now, "ended_at": now} | more)


def test_a_delivery_can_be_sent_again(hall: Harness):
    """It waits as if it had never been tried."""
    player = hall.player(0)
    hook = make(player)["id"]
    with hall.services.database.write() as session:
        session.add(_delivery(hall, hook, 1, state="failed", reason="given-up"))
    number = rows(hall, HookDelivery)[0].id
    again = player.post(f"/me/hooks/{hook}/deliveries/{number}/replay")
    assert (again.status_code, again.get_json()["state"]) == (202, "waiting")
    row = rows(hall, HookDelivery)[0]
    assert (row.attempts, row.reason, row.ended_at) == (0, None, None)


def test_a_delivery_in_progress_is_not_sent_again(hall: Harness):
    """The second one would overtake the first."""
    player = hall.player(0)
    hook = make(player)["id"]
    with hall.services.database.write() as session:
        session.add(_delivery(hall, hook, 1, state="leased", attempts=2))
    number = rows(hall, HookDelivery)[0].id
    assert player.post(f"/me/hooks/{hook}/deliveries/{number}/replay").get_json()["state"] == "leased"
    assert rows(hall, HookDelivery)[0].attempts == 2


def test_events_from_before_a_hook_can_be_replayed(any_hall: Harness):
    """Its cursor goes back as far as events are kept; beyond that the request is refused."""
    two = [any_hall.player(number) for number in range(2)]
    any_hall.game("pig", two)
    hook = make(two[0])
    assert hook["cursor"] > 1
    path = f"/me/hooks/{hook['id']}"
    assert code(two[0].post(f"{path}/replay", {"since": hook["cursor"] + 1})) == (409, "no-such-event")
    assert rows(any_hall)[0].cursor == hook["cursor"]
    with any_hall.services.database.write() as session:
        mine = AccountEvent.account_id == two[0].account
        session.execute(sa.delete(AccountEvent).where(mine, AccountEvent.n == 1))
    again = two[0].post(f"{path}/replay", {"since": 1})
    assert (again.status_code, again.get_json()) == (202, {"first": 2})
    assert rows(any_hall)[0].cursor == 1


DOORS = (
    ("GET", ""),
    ("PATCH", ""),
    ("DELETE", ""),
    ("POST", "/secret"),
    ("POST", "/ping"),
    ("POST", "/replay"),
    ("GET", "/deliveries"),
    ("GET", "/deliveries/{delivery}"),
    ("POST", "/deliveries/{delivery}/replay"),
)


@pytest.mark.parametrize(("method", "path"), DOORS)
def test_only_the_owner_sees_a_hook(hall: Harness, method: str, path: str):
    """Others get 404; a token without the scope `account` is refused before that."""
    owner, other = hall.player(0), hall.player(1)
    hook = make(owner)["id"]
    with hall.services.database.write() as session:
        session.add(_delivery(hall, hook, 1))
    before = [vars(row) for row in rows(hall)]
    door = f"/me/hooks/{hook}{path.format(delivery=rows(hall, HookDelivery)[0].id)}"
    body = {"since": 1} if path == "/replay" else {}
    assert code(send(other, method, door, body)) == (404, "not-found")
    made = owner.post("/me/tokens", {"name": "narrow", "scopes": ["play", "read"]}).get_json()
    narrow = {"Authorization": f"Bearer {made['token']}"}
    assert code(hall.client.open(f"/v1{door}", method=method, json=body, headers=narrow)) == (403, "missing-scope")
    drop = lambda row: {name: value for name, value in row.items() if name[0] != "_"}  # noqa: E731
    assert [drop(vars(row)) for row in rows(hall)] == [drop(row) for row in before]
    assert rows(hall, HookDelivery)[0].state == "delivered"


def test_a_delivery_of_another_hook_is_not_found(hall: Harness):
    """Even in the same account."""
    player = hall.player(0)
    one, two = make(player)["id"], make(player)["id"]
    with hall.services.database.write() as session:
        session.add(_delivery(hall, one, 1))
    number = rows(hall, HookDelivery)[0].id
    assert code(player.get(f"/me/hooks/{two}/deliveries/{number}")) == (404, "not-found")
    assert code(player.post(f"/me/hooks/{two}/deliveries/{number}/replay")) == (404, "not-found")
    assert rows(hall, HookDelivery)[0].state == "delivered"


def test_erasing_an_account_deletes_its_hooks(any_hall: Harness):
    """With their deliveries; those of others stay."""
    player, other = any_hall.player(0), any_hall.player(1)
    mine, theirs = make(player), make(other)
    with any_hall.services.database.write() as session:
        session.add_all([_delivery(any_hall, hook["id"], 1) for hook in (mine, theirs)])
    assert player.erase().status_code == 204
    assert [row.id for row in rows(any_hall)] == [theirs["id"]]
    assert [row.hook_id for row in rows(any_hall, HookDelivery)] == [theirs["id"]]


def test_a_bots_token_makes_hooks_of_the_bot(hall: Harness):
    """Person and bot each see their own hooks, which report their own seats."""
    person = hall.player(0)
    bot = bot_of(person)
    mine, its = make(person), make(bot, name="the bot's")
    assert [one["id"] for one in person.get("/me/hooks").get_json()] == [mine["id"]]
    assert [one["id"] for one in bot.get("/me/hooks").get_json()] == [its["id"]]
    assert code(person.get(f"/me/hooks/{its['id']}")) == (404, "not-found")
    assert code(bot.get(f"/me/hooks/{mine['id']}")) == (404, "not-found")
    assert {row.id: row.account_id for row in rows(hall)} == {mine["id"]: person.account, its["id"]: bot.account}
    other = hall.player(1)
    game = table(other, seats=2)
    assert sit(bot, game, 0).status_code == other.join(game, 1).status_code == 201
    assert events(hall, bot)
    assert not events(hall, person)


def test_pings_and_replays_have_their_own_budget(open_house, tmp_path):
    """They make this server send something to somebody."""
    hall = open_house(f"sqlite:///{tmp_path / 'x.db'}", limit_hooks="2/minute")
    player = hall.player(0)
    hook = make(player)["id"]
    statuses = [player.post(f"/me/hooks/{hook}/ping").status_code for _ in range(3)]
    assert statuses == [202, 409, 429]
    with hall.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(Account)) == 1
