"""Signing in, tokens and their scopes, keys and their proof."""

import pytest
import sqlalchemy as sa

from engine.record.signed import keys
from server.kernel.db.models import Account, AccountKey, LoginLink, Outbox, Seat
from tests.server.harness import HOST, Harness, Player


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["code"]


def test_a_link_works_once(hall: Harness):
    hall.client.post("/v1/login", json={"email": "a@example.org"})
    token = hall.link("a@example.org")
    assert hall.client.post("/v1/login/confirm", json={"token": token}).status_code == 201
    assert code(hall.client.post("/v1/login/confirm", json={"token": token})) == (410, "bad-link")


def test_a_signed_in_player_reads_their_own_address(hall: Harness, two: list[Player]):
    """And nobody else's."""
    assert [player.get("/me").get_json()["email"] for player in two] == ["player0@example.org", "player1@example.org"]


def test_a_link_dies_after_half_an_hour(hall: Harness):
    hall.client.post("/v1/login", json={"email": "a@example.org"})
    token = hall.link("a@example.org")
    hall.clock.forward(minutes=30)
    assert code(hall.client.post("/v1/login/confirm", json={"token": token})) == (410, "bad-link")


def test_a_forged_link_opens_nothing(hall: Harness):
    hall.client.post("/v1/login", json={"email": "a@example.org"})
    token = hall.link("a@example.org")
    forged = token[:-1] + ("A" if token[-1] != "A" else "E")
    assert code(hall.client.post("/v1/login/confirm", json={"token": forged})) == (410, "bad-link")


def test_nobody_can_flood_a_strangers_mailbox(hall: Harness):
    """Not by other spellings of the address either; too many requests are refused with the time to retry."""
    spellings = ("a.b@example.org", "ab@example.org", "A.B+c@Example.org", "ab+d.e@example.org", "ab+@example.org")
    assert {ask(hall, email).status_code for email in spellings * 2} == {202}
    hall.clock.forward(minutes=10)
    for email in (*spellings, "a.b+new@example.org"):
        answer = ask(hall, email)
        assert (code(answer), answer.headers["Retry-After"]) == ((429, "too-many-links"), "1200")
    assert asked_in(hall) == 10
    assert ask(hall, "abc@example.org").status_code == 202
    hall.clock.forward(minutes=20)
    assert ask(hall, "ab@example.org").status_code == 202


def test_too_many_links_tell_nothing_of_an_account(hall: Harness):
    """The answer is the same for an address that has an account and no links left, and for one without an account."""
    for _ in range(10):
        assert ask(hall, "known@example.org").status_code == ask(hall, "new@example.org").status_code == 202
        hall.client.post("/v1/login/confirm", json={"token": hall.link("known@example.org")})
    known, new = ask(hall, "known@example.org"), ask(hall, "new@example.org")
    assert known.get_json() == new.get_json()
    assert known.headers["Retry-After"] == new.headers["Retry-After"]
    assert asked_in(hall) == 20


def test_a_person_who_asks_too_often_reads_so_on_the_page(hall: Harness):
    """And that the links in the mailbox still sign in."""
    form = {"email": "a@example.org", "name": "Ada"}
    assert [hall.client.post("/login", data=form).status_code for _ in range(10)] == [202] * 10
    answer = hall.client.post("/login", data=form)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1800")
    assert "Too many sign-in links were sent" in answer.get_data(as_text=True)
    assert asked_in(hall) == 10


def ask(hall: Harness, email: str):
    return hall.client.post("/v1/login", json={"email": email})


def asked_in(hall: Harness) -> int:
    with hall.services.database.read() as session:
        return session.scalar(sa.select(sa.func.count()).select_from(Outbox))


def test_the_same_address_signs_in_to_the_same_account(hall: Harness):
    ids = set()
    for spelling in ("a@example.org", "A@Example.org"):
        hall.client.post("/v1/login", json={"email": spelling})
        made = hall.client.post("/v1/login/confirm", json={"token": hall.link("a@example.org")}).get_json()
        ids.add(made["account"]["id"])
    assert len(ids) == 1


