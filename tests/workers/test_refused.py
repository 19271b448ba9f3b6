"""Refusals of a relay: only a missing mailbox is final; a turn mail that is still due is sent again."""

from __future__ import annotations

import json
import re
import socketserver
import threading

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from server.accounts import write as accounts
from server.accounts.sign_in import request_link
from server.http.app import create_app
from server.kernel.db.models import LoginLink, Notification
from server.kernel.secrets import login_token
from tests.server.harness import Client
from tests.server.metrics import of_rows
from tests.servers import free
from tests.workers.harness import MASTER
from tests.workers.letters import letter
from workers.mail.commands import main
from workers.mail.smtp import PermanentMailError, Smtp, TransientMailError
from workers.queues import RetryPolicy


class Script(socketserver.StreamRequestHandler):
    """Answers each step of SMTP with `says` of its server."""

    def handle(self) -> None:
        self._say("220 hello")
        while word := self.rfile.readline().split(b" ")[0].strip().upper().decode():
            self.server.heard.append(word)
            self._say(self.server.says.get(word, "354 go on" if word == "DATA" else "250 OK"))
            if word == "QUIT":
                return

    def _say(self, line: str) -> None:
        self.wfile.write(line.encode() + b"\r\n")


@pytest.fixture(scope="module")
def relay():
    """A relay with answers chosen by the test."""
    server = socketserver.ThreadingTCPServer(("127.0.0.1", free.ports(1)[0]), Script)
    server.daemon_threads, server.says, server.heard = True, {}, []
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def handed_in(relay, step, says):
    """The result of a mail to a relay with these answers."""
    relay.says = {step: says}
    with Smtp.at(f"smtp://127.0.0.1:{relay.server_address[1]}").session() as session:
        session.send(letter("login"))


@pytest.mark.parametrize("status", ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"])
@pytest.mark.parametrize("step", ["RCPT", "DATA"])
def test_a_missing_mailbox_is_final(relay, step, status):
    """With the server's words."""
    with pytest.raises(PermanentMailError, match=f"^550 {re.escape(status)} no such mailbox$"):
        handed_in(relay, step, f"550 {status} no such mailbox")


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("MAIL", "550 5.1.1 who are you"),
        ("MAIL", "550 5.7.1 sender not known"),
        ("RCPT", "554 5.7.1 relay access denied"),
        ("RCPT", "552 5.2.2 mailbox full"),
        ("RCPT", "550 5.1.8 bad sender"),
        ("RCPT", "550 5.2.1 <ada@example.org>: over quota"),
        ("RCPT", "550 5.1.1 your server is blocked by our policy"),
        ("RCPT", "550 no"),
        ("RCPT", "451 5.1.1 odd"),
        ("DATA", "554 5.7.26 not signed"),
        ("DATA", "550 5.1.10x odd"),
        ("DATA", "552 5.3.4 too big"),
    ],
)
def test_any_other_refusal_is_tried_again(relay, step, says):
    """Even 5xx: it concerns us, the relay or a mailbox that is full, and may be fixed."""
    with pytest.raises(TransientMailError, match=f"^{re.escape(says)}$"):
        handed_in(relay, step, says)


@pytest.mark.parametrize("user", ["", "ada:secret@"])
def test_nothing_is_sent_to_a_relay_without_encryption(relay, user):
    """With `smtp+starttls` neither the password nor the mail goes out in the clear."""
    relay.says, relay.heard[:] = {}, []
    url = f"smtp+starttls://{user}127.0.0.1:{relay.server_address[1]}"
    with pytest.raises(TransientMailError), Smtp.at(url).session() as session:
        session.send(letter("login"))
    assert relay.heard[:1] == ["EHLO"]
    assert not {"AUTH", "MAIL", "DATA"} & set(relay.heard)


def given_up(house, sink):
    """A game whose mails a relay has refused for three days."""
    game = house.game()
    house.dispatch()
    sink.answer = "554 5.7.1 relay access denied"
    with house.services.database.write() as session:
        session.execute(sa.update(Notification).values(attempts=RetryPolicy().tries - 1))
    assert house.deliver() == ["failed", "failed"]
    return game


def test_an_open_question_is_mailed_again_when_the_relay_recovers(house, sink):
    """Old news is not."""
    given_up(house, sink)
    sink.answer = "250 OK"
    house.pass_time(hours=1)
    assert (house.deliver(), sink.subjects()) == (["sent", "not-due"], ["ada: Your turn"])
    assert house.rows()[0].reason is None


def test_a_question_that_was_given_up_is_tried_ever_more_seldom(house, sink):
    """The pause doubles, up to a day."""
    given_up(house, sink)
    waits = []
    for _ in range(7):
        waits.append((house.rows()[0].next_at - house.time).total_seconds() / 3600)
        house.time = house.rows()[0].next_at
        assert house.deliver()[0] == "failed"
    assert waits == [1, 2, 4, 8, 16, 24, 24]


def test_a_question_that_was_given_up_and_answered_is_dropped(house, sink):
    """Nothing is sent when the relay recovers."""
    game = given_up(house, sink)
    house.move(game, 0, "roll; try hold")
    sink.answer = "250 OK"
    house.pass_time(hours=1)
    assert (house.deliver()[0], sink.mails) == ("dropped", [])


def test_a_failed_mail_is_shown_until_one_arrives(house, sink):
    """In `GET /v1/me`, with the server's words."""
    given_up(house, sink)
    told = accounts.show_account(house.services, 1)["mail_trouble"]
    assert told == {"since": "2026-11-21T10:00:00Z", "why": "given-up", "says": "554 5.7.1 relay access denied"}
    sink.answer = "250 OK"
    house.pass_time(hours=1)
    house.deliver()
    assert accounts.show_account(house.services, 1)["mail_trouble"] is None


def test_a_page_shows_that_the_last_mail_did_not_arrive(house, sink):
    """A banner, with the mail server's words as text."""
    given_up(house, sink)
    with house.services.database.write() as session:
        session.execute(sa.update(Notification).values(last_error="554 <b>no</b>"))
    request_link(house.services, "ada@example.org", "")
    browser = Client(create_app(services=house.services), browses=True, at=house.settings.public_url)
    with house.services.database.read() as session:
        link = session.get_one(LoginLink, 1)
    assert browser.post(f"/login/{login_token(MASTER, link)}").status_code == 303
    page = browser.get("/").text
    assert "Our last email to you did not arrive." in page
    assert "554 &lt;b&gt;no&lt;/b&gt;" in page


def test_failed_mails_are_on_the_operators_list(house, sink, monkeypatch):
    """One JSON object a line, without content of the game."""
    game = given_up(house, sink)
    monkeypatch.setattr("server.operate.startup.open_services", lambda _: house.services)
    monkeypatch.setattr("server.operate.startup.checked_settings", lambda **_: house.settings)
    rows = [json.loads(line) for line in CliRunner().invoke(main, ["failed"]).output.splitlines()]
    assert [(row["to"], row["kind"], row["game"], row["why"]) for row in rows] == [
        ("ada@example.org", "turn", game, "given-up"),
        ("ben@example.org", "started", game, "given-up"),
    ]


def test_failed_mails_are_counted(house, sink):
    """In the metrics of the web server, from the rows."""
    given_up(house, sink)
    assert of_rows(house.services)['sealedmove_mails{state="failed"}'] == 2
