"""A bot has no email address, so it gets no mail; in mails to others its name is marked."""

from __future__ import annotations

import sqlalchemy as sa

from server.kernel.db.models import Account
from tests.workers.harness import DAY
from tests.workers.test_seats import texts, words


def test_a_bot_gets_no_mail_and_no_row_waits_for_it(house, sink):
    """Neither at its turn, nor before the deadline, nor at the end; the other player reads `(bot)`."""
    game = house.game(clock={"move": DAY, "grace": 3600}, goal=100)
    with house.services.database.write() as session:
        session.execute(sa.update(Account).where(Account.name == "Ben").values(bot=True, email=None))
    house.react()
    house.play_default(game)
    house.react()
    assert {row.seat for row in house.rows()} == {0}
    assert "Ben (bot)" in words(texts(sink, "ada")[-1])
