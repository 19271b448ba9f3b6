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


def test_signed_in_players_read_their_own_address_only(hall: Harness, two: list[Player]):
    assert [player.get("/me").get_json()["email"] for player in two] == ["player0@example.org", "player1@example.org"]


def test_a_link_expires_after_half_an_hour(hall: Harness):
    hall.client.post("/v1/login", json={"email": "a@example.org"})
    token = hall.link("a@example.org")
    hall.clock.forward(minutes=30)
    assert code(hall.client.post("/v1/login/confirm", json={"token": token})) == (410, "bad-link")


def test_a_link_of_a_lost_row_does_not_open_the_row_that_has_its_number_now(hall: Harness):
    """A restored database gives numbers again: the mail of one reader would sign in another."""
    ask(hall, "mallory@example.org")
    old = hall.link("mallory@example.org")
    with hall.services.database.write() as session:
        session.execute(sa.update(LoginLink).values(email="bob@example.org"))
    assert code(hall.client.post("/v1/login/confirm", json={"token": old})) == (410, "bad-link")
    assert hall.client.post("/v1/login/confirm", json={"token": hall.link("bob@example.org")}).status_code == 201


def test_a_forged_link_opens_nothing(hall: Harness):
    hall.client.post("/v1/login", json={"email": "a@example.org"})
    token = hall.link("a@example.org")
    forged = token[:-1] + ("A" if token[-1] != "A" else "E")
    assert code(hall.client.post("/v1/login/confirm", json={"token": forged})) == (410, "bad-link")


def test_sign_in_mails_to_one_mailbox_are_limited(hall: Harness):
    """Other spellings of the address count as the same mailbox; the answer does not say that nothing is mailed."""
    spellings = ("a.b@example.org", "ab@example.org", "A.B+c@Example.org", "ab+d.e@example.org", "ab+@example.org")
    assert {ask(hall, email).status_code for email in spellings * 2} == {202}
    hall.clock.forward(minutes=10)
    assert {ask(hall, email).status_code for email in (*spellings, "a.b+new@example.org")} == {202}
    assert asked_in(hall) == 10
    assert ask(hall, "abc@example.org").status_code == 202
    assert asked_in(hall) == 11
    hall.clock.forward(minutes=30)
    assert ask(hall, "ab@example.org").status_code == 202
    assert asked_in(hall) == 12


def test_links_to_one_address_are_limited(hall: Harness):
    """A refusal names the time to retry."""
    assert {ask(hall, email).status_code for email in ("ab@example.org", "Ab@Example.org") * 5} == {202}
    hall.clock.forward(minutes=10)
    answer = ask(hall, "ab@example.org")
    assert (code(answer), answer.headers["Retry-After"]) == ((429, "too-many-links"), "1200")
    hall.clock.forward(minutes=20)
    assert ask(hall, "ab@example.org").status_code == 202


def test_nobody_is_kept_out_by_links_to_other_spellings(hall: Harness, two: list[Player]):
    """Their owner gets links in a full mailbox; no answer tells who has an account, however often one asks."""
    hall.clock.forward(minutes=30)
    for number in range(10):
        assert ask(hall, f"player0+{number}@example.org").status_code == 202
    before = asked_in(hall)
    known, new = ([ask(hall, email) for _ in range(11)] for email in ("player0@example.org", "player0+@example.org"))
    assert asked_in(hall) == before + 10
    assert [answer.status_code for answer in known] == [202] * 10 + [429]
    assert [answer.get_data() for answer in known] == [answer.get_data() for answer in new]


def test_the_link_limit_does_not_reveal_whether_an_account_exists(hall: Harness):
    """The answer is the same for an address with an account and no links left, and for one without an account."""
    for _ in range(10):
        assert ask(hall, "known@example.org").status_code == ask(hall, "new@example.org").status_code == 202
        hall.client.post("/v1/login/confirm", json={"token": hall.link("known@example.org")})
    known, new = ask(hall, "known@example.org"), ask(hall, "new@example.org")
    assert known.get_json() == new.get_json()
    assert known.headers["Retry-After"] == new.headers["Retry-After"]
    assert asked_in(hall) == 20


def test_the_page_says_when_too_many_links_were_requested(hall: Harness):
    """It adds that the links in the mailbox still sign in."""
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


def test_a_public_name_does_not_reveal_the_address(hall: Harness):
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
def test_each_operation_needs_its_own_scope(hall: Harness, method: str, path: str, scope: str):
    player = hall.player(0)
    others = sorted({"read", "play", "account"} - {scope})
    made = player.make_token(*others)
    headers = {"Authorization": f"Bearer {made['token']}"}
    send = lambda headers: hall.client.open(f"/v1{path}", method=method, json={"name": "n"}, headers=headers)  # noqa: E731
    assert code(send({})) == (401, "not-signed-in")
    assert code(send({"Authorization": "Bearer sm_none"})) == (401, "bad-token")
    assert code(send(headers)) == (403, "missing-scope")
    assert send(player.auth).status_code not in (401, 403)


