"""A server of one game made of the record's composers: honest, unless a test puts something between.

It knows no accounts and no tokens: `asked` is the seat through whose eyes the next request looks. It exists so that a
client can meet a server that cheats: with keys of its own, it can sign two histories, date entries at will, write what
no rule allows (`force`), lose entries (`restore`), and tell a seat what was never sealed. What stands between client
and server can cheat as well: see `dishonest.py`.
"""

import json
import uuid
from collections.abc import Callable

import httpx
import msgspec

from client.http import PROBLEM, Api
from engine import kit, registry
from engine.errors import BadRecord, Refused
from engine.kit import dump_steps, legal
from engine.kit.notation import Step
from engine.record.compose import entries as compose
from engine.record.encoding import canonical
from engine.record.laws import admission
from engine.record.log import bundle
from engine.record.log.entry import read_entry, write_entry
from engine.record.log.fold import apply_known
from engine.record.signed import acts, keys, note, server_keys
from engine.record.signed.keys import sign_jws
from tests.kit import installed

HOST = "games.example"
SEED = bytes(range(32))
SECRET = bytes(range(32, 64))
NOW = canonical.seconds("2026-11-21T10:00:00Z")
CLOCK = {"move": 86400, "bank": 0, "increment": 0, "cap": 0, "grace": 3600, "missed": 2, "grants": 2**20}


