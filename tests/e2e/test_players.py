"""`sealedmove players` against a real server: opponents at once, whole games, and nothing lost by a kill."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import msgspec
import psutil
import pytest

from client import keys, session
from client.caught_mails import Mailbox
from client.game import Player
from client.http import Api
from client.memory import Memory
from client.players.questions import MoveRequest, reply
from engine.record.audit import audit
from engine.record.encoding import canonical
from server.kernel.streams import StreamAnswer, numbers
from tests.client.terminal.terminals import Scripted
from tests.e2e.instance import ROOT, Instance
from tests.kit import installed
from tests.kit.patience import PATIENCE, until
from tests.servers import patient
from tests.workers.streams.reader import Reader

PROGRAM = Path(sys.executable).with_name("sealedmove")
HURRIED = {"strong": ("strong", "fair")}  # docs/house-players.md: levels that search, where many games wait
CUT_OFF = ": no answer within "  # client.players.runner
pytestmark = [pytest.mark.timeout(1800), pytest.mark.slow]  # whole games


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """One server; its own players play at full strength, among themselves too."""
    more = {"PLAYERS_EACH": "4", "PLAYERS_ALONE": "own", **installed.ENV}
    instance = Instance(tmp_path_factory.mktemp("house"), **more).start()
    yield instance
    instance.stop()


@pytest.fixture(scope="module")
def ann(house):
    """A person who is signed in."""
    with httpx.Client(timeout=PATIENCE) as web:
        yield signed_in(house, web, "Ann")


def signed_in(house, web: httpx.Client, name: str) -> session.Session:
    api, mailbox = Api(house.url, None, web), Mailbox(Api(house.mail_url, None, web), f"{name.lower()}@players.example")
    session.request_link(api, mailbox.address, name)
    mail = mailbox.wait_for(lambda one: session.token_in(one["text"]) is not None, "the link", PATIENCE)
    return session.confirm(api, session.token_in(mail["text"]))


def table(ann, key: str, levels: dict[int, str], seats: int) -> str:
    wish = {"type": key, "seats": seats, "house": [{"seat": n, "level": level} for n, level in levels.items()]}
    return ann.api.post("/v1/games", wish, once=True).value["id"]


def shown(ann, game: str) -> dict:
    return ann.api.get(f"/v1/games/{game}").value


def played_out(ann, house, game: str) -> bytes:
    """Wait for the end; the bundle."""
    while (now := shown(ann, game))["status"] != "finished":
        wait = {"after": now["head"]["seq"], "wait": 20}
        until(
            lambda ask=wait: ann.api.get(f"/v1/games/{game}/log", **ask).value["entries"], lambda: house.said()[-3000:]
        )
    return patient.get(f"{house.url}/v1/games/{game}/bundle").content


def test_idle_players_hold_one_stream_and_write_nothing(house, ann):
    """All accounts of the process together; between two heartbeats of a stream none of them sends a request."""
    accounts = [int(path.name) for path in players_folder(house).iterdir() if path.is_dir()]
    assert len(accounts) == 12
    until(lambda: all(streams_of(house, account) == 1 for account in accounts), lambda: house.said()[-3000:])
    with Reader(house.url, "/me/events", Authorization=f"Bearer {ann.api.token}") as stream:
        until(lambda: is_quiet(house, stream), lambda: house.said()[-3000:])
        assert held_streams(house).open == {"account": 1, "game": 0, "shared": 1}


def is_quiet(house, stream: Reader) -> bool:
    """Has no account of the players' process written or sent anything until the next heartbeat of this stream?"""
    before, accounts = house.said(), {int(path.name) for path in players_folder(house).glob("[0-9]*")}
    assert stream.file.readline() == b":\n"
    assert stream.file.readline() == b"\n"
    lines = [line for line in house.said()[len(before) :].splitlines() if "{" in line]
    facts = [json.loads(line[line.index("{") :]) for line in lines]
    return not any(one["event"] != "request" or one.get("account") in accounts for one in facts)


