"""`examples/discord_bot.py` runs beside a stand-in for Discord, and gets messages signed by a second library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest
from standardwebhooks import Webhook

from tests.kit.patience import PATIENCE, until
from tests.servers import free

BOT = Path(__file__).parents[2] / "examples" / "discord_bot.py"
SECRET = "whsec_" + "c2VjcmV0IG9mIHRoZSBob29r"
EVENT = {"n": 17, "kind": "turn", "game": "a-game", "type": "tikal", "seat": 0, "deadline": "2026-11-24T10:00:00Z"}


class Channel:
    """The messages posted to it; while `is_away`, it answers 500."""

    def __init__(self) -> None:
        self.said: list[dict] = []
        self.is_away = False
        channel = self

        class Posted(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if not channel.is_away:
                    channel.said.append(body)
                self.send_response(500 if channel.is_away else 204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Posted)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def channel() -> Iterator[Channel]:
    made = Channel()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.server.shutdown()
    thread.join(PATIENCE)
    made.server.server_close()


@pytest.fixture
def bot(channel: Channel) -> Iterator[str]:
    """The address at which it listens."""
    (port,) = free.ports(1)
    own = {"SECRET": SECRET, "DISCORD": channel.url, "PORT": str(port), "SITE": "https://games.example"}
    with subprocess.Popen([sys.executable, BOT], env=os.environ | own, stderr=subprocess.DEVNULL) as process:
        until(lambda: answers(f"http://127.0.0.1:{port}"))
        yield f"http://127.0.0.1:{port}"
        process.terminate()


def answers(url: str) -> bool:
    try:
        return httpx.post(url).status_code == 401
    except httpx.TransportError:
        return False


def post(url: str, number: str = "h3-e17", age: int = 0, secret: str = SECRET, **changed: object) -> int:
    body, at = json.dumps(EVENT | changed), datetime.now(UTC) - timedelta(seconds=age)
    signature = Webhook(secret).sign(number, at, body)
    headers = {"Webhook-Id": number, "webhook-timestamp": str(int(at.timestamp())), "webhook-signature": signature}
    return httpx.post(url, content=body, headers=headers).status_code


def test_a_turn_is_told_once(bot: str, channel: Channel):
    """With the time and the address of the game; a message that comes again is accepted in silence."""
    assert [post(bot), post(bot)] == [204, 204]
    (said,) = channel.said
    assert said["content"] == ("tikal: it is your turn, until 2026-11-24T10:00:00Z. https://games.example/games/a-game")
    assert said["allowed_mentions"] == {"parse": []}


@pytest.mark.parametrize("changed", [{"age": 301}, {"age": -600}, {"secret": "whsec_YW5vdGhlciBzZWNyZXQ="}])
def test_a_message_that_is_forged_or_old_is_refused(bot: str, channel: Channel, changed: dict):
    """Nothing of it reaches the channel."""
    assert post(bot, **changed) == 401
    assert channel.said == []


def test_other_kinds_are_accepted_in_silence(bot: str, channel: Channel):
    """Also kinds that are not known yet."""
    assert [post(bot, kind="news"), post(bot, "h3-e18", kind="later")] == [204, 204]
    assert channel.said == []


def test_a_message_waits_while_discord_is_away(bot: str, channel: Channel):
    """The server gets 503, and sends it again."""
    channel.is_away = True
    assert post(bot) == 503
    channel.is_away = False
    assert post(bot) == 204
    assert len(channel.said) == 1


def test_the_example_is_short():
    """So that a newcomer can read it at once."""
    assert len(BOT.read_text("utf-8").splitlines()) <= 80
