"""House players as clients: failing levels, shared time, and stored files."""

from __future__ import annotations

import os
import threading

import httpx
import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from prometheus_client import REGISTRY

from client import keys
from client.commands import players as command
from client.errors import DistrustError, UnsettledError
from client.http import ApiError
from client.keys import KeyFileError
from client.players import metrics
from client.players.account import Bot, HouseAccount, accounts_in
from client.players.decider import PATIENCE, Decider, LaterError, nearest
from client.players.questions import Reply
from client.players.runner import Runner as RealRunner
from client.players.service import Service, folder_lock
from client.players.time_budget import LEAST, TimeBudget
from tests.client.fake_server import HOST, FakeServer, problem
from tests.kit import installed

ROLL, HOLD = {"do": "roll"}, {"do": "hold"}


class Runner:
    """Gives the answers of the test."""

    def __init__(self, *replies: Reply) -> None:
        self.replies, self.asked = [*replies], []

    def ask(self, question):
        self.asked.append(question)
        return self.replies.pop(0) if self.replies else Reply(commands=question.legal[:1], by="easy")


class Log:
    def __init__(self) -> None:
        self.told = []

    def __call__(self, event, **facts):
        self.told.append((event, facts))

    def of(self, event):
        return [facts for name, facts in self.told if name == event]


@pytest.fixture
def log():
    return Log()


def account(folder, number, token="token"):
    """The folder of an account of level fair."""
    (folder / str(number)).mkdir(exist_ok=True)
    path = folder / str(number) / "account"
    path.write_bytes(msgspec.json.encode(HouseAccount(f"http://{HOST}", token, str(number), f"bot {number}", "fair")))
    path.chmod(0o600)
    return folder / str(number)


def bot_of(house, folder, log):
    (version,) = accounts_in(folder.parent, folder.name)
    bot = Bot(version, httpx.Client(transport=httpx.MockTransport(house)), log, lambda: house.now)
    bot.api.pause = house._wait
    return bot


def at_table(house, folder, log):
    bots = [bot_of(house, account(folder, seat), log) for seat in range(2)]
    for seat, bot in enumerate(bots):
        house.asked = seat
        bot.player(house.id).join(seat, bot.recovery.jwk)
    return house, bots


@pytest.fixture
def seated(tmp_path, log):
    """A house with Pig for two; both seats are bots of level fair."""
    return at_table(FakeServer("pig", 2), tmp_path, log)


def due(house, bots):
    """The bot to move; the server shows its view."""
    house.asked = house.table.active[0]
    return bots[house.asked]


def test_a_house_player_is_marked_as_a_bot(seated):
    """In its signed acts."""
    house, _ = seated
    assert [one.bot for one in house.table.occupants] == [True, True]


def test_the_line_that_a_level_gives_is_one_move(seated, log):
    """The level gets the seat's view and legal commands, and the log names the level."""
    house, bots = seated
    bot, runner = due(house, bots), Runner(Reply(commands=(ROLL,), by="fair"))
    size = len(house.lines)
    assert Decider(runner, TimeBudget(1.5, 1), log, None).answer(bot, house.id, 0)
    assert len(house.lines) == size + 1
    (asked,) = runner.asked
    assert (asked.game, asked.seat, asked.level, asked.legal) == ("pig", house.asked, "fair", (ROLL,))
    assert [(one["by"], one["type"]) for one in log.of("played")] == [("fair", "pig")]
    assert log.of("trouble") == []


