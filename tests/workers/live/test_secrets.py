"""No secret leaks from the worker or the clock: a hidden game is played with both at DEBUG."""

from __future__ import annotations

import json

import pytest
import redis
import sqlalchemy as sa

from engine.record.compose.entries import seal_salt
from engine.record.encoding import canonical
from server.accounts.sign_in import request_link
from server.kernel import secrets
from server.kernel.db.models import EntryPrivate, Game, LoginLink
from tests.kit.absent import mailed, mentions, not_told
from tests.kit.patience import until
from tests.servers.redis import held
from tests.workers.processes import CLOCK, WORKER

pytestmark = pytest.mark.slow

SEATS = 3


def test_logs_and_jobs_of_a_hidden_game_contain_no_secret(house, sink, crew, redis_url, tmp_path):
    """No game secret, salt, sealed move, bid, link or address."""
    request_link(house.services, "dee@example.org", "Dee")
    game = house.game("bids", seats=SEATS, clock=None)
    house.move(game, 0, "bid 7")
    with redis.Redis.from_url(redis_url) as client:
        jobs = held(client)
    crew.start("worker", WORKER)
    crew.start("clock", CLOCK)
    until(lambda: len(sink.mails) >= SEATS, "the mails did not come")
    house.move(game, 1, "bid 6")
    house.move(game, 2, "bid 5")
    until(lambda: any(row.kind == "turn" and row.seq > 5 for row in house.rows()), "nobody was asked again")
    crew.stop()
    printed = (tmp_path / "crew.log").read_text("utf-8")
    assert "notification" in printed
    assert "workers." in jobs
    for secret in _secrets(house, game):
        not_told(secret, printed, jobs)
    assert [mentions("BidSealed", text) for text in (printed, jobs)] == [0, 0]


def test_a_mail_holds_its_own_seats_secrets_only(house, sink, crew):
    """No mail as sent has the game's secret, a salt, or the sealed moves of others."""
    game = house.game("bids", seats=SEATS, clock=None)
    house.move(game, 0, "bid 7")
    crew.start("worker", WORKER)
    crew.start("clock", CLOCK)
    until(lambda: len(sink.mails) >= SEATS - 1, "the mails did not come")
    wires = [text for mail in sink.mails for text in (mail.as_string(), mailed(mail))]
    for secret in _sealed(house, game):
        not_told(secret, *wires)


def _secrets(house, game) -> list[str]:
    """Everything that no log line may contain, in every spelling."""
    tokens = [secrets.unsubscribe_token(house.settings.master, game, seat, seat + 1) for seat in range(SEATS)]
    with house.services.database.read() as session:
        tokens += [secrets.login_token(house.settings.master, link) for link in session.scalars(sa.select(LoginLink))]
    favourites = [f'"{bidder.favourite}"' for bidder in house.table(game).state.bidders]
    return [*_sealed(house, game), *tokens, *favourites, "example.org", "/login/", "/u/"]


def _sealed(house, game) -> list[str]:
    with house.services.database.read() as session:
        secret = secrets.game_secret(house.settings.master, session.get(Game, game).secret_r)
        openings = [json.loads(text) for text in session.scalars(sa.select(EntryPrivate.opening))]
    salts = [seal_salt(secret, opening["seq"], seat) for opening in openings for seat in range(SEATS + 1)]
    raw = [house.settings.master, secret, secrets.server_seed(house.settings.master, 1), *salts]
    moves = [opening["move"] for opening in openings if opening["move"]]
    assert moves
    texts = [*moves, *(json.dumps(move)[1:-1] for move in moves), *(json.loads(move)["salt"] for move in moves)]
    return [*texts, *(form for data in raw for form in (data.hex(), canonical.to_base64url(data)))]