def test_a_public_name_tells_nothing_of_the_address(hall: Harness):
    hall.client.post("/v1/login", json={"email": "ada.lovelace@example.org"})
    made = hall.client.post("/v1/login/confirm", json={"token": hall.link("ada.lovelace@example.org")}).get_json()
    assert made["account"]["name"] == f"Player {made['account']['id']}"


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "/me", "read"),
        ("PATCH", "/me", "account"),
        ("GET", "/me/tokens", "account"),
        ("POST", "/me/tokens", "account"),
        ("POST", "/me/keys/challenge", "account"),
        ("GET", "/me/turns", "read"),
        ("POST", "/games", "play"),
    ],
)
def test_each_door_opens_to_its_scope_alone(hall: Harness, method: str, path: str, scope: str):
    player = hall.player(0)
    others = sorted({"read", "play", "account"} - {scope})
    made = player.make_token(*others)
    headers = {"Authorization": f"Bearer {made['token']}"}
    send = lambda headers: hall.client.open(f"/v1{path}", method=method, json={"name": "n"}, headers=headers)  # noqa: E731
    assert code(send({})) == (401, "not-signed-in")
    assert code(send({"Authorization": "Bearer sm_none"})) == (401, "bad-token")
    assert code(send(headers)) == (403, "missing-scope")
    assert send(player.auth).status_code not in (401, 403)


def test_a_token_makes_none_that_may_more_than_itself(hall: Harness):
    player = hall.player(0)
    narrow = player.make_token("account")["token"]
    answer = hall.client.post(
        "/v1/me/tokens", json={"name": "wide", "scopes": ["play"]}, headers={"Authorization": f"Bearer {narrow}"}
    )
    assert code(answer) == (403, "missing-scope")


def given_by_mail(hall: Harness, **asked):
    hall.client.post("/v1/login", json={"email": "a@example.org"})
    body = {"token": hall.link("a@example.org"), **asked}
    return hall.client.post("/v1/login/confirm", json=body)


def test_a_mail_alone_gives_no_lasting_token_of_scope_account(hall: Harness):
    """A program registers its key in the first hour; after it the token reads and plays, and makes no other."""
    made = given_by_mail(hall, name="my program").get_json()
    headers = {"Authorization": f"Bearer {made['token']}"}
    [listed] = hall.client.get("/v1/me/tokens", headers=headers).get_json()
    assert (listed["name"], listed["scopes"]) == ("my program", ["account", "play", "read"])
    assert (listed["account_until"], listed["expires_at"]) == ("2026-11-21T11:00:00Z", None)
    hall.clock.forward(hours=1)
    assert hall.client.get("/v1/me", headers=headers).get_json()["scopes"] == ["play", "read"]
    for method, path in (("GET", "/v1/me/tokens"), ("POST", "/v1/me/keys/challenge"), ("DELETE", "/v1/me")):
        assert code(hall.client.open(path, method=method, headers=headers)) == (403, "missing-scope")


@pytest.mark.parametrize("wrong", [{"scopes": ["account"]}, {"scopes": []}, {"name": ""}, {"days": 0}, {"days": 9**9}])
def test_a_link_that_is_shown_with_a_wrong_wish_is_not_used(hall: Harness, wrong):
    """Nothing but reading and playing lasts; the link is as good as before."""
    assert given_by_mail(hall, **wrong).status_code == 422
    body = {"token": hall.link("a@example.org"), "scopes": ["read"], "days": 1}
    assert hall.client.post("/v1/login/confirm", json=body).status_code == 201


def test_a_token_ends_when_it_was_to_end(hall: Harness):
    """Its end is listed until then; afterwards it is in no list and opens nothing."""
    player = hall.player(0)
    made = player.post("/me/tokens", {"name": "brief", "scopes": ["read"], "days": 1}).get_json()
    assert made["expires_at"] == "2026-11-22T10:00:00Z"
    headers = {"Authorization": f"Bearer {made['token']}"}
    assert hall.client.get("/v1/me", headers=headers).status_code == 200
    assert "brief" in [one["name"] for one in player.get("/me/tokens").get_json()]
    hall.clock.forward(days=1)
    assert code(hall.client.get("/v1/me", headers=headers)) == (401, "bad-token")
    assert "brief" not in [one["name"] for one in player.get("/me/tokens").get_json()]


