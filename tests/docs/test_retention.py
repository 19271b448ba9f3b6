"""Which rows are deleted, and when: the table in docs/operate.md has the tables and the times of the code."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from server.accounts import sign_in
from server.accounts.statements import CHALLENGE_LIFETIME
from server.http.credentials import SESSION_LIFETIME
from server.kernel import quarantine
from server.kernel.db.models import HookAnswer, HookDelivery, PushMessage, PushSubscription, Quarantined
from server.mailbox import delivery_reports, inbound
from server.operate.retention import GRANT_LIFETIME, SERVED
from server.tables.talk import write as talk
from workers.hooks.delivery_policy import DeliveryPolicy

PAGE = (Path(__file__).parents[2] / "docs/operate.md").read_text("utf-8")
SECTION = PAGE.partition("## Rows that are no longer needed")[2].partition("\n## ")[0]
ELSEWHERE = (Quarantined, HookAnswer, HookDelivery, PushMessage, PushSubscription)  # by other loops than `forget`
FIXED = {
    "login_link": sign_in.LIFETIME,
    "key_challenge": CHALLENGE_LIFETIME,
    "device_grant": 2 * GRANT_LIFETIME,
    "web_session": SESSION_LIFETIME,
    "inbound_mail": inbound.READ_KEPT,
    "mail_report": delivery_reports.KEPT,
    "report": talk.REPORTS_KEPT,
    "hook_delivery": DeliveryPolicy().keep,
    "push_message": DeliveryPolicy().keep,
    "quarantine": quarantine.FORGOTTEN,
}


def rows() -> dict[str, str]:
    """The text of each table's row."""
    lines = re.findall(r"^\| (`.+?) \| (.+) \|$", SECTION, re.MULTILINE)
    return {name: text for names, text in lines for name in re.findall(r"`(\w+)`", names)}


def words(span: timedelta) -> str:
    return f"{span.days} days" if span.days else f"{span.seconds // 60} minutes"


def test_the_table_has_every_table_from_which_old_rows_are_deleted():
    deleted = [one.table for one in SERVED] + list(ELSEWHERE)
    assert rows().keys() == {table.__tablename__ for table in deleted}


@pytest.mark.parametrize("table", FIXED)
def test_a_fixed_time_is_that_of_the_code(table: str):
    assert words(FIXED[table]) in rows()[table]


def test_a_message_is_kept_for_a_year():
    assert (talk.KEPT, "a year" in rows()["message"]) == (timedelta(days=365), True)


def test_the_times_beside_the_settings_are_those_of_the_code():
    beside = PAGE.partition("Some times cannot be set")[2].partition("\n\n")[0].replace("\n", " ")
    promised = (sign_in.LIFETIME, CHALLENGE_LIFETIME, SESSION_LIFETIME)
    assert re.findall(r"\d+ (?:days|minutes)", beside) == [words(span) for span in promised]