def test_a_token_cannot_make_one_with_more_scopes(hall: Harness):
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


def test_a_mailed_link_gives_the_scope_account_for_an_hour_only(hall: Harness):
    """A program registers its key in that hour; afterwards the token reads and plays, and makes no tokens."""
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
def test_an_invalid_request_for_a_token_does_not_use_up_the_link(hall: Harness, wrong):
    """A lasting token may only read and play; after the refusal the link still works."""
    assert given_by_mail(hall, **wrong).status_code == 422
    body = {"token": hall.link("a@example.org"), "scopes": ["read"], "days": 1}
    assert hall.client.post("/v1/login/confirm", json=body).status_code == 201


def test_a_token_ends_at_its_time(hall: Harness):
    """It is listed until then; afterwards it is in no list and is refused."""
    player = hall.player(0)
    made = player.post("/me/tokens", {"name": "brief", "scopes": ["read"], "days": 1}).get_json()
    assert made["expires_at"] == "2026-11-22T10:00:00Z"
    headers = {"Authorization": f"Bearer {made['token']}"}
    assert hall.client.get("/v1/me", headers=headers).status_code == 200
    assert "brief" in [one["name"] for one in player.get("/me/tokens").get_json()]
    hall.clock.forward(days=1)
    assert code(hall.client.get("/v1/me", headers=headers)) == (401, "bad-token")
    assert "brief" not in [one["name"] for one in player.get("/me/tokens").get_json()]


def test_a_token_shows_when_it_was_last_used(hall: Harness):
    """Updated once an hour at most, so that reading does not cause a write."""
    player = hall.player(0)
    made = player.post("/me/tokens", {"name": "n", "scopes": ["read"]}).get_json()
    assert made["last_used_at"] is None
    told = []
    for minutes in (5, 50, 10):
        hall.clock.forward(minutes=minutes)
        hall.client.get("/v1/me", headers={"Authorization": f"Bearer {made['token']}"})
        told.append(player.get("/me/tokens").get_json()[-1]["last_used_at"][11:16])
    assert told == ["10:05", "10:05", "11:05"]


def test_a_revoked_token_is_refused(hall: Harness):
    player = hall.player(0)
    made = player.post("/me/tokens", {"name": "n", "scopes": ["read"]}).get_json()
    headers = {"Authorization": f"Bearer {made['token']}"}
    assert hall.client.get("/v1/me", headers=headers).status_code == 200
    assert hall.client.delete(f"/v1/me/tokens/{made['id']}", headers=player.auth).status_code == 204
    assert code(hall.client.get("/v1/me", headers=headers)) == (401, "bad-token")


@pytest.mark.parametrize("scopes", [["read"], ["play"], ["account"]])
def test_a_program_revokes_its_own_token_whatever_its_scopes(hall: Harness, scopes: list[str]):
    """Safe to repeat: the token has ended, and no other has."""
    player = hall.player(0)
    headers = {"Authorization": f"Bearer {player.make_token(*scopes)['token']}"}
    send = lambda: hall.client.delete("/v1/me/tokens/current", headers=headers)  # noqa: E731
    assert send().status_code == 204
    assert code(send()) == (401, "bad-token")
    assert code(hall.client.get("/v1/me", headers=headers)) == (401, "bad-token")
    assert player.get("/me").status_code == 200


def test_revoking_the_current_token_needs_one(hall: Harness):
    """A browser's session is ended elsewhere, and still works."""
    path = "/v1/me/tokens/current"
    assert code(hall.client.delete(path)) == (401, "not-signed-in")
    reader = hall.browser()
    reader.sign_in(hall, "ada@example.org")
    own = {"Sec-Fetch-Site": "same-origin", "X-Sealed-Move": "page"}
    assert code(reader.delete(path, headers=own)) == (404, "not-found")
    assert reader.get("/account").status_code == 200


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


def test_an_unregistered_key_and_a_second_seat_for_one_person_are_refused(hall: Harness, two: list[Player]):
    game = two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    stranger = Player(hall, 9, bytes(range(32)), "", 0)
    assert code(stranger.join(game, 0)) == (403, "unregistered-key")
    assert two[0].join(game, 0).status_code == 201
    two[0].post("/me/keys", {"jws": hall.proof(two[0], bytes(range(32)))})
    assert code(stranger.join(game, 1)) == (409, "already-seated")


def test_an_erased_account_leaves_its_games_but_no_personal_data(hall: Harness, two: list[Player]):
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


def test_only_post_stops_mail(hall: Harness, two: list[Player]):
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