def test_a_new_account_joins_the_stream_and_a_removed_one_leaves_it(house):
    """Within seconds, while the others are followed."""
    others = [int(path.name) for path in players_folder(house).glob("[0-9]*")]
    operate(house, "add", "Cruzatte", "--level", "lonely", "--into", str(players_folder(house)), "--why", "a test")
    [new] = {int(path.name) for path in players_folder(house).glob("[0-9]*")} - {*others}
    until(lambda: streams_of(house, new) == 1, lambda: house.said()[-3000:])
    until(lambda: held_streams(house).open["shared"] == 1, "the former stream is closed")
    operate(house, "remove", str(new), "--why", "a test")
    until(lambda: streams_of(house, new) == 0, lambda: house.said()[-3000:])
    until(lambda: [one["account"] for one in told(house, "refused-token")] == [str(new)], lambda: house.said()[-3000:])
    assert [streams_of(house, account) for account in others] == [1] * len(others)
    assert held_streams(house).open["shared"] == 1
    shutil.rmtree(players_folder(house) / str(new))


def players_folder(house) -> Path:
    return Path(house.whole_environment()["PLAYERS_DIR"])


def held_streams(house, account: int = 0) -> StreamAnswer:
    """The counts of the process that holds the streams."""
    found = numbers(Path(house.whole_environment()["EVENTS_SOCKET"]), f"a{account}")
    assert found is not None
    return found


def streams_of(house, account: int) -> int:
    return held_streams(house, account).of_key


