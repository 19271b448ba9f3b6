"""A change of address: the new one must confirm, and two of the old one, a signature, and seven days must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from server.accounts import address as address_change
from server.accounts import sign_in, waiting_act_effects, waiting_acts
from server.kernel import secrets
from server.kernel.db.models import Account, LoginLink, Outbox
from server.kernel.errors import Problem
from tests.server.boxes import code
from tests.server.harness import MASTER, Harness, Player
from tests.server.test_races import together

NEW = "ada@new.example"
OWN = {"Sec-Fetch-Site": "same-origin"}


def ask(player: Player, email: str = NEW, *, signed: bool = True) -> Any:
    proof = player.prove("address", email.lower()) if signed else {}
    return player.post("/me/address", {"email": email}, headers=proof)


def link(player: Player, side: str) -> str:
    """The path in the mail to this address."""
    return path_of(player.harness, player.get("/me/waiting").get_json()[-1]["id"], side)


def path_of(hall: Harness, number: int, side: str) -> str:
    with hall.services.database.read() as session:
        return "/waiting/" + secrets.waiting_token(MASTER, session.get_one(waiting_acts.WaitingAct, number), side)


def press(player: Player, path: str, do: str = "confirm") -> Any:
    return player.harness.client.post(path, data={"do": do}, headers=OWN)


def address(player: Player) -> str:
    return str(player.get("/me").get_json()["email"])


def a_week_later(hall: Harness) -> None:
    hall.clock.forward(days=7)
    with hall.services.database.read() as session:
        due = session.scalars(waiting_acts.due(hall.clock())).all()
    for number in due:
        waiting_act_effects.carry_out(hall.services, number)


@pytest.mark.slow
def test_a_signed_change_confirmed_at_both_addresses_takes_effect_at_once(two: list[Player]):
    """Stored in small letters; an unused link to the old address no longer signs in."""
    two[0].harness.client.post("/v1/login", json={"email": "player0@example.org"})
    old_link = two[0].harness.link("player0@example.org")
    assert ask(two[0], "Ada@New.example").status_code == 202
    old, new = link(two[0], "old"), link(two[0], "new")
    assert press(two[0], new).status_code == 200
    assert address(two[0]) == "player0@example.org"
    assert "Email address changed" in press(two[0], old).get_data(as_text=True)
    assert address(two[0]) == NEW
    assert two[0].get("/me/waiting").get_json() == []
    refused = two[0].harness.client.post("/v1/login/confirm", json={"token": old_link})
    assert code(refused) == (410, "bad-link")
    assert press(two[0], old).status_code == 410


def test_a_signed_change_waits_seven_days_if_the_old_address_does_not_confirm(hall: Harness, two: list[Player]):
    """A lost mailbox is the usual reason for a change."""
    ask(two[0])
    press(two[0], link(two[0], "new"))
    a_week_later(hall)
    assert address(two[0]) == NEW


def test_an_unsigned_change_needs_both_addresses_and_seven_days(hall: Harness, two: list[Player]):
    """Neither a stolen cookie nor the mailbox alone is enough."""
    for player, sides in ((two[0], ("new",)), (two[1], ("old", "new"))):
        ask(player, f"of{player.number}@new.example", signed=False)
        for side in sides:
            press(player, link(player, side))
    assert address(two[1]) == "player1@example.org"
    a_week_later(hall)
    assert [address(player) for player in two] == ["player0@example.org", "of1@new.example"]


def test_a_change_ends_the_other_changes_that_wait(hall: Harness, two: list[Player]):
    """Somebody else may read the mailbox that was named before, and could still confirm it."""
    ask(two[0], "adda@new.example")
    mistyped = link(two[0], "new")
    ask(two[0])
    for side in ("new", "old"):
        press(two[0], link(two[0], side))
    assert two[0].get("/me/waiting").get_json() == []
    assert press(two[0], mistyped).status_code == 410
    a_week_later(hall)
    assert address(two[0]) == NEW


def test_an_unconfirmed_new_address_never_takes_effect(hall: Harness, two: list[Player]):
    """A typing error would otherwise lock the person out."""
    ask(two[0])
    press(two[0], link(two[0], "old"))
    a_week_later(hall)
    assert address(two[0]) == "player0@example.org"


def test_a_get_or_another_origin_changes_no_address(two: list[Player]):
    """Mail scanners follow links; other origins post forms."""
    ask(two[0])
    for side in ("new", "old"):
        path = link(two[0], side)
        assert two[0].harness.client.get(path, headers=OWN).status_code == 200
        other = two[0].harness.client.post(path, data={"do": "confirm"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert other.status_code == 403
    shown = two[0].get("/me/waiting").get_json()[0]
    assert (shown["confirmed_old"], shown["confirmed_new"]) == (False, False)


def test_only_the_old_address_can_cancel_a_waiting_change(two: list[Player]):
    """With the link in its mail; a forged one is refused."""
    ask(two[0])
    old, new = link(two[0], "old"), link(two[0], "new")
    assert press(two[0], new, "cancel").status_code == 410
    assert press(two[0], old[:-1] + ("A" if old[-1] != "A" else "E"), "cancel").status_code == 410
    assert len(two[0].get("/me/waiting").get_json()) == 1
    assert press(two[0], old, "cancel").status_code == 200
    assert two[0].get("/me/waiting").get_json() == []
    assert press(two[0], new).status_code == 410


@pytest.mark.parametrize("values", [{"about": "else@new.example"}, {"created_at": datetime(2026, 1, 1, tzinfo=UTC)}])
def test_a_link_of_a_lost_act_does_not_act_for_the_one_that_has_its_number_now(
    two: list[Player], values: dict[str, Any]
):
    """A restored database gives numbers again."""
    ask(two[0])
    old = link(two[0], "old")
    with two[0].harness.services.database.write() as session:
        session.execute(sa.update(waiting_acts.WaitingAct).values(values))
    assert press(two[0], old, "cancel").status_code == 410
    assert press(two[0], link(two[0], "old"), "cancel").status_code == 200


def test_only_the_owner_of_an_address_learns_that_it_has_an_account(hall: Harness, two: list[Player]):
    """The answer is the same for every address; the mail tells its owner."""
    taken, free = ask(two[0], "player1@example.org"), ask(two[0], NEW)
    assert (taken.status_code, taken.get_json().keys()) == (free.status_code, free.get_json().keys())
    number = taken.get_json()["id"]
    path = path_of(hall, number, "new")
    assert "Another account has" in press(two[0], path).get_data(as_text=True)
    a_week_later(hall)
    assert [address(player) for player in two] == ["player0@example.org", "player1@example.org"]


def test_mails_about_a_change_are_limited(two: list[Player]):
    """Three a day per account and per address; a refused request sends no mail."""
    for number in range(3):
        assert ask(two[0], f"{number}@new.example", signed=False).status_code == 202
    with two[0].harness.services.database.read() as session:
        before = session.scalar(sa.select(sa.func.count()).select_from(Outbox))
    assert code(ask(two[0], NEW, signed=False)) == (409, "too-many")
    assert code(ask(two[0], "player0@example.org")) == (409, "same-address")
    with two[0].harness.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(Outbox)) == before


def test_other_spellings_of_a_mailbox_share_its_limit(two: list[Player]):
    """Plus-addresses and dots do not matter, whoever asks."""
    for spelling in ("ne.w@new.example", "new+1@new.example"):
        assert ask(two[0], spelling, signed=False).status_code == 202
    assert ask(two[1], "n.ew@new.example", signed=False).status_code == 202
    assert code(ask(two[1], "new+2@new.example", signed=False)) == (409, "too-many")
    assert ask(two[1], "new@other.example", signed=False).status_code == 202


@pytest.mark.slow
def test_requests_at_once_share_the_limit_of_a_mailbox(each_hall: Harness):
    """Of a change, and of a link that signs in."""
    services, players = each_hall.services, [each_hall.player(number) for number in range(6)]
    change = partial(address_change.request_change, services, proof=None)
    asked = (partial(change, one.account, f"ada+{n}@new.example") for n, one in enumerate(players))
    assert results(*asked) == {"made": 3, "too-many": 3}
    links = (partial(sign_in.request_link, services, f"eve+{n}@new.example", "") for n in range(sign_in.MOST + 4))
    assert results(*links) == {"made": sign_in.MOST + 4}
    with services.database.read() as session:
        mailed = sa.select(sa.func.count()).where(Outbox.kind == "login", LoginLink.email.like("eve%"))
        assert session.scalar(mailed.where(Outbox.login_link_id == LoginLink.id)) == sign_in.MOST


def results(*calls: Callable[[], object]) -> Counter[str]:
    def result(call: Callable[[], object]) -> str:
        try:
            call()
        except Problem as no:
            return no.code
        return "made"

    return Counter(map(str, together(*(partial(result, call) for call in calls))))


def test_erasing_an_account_removes_the_address_of_a_waiting_change(hall: Harness, two: list[Player]):
    """The clock does not bring it back."""
    ask(two[0])
    press(two[0], link(two[0], "new"))
    assert two[0].erase().status_code == 204
    a_week_later(hall)
    with hall.services.database.read() as session:
        assert session.get_one(Account, two[0].account).email is None
        assert session.scalar(sa.select(waiting_acts.WaitingAct.id).where(waiting_acts.WaitingAct.about == NEW)) is None
        assert session.scalar(sa.select(LoginLink.id).where(LoginLink.email == NEW)) is None
