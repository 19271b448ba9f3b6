"""A waiting act is mailed once, is not mailed once it has ended, and is carried out by the clock when due."""

import re
from email.utils import parseaddr
from typing import Any

from server.accounts import address, waiting_acts
from server.accounts import write as accounts
from server.accounts.statements import AccountAct
from server.kernel.db.models import Account
from tests.kit.absent import mentions
from tests.workers.harness import Harness
from workers.clock import round_of
from workers.waiting import carry_out

ADA = 1


def links(house: Harness) -> list[str]:
    return [re.search(r"/waiting/(\S+)", mail.get_body(("plain",)).get_content())[1] for mail in house.sink.mails]


def mailed(house: Harness) -> dict[str, str]:
    """The subjects by address; a second mail to an address fails the test."""
    found = [(parseaddr(mail["To"])[1], mail["Subject"]) for mail in house.sink.mails]
    assert len(dict(found)) == len(found)
    return dict(found)


def is_erased(house: Harness, number: int = ADA) -> bool:
    with house.services.database.read() as session:
        return session.get_one(Account, number).erased_at is not None


def test_a_waiting_act_is_mailed_once_with_a_link_that_cancels_it(house: Harness):
    """However often it is requested; the link works without signing in."""
    for _ in range(2):
        waiting_acts.request_unsigned(house.services, AccountAct(ADA, "erase"))
        house.react()
        assert mailed(house) == {"ada@example.org": "Sealed Move: request to delete your account"}
    address.cancel(house.services, links(house)[0])
    house.pass_time(days=7)
    carry_out(house.ctx)
    assert not is_erased(house)


def test_a_change_of_address_is_mailed_to_both_without_a_name_to_the_new_one(house: Harness):
    """A mail to an unconfirmed address reveals nothing about the person who entered it."""
    address.request_change(house.services, ADA, "new@players.example", None)
    house.react()
    assert mailed(house) == {
        "ada@example.org": "Sealed Move: request to change your email address",
        "new@players.example": "Sealed Move: confirm your email address",
    }
    text = next(mail for mail in house.sink.mails if "new@" in mail["To"]).get_body(("plain",)).get_content()
    assert mentions("Ada", text) == 0
    assert "ada@" not in text


def test_an_act_cancelled_before_its_mail_was_sent_is_not_mailed(house: Harness):
    """The mail would not be true."""
    number = waiting_acts.request_unsigned(house.services, AccountAct(ADA, "erase"))
    house.dispatch()
    waiting_acts.cancel(house.services, ADA, number)
    assert house.deliver() == ["dropped"]
    assert house.sink.mails == []


def test_a_failing_act_does_not_delay_other_due_acts(house: Harness, monkeypatch: Any):
    """It is tried again ten seconds later."""
    for number in (ADA, 2):
        waiting_acts.request_unsigned(house.services, AccountAct(number, "erase"))
    house.pass_time(days=7)
    erase_in = accounts.erase_account_in

    def fails_for_ada(services: Any, session: Any, number: int) -> list[int]:
        if number == ADA:
            raise RuntimeError("the disk is full")
        return erase_in(services, session, number)

    with monkeypatch.context() as patched:
        patched.setattr("server.accounts.write.erase_account_in", fails_for_ada)
        round_of(house.ctx)
    assert [is_erased(house, number) for number in (ADA, 2)] == [False, True]
    house.pass_time(seconds=10)
    round_of(house.ctx)
    assert is_erased(house)