def operate(house, *words: str) -> None:
    """A command of the operator about house players."""
    done = subprocess.run(
        [PROGRAM, "bot", *words],
        cwd=ROOT,
        env=house.whole_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_person_plays_against_three_at_once(house, ann, tmp_path):
    """They sit down by themselves, marked as bots, and each answers with less than five seconds of work.

    A busy machine is slower, so the bound is for the processor's time; the longest elapsed time is printed.
    """
    key = keys.load_or_make(tmp_path / "key")
    session.register_key(ann, key)
    game = table(ann, "livingstone", {1: "easy", 2: "fair", 3: "strong"}, 4)
    me = Player(ann.api, game, key, Memory(tmp_path / game))
    me.join(0)
    until(lambda: shown(ann, game)["status"] == "running", lambda: house.said()[-3000:])
    assert [seat["bot"] for seat in shown(ann, game)["seats"]] == [False, True, True, True]
    before = worked(house)
    while len(of := [entry for entry in me.log.entries if entry.kind == "moved" and entry.body["seat"]]) < 6:
        assert me.wait(), "the game ended before each had answered twice"
        me.move([me.legal()[0]["command"]])
    assert {entry.body["seat"] for entry in of} == {1, 2, 3}
    took = [canonical.seconds(one.at) - canonical.seconds(me.log.entries[one.seq - 1].at) for one in of]
    work = worked(house) - before
    sys.stdout.write(f"{len(of)} answers: the longest took {max(took)} s, all together {work:.1f} s of work\n")
    assert work < 5 * len(of)
    until(lambda: levels_in(house, game) >= {"easy", "fair", "strong"}, "each plays as its level")  # a line comes soon
    assert faults(house, [game]) == []


def levels_in(house, game: str) -> set[str]:
    """The levels that have answered here, or whose answer a busy machine has kept beyond its limit."""
    return {one["by"] for one in told(house, "played") if one["game"] == game} | cut_off(house, game)


def cut_off(house, game: str) -> set[str]:
    """The levels whose policies were ended here at their limit, which is one of elapsed time."""
    says = [one["says"].partition(CUT_OFF) for one in told(house, "trouble") if one.get("game") == game]
    return {level for level, found, _ in says if found}


def faults(house, games: Collection[str]) -> list[dict]:
    """What went wrong in these games. An answer that a busy machine has kept beyond its limit does not count."""
    here = [one for one in told(house, "trouble") if one.get("game") in games]
    return [one for one in here if CUT_OFF not in one["says"]]


def worked(house) -> float:
    """The processor's time that the house players have used, in seconds."""
    [process] = house.named("players")
    used = 0.0
    for one in (process, *process.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # one that searches for too long is ended
            used += sum(one.cpu_times()[:2])
    return used


def test_a_terminal_opens_a_table_with_house_players(house, ann, tmp_path):
    with httpx.Client(timeout=PATIENCE) as web:
        dan = Scripted(house, tmp_path, "dan", web).signs_in()
        made = dan.does("new", "livingstone", "--house", "easy,fair")
    assert (made["seats"], made["seat"], made["house"]) == (3, 0, ["easy", "fair"])
    until(lambda: shown(ann, made["game"])["status"] == "running", lambda: house.said()[-3000:])
    assert [seat["bot"] for seat in shown(ann, made["game"])["seats"]] == [False, True, True]


def test_one_process_answers_at_many_tables(house, tmp_path):
    """Twelve tables of four titles wait for it together: each is answered, and a hurried search by a plan."""
    titles, levels = ("livingstone", "tikal", "discoveries", "lewis_clark"), ("easy", "fair", "strong")
    with httpx.Client(timeout=PATIENCE) as web:
        bea, key = signed_in(house, web, "Bea"), keys.load_or_make(tmp_path / "key")
        session.register_key(bea, key)
        asked = {table(bea, title, {1: level}, 2): level for title in titles for level in levels}
        mine = [Player(bea.api, game, key, Memory(tmp_path / game)) for game in asked]
        for me in mine:
            me.join(0)
        assert all(me.wait() for me in mine)
        [process] = house.named("players")
        process.suspend()
        heads = {me.game: passed_on(me) for me in mine}
        begun = time.monotonic()
        process.resume()
        until(lambda: all(shown(bea, game)["head"]["seq"] > heads[game] for game in asked), house.said()[-3000:])
        took = time.monotonic() - begun
    by = until(lambda: answered_by(house, asked), "an answer is not logged")  # its line comes after its entry
    own = {game: {*HURRIED.get(level, (level,))} for game, level in asked.items()}
    assert all(by[game] in own[game] or level in cut_off(house, game) for game, level in asked.items())
    assert faults(house, asked) == []
    sys.stdout.write(f"{len(asked)} tables at once: the last is answered after {took:.1f} s\n")


def answered_by(house, games: dict[str, str]) -> dict[str, str]:
    """The level of the last answer in each game; {} until all have one."""
    by = {one["game"]: one["by"] for one in told(house, "played")}
    return by if games.keys() <= by.keys() else {}


def passed_on(me: Player) -> int:
    """The person moves, by the easy level, until another player is to move; the number of the last entry."""
    while me.view()["active"] == [0]:
        shown, legal = me.view(), tuple(one["command"] for one in me.legal())
        options = msgspec.Raw(msgspec.json.encode(me.table.created["options"]))
        ask = MoveRequest(
            game=me.table.game.meta.key,
            seat=0,
            level="easy",
            view=msgspec.Raw(msgspec.json.encode(shown["view"])),
            legal=legal,
            options=options,
            seed=f"{me.table.size}",
        )
        me.move([*reply(ask).commands])
    return me.table.size - 1


@pytest.mark.parametrize(
    ("title", "seats"), [("livingstone", 2), ("livingstone", 4), ("tikal", 4), ("discoveries", 2), ("lewis_clark", 2)]
)
def test_house_players_play_a_game_to_its_end(house, ann, title, seats):
    """Whole games of every title by the API only, which pass the audit. A race of four would take twice as long."""
    begun, levels = time.monotonic(), ("fair", "strong", "fair", "easy")[:seats]
    game = table(ann, title, dict(enumerate(levels)), len(levels))
    report = audit(played_out(ann, house, game))
    assert (report.verdict, report.stage) == ("holds", "finished")
    assert all(check.ok is not False for check in report.checks.values())
    ms = sorted(one["ms"] for one in told(house, "played") if one["game"] == game)
    assert faults(house, [game]) == []
    entries, seconds = shown(ann, game)["head"]["seq"] + 1, time.monotonic() - begun
    pace = f"answers {ms[len(ms) // 2]} ms, of 95 in 100 {ms[len(ms) * 95 // 100]}, the longest {ms[-1]}"
    sys.stdout.write(f"{title}, {len(levels)} seats: {entries} entries, {seconds:.0f} s, {pace}\n")


def told(house, event: str) -> list[dict]:
    """The log lines of this kind."""
    lines = (line[line.index("{") :] for line in house.said().splitlines() if f'"event": "{event}"' in line)
    return [json.loads(line) for line in lines]


def test_the_bot_of_the_page_plays_a_whole_game(house, ann, tmp_path):
    """docs/write-a-bot.md, word for word and at most sixty lines: against a house player, in a hidden game."""
    page = (ROOT / "docs" / "write-a-bot.md").read_text("utf-8")
    program = re.search(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1]
    assert len(program.splitlines()) <= 60
    (tmp_path / "bot.py").write_text(program, "utf-8")
    made, path = re.search(r"-d '(.*)' \"\$SITE(.*)\"$", page, re.MULTILINE).groups()
    token = ann.api.post(path, json.loads(made)).value["token"]
    game = table(ann, "bids", {1: "fair"}, 2)
    env = {**os.environ, "SITE": house.url, "TOKEN": token, "GAME": game}
    done = subprocess.run(
        [sys.executable, "bot.py"], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    first = shown(ann, game)["seats"][0]
    assert (first["name"], first["bot"]) == ("Sacagawea", True)
    report = audit(patient.get(f"{house.url}/v1/games/{game}/bundle").content)
    assert (report.verdict, report.stage) == ("holds", "finished")


class Between(BaseHTTPRequestHandler):
    """A proxy that stores every move, and on request holds the first one forever. It passes no streams."""

    moves: list[bytes]
    holds = threading.Event()

    def do_GET(self):
        self._pass(b"")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.endswith("/events"):
            self.send_error(503)
            return
        if self.path.endswith("/moves"):
            self.moves.append(body)
            if self.holds.is_set():
                return  # and nobody ever answers
        self._pass(body)

    def _pass(self, body):
        given = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
        with httpx.Client(trust_env=False, timeout=PATIENCE) as web:
            answer = web.request(self.command, self.path, content=body, headers=given)
        self.send_response(answer.status_code)
        for name in ("Content-Type", "ETag", "Retry-After"):
            if name in answer.headers:
                self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_):
        pass


@pytest.fixture
def between():
    """The proxy's address."""
    Between.moves = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Between)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@contextmanager
def players(folder: Path, proxy: str):
    """The process alone, with a proxy before the server; killed at the end, if it still lives."""
    env = {**os.environ, "HTTP_PROXY": proxy, "NO_PROXY": "", **installed.ENV}
    with (folder / "said").open("ab") as said:
        process = subprocess.Popen(
            [PROGRAM, "players", "--folder", str(folder)], cwd=ROOT, env=env, stdout=said, stderr=said
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_a_process_killed_while_sending_sends_the_same_bytes_again(house, ann, between, tmp_path):
    """A signed act is stored before it is sent, so there is no second signature for one place."""
    folder = tmp_path / "players"
    for name in ("One", "Two"):
        operate(house, "add", name, "--level", "lonely", "--into", str(folder), "--why", "a test")
    game = table(ann, "pig", {0: "lonely", 1: "lonely"}, 2)
    Between.holds.set()
    with players(folder, between) as process:
        until(lambda: Between.moves, "no move was sent")
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert shown(ann, game)["head"]["seq"] == 3
    first = Between.moves[0]
    assert set(Between.moves) == {first}
    Between.holds.clear()
    with players(folder, between):
        until(lambda: shown(ann, game)["head"]["seq"] > 3, "it did not go on")
    assert Between.moves[1] == first
    logged = json.loads(ann.api.get(f"/v1/games/{game}/log", after=3).value["entries"][0])
    assert logged["jws"] == json.loads(first)["jws"]
    assert "UnsettledError" not in (folder / "said").read_text("utf-8")
