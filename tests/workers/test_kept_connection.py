"""A kept connection to a relay: checked before reuse, opened again when it is gone, with a time limit."""

from __future__ import annotations

import socketserver
import threading
import time

import pytest

from tests.kit import patience
from tests.servers import free
from tests.workers.letters import letter
from workers.mail import smtp
from workers.mail.smtp import KeptConnection, Smtp, TransientMailError


class Script(socketserver.StreamRequestHandler):
    """Answers each step with `says` of its server: None is silence, "" hangs up."""

    def handle(self) -> None:
        self.server.heard.append("CONNECT")
        going = self._say(self.server.says.get("CONNECT", "220 hello"))
        while going and (word := self._word()):
            going = self._say(self.server.says.get(word, "354 go on" if word == "DATA" else "250 OK"))
            if going and word == "DATA" and word not in self.server.says:
                while self.rfile.readline() not in (b".\r\n", b""):
                    pass
                going = self._say(self.server.says.get("END", "250 taken as 1"))

    def _word(self) -> str:
        self.server.heard.append(self.rfile.readline().split(b" ")[0].strip().upper().decode())
        return self.server.heard[-1]

    def _say(self, line: str | None) -> bool:
        if line:
            self.wfile.write(line.encode() + b"\r\n")
        elif line is None:
            self.server.goes_on.wait(patience.PATIENCE)
        return bool(line)


@pytest.fixture
def relay():
    server = socketserver.ThreadingTCPServer(("127.0.0.1", free.ports(1)[0]), Script)
    server.daemon_threads, server.says, server.heard, server.goes_on = True, {}, [], threading.Event()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.goes_on.set()
    server.shutdown()
    server.server_close()


def where(relay) -> Smtp:
    return Smtp.at(f"smtp://127.0.0.1:{relay.server_address[1]}")


@pytest.fixture
def line(relay):
    made = KeptConnection(where(relay))
    yield made
    relay.goes_on.set()
    made.close()


def send(line) -> str:
    return line.session().send(letter("login"))


def test_the_next_letter_goes_over_the_same_connection(line, relay):
    """After a check that it is alive; the answer to each mail is stored."""
    assert [send(line), send(line)] == ["250 taken as 1"] * 2
    one = ["MAIL", "RCPT", "DATA"]
    assert relay.heard == ["CONNECT", "EHLO", *one, "RSET", *one]


def test_each_letter_has_the_whole_time_limit(line):
    """The time for earlier mails does not count."""
    send(line)
    line._client._until = soon = time.monotonic() + 2
    again = line.session().client
    assert (again, again._until > soon) == (line._client, True)


def test_the_time_for_composing_does_not_count(relay):
    """A letter may wait for a minute for its picture, over an open connection."""
    left = []
    line = KeptConnection(where(relay), lambda: left.append(line._client._until - time.monotonic()))
    session = line.session()
    session.client._until = time.monotonic()
    session.send(letter("login"))
    assert left[0] > 1
    line.close()


def test_the_answer_to_the_end_has_a_time_of_its_own(relay):
    """Whatever came before: a relay that has the whole letter would get it twice."""
    line = KeptConnection(where(relay), lambda: setattr(line._client, "_until", time.monotonic()))
    assert send(line) == "250 taken as 1"
    assert line._client.sock.gettimeout() > 1  # the last step's
    line.close()


def test_a_lost_connection_is_opened_again(line, relay):
    """A relay may hang up while idle; the next mail is not delayed."""
    send(line)
    relay.says["RSET"] = ""
    assert send(line) == "250 taken as 1"
    assert relay.heard.count("CONNECT") == 2


def test_a_refused_letter_keeps_the_connection(line, relay):
    """For the next one."""
    relay.says["RCPT"] = "451 4.2.1 come back"
    with pytest.raises(TransientMailError, match="come back"):
        send(line)
    del relay.says["RCPT"]
    assert send(line) == "250 taken as 1"
    assert relay.heard[:6] == ["CONNECT", "EHLO", "MAIL", "RCPT", "RSET", "RSET"]


def test_a_letter_that_is_refused_before_its_text_leaves_nothing_to_the_next(line, relay):
    """Until a reset the relay waits for the text of the first, and refuses the sender of another one."""
    relay.says["DATA"] = "451 4.7.1 come back"
    with pytest.raises(TransientMailError, match="come back"):
        send(line)
    del relay.says["DATA"]
    assert send(line) == "250 taken as 1"
    assert relay.heard[2:] == ["MAIL", "RCPT", "DATA", "RSET", "MAIL", "RCPT", "DATA"]


def test_a_connection_is_closed_after_some_letters(line, relay, monkeypatch):
    """Relays limit their number."""
    monkeypatch.setattr(smtp, "MOST_LETTERS", 2)
    for _ in range(3):
        send(line)
    assert relay.heard.count("CONNECT") == 2
    assert "QUIT" in relay.heard


@pytest.mark.parametrize("step", ["CONNECT", "EHLO", "MAIL", "RCPT", "DATA", "END"])
def test_a_silent_relay_is_not_waited_for(line, relay, monkeypatch, step):
    """At any step; the next mail has a new connection."""
    limit = "ANSWER" if step == "END" else "PATIENCE"
    monkeypatch.setattr(smtp, "TIMEOUT", 2 * patience.PATIENCE)  # for one step: the relay would answer before
    relay.says[step] = None
    with monkeypatch.context() as impatient:
        impatient.setattr(smtp, limit, 0.2)
        with pytest.raises(TransientMailError, match="timed out"):
            send(line)
    relay.says.clear()
    assert send(line) == "250 taken as 1"
    assert relay.heard.count("CONNECT") == 2


@pytest.mark.parametrize("step", ["CONNECT", "EHLO"])
def test_a_relay_that_refuses_the_connection_is_quoted(line, relay, step):
    """In one line: its words often name the reason and an address to read more. No mailbox is at fault."""
    relay.says |= dict.fromkeys((step, "HELO"), "554-192.0.2.9 is on our list\r\n554 see https://relay.example/why")
    with pytest.raises(TransientMailError) as told:
        send(line)
    assert str(told.value) == "554 192.0.2.9 is on our list see https://relay.example/why"


def test_each_attempt_to_open_a_connection_is_reported(relay):
    """None if the relay took it; a connection that is used again is not reported."""
    told = []
    line = KeptConnection(where(relay), opened=told.append)
    relay.says["CONNECT"] = "554 not you"
    with pytest.raises(TransientMailError):
        send(line)
    relay.says.clear()
    assert [send(line), send(line)] == ["250 taken as 1"] * 2
    line.close()
    assert told == ["554 not you", None]


def test_an_error_after_the_last_mail_is_not_a_failure(line, relay):
    """The mail was accepted."""
    send(line)
    relay.says["QUIT"] = ""
    line.close()
    assert relay.heard[-1] == "QUIT"
