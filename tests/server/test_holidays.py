"""Holidays: announced with a balance, counted at tables that want them, ended by any act of their account."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from server.kernel.db.models import Holiday, Notification, Outbox, Quarantined
from server.kernel.errors import Problem
from server.kernel.text import iso
from server.play.write import expire
from server.tables.calendar import holidays
from tests.server import surfaces
from tests.server.boxes import code
from tests.server.harness import Harness, Player
from tests.server.test_deadlines import CLOCK, kinds, mover
from tests.server.test_web import words
from workers.calendars import follow
from workers.dispatch import dispatch_in
from workers.mail import load

DAY = timedelta(days=1)
ANOTHER = "2026-12-01"


@pytest.fixture
def people(any_hall: Harness) -> list[Player]:
    return [any_hall.player(number) for number in range(2)]


def take_days(player: Player, days: int = 3, begins: str = "now"):
    return player.post("/me/holidays", {"from": begins, "days": days})


def due(hall: Harness, game: str, player: Player) -> datetime:
    found = surfaces.seat(hall, game, player.seat).deadline
    assert found is not None
    return found


def asked(hall: Harness, people: list[Player], **wish) -> tuple[str, Player]:
    """A table, and the player who owes a move there."""
    game = hall.game("pig", people, **{"clock": CLOCK, **wish})
    return game, mover(hall, people, game)


def test_a_holiday_moves_the_deadline_everywhere(any_hall: Harness, people: list[Player]):
    """By its whole days of the account's zone, which are moments from then on; and no entry is written."""
    game, player = asked(any_hall, people)
    before = due(any_hall, game, player)
    answer = take_days(player, 3, "2026-11-22")
    assert answer.status_code == 201
    made = answer.get_json()
    assert (made["starts_at"], made["ends_at"]) == ("2026-11-22T00:00:00Z", "2026-11-25T00:00:00Z")
    shown = surfaces.shown(any_hall, game, player)
    assert shown == dict.fromkeys(shown, before + 3 * DAY)
    later = (before + 3 * DAY).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert made["tables"] == [{"game": game, "deadline": later, "counts": True}]
    assert surfaces.last_event(any_hall, player, game)["kind"] == "time"
    assert kinds(any_hall, game)[-1] == "started"
    any_hall.client.patch("/v1/me", json={"zone": "Asia/Tokyo"}, headers=player.auth)
    assert player.get("/me/holidays").get_json()["holidays"][0]["starts_at"] == made["starts_at"]


def test_only_the_players_of_the_table_see_a_holiday(any_hall: Harness, people: list[Player]):
    """Its reason too; a stranger sees what the log has."""
    game, player = asked(any_hall, people)
    stranger = any_hall.player(7)
    before = stranger.get(f"/games/{game}").get_json()["deadlines"]
    page = words(any_hall.client.get(f"/games/{game}"))
    take_days(player)
    assert stranger.get(f"/games/{game}").get_json()["deadlines"] == before
    assert words(any_hall.client.get(f"/games/{game}")) == page
    other = next(one for one in people if one is not player)
    (seen,) = other.get(f"/games/{game}").get_json()["deadlines"]
    assert seen["why"] == ["holiday"]
    assert other.get("/me/holidays").get_json()["holidays"] == []


@pytest.mark.parametrize(
    ("choice", "ahead", "counts"), [("yes", 0, True), ("ahead", 1, False), ("ahead", 3, True), ("no", 3, False)]
)
def test_a_table_chooses_which_holidays_count(any_hall: Harness, people: list[Player], choice, ahead, counts):
    """With `ahead`, those announced 48 hours before."""
    game, player = asked(any_hall, people, holidays=choice)
    begins = "now" if not ahead else f"2026-11-{21 + ahead}"
    before = due(any_hall, game, player)
    made = take_days(player, 3, begins).get_json()
    assert [one["counts"] for one in made["tables"]] == [counts]
    assert (due(any_hall, game, player) > before) == (counts and ahead < 3)


