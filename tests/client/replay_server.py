"""A server that shows one recorded game, as much of it as a test sets, and cheats, fails or goes down on request."""

import json

import httpx
from click.testing import CliRunner

from client.commands import watch
from client.http import Api
from engine.record.encoding import canonical
from engine.record.signed import keys, note
from tests.kit.games.pig import PigOptions
from tests.kit.play_record import GAME_ID, SERVER, SERVER_SEED, Record

URL = f"http://{SERVER}"
KEY = canonical.to_base64url(keys.public_of(SERVER_SEED))


class ReplayServer:
    """Shows the first `size` entries of `record`, one more after each look; `between` may change an answer's bytes."""

    def __init__(self, record, size=None, *, grows=True):
        self.record, self.grows = record, grows
        self.size = len(record.lines) if size is None else size
        self.limit, self.away, self.status, self.detail = 500, 0, 503, "not now"
        self.asked, self.slept, self.posted, self.takes = [], [], [], True
        self.between = lambda what, content: content
        self.on_sleep = lambda: None
        self.tokens = set()

    # --- as a server ----------------------------------------------------------------------------------------------

    def __call__(self, request):
        what = request.url.path.rpartition("/")[2]
        self.tokens.add(request.headers.get("Authorization"))
        if what not in ("log", "bundle"):
            return self.other(what)
        self.asked.append((what, dict(request.url.params)))
        if self.away:
            self.away -= 1
            return self.no()
        content = self.between(what, self.bundle() if what == "bundle" else self.page(request.url.params))
        kind = "text/html" if content.startswith(b"<") else "text/plain" if what == "bundle" else "application/json"
        return httpx.Response(200, content=content, headers={"Content-Type": kind})

    def no(self):
        if self.status is None:
            raise httpx.ConnectError("refused")
        problem = json.dumps({"code": "away", "detail": self.detail})
        return httpx.Response(self.status, content=problem, headers={"Content-Type": "application/problem+json"})

    def other(self, what):
        """Accept the entries that it lacks, unless the test overrides it; there is no list of keys."""
        self.posted.append(what)
        if what == "missing" and self.takes:
            self.size = len(self.record.lines)
            return httpx.Response(200, json={"taken": 1, "lacks": None})
        if what == "missing":
            return httpx.Response(200, json={"taken": 0, "lacks": self.size})
        return httpx.Response(200, json={}) if what == "compare" else httpx.Response(404, json={"code": "not-found"})

    def page(self, query):
        first = int(query["after"]) + 1
        if first == self.size and self.grows:
            self.size = min(self.size + 1, len(self.record.lines))
        lines = [line.decode() for line in self.record.lines[first : self.size][: self.limit]]
        return json.dumps({"entries": lines, "note": self.record.note(size=self.size), "head": {}}).encode()

    def bundle(self):
        return self.record.bundle()

    # --- as a clock -----------------------------------------------------------------------------------------------

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.on_sleep()

    def monotonic(self):
        return sum(self.slept)

    def time(self):
        """Just after the last entry that is shown."""
        at = self.record.entries[self.size - 1].at if self.size else self.record.entries[0].at
        return canonical.seconds(at) + 1

    def api(self, url=URL):
        return Api(url, None, httpx.Client(transport=httpx.MockTransport(self)), self.sleep)


def args(*options):
    return [URL, GAME_ID, *map(str, options)]


def watching(monkeypatch, folder):
    """Run `sealedmove watch` against a server that shows a record, in its own folder."""
    monkeypatch.chdir(folder)

    def run(shown, *options):
        monkeypatch.setattr(watch, "Api", shown.api)
        monkeypatch.setattr(watch, "time", shown)
        return CliRunner().invoke(watch.main, args(*options))

    return run


def pig(moves=10_000, **given):
    return Record("pig", seed=2, options=PigOptions(goal=8), **given).play(moves)


def forked(record, size, seed=SERVER_SEED):
    """A checkpoint of another history of the game."""
    return note.write(SERVER, GAME_ID, size, b"\7" * 32, seed)


def page_with(**members):
    """Replace something in a page of the log."""

    def between(what, content):
        return content if what == "bundle" else json.dumps(json.loads(content) | members).encode()

    return between
