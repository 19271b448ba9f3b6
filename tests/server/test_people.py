"""Reports for the operator, accounts that may not write or sit down for some days, and blocks between players."""

from __future__ import annotations

import json

import pytest

from server.accounts.people import by_operator
from server.kernel.db.models import Account, Game
from server.kernel.errors import Problem
from server.tables import blocks
from tests.server.harness import BY, WHY, Harness, Player
from tests.server.test_bots import bot_of, sit
from tests.server.test_give_up import run
from tests.server.test_operator_log import acts
from tests.server.test_races import together
from tests.server.test_talk import events, put, refused, said, say


@pytest.fixture
def game(hall: Harness, two: list[Player]) -> str:
    return hall.game("pig", two)


def operate(hall: Harness, *words: str) -> str:
    done = run(hall, "operate", *words)
    assert done.exit_code == 0, done.output
    return done.output


def test_an_operator_reads_a_report_removes_the_message_and_closes_it(hall: Harness, two: list[Player], game: str):
    ada, ben = two
    n = say(ada, game, "you fool").get_json()["n"]
    ben.post(f"/games/{game}/talk/{n}/report", {"why": "an insult"})
    report = json.loads(operate(hall, "reports", "list"))
    wanted = {"by_id": ben.account, "about_id": ada.account, "game_id": game, "why": "an insult", "copy": "you fool"}
    assert wanted.items() <= report.items()
    assert json.loads(operate(hall, "people", "show", str(ada.account)))["reported_by"] == 1
    operate(hall, "reports", "remove-message", game, str(n), *WHY)
    operate(hall, "reports", "close", str(report["id"]), *WHY)
    assert said(ben, game) == [None]
    assert operate(hall, "reports", "list") == ""
    assert json.loads(operate(hall, "reports", "list", "--all"))["outcome"] == "a test"
    assert [act[1] for act in acts(hall)] == ["message-remove", "report-close"]


def test_a_silenced_account_plays_but_does_not_write(hall: Harness, two: list[Player], game: str):
    ada = two[0]
    operate(hall, "people", "silence", str(ada.account), "3", *WHY)
    assert refused(say(ada, game)) == (403, "silenced")
    assert ada.post("/games", {"type": "pig", "seats": 2}).status_code == 201
    operate(hall, "people", "release", str(ada.account), *WHY)
    assert say(ada, game).status_code == 201
    by_operator.silence(hall.services, BY, ada.account, 3)
    hall.clock.forward(days=3)
    assert say(ada, game).status_code == 201


def test_a_suspended_account_and_its_bots_open_nothing_and_sit_nowhere(hall: Harness, two: list[Player], game: str):
    """Their running games go on."""
    ada, ben = two
    bot = ada.post("/me/bots", {"name": "Robot"}).get_json()
    free = ben.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    operate(hall, "people", "suspend", str(ada.account), "3", *WHY)
    assert refused(say(ada, game)) == (403, "silenced")
    assert refused(ada.post("/games", {"type": "pig", "seats": 2})) == (403, "suspended")
    seat = ada.seat
    assert refused(ada.join(free, 0)) == (403, "suspended")
    ada.seat = seat
    made = hall.client.post(
        "/v1/games", json={"type": "pig", "seats": 2}, headers={"Authorization": f"Bearer {bot['token']}"}
    )
    assert refused(made) == (403, "suspended")
    hall.play_out(game, two)


def test_a_new_bot_shares_the_fate_of_its_owner(hall: Harness, two: list[Player], game: str):
    """Also its end, with the release of the owner."""
    ada = two[0]
    by_operator.silence(hall.services, BY, ada.account, 4)
    by_operator.suspend(hall.services, BY, ada.account, 3)
    bot = ada.post("/me/bots", {"name": "Robot"}).get_json()
    opens = {"json": {"type": "pig", "seats": 2}, "headers": {"Authorization": f"Bearer {bot['token']}"}}
    assert refused(hall.client.post("/v1/games", **opens)) == (403, "suspended")
    with hall.services.database.read() as session:
        owner, made = session.get_one(Account, ada.account), session.get_one(Account, bot["id"])
        assert (made.silent_until, made.suspended_until) == (owner.silent_until, owner.suspended_until)
    by_operator.release(hall.services, BY, ada.account)
    assert hall.client.post("/v1/games", **opens).status_code == 201


