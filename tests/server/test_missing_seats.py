"""Missing lines of every kind that touches a seat: its holder, its keys, its time."""

import pytest
import sqlalchemy as sa

from engine.record.audit import audit
from engine.record.compose import entries as c
from engine.record.log.table import Table
from engine.record.signed import acts, keys, moves, note
from engine.record.signed.acts import read_signed
from server.kernel import secrets
from server.kernel.db.models import AccountKey, FormerHolder, Seat
from tests.server.harness import HOST, MASTER, Harness, Player
from tests.server.lost import CLOCK, Lost
from tests.server.test_missing import newest, taken, told


class Future:
    """What the server would have logged next, made from its own table and secret: lines that it has never stored."""

    def __init__(self, game: Lost) -> None:
        self.game, self.lines, self.texts, self.now = game, [], [], 0
        with game.hall.services.database.read() as session:
            from server.kernel.db.models import Game

            row = session.get_one(Game, game.game)
            self.table: Table = game.hall.services.tables.of(session, row)
            self.secret = secrets.game_secret(MASTER, row.secret_r)
        self.size = self.table.size

    @property
    def at(self) -> str:
        """A minute later each time."""
        from engine.record.encoding import canonical

        self.now += 60
        return canonical.instant(int(self.game.hall.clock.at.timestamp()) + self.now)

    def put(self, made: c.Composed) -> None:
        self.lines.append(made.line.decode())
        self.table = made.table

    def act(self, player: Player, act: str, **body) -> None:
        """Whatever a player signs and no rules have a word in."""
        place = (HOST, self.game.game, body.pop("seat", player.seat), self.table.size, self.table.head)
        signed = read_signed(keys.sign_jws(player.seed, getattr(acts, act)(*place, **body)))
        self.put(c.compose_plain(self.table, signed, self.at))

    def take(self, player: Player, seat: int) -> None:
        key = keys.jwk(keys.public_of(player.seed))
        self.act(player, "take", seat=seat, key=key, recovery=None, bot=False)
        player.seat = seat

    def bid(self, player: Player, amount: int) -> None:
        text = moves.move_text([{"do": "bid", "amount": amount}], bytes([amount]) * 32)
        place = (HOST, self.game.game, player.seat, self.table.size, self.table.head)
        signed = read_signed(keys.sign_jws(player.seed, acts.move(*place, sealed=moves.seal_move(text))))
        self.texts.append({"seq": self.table.size, "text": text})
        self.put(c.compose_moved(self.table, self.secret, self.at, signed, text))

    def expire(self, seat: int) -> None:
        from engine.record.encoding import canonical

        due = canonical.instant(self.table.deadline(seat))
        self.put(c.compose_expired(self.table, self.secret, due, seat))

    @property
    def note(self) -> str:
        seed = secrets.server_seed(MASTER, 1)
        return note.write(HOST, self.game.game, self.table.size, self.table.head, seed)

    def hand_in(self):
        return self.game.post(self.lines, self.note, self.texts)


@pytest.fixture
def game(any_hall: Harness) -> Lost:
    """A hidden game with a clock whose seats may change hands, and three people for two seats."""
    players = [any_hall.player(number) for number in range(3)]
    return Lost(any_hall, players, any_hall.game("bids", players[:2], options={"lots": 9}, clock=CLOCK))


def seats(game: Lost) -> list[tuple[int | None, str | None]]:
    """By seat, the account and the deadline that the rows say."""
    with game.hall.services.database.read() as session:
        rows = session.scalars(sa.select(Seat).where(Seat.game_id == game.game).order_by(Seat.seat))
        return [(row.account_id, row.deadline and row.deadline.strftime("%Y-%m-%dT%H:%M:%SZ")) for row in rows]


def deadlines(table: Table) -> list[str | None]:
    from engine.record.encoding import canonical

    return [due and canonical.instant(due) for due in map(table.deadline, range(table.seats))]


def test_a_seat_that_was_offered_and_taken_is_the_new_holders(game: Lost):
    """By the account of the key that took it; the old one reads nothing more of it, and time granted is there."""
    ann, ben, cy = game.players
    future = Future(game)
    future.act(ann, "key", add=keys.jwk(keys.public_of(bytes(range(32)))))
    future.act(ben, "offer", open_=True)
    future.take(cy, 1)
    future.bid(cy, 4)
    future.put(c.compose_granted(future.table, future.at, [0], 900, "host"))
    assert taken(future.hand_in()) == (5, None, False)
    assert seats(game) == list(zip([ann.account, cy.account], deadlines(future.table), strict=True))
    assert [seat["name"] for seat in game.detail()["seats"]] == ["Player 0", "Player 2"]
    assert cy.get(f"/games/{game.game}/view").get_json()["seat"] == 1
    assert ben.get(f"/games/{game.game}/openings").get_json()["code"] == "no-seat"
    game.hall.clock.forward(hours=1)
    ann.seed = bytes(range(32))
    assert ann.move(game.game, [{"do": "bid", "amount": 1}]).status_code == 201


