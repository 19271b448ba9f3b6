"""Metrics that are counted from the database's rows; the same on every host. The web server serves them."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from sqlalchemy.orm import Session

from server.evidence import audit
from server.kernel import quarantine
from server.kernel.db.models import Game, InboundMail
from server.kernel.db.models.games import BROKEN, LACKS_RULES
from server.kernel.services import Services
from server.log import outbox
from server.mailbox import read as mailbox
from server.operate import checks, facts
from server.play import overdue
from server.play.overdue import OwedAnswers
from server.tables.game_types import without_rules


class Rows:
    """A collector. While the database is unreachable it has no numbers; those of the processes matter most then.

    The jobs in Redis are not rows, but as shared: while Redis does not answer, they have no numbers.
    """

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[Metric]:
        yield checks.metric(facts.quick(self._services))
        jobs = self._services.waker.jobs()
        if jobs is not None:
            yield _by("sealedmove_queue_jobs", "Jobs that wait, or that failed within a day.", "state", jobs)
        try:
            yield from _of_mails(self._services)
            with self._services.database.read() as session:
                found = [
                    *_of_games(self._services, session),
                    *_of_backlogs(self._services, session),
                    *_of_house(self._services, session),
                ]
        except sa.exc.SQLAlchemyError:
            return
        yield from found


def _of_mails(services: Services) -> list[Metric]:
    found, late = mailbox.counted_reports(services), mailbox.late_mails(services)
    return [
        _by(
            "sealedmove_mails",
            "Mails that are `pending`, on their way (`leased`), `failed`, or postponed by their readers (`waits`).",
            "state",
            mailbox.counted_mails(services),
        ),
        GaugeMetricFamily("sealedmove_mails_late", "Mails not sent five minutes after they were due.", late),
        _by("sealedmove_mail_reports", "Delivery reports of the last thirty days, by kind.", "kind", found["reports"]),
        _by("sealedmove_mail_stops", "Accounts whose mail is stopped, by reason.", "why", found["stops"]),
    ]


def _of_games(services: Services, session: Session) -> list[Metric]:
    missing = GaugeMetricFamily(
        "sealedmove_games_without_rules", "Games whose rules are not installed here.", labels=("type", "version")
    )
    for (key, version), number in without_rules(session).items():
        missing.add_metric([key, str(version)], number)
    due = audit.waiting(session, services.now())
    verdicts = "Games whose last audit `fails`, those `acknowledged`, and those that could not be judged (`unknown`)."
    return [
        missing,
        _by(
            "sealedmove_games_stopped",
            "Games stopped by an `engine-fault`, or because of `lines-missing` or `rules-missing`.",
            "why",
            _stopped(session),
        ),
        _by("sealedmove_audits", verdicts, "verdict", audit.counted(session)),
        GaugeMetricFamily(
            "sealedmove_audits_due",
            "Games that wait for an audit; many if `AUDIT_SHARE` is too small or no worker runs.",
            due,
        ),
    ]


def _of_backlogs(services: Services, session: Session) -> list[Metric]:
    depth, age = outbox.backlog(session, services.now())
    behind = overdue.lag(session, services.now())
    return [
        GaugeMetricFamily(
            "sealedmove_outbox_waiting", "Events that no mail has been made from yet, without those set aside.", depth
        ),
        GaugeMetricFamily(
            "sealedmove_outbox_age_seconds",
            "Age of the oldest such event; more than a few seconds if neither worker nor clock runs.",
            age,
        ),
        GaugeMetricFamily(
            "sealedmove_clock_lag_seconds",
            "Time since the oldest deadline that the clock has not played; more than a minute if it is too slow.",
            behind,
        ),
        _by(
            "sealedmove_inbound_pending",
            "Received mails that are `waiting`, being read (`leased`), `quarantined`, or a `letter` to the operator.",
            "state",
            _inbound(session),
        ),
        _by(
            "sealedmove_quarantined", "Items that a loop of the workers set aside.", "loop", quarantine.counted(session)
        ),
    ]


def _of_house(services: Services, session: Session) -> list[Metric]:
    owed = overdue.owed_by_house(session)
    numbers = {what: one.number for what, one in owed.items()}
    words = "Answers that house players owe: moves, and reserved seats to take."
    return [
        _by("sealedmove_house_answers_owed", words, "what", numbers),
        GaugeMetricFamily(
            "sealedmove_house_answer_age_seconds",
            "Age of the oldest answer that house players owe; minutes if `players` does not run.",
            _age(services, owed),
        ),
    ]


def _age(services: Services, owed: dict[str, OwedAnswers]) -> float:
    oldest = min((one.since for one in owed.values() if one.since is not None), default=services.now())
    return (services.now() - oldest).total_seconds()


def _by(name: str, help_text: str, label: str, numbers: dict[str, int]) -> Metric:
    family = GaugeMetricFamily(name, help_text, labels=(label,))
    for value, number in numbers.items():
        family.add_metric([value], number)
    return family


def _stopped(session: Session) -> dict[str, int]:
    """A game with two reasons counts for its missing entries, as in the list of stopped games.

    Each query goes by the index of its few games.
    """
    faulted, lacks_rules = (Game.faulted_at.is_not(None), Game.missing_since.is_(None)), Game.fault == LACKS_RULES
    reasons = {
        "lines-missing": (Game.missing_since.is_not(None),),
        LACKS_RULES: (*faulted, lacks_rules),
        BROKEN: (*faulted, sa.func.coalesce(Game.fault, BROKEN) != LACKS_RULES),
    }
    return {why: session.scalar(sa.select(sa.func.count(Game.id)).where(*where)) or 0 for why, where in reasons.items()}


def _inbound(session: Session) -> dict[str, int]:
    """A letter to the operator is kept in the quarantine, but nothing has failed to read it."""
    kind, state, states = InboundMail.kind, InboundMail.state, ("waiting", "leased", "quarantined")
    by = sa.case((kind == "letter", kind), else_=state)
    return _grouped(session, by, (*states, "letter"), state.in_(states))


def _grouped(
    session: Session, by: sa.SQLColumnExpression[str], names: tuple[str, ...], *where: sa.ColumnElement[bool]
) -> dict[str, int]:
    """How many rows there are for each of the names, also for those without any."""
    named = sa.select(by.label("name")).where(*where).subquery()
    counted = sa.select(named.c.name, sa.func.count()).group_by(named.c.name)
    return {**dict.fromkeys(names, 0), **{row[0]: row[1] for row in session.execute(counted)}}
