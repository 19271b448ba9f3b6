"""Tell a channel of Discord whose turn it is: a program that receives the server's webhooks, and uses Python alone.

    SECRET=whsec_... DISCORD=https://discord.com/api/webhooks/... python examples/discord_bot.py

`SECRET` is what `POST /v1/me/hooks` answered, `DISCORD` the address of the channel's webhook, `SITE` the server, `PORT`
where this program listens. The server posts to https addresses only, so put a proxy with a certificate before it.
"""

import hmac
import json
import os
import time
from base64 import b64decode, b64encode
from collections import OrderedDict
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.request import Request, urlopen

SECRET, DISCORD = os.environ["SECRET"], os.environ["DISCORD"]
SITE, PORT = os.environ.get("SITE", "http://127.0.0.1:8000"), int(os.environ.get("PORT", "8002"))
SAYS = {
    "turn": "it is your turn",
    "reminder": "a fifth of your time is left",
    "started": "the game has started",
    "over": "the game is over",
    "talk": "somebody wrote at the table",
}
LONGEST = 64_000
told: OrderedDict[str, None] = OrderedDict()  # ids of messages, since one may come twice


def is_genuine(headers: Mapping[str, str], body: bytes) -> bool:
    """Whether the server has signed this message within the last five minutes."""
    try:
        number, sent, given = (headers[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        is_fresh = abs(time.time() - int(sent)) < 300
    except (KeyError, ValueError):
        return False
    signed = f"{number}.{sent}.".encode() + body
    made = b64encode(hmac.digest(b64decode(SECRET.removeprefix("whsec_")), signed, "sha256"))
    return is_fresh and any(hmac.compare_digest(b"v1," + made, one.encode()) for one in given.split())


def tell(event: Mapping[str, Any]) -> None:
    """Post a sentence to the channel; names in it ring nobody."""
    if event["kind"] not in SAYS:
        return
    until = f", until {event['deadline']}" if event.get("deadline") else ""
    says = f"{event['type']}: {SAYS[event['kind']]}{until}. {SITE}/games/{event['game']}"
    body = json.dumps({"content": says, "allowed_mentions": {"parse": []}}).encode()
    kind = {"Content-Type": "application/json", "User-Agent": "sealedmove-example"}
    with urlopen(Request(DISCORD, body, kind), timeout=5):
        pass


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), LONGEST))
        if not is_genuine({name.lower(): value for name, value in self.headers.items()}, body):
            self.answer(401)
            return
        try:
            if self.headers["webhook-id"] not in told:
                tell(json.loads(body))
        except OSError:  # Discord does not answer: the server sends the message again later
            self.answer(503)
            return
        told[self.headers["webhook-id"]] = None
        while len(told) > 1000:
            told.popitem(last=False)
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
