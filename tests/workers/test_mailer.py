"""Mail of one worker: groups over kept connections, and a sign-in mail that is sent whatever hangs."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from server.accounts.sign_in import request_link
from server.kernel import quarantine
from server.kernel.db.models import Notification
from tests.kit.patience import PATIENCE, until
from tests.workers.harness import START, Sink
from workers.dispatch import dispatch_first
from workers.mail import handover, leases, mailer
from workers.mail.handover import HandoverTurn
from workers.mail.in_flight import MailsInFlight
from workers.mail.leases import LeasedMail, MailResult
from workers.mail.mailer import LANES, Mailer
from workers.queues import RetryPolicy


class Slow(Sink):
    """Accepts no recipient while it `hangs`; counts connections."""

    def __init__(self) -> None:
        self.hangs, self.greeted, self.asked = set(), 0, Counter()
        super().__init__()

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        self.greeted += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:
        name = address.partition("@")[0]
        self.asked[name] += 1
        while name in self.hangs:  # noqa: ASYNC110 - the test, which is another thread, lets it go
            await asyncio.sleep(0.01)
        envelope.rcpt_tos.append(address)
        return "250 OK"


@pytest.fixture
def sink():
    made = Slow()
    yield made
    made.hangs.clear()
    made.stop()


@pytest.fixture
def database_url(tmp_path):
    """SQLite only; `live` tests leases on both databases."""
    return f"sqlite:///{tmp_path / 'house.db'}"


@contextmanager
def working(house, **pace):
    object.__setattr__(house.ctx, "pace", RetryPolicy(**pace))
    made = Mailer(house.ctx)
    made.start()
    try:
        yield made
    finally:
        house.sink.hangs.clear()
        made.stop()


def states(house) -> Counter:
    return Counter(row.state for row in house.rows())


def backlog(house, games: int) -> None:
    """Two mails a game, to Ada and Ben."""
    for _ in range(games):
        house.game()
    house.dispatch()


@pytest.mark.slow
def test_a_backlog_goes_over_one_connection_a_lane(house, sink):
    """Each mail once, with one greeting a lane."""
    backlog(house, 20)
    with working(house):
        until(lambda: states(house) == {"sent": 40}, "not all was sent")
    assert Counter(mail["Message-ID"] for mail in sink.mails) == Counter(row.message_id for row in house.rows())
    assert sink.greeted < LANES


@pytest.mark.slow
def test_a_sign_in_mail_is_sent_while_every_other_lane_hangs(house, sink):
    """With a backlog in each, and the sign-in mail not yet dispatched."""
    sink.hangs |= {"ada", "ben"}
    backlog(house, 10)
    with working(house):
        until(lambda: sum(sink.asked.values()) == LANES - 1, "not every lane hangs")
        request_link(house.services, "dee@example.org", "")
        until(lambda: sink.mails, "the sign-in mail waited")
        assert [mail["To"].addresses[0].username for mail in sink.mails] == ["dee"]
        sink.hangs.clear()
        until(lambda: states(house) == {"sent": 21}, "the others did not follow")


@pytest.mark.slow
def test_a_relay_silent_about_one_address_delays_nobody_else(house, sink):
    """One lane waits, the others go on."""
    sink.hangs.add("cy")
    house.game(seats=3)
    backlog(house, 5)
    with working(house):
        until(lambda: states(house) == {"sent": 12, "leased": 1}, "others waited")


def test_mails_just_leased_are_waited_for(house, sink, monkeypatch):
    """Their rows are no longer due, and they are not yet in flight."""
    backlog(house, 1)
    lease, drained = leases.lease, threading.Event()

    def slow_lease(*given: object) -> list[LeasedMail]:
        got = lease(*given)
        if got:
            assert not drained.wait(0.3), "the wait ended"
        return got

    monkeypatch.setattr(leases, "lease", slow_lease)
    with working(house) as made:
        made.drain()
        drained.set()
    assert states(house) == {"sent": 2}


def test_waiting_mails_are_released_at_the_end(house, sink, monkeypatch):
    """Other workers may send them at once, and no try is counted."""
    monkeypatch.setattr(mailer, "LAST", 0.1)
    sink.hangs |= {"ada", "ben"}
    backlog(house, 5)
    made = Mailer(house.ctx)
    made.start()
    until(lambda: sum(sink.asked.values()) == LANES - 1, "not every lane hangs")
    made.stop()
    assert states(house) == {"leased": LANES - 1, "pending": 10 - (LANES - 1)}
    assert {row.attempts for row in house.rows() if row.state == "pending"} == {0}


@pytest.mark.slow
def test_a_lease_is_renewed_as_long_as_its_process_lives(house, sink):
    """No other process takes the mails behind a slow one."""
    sink.hangs |= {"ada", "ben"}
    backlog(house, 5)
    with working(house, lease=3):
        until(lambda: states(house) == {"leased": 10}, "they were not leased")
        house.pass_time(seconds=2)
        renewed = START + timedelta(seconds=5)
        until(lambda: {row.lease_until for row in house.rows()} == {renewed}, "they were not renewed")


@pytest.mark.slow
def test_in_a_long_queue_mails_are_sent_without_pictures(house, sink, monkeypatch):
    """Drawing takes longest, and the board as text is in every mail."""
    for name, few in (("BATCH", 3), ("LOW", 1), ("LONG", 8)):
        monkeypatch.setattr(mailer, name, few)
    drawn = []
    object.__setattr__(house.ctx, "draw", drawn.append)
    backlog(house, 10)
    with working(house):
        until(lambda: states(house) == {"sent": 20}, "not all was sent")
    assert 0 < len(drawn) < 20


def test_a_paused_process_does_not_send_after_its_lease():
    """Another process has the mail by then."""
    in_flight, one = MailsInFlight(), LeasedMail(7, "turn", 1)
    in_flight.add([one], START)
    assert in_flight.is_ours(one, START - timedelta(seconds=1))
    assert not in_flight.is_ours(one, START)
    assert not in_flight.is_ours(LeasedMail(7, "turn", 2), START - timedelta(seconds=1))


def test_a_paused_process_does_not_renew_a_lost_lease(house):
    """Otherwise two processes would send the mail."""
    backlog(house, 1)
    made = Mailer(house.ctx)
    made._take(first=False)
    one, other = made.in_flight.held()
    house.pass_time(seconds=house.ctx.pace.lease + 1)
    leases.lease(house.ctx, 1, Notification.id == one.id, leases.late(house.time))
    made._renewed = -house.ctx.pace.lease
    made._renew()
    assert not made.in_flight.is_ours(one, house.time)
    assert made.in_flight.is_ours(other, house.time)


@pytest.mark.slow
def test_abandoned_mails_are_taken_up_in_groups(house, monkeypatch):
    """Only while no lane is free; sign-in mails come first."""
    monkeypatch.setattr(mailer, "BATCH", 2)
    backlog(house, 10)
    request_link(house.services, "dee@example.org", "")
    house.dispatch()
    with house.services.database.write() as session:
        session.execute(sa.update(Notification).values(state="leased", lease_until=START))
    made = Mailer(house.ctx)
    for _ in range(5):
        made._looked = -mailer.EVERY
        made._round(is_told=False)
    kinds = Counter(one.kind for one in made.in_flight.held())
    assert kinds.pop("login") == 1
    assert kinds.total() == 4


def test_every_lane_takes_sign_in_mails_first():
    """And one lane takes nothing else."""
    in_flight, turn, login = MailsInFlight(), LeasedMail(7, "turn", 1), LeasedMail(8, "login", 1)
    in_flight.add([turn], START)
    assert in_flight.take(first_only=True, patience=0.01) is None
    in_flight.add([login], START)
    assert [in_flight.take(first_only=False, patience=1), in_flight.take(first_only=False, patience=1)] == [login, turn]


def test_a_result_that_could_not_be_stored_is_stored_later(house, sink, monkeypatch):
    """A short database outage makes no second copy."""
    backlog(house, 1)
    noted, tries = leases.store_results, []

    def once_away(session, ends) -> None:
        tries.append(ends)
        if len(tries) == 1:
            raise OSError("away")
        noted(session, ends)

    monkeypatch.setattr(leases, "store_results", once_away)
    with working(house):
        until(lambda: states(house) == {"sent": 2}, "it was not noted")
    assert len(sink.mails) == 2


def test_no_lane_sends_another_mail_before_its_result_is_stored(house, sink, monkeypatch):
    """The database goes away at the first mail: a kill now would repeat one mail a lane, not all that were leased."""
    monkeypatch.setattr(handover, "PATIENCE", 0.05)
    monkeypatch.setattr(mailer, "EVERY", 0.05)
    database, away, refused = house.services.database, threading.Event(), []
    write = database.write

    def write_unless_away():
        if away.is_set():
            refused.append(len(sink.mails))
            raise OSError("away")
        return write()

    monkeypatch.setattr(database, "write", write_unless_away)
    sink.before = away.set
    backlog(house, 10)
    with working(house):
        until(lambda: refused.count(LANES - 1) > 60 or len(sink.mails) >= LANES, "not every lane sends a mail")
        assert len(sink.mails) == LANES - 1
        sink.before = None
        away.clear()
        until(lambda: states(house) == {"sent": 20}, "the others were not sent")
    assert len(sink.mails) == 20


def test_only_the_holder_of_a_lease_stores_a_failure(house):
    """A mail that was sent is stored as sent in any case."""
    backlog(house, 1)
    (one,) = leases.lease(house.ctx, 1, Notification.seat == 0)
    stale = LeasedMail(one.id, one.kind, one.attempts - 1)
    _note(house, MailResult(stale, "dropped", {"reason": "answered"}))
    assert (house.row("turn", 0).state, house.row("turn", 0).reason) == ("leased", None)
    _note(house, MailResult(stale, "sent", {}))
    assert house.row("turn", 0).state == "sent"


def _note(house, end: MailResult) -> None:
    with house.services.database.write() as session:
        leases.store_results(session, [end])


def test_many_sign_ins_are_dispatched_in_groups(house):
    """A full group wakes the worker for the next at once; a last small group does not wait."""
    for number in range(5):
        request_link(house.services, f"person.{number}@example.org", "")
    woken = []
    ctx = replace(house.ctx, wake_up=lambda: woken.append(len(house.rows())))
    for _ in range(3):
        dispatch_first(ctx, ("login",), 2)
    assert len(house.rows()) == 5
    assert woken == [2, 4]


def break_first_result(house, monkeypatch):
    """The result of the first mail cannot be stored, until the returned function is called."""
    broken, real = house.rows()[0].id, leases.store_results

    def fails(session, ends):
        return 1 // 0 if broken in {end.of.id for end in ends} else real(session, ends)

    monkeypatch.setattr(leases, "store_results", fails)
    return lambda: monkeypatch.setattr(leases, "store_results", real)


def test_a_result_that_cannot_be_stored_does_not_hold_up_the_others(house, monkeypatch):
    """It stays with the mailer, which tries again, so the mail is not sent twice."""
    backlog(house, 2)
    mend = break_first_result(house, monkeypatch)
    with working(house, lease=3):
        until(lambda: states(house) == {"sent": 3, "leased": 1}, "the others were not noted")
        mend()
        until(lambda: states(house) == {"sent": 4}, "it was not noted later")
        until(lambda: quarantine.listed(house.services) == [], "it stayed in the quarantine")
    assert len(house.sink.mails) == 4


def test_a_result_that_was_set_aside_is_stored_at_the_end(house, monkeypatch):
    """A worker that is stopped, as for an upgrade, sends nothing twice."""
    backlog(house, 1)
    mend = break_first_result(house, monkeypatch)
    with working(house):
        until(lambda: quarantine.listed(house.services), "it was not set aside")
        mend()
    assert states(house) == {"sent": 2}


def test_a_silence_about_one_letter_holds_up_the_others_for_a_moment_only(monkeypatch):
    """Then the next lane has the turn, one at a time; the late one gives nothing back that is not its own."""
    monkeypatch.setattr(handover, "PATIENCE", 0.05)
    turn, has = HandoverTurn(), []

    def lane(number: int) -> None:
        turn.take()
        has.append(number)

    for number in range(3):
        thread = threading.Thread(target=lane, args=(number,))
        thread.start()
        thread.join()
    assert has == [0, 1, 2]
    turn.take()
    monkeypatch.setattr(handover, "PATIENCE", PATIENCE)
    late = threading.Thread(target=lambda: (turn.give(), lane(3)))
    late.start()
    assert has == [0, 1, 2]
    turn.give()
    late.join(PATIENCE)
    assert has == [0, 1, 2, 3]