def test_a_player_is_reported_without_a_message(hall: Harness, two: list[Player]):
    ada, ben = two
    assert ada.post("/reports", {"handle": handle(ben), "why": "a false name"}).status_code == 204
    report = json.loads(operate(hall, "reports", "list"))
    assert (report["about_id"], report["why"], report["game_id"], report["copy"]) == (
        ben.account,
        "a false name",
        None,
        None,
    )
    assert refused(ada.post("/reports", {"handle": "nobody00", "why": "?"})) == (404, "no-such-player")
    assert refused(ada.post("/reports", {"handle": handle(ada), "why": "?"})) == (422, "not-about-yourself")


# --- blocks ---------------------------------------------------------------------------------------------------------


def handle(player: Player) -> str:
    return str(player.get("/me").get_json()["handle"])


def block(player: Player, other: Player) -> None:
    for _ in range(2):
        assert put(player, f"/me/blocks/{handle(other)}").status_code == 204


@pytest.mark.parametrize("blocker", [0, 1])
def test_a_block_keeps_both_from_each_others_tables_with_one_code(hall: Harness, two: list[Player], blocker: int):
    """The answer is the same whichever of the two has blocked the other; the table shows nothing."""
    ada, ben = two
    block(two[blocker], two[1 - blocker])
    game = ada.post("/games", {"type": "pig", "seats": 3}).get_json()["id"]
    before = hall.client.get(f"/v1/games/{game}").get_data()
    answer = ben.join(game, 1)
    assert answer.get_json() == {
        "type": "/problems/not-for-you",
        "title": "You cannot sit at this table.",
        "status": 403,
        "code": "not-for-you",
    }
    assert hall.client.get(f"/v1/games/{game}").get_data() == before
    assert two[blocker].delete(f"/me/blocks/{handle(two[1 - blocker])}").status_code == 204
    assert ben.join(game, 1).status_code == 201


def test_a_block_counts_where_the_other_only_sits(hall: Harness, two: list[Player]):
    """Also for a seat that is offered in a running game."""
    ada, ben = two
    cy, dee = (hall.player(number) for number in (2, 3))
    game = hall.game("pig", [cy, ada])
    cy.offer(game)
    block(ada, ben)
    assert refused(ben.take(game, 0)) == (403, "not-for-you")
    assert dee.take(game, 0).status_code == 201


def test_a_block_does_not_count_where_the_other_neither_sits_nor_hosts(hall: Harness, two: list[Player]):
    """A player who opened a table, passed it on and left has nothing to do with it any more."""
    ada, ben = two
    cy = hall.player(2)
    game = ada.post("/games", {"type": "pig", "seats": 3}).get_json()["id"]
    assert cy.join(game, 0).status_code == 201
    assert ada.post(f"/games/{game}/host", {"seat": 0}).status_code == 200
    block(ada, ben)
    assert game in [one["id"] for one in ben.get("/games").get_json()["games"]]
    assert ben.join(game, 1).status_code == 201


def test_a_block_hides_the_tables_of_both_from_each_other(hall: Harness, two: list[Player]):
    ada, ben = two
    mine, yours = (player.post("/games", {"type": "pig", "seats": 2}).get_json()["id"] for player in two)
    block(ada, ben)

    def listed(player: Player) -> set[str]:
        return {one["id"] for one in player.get("/games").get_json()["games"]}

    assert (listed(ada), listed(ben)) == ({mine}, {yours})
    assert {one["id"] for one in hall.client.get("/v1/games").get_json()["games"]} == {mine, yours}
    browser = hall.browser()
    browser.sign_in(hall, "player1@example.org")
    for page in ("/", "/tables"):
        assert mine not in browser.get(page).get_data(as_text=True)
        assert yours in browser.get(page).get_data(as_text=True)