def test_a_token_says_when_it_was_last_used(hall: Harness):
    """Once an hour at most, so that reading does not cause a write."""
    player = hall.player(0)
    made = player.post("/me/tokens", {"name": "n", "scopes": ["read"]}).get_json()
    assert made["last_used_at"] is None
    told = []
    for minutes in (5, 50, 10):
        hall.clock.forward(minutes=minutes)
        hall.client.get("/v1/me", headers={"Authorization": f"Bearer {made['token']}"})
        told.append(player.get("/me/tokens").get_json()[-1]["last_used_at"][11:16])
    assert told == ["10:05", "10:05", "11:05"]


def test_a_revoked_token_opens_nothing(hall: Harness):
    player = hall.player(0)
    made = player.post("/me/tokens", {"name": "n", "scopes": ["read"]}).get_json()
    headers = {"Authorization": f"Bearer {made['token']}"}
    assert hall.client.get("/v1/me", headers=headers).status_code == 200
    assert hall.client.delete(f"/v1/me/tokens/{made['id']}", headers=player.auth).status_code == 204
    assert code(hall.client.get("/v1/me", headers=headers)) == (401, "bad-token")


def test_a_key_must_prove_itself_and_its_nonce_works_once(hall: Harness, two: list[Player]):
    seed = bytes(range(32))
    proof = hall.proof(two[0], seed)
    assert two[0].post("/me/keys", {"jws": proof}).status_code == 201
    assert code(two[0].post("/me/keys", {"jws": proof})) == (409, "bad-challenge")
    assert code(two[1].post("/me/keys", {"jws": hall.proof(two[1], seed)})) == (409, "key-owned")
    assert (
        code(two[0].post("/me/keys", {"jws": hall.proof(two[0], seed, aud="elsewhere.example")}))[1] == "wrong-audience"
    )
    key = keys.jwk(keys.public_of(bytes(32)))
    nonce = two[0].post("/me/keys/challenge").get_json()["nonce"]
    payload = {"v": 1, "aud": HOST, "act": "register", "key": key, "nonce": nonce}
    forged = keys.sign_jws(seed, payload, typ="sealedmove-key+jws")
    assert code(two[0].post("/me/keys", {"jws": forged})) == (422, "wrong-key")


def test_an_unregistered_key_takes_no_seat_and_a_person_takes_one(hall: Harness, two: list[Player]):
    game = two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    stranger = Player(hall, 9, bytes(range(32)), "", 0)
    assert code(stranger.join(game, 0)) == (403, "unregistered-key")
    assert two[0].join(game, 0).status_code == 201
    two[0].post("/me/keys", {"jws": hall.proof(two[0], bytes(range(32)))})
    assert code(stranger.join(game, 1)) == (409, "already-seated")


def test_an_erased_account_leaves_its_games_and_nothing_of_itself(hall: Harness, two: list[Player]):
    game = hall.game("pig", two)
    assert two[0].erase().status_code == 204
    shown = hall.client.get(f"/v1/games/{game}").get_json()
    assert shown["status"] == "running"
    assert shown["seats"][0]["name"] == "Deleted account"
    assert code(two[0].get("/me")) == (401, "bad-token")
    with hall.services.database.read() as session:
        people = [*session.scalars(sa.select(Account.email)), *session.scalars(sa.select(LoginLink.email))]
        assert session.scalar(sa.select(AccountKey.id).where(AccountKey.account_id == two[0].account)) is None
    assert "player0@example.org" not in people
    assert "player1@example.org" in people


def test_mail_is_stopped_by_post_alone(hall: Harness, two: list[Player]):
    from server.kernel.secrets import unsubscribe_token
    from tests.server.harness import MASTER

    game = hall.game("pig", two)
    token = unsubscribe_token(MASTER, game, 1, 2)

    def muted() -> bool:
        with hall.services.database.read() as session:
            return session.get(Seat, (game, 1)).muted

    assert hall.client.get(f"/u/{token}").status_code == 200
    assert not muted()
    assert hall.client.post(f"/u/{token}", data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert muted()
