"""Account events: one for each holder of a seat and entry, numbered without gaps, on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from engine.record.compose.entries import compose_expired
from sealedmove import main
from server.hooks import numbering
from server.hooks import read as hooks
from server.kernel.db.models import Account, AccountEvent
from server.log import outbox
from server.log.ledger import open_for_writing
from server.log.outbox import EVENT_KINDS
from server.operate import commands, retention
from server.play.write import expire
from server.tables.write import cancel, grant_as_operator
from tests.server.harness import BY, Harness, Player

CLOCK = {"move": 600, "bank": 0, "grace": 300}
PASS = [{"do": "bid", "amount": 0}]


def told(hall: Harness, player: Player, after: int = 0) -> list[dict]:
    """The events of an account after a number."""
    numbering.number(hall.services.database, [player.account])
    with hall.services.database.read() as session:
        page = hooks.events_after(session, player.account, after)
    assert not page.reset
    return page.events


def kinds(hall: Harness, player: Player, after: int = 0) -> list[tuple[str, int]]:
    return [(event["kind"], event["seq"]) for event in told(hall, player, after)]


@pytest.fixture
def table(hall: Harness) -> tuple[Harness, list[Player], str]:
    """Ada and Ben at a game of Bids: entries 0 to 3, and both owe a move."""
    people = [hall.player(number) for number in range(3)]
    return hall, people, hall.game("bids", people[:2], clock=CLOCK)


@pytest.fixture
def any_table(any_hall: Harness) -> tuple[Harness, list[Player], str]:
    """The same on each database."""
    people = [any_hall.player(number) for number in range(3)]
    return any_hall, people, any_hall.game("bids", people[:2], clock=CLOCK)


def test_every_entry_sends_an_event_to_every_player(table):
    """A join to those already seated, the start to both, with the move that is owed."""
    hall, (ada, ben, _), _game = table
    assert kinds(hall, ada) == [("news", 1), ("news", 2), ("started", 3), ("turn", 3)]
    assert kinds(hall, ben) == [("news", 2), ("started", 3), ("turn", 3)]


def test_an_event_names_game_seat_and_deadline_and_no_content(table):
    """Streams and webhooks use the same form."""
    hall, (ada, *_), game = table
    assert told(hall, ada)[-1] == {
        "n": 4, "kind": "turn", "game": game, "type": "bids", "seat": 0, "seq": 3,
        "at": "2026-11-21T10:00:00Z", "deadline": "2026-11-21T10:15:00Z",
    }  # fmt: skip


def test_a_move_sends_turn_to_the_next_player_and_news_to_the_others(hall: Harness):
    """The player who moved gets it too, for their other devices."""
    people = [hall.player(number) for number in range(2)]
    game = hall.game("pig", people)
    before = [len(told(hall, player)) for player in people]
    while hall.client.get(f"/v1/games/{game}").get_json()["active"] == [0]:
        options = people[0].legal(game)
        assert people[0].move(game, [options[-1]]).status_code == 201
    assert {kind for kind, _ in kinds(hall, people[0], before[0])} <= {"news", "turn"}
    assert kinds(hall, people[0], before[0])[-1][0] == "news"
    assert kinds(hall, people[1], before[1])[-1][0] == "turn"


@pytest.mark.slow
def test_the_end_is_sent_to_all_players(hall: Harness):
    """Once, and without a deadline."""
    people = [hall.player(number) for number in range(2)]
    game = hall.game("bids", people)
    hall.play_out(game, people)
    for player in people:
        last = told(hall, player)[-1]
        assert (last["kind"], last["deadline"]) == ("over", None)
        assert [event["kind"] for event in told(hall, player)].count("over") == 1


def test_a_cancelled_game_sends_an_event_to_its_players(hall: Harness):
    """Its creator cancels it before the start."""
    people = [hall.player(number) for number in range(2)]
    game = people[0].post("/games", {"type": "bids", "seats": 2}).get_json()["id"]
    people[1].join(game, 1)
    cancel(hall.services, game, people[0].account)
    assert kinds(hall, people[1]) == [("news", 1), ("cancelled", 2)]
    assert kinds(hall, people[0]) == []


def test_granted_time_sends_the_new_deadline(table):
    """To the seats that got it; the others get `news`."""
    hall, (ada, ben, _), game = table
    grant_as_operator(hall.services, BY, game, 3600, [1])
    assert (told(hall, ben)[-1]["kind"], told(hall, ben)[-1]["deadline"]) == ("granted", "2026-11-21T11:15:00Z")
    assert (told(hall, ada)[-1]["kind"], told(hall, ada)[-1]["deadline"]) == ("news", "2026-11-21T10:15:00Z")


def test_an_absent_player_gets_an_event(table):
    """The others get `news`."""
    hall, (ada, ben, _), game = table
    for _ in range(2):
        assert ada.move(game, PASS).status_code == 201
        hall.clock.forward(hours=1)
        assert expire(hall.services, game, 1)
    assert "absent" in [kind for kind, _ in kinds(hall, ben)]
    assert "absent" not in [kind for kind, _ in kinds(hall, ada)]


def test_a_takeover_sends_an_event_to_both_holders(table):
    """The former holder gets no more events, and this one names no seat; the new holder gets the turn."""
    hall, (ada, ben, cy), game = table
    assert ben.offer(game).status_code == 201
    assert kinds(hall, ada)[-1] == ("offered", 4)
    assert cy.take(game, 1).status_code == 201
    assert ada.move(game, PASS).status_code == 201
    assert kinds(hall, ben)[-1] == ("taken", 5)
    assert kinds(hall, cy)[0] == ("turn", 5)
    assert kinds(hall, ada)[-2][0] == "news"
    assert {(event["seat"], event["deadline"]) for event in told(hall, ben)} == {(None, None)}
    assert told(hall, cy)[-1]["seat"] == 1


def test_a_player_who_resigned_gets_no_more_turns(hall: Harness):
    """The server plays a default move for the seat at once."""
    people = [hall.player(number) for number in range(3)]
    game = hall.game("bids", people)
    assert people[1].resign(game).status_code == 201
    before = len(told(hall, people[1]))
    for player in (people[0], people[2]):
        player.move(game, PASS)
    assert "turn" not in [kind for kind, _ in kinds(hall, people[1], before)]


def test_every_kind_has_its_sentence(table):
    """Every kind of event that is sent is in the table."""
    hall, (ada, *_), _game = table
    assert {event["kind"] for event in told(hall, ada)} <= EVENT_KINDS.keys()


@pytest.mark.slow
def test_concurrent_entries_in_many_games_leave_no_gap(any_hall: Harness):
    """Two people at eight tables send all their moves at once; each entry is sent to each of them once."""
    people = [any_hall.player(number) for number in range(2)]
    games = [any_hall.game("bids", people) for _ in range(8)]
    bodies = [(game, player.signed_move(game, PASS)) for game in games for player in people]
    before = [len(told(any_hall, player)) for player in people]

    def send(sent):
        game, body = sent
        answer = any_hall.app.test_client().post(f"/v1/games/{game}/moves", json=body)
        while answer.status_code == 409:  # the other one's move came first, and this one is the same on the new head
            player = people[bodies.index(sent) % 2]
            answer = any_hall.app.test_client().post(f"/v1/games/{game}/moves", json=player.signed_move(game, PASS))
        return answer.status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(send, bodies)) == {201}
    for player, first in zip(people, before, strict=True):
        new = told(any_hall, player, first)
        assert [event["n"] for event in new] == list(range(first + 1, first + len(new) + 1))
        heads = {(game, seq) for game in games for seq in range(4, any_hall.head(game)[0])}
        assert {(event["game"], event["seq"]) for event in new} == heads
        with any_hall.services.database.read() as session:
            assert session.get(Account, player.account).events == first + len(new)


def append_and_fail(hall: Harness, game: str) -> None:
    with open_for_writing(hall.services, game) as ledger:
        ledger.append(compose_expired(ledger.table, ledger.secret, ledger.at, 0))
        outbox.write_events(ledger.session.connection(), ledger.events, hall.clock())
        raise ZeroDivisionError


def test_a_rollback_sends_no_event_and_uses_no_number(any_table):
    """The number is assigned with the commit."""
    hall, (ada, _ben, _), game = any_table
    hall.clock.forward(hours=1)
    before = told(hall, ada)
    with pytest.raises(ZeroDivisionError):
        append_and_fail(hall, game)
    assert told(hall, ada) == before
    assert expire(hall.services, game, 0)
    assert told(hall, ada)[-1]["n"] > before[-1]["n"]


def page(hall: Harness, player: Player, after: int, limit: int = hooks.MOST) -> hooks.EventPage:
    numbering.number(hall.services.database, [player.account])
    with hall.services.database.read() as session:
        return hooks.events_after(session, player.account, after, limit)


def test_pages_of_events_follow_one_another(table):
    """Each begins after the last number of the one before, and the last is empty."""
    hall, (ada, *_), _game = table
    first = page(hall, ada, 0, 3)
    second = page(hall, ada, first.last, 3)
    assert [event["n"] for event in first.events + second.events] == [1, 2, 3, 4]
    assert page(hall, ada, second.last, 3) == hooks.EventPage([], 4)


def test_deleted_events_cause_a_reset_and_never_a_silent_gap(any_table):
    """Old events are deleted; a reader at the end notices nothing, and a reader further back gets a reset."""
    hall, (ada, ben, _), game = any_table
    assert (len(told(hall, ada)), len(told(hall, ben))) == (4, 3)
    hall.clock.forward(days=hall.services.settings.events_kept + 1)
    ada.move(game, PASS)
    assert retention.forget(hall.services)["account_event"] == 7
    assert retention.forget(hall.services)["account_event"] == 0
    assert page(hall, ada, 3).reset
    assert page(hall, ada, 3).last == 5
    assert [event["n"] for event in page(hall, ada, 4).events] == [5]


def test_an_unknown_number_causes_a_reset(table):
    """As after a restore of an older copy."""
    hall, (ada, *_), _game = table
    assert page(hall, ada, 1000) == hooks.EventPage([], 4, reset=True)


def test_events_before_a_hole_are_sent_and_then_a_reset(table):
    """The cause of the hole does not matter."""
    hall, (ada, *_), _game = table
    assert len(told(hall, ada)) == 4
    gone = sa.delete(AccountEvent).where(AccountEvent.account_id == ada.account, AccountEvent.n == 3)
    with hall.services.database.write() as session:
        session.execute(gone)
    assert [event["n"] for event in page(hall, ada, 0).events] == [1, 2]
    assert page(hall, ada, 2) == hooks.EventPage([], 4, reset=True)


def test_an_erased_account_has_no_events(any_table):
    """Its seat stays, and the game goes on."""
    hall, (ada, ben, _), game = any_table
    assert ben.erase().status_code == 204
    ada.move(game, PASS)
    with hall.services.database.read() as session:
        rows = sa.select(AccountEvent.n).where(AccountEvent.account_id == ben.account)
        assert session.scalars(rows).all() == []


def test_after_a_restore_no_number_is_used_twice(any_table, monkeypatch):
    """Every reader gets a reset, however far the numbers had come; then events continue."""
    hall, (ada, *_), game = any_table
    assert len(told(hall, ada)) == 4
    monkeypatch.setattr(commands.startup, "open_services", lambda _: hall.services)
    monkeypatch.setattr(commands.startup, "checked_settings", lambda **_: None)
    said = CliRunner().invoke(main, ["reset-events", "--why", "a restore"])
    assert (said.exit_code, said.output) == (0, "3 accounts will be notified that events were lost\n")
    for read in (0, 3, 4, 5, 400):
        assert page(hall, ada, read) == hooks.EventPage([], 1_000_004, reset=True)
    assert ada.move(game, PASS).status_code == 201
    assert [event["n"] for event in page(hall, ada, 1_000_004).events] == [1_000_005]
