"""One list of tables and of the things that wait there: over the API, and on the front page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from server.kernel.db.models import Account, Block
from server.tables import lists
from tests.server.harness import Harness, Player
from tests.server.test_after import finished, put
from tests.server.test_bots import bot_of, sit
from tests.server.test_deadlines import CLOCK
from tests.server.test_invitations import handle, invite
from tests.server.test_pause_together import agree
from tests.server.test_query_plans import noted
from tests.server.test_talk import refused

ALL = "/me/games?order=urgent&kept=true"


@pytest.fixture
def three(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(3)]


def listed(player: Player, query: str = ALL) -> list[dict[str, Any]]:
    return player.get(query).get_json()["games"]


def waits(player: Player, query: str = ALL) -> dict[str, list[str]]:
    return {one["id"]: one["waits"] for one in listed(player, query)}


def opened(host: Player, **more: Any) -> str:
    return host.post("/games", {"type": "bids", "seats": 2, **more}).get_json()["id"]


def test_everything_that_waits_is_in_one_list_by_urgency(any_hall: Harness, three: list[Player]):
    """A move first, then all that needs an answer, then tables where nothing does; each with its words."""
    me, other, third = three
    calm = any_hall.game("bids", [me, other])
    me.move(calm, [{"do": "bid", "amount": 1}])
    talked = any_hall.game("bids", [me, other])
    me.move(talked, [{"do": "bid", "amount": 1}])
    other.post(f"/games/{talked}/talk", {"text": "Good luck!"})
    wished = any_hall.game("bids", three)
    assert put(other, wished).status_code == 200
    offered = any_hall.game("bids", [me, third])
    me.offer(offered)
    old = finished(any_hall, [me, other])
    rematch = other.post(f"/games/{old}/rematch").get_json()["id"]
    invited = opened(other)
    assert invite(other, invited, handle(me)).status_code == 202
    ready = opened(other, start="ready")
    other.join(ready, 0)
    me.join(ready, 1)
    found = waits(me)
    assert found == {
        offered: ["move", "offer"],
        wished: ["move", "cancel"],
        ready: ["ready"],
        invited: ["invitation"],
        rematch: ["rematch"],
        talked: ["talk"],
        calm: [],
        old: [],
    }
    order = list(found)
    assert {*order[:2]} == {offered, wished}
    assert {*order[2:6]} == {ready, invited, rematch, talked}
    assert order[6:] == [calm, old]
    assert set(waits(me, "/me/games?waits=true")) == {offered, wished, ready, talked}
    assert set(waits(me, "/me/games?waits=false")) == {calm, old}


def test_a_table_that_keeps_a_seat_is_listed_only_if_asked_for(any_hall: Harness, three: list[Player]):
    """Programs take a game of this list for one that they play. With it comes the number for the answer."""
    host, me = three[:2]
    game = opened(host, door="invited")
    invite(host, game, handle(me))
    assert listed(me, "/me/games") == []
    [kept] = listed(me)
    [invitation] = me.get("/me/invitations").get_json()
    assert (kept["id"], kept["invitation"], kept["seat"]) == (game, invitation["id"], invitation["seat"])
    assert (kept["owes"], kept["deadline"]) == (False, None)
    assert me.post(f"/me/invitations/{kept['invitation']}/decline").status_code == 204
    assert listed(me) == []


def test_a_person_invited_by_handle_and_by_address_sees_the_table_once(any_hall: Harness, three: list[Player]):
    host, me = three[:2]
    game = host.post("/games", {"type": "pig", "seats": 3}).get_json()["id"]
    assert invite(host, game, handle(me)).status_code == 202
    assert invite(host, game, "later@example.org").status_code == 202
    with any_hall.services.database.write() as session:
        session.get_one(Account, me.account).email = "later@example.org"
    assert [one["id"] for one in listed(me)] == [game]


def test_an_answer_takes_the_table_down_the_list(any_hall: Harness, three: list[Player]):
    """Talk that was seen, a wish that was agreed to or has ended, and talk of a week ago wait no more."""
    me, other, third = three
    game = any_hall.game("bids", three)
    me.move(game, [{"do": "bid", "amount": 1}])
    other.post(f"/games/{game}/talk", {"text": "Hello"})
    put(other, game)
    assert waits(me)[game] == ["cancel", "talk"]
    put(me, game)
    any_hall.client.put(f"/v1/games/{game}/talk/seen", json={"n": 1}, headers=me.auth)
    assert waits(me)[game] == []
    third.post(f"/games/{game}/talk", {"text": "No, let us go on"})
    third.delete(f"/games/{game}/consents/cancel")
    assert waits(other)[game] == ["move", "talk"]
    any_hall.clock.forward(days=8)
    assert waits(other)[game] == ["move"]


def test_players_who_are_not_asked_have_no_wish_that_waits(any_hall: Harness, three: list[Player]):
    """Those who have resigned: the game does not wait for their answer."""
    me, other, third = three
    game = any_hall.game("bids", three, clock=CLOCK)
    assert third.resign(game).status_code == 201
    put(other, game)
    agree(other, game, any_hall.clock() + timedelta(days=3))
    assert waits(me)[game] == ["move", "cancel", "pause"]
    assert waits(third)[game] == []
    assert refused(put(third, game)) == (403, "no-seat")


def test_a_bot_is_asked_for_nothing(any_hall: Harness, three: list[Player]):
    """It is always ready, and agrees to no wish."""
    me, other, third = three
    bot = bot_of(third)
    game = opened(me, start="ready", seats=3)
    for seat, player in enumerate((me, other)):
        player.join(game, seat)
    assert sit(bot, game, 2).status_code == 201
    assert (waits(me)[game], waits(bot)[game]) == (["ready"], [])
    for player in (me, other):
        any_hall.client.put(f"/v1/games/{game}/ready", json={"ready": True}, headers=player.auth)
    put(me, game)
    assert ("cancel" in waits(other)[game], "cancel" in waits(bot)[game]) == (True, False)


def test_a_muted_or_blocked_player_makes_nothing_wait(any_hall: Harness, three: list[Player]):
    me, other, third = three
    game = any_hall.game("bids", three)
    me.move(game, [{"do": "bid", "amount": 1}])
    for player in (other, third):
        player.post(f"/games/{game}/talk", {"text": "Hello"})
    any_hall.client.put(f"/v1/games/{game}/mutes/{other.seat}", headers=me.auth)
    assert waits(me)[game] == ["talk"]
    with any_hall.services.database.write() as session:
        session.add(Block(account_id=me.account, about_id=third.account, at=any_hall.clock()))
    assert waits(me)[game] == []


def test_the_number_of_statements_is_the_same_for_any_number_of_tables(hall: Harness):
    """Two tables or twelve, with talk, wishes and invitations."""
    me, other = (hall.player(number) for number in range(2))

    def statements() -> int:
        with noted(hall) as found:
            lists.own_games(hall.services, me.account, {"order": "urgent", "kept": True}, 50)
        return len(found)

    counts = []
    for _ in range(4):
        for one in _tables(hall, me, other):
            other.post(f"/games/{one}/talk", {"text": "Hello"})
            put(other, one)
        invite(other, opened(other), handle(me))
        counts.append(statements())
    assert set(counts) == {5}


def _tables(hall: Harness, *players: Player) -> Iterator[str]:
    for _ in range(2):
        yield hall.game("bids", list(players))


def test_the_front_page_has_all_that_waits_in_one_list(hall: Harness):
    """An invitation beside a running game with new messages; its host's name, and a button that declines."""
    host, browser = hall.player(0), hall.browser()
    game = opened(host)
    invite(host, game, "new@example.org")
    browser.sign_in(hall, "new@example.org", "Nora")
    text = browser.get("/").get_data(as_text=True)
    mine = text.partition("<h1>Your tables</h1>")[2].partition("</ul>")[0]
    assert "<bdi>Player 0</bdi> invites you to play" in mine
    assert "seat kept for you" in mine
    assert f'<a class="button" href="/games/{game}#seat-actions">Join the table</a>' in mine
    decline = f"/invitations/{mine.partition('/invitations/')[2].partition('/')[0]}/decline"
    assert browser.post(decline).location == "/"
    assert "invites you" not in browser.get("/").get_data(as_text=True)


