"""Mails to invited people: one to each, none to those who refuse them or have got enough."""

from __future__ import annotations

import sqlalchemy as sa

from server.kernel.db.models import UnnumberedEvent
from server.operate import retention
from server.tables.invitations import write
from tests.workers.test_lobbies import lobby


def invite(house, game: str, to: str, by: int = 1) -> int:
    return write.invite(house.services, game, by, to).id


def test_known_and_unknown_addresses_get_the_same_mail(house, sink):
    """Only the greeting differs. An account also gets an event, from the worker."""
    game = lobby(house)
    for to in ("ben@example.org", "new@example.org"):
        invite(house, game, to)
        house.react()
        house.react()
    assert sink.subjects() == ["ben: Ada invites you to a game", "new: Ada invites you to a game"]
    texts = [mail.get_body(("plain",)).get_content() for mail in sink.mails]
    assert [text.partition(",")[0] for text in texts] == ["Hello Ben", "Hello"]
    assert all("http://127.0.0.1:8000/i/" in text for text in texts)
    assert sink.mails[0]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    with house.services.database.read() as session:
        assert session.execute(sa.select(UnnumberedEvent.account_id, UnnumberedEvent.kind)).all() == [(2, "invited")]


def test_an_inviter_gets_one_mail_through_to_a_mailbox_that_does_not_answer(house, sink):
    """Spelled in another way it is the same mailbox; a declined invitation may be repeated."""
    games = [lobby(house) for _ in range(3)]
    first = invite(house, games[0], "new@example.org")
    house.react()
    second = invite(house, games[1], "n.e.w+again@example.org")
    house.react()
    assert len(sink.mails) == 1
    with house.services.database.read() as session:
        assert {session.get_one(write.Place, number).state for number in (first, second)} == {"asked"}
    write._decline(house.services, first, games[0], None, None)
    invite(house, games[2], "new@example.org")
    house.react()
    assert len(sink.mails) == 2


def test_an_invitation_after_a_quiet_week_is_mailed(house, sink):
    """The mail about it is not taken for an earlier one, whose row in the outbox has been deleted."""
    for _ in range(2):
        game = lobby(house)
        number = invite(house, game, "new@example.org")
        house.react()
        write._decline(house.services, number, game, None, None)
        house.react()
        house.pass_time(days=8)
        retention.forget(house.services)
    assert sink.subjects() == ["new: Ada invites you to a game"] * 2


def test_a_mailbox_gets_three_invitations_a_day_from_everybody(house, sink):
    from server.tables.hosting.write import pass_on

    for host in (1, 2, 3):
        for _ in range(2):
            game = lobby(house, host - 1)
            if host != 1:
                pass_on(house.services, game, 1, host - 1)
            number = invite(house, game, "new@example.org", host)
            house.react()
            write._decline(house.services, number, game, None, None)
    assert len([subject for subject in sink.subjects() if subject.startswith("new:")]) == 3


def test_a_mailbox_that_refuses_invitations_gets_no_more(house, sink):
    """From one inviter, or from anybody."""
    first, second = lobby(house), lobby(house)
    number = invite(house, first, "new@example.org")
    house.react()
    write._decline(house.services, number, first, "anybody", None)
    invite(house, second, "new@example.org")
    house.react()
    assert len(sink.mails) == 1


def test_an_invitation_that_was_withdrawn_is_not_mailed(house, sink):
    game = lobby(house)
    number = invite(house, game, "new@example.org")
    write.withdraw(house.services, game, 1, number)
    house.react()
    assert sink.mails == []


def test_a_name_cannot_put_a_link_or_an_address_into_an_invitation(house, sink):
    from server.kernel.db.models import Account

    with house.services.database.write() as session:
        session.get_one(Account, 1).name = "https://evil.example/ ada@evil.example"
    invite(house, lobby(house), "new@example.org")
    house.react()
    text = sink.mails[0].get_body(("plain",)).get_content()
    assert "evil.example" not in text
    assert "https evil example ada evil example invites you" in " ".join(text.split())