def test_a_search_without_time_waits_and_a_plan_replaces_it_in_the_end(seated, log):
    """Others wait a minute gladly for the level that they asked for. A lower level is named in the log."""
    house, bots = seated
    bot, budget = due(house, bots), TimeBudget(1.5, 0.1)
    bot.held = msgspec.structs.replace(bot.held, level="strong")
    runner = Runner(Reply(commands=(ROLL,), by="strong", seconds=5.9))
    decider = Decider(runner, budget, log, None)
    assert decider.answer(bot, house.id, 0)
    bot = due(house, bots)
    bot.held = msgspec.structs.replace(bot.held, level="strong")
    size = len(house.lines)
    with pytest.raises(LaterError):
        decider.answer(bot, house.id, 0, waited=PATIENCE / 2)
    assert (len(house.lines), log.of("lower-level")) == (size, [])
    runner.replies = [Reply(commands=(ROLL,), by="fair")]
    assert decider.answer(bot, house.id, 0, waited=PATIENCE)
    assert [(one.level, one.seconds > 0.3) for one in runner.asked] == [("strong", True), ("fair", False)]
    (said,) = log.of("lower-level")
    assert (said["bot"], said["game"], said["wanted"], said["by"]) == (bot.name, house.id, "strong", "fair")


def test_a_refused_line_falls_back_to_a_legal_command(seated, log):
    """First its first command alone, then the first legal one; each is logged."""
    house, bots = seated
    bot, size = due(house, bots), len(house.lines)
    runner = Runner(Reply(commands=(HOLD, ROLL), by="fair", troubles=("fair: late",)))
    assert Decider(runner, TimeBudget(1.5, 1), log, None).answer(bot, house.id, 0)
    assert len(house.lines) == size + 1
    assert [one["says"].split(":")[0] for one in log.of("trouble")] == ["fair", "fair", "fair"]
    assert log.of("trouble")[0]["says"] == "fair: late"


class Faulty:
    """A process with a faulty level."""

    def __init__(self, runner, level) -> None:
        self.runner, self.level = runner, level

    def ask(self, question):
        return self.runner.ask(replace(question, game="sty", level=self.level))


@pytest.fixture(scope="module")
def strict():
    with pytest.MonkeyPatch.context() as patch, RealRunner(limit=5.0, megabytes=1024) as made:
        patch.setenv("PYTHONPATH", installed.FAULTY["PYTHONPATH"])
        yield made


@pytest.mark.parametrize("level", ["raises", "hangs-in-c", "exits", "words"])
def test_a_faulty_level_stops_no_table(seated, log, strict, level):
    """A simpler level plays each time, and the operator's log and metrics name the faulty one."""
    house, bots = seated
    size, before = len(house.lines), REGISTRY.get_sample_value("sealedmove_player_troubles_total")

    def tell(event, **facts):
        metrics.count(event, facts)
        log(event, **facts)

    decider = Decider(Faulty(strict, level), TimeBudget(1.5, 1), tell, None)
    assert decider.answer(due(house, bots), house.id, 0)
    assert len(house.lines) == size + 1
    assert [one["by"] for one in log.of("played")] == ["easy"]
    assert [one["says"].partition(":")[0] for one in log.of("trouble")] == [level]
    assert REGISTRY.get_sample_value("sealedmove_player_troubles_total") == before + 1


def test_a_move_for_an_outdated_position_is_not_played(seated, log):
    """The clock was quicker: nothing is signed or reported; the table is read again."""
    house, bots = seated
    bot = due(house, bots)

    class Slow(Runner):
        def ask(self, question):
            house.expire(question.seat)
            return super().ask(question)

    house.posted.clear()
    assert Decider(Slow(), TimeBudget(1.5, 1), log, None).answer(bot, house.id, 0)
    assert (house.posted, log.told) == ([], [])


def test_a_seat_that_owes_nothing_is_not_played(seated, log):
    house, bots = seated
    other = bots[1 - house.table.active[0]]
    house.asked = 1 - house.table.active[0]
    size, runner = len(house.lines), Runner()
    assert not Decider(runner, TimeBudget(1.5, 1), log, None).answer(other, house.id, 0)
    assert (len(house.lines), runner.asked) == (size, [])


def test_without_people_every_level_plays_easy_if_the_operator_chose_so(seated, log):
    house, bots = seated
    runner = Runner()
    Decider(runner, TimeBudget(1.5, 1), log, "easy").answer(due(house, bots), house.id, 0)
    assert runner.asked[0].level == "easy"