def test_the_front_page_names_who_wants_a_rematch(hall: Harness):
    """Their own row addresses the player who asked for it."""
    players, browser = [hall.player(number) for number in range(2)], hall.browser()
    assert players[0].post(f"/games/{finished(hall, players)}/rematch").status_code == 201
    browser.sign_in(hall, "player0@example.org")
    assert "own" not in players[0].get("/me/invitations").get_json()[0]  # which is for the pages
    assert '<span class="who">You want a rematch</span>' in browser.get("/").get_data(as_text=True)
    other = hall.browser()
    other.sign_in(hall, "player1@example.org")
    assert '<span class="who"><bdi>Player 0</bdi> wants a rematch</span>' in other.get("/").get_data(as_text=True)


def test_the_front_page_names_what_waits_beside_a_game(hall: Harness):
    """In words, below its players."""
    other, me, browser = hall.player(0), hall.player(1), hall.browser()
    browser.sign_in(hall, "player1@example.org")
    game = hall.game("bids", [me, other])
    other.post(f"/games/{game}/talk", {"text": "Hello"})
    put(other, game)
    row = browser.get("/").get_data(as_text=True).partition(f'<li><a href="/games/{game}"')[2].partition("</li>")[0]
    assert "your turn" in row
    assert '<span class="choice waits">wish to cancel</span> <span class="choice waits">new messages</span>' in row
