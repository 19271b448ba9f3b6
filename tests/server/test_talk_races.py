"""Table talk at the same moment as other acts, and in a process that dies."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from server.kernel.db.models import IdempotencyKey
from server.tables.limits import LIMITS
from tests.server.harness import Harness, Player
from tests.server.test_races import together
from tests.server.test_talk import SECRET, count, dump, events, said, say


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
def test_talk_take_and_erasure_at_the_same_time(any_hall: Harness, number: int):
    """Each message was said by a holder and is numbered once; nobody reads past their end; erased text is gone."""
    ada, ben, cy = (any_hall.player(one) for one in range(3))
    game = any_hall.game("pig", [ada, ben])
    say(ada, game, "first")
    ben.offer(game)
    proof = ben.prove("erase")
    calls = [
        lambda: say(ben, game).status_code,
        lambda: say(ada, game, "second").status_code,
        lambda: cy.take(game, 1).status_code,
        lambda: ben.delete("/me", **proof).status_code,
        lambda: say(cy, game, "new").status_code,
    ]
    bens, adas, take, erase, cys = together(*calls)
    assert (adas, take, erase) == (201, 201, 204)
    assert bens in (201, 401, 403)
    assert cys in (201, 403)
    texts = said(cy, game)
    assert texts[0] == "first"
    assert "second" in texts
    assert SECRET not in texts
    assert "zanzibar" not in dump(any_hall)
    numbers = [one["n"] for one in cy.get(f"/games/{game}/talk").get_json()["messages"]]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.slow
def test_the_same_message_at_the_same_time_is_written_once(any_hall: Harness):
    ada, ben = (any_hall.player(number) for number in range(2))
    game = any_hall.game("pig", [ada, ben])
    once = {"Idempotency-Key": "both"}
    ended = together(*(lambda: say(ada, game, **once).status_code for _ in range(4)))
    assert sorted(map(str, ended)) == ["200", "200", "200", "201"]
    assert said(ben, game) == [SECRET]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_messages_at_the_same_time_do_not_pass_the_limit_of_a_day_together(
    each_hall: Harness, number: int, monkeypatch: pytest.MonkeyPatch
):
    """At tables of their own, which share no lock but that of the account."""
    monkeypatch.setitem(LIMITS, "messages", LIMITS["messages"]._replace(most=3))
    ada, ben = (each_hall.player(one) for one in range(2))
    games = [each_hall.game("pig", [ada, ben]) for _ in range(4)]
    for text in ("one", "two"):
        assert say(ada, games[number], text).status_code == 201
    ended = together(*(lambda game=game: say(ada, game).status_code for game in games))
    assert sorted(map(str, ended)) == ["201", "429", "429", "429"]
    assert count(each_hall) == 3


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
def test_a_read_during_a_take_shows_nothing_that_is_refused_after_it(any_hall: Harness, number: int):
    ada, ben, cy = (any_hall.player(one) for one in range(3))
    game = any_hall.game("pig", [ada, ben])
    ben.offer(game)
    calls = [lambda: said(ben, game), lambda: cy.take(game, 1).status_code, lambda: say(ada, game).status_code]
    seen, take, sent = together(*calls)
    assert (take, sent) == (201, 201)
    assert seen in ([], said(ben, game))
    before = said(ben, game)
    say(ada, game, "later")
    assert said(ben, game) == before


def test_a_fault_before_any_statement_leaves_nothing(hall: Harness, two: list[Player]):
    """Wherever a process dies, the message is written with its events and key, or not at all."""
    game = hall.game("pig", two)
    writer, faults = hall.services.database.writer, 0
    while True:
        left = [faults]

        def fail(*_: object, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise RuntimeError("the process dies")

        sa.event.listen(writer, "before_cursor_execute", fail)
        try:
            answer = say(two[0], game, **{"Idempotency-Key": "a key"})
        finally:
            sa.event.remove(writer, "before_cursor_execute", fail)
        if answer.status_code == 201:
            break
        assert (count(hall), count(hall, IdempotencyKey), events(hall, two[1])) == (0, 0, [])
        faults += 1
    assert faults > 8
    assert (count(hall), count(hall, IdempotencyKey), len(events(hall, two[1]))) == (1, 1, 1)