def test_a_bot_meets_the_level_that_its_table_asked_for(seated, log):
    """Although no person is at the table; once the share for such tables is used up, `easy` answers for a search."""
    house, bots = seated
    runner, apart = Runner(Reply(commands=(ROLL,), by="strong", seconds=30)), TimeBudget(1.5, 0.1)
    decider = Decider(runner, TimeBudget(1.5, 1), log, None, apart)
    for _ in range(2):
        bot = due(house, bots)
        bot.held = msgspec.structs.replace(bot.held, level="strong")
        decider.answer(bot, house.id, 0)
    assert [one.level for one in runner.asked] == ["strong", "easy"]


@pytest.mark.parametrize(
    ("wanted", "offered", "plays"),
    [
        ("strong", ("easy", "fair", "strong"), "strong"),
        ("strong", ("easy", "fair"), "fair"),
        ("fair", ("easy", "strong"), "easy"),
        ("easy", ("fair",), "fair"),
        ("raises", ("easy", "fair"), "easy"),
    ],
)
def test_a_missing_level_is_replaced_by_the_nearest(wanted, offered, plays):
    """A game may have fewer levels than there are."""
    assert nearest(wanted, offered) == plays


def test_thinking_time_is_limited_to_a_share_of_a_minute():
    """Others who wait do not shorten it."""
    now = [0.0]
    budget = TimeBudget(1.5, 0.1, lambda: now[0])
    assert budget.seconds() == 1.5
    for _ in range(4):
        budget.spend(1.5)
    assert budget.seconds() == LEAST
    now[0] = 61
    assert budget.seconds() == 1.5


def test_a_token_that_others_can_read_is_not_used(seated, tmp_path, log):
    """As for people."""
    (tmp_path / "0" / "account").chmod(0o644)
    with pytest.raises(KeyFileError, match="others can read"):
        bot_of(seated[0], tmp_path / "0", log)


def test_finished_games_are_deleted_but_evidence_is_kept(seated, log):
    """A finished game's log can be fetched again; evidence cannot."""
    house, (one, two) = seated
    folder = one.folder / "games" / house.id
    assert (folder / "log").exists()
    with pytest.raises(DistrustError), two.player(house.id).log.judging("view", shown={}):
        raise DistrustError("other-view", "as a test has it")
    one.forget(house.id)
    two.forget(house.id)
    assert [(bot.folder / "games" / house.id).exists() for bot in (one, two)] == [False, True]
    one.forget("../..")
    assert one.folder.exists()


def test_a_failing_table_does_not_delay_others(seated, log, tmp_path):
    """The error is logged with the table's name, and the table pauses for a while."""
    house, (bot, _) = seated
    service = Service(tmp_path, Decider(Runner(), TimeBudget(1, 1), log), log, threading.Event())
    service._try(lambda: 1 / 0, bot, house.id)
    (told,) = log.of("trouble")
    assert (told["bot"], told["game"], told["error"]) == ("bot 0", house.id, "ZeroDivisionError")
    assert service._resting[bot.held.account, house.id] > 0


# --- the accounts of a folder -----------------------------------------------------------------------------------------


class Door:
    """A server with accounts: `token` is accepted, and `keys` are those of its account."""

    def __init__(self, house) -> None:
        self.house, self.token, self.status = house, "token", "running"
        self.keys, self.owed, self.also = [], (), ""

    def __call__(self, request):
        path = request.url.path
        if request.headers.get("Authorization") not in (None, f"Bearer {self.token}", f"Bearer {self.also}"):
            return problem(401, "bad-token")
        if path == "/v1/me/keys":
            return httpx.Response(200, json=[{"kid": kid} for kid in self.keys])
        if path == "/v1/me/turns":
            return httpx.Response(200, json=[{"game": game, "stopped": False} for game in self.owed])
        if path == "/v1/me/invitations":
            return httpx.Response(200, json=[])
        if path == f"/v1/games/{self.house.id}":
            return httpx.Response(200, json={"status": self.status})
        return self.house(request)


