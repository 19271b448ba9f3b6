"""A server of one game made of the record's composers: honest, unless a test puts something between.

It judges nothing by itself. It exists so that a client can meet a server that cheats: with keys of its own, it can
sign two histories, date entries at will, lose answers, and tell a seat what was never sealed.
"""

import json
import uuid
from collections.abc import Callable

import httpx
import msgspec

from client.http import Api
from engine import kit, registry
from engine.errors import BadRecord, Refused
from engine.kit import dump_steps, legal
from engine.kit.notation import Step
from engine.record import base64url, bundle, compose, door, instants, keys, note
from engine.record.entry import read_entry

HOST = "games.example"
SEED = bytes(range(32))
SECRET = bytes(range(32, 64))
NOW = instants.seconds("2026-11-21T10:00:00Z")


class House:
    """One game. `between` may change an answer's value before it is sent; `now` is its own
    clock; the answers to the next `lost` acts get lost."""

    def __init__(self, key: str, seats: int, seed: bytes = SEED, game_id: str | None = None) -> None:
        registry.search("tests.kit.games")
        self.seed, self.now = seed, NOW
        self.id = game_id or str(uuid.uuid4())
        self.between: Callable[[str, dict], dict] = lambda path, value: value
        self.lost = 0
        self.bots = False
        self.posted: list[bytes] = []
        self.lines: list[bytes] = []
        self.openings: list[dict] = []
        game = registry.find(key)
        self._append(
            compose.compose_created(
                game, game.meta.options(), seats, server=HOST, server_key=keys.public_of(seed), game_id=self.id,
                secret=SECRET, at=self.at, clock={"move": 86400, "grace": 3600},
            )
        )  # fmt: skip

    @property
    def at(self) -> str:
        return instants.instant(self.now)

    def api(self) -> Api:
        transport = httpx.MockTransport(self)
        return Api(f"http://{HOST}", None, httpx.Client(transport=transport), lambda _: None)

    def note(self, size: int | None = None) -> str:
        size = size or len(self.lines)
        return note.write(HOST, self.id, size, read_entry(self.lines[size - 1]).hash, self.seed)

    # --- requests -------------------------------------------------------------------------------------------------

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.rpartition("/")[2]
        if request.method == "POST":
            self.posted.append(request.content)
            answer = self._act(json.loads(request.content))
            if self.lost:
                self.lost -= 1
                raise httpx.ReadTimeout("the answer was lost")
        else:
            given = getattr(self, f"get_{path}")(request.url.params)
            if isinstance(given, bytes):
                return httpx.Response(200, content=given)
            answer = httpx.Response(200, json=self.between(path, given))
        return answer

    def get_log(self, query):
        start = int(query["after"]) + 1
        return {"entries": [line.decode() for line in self.lines[start : start + 50]], "note": self.note()}

    def get_view(self, query):
        view = msgspec.to_builtins(kit.view(self.table.game, self.table.state, self.asked))
        head = base64url.encode(self.table.head)
        return {"view": view, "board": "", "active": list(self.table.active), "head": head, "seat": self.asked}

    def get_legal(self, query):
        found = legal(self.table.game, self.table.state, self.asked)
        return [{"command": command} for command in dump_steps(map(Step, found))]

    def get_openings(self, query):
        after = int(query["after"])
        mine = [compose.seat_opening(self.table, SECRET, one, self.asked) for one in self.openings]
        return [one for one in mine if one["seq"] > after]

    def get_bundle(self, query):
        over = self.table.is_over
        return bundle.write(self.lines, self.note(), self.openings if over else None)

    # --- acts -----------------------------------------------------------------------------------------------------

    def _act(self, body: dict) -> httpx.Response:
        for line in self.lines:
            if read_entry(line).body.get("jws") == body["jws"]:
                return self._answer(200, line)
        try:
            self._append(self._compose(body))
        except (Refused, BadRecord) as no:
            problem = {"code": no.code, "detail": str(no)}
            if no.code == "stale-head":
                act = door.read_signed(body["jws"]).act
                problem["unchanged"] = self.table.unchanged(act.seat, act.seq)
            return httpx.Response(409 if no.code == "stale-head" else 422, json=problem)
        answer = self._answer(201, self.lines[-1])
        if self.table.stage == "lobby" and self.table.is_full:
            self._append(compose.compose_started(self.table, SECRET, self.at))
        return answer

    def _answer(self, status: int, line: bytes) -> httpx.Response:
        value = {"entry": line.decode(), "note": self.note(read_entry(line).seq + 1)}
        return httpx.Response(status, json=self.between("act", value))

    def _compose(self, body):
        signed = door.check_act(self.table, body["jws"])
        self.asked = signed.act.seat
        match signed.act.act:
            case "join":
                return compose.compose_joined(self.table, signed, self.at, bot=self.bots)
            case "leave":
                return compose.compose_left(self.table, self.at, signed=signed)
            case "resign":
                return compose.compose_resigned(self.table, SECRET, self.at, signed)
        return compose.compose_moved(self.table, SECRET, self.at, signed, body.get("text"))

    def _append(self, composed) -> None:
        self.table = composed.table
        self.lines.append(composed.line)
        if composed.opening:
            self.openings.append(composed.opening)
