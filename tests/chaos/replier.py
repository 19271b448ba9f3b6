"""Players who move by mail: they answer what they are sent, at whichever host and way takes it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from tests.chaos.clients import TIME, Client
from tests.workers.replies.answering import Answers, Doors
from tests.workers.replies.post import Post
from workers.dev.signer import PageSigner

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (("pig", {"goal": 100}), ("bids", {"lots": 9}), ("bids", {"lots": 9}))
IMPATIENCE = 0.1  # the chance to open another game: a mail that a host dated an hour ahead may wait for an hour
TWICE = 5  # of so many replies one is sent again by another way, as if a relay had not heard that it was accepted


class Replier(Client):
    """Answers a mail every `pace` seconds."""

    def __init__(self, house: Post, letters: PageSigner, doors: Sequence[Doors], pace: float) -> None:
        super().__init__([], house.settings.server_name)
        self.doors, self.pace, self.dice = doors, pace, random.Random(len(GAMES))
        self.house, self.games = house, list[str]()
        self.answers = Answers(house, letters, self.games)
        for kind, options in GAMES:
            self._open(kind, options)

    def _open(self, kind: str, options: dict[str, Any]) -> None:
        self.games.append(self.house.game(kind, clock=TIME, unsigned=True, **options))

    def act(self) -> None:
        with suppress(sa.exc.OperationalError):  # its connection was ended before anything was sent
            if self.answers.left():
                self._answer_one()
            elif self.dice.random() < IMPATIENCE:
                self._open(*self.dice.choice(GAMES))
        self.stopped.wait(self.pace)

    def _answer_one(self) -> None:
        mail = self.answers.next()
        raw, by_http = self.answers.to(mail), self.dice.choice((True, False))
        self.dice.choice(self.doors).hand_in(mail, raw, by_http=by_http)
        self.count += 1
        if self.count % TWICE == 0:
            self.dice.choice(self.doors).hand_in(mail, b"Received: again\r\n" + raw, by_http=not by_http)