@pytest.mark.parametrize("first", ["holiday", "clock"])
def test_a_confirmed_holiday_holds_against_a_clock_that_looked_before(any_hall: Harness, people: list[Player], first):
    """Whichever of the two comes first: the seat is played for, or the holiday counts, and never both."""
    game, player = asked(any_hall, people)
    any_hall.clock.at = due(any_hall, game, player)
    if first == "clock":
        assert expire(any_hall.services, game, player.seat)
    assert take_days(player).status_code == 201
    assert not expire(any_hall.services, game, player.seat)
    assert kinds(any_hall, game).count("expired") == (first == "clock")


@pytest.mark.parametrize("time", range(3))
def test_a_holiday_and_a_clock_at_once_never_both_happen(each_hall: Harness, time):
    """Threads: if the clock has not played, the deadline has moved."""
    people = [each_hall.player(number) for number in range(2)]
    game, player = asked(each_hall, people)
    each_hall.clock.at = due(each_hall, game, player)
    went: dict[str, object] = {}

    def rest() -> None:
        went["holiday"] = holidays.announce(each_hall.services, player.account, None, 3)

    def play() -> None:
        went["played"] = expire(each_hall.services, game, player.seat)

    acts = [threading.Thread(target=one) for one in ((rest, play), (play, rest))[time % 2]]
    for act in acts:
        act.start()
    for act in acts:
        act.join()
    assert went.keys() == {"holiday", "played"}
    assert (kinds(each_hall, game)[-1] == "expired") == went["played"]
    if not went["played"]:
        assert due(each_hall, game, player) > each_hall.clock.at + 2 * DAY


def test_a_signed_move_ends_the_holiday_at_all_tables(any_hall: Harness, people: list[Player]):
    """Where the player owes another move, at least a day is left, but not more than they were told."""
    elsewhere, player = asked(any_hall, people)
    game = next(made for _ in range(9) for made, who in [asked(any_hall, people)] if who is player)
    take_days(player, 5)
    told = due(any_hall, elsewhere, player)
    any_hall.clock.forward(hours=30)
    body = player.signed_move(game, [player.legal(game)[-1]])
    first, again = (any_hall.client.post(f"/v1/games/{game}/moves", json=body).get_json() for _ in range(2))
    assert (first["ends_holiday"], again) == (True, first)
    assert player.get("/me/holidays").get_json()["holidays"] == []
    follow(surfaces.context(any_hall))
    row = surfaces.seat(any_hall, elsewhere, player.seat)
    assert row.deadline < told
    assert row.deadline == row.promised + timedelta(hours=30) > any_hall.clock.at + DAY
    shown = surfaces.shown(any_hall, elsewhere, player)
    assert shown == dict.fromkeys(shown, row.deadline)


