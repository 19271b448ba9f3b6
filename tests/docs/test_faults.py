"""The table of faults in docs/operate.md: all that it names exists, and no alert or check is missing."""

from __future__ import annotations

import re
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
import yaml

from server.operate import checks, facts
from tests.deploy.prometheus import parse
from tests.docs.metrics import described
from tests.server.harness import harness, sqlite_url

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/operate.md").read_text("utf-8")
HEAD = "| fault | metric (alert) | `event` | check | what to do |\n|---|---|---|---|---|\n"
TABLE = PAGE.partition(HEAD)[2].partition("\n\n")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines()]
RULES = {
    rule["alert"]: rule
    for group in yaml.safe_load((ROOT / "deploy/alerts.yml").read_text("utf-8"))["groups"]
    for rule in group["rules"]
}
OF_A_CHECK = re.compile(r'\b(?:Finding|SiteCertificate|_of_dns)\(\s*"([a-z-]+)"')
LOGGED = re.compile(r'\b(?:log\.(?:error|warning|info)|_tell)\(\s*"([a-z-]+)"')
OUTAGE = re.compile(r'\bOutageLog\("([a-z-]+)", "([a-z-]+)"\)')
MARKED = re.compile(r"`([a-z-]+)`: (503|degraded)")
NO_EVENTS = {
    "status",
    "ClockAheadError",
    "OutOfMemoryError",
    "house",
    "clock",
    "state",
    "info",
    "players",
    "inbound",
    "seq",
    "code",
}
DOCTOR = PAGE.partition("| check | wrong if |\n|---|---|\n")[2].partition("\n\n")[0]


@cache
def events() -> set[str]:
    """All that the programs log."""
    files = (path for folder in ("server", "workers", "client/players") for path in (ROOT / folder).rglob("*.py"))
    texts = [path.read_text("utf-8") for path in files]
    outages = {name for text in texts for pair in OUTAGE.findall(text) for name in pair}
    return outages | {name for text in texts for name in LOGGED.findall(text)}


def all_checks() -> set[str]:
    files = ("server/operate/checks.py", "server/operate/facts.py", "workers/doctor.py")
    return {name for file in files for name in OF_A_CHECK.findall((ROOT / file).read_text("utf-8"))}


def words(column: int) -> list[str]:
    return [word for row in ROWS for word in re.findall(r"`([^`]+)`", row[column])]


def test_each_row_has_a_fault_a_sign_and_what_to_do():
    for fault, *signs, to_do in ROWS:
        assert (len(signs), bool(fault), any(signs), bool(to_do)) == (3, True, True, True)


def test_the_metrics_exist_with_their_labels():
    known = {one.name: set(one.labels) for one in described()}
    for word in words(1):
        if word.startswith("sealedmove_"):
            name, _, labels = word.rstrip("}").partition("{")
            assert set(labels.split(",")) - {""} == known[name], word


def test_every_alert_is_in_the_row_of_its_metric():
    assert {word for word in words(1) if word.startswith("SealedMove")} == RULES.keys()
    for row in ROWS:
        for alert in re.findall(r"\(`(SealedMove\w+)`\)", row[1]):
            assert f"`{parse(RULES[alert]['expr']).name}" in row[1]


def test_a_fault_that_a_check_finds_has_an_alert():
    """An operator does not read /readyz, nor the log of the doctor, every day."""
    assert [fault for fault, metric, _, check, _ in ROWS if check and "(`SealedMove" not in metric] == []


def test_the_alert_of_checks_has_each_that_its_rows_name():
    """It names no check that another alert stands for."""
    [matched] = parse(RULES["SealedMoveCheckFailed"]["expr"]).labels.values()
    rows = [row for row in ROWS if "(`SealedMoveCheckFailed`)" in row[1]]
    assert sorted(matched.pattern.split("|")) == sorted(
        {word for row in rows for word in re.findall(r"`([a-z-]+)`", row[3])}
    )


@pytest.mark.parametrize("event", sorted(set(words(2)) - NO_EVENTS))
def test_an_event_is_logged(event: str):
    assert event in events()


def test_every_check_of_the_doctor_is_in_both_tables():
    described_there = {word for line in DOCTOR.splitlines() for word in re.findall(r"`([a-z-]+)`", line.split("|")[1])}
    assert set(words(3)) == described_there == all_checks()


def test_the_checks_of_the_readiness_are_marked_with_its_answer(tmp_path: Path):
    """`migrations` has a finding only if one is due."""
    with closing(harness(sqlite_url(tmp_path))) as hall:
        quick = {one.check for one in facts.quick(hall.services)} | {"migrations"}
    marked = dict(found for row in ROWS for found in MARKED.findall(row[3]))
    assert marked == {name: "503" if name in checks.CRITICAL else "degraded" for name in quick}