def test_how_a_seat_came_to_be_free_is_told_by_the_times_of_the_lines(any_hall: Harness):
    """Its offer still waited when it was taken, though by now that wait is over: it was taken as absent."""
    ann, ben, cy = players = [any_hall.player(number) for number in range(3)]
    wish = {"options": {"lots": 9}, "clock": CLOCK, "offer_wait": 10**6}
    game = Lost(any_hall, players, any_hall.game("bids", players[:2], **wish))
    future = Future(game)
    future.act(ben, "offer", open_=True)
    for amount in (1, 2):
        future.bid(ann, amount)
        future.expire(1)
    future.take(cy, 1)
    any_hall.clock.forward(days=60)
    assert taken(future.hand_in())[1] is None
    with any_hall.services.database.read() as session:
        assert session.scalars(sa.select(FormerHolder.ended)).all() == ["absence"]


def test_a_seat_that_went_absent_is_absent_and_may_have_been_taken(game: Lost):
    """Two stretches that the clock ended, and somebody else's key: all of it by the log alone."""
    ann, _ben, cy = game.players
    future = Future(game)
    for amount in (1, 2):
        future.bid(ann, amount)
        future.expire(1)
    assert future.table.is_absent(1)
    future.take(cy, 1)
    assert taken(future.hand_in()) == (5, None, False)
    assert seats(game) == list(zip([ann.account, cy.account], deadlines(future.table), strict=True))
    game.hall.clock.forward(hours=9)
    report = audit(game.hall.client.get(f"/v1/games/{game.game}/bundle").get_data())
    assert report.verdict == "open", report
    assert [one.by for one in report.holders] == ["join", "join", "absence"]


def test_a_seat_taken_by_a_key_of_nobodys_is_nobodys(game: Lost):
    """Its registration came after the copy: the seat goes on by its key, and mail goes to nobody."""
    ann, ben, _cy = game.players
    stranger = Player(game.hall, 9, b"\x77" * 32, "", 0)
    future = Future(game)
    future.act(ben, "offer", open_=True)
    future.take(stranger, 1)
    mark = newest(game.hall)
    assert taken(future.hand_in())[2] is False
    assert [account for account, _ in seats(game)] == [ann.account, None]
    assert {kind for kind, _ in told(game.hall, game.game, mark)} == {"turn"}
    game.hall.clock.forward(hours=1)
    assert stranger.move(game.game, [{"do": "bid", "amount": 1}]).status_code == 201
    assert game.hall.client.get(f"/games/{game.game}").status_code == 200


def test_a_former_holder_is_recognised_by_their_key(game: Lost):
    """They register it with a new account, and still may not sit down at another seat, whose secrets they would add."""
    _ann, ben, cy = game.players
    with game.hall.services.database.write() as session:
        session.execute(sa.update(Seat).where(Seat.account_id == ben.account).values(account_id=None))
        session.execute(sa.delete(AccountKey).where(AccountKey.account_id == ben.account))
    future = Future(game)
    future.act(ben, "offer", open_=True)
    future.take(cy, 1)
    assert taken(future.hand_in())[2] is False
    assert former(game) == [(1, None)]
    again = game.hall.player(7)
    assert again.post("/me/keys", {"jws": game.hall.proof(again, ben.seed)}).status_code == 201
    assert former(game) == [(1, again.account)]
    assert [account for account, _ in seats(game)] == [game.players[0].account, cy.account]


def former(game: Lost) -> list[tuple[int, int | None]]:
    with game.hall.services.database.read() as session:
        rows = session.scalars(sa.select(FormerHolder).where(FormerHolder.game_id == game.game))
        return [(row.seat, row.account_id) for row in rows]


def test_a_resigned_seat_comes_back_resigned(game: Lost):
    """And what the clock has played for it since."""
    ann, ben, _cy = game.players
    future = Future(game)
    place = (HOST, game.game, 1, future.table.size, future.table.head)
    signed = read_signed(keys.sign_jws(ben.seed, acts.resign(*place)))
    future.put(c.compose_resigned(future.table, future.secret, future.at, signed))
    assert taken(future.hand_in())[2] is False
    assert game.detail()["status"] == future.table.stage
    assert [seat["resigned"] for seat in game.detail()["seats"]] == [False, True]
    assert seats(game)[0][0] == ann.account


def test_one_account_gets_no_second_seat_by_handing_in(game: Lost):
    """Its own key of before the loss is registered with somebody who sits here already: the seat is nobody's."""
    ann, ben, cy = game.players
    future = Future(game)
    future.act(ben, "offer", open_=True)
    second = Player(game.hall, 8, b"\x66" * 32, ann.token, ann.account)
    assert ann.post("/me/keys", {"jws": game.hall.proof(ann, second.seed)}).status_code == 201
    future.take(second, 1)
    assert taken(future.hand_in())[2] is False
    assert [account for account, _ in seats(game)] == [ann.account, None]
    assert cy.get(f"/games/{game.game}/openings").get_json()["code"] == "no-seat"


@pytest.mark.slow
def test_ten_thousand_lines_are_taken_at_once(game: Lost):
    """Most of them grants, which are the cheapest to make; one request, in batches, so that nobody else waits long.

    Of a database beyond a socket a tenth is enough: there each line costs its ways there and back.
    """
    count = 10_000 if game.hall.services.database.is_sqlite else 1_000
    future = Future(game)
    for _ in range(count):
        future.put(c.compose_granted(future.table, future.at, [0, 1], 1, "outage"))
    game.compare(future.note)
    assert taken(future.hand_in()) == (count, None, False)
    assert game.detail()["head"]["seq"] == future.table.size - 1
    assert [due for _, due in seats(game)] == deadlines(future.table)
