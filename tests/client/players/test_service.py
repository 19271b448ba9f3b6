"""The process of house players: the accounts of a folder, what they owe, stored files, the operator's log."""

from __future__ import annotations

import errno
import io
import os
import threading
from functools import partial
from unittest.mock import Mock

import httpx
import pytest
from click.testing import CliRunner
from prometheus_client import REGISTRY

from client import keys
from client.commands import players as command
from client.errors import DistrustError, UnsettledError
from client.http import ApiError, NoAnswerError
from client.keys import KeyFileError
from client.players.decider import Decider, LaterError
from client.players.questions import Reply
from client.players.service import Service, folder_lock
from client.players.time_budget import TimeBudget
from tests.client.fake_server import FakeServer, problem
from tests.client.players.house import Runner, account, at_table, bot_of, due


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


def test_a_table_that_gave_trouble_is_tried_again_after_a_pause(service, log, monkeypatch):
    """The pause is twice as long each time, up to five minutes, and short again after an answer."""
    made, door = service
    made._scan()
    bot, wrong = next(iter(made._bots.values())), [ValueError()] * 7

    def answer(*_):
        if wrong:
            raise wrong.pop()
        return False

    monkeypatch.setattr(made._decider, "answer", answer)
    door.owed, pauses = ("g1",), []
    for _ in range(8):
        made._look(bot)
        made._answer_one()
        pauses.append(made._pauses.get((bot.held.account, "g1")))
        made._again = dict.fromkeys(made._again, 0.0)
        made._resting.clear()
        made._waiting.clear()
        made._wake_troubled()
        assert [*made._waiting] == [bot] * (pauses[-1] is not None)
    assert pauses == [10, 20, 40, 80, 160, 300, 300, None]
    assert len(log.of("trouble")) == 7


def test_an_account_that_gave_trouble_is_looked_at_again_after_a_pause(service, monkeypatch):
    """Twice as long each time, and short again after a look that succeeds, however many outages there have been."""
    made, _ = service
    made._scan()
    bot, pauses = next(iter(made._bots.values())), []
    get = bot.api.get
    for fails in (True, True, True, False, True):
        monkeypatch.setattr(bot.api, "get", Mock(side_effect=NoAnswerError) if fails else get)
        made._try(partial(made._look, bot), bot)
        pauses.append(made._pauses.get((bot.held.account, "")))
    assert pauses == [10, 20, 40, None, 10]


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


def test_a_token_that_was_never_valid_is_logged_once_with_its_account(service, log, monkeypatch):
    """An erased account whose folder is still there does not fill the log, however often it is tried."""
    made, door = service
    for name in ("PAUSE", "GONE"):
        monkeypatch.setattr(f"client.players.service.{name}", 0.0)
    door.token = "another"
    for _ in range(3):
        made._scan()
    assert [one["bot"] for one in log.of("refused-token")] == ["bot 0", "bot 1"]
    assert "ApiError" not in [one["error"] for one in log.of("trouble")]
    assert made._bots == {}


def test_a_stream_of_an_erased_account_stops_nobody(service, monkeypatch):
    """Not even while all accounts are read."""
    made, _ = service
    made._scan()
    monkeypatch.setattr(made, "wake", lambda bot: made._trouble(bot, ApiError(401, "bad-token", {})))
    made._wake_all()
    assert made._bots == {}


def test_accounts_beyond_the_most_of_a_stream_get_further_streams(service, monkeypatch):
    """Those that have left make room in the first ones."""
    made, door = service
    made._scan()
    followed = lambda: [[bot.name for bot in one._bots] for one in made._listeners.values()]  # noqa: E731
    assert followed() == [["bot 0", "bot 1"]]
    monkeypatch.setattr("client.players.service.MOST_FOLLOWED", 1)
    made._listen()
    assert followed() == [["bot 0"], ["bot 1"]]
    door.token = "new"
    first = next(iter(made._bots.values()))
    made._try(lambda: made._look(first), first)
    made._scan()
    assert followed() == [["bot 1"], []]


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


def test_a_folder_without_accounts_is_named_with_what_to_run(log, tmp_path):
    """It is perhaps not the one that was meant; accounts that come later are found."""
    stop = threading.Event()
    stop.set()
    Service(tmp_path / "none", Decider(Runner(), TimeBudget(1, 1), log), log, stop).run()
    folder = str(tmp_path / "none")
    (told,) = log.of("no-accounts")
    assert (told["folder"], told["do"]) == (folder, f"sealedmove bot fill {folder} --why REASON")


def test_the_players_of_a_folder_are_not_told_about(service, log):
    service[0].run()
    assert log.of("no-accounts") == []


def test_a_folder_that_cannot_be_used_is_an_error_without_a_traceback(tmp_path):
    """A look at it raises, as for a user who may not look into the folder above it."""
    done = CliRunner().invoke(command.main, ["--folder", str(tmp_path / ("x" * 300))])
    assert (done.exit_code, "xxx cannot be used: File name too long; PLAYERS_DIR must" in done.output) == (1, True)


def test_one_folder_has_one_process(tmp_path):
    """Two would sign twice for one place; the second ends with an error."""
    with folder_lock(tmp_path / "players"):
        done = CliRunner().invoke(command.main, ["--folder", str(tmp_path / "players")])
        assert done.exit_code == 1
        assert "another process plays for the accounts in" in done.output
    with folder_lock(tmp_path / "players"):
        pass


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
        ("trouble", {**its, "type": "bids", "wanted": "fair", "says": "fair: too-few-coins"}),
        ("trouble", {**its, "error": "UnsettledError", "says": "unsettled"}),
    ]  # so no line has the bid of 77


def test_a_log_that_cannot_be_written_ends_nothing(monkeypatch):
    """As on a full disk, where trouble is what is logged; it is counted, and the next line is written."""

    class Disk(io.StringIO):
        is_full = True

        def flush(self) -> None:
            if self.is_full:
                raise OSError(errno.ENOSPC, "no space left on device")

    disk, before = Disk(), REGISTRY.get_sample_value("sealedmove_player_troubles_total")
    monkeypatch.setattr("sys.stdout", disk)
    command.log_event("trouble", says="unsettled")
    disk.is_full = False
    command.log_event("played", type="pig", by="easy", ms=1)
    assert REGISTRY.get_sample_value("sealedmove_player_troubles_total") == before + 1
    assert "played" in disk.getvalue()
