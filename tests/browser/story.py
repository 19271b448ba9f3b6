"""A table of four people and a house player: where its people sit, and how they play by answering mails."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import sqlalchemy as sa

from engine.kit import format_steps
from server.kernel.db.models import Account, Game, Seat
from tests.browser.months import Months, Somebody
from tests.workers.replies.post import plain
from tests.year.world import thought


class Story:
    """The table, and the people who play there. A player who is `away` does not answer."""

    def __init__(self, months: Months) -> None:
        self.months, self.dice = months, random.Random("three months")
        self.ada, self.ben, self.cy, self.dee = (Somebody(months, name) for name in ("Ada", "Ben", "Cy", "Dee"))
        self.game = ""
        self.plays: dict[int, Somebody] = {}
        self.away: set[Somebody] = set()

    @property
    def path(self) -> str:
        return f"/games/{self.game}"

    @property
    def time(self) -> datetime:
        return self.months.post.time

    @property
    def status(self) -> str:
        with self.months.post.services.database.read() as session:
            return session.get_one(Game, self.game).status

    @property
    def expired(self) -> int:
        """How many default moves the clock has played."""
        return self.months.post.kinds(self.game).count("expired")

    def row(self, one: Somebody) -> Seat:
        (seat,) = (seat for seat, player in self.plays.items() if player is one)
        return self.months.post.seat(self.game, seat)

    def owes(self, one: Somebody) -> bool:
        return self.row(one).question_seq is not None

    def find_seats(self, *people: Somebody) -> None:
        """Find the seat of each of these people."""
        held = sa.select(Account.email, Seat.seat).join(Seat, Seat.account_id == Account.id)
        with self.months.post.services.database.read() as session:
            seats = dict(session.execute(held.where(Seat.game_id == self.game)).all())
        self.plays = {seats[one.address]: one for one in people}

    def play(self, **span: float) -> None:
        """For so long, one person a day answers the mail about the move they owe."""
        until = self.time + timedelta(**span)
        while self.time < until and self.status == "running":
            self.move_next()
            self.months.later(days=1)

    def play_until(self, one: Somebody) -> None:
        """Until this person owes a move."""
        last = self.time + timedelta(days=20)
        while not self.owes(one):
            assert self.time < last, f"{one.name} is never asked"
            self.play(days=1)

    def can_move(self, one: Somebody) -> bool:
        """A new holder of a seat that owes a move has nothing to answer before the reminder."""
        return one not in self.away and self.owes(one) and any(mail["Reply-To"] for mail in one.mails)

    def move_next(self) -> None:
        """The first person who owes a move makes it: a draw in it needs another mail."""
        one = next((one for one in self.plays.values() if self.can_move(one)), None)
        while one is not None and self.status == "running" and self.owes(one):
            table = self.months.post.table(self.game)
            did = one.reply(format_steps(thought(table, self.row(one).seat, self.dice)).replace("; ", "\n") + "\n")
            assert did == ["played"], (one.name, did, plain(one.mails[-1]))