class FakeServer:
    """One game. `between` may change an answer's value before it is sent; `now` is its own clock; the answers to the
    next `lost` acts get lost; `compared` are the notes that it was shown; `seeds` are its keys, the oldest first, of
    which the last signs this game; `asks` are the paths that were asked for with the token they came with.
    """

    def __init__(self, key: str, seats: int, *seeds: bytes, game_id: str | None = None, **created) -> None:
        installed.here()
        self.seeds = seeds or (SEED,)
        self.now = NOW
        self.id = game_id or str(uuid.uuid4())
        self.between: Callable[[str, object], object] = lambda path, value: value
        self.lost, self.longest = 0, 0
        self.asked = None
        self.has_document = True
        self.asks: list[tuple[str, str | None]] = []
        self.posted: list[bytes] = []
        self.levels: dict[int, str] = {}  # by entry, as house players named them
        self.compared: list[str] = []
        self.lines: list[bytes] = []
        self.openings: list[dict] = []
        self.tables = []
        self.waits: list[float] = []
        game = registry.find(key)
        given = {"clock": CLOCK, "handover": {"by": "both", "wait": 0}} | created
        self.append(
            compose.compose_created(
                game, game.meta.options(), seats, server=HOST, server_key=keys.public_of(self.seed), game_id=self.id,
                secret=SECRET, at=self.at, **given,
            )
        )  # fmt: skip

    @property
    def seed(self) -> bytes:
        return self.seeds[-1]

    @property
    def table(self):
        return self.tables[-1]

    @property
    def at(self) -> str:
        return canonical.instant(self.now)

    def api(self, token: str | None = "token") -> Api:
        return Api(f"http://{HOST}", token, httpx.Client(transport=httpx.MockTransport(self)), self._wait)

    def note(self, size: int | None = None) -> str:
        size = size or len(self.lines)
        return note.write(HOST, self.id, size, read_entry(self.lines[size - 1]).hash, self.seed)

    def _wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    # --- requests -------------------------------------------------------------------------------------------------

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.rpartition("/")[2]
        self.asks.append((path, request.headers.get("Authorization")))
        if request.method == "POST":
            return self._posted(path, json.loads(request.content), request.content)
        if request.method == "PUT":
            self.levels[int(path)] = json.loads(request.content)["level"]
            return httpx.Response(204)
        shown = "game" if path == self.id else path.partition(".")[0]
        given = getattr(self, f"get_{shown}")(request.url.params)
        if given is None:
            return httpx.Response(404, text="<h1>There is nothing at this address.</h1>")
        if isinstance(given, bytes):
            return httpx.Response(200, content=given)
        return httpx.Response(200, json=self.between(path, given))

    def _posted(self, path: str, body: dict, content: bytes) -> httpx.Response:
        if path in ("compare", "missing"):
            return httpx.Response(200, json=self.between(path, getattr(self, f"post_{path}")(body)))
        self.posted.append(content)
        answer = self._act(body)
        if self.lost:
            self.lost -= 1
            raise httpx.ReadTimeout("the answer was lost")
        return answer

    def get_log(self, query):
        start = int(query["after"]) + 1
        return {"entries": [line.decode() for line in self.lines[start : start + 50]], "note": self.note()}

    def get_game(self, query):
        return {"seats": [{"seat": seat, "kept": None} for seat in range(self.table.seats)]}

    def get_view(self, query):
        state = self.table.state
        view = None if state is None else msgspec.to_builtins(kit.view(self.table.game, state, self.asked))
        head = canonical.to_base64url(self.table.head)
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

    def get_sealedmove(self, query):
        since = [None] * len(self.seeds)
        given = {"spec": "spec", "software": "tests", "contact": None}
        return server_keys.document(HOST, self.seeds, since, **given) if self.has_document else None

    def post_compare(self, body):
        shown = note.read(body["note"])
        self.compared.append(body["note"])
        if not is_signed(shown, self.seed):
            return {"relation": "unsigned"}
        self.longest = max(self.longest, shown.size)
        return {"relation": "newer" if shown.size > len(self.lines) else "older"}

    def post_missing(self, body):
        """Lines are taken that we would write again just so; a sealed move needs its text for that."""
        self.post_compare(body)
        texts, before = {move["seq"]: move["text"] for move in body["moves"]}, len(self.lines)
        for line in body["entries"]:
            entry = read_entry(line.encode())
            if entry.kind == "moved" and self.table.hidden and entry.seq not in texts:
                break
            composed = self._again(entry, texts.get(entry.seq))
            assert composed.line == entry.line
            self.append(composed)
        stopped = self.longest > len(self.lines)
        return {"taken": len(self.lines) - before, "lacks": len(self.lines) if stopped else None, "stopped": stopped}

    # --- acts -----------------------------------------------------------------------------------------------------

    def _act(self, body: dict) -> httpx.Response:
        for line in self.lines:
            if read_entry(line).body.get("jws") == body["jws"]:
                return self._answer(200, line)
        if self.longest > len(self.lines):
            return problem(409, "lines-missing", facts={"size": len(self.lines), "expected": self.longest})
        try:
            self.append(self._compose(body))
        except (Refused, BadRecord) as no:
            return self._no(no, body)
        line = self.lines[-1]
        if self.table.stage == "lobby" and self.table.is_full:
            self.append(compose.compose_started(self.table, SECRET, self.at))
        return self._answer(201, line)

    def _no(self, no, body) -> httpx.Response:
        if no.code != "stale-head":
            return problem(422, no.code, detail=str(no))
        act = acts.read_signed(body["jws"]).act
        return problem(409, no.code, detail=str(no), unchanged=self.table.unchanged(act.seat, act.seq))

    def _answer(self, status: int, line: bytes) -> httpx.Response:
        value = {"entry": line.decode(), "note": self.note(read_entry(line).seq + 1)}
        return httpx.Response(status, json=self.between("act", value))

    def _compose(self, body):
        signed = admission.check_act(self.table, body["jws"], self.now)
        self.asked = signed.act.seat
        return self._composed(signed, self.at, body.get("text"))

    def _composed(self, signed, at, text):
        match signed.act.act:
            case "move":
                return compose.compose_moved(self.table, SECRET, at, signed, text)
            case "resign":
                return compose.compose_resigned(self.table, SECRET, at, signed)
        return compose.compose_plain(self.table, signed, at)

    def _again(self, entry, text):
        """The entry that the server would write now in place of a lost one."""
        if entry.kind == "started":
            return compose.compose_started(self.table, SECRET, entry.at)
        if entry.kind == "expired":
            return compose.compose_expired(self.table, SECRET, entry.at, entry.body["seat"])
        return self._composed(admission.check_act(self.table, entry.body["jws"], entry.time), entry.at, text)

    # --- what a server does by itself, and what none may ------------------------------------------------------------

    def append(self, composed) -> None:
        self.tables.append(composed.table)
        self.lines.append(composed.line)
        if composed.opening:
            self.openings.append(composed.opening)

    def expire(self, seat: int) -> None:
        """Play the default move, when the time of the seat is over."""
        self.now = max(self.now, self.table.deadline(seat) or 0)
        self.append(compose.compose_expired(self.table, SECRET, self.at, seat))

    def grant(self, seats, seconds: int, why: str = "host") -> None:
        self.append(compose.compose_granted(self.table, self.at, seats, seconds, why))

    def restore(self, size: int) -> None:
        """Restore an older database: all entries after this many are lost."""
        self.openings = [opening for opening in self.openings if opening["seq"] < size]
        self.tables, self.lines = self.tables[:size], self.lines[:size]

    def give_up(self, size: int, *, end: int = 0, head: bytes = b"") -> None:
        """Restore, and state that the entries after this many were lost, up to our `end` unless others are given."""
        end, head = end or len(self.lines), head or self.table.head
        self.restore(size)
        self.append(compose.compose_restored(self.table, self.at, end, head))

    def twin(self, size: int) -> "FakeServer":
        """The same server and game with the same first entries, but a different future."""
        other = FakeServer(self.table.game.meta.key, self.table.seats, *self.seeds, game_id=self.id)
        other.now, other.asked = self.now + 1, self.asked
        other.tables, other.lines = self.tables[:size], self.lines[:size]
        other.openings = [opening for opening in self.openings if opening["seq"] < size]
        return other

    def force(self, kind: str, **body) -> None:
        """Append an entry of this kind, chained and in form, whatever the rules are."""
        first = {"v": 1, "game": self.id, "seq": len(self.lines), "prev": canonical.to_base64url(self.table.head)}
        entry = write_entry({**first, "at": max(self.at, self.table.at), "kind": kind, **body})
        self.lines.append(entry.line)
        self.tables.append(apply_known(self.table, entry))

    def force_act(self, seed: bytes, payload: dict) -> None:
        """Append a signed act, whatever the rules are."""
        bot = {"bot": payload["bot"]} if "bot" in payload else {}
        kind = acts.KIND_OF[payload["act"]]
        self.force(kind, seat=payload["seat"], jws=sign_jws(seed, payload), **bot)

    def falsify(self, **changed) -> None:
        """Replace the last entry by a different one."""
        body = canonical.loads(self.lines[-1]) | changed
        self.lines[-1] = canonical.dumps(body)

    def where(self, seat: int) -> dict:
        """The members of a payload that name the present head."""
        return {"aud": HOST, "game": self.id, "seat": seat, "seq": self.table.size, "prev": self.table.head}


def is_signed(shown: note.Note, seed: bytes) -> bool:
    try:
        note.verify(shown, keys.public_of(seed))
    except BadRecord:
        return False
    return True


def problem(status: int, code: str, **members) -> httpx.Response:
    """A problem document, as the API gives it."""
    return httpx.Response(status, json={"code": code, **members}, headers={"Content-Type": PROBLEM})