def test_a_block_ends_no_game_and_silences_its_talk(hall: Harness, two: list[Player], game: str):
    ada, ben = two
    block(ada, ben)
    say(ben, game, "hello?")
    assert said(ada, game) == [None]
    assert events(hall, ada) == []
    say(ada, game, "one way only")
    assert said(ben, game)[-1] == "one way only"
    hall.play_out(game, two)


def test_a_block_counts_for_bots(hall: Harness, two: list[Player]):
    """Of the person who is responsible for them."""
    ada, ben = two
    bot = ben.post("/me/bots", {"name": "Robot"}).get_json()
    with hall.services.database.read() as session:
        bots = session.get_one(Account, bot["id"]).handle
    assert put(ada, f"/me/blocks/{bots}").status_code == 204
    assert [one["handle"] for one in ada.get("/me/blocks").get_json()] == [handle(ben)]
    game = ada.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    with hall.services.database.read() as session:
        row = session.get_one(Game, game)
        with pytest.raises(Problem, match="not-for-you"):
            blocks.check(session, row, session.get_one(Account, bot["id"]))


def test_a_block_hides_the_tables_of_bots(hall: Harness, two: list[Player]):
    """Where a bot of the other hosts or sits, and from a bot that reads the list."""
    ada, ben = two
    cy, bot, own = hall.player(2), bot_of(ben), bot_of(ada, "Own")
    hosted = bot.post("/games", {"type": "pig", "seats": 2}).get_json()["id"]
    shared = cy.post("/games", {"type": "pig", "seats": 3}).get_json()["id"]
    assert sit(bot, shared, 1).status_code == 201

    def listed(player: Player) -> set[str]:
        return {one["id"] for one in player.get("/games").get_json()["games"]} & {hosted, shared}

    assert listed(ada) == listed(own) == {hosted, shared}
    block(ada, ben)
    assert listed(ada) == listed(own) == set()
    assert listed(cy) == listed(ben) == listed(bot) == {hosted, shared}


def test_blocks_are_listed_for_their_owner_and_deleted_with_the_account(hall: Harness, two: list[Player]):
    ada, ben = two
    block(ada, ben)
    (one,) = ada.get("/me/blocks").get_json()
    assert (one["handle"], one["name"]) == (handle(ben), "Player 1")
    assert ben.get("/me/blocks").get_json() == []
    assert refused(put(ada, f"/me/blocks/{handle(ada)}")) == (422, "not-about-yourself")
    assert refused(put(ada, "/me/blocks/nobody00")) == (404, "no-such-player")
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    assert one["handle"] in browser.get("/account").get_data(as_text=True)
    assert browser.post(f"/account/blocks/{one['handle']}", data={"end": "yes"}).status_code == 303
    assert ada.get("/me/blocks").get_json() == []
    assert browser.post(f"/account/blocks/{one['handle']}", data={"back": "/tables"}).headers["Location"] == "/tables"
    assert ben.erase().status_code == 204
    assert ada.get("/me/blocks").get_json() == []


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
def test_a_block_and_a_join_at_the_same_time(any_hall: Harness, number: int):
    """The join is either before the block, and stands, or is refused; after both nobody gets in."""
    ada, ben = (any_hall.player(one) for one in range(2))
    game = ada.post("/games", {"type": "pig", "seats": 3}).get_json()["id"]
    name = handle(ben)
    blocked, joined = together(
        lambda: put(ada, f"/me/blocks/{name}").status_code, lambda: ben.join(game, 1).status_code
    )
    assert blocked == 204
    assert joined in (201, 403)
    other = ada.post("/games", {"type": "pig", "seats": 3}).get_json()["id"]
    assert refused(ben.join(other, 1)) == (403, "not-for-you")