@pytest.fixture
def service(seated, log, tmp_path):
    """A service for the two players whose streams are closed, and its server."""
    stop, door = threading.Event(), Door(seated[0])
    stop.set()
    door.keys = [bot.key.kid for bot in seated[1]]
    made = Service(tmp_path, Decider(Runner(), TimeBudget(1, 1), log), log, stop)
    made._http = httpx.Client(transport=httpx.MockTransport(door))
    return made, door


def test_an_invited_house_player_takes_an_absent_seat(seated, log, tmp_path, service):
    """By a signed act that marks it as a bot."""
    house, _ = seated
    while not house.table.is_absent(0):
        house.expire(house.table.active[0])
    other = bot_of(house, account(tmp_path, 2), log)
    service[0]._sit(other, {"game": house.id, "seat": 0, "act": "take"})
    assert (house.table.occupants[0].kid, house.table.occupants[0].bot) == (other.key.kid, True)
    assert [(one["bot"], one["seat"]) for one in log.of("sits")] == [("bot 2", 0)]


def test_the_queue_counts_answers_that_are_owed(service, log):
    """Not accounts that owe nothing, which are looked at as often."""
    made, door = service
    made._scan()
    one, two = made._bots.values()
    made._look(one)
    assert made._owed == {}
    door.owed = ("g1", "g2")
    for _ in range(2):
        made._look(two)
    assert [*made._owed] == [(two.held.account, "g1"), (two.held.account, "g2")]
    door.owed = ("g2",)
    made._look(two)
    assert [*made._owed] == [(two.held.account, "g2")]


def test_an_answer_without_time_keeps_its_place_in_time(service, log, monkeypatch):
    """It is asked for again soon, and with how long it has waited."""
    made, door = service
    made._scan()
    bot, asked = next(iter(made._bots.values())), []

    def later(bot, game, waiting, waited):
        asked.append((game, waiting, waited))
        raise LaterError

    monkeypatch.setattr(made._decider, "answer", later)
    monkeypatch.setattr("client.players.service.SOON", 0.0)
    door.owed = ("g1", "g2")
    made._look(bot)
    for _ in range(4):
        made._answer_one()
    assert [(game, waiting) for game, waiting, _ in asked] == [("g1", 1), ("g2", 1), ("g1", 1), ("g2", 1)]
    assert asked[2][2] > asked[0][2]
    assert log.of("trouble") == []


def test_seats_of_a_refused_account_go_to_another_of_its_level(service, seated, log, tmp_path, monkeypatch):
    """After a minute, by an offer that its recovery key signs and that needs no token; the log names the tables."""
    made, door = service
    house = seated[0]
    monkeypatch.setattr("client.players.service.PAUSE", 0.0)
    monkeypatch.setattr("client.players.service.GONE", 0.0)
    account(tmp_path, 2, "other")
    door.token, door.also = "token", "other"
    door.keys.append(keys.load_or_make(tmp_path / "2" / "key").kid)
    made._scan()
    bots = {bot.name: bot for bot in made._bots.values()}
    door.token = "new"
    made._try(lambda: made._look(bots["bot 0"]), bots["bot 0"])
    (refused,) = log.of("refused-token")
    assert (refused["bot"], refused["games"]) == ("bot 0", [house.id])
    made._scan()
    assert ("bot 2", "bot 0", house.id, 0) in [
        (one["bot"], one["of"], one["game"], one["seat"]) for one in log.of("takes-over")
    ]
    assert house.table.occupants[0].kid == bots["bot 2"].key.kid
    assert not (bots["bot 0"].folder / "games" / house.id).exists()