def test_a_move_that_ends_a_holiday_keeps_the_bank_that_an_earlier_rest_has_spared(any_hall: Harness, people):
    """A pause and the holiday lie in one stretch: neither has used the bank, although the record counts both."""
    bank = 2 * DAY // timedelta(seconds=1)
    clock = {"move": bank // 2, "bank": bank, "grace": bank // 4}
    game, player = asked(any_hall, people, clock=clock, host_pause=2)
    while len(player.legal(game)) == 1:
        player.move(game, [player.legal(game)[0]])
        player = mover(any_hall, people, game)
    people[0].post(f"/games/{game}/pause", {"until": iso(any_hall.clock() + 2 * DAY)})
    any_hall.clock.forward(hours=60)
    take_days(player)
    any_hall.clock.forward(hours=12)
    player.move(game, [player.legal(game)[-1]])
    assert mover(any_hall, people, game) is not player
    row = surfaces.seat(any_hall, game, player.seat)
    assert (row.bank, row.spare) == (0, bank)


def test_cancelling_gives_the_days_back_and_never_adds_time(any_hall: Harness, people: list[Player]):
    """A holiday that has not begun costs nothing; announcing and cancelling leaves the deadline as it was."""
    game, player = asked(any_hall, people)
    before, left = due(any_hall, game, player), player.get("/me/holidays").get_json()["left"]
    for _ in range(2):
        made = take_days(player, 2, "2026-11-23").get_json()
        assert player.get("/me/holidays").get_json()["left"] == left - 2
        for _ in range(2):
            assert player.delete(f"/me/holidays/{made['id']}").status_code == 204
        assert player.get("/me/holidays").get_json() == {"left": left, "holidays": []}
        assert due(any_hall, game, player) == before


def test_one_begun_at_once_costs_three_days(hall: Harness, two: list[Player]):
    made = take_days(two[0], 1).get_json()
    assert (made["cost"], made["left"]) == (3, 2)
    two[0].delete(f"/me/holidays/{made['id']}")
    assert two[0].get("/me/holidays").get_json()["left"] == 2


def test_announcing_twice_is_once(hall: Harness, two: list[Player]):
    answers = [take_days(two[0], 3, ANOTHER) for _ in range(2)] + [take_days(two[1]) for _ in range(2)]
    assert [one.status_code for one in answers] == [201, 200, 201, 200]
    assert answers[0].get_json() == answers[1].get_json()


@pytest.mark.parametrize(
    ("begins", "days", "wrong"),
    [
        ("2026-11-20", 3, (422, "bad-holiday")),
        ("2027-12-24", 3, (422, "bad-holiday")),
        ("9999-12-31", 3, (422, "bad-holiday")),
        ("0001-01-01", 3, (422, "bad-holiday")),
        ("soon", 3, (422, "bad-fields")),
        ("now", 15, (422, "bad-fields")),
        ("now", 0, (422, "bad-fields")),
        ("now", 6, (409, "holiday-balance")),
        ("2026-12-09", 2, (409, "holiday-too-close")),
        ("2026-11-23", 2, (409, "holiday-too-close")),
    ],
)
def test_a_holiday_that_cannot_be_changes_nothing(hall: Harness, two: list[Player], begins, days, wrong):
    if wrong[1] == "holiday-too-close":
        take_days(two[0], 2, ANOTHER)
    hall.client.patch("/v1/me", json={"zone": "Europe/Berlin"}, headers=two[0].auth)
    before = two[0].get("/me/holidays").get_json()
    assert code(take_days(two[0], days, begins)) == wrong
    assert two[0].get("/me/holidays").get_json() == before


def test_nobody_ends_a_holiday_of_another(hall: Harness, two: list[Player]):
    made = take_days(two[0], 3, ANOTHER).get_json()
    assert code(two[1].delete(f"/me/holidays/{made['id']}")) == (404, "not-found")
    assert len(two[0].get("/me/holidays").get_json()["holidays"]) == 1


def test_the_balance_grows_by_a_day_in_ten_up_to_thirty():
    """Days that are spent make room again."""
    born = datetime(2026, 1, 1, tzinfo=UTC)
    begins = born + 401 * DAY
    spent = [Holiday(starts_at=begins, ends_at=begins + 14 * DAY, made_at=begins - DAY)]
    assert [holidays.balance(born, [], born + days * DAY) for days in (0, 9, 10, 250, 1000)] == [5, 5, 6, 30, 30]
    assert [holidays.balance(born, spent, born + days * DAY) for days in (400, 410, 1000)] == [16, 17, 30]


def test_a_process_that_dies_after_announcing_leaves_the_rest_to_the_clock(any_hall: Harness, people, monkeypatch):
    """The holiday is committed, no table has followed, and the clock's next round does it."""
    game, player = asked(any_hall, people)
    before = due(any_hall, game, player)

    def killed(*_):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(holidays, "open_for_writing", killed)
        with pytest.raises(SystemExit):
            holidays.announce(any_hall.services, player.account, None, 3)
    assert due(any_hall, game, player) == before
    follow(surfaces.context(any_hall))
    assert due(any_hall, game, player) > before
    shown = surfaces.shown(any_hall, game, player)
    assert shown == dict.fromkeys(shown, due(any_hall, game, player))


def test_a_table_that_cannot_be_opened_refuses_no_holiday_and_holds_up_no_other(any_hall: Harness, people, monkeypatch):
    """It follows when it can be opened again; the others do so at once."""
    games = [any_hall.game("pig", people, clock=CLOCK) for _ in range(2)]
    player = mover(any_hall, people, games[0])
    mine = [game for game in games if mover(any_hall, people, game) is player]
    while len(mine) < 2:
        game = any_hall.game("pig", people, clock=CLOCK)
        mine += [game] if mover(any_hall, people, game) is player else []
    broken, fine = sorted(mine)[:2]
    before = {game: due(any_hall, game, player) for game in mine}
    real = holidays.open_for_writing

    def opened(services, game):
        if game == broken:
            raise Problem("rules-missing", found="pig", version=9)
        return real(services, game)

    with monkeypatch.context() as patch:
        patch.setattr(holidays, "open_for_writing", opened)
        assert take_days(player).status_code == 201
        assert (due(any_hall, broken, player) == before[broken], due(any_hall, fine, player) > before[fine]) == (
            True,
            True,
        )
    any_hall.clock.forward(minutes=3)
    follow(surfaces.context(any_hall))
    assert due(any_hall, broken, player) > before[broken]
    with any_hall.services.database.read() as session:
        assert session.scalars(sa.select(Quarantined.loop)).all() == []


def test_a_holiday_that_was_set_aside_is_released_when_its_end_is_followed(any_hall: Harness, people, monkeypatch):
    """Otherwise the quarantine would list it for ever: nothing tries a holiday again that is applied."""
    _, player = asked(any_hall, people)

    def broken(*_):
        raise Problem("rules-missing", found="pig", version=9)

    with monkeypatch.context() as patch:
        patch.setattr(holidays, "open_for_writing", broken)
        made, _ = holidays.announce(any_hall.services, player.account, None, 3)
    with any_hall.services.database.read() as session:
        assert session.scalars(sa.select(Quarantined.loop)).all() == ["holidays"]
    holidays.end(any_hall.services, player.account, made.id)
    with any_hall.services.database.read() as session:
        assert session.scalars(sa.select(Quarantined.loop)).all() == []


def test_a_holiday_is_mailed_to_its_owner(any_hall: Harness, people: list[Player]):
    """So that nobody else takes it unnoticed. One that was cancelled meanwhile is not."""
    take_days(people[0], 3, ANOTHER)
    ctx, database = surfaces.context(any_hall), any_hall.services.database
    with database.read() as session:
        (row,) = session.scalars(sa.select(Outbox.id).where(Outbox.kind == "holiday"))
    (made,) = dispatch_in(ctx, row)
    with database.read() as session:
        reader, facts = load.load(ctx, session, session.get_one(Notification, made))
    assert (reader.email, facts.left) == ("player0@example.org", 2)


def test_a_page_announces_and_ends_holidays(hall: Harness, two: list[Player]):
    browser = hall.browser()
    browser.sign_in(hall, "player0@example.org")
    assert "You have 5 days left." in words(browser.get("/holidays"))
    wrong = browser.post("/holidays", data={"when": "day", "from": "2026-11-01", "days": "3"})
    assert (wrong.status_code, "A holiday begins now or on a later day" in words(wrong)) == (422, True)
    assert browser.post("/holidays", data={"when": "now", "days": "3"}).status_code == 303
    page = words(browser.get("/holidays"))
    assert "3 days · running now" in page
    number = two[0].get("/me/holidays").get_json()["holidays"][0]["id"]
    browser.post(f"/holidays/{number}/end")
    assert "running now" not in words(browser.get("/holidays"))


def test_a_new_holder_has_at_least_the_promised_time(any_hall: Harness, people: list[Player]):
    """The former holder's holiday is not theirs, but the deadline does not move back."""
    game, player = asked(any_hall, people)
    player.offer(game)
    take_days(player)
    told, taker = due(any_hall, game, player), any_hall.player(3)
    assert taker.take(game, player.seat).status_code == 201
    assert due(any_hall, game, taker) == told
    assert surfaces.shown(any_hall, game, taker)["game"] == told
