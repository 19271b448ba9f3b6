"""Processes under another valid master: every way into the log refuses and changes nothing; the right one goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from engine.kit import dump_steps, parse
from engine.record.audit import audit
from engine.record.encoding.canonical import H
from engine.record.signed import acts, keys, moves
from server.kernel.db.models import Entry, InboundMail, ServerKey
from server.kernel.errors import Problem
from server.kernel.services import open_services
from server.mailbox.inbound import IncomingMail, keep
from server.operate import startup
from server.tables.write import GameRequest, create_game
from tests.server import apps
from tests.workers.harness import PEOPLE, seed
from tests.workers.replies.post import Post
from workers.clock import round_of
from workers.replies.process import process_in

WRONG = bytes(range(1, 33))
SITE = "http://127.0.0.1:8000"


class Restarted:
    """The processes of a server, started anew under this master."""

    def __init__(self, post: Post, master: bytes) -> None:
        self.post = post
        self.services = open_services(replace(post.settings, master=master))
        object.__setattr__(self.services, "now", lambda: post.time)
        self.ctx = replace(post.ctx, services=self.services)
        self.app = apps.take(self.services)

    def move(self, game: str, text: str) -> tuple[int, str | None]:
        """Ada's sealed move over HTTP; its status and code."""
        table = self.post.table(game)
        place = {"aud": table.server, "game": game, "seat": 0, "seq": table.size, "prev": table.head}
        whole = moves.move_text(dump_steps(parse(table.game, text)), H(text.encode()))
        signed = keys.sign_jws(seed(PEOPLE[0]), acts.move(**place, sealed=moves.seal_move(whole)))
        answer = self._client.post(f"/v1/games/{game}/moves", json={"jws": signed, "text": whole}, base_url=SITE)
        return answer.status_code, answer.get_json().get("code")

    def ready(self) -> tuple[int, str]:
        answer = self._client.get("/readyz", base_url=SITE)
        return answer.status_code, answer.get_data(as_text=True)

    def verdict(self, game: str) -> str:
        return audit(self._client.get(f"/v1/games/{game}/bundle", base_url=SITE).get_data()).verdict

    @property
    def _client(self):
        return self.app.test_client()

    def close(self) -> None:
        self.services.database.dispose()
        apps.give_back(self.app)


@pytest.fixture
def restarted(post: Post):
    opened: list[Restarted] = []

    def start(master: bytes) -> Restarted:
        opened.append(Restarted(post, master))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def log_of(post: Post, game: str) -> list[bytes]:
    with post.services.database.read() as session:
        return list(session.scalars(sa.select(Entry.line).where(Entry.game_id == game).order_by(Entry.seq)))


def waiting(post: Post) -> InboundMail:
    with post.services.database.read() as session:
        return session.scalars(sa.select(InboundMail)).one()


def test_no_way_into_a_game_is_open_under_another_master(post: Post, restarted, caplog):
    """A signed move, the clock and a reply by mail; then all of them count under the right master."""
    game = post.game("bids", unsigned=True)
    post.react()
    asked = post.asked("ben")
    raw = post.written(asked, "bid 2")
    assert post.arrive(raw, asked) == ["kept"]
    before, wrong = log_of(post, game), restarted(WRONG)

    assert wrong.move(game, "bid 1") == (503, "wrong-master")
    assert process_in(wrong.ctx, waiting(post).id) == "later"
    assert (waiting(post).state, waiting(post).reason) == ("waiting", "wrong-master")
    with pytest.raises(Problem, match="wrong-master"):
        keep(wrong.services, [IncomingMail(asked["Reply-To"].addresses[0].addr_spec, raw, "smtp")])
    post.pass_time(days=4)
    round_of(wrong.ctx)
    assert log_of(post, game) == before
    assert "wrong-master" in caplog.text
    assert game in caplog.text
    assert WRONG.hex() not in caplog.text

    right = restarted(post.settings.master)
    assert right.move(game, "bid 1") == (201, None)
    assert process_in(right.ctx, waiting(post).id) == "played"
    assert right.verdict(game) == "open"  # nothing fails, and the moves stay sealed until the end
    assert len(log_of(post, game)) > len(before)


def test_the_clock_plays_once_the_master_is_right_again(post: Post, restarted):
    game = post.game("pig")
    post.pass_time(days=4)
    before = log_of(post, game)
    round_of(restarted(WRONG).ctx)
    assert log_of(post, game) == before
    right = restarted(post.settings.master)
    round_of(right.ctx)
    assert post.kinds(game)[len(before) :] == ["expired"]
    assert right.verdict(game) == "holds"


def test_no_process_starts_under_another_master(post: Post, restarted, monkeypatch: pytest.MonkeyPatch):
    """Its one sentence names both keys by their fingerprints; a process that runs all the same is not ready."""
    post.game("pig")
    wrong, right = restarted(WRONG), restarted(post.settings.master)
    monkeypatch.setattr(startup.config, "settings", lambda: wrong.services.settings)
    with pytest.raises(SystemExit, match="SEALEDMOVE_MASTER is not the master of this database") as refused:
        startup.checked_settings()
    kid = keys.thumbprint(right.services.server_key(1))
    assert kid in str(refused.value)
    assert wrong.ready() == (503, f"{refused.value}\n")
    assert right.ready() == (200, "ready\n")


def test_an_empty_database_takes_any_master_and_the_first_game_settles_it(post: Post, restarted):
    """Also for a process that was started before and found no game; it then makes none of its own."""
    other = restarted(WRONG)
    assert other.ready() == (200, "ready\n")
    assert other.services.master == WRONG
    post.game("pig")
    assert other.ready()[0] == 503
    with pytest.raises(Problem, match="wrong-master"):
        create_game(other.services, 1, GameRequest(type="pig", seats=2, options={}, clock=None))


def test_a_game_of_another_master_is_refused_and_the_others_go_on(post: Post, restarted, caplog):
    """A server that ran under two masters before has games of both under one number."""
    ours = post.game("bids")
    with post.services.database.write() as session:
        session.execute(sa.delete(ServerKey))
    theirs_services = restarted(WRONG)
    post.services, own = theirs_services.services, post.services
    theirs = post.game("bids")
    post.services = own
    with post.services.database.write() as session:
        session.execute(sa.update(ServerKey).values(public=own.server_key(1)))
    now = restarted(post.settings.master)
    assert now.move(theirs, "bid 1") == (503, "wrong-master")
    assert f"'game': '{theirs}'" in caplog.text
    assert now.move(ours, "bid 1") == (201, None)