def test_an_invalid_token_pauses_its_account_only(service, log, tmp_path, monkeypatch):
    """While playing too: it is logged once, and the other accounts go on."""
    made, door = service
    monkeypatch.setattr("client.players.service.PAUSE", 0.0)
    made._scan()
    assert [one["bot"] for one in log.of("plays-for")] == ["bot 0", "bot 1"]
    door.token = "new"
    made._try(lambda: made._look(made._next()), next(iter(made._bots.values())))
    for _ in range(3):
        made._scan()
    assert [one["bot"] for one in log.of("trouble")] == ["bot 0"]
    assert [bot.name for bot in made._bots.values()] == ["bot 1"]
    os.utime(account(tmp_path, 0, "new") / "account", ns=(0, 1))
    made._scan()
    assert [one["bot"] for one in log.of("plays-for")] == ["bot 0", "bot 1", "bot 0"]


def test_a_token_that_was_never_valid_is_logged_once_a_minute(service, log, monkeypatch):
    """An erased account whose folder is still there does not fill the log."""
    made, door = service
    monkeypatch.setattr("client.players.service.PAUSE", 0.0)
    door.token = "another"
    for _ in range(3):
        made._scan()
    assert [one["error"] for one in log.of("trouble")] == ["ApiError"] * 2
    assert made._bots == {}


def test_a_stream_of_an_erased_account_stops_nobody(service, monkeypatch):
    """Not even while all accounts are read."""
    made, _ = service
    made._scan()
    monkeypatch.setattr(made, "wake", lambda bot: made._trouble(bot, ApiError(401, "bad-token", {})))
    made._wake_all()
    assert made._bots == {}


def test_games_that_ended_during_a_downtime_are_deleted(service, seated):
    """Otherwise the folders of a process that is often down would grow forever. Running games are kept."""
    made, door = service
    folder = seated[1][0].folder / "games" / seated[0].id
    made._scan()
    assert folder.exists()
    made._bots.clear()
    made._later.clear()
    door.status = "finished"
    made._scan()
    assert not folder.exists()


def test_a_file_that_cannot_be_deleted_is_logged(service, seated, log, monkeypatch):
    """The process goes on with all other players."""
    made, _ = service
    made._scan()
    bot = next(iter(made._bots.values()))
    monkeypatch.setattr(bot, "forget", lambda game: 1 / 0)
    made.wake(bot, {"kind": "over", "game": seated[0].id})
    assert made._next() is bot
    assert log.of("trouble")[0]["error"] == "ZeroDivisionError"


def test_one_folder_has_one_process(tmp_path):
    """Two would sign twice for one place; the second ends with an error."""
    with folder_lock(tmp_path / "players"):
        done = CliRunner().invoke(command.main, ["--folder", str(tmp_path / "players")])
        assert done.exit_code == 1
        assert "another process plays for the accounts in" in done.output
    with folder_lock(tmp_path / "players"):
        pass


# --- the operator's log -----------------------------------------------------------------------------------------------


def test_the_log_contains_no_secret_of_a_hidden_game(tmp_path, log):
    """A refused sealed bid is logged by its code, and one that may still be logged as that."""
    house, bots = at_table(FakeServer("bids", 2), tmp_path, log)
    bot = due(house, bots)
    Decider(Runner(Reply(commands=({"do": "bid", "amount": 77},), by="fair")), TimeBudget(1, 1), log).answer(
        bot, house.id, 0
    )
    service = Service(tmp_path, Decider(Runner(), TimeBudget(1, 1), log), log, threading.Event())
    before = 'move {"commands":[{"do":"bid","amount":77}]} (nobody has answered)'
    service._trouble(bot, UnsettledError(4, [before], answered=False), house.id)
    its = {"bot": "bot 0", "game": house.id}
    assert [(event, {name: one[name] for name in one if name != "ms"}) for event, one in log.told] == [
        ("played", {**its, "type": "bids", "by": "fair", "waiting": 0}),
        ("trouble", {**its, "type": "bids", "level": "fair", "says": "fair: too-few-coins"}),
        ("trouble", {**its, "error": "UnsettledError", "says": "unsettled"}),
    ]  # so no line has the bid of 77
