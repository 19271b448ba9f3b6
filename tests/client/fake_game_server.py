"""The server of one game with the reads of a panel: the game in full and previews; and a person's typed answers."""

import json

import httpx
import msgspec

from engine import kit, replay
from engine.kit import dump_steps, format_command, load_steps
from engine.record.encoding import canonical

from .fake_server import FakeServer


class FakeGameServer(FakeServer):
    """`told` replaces the server's reading of any typed line; None reads it normally."""

    def __init__(self, *given, **created):
        super().__init__(*given, **created)
        self.told = None

    def __call__(self, request):
        if request.url.path == f"/v1/games/{self.id}":
            return httpx.Response(200, json=self.detail())
        if request.url.path.endswith("/preview"):
            return httpx.Response(200, json=self.preview(json.loads(request.content)))
        return super().__call__(request)

    def detail(self):
        seats = [
            {"seat": seat, "name": name, "kid": one and one.kid, "bot": False, "resigned": False, "absent": False,
             "open": False, "kept": None}
            for seat, (one, name) in enumerate(zip(self.table.occupants, ("ada", "ben"), strict=True))
        ]  # fmt: skip
        head = {"seq": len(self.lines) - 1, "hash": canonical.to_base64url(self.table.head)}
        told = {"id": self.id, "status": self.table.stage, "seats": seats, "head": head, "active": [*self.table.active]}
        return told | {"clock": None, "deadlines": [], "stopped_because": None, "result": None}

    def preview(self, body):
        game, state, seat = self.table.game, self.table.state, self.asked
        steps = self.steps(game, state, seat, body)
        seen = replay.preview(game, state, seat, steps)
        legal = [{"notation": format_command(one)} for one in kit.legal(game, seen.state, seat)]
        refusal = seen.refusal and {"code": seen.refusal.code, "says": kit.explain(game, seen.refusal)}
        told = {"sentences": [], "board": "", "done": seen.done, "refusal": refusal, "certain": seen.certain}
        return told | {"commands": dump_steps(steps), "legal": legal, "view": msgspec.to_builtins(None)}

    def steps(self, game, state, seat, body):
        if "commands" in body:
            return load_steps(game, body["commands"])
        return load_steps(game, self.told) if self.told else replay.read(game, state, seat, body["notation"])

    def get_legal(self, query):
        found = kit.legal(self.table.game, self.table.state, self.asked)
        return [{"command": msgspec.to_builtins(one), "notation": format_command(one)} for one in found]


class Answers:
    """A person who types these lines, gives these answers to questions, and leaves after the last line.

    `before` is done before each answer.
    """

    def __init__(self, *lines, yes=()):
        self.lines, self.words, self.asked = [*lines], [*yes], []
        self.before = lambda: None

    def line(self, prompt, legal, below):
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def yes(self, question):
        self.asked.append(question)
        self.before()
        return self.words.pop(0)
