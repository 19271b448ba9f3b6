"""A change of address: a word from the new one always, and two of the old one, a signature, and seven days."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from server.accounts import waiting_act_effects, waiting_acts
from server.kernel import secrets
from server.kernel.db.models import Account, LoginLink, Outbox
from tests.server.boxes import code
from tests.server.harness import MASTER, Harness, Player

NEW = "ada@new.example"
OWN = {"Sec-Fetch-Site": "same-origin"}


def ask(player: Player, email: str = NEW, *, signed: bool = True) -> Any:
    proof = player.prove("address", email.lower()) if signed else {}
    return player.post("/me/address", {"email": email}, headers=proof)


def link(player: Player, side: str) -> str:
    """Where the mail to this address leads."""
    return "/waiting/" + secrets.waiting_token(MASTER, player.get("/me/waiting").get_json()[-1]["id"], side)


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
def test_signed_and_confirmed_at_both_it_happens_at_once(two: list[Player]):
    """In small letters; an unused link to the old address no longer signs in."""
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


def test_signed_it_waits_for_an_old_address_that_is_silent(hall: Harness, two: list[Player]):
    """The mailbox is lost: that is why people change it."""
    ask(two[0])
    press(two[0], link(two[0], "new"))
    a_week_later(hall)
    assert address(two[0]) == NEW


def test_unsigned_it_needs_both_addresses_and_the_seven_days(hall: Harness, two: list[Player]):
    """A stolen cookie alone moves no mail, nor does the mailbox alone move it in less."""
    for player, sides in ((two[0], ("new",)), (two[1], ("old", "new"))):
        ask(player, f"of{player.number}@new.example", signed=False)
        for side in sides:
            press(player, link(player, side))
    assert address(two[1]) == "player1@example.org"
    a_week_later(hall)
    assert [address(player) for player in two] == ["player0@example.org", "of1@new.example"]


def test_without_the_new_address_nothing_happens(hall: Harness, two: list[Player]):
    """A slip of the pen would lock the person out."""
    ask(two[0])
    press(two[0], link(two[0], "old"))
    a_week_later(hall)
    assert address(two[0]) == "player0@example.org"


def test_nothing_happens_on_get_nor_from_another_page(two: list[Player]):
    """Mail scanners follow links; other origins post forms."""
    ask(two[0])
    for side in ("new", "old"):
        path = link(two[0], side)
        assert two[0].harness.client.get(path, headers=OWN).status_code == 200
        other = two[0].harness.client.post(path, data={"do": "confirm"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert other.status_code == 403
    shown = two[0].get("/me/waiting").get_json()[0]
    assert (shown["confirmed_old"], shown["confirmed_new"]) == (False, False)


def test_the_old_address_can_cancel_what_waits_and_the_new_one_cannot(two: list[Player]):
    """By its link alone; a forged one opens nothing."""
    ask(two[0])
    old, new = link(two[0], "old"), link(two[0], "new")
    assert press(two[0], new, "cancel").status_code == 410
    assert press(two[0], old[:-1] + ("A" if old[-1] != "A" else "E"), "cancel").status_code == 410
    assert len(two[0].get("/me/waiting").get_json()) == 1
    assert press(two[0], old, "cancel").status_code == 200
    assert two[0].get("/me/waiting").get_json() == []
    assert press(two[0], new).status_code == 410


def test_whether_an_address_is_known_is_told_to_its_owner_alone(hall: Harness, two: list[Player]):
    """The same answer for every address; the mail tells its owner that there is an account."""
    taken, free = ask(two[0], "player1@example.org"), ask(two[0], NEW)
    assert (taken.status_code, taken.get_json().keys()) == (free.status_code, free.get_json().keys())
    number = taken.get_json()["id"]
    path = "/waiting/" + secrets.waiting_token(MASTER, number, "new")
    assert "Another account has" in press(two[0], path).get_data(as_text=True)
    a_week_later(hall)
    assert [address(player) for player in two] == ["player0@example.org", "player1@example.org"]


def test_nobody_floods_a_strangers_mailbox(two: list[Player]):
    """Three a day, of an account and to an address; what is refused mails nothing."""
    for number in range(3):
        assert ask(two[0], f"{number}@new.example", signed=False).status_code == 202
    with two[0].harness.services.database.read() as session:
        before = session.scalar(sa.select(sa.func.count()).select_from(Outbox))
    assert code(ask(two[0], NEW, signed=False)) == (409, "too-many-waiting")
    assert code(ask(two[0], "player0@example.org")) == (409, "same-address")
    with two[0].harness.services.database.read() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(Outbox)) == before


def test_other_spellings_of_a_mailbox_are_counted_with_it(two: list[Player]):
    """Plus-addresses and dots count as one for the limit, for every requester."""
    for spelling in ("ne.w@new.example", "new+1@new.example"):
        assert ask(two[0], spelling, signed=False).status_code == 202
    assert ask(two[1], "n.ew@new.example", signed=False).status_code == 202
    assert code(ask(two[1], "new+2@new.example", signed=False)) == (409, "too-many-waiting")
    assert ask(two[1], "new@other.example", signed=False).status_code == 202


def test_an_erased_account_leaves_no_address_in_what_waited(hall: Harness, two: list[Player]):
    """Nor does the clock bring one back."""
    ask(two[0])
    press(two[0], link(two[0], "new"))
    assert two[0].erase().status_code == 204
    a_week_later(hall)
    with hall.services.database.read() as session:
        assert session.get_one(Account, two[0].account).email is None
        assert session.scalar(sa.select(waiting_acts.WaitingAct.id).where(waiting_acts.WaitingAct.about == NEW)) is None
        assert session.scalar(sa.select(LoginLink.id).where(LoginLink.email == NEW)) is None
