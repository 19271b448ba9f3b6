"""Every loop sets aside an item that fails, does the others in the same round, and tries the item again later."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import server
import workers
from server.accounts import waiting_acts
from server.accounts.guests import write as guests
from server.accounts.statements import AccountAct
from server.evidence import audit
from server.kernel import quarantine
from server.kernel.db.models import Account, Base, Game, Holiday, MailReminder, Outage, Seat
from server.kernel.db.models.games import LACKS_RULES
from server.play import missing_rules
from server.play.analysis import rows as analyses
from server.play.overdue import overdue
from server.tables.after import consents
from server.tables.calendar import holidays, outages
from server.tables.hosting import write as hosting
from tests.kit.modules import modules
from tests.server import test_outages
from tests.workers import test_mailer
from tests.workers.harness import DAY, Harness
from tests.workers.hooks import test_again
from tests.workers.push import test_sending
from tests.workers.test_auditor import finished
from tests.workers.test_lobbies import lobby
from tests.workers.test_wanted import choose
from workers import analyst, deadlines, digests, reminders, sweeper
from workers.auditor import audit_next
from workers.clock import round_of
from workers.lobbies import end_unstarted
from workers.queues import WorkerContext

ROOT = Path(__file__).parents[2]
ADA, BEN = 1, 2
A_SEAT = "NEW.game_id || ' ' || NEW.seat"


@dataclass(frozen=True)
class Case:
    """How two items or more of a loop become due, and what the database refuses to write about one of them."""

    make: Callable[[Harness], object]
    due: Callable[[datetime], sa.Select[Any]]
    write: str  # the statement, as a trigger has it
    key: str  # the item that the row is about
    run: Callable[[WorkerContext], object] = round_of


def two_games(house: Harness, **passes: int) -> None:
    """One begun a minute before the other; then the time passes."""
    for _ in range(2):
        house.game()
        house.pass_time(seconds=60)
    house.pass_time(**passes)


def two_finished(house: Harness) -> list[str]:
    made = []
    for _ in range(2):
        made.append(finished(house, "pig"))
        house.pass_time(seconds=60)
    return made


def two_lobbies(house: Harness, days: int) -> None:
    for _ in range(2):
        lobby(house)
        house.pass_time(seconds=60)
    house.pass_time(days=days)


def two_warned_lobbies(house: Harness) -> None:
    two_lobbies(house, 11)
    end_unstarted(house.ctx)
    house.pass_time(days=3)


def two_analyses(house: Harness) -> None:
    for game in two_finished(house):
        analyses.request(house.services, game)
        house.pass_time(seconds=1)


def two_readers_of_digests(house: Harness) -> None:
    for account in (ADA, BEN):
        choose(house, account, turn="digest", started="digest")
    house.game(clock=None)
    house.dispatch()
    house.pass_time(days=1)


def games_with_chosen_hours(house: Harness) -> None:
    choose(house, remind="hours", hours=(24,))
    two_games(house)


def planned_reminders(house: Harness) -> None:
    games_with_chosen_hours(house)
    reminders.plan(house.ctx)
    house.pass_time(hours=49)


def old_wishes(house: Harness) -> None:
    for _ in range(2):
        consents.agree(house.services, house.game(clock=None), ADA)
    house.pass_time(days=7)


def waiting(house: Harness) -> None:
    for account in (ADA, BEN):
        waiting_acts.request_unsigned(house.services, AccountAct(account, "erase"))
        house.pass_time(seconds=1)
    house.pass_time(days=7)


def idle_guests(house: Harness) -> None:
    for _ in range(2):
        add(house, Account(name="Guest", created_at=house.time, guest_since=house.time))
        house.pass_time(seconds=1)
    house.pass_time(days=30)


def left_holidays(house: Harness) -> None:
    """As a process leaves them that dies before the tables follow."""
    begin, end = house.time, house.time + timedelta(days=3)
    house.game()
    add(house, *(Holiday(account_id=one, starts_at=begin, ends_at=end, made_at=begin) for one in (ADA, BEN)))


def left_outages(house: Harness) -> None:
    house.game()
    for _ in range(2):
        begin = house.time
        house.pass_time(hours=1)
        add(house, Outage(starts_at=begin, ends_at=house.time))


def rules_are_back(house: Harness) -> None:
    """Two games that a clock without their rules has stopped."""
    two_games(house)
    with house.services.database.write() as session:
        session.execute(sa.update(Game).values(faulted_at=house.time, fault=LACKS_RULES))


def add(house: Harness, *made: Base) -> None:
    with house.services.database.write() as session:
        session.add_all(made)


def seats(query: sa.Select[Any]) -> sa.Select[Any]:
    return query.with_only_columns(Seat.game_id, Seat.seat)


def twice(act: Callable[[WorkerContext], object]) -> Callable[[WorkerContext], object]:
    """A loop that takes one new item in a round."""
    return lambda ctx: [act(ctx) for _ in range(2)]


CASES = {
    "analyses": Case(
        two_analyses,
        lambda now: analyses.due(now).with_only_columns(Game.id),
        "UPDATE ON analysis",
        "NEW.game_id",
        twice(analyst.analyse_next),
    ),
    "audits": Case(
        two_finished,
        lambda now: audit.due(now).with_only_columns(Game.id),
        "UPDATE OF audit_at ON game",
        "NEW.id",
        twice(audit_next),
    ),
    "clock": Case(lambda house: two_games(house, days=4), overdue, "INSERT ON entry", "NEW.game_id || ' 0'"),
    "digests": Case(two_readers_of_digests, digests.due, "UPDATE OF digest_id ON notification", "NEW.account_id"),
    "endings": Case(lambda house: two_lobbies(house, 11), hosting.ending, "UPDATE OF warned_at ON game", "NEW.id"),
    "guests": Case(idle_guests, guests.idle, "UPDATE OF erased_at ON account", "NEW.id"),
    "holidays": Case(left_holidays, holidays.unapplied, "UPDATE ON holiday", "NEW.id"),
    "outage": Case(left_outages, lambda _: outages.unapplied(), "UPDATE ON outage", "NEW.id"),
    "outbox": Case(two_games, sweeper.undispatched, "UPDATE ON outbox", "NEW.id"),
    "reminder-mails": Case(
        planned_reminders,
        lambda now: reminders._due(now).with_only_columns(MailReminder.game_id, MailReminder.seat),
        "UPDATE ON mail_reminder",
        A_SEAT,
    ),
    "reminder-plans": Case(
        games_with_chosen_hours, lambda now: seats(reminders._unplanned(now)), "INSERT ON mail_reminder", A_SEAT
    ),
    "reminders": Case(
        lambda house: two_games(house, seconds=3 * DAY * 4 // 5),
        lambda now: seats(deadlines._late(now)),
        "UPDATE OF reminded_n ON seat",
        A_SEAT,
    ),
    "rules": Case(rules_are_back, lambda _: missing_rules.returned(), "UPDATE OF faulted_at ON game", "NEW.id"),
    "unstarted": Case(two_warned_lobbies, hosting.ended, "INSERT ON entry", "NEW.game_id"),
    "waiting": Case(waiting, waiting_acts.due, "UPDATE ON waiting_act", "NEW.id"),
    "wishes": Case(old_wishes, consents.due, "DELETE ON consent", "OLD.game_id"),
}
# Loops that send, and one that the clock makes up for: their tests are with the rest of what they do.
ELSEWHERE = {
    "deliveries": test_again.test_a_delivery_whose_result_cannot_be_stored_does_not_stop_the_others,
    "hooks": test_again.test_a_webhook_whose_events_cannot_be_prepared_does_not_stop_the_others,
    "mail-results": test_mailer.test_a_result_that_cannot_be_stored_does_not_hold_up_the_others,
    "outages": test_outages.test_a_second_clock_and_a_broken_table_hold_up_nobody,
    "push": test_sending.test_a_notification_that_cannot_be_made_is_set_aside,
}


@contextmanager
def refused(house: Harness, case: Case, item: str) -> Iterator[None]:
    """The database refuses the write about this item, and no other."""
    is_sqlite = house.services.database.is_sqlite
    does = "BEGIN SELECT RAISE(ABORT, 'refused'); END" if is_sqlite else "EXECUTE FUNCTION refuse()"
    function = "CREATE FUNCTION refuse() RETURNS trigger AS 'BEGIN RAISE ''refused''; END' LANGUAGE plpgsql"
    when = f"FOR EACH ROW WHEN (CAST({case.key} AS TEXT) = '{item}')"
    undone = "DROP TRIGGER refused" if is_sqlite else "DROP FUNCTION refuse CASCADE"
    run_sql(house, *(() if is_sqlite else (function,)), f"CREATE TRIGGER refused BEFORE {case.write} {when} {does}")
    yield
    run_sql(house, undone)


def run_sql(house: Harness, *statements: str) -> None:
    with house.services.database.write() as session:
        for one in statements:
            session.connection().exec_driver_sql(one)


@pytest.mark.parametrize("loop", CASES)
def test_an_item_that_fails_is_set_aside_and_holds_up_no_other(house: Harness, set_aside: Any, monkeypatch, loop: str):
    """The first in the order of its loop. It is named once, and tried after 10 s and 40 s more; then it is released."""
    monkeypatch.setattr(analyst, "analysis_of", lambda _: None)
    case = CASES[loop]
    case.make(house)
    broken, *others = due(house, case)
    assert others
    with refused(house, case, broken):
        for seconds, failures, wait in ((0, 1, 10), (9, 1, 1), (1, 2, 40), (39, 2, 1)):
            house.pass_time(seconds=seconds)
            case.run(house.ctx)
            assert due(house, case) == [broken]
            (row,) = quarantine.listed(house.services)
            assert (row["loop"], row["key"], row["failures"]) == (loop, broken, failures)
            assert row["next_at"] == house.time + timedelta(seconds=wait)
    assert [one[:2] for one in set_aside()] == [(loop, broken)]
    house.pass_time(seconds=1)
    case.run(house.ctx)
    assert due(house, case) == []
    assert quarantine.listed(house.services) == []


def due(house: Harness, case: Case) -> list[str]:
    """The keys of the items that the loop finds now, in its order."""
    return [" ".join(map(str, row)) for row in house.ask(case.due)]


def loops() -> list[str]:
    """The names of all loops, each declared in one module."""
    declared = {id(one): one for module in modules(server, workers) for one in vars(module).values()}
    return sorted(one.name for one in declared.values() if isinstance(one, quarantine.Loop))


def test_every_loop_has_its_test():
    assert loops() == sorted([*CASES, *ELSEWHERE])


def test_the_operator_can_look_up_every_loop_that_sets_items_aside():
    """docs/operate.md names each once, and no other."""
    table = (ROOT / "docs/operate.md").read_text("utf-8").partition("\n| loop | item |\n")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines() for name in re.findall(r"`([\w-]+)`", row.split("|")[1])]
    assert sorted(named) == loops()
