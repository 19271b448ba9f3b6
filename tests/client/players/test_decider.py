"""How a house player decides: levels that fail, time that is shared."""

from __future__ import annotations

from contextlib import nullcontext

import msgspec
import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY

from client.http import ApiError
from client.players import metrics
from client.players.decider import PATIENCE, Decider, LaterError, nearest
from client.players.questions import Reply
from client.players.runner import Runner as RealRunner
from client.players.time_budget import LEAST, TimeBudget
from tests.client.players.house import Runner, due
from tests.kit import installed

ROLL, HOLD = {"do": "roll"}, {"do": "hold"}


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
    """Others wait a minute gladly for the level that they asked for. The log and the table name a lower one."""
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
    assert house.levels == {size: "fair"}


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
    """A simpler level plays each time; the operator's log and metrics name the faulty one, and the table that level."""
    house, bots = seated
    size, before = len(house.lines), REGISTRY.get_sample_value("sealedmove_player_troubles_total")

    def tell(event, **facts):
        metrics.count(event, facts)
        log(event, **facts)

    decider = Decider(Faulty(strict, level), TimeBudget(1.5, 1), tell, None)
    assert decider.answer(due(house, bots), house.id, 0)
    assert len(house.lines) == size + 1
    assert ([one["by"] for one in log.of("played")], house.levels) == (["easy"], {size: "easy"})
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
    """Although no person is at the table. Once the share for such tables is used up, a search waits for its time."""
    house, bots = seated
    runner, apart = Runner(Reply(commands=(ROLL,), by="strong", seconds=30)), TimeBudget(1.5, 0.1)
    decider = Decider(runner, TimeBudget(1.5, 1), log, None, apart)
    for waited in (0, PATIENCE / 2, PATIENCE):
        bot = due(house, bots)
        bot.held = msgspec.structs.replace(bot.held, level="strong")
        with pytest.raises(LaterError) if waited == PATIENCE / 2 else nullcontext():
            decider.answer(bot, house.id, 0, waited)
    assert [one.level for one in runner.asked] == ["strong", "fair"]


def test_a_move_stands_where_its_level_cannot_be_shown(seated, log, monkeypatch):
    """The operator's log has the reason."""
    house, bots = seated
    bot, size = due(house, bots), len(house.lines)

    def no(*_):
        raise ApiError(404, "not-found", {})

    monkeypatch.setattr(bot.api, "put", no)
    assert Decider(Runner(), TimeBudget(1.5, 1), log, None).answer(bot, house.id, 0)
    assert (len(house.lines), [one["wanted"] for one in log.of("lower-level")]) == (size + 1, ["fair"])
    assert [one["error"] for one in log.of("trouble")] == ["ApiError"]


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
