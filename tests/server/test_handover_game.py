"""Whole games over the API, by a clock that a test turns: a seat goes absent, changes hands twice, an outage is made
good with granted time, and at the end an audit names everybody who held a seat."""

import json
import re

import pytest

from engine.record.audit import audit
from server.tables.write import grant_as_operator, running_games
from tests.server.harness import BY, Harness, Player
from workers.deadlines import tick
from workers.mail.facts import MailOrigin as Sender
from workers.mail.smtp import Smtp
from workers.queues import WorkerContext

CLOCK = {"move": 86400, "bank": 7200, "increment": 60, "cap": 9000, "grace": 43200, "missed": 2}
WISHES = {"bids": {"options": {"lots": 9}}, "pig": {"options": {"goal": 60}}}


def shop_of(hall: Harness) -> WorkerContext:
    """The context of the clock's worker, for this server and its clock."""
    return WorkerContext(
        hall.services, Sender("Sealed Move <games@localhost>", "https://games.example"), Smtp.at("smtp://x")
    )


def play(hall: Harness, game: str, players: list[Player], *, most: int) -> None:
    """All but one play within the hour, as carefully as possible; the clock runs each time."""
    for _ in range(most):
        active = hall.client.get(f"/v1/games/{game}").get_json()["active"]
        mover = next((player for player in players if player.seat in active), None)
        if mover is None:
            return
        hall.clock.forward(minutes=20)
        tick(shop_of(hall))
        legal = mover.legal(game)
        answer = mover.move(game, [{"do": "hold"} if {"do": "hold"} in legal else legal[0]])
        assert answer.status_code == 201, answer.get_data(as_text=True)


def let_pass(hall: Harness, game: str) -> None:
    """Nobody moves; the clock runs hour by hour until it has played."""
    before = kinds(hall, game).count("expired")
    for _ in range(48):
        hall.clock.forward(hours=1)
        tick(shop_of(hall))
        if kinds(hall, game).count("expired") > before:
            return
    raise AssertionError("the clock does not play")


def kinds(hall: Harness, game: str) -> list[str]:
    return [entry["kind"] for entry in log(hall, game)]


def log(hall: Harness, game: str) -> list[dict]:
    lines: list[str] = []
    while page := hall.client.get(f"/v1/games/{game}/log?after={len(lines) - 1}").get_json()["entries"]:
        lines += page
    return [json.loads(line) for line in lines]


def story(hall: Harness, game: str) -> str:
    """The whole log as the game's page shows it."""
    told, link = "", f"/games/{game}"
    while link:
        page = hall.client.get(link).get_data(as_text=True)
        told += page
        found = re.search('rel="next" href="([^"#]+)', page)
        link = found[1] if found else ""
    return told


def shown(hall: Harness, game: str, seat: int) -> dict:
    return hall.client.get(f"/v1/games/{game}").get_json()["seats"][seat]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["bids", "pig"])
def test_a_game_whose_seat_changes_hands_twice_audits_with_every_holder_named(any_hall: Harness, key: str):
    hall, (ada, ben, cy, dee) = any_hall, [any_hall.player(number) for number in range(4)]
    game = hall.game(key, [ada, ben], clock=CLOCK, **WISHES[key])

    # Ben does not come back: after two turns that the clock ended, the seat is absent.
    for _ in range(2):
        assert shown(hall, game, 1)["absent"] is False
        play(hall, game, [ada], most=10)
        let_pass(hall, game)
    assert shown(hall, game, 1)["absent"] is shown(hall, game, 1)["free"] is True

    # Cy takes the seat, plays, offers it, and Dee takes it.
    assert cy.take(game, 1).status_code == 201
    play(hall, game, [ada, cy], most=4)
    assert cy.offer(game).status_code == 201
    assert dee.take(game, 1).status_code == 201
    play(hall, game, [ada, dee], most=2)

    # The server is away for three days; before its clock goes on, these days go to everybody whose time ran.
    hall.clock.forward(days=3)
    given = [grant_as_operator(hall.services, BY, one, 3 * 86400) for one in running_games(hall.services)]
    assert given == [hall.client.get(f"/v1/games/{game}").get_json()["active"]]
    tick(shop_of(hall))
    assert kinds(hall, game)[-1] == "granted"
    assert kinds(hall, game).count("expired") == 2

    play(hall, game, [ada, dee], most=400)
    final = hall.client.get(f"/v1/games/{game}").get_json()
    assert (final["status"], final["free_seats"]) == ("finished", [])

    report = audit(hall.client.get(f"/v1/games/{game}/bundle").get_data())
    assert report.verdict == "holds", report.text()
    taken = [entry["seq"] for entry in log(hall, game) if entry["kind"] == "taken"]
    held = [(one.seat, one.kid, one.since, one.until, one.by) for one in report.holders]
    assert held == [
        (0, ada.kid, 1, None, "join"),
        (1, ben.kid, 2, taken[0], "join"),
        (1, cy.kid, taken[0], taken[1], "absence"),
        (1, dee.kid, taken[1], None, "offer"),
    ]
    assert all(player.kid in report.text() for player in (ada, ben, cy, dee))
    for told in ("Player 2 took the seat of Player 1, who was absent.",
                 "Player 3 took the seat that Player 2 had offered."):  # fmt: skip
        assert told in story(hall, game)
