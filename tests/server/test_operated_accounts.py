"""What an operator does to accounts: find, rename, block and unblock, end sessions and tokens, erase."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from server.accounts import by_operator
from server.accounts.bots import write as bots
from server.kernel.db.models import Account
from server.kernel.errors import Problem
from tests.kit.absent import mentions
from tests.server.browsers import BEN, who
from tests.server.harness import BY, WHY, Harness, Player
from tests.server.test_give_up import run
from tests.server.test_operator_log import acts
from tests.server.test_seats import code

ROLL = [{"do": "roll"}]


def found(hall: Harness, *words: str) -> list[dict]:
    done = run(hall, "operate", "account", "find", *words)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.output.splitlines()]


def test_an_account_is_found_by_its_number_its_address_or_a_part_of_its_name(each_hall: Harness):
    people = [each_hall.player(number) for number in range(3)]
    by_operator.rename(each_hall.services, BY, people[1].account, "50% Cat")
    for word in (str(people[1].account), "Player1@example.org", "% cat"):
        assert [row["id"] for row in found(each_hall, word)] == [people[1].account], word
    assert len(found(each_hall, "player")) == 2
    assert found(each_hall, "999999") == found(each_hall, "player9@example.org") == []


def test_an_address_is_printed_whole_only_for_a_logged_reason(hall: Harness, two: list[Player]):
    number = str(two[0].account)
    shown = run(hall, "operate", "account", "find", number).output
    assert (mentions("player0", shown), json.loads(shown)["email"]) == (0, "p...@example.org")
    assert run(hall, "operate", "account", "find", number, "--address").exit_code == 2
    assert found(hall, number, "--address", *WHY)[0]["email"] == "player0@example.org"
    assert [act[1:3] for act in acts(hall)] == [("account-address", f"account {number}")]


def test_an_account_is_shown_with_its_facts(hall: Harness, two: list[Player]):
    game = hall.game("pig", two)
    (shown,) = by_operator.find(hall.services, str(two[0].account))
    assert (shown["games"], shown["tokens"], shown["sessions"]) == ([game], 1, 0)
    assert (shown["blocked_at"], shown["erased_at"], shown["mail_stopped"]) == (None, None, None)


def test_an_account_is_renamed(hall: Harness, two: list[Player]):
    """By the rules for names; the log has the number of the account and no name."""
    number = str(two[0].account)
    assert run(hall, "operate", "account", "rename", number, "Kim", *WHY).exit_code == 0
    assert two[0].get("/me").get_json()["name"] == "Kim"
    for name in (" Kim", "x" * 41, "a\nb", ""):
        assert run(hall, "operate", "account", "rename", number, name, *WHY).exit_code == 2
    ((*_, about, why),) = acts(hall)
    assert (about, why) == (f"account {number}", "a test")


def test_a_blocked_account_is_signed_out_and_cannot_sign_in(each_hall: Harness):
    """Neither with its sessions and tokens nor with a new link; once it is unblocked, all of them count again."""
    person, browser = each_hall.player(0), each_hall.browser()
    assert browser.sign_in(each_hall, "player0@example.org").status_code == 303
    by_operator.block(each_hall.services, BY, person.account)
    assert code(person.get("/me")) == (401, "bad-token")
    assert who(browser) is None
    assert each_hall.browser().sign_in(each_hall, "player0@example.org").status_code == 403
    each_hall.client.post("/v1/login", json={"email": "player0@example.org"})
    link = {"token": each_hall.link("player0@example.org"), "name": "a program"}
    assert code(each_hall.client.post("/v1/login/confirm", json=link)) == (403, "account-blocked")
    by_operator.unblock(each_hall.services, BY, person.account)
    assert person.get("/me").status_code == 200
    assert who(browser) == "Player 0"
    assert each_hall.client.post("/v1/login/confirm", json=link).status_code == 201


def test_a_blocked_account_opens_no_table_and_takes_no_seat(each_hall: Harness):
    """Not with its registered key either."""
    two = [each_hall.player(number) for number in range(2)]
    table = two[0].post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    running = each_hall.game("pig", two)
    stranger = each_hall.player(2)
    assert two[1].offer(running, by=None).status_code == 201
    for person in (two[1], stranger):
        by_operator.block(each_hall.services, BY, person.account)
    assert code(stranger.join(table, 0)) == (403, "account-blocked")
    assert code(stranger.take(running, 1)) == (403, "account-blocked")
    assert code(two[1].post("/games", {"type": "pig", "seats": 2})) == (401, "bad-token")


def test_the_running_games_of_a_blocked_account_go_on_by_signature(each_hall: Harness):
    two = [each_hall.player(number) for number in range(2)]
    game = each_hall.game("pig", two)
    by_operator.block(each_hall.services, BY, two[0].account)
    assert two[0].move(game, ROLL).status_code == 201
    assert two[0].resign(game).status_code == 201


def test_the_bots_of_a_blocked_person_are_blocked_too(hall: Harness, two: list[Player]):
    made = two[0].post("/me/bots", {"name": "Deep"}).get_json()
    token = {"Authorization": f"Bearer {made['token']}"}
    by_operator.block(hall.services, BY, two[0].account)
    assert hall.client.get("/v1/me", headers=token).status_code == 401
    by_operator.unblock(hall.services, BY, two[0].account)
    assert hall.client.get("/v1/me", headers=token).status_code == 200


def test_a_blocked_house_player_is_not_invited(hall: Harness, two: list[Player]):
    number, _ = bots.create_house(hall.services, BY, "York", "fair")
    by_operator.block(hall.services, BY, number)
    wish = {"type": "pig", "seats": 2, "house": [{"seat": 1, "level": "fair"}]}
    assert code(two[0].post("/games", wish)) == (409, "no-house-player")


def test_an_operator_ends_sessions_and_tokens_for_good(hall: Harness, two: list[Player]):
    """As the owner could; the owner may sign in again, and unblocking brings nothing back."""
    browser = hall.browser()
    assert browser.sign_in(hall, BEN, "Ben").status_code == 303
    (ben,) = by_operator.find(hall.services, BEN)
    assert run(hall, "operate", "account", "end-sessions", str(ben["id"]), *WHY).exit_code == 0
    assert run(hall, "operate", "account", "unblock", str(ben["id"]), *WHY).exit_code == 0
    assert who(browser) is None
    assert hall.browser().sign_in(hall, BEN).status_code == 303
    assert two[0].get("/me").status_code == 200


def test_an_operator_erases_an_account_at_once(hall: Harness, two: list[Player]):
    """Once: afterwards it is not found, and nothing is logged."""
    game, number = hall.game("pig", two), str(two[0].account)
    assert run(hall, "operate", "account", "erase", number, *WHY).exit_code == 0
    assert code(two[0].get("/me")) == (401, "bad-token")
    assert hall.client.get(f"/v1/games/{game}").get_json()["seats"][0]["name"] == "Deleted account"
    before = acts(hall)
    for words in (["erase"], ["block"], ["unblock"], ["end-sessions"]):
        assert run(hall, "operate", "account", *words, number, *WHY).exit_code == 1
    assert acts(hall) == before
    (shown,) = found(hall, number)
    assert (shown["email"], shown["name"]) == (None, "Deleted account")


@pytest.mark.parametrize(
    ("words", "look"),
    [
        ("operate account rename 999 Kim", "operate account find"),
        ("operate people show 999", "operate account find"),
        ("operate people silence 999 3", "operate account find"),
        ("operate reports close 999", "operate reports list"),
        ("bot remove 999", "bot list"),
    ],
)
def test_a_number_that_is_not_there_is_refused_with_where_to_look(hall: Harness, words: str, look: str):
    """Not as an address, which is what a web server would miss."""
    done = run(hall, *words.split(), *(WHY if "show" not in words else ()))
    assert (done.exit_code, "address" in done.output) == (1, False), done.output
    assert f"There is nothing with this number. `sealedmove {look}` " in done.output


@pytest.mark.parametrize("act", [by_operator.block, by_operator.unblock, by_operator.end_all, by_operator.erase])
def test_an_account_that_is_not_there_is_refused(hall: Harness, act):
    with pytest.raises(Problem, match="not-found"):
        act(hall.services, BY, 999)
    with hall.services.database.read() as session:
        assert session.scalars(sa.select(Account.id)).all() == []
    assert acts(hall) == []
