"""The limits of an account, each reached: one code, the limit's name, and the place where one reads one's own use.

The limits of tables and seats are in `test_hosting.py`, those of invitations and messages beside what they limit.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from server.tables.limits import LIMITS
from tests.server.harness import Harness, Player, sqlite_url
from tests.server.test_races import together
from tests.server.test_races_before import sends

REPORT = {"why": "a test"}
Request = Callable[[int], tuple[str, str, Any]]  # the method, path and body of a request, by its number


def handle(player: Player) -> str:
    return str(player.get("/me").get_json()["handle"])


def requests(hall: Harness) -> dict[str, Request]:
    """What uses each limit up."""
    others = [handle(hall.player(number)) for number in range(1, 5)]
    return {
        "hooks": lambda _: ("post", "/v1/me/hooks", {"url": "https://bot.example/hook", "name": "a hook"}),
        "bots": lambda number: ("post", "/v1/me/bots", {"name": f"bot {number}"}),
        "tokens": lambda _: ("post", "/v1/me/tokens", {"name": "a program", "scopes": ["read"]}),
        "blocks": lambda number: ("put", f"/v1/me/blocks/{others[number]}", None),
        "reports": lambda number: ("post", "/v1/reports", {"handle": others[number], **REPORT}),
    }


def use(player: Player, name: str) -> tuple[int, int]:
    """What the account reads of a limit: its use, and the most."""
    [found] = [one for one in player.get("/me/limits").get_json() if one["name"] == name]
    return found["used"], found["most"]


@pytest.mark.parametrize("name", ["hooks", "bots", "tokens", "blocks", "reports"])
def test_a_limit_is_reached_named_and_read(hall: Harness, name: str, monkeypatch: pytest.MonkeyPatch):
    ada, asks = hall.player(0), requests(hall)[name]
    used, _ = use(ada, name)
    monkeypatch.setitem(LIMITS, name, LIMITS[name]._replace(most=used + 2))
    answers = []
    for number in range(3):
        method, path, body = asks(number)
        answers.append(getattr(hall.client, method)(path, json=body, headers=ada.auth))
    assert [answer.status_code // 100 for answer in answers] == [2, 2, 4]
    refused = answers[-1].get_json()
    assert refused["facts"] == {"limit": name, "says": LIMITS[name].says, "most": used + 2}
    assert (refused["code"], refused["title"]) == (
        "too-many",
        f"{LIMITS[name].says}: you have reached the limit of {used + 2}.",
    )
    assert use(ada, name) == (used + 2, used + 2)


def test_requests_are_read_as_they_are_counted(tmp_path: Path, open_house: Callable[..., Harness]):
    """A preview as four, reading the limits as one; without a limit they are not in the list."""
    ada = open_house(sqlite_url(tmp_path), limit_token="9/hour").player(0)
    assert use(ada, "requests") == (1, 9)
    ada.post(f"/games/{UUID(int=0)}/preview", {"commands": []})
    assert use(ada, "requests") == (6, 9)
    refused = ada.post(f"/games/{UUID(int=0)}/preview", {"commands": []})
    assert (refused.status_code, refused.get_json()["code"]) == (429, "too-many-requests")


def test_a_second_block_of_one_player_does_not_count(hall: Harness, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(LIMITS, "blocks", LIMITS["blocks"]._replace(most=1))
    ada, ben = hall.player(0), handle(hall.player(1))
    for _ in range(2):
        assert hall.client.put(f"/v1/me/blocks/{ben}", headers=ada.auth).status_code == 204


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hooks", "bots", "tokens", "blocks", "reports"])
def test_requests_at_the_same_time_do_not_pass_a_limit_together(
    any_hall: Harness, name: str, monkeypatch: pytest.MonkeyPatch
):
    """Four at once where two have room."""
    ada, asks = any_hall.player(0), requests(any_hall)[name]
    used, _ = use(ada, name)
    monkeypatch.setitem(LIMITS, name, LIMITS[name]._replace(most=used + 2))
    ended = together(*(sends(ada, *asks(number)) for number in range(4)))
    assert sorted(code for _, code in ended) == ["ok", "ok", "too-many", "too-many"]
    assert use(ada, name)[0] == used + 2
