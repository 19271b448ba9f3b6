"""`sealedmove doctor`: relay and DNS, what it prints, and what it logs as a process."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from resvg import usvg
from structlog.testing import CapturingLogger

from server.operate.checks import Finding
from tests.servers import free
from tests.workers.harness import MASTER
from workers import doctor
from workers.mail import picture
from workers.mail.smtp import Smtp
from workers.replies.dns import DnsError

SPF, DMARC = "v=spf1 ip4:192.0.2.25 -all", "v=DMARC1; p=none"
PUBLISHED = {"play.example": [SPF], "_dmarc.play.example": [DMARC]}


def at(house, **settings: object):
    """The context of a server with these settings."""
    public = {"public_url": "http://play.example", "mail_from": "Games <games@play.example>"}
    services = house.ctx.services
    return replace(house.ctx, services=replace(services, settings=replace(services.settings, **public | settings)))


def wrong(found: list[Finding]) -> list[str]:
    return [one.check for one in found if one.wrong]


def outside(ctx, texts: dict[str, list[str]], hosts: dict[str, list[str]]) -> list[str]:
    return wrong(doctor.outside(ctx, lambda name: texts.get(name, []), lambda name: hosts.get(name, [])))


@pytest.fixture
def ctx(house, smtp_server):
    """With a relay that takes mail."""
    return replace(at(house), smtp=Smtp.at(smtp_server.url))


def test_the_dns_of_mail_is_checked_for_every_domain_of_ours(ctx):
    hosts = {"play.example": ["mx.play.example."]}
    assert outside(ctx, PUBLISHED, hosts) == []
    assert outside(ctx, {}, {}) == ["spf", "dmarc", "mx"]
    answers = replace(ctx.services.settings, reply_address="move+{token}@in.play.example", bounce_address=None)
    assert outside(replace(ctx, services=replace(ctx.services, settings=answers)), PUBLISHED, hosts) == ["mx"]


def test_a_policy_of_the_domain_above_counts(ctx):
    deep = replace(ctx.services.settings, mail_from="games@mail.play.example")
    texts = {"mail.play.example": [SPF], "_dmarc.play.example": [DMARC]}
    hosts = {"mail.play.example": ["mx.play.example."]}
    assert outside(replace(ctx, services=replace(ctx.services, settings=deep)), texts, hosts) == []


def test_a_dns_that_does_not_answer_is_reported_as_that(ctx):
    def away(_name: str) -> list[str]:
        raise DnsError("Timeout")

    found = [one for one in doctor.outside(ctx, away, away) if one.wrong]
    assert all(one.wrong.startswith("The DNS does not answer for ") for one in found)
    assert [one.check for one in found] == ["spf", "dmarc", "mx"]


def test_a_server_for_one_machine_needs_no_dns(house, smtp_server):
    ctx = replace(at(house, public_url="http://127.0.0.1:8000"), smtp=Smtp.at(smtp_server.url))
    assert outside(ctx, {}, {}) == []


def test_a_relay_that_does_not_answer_is_reported_with_its_address(ctx):
    port = free.ports(1)[0]
    found = doctor.outside(replace(ctx, smtp=Smtp.at(f"smtp://127.0.0.1:{port}")), lambda _: [], lambda _: [])
    (relay,) = [one for one in found if one.check == "relay"]
    assert relay.wrong
    assert relay.detail.startswith(f"127.0.0.1, port {port}: ")


def test_a_site_whose_certificate_cannot_be_reached_is_reported(ctx):
    settings = replace(ctx.services.settings, public_url=f"https://127.0.0.1:{free.ports(1)[0]}")
    assert outside(replace(ctx, services=replace(ctx.services, settings=settings)), {}, {}) == ["certificate"]


def test_pictures_without_words_are_reported(monkeypatch: pytest.MonkeyPatch):
    """As on a machine without a font."""
    assert doctor.letter() == Finding("fonts")
    monkeypatch.setattr(picture._of_thread, "options", usvg.Options.default(), raising=False)
    found = doctor.letter()
    assert (found.wrong, "fonts-dejavu-core" in found.do) == ("Pictures have no words and no numbers.", True)


def test_the_doctor_prints_each_check_and_what_to_do(house, smtp_server):
    """The exit status is 1 if something is wrong."""
    env = {"SEALEDMOVE_MASTER": MASTER.hex(), "DATABASE_URL": house.settings.database_url, "REDIS_URL": ""}
    env |= {"PUBLIC_URL": "http://127.0.0.1:8000", "SMTP_URL": smtp_server.url, "LOG_LEVEL": "ERROR"}
    done = CliRunner().invoke(doctor.main, env=env)
    assert done.exit_code == 1
    assert "ok     database\n" in done.output
    assert "     fonts" in done.output
    assert "ok     games: bids from sealedmove-test-games 1, pig from sealedmove-test-games 1\n" in done.output
    assert "WRONG  settings: REDIS_URL is not set, so emails are late" in done.output
    rows = [json.loads(line) for line in CliRunner().invoke(doctor.main, ["--json"], env=env).output.splitlines()]
    assert {row["check"] for row in rows} >= {"settings", "database", "relay"}


def test_settings_with_which_no_process_starts_are_the_only_finding():
    done = CliRunner().invoke(doctor.main, env={"SEALEDMOVE_MASTER": "", "PORT": "8000"})
    assert (done.exit_code, done.output.count("WRONG")) == (1, 1)
    assert "SEALEDMOVE_MASTER must hold" in done.output


def test_watching_logs_what_changes(monkeypatch: pytest.MonkeyPatch):
    """Once when it goes wrong and once when it holds again."""
    well, bad, said = Finding("redis"), Finding("redis", "Redis does not answer.", "Start it."), CapturingLogger()
    monkeypatch.setattr(doctor, "log", said)
    for before, found in (([], [bad]), ([bad], [bad]), ([bad], [well]), ([well], [well])):
        doctor.report(before, found)
    assert [(call.method_name, call.args[0], call.kwargs["check"]) for call in said.calls] == [
        ("error", "check-failed", "redis"),
        ("info", "check-holds", "redis"),
    ]


def test_a_check_that_could_not_be_made_is_as_it_was(monkeypatch: pytest.MonkeyPatch):
    """While the database is away, nothing new is known of stopped games."""
    well, stopped = Finding("database"), Finding("stopped", "1 game stopped.", "List them.")
    away, said, known = Finding("database", "it does not answer"), CapturingLogger(), list[Finding]()
    monkeypatch.setattr(doctor, "log", said)
    for found in ([well, stopped], [away], [well, stopped], [well, Finding("stopped")]):
        known = doctor.report(known, found)
    assert [(call.args[0], call.kwargs["check"]) for call in said.calls] == [
        ("check-failed", "stopped"),
        ("check-failed", "database"),
        ("check-holds", "database"),
        ("check-holds", "stopped"),
    ]


def test_what_was_found_is_served_as_metrics():
    results = doctor.Results()
    results.found = [Finding("mx"), Finding("mx", "There is no MX record."), Finding("spf")]
    (metric,) = results.collect()
    assert {sample.labels["check"]: sample.value for sample in metric.samples} == {"mx": 1, "spf": 0}
